//! Heuristics whose bound reads entries of tables: [`Lookups`].

use super::{Behind, EntryTable, Source, TableEntry};
use crate::Indexer;
use crate::database::PatternDatabase;
use search::{
    ConstrainedDomain, ConstrainedState, Cost, Domain, Heuristic, IgnoreRules, Max, Op, OpSet,
    Verdict,
};

/// A heuristic whose bound reads entries of tables from a [`Source`].
///
/// Contract: [`Heuristic::bound`] is [`Lookups::bound_from`] the tables.
pub trait Lookups<D: Domain>: Heuristic<D> {
    /// The tables. An entry names a table by its place here.
    fn tables(&self) -> Vec<EntryTable>;

    /// The number of tables.
    fn table_count(&self) -> usize;

    /// [`Heuristic::root`] without a read of any entry. [default: `root`, which must read none]
    fn root_from(&self, domain: &D, state: &D::State) -> Self::Carry {
        self.root(domain, state)
    }

    /// [`Heuristic::child`] without a read of any entry. [default: `child`, which must read none,
    /// though it may prefetch]
    fn child_from(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        self.child(domain, from, carry, op, to)
    }

    /// [`Heuristic::bound`] with the entries of a source. `None` if the source must get an entry
    /// first. Then the carry is arbitrary, and the next call begins with the carry of before.
    fn bound_from(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>>;
}

impl<D: Domain, I: Indexer<D>> Lookups<D> for PatternDatabase<I> {
    fn tables(&self) -> Vec<EntryTable> {
        vec![EntryTable::Distances(self.table().clone())]
    }
    fn table_count(&self) -> usize {
        1
    }
    fn bound_from(
        &self,
        _: &D,
        _: &D::State,
        carry: &mut I::Index,
        _: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>> {
        let entry = || TableEntry { table: 0, entry: self.indexer().entry(*carry) };
        source.take(&mut { entry }).map(Verdict::bound)
    }
}

/// The tables of the first heuristic come first.
impl<D: Domain, A: Lookups<D>, B: Lookups<D>> Lookups<D> for Max<A, B> {
    fn tables(&self) -> Vec<EntryTable> {
        [self.0.tables(), self.1.tables()].concat()
    }
    fn table_count(&self) -> usize {
        self.0.table_count() + self.1.table_count()
    }
    fn root_from(&self, domain: &D, state: &D::State) -> Self::Carry {
        (self.0.root_from(domain, state), self.1.root_from(domain, state))
    }
    fn child_from(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let first = self.0.child_from(domain, from, &carry.0, op, to);
        (first, self.1.child_from(domain, from, &carry.1, op, to))
    }
    fn bound_from(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>> {
        let first = self.0.bound_from(domain, state, &mut carry.0, limit, source)?;
        if first.h > limit {
            return Some(first);
        }
        let mut behind = Behind { source, tables: self.0.table_count() };
        let second = self.1.bound_from(domain, state, &mut carry.1, limit, &mut behind)?;
        Some(Verdict { h: first.h.max(second.h), excluded: first.excluded.or(second.excluded) })
    }
}

impl<D: Domain, H: Lookups<D>> Lookups<ConstrainedDomain<'_, D>> for IgnoreRules<H> {
    fn tables(&self) -> Vec<EntryTable> {
        self.0.tables()
    }
    fn table_count(&self) -> usize {
        self.0.table_count()
    }
    fn root_from(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        state: &ConstrainedState<D::State>,
    ) -> Self::Carry {
        self.0.root_from(domain.domain(), &state.state)
    }
    fn child_from(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        from: &ConstrainedState<D::State>,
        carry: &Self::Carry,
        op: Op,
        to: &ConstrainedState<D::State>,
    ) -> Self::Carry {
        self.0.child_from(domain.domain(), &from.state, carry, op, &to.state)
    }
    fn bound_from(
        &self,
        domain: &ConstrainedDomain<'_, D>,
        state: &ConstrainedState<D::State>,
        carry: &mut H::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>> {
        self.0.bound_from(domain.domain(), &state.state, carry, limit, source)
    }
}

impl<D: Domain, H: Lookups<D>> Lookups<D> for &H {
    fn tables(&self) -> Vec<EntryTable> {
        (**self).tables()
    }
    fn table_count(&self) -> usize {
        (**self).table_count()
    }
    fn root_from(&self, domain: &D, state: &D::State) -> Self::Carry {
        (**self).root_from(domain, state)
    }
    fn child_from(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        (**self).child_from(domain, from, carry, op, to)
    }
    fn bound_from(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>> {
        (**self).bound_from(domain, state, carry, limit, source)
    }
}
