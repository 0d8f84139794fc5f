//! The tables of specs as a heuristic: [`SpecTables`].

use super::abstraction::{SpecPattern, SpecPlace};
use crate::puzzle::{GeneralPuzzle, LabelState, Values};
use pdb::UNREACHED;
use pdb::memory::prefetch;
use search::{Cost, Heuristic, Op, OpSet, Verdict};

/// Tables of a puzzle, at the most.
pub const MOST_TABLES: usize = 6;

/// Plans of a greater cost are outside what the engine handles.
const MOST_COST: Cost = 250;

/// A spec's pattern and the distances of its entries.
#[derive(Debug)]
pub struct SpecTable {
    pattern: SpecPattern,
    values: Values,
}

impl SpecTable {
    /// A table over the distances of a pattern's entries.
    ///
    /// # Panics
    /// If it has not a value for each of them.
    pub fn new(pattern: SpecPattern, values: Values) -> Self {
        let entries = match &values {
            Values::Nibbles(nibbles) => nibbles.entries(),
            Values::Octets(bytes) => bytes.len() as u64,
        };
        assert_eq!(entries, pattern.entries(), "the table of another pattern");
        Self { pattern, values }
    }

    /// The pattern.
    pub fn pattern(&self) -> &SpecPattern {
        &self.pattern
    }

    /// The distances by entry, in units of the pattern.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Bytes of the values and of what finds them.
    pub fn bytes(&self) -> u64 {
        self.values.bytes() + self.pattern.bytes()
    }

    /// Entries of each value, from 0, in units of the pattern; those from which no goal is reached are left out.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = self.values.counts();
        counts.truncate(Cost::MAX.into());
        let most = counts.iter().rposition(|&count| count > 0).map_or(0, |most| most + 1);
        counts.truncate(most);
        counts
    }

    #[inline(always)]
    fn prefetch(&self, at: SpecPlace) {
        if at.is_known() {
            let entry = self.pattern.number(at);
            match &self.values {
                Values::Nibbles(nibbles) => nibbles.prefetch(entry),
                // A number that does not fit is no entry.
                Values::Octets(bytes) => {
                    prefetch(bytes, usize::try_from(entry).unwrap_or(usize::MAX));
                }
            }
        }
    }

    /// The distance at a place; [`Cost::MAX`] if no goal is reached from there, 0 if nothing is known of it.
    #[inline(always)]
    pub fn value(&self, at: SpecPlace) -> Cost {
        match at.is_known() {
            true => self.entry(self.pattern.number(at)),
            false if at.is_dead() => Cost::MAX,
            false => 0,
        }
    }

    /// The distance of an entry; [`Cost::MAX`] if no goal is reached from it.
    #[inline(always)]
    pub fn entry(&self, entry: u64) -> Cost {
        let (value, unreached) = match &self.values {
            Values::Nibbles(nibbles) => (nibbles.get(entry), UNREACHED),
            Values::Octets(bytes) => {
                (usize::try_from(entry).map_or(0, |entry| bytes[entry]), Cost::MAX)
            }
        };
        match value {
            value if value == unreached => Cost::MAX,
            value => value.saturating_mul(self.pattern.unit()).min(MOST_COST),
        }
    }
}

/// The maximum over tables. Reading stops as soon as the limit is passed.
///
/// Admissible: yes (each is the distance in an abstraction, and where no goal is reached from a state's entry there is no plan). Consistent: yes (an
/// operator is an edge that costs no more).
#[derive(Debug)]
pub struct SpecTables(Vec<SpecTable>);

impl SpecTables {
    /// The maximum of these; those beyond [`MOST_TABLES`] are left out.
    pub fn new(mut tables: Vec<SpecTable>) -> Self {
        tables.truncate(MOST_TABLES);
        Self(tables)
    }

    /// The tables.
    pub fn tables(&self) -> &[SpecTable] {
        &self.0
    }

    #[inline(always)]
    fn up_to(&self, places: &[SpecPlace; MOST_TABLES], limit: Cost) -> Cost {
        let mut most = 0;
        for (table, &at) in self.0.iter().zip(places) {
            most = most.max(table.value(at));
            if most > limit {
                break;
            }
        }
        most
    }
}

impl<const N: usize, O: OpSet> Heuristic<GeneralPuzzle<N, O>> for SpecTables {
    type Carry = [SpecPlace; MOST_TABLES];
    const PREFETCHES: bool = true;

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
        Verdict { h: self.up_to(carry, limit), excluded: O::NONE }
    }
    fn consistent(&self) -> bool {
        true
    }
}
