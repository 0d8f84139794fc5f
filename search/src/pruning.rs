//! Cutting operator strings that lead nowhere new: [`Pruning`].
//!
//! If two strings of operators lead to the same state, a search needs only one of them (U D and D U
//! on the cube). A pruning remembers the operators so far and says which ones may follow.

use crate::domain::{Cost, Domain, Op, OpSet, Reversible};

/// Says which operators may follow a string of operators.
///
/// Contract: from every start state, the pruning allows at least one optimal plan. A pruning that
/// allows more keeps the answer right and makes the search do more work. The laws are in
/// [`testing::check_pruning`](crate::testing::check_pruning).
///
/// Never combine two prunings, or a pruning and a transposition table, without a proof for the
/// pair. Each may rely on the string that the other cuts. A learned automaton is safe with any
/// admissible heuristic. It orders strings by length, then lexicographically, and concatenation
/// keeps that order. So an optimal plan with a forbidden string rewrites to a smaller optimal plan,
/// and at last to one without.
pub trait Pruning<D: Domain>: Sync {
    /// What the pruning remembers of the operators so far.
    type State: Copy + Send + Sync + std::fmt::Debug;

    /// Whether [`Pruning::dead_end`] may return true. [default: false]
    const DEAD_ENDS: bool = false;

    /// The state before any operator.
    fn start(&self, domain: &D, state: &D::State) -> Self::State;

    /// The operators that may follow in the state `at`. The set may hold operators that the domain
    /// does not have.
    fn allowed(&self, domain: &D, at: Self::State) -> D::Ops;

    /// The state after `op`, which is one of the operators that [`Pruning::allowed`] returns.
    fn next(&self, domain: &D, at: Self::State, op: Op) -> Self::State;

    /// Whether the pruning's state `at` is a dead end: no allowed string from here has exactly the
    /// cost `remaining`. [default: false]
    ///
    /// A search may cut a dead end only if a plan must spend exactly what remains. Iterative
    /// deepening knows that, because lower bounds are proven to hold no plan.
    #[inline(always)]
    fn dead_end(&self, _domain: &D, _at: Self::State, _remaining: Cost) -> bool {
        false
    }

    /// Prefetches what [`Pruning::allowed`] and [`Pruning::next`] will read in the state `at`.
    /// [default: nothing]
    #[inline(always)]
    fn prefetch(&self, _at: Self::State) {}

    /// The state after any string that ends with `op`; `None` if it depends on more than the last
    /// operator. It is `Some` for all operators or for none. [default: `None`]
    #[inline(always)]
    fn after(&self, _domain: &D, _op: Op) -> Option<Self::State> {
        None
    }
}

impl<D: Domain, P: Pruning<D>> Pruning<D> for &P {
    type State = P::State;
    const DEAD_ENDS: bool = P::DEAD_ENDS;
    #[inline(always)]
    fn start(&self, domain: &D, state: &D::State) -> Self::State {
        (**self).start(domain, state)
    }
    #[inline(always)]
    fn allowed(&self, domain: &D, at: Self::State) -> D::Ops {
        (**self).allowed(domain, at)
    }
    #[inline(always)]
    fn next(&self, domain: &D, at: Self::State, op: Op) -> Self::State {
        (**self).next(domain, at, op)
    }
    #[inline(always)]
    fn dead_end(&self, domain: &D, at: Self::State, remaining: Cost) -> bool {
        (**self).dead_end(domain, at, remaining)
    }
    #[inline(always)]
    fn prefetch(&self, at: Self::State) {
        (**self).prefetch(at);
    }
    #[inline(always)]
    fn after(&self, domain: &D, op: Op) -> Option<Self::State> {
        (**self).after(domain, op)
    }
}

/// Allows every operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl<D: Domain> Pruning<D> for NoPruning {
    type State = ();
    #[inline(always)]
    fn start(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn allowed(&self, _: &D, (): ()) -> D::Ops {
        D::Ops::FULL
    }
    #[inline(always)]
    fn next(&self, _: &D, (): (), _: Op) {}
    #[inline(always)]
    fn after(&self, _: &D, _: Op) -> Option<()> {
        Some(())
    }
}

/// Forbids an operator directly after the one that it undoes.
#[derive(Clone, Copy, Debug, Default)]
pub struct InversePruning;

impl<D: Reversible> Pruning<D> for InversePruning {
    /// The operator that must not follow.
    type State = Option<Op>;
    #[inline(always)]
    fn start(&self, _: &D, _: &D::State) -> Option<Op> {
        None
    }
    #[inline(always)]
    fn allowed(&self, _: &D, at: Option<Op>) -> D::Ops {
        at.map_or(D::Ops::FULL, |undo| D::Ops::FULL.minus(D::Ops::NONE.with(undo)))
    }
    #[inline(always)]
    fn next(&self, domain: &D, _: Option<Op>, op: Op) -> Option<Op> {
        Some(domain.inverse_op(op))
    }
    #[inline(always)]
    fn after(&self, domain: &D, op: Op) -> Option<Option<Op>> {
        Some(Some(domain.inverse_op(op)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of the numbers below 2000. Each of the first 300 operators `i` adds `i + 1`; 300 more
    /// undo them.
    struct Steps;

    impl Domain for Steps {
        type State = usize;
        type Ops = [u64; 10];
        fn operators(&self) -> usize {
            600
        }
        fn applicable(&self, _: &usize) -> [u64; 10] {
            OpSet::first(600)
        }
        fn apply_into(&self, from: &usize, op: Op, to: &mut usize) {
            let by = op.index() % 300 + 1;
            *to = (from + if op.index() < 300 { by } else { 2000 - by }) % 2000;
        }
        fn is_goal(&self, state: &usize) -> bool {
            *state == 0
        }
    }

    impl Reversible for Steps {
        fn inverse_op(&self, op: Op) -> Op {
            Op::new((op.index() + 300) % 600)
        }
    }

    #[test]
    fn each_of_many_operators_forbids_the_one_that_undoes_it() {
        let pruning = InversePruning;
        let start = pruning.start(&Steps, &0);
        assert_eq!(pruning.allowed(&Steps, start), <[u64; 10]>::FULL);
        for op in Steps.applicable(&0).members() {
            let (mut state, mut back) = (7, 0);
            Steps.apply_into(&7, op, &mut state);
            Steps.apply_into(&state, Steps.inverse_op(op), &mut back);
            assert_eq!(back, 7);
            let at = pruning.next(&Steps, start, op);
            assert_eq!(Some(at), pruning.after(&Steps, op));
            let forbidden = <[u64; 10]>::FULL.minus(pruning.allowed(&Steps, at));
            assert!(forbidden.members().eq([Steps.inverse_op(op)]));
        }
    }
}
