//! Pattern databases as heuristics: [`PatternDatabase`], which carries its index and prefetches, and [`Lazy`], which does neither.

use crate::abstraction::Indexer;
use crate::nibbles::{Nibbles, UNREACHED};
use search::{Charged, Cost, Domain, Heuristic, Op, Verdict};

/// An indexer and the table that it reads.
///
/// Admissible: yes (the table holds exact distances of an abstraction, which never exceed those of the domain). Consistent: yes (an
/// operator from `s` to `t` is an edge from `t`'s entry to `s`'s that costs no more, so the distance of `s` is at most that of
/// `t` plus the operator's cost). An entry from which no goal is reached proves a dead end: the bound is then [`Cost::MAX`].
///
/// One read a state, of the cache line that [`Heuristic::child`] asked for.
#[derive(Clone, Debug)]
pub struct PatternDatabase<I> {
    indexer: I,
    table: Nibbles,
}

impl<I> PatternDatabase<I> {
    /// The heuristic of an indexer and the table built for its abstraction.
    pub fn new(indexer: I, table: Nibbles) -> Self {
        Self { indexer, table }
    }

    /// The indexer.
    pub fn indexer(&self) -> &I {
        &self.indexer
    }

    /// The table.
    pub fn table(&self) -> &Nibbles {
        &self.table
    }

    #[inline(always)]
    fn read(&self, entry: u64) -> Cost {
        let value = self.table.get(entry);
        if value == UNREACHED { Cost::MAX } else { value }
    }
}

impl<D: Domain, I: Indexer<D>> Heuristic<D> for PatternDatabase<I> {
    type Carry = I::Index;
    const PREFETCHES: bool = true;
    #[inline(always)]
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        self.indexer.index(domain, state)
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let index = self.indexer.advance(domain, from, *carry, op, to);
        self.table.prefetch(self.indexer.entry(index));
        index
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(self.read(self.indexer.entry(*carry)))
    }
    fn consistent(&self) -> bool {
        true
    }
}

/// A database names the features that its indexer's pattern charges for.
impl<I: Charged> Charged for PatternDatabase<I> {
    fn features(&self) -> &[u64] {
        self.indexer.features()
    }
}

/// A heuristic that carries nothing and computes its index only when it is read: for members of a [`Max`](search::Max) that are
/// rarely reached. Same values as the heuristic inside.
#[derive(Clone, Debug)]
pub struct Lazy<H>(pub H);

impl<D: Domain, I: Indexer<D>> Heuristic<D> for Lazy<PatternDatabase<I>> {
    type Carry = ();
    #[inline(always)]
    fn root(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn child(&self, _: &D, _: &D::State, (): &(), _: Op, _: &D::State) {}
    #[inline(always)]
    fn bound(&self, domain: &D, state: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        let database = &self.0;
        Verdict::bound(database.read(database.indexer.entry(database.indexer.index(domain, state))))
    }
    fn consistent(&self) -> bool {
        true
    }
}

impl<H: Charged> Charged for Lazy<H> {
    fn features(&self) -> &[u64] {
        self.0.features()
    }
}
