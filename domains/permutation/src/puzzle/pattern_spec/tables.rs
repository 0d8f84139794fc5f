//! The tables of specs as a heuristic: [`SpecTables`].

use super::abstraction::{SpecPattern, SpecPlace};
use crate::puzzle::{GeneralPuzzle, LabelState};
use pdb::{EntryTable, Lookups, PackedTable, Source, TableEntry};
use search::{Claims, Cost, Evaluation, Heuristic, Op, OpSet, Verdict};

/// Most tables of a puzzle.
pub const MOST_TABLES: usize = 6;

/// The greatest cost of a plan that searches can find.
const MOST_COST: Cost = 250;

/// A pattern, and the table of the distances of its entries.
#[derive(Debug)]
pub struct SpecTable {
    pattern: SpecPattern,
    distances: PackedTable,
}

impl SpecTable {
    /// A pattern with the table of its distances.
    ///
    /// # Panics
    /// If the table has another number of entries than the pattern.
    pub fn new(pattern: SpecPattern, distances: PackedTable) -> Self {
        assert_eq!(distances.entries(), pattern.entries(), "the table of another pattern");
        Self { pattern, distances }
    }

    /// The pattern.
    pub fn pattern(&self) -> &SpecPattern {
        &self.pattern
    }

    /// The distances of the entries, in multiples of the pattern's unit.
    pub fn distances(&self) -> &PackedTable {
        &self.distances
    }

    /// Bytes of the table and of the data that finds its entries.
    pub fn bytes(&self) -> u64 {
        self.distances.bytes().len() as u64 + self.pattern.bytes()
    }

    /// For each value, in multiples of the pattern's unit: the number of entries. Entries from
    /// which no goal is reached are left out.
    pub fn counts(&self) -> Vec<u64> {
        self.distances.histogram().counts
    }

    #[inline(always)]
    fn prefetch(&self, at: SpecPlace) {
        if at.is_known() {
            self.distances.prefetch(self.pattern.number(at));
        }
    }

    /// The bound of an entry. [`Cost::MAX`] if no goal is reached from it, 0 if there is no entry.
    #[inline(always)]
    pub fn value(&self, at: SpecPlace) -> Cost {
        self.number(at).map_or_else(|value| value, |entry| self.entry(entry))
    }

    /// The number of an entry, or the value of a place without an entry.
    #[inline(always)]
    fn number(&self, at: SpecPlace) -> Result<u64, Cost> {
        match at.is_known() {
            true => Ok(self.pattern.number(at)),
            false => Err(if at.is_dead() { Cost::MAX } else { 0 }),
        }
    }

    /// The distance of an entry. [`Cost::MAX`] if no goal is reached from it.
    #[inline(always)]
    pub fn entry(&self, entry: u64) -> Cost {
        self.bound_of(self.distances.get(entry))
    }

    /// The bound that a value of the table stands for.
    #[inline(always)]
    fn bound_of(&self, value: Cost) -> Cost {
        match value {
            Cost::MAX => Cost::MAX,
            value => value.saturating_mul(self.pattern.unit()).min(MOST_COST),
        }
    }
}

/// The heuristic that is the maximum over several tables. It stops reading as soon as a bound
/// exceeds the limit.
///
/// Admissible: yes, because each value is a distance in an abstraction. If an entry reaches no
/// goal, the state has no plan. Consistent: yes, because an operator is an edge that costs no more.
#[derive(Debug)]
pub struct SpecTables(Vec<SpecTable>);

impl SpecTables {
    /// The maximum of these tables. Drops tables beyond the first [`MOST_TABLES`].
    pub fn new(mut tables: Vec<SpecTable>) -> Self {
        tables.truncate(MOST_TABLES);
        Self(tables)
    }

    /// The tables.
    pub fn tables(&self) -> &[SpecTable] {
        &self.0
    }

    /// The greatest value, or the first one above the limit. `None` if `read` has no value.
    #[inline(always)]
    fn up_to(
        &self,
        places: &[SpecPlace; MOST_TABLES],
        limit: Cost,
        mut read: impl FnMut(TableEntry) -> Option<Cost>,
    ) -> Option<Cost> {
        let mut most = 0;
        for (number, (table, &at)) in self.0.iter().zip(places).enumerate() {
            let value = match table.number(at) {
                Ok(entry) => table.bound_of(read(TableEntry { table: number, entry })?),
                Err(value) => value,
            };
            most = most.max(value);
            if most > limit {
                break;
            }
        }
        Some(most)
    }
}

impl<const N: usize, O: OpSet> Lookups<GeneralPuzzle<N, O>> for SpecTables {
    fn tables(&self) -> Vec<EntryTable> {
        self.0.iter().map(|table| EntryTable::Distances(table.distances.clone())).collect()
    }
    fn table_count(&self) -> usize {
        self.0.len()
    }
    fn bound_from(
        &self,
        _: &GeneralPuzzle<N, O>,
        _: &LabelState<N>,
        carry: &mut Self::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<O>> {
        self.up_to(carry, limit, |entry| source.take(&mut || entry)).map(Verdict::bound)
    }
}

impl<const N: usize, O: OpSet> Heuristic<GeneralPuzzle<N, O>> for SpecTables {
    type Carry = [SpecPlace; MOST_TABLES];
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    const EVALUATION: Evaluation = Evaluation::STAGED;

    fn root(&self, _: &GeneralPuzzle<N, O>, state: &LabelState<N>) -> Self::Carry {
        let mut places = [SpecPlace::DEAD; MOST_TABLES];
        for (place, table) in places.iter_mut().zip(&self.0) {
            *place = table.pattern.place(state);
        }
        places
    }
    #[inline(always)]
    fn child(
        &self,
        _: &GeneralPuzzle<N, O>,
        _: &LabelState<N>,
        carry: &Self::Carry,
        op: Op,
        to: &LabelState<N>,
    ) -> Self::Carry {
        let mut places = *carry;
        for (place, table) in places.iter_mut().zip(&self.0) {
            *place = table.pattern.after(*place, op, to);
            table.prefetch(*place);
        }
        places
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &GeneralPuzzle<N, O>,
        _: &LabelState<N>,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<O> {
        let read = |entry: TableEntry| Some(self.0[entry.table].distances.get(entry.entry));
        Verdict::bound(self.up_to(carry, limit, read).unwrap_or(0))
    }
}
