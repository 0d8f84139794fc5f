//! The greatest of some values, each of which is known or stands in a table: [`RemoteTables`].

use super::{EntryReader, EntryTable, TableEntry};
use crate::database::{Lazy, PatternDatabase};
use crate::{Indexer, PackedTable};
use search::{
    ChildBatch, Claims, ConstrainedDomain, ConstrainedState, Cost, Domain, Evaluation, FilterStage,
    Heuristic, IgnoreRules, Max, Op, Survivors, Verdict,
};

/// One value on which a bound depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The value is known without a table.
    Value(Cost),
    /// The value of an entry. The number of its table is that in [`TableBounds::tables`].
    Entry(TableEntry),
}

/// A heuristic whose bound is the greatest of some values, each of which is known or stands in a
/// table.
pub trait TableBounds<D: Domain>: Heuristic<D> {
    /// The tables.
    fn tables(&self) -> Vec<&PackedTable>;
    /// The number of values for each state.
    fn probes(&self) -> usize;
    /// The value with this number, or where it stands.
    fn probe(&self, domain: &D, state: &D::State, number: usize) -> Probe;
    /// The bound that an entry's value stands for, in the probe with this number. [default: the
    /// value]
    fn bound_of(&self, _number: usize, value: Cost) -> Cost {
        value
    }
}

/// A heuristic that gets its values from an [`EntryReader`], for many states at a time.
///
/// The bounds are those of the heuristic `H`. A search for a bound generates the same nodes with
/// either, unless `H` excludes operators. Probes are read one after another, each for all states
/// that the probes before it did not cut.
///
/// Admissible: if `H` is.
pub struct RemoteTables<'a, H> {
    bounds: &'a H,
    reader: &'a dyn EntryReader,
}

impl<H: std::fmt::Debug> std::fmt::Debug for RemoteTables<'_, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteTables").field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl<'a, H> RemoteTables<'a, H> {
    /// Reads the values of `bounds` by `reader`, which gets the tables here.
    pub fn new<D: Domain>(_: &D, bounds: &'a H, reader: &'a dyn EntryReader) -> Self
    where
        H: TableBounds<D>,
    {
        let tables = bounds.tables().into_iter().cloned();
        reader.open(tables.map(EntryTable::Distances).collect());
        Self { bounds, reader }
    }

    /// The greatest value of a state.
    fn read_one<D: Domain>(&self, domain: &D, state: &D::State) -> Cost
    where
        H: TableBounds<D>,
    {
        let value = |number| match self.bounds.probe(domain, state, number) {
            Probe::Value(value) => value,
            Probe::Entry(entry) => {
                let mut value = [0];
                self.reader.read(&[entry], &mut value);
                self.bounds.bound_of(number, value[0])
            }
        };
        (0..self.bounds.probes()).map(value).max().unwrap_or(0)
    }
}

impl<D: Domain, H: TableBounds<D>> Heuristic<D> for RemoteTables<'_, H> {
    /// The greatest value so far.
    type Carry = Cost;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = Evaluation::REMOTE;

    fn root(&self, domain: &D, state: &D::State) -> Cost {
        self.read_one(domain, state)
    }
    fn child(&self, domain: &D, _: &D::State, _: &Cost, _: Op, to: &D::State) -> Cost {
        self.read_one(domain, to)
    }
    fn child_batch<'a>(
        &self,
        _: &D,
        _: impl Fn(usize) -> (&'a D::State, &'a Cost),
        made: ChildBatch<'_, D::State, Cost>,
    ) {
        made.carries.fill(0);
    }
    fn filter_batch(
        &self,
        domain: &D,
        children: Survivors<'_, D::State, Cost>,
        stage: usize,
    ) -> FilterStage {
        if stage >= self.bounds.probes() {
            return FilterStage::Done;
        }
        let Survivors { left, states, carries, slack, .. } = children;
        let mut raise = |child: usize, value: Cost| {
            carries[child] = carries[child].max(value);
            slack[child].proven = carries[child];
        };
        let (mut entries, mut asked) = (Vec::new(), Vec::new());
        for &child in left {
            let number = usize::from(child);
            match self.bounds.probe(domain, &states[number], stage) {
                Probe::Value(value) => raise(number, value),
                Probe::Entry(entry) => {
                    entries.push(entry);
                    asked.push(number);
                }
            }
        }
        let mut values = vec![0; entries.len()];
        self.reader.read(&entries, &mut values);
        for (child, value) in asked.into_iter().zip(values) {
            raise(child, self.bounds.bound_of(stage, value));
        }
        FilterStage::Cuts
    }
    fn bound(&self, _: &D, _: &D::State, carry: &mut Cost, _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(*carry)
    }
}

impl<D: Domain, I: Indexer<D>> TableBounds<D> for PatternDatabase<I> {
    fn tables(&self) -> Vec<&PackedTable> {
        vec![self.table()]
    }
    fn probes(&self) -> usize {
        1
    }
    fn probe(&self, domain: &D, state: &D::State, _: usize) -> Probe {
        let entry = self.indexer().entry(self.indexer().index(domain, state));
        Probe::Entry(TableEntry { table: 0, entry })
    }
}

impl<D: Domain, I: Indexer<D>> TableBounds<D> for Lazy<PatternDatabase<I>> {
    fn tables(&self) -> Vec<&PackedTable> {
        self.0.tables()
    }
    fn probes(&self) -> usize {
        self.0.probes()
    }
    fn probe(&self, domain: &D, state: &D::State, number: usize) -> Probe {
        self.0.probe(domain, state, number)
    }
    fn bound_of(&self, number: usize, value: Cost) -> Cost {
        self.0.bound_of(number, value)
    }
}

impl<D: Domain, H: TableBounds<D>> TableBounds<ConstrainedDomain<'_, D>> for IgnoreRules<H> {
    fn tables(&self) -> Vec<&PackedTable> {
        self.0.tables()
    }
    fn probes(&self) -> usize {
        self.0.probes()
    }
    fn probe(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        state: &ConstrainedState<D::State>,
        number: usize,
    ) -> Probe {
        self.0.probe(domain.domain(), &state.state, number)
    }
    fn bound_of(&self, number: usize, value: Cost) -> Cost {
        self.0.bound_of(number, value)
    }
}

impl<D: Domain, H: TableBounds<D>> TableBounds<D> for &H {
    fn tables(&self) -> Vec<&PackedTable> {
        (**self).tables()
    }
    fn probes(&self) -> usize {
        (**self).probes()
    }
    fn probe(&self, domain: &D, state: &D::State, number: usize) -> Probe {
        (**self).probe(domain, state, number)
    }
    fn bound_of(&self, number: usize, value: Cost) -> Cost {
        (**self).bound_of(number, value)
    }
}

/// The probes and tables of the first heuristic come first.
impl<D: Domain, A: TableBounds<D>, B: TableBounds<D>> TableBounds<D> for Max<A, B> {
    fn tables(&self) -> Vec<&PackedTable> {
        [self.0.tables(), self.1.tables()].concat()
    }
    fn probes(&self) -> usize {
        self.0.probes() + self.1.probes()
    }
    fn probe(&self, domain: &D, state: &D::State, number: usize) -> Probe {
        let Some(number) = number.checked_sub(self.0.probes()) else {
            return self.0.probe(domain, state, number);
        };
        match self.1.probe(domain, state, number) {
            Probe::Entry(TableEntry { table, entry }) => {
                Probe::Entry(TableEntry { table: table + self.0.tables().len(), entry })
            }
            value => value,
        }
    }
    fn bound_of(&self, number: usize, value: Cost) -> Cost {
        match number.checked_sub(self.0.probes()) {
            None => self.0.bound_of(number, value),
            Some(number) => self.1.bound_of(number, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DiscPattern, NearReader, Ring};
    use crate::{BuildOptions, build};
    use search::random::Random;
    use search::{Limits, NoPruning, Options, ida_star_parallel};

    #[test]
    fn searches_by_a_reader_have_the_same_counts() {
        let ring = Ring::new(9, 3, 5);
        let pattern = |discs| DiscPattern::new(ring, discs);
        let table = |discs| build::<4>(&pattern(discs), &BuildOptions::default()).expect("built");
        let database = |discs| PatternDatabase::new(pattern(discs), table(discs));
        let heuristic = Max(database(1), Max(Lazy(database(3)), Lazy(database(2))));
        let (near, mut nodes) = (NearReader::default(), 0);
        let remote = RemoteTables::new(&ring, &heuristic, &near);
        let (mut state, mut random) = (ring.sorted(), Random::new(5));
        for _ in 0..30 {
            let from = state;
            let op = Op(random.below(u64::try_from(ring.operators()).unwrap()).try_into().unwrap());
            ring.apply_into(&from, op, &mut state);
            let limits = Limits { bound: Some(7), ..Limits::default() };
            let options = Options { limits, plans: usize::MAX, ..Options::default() };
            let here = ida_star_parallel(&ring, &heuristic, &NoPruning, &state, &options);
            let there = ida_star_parallel(&ring, &remote, &NoPruning, &state, &options);
            assert_eq!(here.iterations, there.iterations, "{state:?}");
            assert_eq!(here.outcome, there.outcome);
            assert_eq!(
                heuristic.estimate(&ring, &state),
                Heuristic::<Ring>::estimate(&remote, &ring, &state)
            );
            nodes += here.generated();
        }
        // Even the smallest units ask for the children of several nodes together.
        let [calls, entries] = near.counts();
        assert!(entries > nodes, "{entries} entries for {nodes} nodes");
        assert!(10 * calls < entries, "{calls} calls for {entries} entries");
    }
}
