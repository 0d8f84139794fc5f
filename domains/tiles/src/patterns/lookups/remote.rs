//! Tables of all layouts, whose entries are read elsewhere: [`RemotePatterns`].

use super::{Member, RankedTables, TileIndex};
use crate::board::{Board, BoardWord, Tiles};
use crate::patterns::table::{BlankRegion, PatternTable, TableLayout};
use pdb::{EntryTable, RemoteMembers, TableEntry};
use search::Cost;
use std::sync::Arc;

/// The members of [`DirectTables`](super::DirectTables) or [`RankedTables`], for
/// [`pdb::EntrySums`].
///
/// It has one type for tables of all layouts. To compute the number of an entry anew takes far less
/// time than an answer.
#[derive(Clone, Debug)]
pub struct RemotePatterns {
    tables: RankedTables,
    /// The number of tables. The member with this number is the first on the reflected board.
    count: usize,
    layout: TableLayout,
}

impl RemotePatterns {
    /// Creates the members, as [`RankedTables::new`]. `None` if there are more than 64 members, or
    /// the tables have several layouts.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Option<Self> {
        let (count, layout) = (tables.len(), tables.first()?.layout());
        let tables = RankedTables::of_one_layout(domain, tables, reflected, blank)?;
        Some(Self { tables, count, layout })
    }

    /// The number of a member's entry in a direct table.
    fn direct(&self, index: &TileIndex<()>, member: usize) -> u64 {
        let Member { labels, reflected, .. } = &self.tables.members.list[member];
        let square = |&label: &u8| match (index.square(label.into()), *reflected) {
            (square, true) => self.tables.members.image[usize::from(square)],
            (square, false) => square,
        };
        let squares = labels.iter().map(square).zip(self.tables.radices[member]);
        squares.map(|(square, weight)| u64::from(square) * weight).sum()
    }
}

impl search::Members for RemotePatterns {
    type Lookup = ();

    fn lookups(&self) -> Vec<Vec<(usize, ())>> {
        self.tables.members.lookups(|_, _| ())
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> RemoteMembers<Tiles<W, ROWS, COLS>>
    for RemotePatterns
{
    type Index = TileIndex<()>;

    fn tables(&self) -> Vec<EntryTable> {
        let members = self.tables.members.list[..self.count].iter();
        members.map(|member| EntryTable::Codes(member.table.codes())).collect()
    }
    fn index(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> TileIndex<()> {
        self.tables.index(domain, board)
    }
    fn entry(&self, index: &TileIndex<()>, member: usize) -> TableEntry {
        let entry = match self.layout {
            TableLayout::Direct => self.direct(index, member),
            TableLayout::Ranked | TableLayout::Packed => self.tables.entry(index, member),
        };
        TableEntry { table: member % self.count, entry }
    }
    fn bound_of(&self, index: &TileIndex<()>, member: usize, value: Cost) -> Cost {
        // No board that can be solved has the code 0. An entry that nobody read has it.
        match (self.layout, value) {
            (TableLayout::Packed, 0) => 0,
            _ => self.tables.value_of(index, member, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DirectTables, Placements, Puzzle8, TilePattern};
    use pdb::testing::NearReader;
    use pdb::{BuildOptions, EntryReader, EntrySums, Remote};
    use search::random::Random;
    use search::{
        AdditiveBounds, Heuristic, InversePruning, Limits, MaxOfSums, Options, ida_star_parallel,
    };

    /// Two partitions of the 8-puzzle, which share no pattern.
    fn tables(layout: TableLayout) -> Vec<Arc<PatternTable>> {
        let patterns = [vec![1, 2, 3], vec![4, 5, 6, 7, 8], vec![1, 4, 7, 8], vec![2, 3, 5, 6]];
        let table = |goals| {
            let pattern = TilePattern { rows: 3, columns: 3, goals, blank: 0 };
            let placements = Placements::new(pattern.clone()).unwrap();
            let bytes = PatternTable::build(&placements, layout, &BuildOptions::default()).unwrap();
            Arc::new(PatternTable::new(pattern, layout, bytes).unwrap())
        };
        patterns.into_iter().map(table).collect()
    }

    /// Leaves all values as they are, as in a search that was cancelled.
    struct Nobody;

    impl EntryReader for Nobody {
        fn open(&self, _: Vec<EntryTable>) {}
        fn read(&self, _: &[TableEntry], _: &mut [Cost]) {}
    }

    fn check<M: AdditiveBounds<Puzzle8>>(
        near: M,
        tables: &[Arc<PatternTable>],
        (reflected, blank): (bool, BlankRegion),
    ) {
        let domain = Puzzle8::new();
        let mut sums = vec![vec![0, 1], vec![2, 3]];
        if reflected {
            sums.extend([vec![4, 5], vec![6, 7]]);
        }
        let near = MaxOfSums::<M, 1, 16>::new(&domain, near, &sums).unwrap();
        let far = RemotePatterns::new(&domain, tables, reflected, blank).unwrap();
        let far = MaxOfSums::<_, 2, 64>::new(&domain, far, &sums).unwrap();
        let reader = NearReader::default();
        let entries = EntrySums::new(&domain, far);
        Remote::open(&domain, &entries, &reader);
        let (unread, far) = (Remote::new(&entries, &Nobody), Remote::new(&entries, &reader));
        let (mut random, mut nodes) = (Random::new(5), 0);
        for _ in 0..40 {
            let board = domain.random(&mut random);
            let bound = near.estimate(&domain, &board);
            assert_eq!(bound, far.estimate(&domain, &board));
            // What nobody reads proves nothing.
            assert!(unread.estimate(&domain, &board) <= bound);
            let limits = Limits { bound: Some(28), ..Limits::default() };
            let options = Options { limits, plans: usize::MAX, ..Options::default() };
            let here = ida_star_parallel(&domain, &near, &InversePruning, &board, &options);
            reader.counts();
            let there = ida_star_parallel(&domain, &far, &InversePruning, &board, &options);
            assert_eq!(here.iterations, there.iterations);
            assert_eq!(here.outcome, there.outcome);
            nodes += here.generated();
            // A child needs the tables of the tile that moved: at most one of each sum.
            let [calls, entries] = reader.counts();
            assert!(entries <= sums.len() as u64 * (here.generated() + 8 * 20), "{entries}");
            assert!(calls < entries / 4 || entries < 1000, "{calls} calls for {entries}");
        }
        assert!(nodes > 5000, "{nodes}");
    }

    #[test]
    fn searches_by_a_reader_have_the_counts_of_those_in_memory() {
        let domain = Puzzle8::new();
        for layout in [TableLayout::Direct, TableLayout::Ranked, TableLayout::Packed] {
            let tables = tables(layout);
            for blank in [BlankRegion::Known, BlankRegion::Forgotten] {
                for reflected in [false, true] {
                    let how = (reflected, blank);
                    if layout == TableLayout::Direct {
                        let near = DirectTables::<16>::new(&domain, &tables, reflected, blank);
                        check(near.unwrap(), &tables, how);
                    } else {
                        let near = RankedTables::new(&domain, &tables, reflected, blank);
                        check(near.unwrap(), &tables, how);
                    }
                }
            }
        }
    }
}
