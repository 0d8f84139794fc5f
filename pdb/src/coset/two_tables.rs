//! The heuristic of two coset tables of one group. All views of the first table are read before
//! those of the second.

use super::sides::Cosets;
use super::views::{Carries, Carry, STAGES, Views};
use crate::remote::{Behind, EntryTable, Lookups, Source};
use search::{
    ChildBatch, Claims, Cost, Evaluation, FilterStage, Group, Heuristic, Op, OpSet, Survivors,
    TwoSided, TwoSidedState, Verdict,
};

/// The greater bound of two tables, and the union of the operators that they exclude.
///
/// The table *behind* is read only for states that no view of the table *in front* cuts. Put the
/// table in front that cuts more with fewer lookups, such as a larger one with few views.
///
/// Admissible: yes, because both are. Consistent: no, for the reasons of [`Views`]. Each table
/// applies the rule of equal views only to its own views.
#[derive(Debug)]
pub struct TwoTables<'a, D: Group, A, B> {
    front: &'a Views<D, A>,
    behind: &'a Views<D, B>,
}

/// The data that a search carries for a node. 32 bytes.
#[derive(Clone, Copy, Debug)]
pub struct TwoTablesCarry {
    front: Carry,
    behind: Carry,
}

/// The part of the children's carries that belongs to the table in front.
struct Fronts<'a>(&'a mut [TwoTablesCarry]);

impl Carries for Fronts<'_> {
    #[inline(always)]
    fn of(&mut self, child: usize) -> &mut Carry {
        &mut self.0[child].front
    }
}

/// The part of the children's carries that belongs to the table behind.
struct Behinds<'a>(&'a mut [TwoTablesCarry]);

impl Carries for Behinds<'_> {
    #[inline(always)]
    fn of(&mut self, child: usize) -> &mut Carry {
        &mut self.0[child].behind
    }
}

impl<'a, D: Group, A: Cosets<D>, B: Cosets<D>> TwoTables<'a, D, A, B> {
    /// The heuristic of two tables, which must be of the same group with the same operators.
    pub fn new(front: &'a Views<D, A>, behind: &'a Views<D, B>) -> Self {
        Self { front, behind }
    }

    /// The carry of a child before any lookup.
    #[inline(always)]
    fn made(&self, carry: &TwoTablesCarry, op: Op) -> TwoTablesCarry {
        TwoTablesCarry {
            front: self.front.child_of(&carry.front, op),
            behind: self.behind.child_of(&carry.behind, op),
        }
    }
}

impl<D: Group, A: Cosets<D>, B: Cosets<D>> Heuristic<TwoSided<D>> for TwoTables<'_, D, A, B> {
    type Carry = TwoTablesCarry;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::STAGED.or(Evaluation::SCREENED);

    fn root(&self, _: &TwoSided<D>, _: &TwoSidedState<D::State>) -> TwoTablesCarry {
        TwoTablesCarry { front: Carry::UNKNOWN, behind: Carry::UNKNOWN }
    }

    #[inline(always)]
    fn child(
        &self,
        _: &TwoSided<D>,
        _: &TwoSidedState<D::State>,
        carry: &TwoTablesCarry,
        op: Op,
        _: &TwoSidedState<D::State>,
    ) -> TwoTablesCarry {
        self.made(carry, op)
    }

    #[inline(always)]
    fn child_batch<'b>(
        &self,
        _: &TwoSided<D>,
        from: impl Fn(usize) -> (&'b TwoSidedState<D::State>, &'b TwoTablesCarry),
        made: ChildBatch<'_, TwoSidedState<D::State>, TwoTablesCarry>,
    ) {
        let ChildBatch { parents, ops, carries, batch, .. } = made;
        let (made, front, behind) = ((parents, ops), self.front, self.behind);
        front.make::<true>(|child| &from(child).1.front, made, &mut Fronts(carries), batch);
        behind.make::<false>(|child| &from(child).1.behind, made, &mut Behinds(carries), batch);
    }

    #[inline(always)]
    fn filter_batch(
        &self,
        _: &TwoSided<D>,
        children: Survivors<'_, TwoSidedState<D::State>, TwoTablesCarry>,
        stage: usize,
    ) -> FilterStage {
        let Survivors { left, states, carries, slack, batch } = children;
        let others: &mut [()] = &mut [];
        if stage == STAGES {
            batch.clear();
            batch.reserve(8 * left.len());
            batch.add_each(left.iter().map(|&child| {
                let behind = &carries[usize::from(child)].behind;
                (child, self.behind.first(behind, Views::<D, B>::partner(child, behind, slack)))
            }));
        }
        let children = Survivors { left, states, carries: others, slack, batch };
        if stage < STAGES {
            self.front.screen(children, &mut Fronts(carries), stage)
        } else {
            self.behind.screen(children, &mut Behinds(carries), stage - STAGES)
        }
    }

    #[inline(always)]
    fn bound(
        &self,
        _: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut TwoTablesCarry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        let first = self.front.read_all(state, &mut carry.front, limit);
        if first.h > limit {
            return first;
        }
        let second = self.behind.read_all(state, &mut carry.behind, limit);
        Verdict { h: first.h.max(second.h), excluded: first.excluded.or(second.excluded) }
    }
}

impl<D: Group, A: Cosets<D>, B: Cosets<D>> Lookups<TwoSided<D>> for TwoTables<'_, D, A, B> {
    fn tables(&self) -> Vec<EntryTable> {
        [self.front.tables(), self.behind.tables()].concat()
    }
    fn table_count(&self) -> usize {
        2
    }
    fn bound_from(
        &self,
        _: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut TwoTablesCarry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<<D::Ops as OpSet>::Double>> {
        let first = self.front.take_all(state, &mut carry.front, limit, source)?;
        if first.h > limit {
            return Some(first);
        }
        let mut source = Behind { source, tables: 1 };
        let second = self.behind.take_all(state, &mut carry.behind, limit, &mut source)?;
        Some(Verdict { h: first.h.max(second.h), excluded: first.excluded.or(second.excluded) })
    }
}
