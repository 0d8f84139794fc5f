//! A heuristic whose entries are read elsewhere, for many states at a time: [`Remote`].

use super::{EntryReader, Lookups, Source, TableEntry};
use search::{Batch, Carries, Claims, Cost, Domain, Evaluation, Heuristic, Op, Verdict};
use smallvec::SmallVec;

/// The heuristic `H` with the entries of an [`EntryReader`].
///
/// [`Heuristic::ask`] computes the bound of each child again and again. Each time the bound ends at
/// an entry that the reader does not know yet. It then reads these entries of all children in one
/// call.
///
/// Admissible, consistent: as `H`.
pub struct Remote<'a, H> {
    of: &'a H,
    reader: &'a dyn EntryReader,
}

impl<H: std::fmt::Debug> std::fmt::Debug for Remote<'_, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("of", &self.of).finish_non_exhaustive()
    }
}

impl<'a, H> Remote<'a, H> {
    /// Reads the entries of `of` by `reader`, which has its tables ([`Remote::open`]).
    pub fn new(of: &'a H, reader: &'a dyn EntryReader) -> Self {
        Self { of, reader }
    }

    /// Gives the tables of a heuristic to a reader.
    pub fn open<D: Domain>(_: &D, of: &H, reader: &dyn EntryReader)
    where
        H: Lookups<D>,
    {
        reader.open(of.tables());
    }
}

/// The data that a search carries for a node.
#[derive(Clone, Debug)]
pub struct RemoteCarry<C, O> {
    of: C,
    /// The limit and the verdict of the last bound.
    last: Option<(Cost, Verdict<O>)>,
}

/// The values of one state, in the order in which its bound takes them. If the reader does not know
/// a value yet, its entry is noted.
struct Known<'k> {
    reader: &'k dyn EntryReader,
    values: &'k mut Values,
    /// How many values were asked for.
    taken: usize,
    missing: &'k mut Vec<TableEntry>,
    /// The number of entries that other states miss.
    before: usize,
    early: bool,
}

impl Source for Known<'_> {
    fn take(&mut self, entry: &mut dyn FnMut() -> TableEntry) -> Option<Cost> {
        let number = self.taken;
        self.taken += 1;
        if let Some(&value) = self.values.get(number) {
            return Some(value);
        }
        let entry = entry();
        // Values are kept in order. So behind a missing one, all are missing.
        if self.missing.len() == self.before
            && let Some(value) = self.reader.known(entry)
        {
            self.values.push(value);
            return Some(value);
        }
        self.missing.push(entry);
        None
    }
    fn is_early(&self) -> bool {
        self.early
    }
}

/// The values that are known for a state, in the order in which its bound takes them.
type Values = SmallVec<[Cost; 16]>;

/// A state without a verdict yet, by its number, with what it carries, and how many entries it
/// misses.
struct Unread<C> {
    state: u16,
    of: C,
    values: Values,
    misses: usize,
}

impl<H> Remote<'_, H> {
    /// Leaves the verdict on a state in its carry. If entries are missing, adds them to `missing`
    /// and returns how many: then the carry is arbitrary. `early`: see [`Source::is_early`].
    fn judge<D: Domain>(
        &self,
        (domain, state, limit): (&D, &D::State, Cost),
        carry: &mut RemoteCarry<H::Carry, D::Ops>,
        values: &mut Values,
        missing: &mut Vec<TableEntry>,
        early: bool,
    ) -> usize
    where
        H: Lookups<D>,
    {
        let (reader, before) = (self.reader, missing.len());
        let mut known = Known { reader, values, taken: 0, missing, before, early };
        let verdict = self.of.bound_from(domain, state, &mut carry.of, limit, &mut known);
        carry.last = verdict.map(|verdict| (limit, verdict));
        missing.len() - before
    }

    /// Reads the entries that are missing, and clears them.
    fn read(&self, missing: &mut Vec<TableEntry>) -> Vec<Cost> {
        let mut values = vec![0; missing.len()];
        self.reader.read(missing, &mut values);
        missing.clear();
        values
    }
}

impl<D: Domain, H: Lookups<D>> Heuristic<D> for Remote<'_, H> {
    type Carry = RemoteCarry<H::Carry, D::Ops>;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = Evaluation::REMOTE;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        RemoteCarry { of: self.of.root_from(domain, state), last: None }
    }
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        RemoteCarry { of: self.of.child_from(domain, from, &carry.of, op, to), last: None }
    }
    fn ask<C>(&self, domain: &D, batch: &mut Batch<'_, C>, _: usize)
    where
        C: Carries<State = D::State, Carry = Self::Carry>,
    {
        let Batch { left, ops, states, slack, carries, early, .. } = batch;
        let judge = |carry: &mut Self::Carry, child: u16, values: &mut Values, missing: &mut _| {
            let child = usize::from(child);
            let state = (domain, &states[child], slack[child].limit);
            self.judge(state, carry, values, missing, *early)
        };
        let (mut missing, mut unread) = (Vec::new(), Vec::new());
        for &state in *left {
            let child = usize::from(state);
            let (from, carry) = carries.parent(child);
            let of = self.of.child_from(domain, from, &carry.of, ops[child], &states[child]);
            let (carry, mut values) = (carries.child(child), Values::new());
            carry.of = of.clone();
            let misses = judge(carry, state, &mut values, &mut missing);
            if misses > 0 {
                unread.push(Unread { state, of, values, misses });
            }
        }
        while !unread.is_empty() {
            let (read, mut at) = (self.read(&mut missing), 0);
            unread.retain_mut(|Unread { state, of, values, misses }| {
                values.extend_from_slice(&read[at..at + *misses]);
                at += *misses;
                let carry = carries.child(usize::from(*state));
                carry.of = of.clone();
                *misses = judge(carry, *state, values, &mut missing);
                *misses > 0
            });
        }
    }
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        if let Some((known, verdict)) = carry.last
            && known == limit
        {
            return verdict;
        }
        let (before, mut values, mut missing) = (carry.of.clone(), Values::new(), Vec::new());
        loop {
            let state = (domain, state, limit);
            if self.judge(state, carry, &mut values, &mut missing, false) == 0 {
                return carry.last.map_or_else(|| Verdict::bound(0), |(_, verdict)| verdict);
            }
            values.extend_from_slice(&self.read(&mut missing));
            carry.of = before.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DiscPattern, NearReader, Ring};
    use crate::{BuildOptions, PatternDatabase, build};
    use search::random::Random;
    use search::testing::check_wrapper;
    use search::{Limits, Max, NoPruning, Options, ida_star_parallel};

    #[test]
    fn searches_by_a_reader_have_the_same_counts() {
        let ring = Ring::new(9, 3, 5);
        let pattern = |discs| DiscPattern::new(ring, discs);
        let table = |discs| build::<4>(&pattern(discs), &BuildOptions::default()).expect("built");
        let database = |discs| PatternDatabase::new(pattern(discs), table(discs));
        let heuristic = Max(database(1), Max(database(3), database(2)));
        let (near, mut nodes) = (NearReader::default(), 0);
        Remote::open(&ring, &heuristic, &near);
        let remote = Remote::new(&heuristic, &near);
        check_wrapper(&ring, &remote, Claims::DEAD_ENDS.and_consistent(), &[ring.sorted()])
            .expect("lawful");
        near.counts();
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
            assert_eq!(heuristic.estimate(&ring, &state), remote.estimate(&ring, &state));
            nodes += here.generated();
        }
        // Even the smallest units ask for the children of several nodes together.
        let [calls, entries, known] = near.counts();
        assert!(2 * entries > nodes, "{entries} entries for {nodes} nodes");
        assert!(entries + known > nodes, "{entries} and {known} entries for {nodes} nodes");
        assert!(10 * calls < entries, "{calls} calls for {entries} entries");
    }
}
