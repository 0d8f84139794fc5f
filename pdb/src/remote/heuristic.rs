//! A heuristic whose entries are read elsewhere, for many states at a time: [`Remote`].

use super::{EntryReader, Lookups, Source, TableEntry};
use search::{Batch, Carries, Claims, Cost, Domain, Evaluation, Heuristic, Op, Verdict};
use smallvec::SmallVec;

/// The heuristic `H` with the entries of an [`EntryReader`].
///
/// [`Heuristic::ask`] computes the bound of each child again and again. Each time the bound ends at
/// an entry that is not known yet. The reader then reads these entries of all children in one call.
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

/// The values of one state that are read so far, in the order in which its bound takes them. Notes
/// the entries of the others.
struct Known<'k> {
    values: std::slice::Iter<'k, Cost>,
    missing: &'k mut Vec<TableEntry>,
    early: bool,
}

impl Source for Known<'_> {
    fn take(&mut self, entry: &mut dyn FnMut() -> TableEntry) -> Option<Cost> {
        let known = self.values.next().copied();
        if known.is_none() {
            self.missing.push(entry());
        }
        known
    }
    fn is_early(&self) -> bool {
        self.early
    }
}

/// A state whose bound is not known yet.
struct Unread<'s, D: Domain, C> {
    state: &'s D::State,
    limit: Cost,
    carry: RemoteCarry<C, D::Ops>,
    /// The values that are read so far, in the order in which the bound takes them.
    values: SmallVec<[Cost; 8]>,
}

impl<'s, D: Domain, C> Unread<'s, D, C> {
    fn new(state: &'s D::State, limit: Cost, of: C) -> Self {
        Self { state, limit, carry: RemoteCarry { of, last: None }, values: SmallVec::new() }
    }
}

impl<H> Remote<'_, H> {
    /// Computes the bounds of states, all entries that are missing at a time.
    fn read<D: Domain>(&self, domain: &D, states: &mut [Unread<'_, D, H::Carry>], early: bool)
    where
        H: Lookups<D>,
    {
        let mut missing = Vec::new();
        loop {
            // For each state without a bound, the entries that it misses.
            let mut misses = Vec::new();
            for unread in states.iter_mut().filter(|unread| unread.carry.last.is_none()) {
                let Unread { state, limit, carry, values } = unread;
                let (mut of, before) = (carry.of.clone(), missing.len());
                let known = &mut Known { values: values.iter(), missing: &mut missing, early };
                match self.of.bound_from(domain, state, &mut of, *limit, known) {
                    Some(verdict) => *carry = RemoteCarry { of, last: Some((*limit, verdict)) },
                    None => misses.push((values, missing.len() - before)),
                }
            }
            if missing.is_empty() {
                return;
            }
            let mut read = vec![0; missing.len()];
            self.reader.read(&missing, &mut read);
            missing.clear();
            let mut read = read.into_iter();
            for (values, count) in misses {
                values.extend(read.by_ref().take(count));
            }
        }
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
        let mut children = Vec::new();
        for child in batch.left.iter().map(|&child| usize::from(child)) {
            let ((from, carry), to) = (batch.carries.parent(child), &batch.states[child]);
            let carry = self.of.child_from(domain, from, &carry.of, batch.ops[child], to);
            children.push(Unread::new(to, batch.slack[child].limit, carry));
        }
        self.read(domain, &mut children, batch.early);
        for (&child, Unread { carry, .. }) in batch.left.iter().zip(children) {
            *batch.carries.child(usize::from(child)) = carry;
        }
    }
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        if carry.last.is_none_or(|(known, _)| known != limit) {
            let mut one = [Unread::new(state, limit, carry.of.clone())];
            self.read(domain, &mut one, false);
            let [Unread { carry: read, .. }] = one;
            *carry = read;
        }
        carry.last.map_or_else(|| Verdict::bound(0), |(_, verdict)| verdict)
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
        let [calls, entries] = near.counts();
        assert!(entries > nodes, "{entries} entries for {nodes} nodes");
        assert!(10 * calls < entries, "{calls} calls for {entries} entries");
    }
}
