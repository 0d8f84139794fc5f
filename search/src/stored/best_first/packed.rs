//! A packed domain and a heuristic as a [`Graph`].

use super::graph::Graph;
use crate::control::raise_to_parity;
use crate::domain::{Cost, Iter, Key, MAX_COST, Op, OpSet, Packed};
use crate::heuristic::Heuristic;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};

/// The key of a state, with the hash of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedState<K>(pub(super) K);

impl<K: Key> Hash for PackedState<K> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash());
    }
}

/// What a step of a plan costs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StepCosts {
    /// The cost of its operator.
    OfOperators,
    /// 1.
    One,
}

pub(super) struct PackedGraph<'a, D: Packed, H: Heuristic<D>> {
    domain: &'a D,
    heuristic: &'a H,
    costs: StepCosts,
    start: D::State,
    /// The expanded state, the data of the heuristic there, and the operators left to apply.
    state: D::State,
    carry: Option<H::Carry>,
    ops: Iter<D::Ops>,
    /// The last successor, and the operator that leads to it.
    child: D::State,
    op: Op,
    /// The state of the last goal test.
    tested: D::State,
}

impl<'a, D: Packed, H: Heuristic<D>> PackedGraph<'a, D, H> {
    pub(super) fn new(domain: &'a D, heuristic: &'a H, costs: StepCosts, start: &D::State) -> Self {
        let state = || start.clone();
        Self {
            domain,
            heuristic,
            costs,
            start: state(),
            state: state(),
            carry: None,
            ops: D::Ops::NONE.members(),
            child: state(),
            op: Op(0),
            tested: state(),
        }
    }
}

impl<D: Packed, H: Heuristic<D>> Graph for PackedGraph<'_, D, H> {
    type State = PackedState<D::Key>;
    type Cost = Cost;
    type Error = Infallible;

    #[inline(always)]
    fn is_goal(&mut self, state: &Self::State) -> bool {
        self.domain.unpack(state.0, &mut self.tested);
        self.domain.is_goal(&self.tested)
    }

    #[inline(always)]
    fn expand(&mut self, _: &Self::State) -> Result<(), Infallible> {
        std::mem::swap(&mut self.state, &mut self.tested);
        let Self { domain, heuristic, .. } = *self;
        let mut carry = heuristic.root(domain, &self.state);
        heuristic.bound(domain, &self.state, &mut carry, Cost::MAX);
        self.carry = Some(carry);
        self.ops = domain.restrict(domain.applicable(&self.state)).members();
        Ok(())
    }

    #[inline(always)]
    fn next(&mut self) -> Result<Option<(Self::State, Op, Cost)>, Infallible> {
        let Some(op) = self.ops.next() else { return Ok(None) };
        self.op = op;
        self.domain.apply_into(&self.state, op, &mut self.child);
        let cost = match self.costs {
            StepCosts::OfOperators => self.domain.cost(op),
            StepCosts::One => 1,
        };
        Ok(Some((PackedState(self.domain.pack(&self.child)), op, cost)))
    }

    #[inline(always)]
    fn estimate(&mut self, _: &Self::State) -> Result<Option<Cost>, Infallible> {
        let Self { domain, heuristic, state, child, op, .. } = self;
        let h = match &self.carry {
            None => heuristic.estimate(domain, state),
            Some(carry) => {
                let mut carry = heuristic.child(domain, state, carry, *op, child);
                heuristic.bound(domain, child, &mut carry, Cost::MAX).h
            }
        };
        Ok((!H::CLAIMS.is_dead_end(h)).then_some(h))
    }

    fn is_admissible(&self) -> bool {
        const { H::CLAIMS.admissible }
    }

    fn most(&self) -> Cost {
        MAX_COST
    }

    fn raise(&self, bound: Cost) -> Cost {
        match self.costs {
            StepCosts::OfOperators => raise_to_parity(self.domain, &self.start, bound),
            StepCosts::One => bound,
        }
    }
}
