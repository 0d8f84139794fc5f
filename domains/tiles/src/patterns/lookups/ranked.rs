//! Tables numbered without gaps, one byte or four bits an entry: small, but each lookup ranks the
//! tiles anew.

use super::{Member, Members, Taken, TileIndex};
use crate::board::{Board, BoardWord, Tiles};
use crate::patterns::table::{BlankRegion, Excess, PatternTable, TableLayout};
use pdb::{EntryTable, TableEntry, TableMembers};
use search::{Cost, MaxOfSums, Op};
use std::sync::Arc;

/// Lookups in [`TableLayout::Ranked`] or [`TableLayout::Packed`] tables, whose values are added to
/// bounds. A member is a table read for the board, or for its reflection. The members of the board
/// come first.
#[derive(Clone, Debug)]
pub struct RankedTables {
    pub(super) members: Members,
    /// For each member: where its tiles are.
    taken: Vec<Taken>,
    /// Indexed by member, then tile: the weight of the tile's digit in the number of the entry.
    pub(super) radices: Vec<[u64; 8]>,
    /// Indexed by label, then square: the tile's distance from home. Empty for ranked tables, whose
    /// entries do not need it.
    distances: Vec<[u8; 64]>,
}

/// The maximum of sums of ranked or packed tables.
pub type RankedSums<const REGISTERS: usize, const MEMBERS: usize> =
    MaxOfSums<RankedTables, (usize, usize), REGISTERS, MEMBERS>;

impl RankedTables {
    /// Creates one member for each table. If `reflected` is set and the puzzle reflects, also
    /// creates one for each table on the reflected board. `None` if there are more than 64 members,
    /// or the tables are not all ranked or all packed.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Option<Self> {
        let members = Members::new(domain, tables, reflected, blank);
        let layout = tables.first().map_or(TableLayout::Ranked, |table| table.layout());
        let alike = tables.iter().all(|table| table.layout() == layout);
        let alike = alike && layout != TableLayout::Direct;
        let distances = |label| {
            std::array::from_fn(|square| match square {
                _ if square < domain.squares() => domain.distance_home(label, square),
                _ => 0,
            })
        };
        let labels = if layout == TableLayout::Packed { domain.squares() } else { 0 };
        let distances = (0..labels).map(distances).collect();
        let radices = members.list.iter().map(|member| {
            let mut radices = [0; 8];
            radices
                .iter_mut()
                .zip(member.table.weights())
                .for_each(|(radix, weight)| *radix = weight);
            radices
        });
        let radices = radices.collect();
        let fits = alike && members.list.len() <= 64;
        let taken = (0..members.list.len()).map(|number| members.taken(number)).collect();
        fits.then_some(Self { members, taken, radices, distances })
    }

    /// The number of a member's entry, if the member's pattern has `K` tiles.
    #[inline(always)]
    fn entry_of<const K: usize>(&self, index: &TileIndex<()>, member: usize) -> u64 {
        let Member { labels, reflected, .. } = &self.members.list[member];
        let squares: [u8; K] = std::array::from_fn(|tile| index.square(labels[tile].into()));
        let ranked = if *reflected {
            squares.map(|square| self.members.image[usize::from(square)])
        } else {
            squares
        };
        let digits = pdb::rank::digits(ranked).into_iter().zip(self.radices[member]);
        digits.fold(0, |entry, (digit, radix)| entry + u64::from(digit) * radix)
    }

    /// The number of a member's entry.
    pub(super) fn entry(&self, index: &TileIndex<()>, member: usize) -> u64 {
        by_tiles!(self.members.list[member].labels.len(), self.entry_of(index, member))
    }

    /// Whether entries have four bits.
    fn is_packed(&self) -> bool {
        !self.distances.is_empty()
    }

    /// The index of a board, for [`RankedTables::value`].
    pub fn index<W: BoardWord, const ROWS: usize, const COLS: usize>(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
    ) -> TileIndex<()> {
        self.members.index(domain, board, ())
    }

    /// The index after a move of a tile.
    #[inline(always)]
    fn after(&self, index: &TileIndex<()>, tile: usize) -> TileIndex<()> {
        let mut after = *index;
        after.follow(index, tile, self.members.charged[tile & 63]);
        after
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.members.list.len()
    }

    /// The value of a member: a lower bound of the moves that its pattern's tiles make.
    pub fn value(&self, index: &TileIndex<()>, member: usize) -> Cost {
        let (entry, bytes) = (self.entry(index, member), &self.members.list[member].bytes);
        if !self.is_packed() {
            return self.of_code(index, member, bytes[entry as usize]);
        }
        self.of_excess(index, member, Excess::of(bytes[(entry / 2) as usize], entry))
    }

    #[inline(always)]
    fn of_code(&self, index: &TileIndex<()>, member: usize, code: u8) -> Cost {
        let odd = 1 - index.is_even(member);
        self.members.value(code, odd, index, || (&self.taken[member], 0))
    }

    #[inline(always)]
    fn of_excess(&self, index: &TileIndex<()>, member: usize, excess: Excess) -> Cost {
        let home = |&label: &u8| {
            self.distances[usize::from(label)][usize::from(index.square(label.into()))]
        };
        let distance: u8 = self.members.list[member].labels.iter().map(home).sum();
        distance + 2 * excess.half()
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> search::Members<Tiles<W, ROWS, COLS>>
    for RankedTables
{
    /// The numbers of the member and of the tile.
    type Lookup = (usize, usize);
    type Index = TileIndex<()>;

    fn lookups(&self) -> Vec<Vec<(usize, Self::Lookup)>> {
        self.members.lookups(|number, label| (number, label))
    }
    fn root(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
    ) -> (TileIndex<()>, impl Fn(usize) -> Cost) {
        let index = self.index(domain, board);
        (index, move |member| self.value(&index, member))
    }
    #[inline(always)]
    fn advance(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Self::Index,
        _: Op,
        mover: usize,
        to: &mut Self::Index,
    ) {
        to.follow(from, mover, self.members.charged[mover & 63]);
    }
    #[inline(always)]
    fn read(&self, &(member, tile): &Self::Lookup, index: &Self::Index, _: Op) -> Cost {
        self.value(&self.after(index, tile), member)
    }
    /// Ranks the tiles, which `read` does again: that takes less time than a wait for memory.
    #[inline(always)]
    fn prefetch(&self, &(member, tile): &Self::Lookup, index: &Self::Index, _: Op) {
        let entry = self.entry(&self.after(index, tile), member);
        let byte = if self.is_packed() { entry / 2 } else { entry };
        search::prefetch(&self.members.list[member].bytes, byte as usize);
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> TableMembers<Tiles<W, ROWS, COLS>>
    for RankedTables
{
    fn tables(&self) -> Vec<EntryTable> {
        self.members.tables()
    }
    fn table_count(&self) -> usize {
        self.members.table_count()
    }
    fn entry(&self, index: &TileIndex<()>, member: usize) -> TableEntry {
        self.members.entry(member, self.entry(index, member))
    }
    fn value_of(&self, index: &TileIndex<()>, member: usize, entry: u8) -> Cost {
        match entry {
            // No board that can be solved has the code 0. An entry that nobody read has it.
            0 if self.is_packed() => 0,
            _ if self.is_packed() => self.of_excess(index, member, Excess(entry)),
            _ => self.of_code(index, member, entry),
        }
    }
}
