//! Tables numbered by weighted sums of squares: larger than ranked ones, but a move only adds a
//! number to an entry's number.

use super::{Members, Taken, TileIndex};
use crate::board::{Board, BoardWord, Tiles};
use crate::patterns::table::{BlankRegion, PatternTable, TableLayout};
use pdb::memory::Bytes;
use pdb::{EntryTable, TableEntry, TableMembers};
use search::{Cost, MaxOfSums, Op};
use std::sync::Arc;

/// Up to `MEMBERS` lookups in [`TableLayout::Direct`] tables, whose values are added to bounds. A
/// member is a table read for the board, or for its reflection. The members of the board come
/// first.
#[derive(Clone, Debug)]
pub struct DirectTables<const MEMBERS: usize> {
    members: Members,
    /// Indexed by label, then operator: what a move of this tile adds to the entry number of each
    /// member, modulo 2^32.
    steps: Vec<[[u32; MEMBERS]; 4]>,
    /// Indexed by `64 * member + label`: where the member's tiles are after a move of this tile.
    after: Vec<Taken>,
}

/// The maximum of sums of direct tables.
pub type DirectSums<const REGISTERS: usize, const MEMBERS: usize> =
    MaxOfSums<DirectTables<MEMBERS>, DirectLookup, REGISTERS, MEMBERS>;

/// What is needed to read a member after a move of one of its tiles.
#[derive(Clone, Debug)]
pub struct DirectLookup {
    bytes: Bytes,
    /// For each operator: what the move adds to the number of the entry, modulo 2^32.
    steps: [u32; 4],
    member: u8,
    /// The label of the tile.
    label: u8,
    /// The number of the pair in [`DirectTables::after`].
    after: u16,
}

impl<const MEMBERS: usize> DirectTables<MEMBERS> {
    /// Creates one member for each table. If `reflected` is set and the puzzle reflects, also
    /// creates one for each table on the reflected board. `None` if there are more than `MEMBERS`
    /// or 64 members, or a table has another layout or 2^32 or more entries.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Option<Self> {
        let fits = |table: &Arc<PatternTable>| {
            table.layout() == TableLayout::Direct && u32::try_from(table.bytes().len()).is_ok()
        };
        let members = Members::new(domain, tables, reflected, blank);
        if members.list.len() > MEMBERS.min(64) || !tables.iter().all(fits) {
            return None;
        }
        let mut steps = vec![[[0; MEMBERS]; 4]; 64];
        let columns = domain.columns();
        for (number, member) in members.list.iter().enumerate() {
            for (&label, weight) in member.labels.iter().zip(member.table.weights()) {
                // The tile moves in the direction opposite to the blank's.
                let (row, column) = if member.reflected { (1, columns) } else { (columns, 1) };
                let ways = [row as i64, column as i64, -(column as i64), -(row as i64)];
                for (step, way) in steps[usize::from(label)].iter_mut().zip(ways) {
                    step[number] = (weight as i64 * way) as u32;
                }
            }
        }
        let after =
            (0..64 * members.list.len()).map(|at| members.taken_after(at / 64, at % 64)).collect();
        Some(Self { members, steps, after })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize, const MEMBERS: usize>
    search::Members<Tiles<W, ROWS, COLS>> for DirectTables<MEMBERS>
{
    type Lookup = DirectLookup;
    type Index = TileIndex<[u32; MEMBERS]>;

    fn lookups(&self) -> Vec<Vec<(usize, DirectLookup)>> {
        self.members.lookups(|number, label| DirectLookup {
            bytes: self.members.list[number].bytes.clone(),
            steps: self.steps[label].map(|steps| steps[number]),
            member: number as u8,
            label: label as u8,
            after: (64 * number + label) as u16,
        })
    }
    fn root(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
    ) -> (Self::Index, impl Fn(usize) -> Cost) {
        let mut index = self.members.index(domain, board, [0; MEMBERS]);
        for (number, member) in self.members.list.iter().enumerate() {
            for (&label, weight) in member.labels.iter().zip(member.table.weights()) {
                let square = index.square(label.into());
                let image = self.members.image[usize::from(square)];
                let at = if member.reflected { image } else { square };
                index.entries[number] += (weight * u64::from(at)) as u32;
            }
        }
        let value = move |member: usize| {
            let code = self.members.list[member].bytes[index.entries[member] as usize];
            self.value_of_code(&index, member, code)
        };
        (index, value)
    }
    #[inline(always)]
    fn advance(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Self::Index,
        op: Op,
        mover: usize,
        to: &mut Self::Index,
    ) {
        let steps = &self.steps[mover & 63][op.index() & 3];
        // Whole vector registers, read before they are written: `from` and `to` may overlap for all
        // that the compiler knows.
        let (from_four, _) = from.entries.as_chunks::<4>();
        let (step_four, _) = steps.as_chunks::<4>();
        let (to_four, _) = to.entries.as_chunks_mut::<4>();
        for ((to, from), step) in to_four.iter_mut().zip(from_four).zip(step_four) {
            *to = std::array::from_fn(|entry| from[entry].wrapping_add(step[entry]));
        }
        to.follow(from, mover, self.members.charged[mover & 63]);
    }
    #[inline(always)]
    fn read(&self, lookup: &DirectLookup, index: &Self::Index, op: Op) -> Cost {
        let member = usize::from(lookup.member) % MEMBERS;
        let code = lookup.bytes[lookup.entry(index, op)];
        // The move changes the parity.
        let odd = index.is_even(member);
        let taken = || (&self.after[usize::from(lookup.after)], lookup.label.into());
        self.members.value(code, odd, index, taken)
    }
    #[inline(always)]
    fn prefetch(&self, lookup: &DirectLookup, index: &Self::Index, op: Op) {
        search::prefetch(&lookup.bytes, lookup.entry(index, op));
    }
}

impl<const MEMBERS: usize> DirectTables<MEMBERS> {
    fn value_of_code(&self, index: &TileIndex<[u32; MEMBERS]>, member: usize, code: u8) -> Cost {
        let (odd, taken) = (1 - index.is_even(member), self.members.taken(member));
        self.members.value(code, odd, index, || (&taken, 0))
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize, const MEMBERS: usize>
    TableMembers<Tiles<W, ROWS, COLS>> for DirectTables<MEMBERS>
{
    fn tables(&self) -> Vec<EntryTable> {
        self.members.tables()
    }
    fn table_count(&self) -> usize {
        self.members.table_count()
    }
    fn entry(&self, index: &TileIndex<[u32; MEMBERS]>, member: usize) -> TableEntry {
        self.members.entry(member, index.entries[member].into())
    }
    fn value_of(&self, index: &TileIndex<[u32; MEMBERS]>, member: usize, entry: u8) -> Cost {
        self.value_of_code(index, member, entry)
    }
}

impl DirectLookup {
    /// The number of the entry after an operator.
    #[inline(always)]
    fn entry<const MEMBERS: usize>(&self, index: &TileIndex<[u32; MEMBERS]>, op: Op) -> usize {
        let entry = index.entries[usize::from(self.member) % MEMBERS];
        entry.wrapping_add(self.steps[op.index() & 3]) as usize
    }
}
