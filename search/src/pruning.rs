//! Pruning of operator strings that lead nowhere new: the [`Pruning`] trait, and the two rules that need no learning.

use crate::domain::{Cost, Domain, Op, OpSet, Reversible};

/// Decides from the operators so far which operator may follow.
///
/// Contract, in both directions: for every start state at least one optimal plan is let through. If a pruning lets
/// everything through, the answer stays right and the search does more work.
///
/// Two prunings must not be combined, and a pruning must not be combined with a transposition table, unless the
/// combination is proven: each may rely on the string that the other cuts. Learned automata are safe with any
/// admissible heuristic, because strings are ordered by length, then lexicographically, which concatenation
/// preserves: an optimal plan that holds a forbidden string rewrites to a smaller optimal plan, and so on to one that
/// holds none.
pub trait Pruning<D: Domain>: Sync {
    /// What is remembered of the operators so far.
    type State: Copy + Send + Sync + std::fmt::Debug;
    /// The state before any operator.
    fn start(&self, domain: &D, state: &D::State) -> Self::State;
    /// The state after `op`, or `None` if `op` must not follow. Asked only for operators of [`Pruning::allowed`]. `remaining` is what may still be spent after `op`:
    /// a string that cannot be continued for so long may be cut here.
    fn next(&self, at: Self::State, op: Op, remaining: Cost) -> Option<Self::State>;
    /// Whether `op` must not follow, by what [`Pruning::next`] says. [default: asks it]
    #[inline(always)]
    fn refuses(&self, at: Self::State, op: Op, remaining: Cost) -> bool {
        self.next(at, op, remaining).is_none()
    }
    /// True: with nothing remaining, [`Pruning::next`] refuses no operator of [`Pruning::allowed`]. [default: not claimed]
    const ALLOWED_FOLLOW: bool = false;
    /// True: [`Pruning::refuses`] is false for every operator of [`Pruning::allowed`], whatever remains. [default: not claimed]
    const REFUSES_NONE: bool = false;
    /// The operators that may follow, as far as a set can say; operators that the domain does not have may be among them. [default: all]
    #[inline(always)]
    fn allowed(&self, _domain: &D, _at: Self::State) -> D::Ops {
        D::Ops::FULL
    }
    /// The state after any string that ends with `op`, if the last operator alone decides: what [`Pruning::next`] answers,
    /// without asking for what came before. For all operators or for none. [default: not claimed]
    #[inline(always)]
    fn after(&self, _domain: &D, _op: Op) -> Option<Self::State> {
        None
    }
}

impl<D: Domain, P: Pruning<D>> Pruning<D> for &P {
    type State = P::State;
    const ALLOWED_FOLLOW: bool = P::ALLOWED_FOLLOW;
    const REFUSES_NONE: bool = P::REFUSES_NONE;
    #[inline(always)]
    fn start(&self, domain: &D, state: &D::State) -> Self::State {
        (**self).start(domain, state)
    }
    #[inline(always)]
    fn next(&self, at: Self::State, op: Op, remaining: Cost) -> Option<Self::State> {
        (**self).next(at, op, remaining)
    }
    #[inline(always)]
    fn refuses(&self, at: Self::State, op: Op, remaining: Cost) -> bool {
        (**self).refuses(at, op, remaining)
    }
    #[inline(always)]
    fn allowed(&self, domain: &D, at: Self::State) -> D::Ops {
        (**self).allowed(domain, at)
    }
    #[inline(always)]
    fn after(&self, domain: &D, op: Op) -> Option<Self::State> {
        (**self).after(domain, op)
    }
}

/// Lets every operator through.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl<D: Domain> Pruning<D> for NoPruning {
    type State = ();
    const ALLOWED_FOLLOW: bool = true;
    const REFUSES_NONE: bool = true;
    #[inline(always)]
    fn start(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn next(&self, (): (), _: Op, _: Cost) -> Option<()> {
        Some(())
    }
    #[inline(always)]
    fn after(&self, _: &D, _: Op) -> Option<()> {
        Some(())
    }
}

/// How many numbers an [`Op`] can have.
const NUMBERS: usize = 1 << 16;

/// Forbids an operator right after the one that it undoes. 128 KiB, of which only the operators that there are are read.
#[derive(Clone, Debug)]
pub struct InversePruning {
    /// By operator: the operator that undoes it. A place for every number of an operator, so no read is out of bounds.
    inverse: Box<[Op; NUMBERS]>,
}

impl InversePruning {
    /// Reads the inverses of a domain.
    pub fn new<D: Reversible>(domain: &D) -> Self {
        let mut inverse: Box<[Op; NUMBERS]> = vec![Op(0); NUMBERS]
            .try_into()
            .unwrap_or_else(|_| unreachable!("as long as it was made"));
        for (op, inverse) in inverse.iter_mut().enumerate().take(domain.operators()) {
            *inverse = domain.inverse_op(Op::new(op));
        }
        Self { inverse }
    }
}

impl<D: Reversible> Pruning<D> for InversePruning {
    /// The operator that must not follow.
    type State = Option<Op>;
    const ALLOWED_FOLLOW: bool = true;
    const REFUSES_NONE: bool = true;
    #[inline(always)]
    fn start(&self, _: &D, _: &D::State) -> Option<Op> {
        None
    }
    #[inline(always)]
    fn next(&self, _: Option<Op>, op: Op, _: Cost) -> Option<Option<Op>> {
        Some(Some(self.inverse[op.index()]))
    }
    #[inline(always)]
    fn allowed(&self, _: &D, at: Option<Op>) -> D::Ops {
        at.map_or(D::Ops::FULL, |undo| D::Ops::FULL.minus(D::Ops::NONE.with(undo)))
    }
    #[inline(always)]
    fn after(&self, domain: &D, op: Op) -> Option<Option<Op>> {
        Some(Some(domain.inverse_op(op)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers below 2000 in a ring: 300 operators that add as much as their number and one, and 300 that undo them.
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
        let pruning = InversePruning::new(&Steps);
        let start = pruning.start(&Steps, &0);
        assert_eq!(pruning.allowed(&Steps, start), <[u64; 10]>::FULL);
        for op in Steps.applicable(&0).members() {
            let (mut state, mut back) = (7, 0);
            Steps.apply_into(&7, op, &mut state);
            Steps.apply_into(&state, Steps.inverse_op(op), &mut back);
            assert_eq!(back, 7);
            let at = Pruning::<Steps>::next(&pruning, start, op, 1).unwrap();
            assert_eq!(Some(at), pruning.after(&Steps, op));
            let forbidden = <[u64; 10]>::FULL.minus(pruning.allowed(&Steps, at));
            assert!(forbidden.members().eq([Steps.inverse_op(op)]));
        }
    }
}
