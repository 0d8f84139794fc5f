//! Search from both ends of a plan: the states of [`TwoSided`] carry a group element and its
//! inverse.

use crate::Plan;
use crate::domain::{Cost, Domain, Group, Kernel, Op, OpSet, Packed, Reversible};
use crate::pruning::Pruning;

/// A group domain whose states carry their inverse, so that a plan can be built from either end.
///
/// A state is a position `p` with its inverse `q`. An operator multiplies by its generator `m`.
/// Operators `0 .. n` act on the front: `p` becomes `p m`, and `q` becomes `m^-1 q`. Operators `n
/// .. 2n` act on the back: `q` becomes `q m`, and `p` becomes `m^-1 p`. When `p` is the identity,
/// the plan is the front operators, followed by the inverses of the back operators in reverse order
/// ([`Domain::to_plan`]).
///
/// [`Domain::restrict`] keeps the operators of the end that has fewer, or of the front if both have
/// as many.
///
/// Tomas Rokicki's program nxopt also searches from the inverse. Uzi Zahavi, Ariel Felner, Robert
/// Holte and Jonathan Schaeffer call it dual search ("Duality in permutation state spaces and the
/// dual search algorithm", Artificial Intelligence 172, 2008).
#[derive(Clone, Copy, Debug)]
pub struct TwoSided<D>(pub D);

/// A group element with its inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoSidedState<S> {
    /// The element.
    pub position: S,
    /// Its inverse.
    pub inverse: S,
}

impl<S> TwoSidedState<S> {
    /// The element that operators of an end multiply from the right: the position for the front,
    /// the inverse for the back (if `back` is true).
    #[inline(always)]
    pub fn end(&self, back: bool) -> &S {
        if back { &self.inverse } else { &self.position }
    }
    /// The element that [`TwoSidedState::end`] returns, as a mutable reference.
    #[inline(always)]
    pub fn end_mut(&mut self, back: bool) -> &mut S {
        if back { &mut self.inverse } else { &mut self.position }
    }
}

/// Splits a two-sided operator into the operator of the group, and true if it acts on the back. The
/// group has `operators` operators.
#[inline(always)]
pub fn split_op(op: Op, operators: usize) -> (Op, bool) {
    let back = op.index() >= operators;
    (Op::new(op.index() - if back { operators } else { 0 }), back)
}

impl<D: Group> TwoSided<D> {
    /// The two-sided state of an element.
    pub fn state(&self, position: &D::State) -> TwoSidedState<D::State> {
        let mut inverse = position.clone();
        self.0.invert(position, &mut inverse);
        TwoSidedState { position: position.clone(), inverse }
    }

    /// As the function [`split_op`], for the operators of this domain.
    #[inline(always)]
    pub fn split_op(&self, op: Op) -> (Op, bool) {
        split_op(op, self.0.operators())
    }
}

impl<D: Group> Domain for TwoSided<D> {
    type State = TwoSidedState<D::State>;
    type Ops = <D::Ops as OpSet>::Double;
    const UNIT_COSTS: bool = D::UNIT_COSTS;

    #[inline(always)]
    fn operators(&self) -> usize {
        2 * self.0.operators()
    }
    #[inline(always)]
    fn applicable(&self, state: &Self::State) -> Self::Ops {
        OpSet::double(
            self.0.applicable(&state.position),
            self.0.applicable(&state.inverse),
            self.0.operators(),
        )
    }
    #[inline(always)]
    fn apply_into(&self, from: &Self::State, op: Op, to: &mut Self::State) {
        self.0.apply_both(from, op, to);
    }
    #[inline(always)]
    fn successors<'a>(
        &self,
        from: impl Fn(usize) -> &'a Self::State,
        ops: &[Op],
        to: &mut [Self::State],
    ) {
        self.0.products(from, ops, to);
    }
    #[inline(always)]
    fn is_goal(&self, state: &Self::State) -> bool {
        self.0.is_goal(&state.position)
    }
    #[inline(always)]
    fn cost(&self, op: Op) -> Cost {
        if D::UNIT_COSTS {
            return 1;
        }
        match self.split_op(op) {
            (op, false) => self.0.cost(op),
            // The plan contains the inverse of a back operator.
            (op, true) => self.0.cost(self.0.inverse_op(op)),
        }
    }
    #[inline(always)]
    fn parity(&self, state: &Self::State) -> Option<bool> {
        self.0.parity(&state.position)
    }
    #[inline(always)]
    fn restrict(&self, allowed: Self::Ops) -> Self::Ops {
        let n = self.0.operators();
        let (front, back) = D::Ops::split(allowed, n);
        if back.len() < front.len() {
            OpSet::double(D::Ops::NONE, self.0.restrict(back), n)
        } else {
            OpSet::double(self.0.restrict(front), D::Ops::NONE, n)
        }
    }
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        self.0.with_target_features(kernel)
    }
    fn to_plan(&self, path: &[Op]) -> Plan {
        let ends = || path.iter().map(|&op| self.split_op(op));
        let front: Plan = ends().filter(|(_, back)| !back).map(|(op, _)| op).collect();
        let back: Plan =
            ends().filter(|(_, back)| *back).map(|(op, _)| self.0.inverse_op(op)).rev().collect();
        self.0.to_plan(&front.into_iter().chain(back).collect::<Plan>())
    }
}

impl<D: Group> Reversible for TwoSided<D> {
    fn inverse_op(&self, op: Op) -> Op {
        let n = self.0.operators();
        match self.split_op(op) {
            (op, false) => self.0.inverse_op(op),
            (op, true) => Op::new(self.0.inverse_op(op).index() + n),
        }
    }
}

/// The key holds the position alone; unpacking computes the inverse.
impl<D: Group + Packed> Packed for TwoSided<D> {
    type Key = D::Key;
    fn pack(&self, state: &Self::State) -> D::Key {
        self.0.pack(&state.position)
    }
    fn unpack(&self, key: D::Key, out: &mut Self::State) {
        self.0.unpack(key, &mut out.position);
        self.0.invert(&out.position, &mut out.inverse);
    }
}

/// The pruning of a two-sided search: one pruning for the front, and one for the back.
///
/// The back builds its end of the plan backwards, from inverse operators. Call the inverse
/// operators of a string, in reverse order, its inverse. The back's pruning must allow a string
/// exactly if the front's pruning allows its inverse. Then both together allow every plan that the
/// front alone allows, wherever the two ends meet. Any other pruning of the back may cut every
/// optimal plan.
#[derive(Clone, Copy, Debug)]
pub struct TwoSidedPruning<A, B> {
    /// The pruning of the front operators.
    pub front: A,
    /// The pruning of the back operators.
    pub back: B,
}

/// Prunes no dead ends of either end: an end may stop anywhere, because the other end continues the
/// plan.
impl<D: Group, A: Pruning<D>, B: Pruning<D>> Pruning<TwoSided<D>> for TwoSidedPruning<A, B> {
    /// The states of the prunings at the front and at the back.
    type State = (A::State, B::State);

    fn start(&self, domain: &TwoSided<D>, state: &TwoSidedState<D::State>) -> Self::State {
        (self.front.start(&domain.0, &state.position), self.back.start(&domain.0, &state.inverse))
    }
    #[inline(always)]
    fn allowed(
        &self,
        domain: &TwoSided<D>,
        (front, back): Self::State,
    ) -> <D::Ops as OpSet>::Double {
        // Operators that the domain does not have would be taken for those of the other end.
        let n = domain.0.operators();
        let all = D::Ops::first(n);
        let front = self.front.allowed(&domain.0, front).and(all);
        OpSet::double(front, self.back.allowed(&domain.0, back).and(all), n)
    }
    #[inline(always)]
    fn next(&self, domain: &TwoSided<D>, (front, back): Self::State, op: Op) -> Self::State {
        match domain.split_op(op) {
            (op, false) => (self.front.next(&domain.0, front, op), back),
            (op, true) => (front, self.back.next(&domain.0, back, op)),
        }
    }
}
