//! What a puzzle is: the [`Domain`] trait, and the further traits for what is true of some puzzles only.

use std::fmt::Debug;

mod operators;
mod rules;
mod two_sided;
mod vector_unit;

pub use operators::{Cost, Iter, MAX_COST, Op, OpSet, Word};
pub use rules::{
    Constrained, ConstrainedKey, ConstrainedState, IgnoreRules, OperatorRules, RulesError,
};
pub use two_sided::{TwoSided, TwoSidedPruning, TwoSidedState, split_op};
pub use vector_unit::VectorUnit;

/// A puzzle, or any state space with numbered operators. Four required methods.
///
/// A provided method may be overridden only to be *faster* or to state a fact; it never answers otherwise.
/// The laws are in [`testing::check_domain`](crate::testing::check_domain).
pub trait Domain: Sync {
    /// A state. Small and of fixed size where it can be; searches allocate a few and overwrite them.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// A set of operators, wide enough for [`Domain::operators`].
    type Ops: OpSet;

    /// True: there are at most four operators, and states are a few words without heap parts. The one-phase expansion is then compiled once
    /// for each operator that came last, with each operator a constant; in place, a node's operators are constants. [default: no]
    const UNROLL: bool = false;
    /// True: every operator costs 1, which then is known when a search is compiled. [default: not claimed]
    const UNIT_COSTS: bool = false;

    /// How many operators there are.
    fn operators(&self) -> usize;

    /// The operators that apply to a state.
    fn applicable(&self, state: &Self::State) -> Self::Ops;

    /// Overwrites `to` with the successor of `from`. `op` is applicable to `from`. Never allocates.
    fn apply_into(&self, from: &Self::State, op: Op, to: &mut Self::State);
    /// [`Domain::apply_into`] for several children, side by side: overwrites `to[i]` with the successor of `from(i)` by `ops[i]`. Both are of one
    /// length. [default: one after another]
    #[inline(always)]
    fn successors<'a>(
        &self,
        from: impl Fn(usize) -> &'a Self::State,
        ops: &[Op],
        to: &mut [Self::State],
    ) {
        for (child, (&op, to)) in ops.iter().zip(to).enumerate() {
            self.apply_into(from(child), op, to);
        }
    }

    /// Whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Cost of an operator, at least 1. [default: 1]
    #[inline(always)]
    fn cost(&self, _op: Op) -> Cost {
        1
    }

    /// Parity (cost modulo 2) of every plan from here, where the domain has one: bounds then step by 2. [default: none]
    #[inline(always)]
    fn parity(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// Any subset of `allowed` that still starts every plan worth finding; [`TwoSided`](crate::TwoSided) keeps one end. [default: all]
    #[inline(always)]
    fn restrict(&self, allowed: Self::Ops) -> Self::Ops {
        allowed
    }

    /// Does a piece of work. A domain whose states are made for instructions that not every processor has does it where the compiler may use these, if the
    /// processor has them: for all that is inlined into [`Kernel::run`]. [default: as everything is compiled]
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        kernel.run()
    }

    /// A plan found by the search as the operators to carry out from the start state. Only an adapter whose
    /// operators are not carried out in the order of the search changes it. [default: as it is]
    fn to_plan(&self, path: &[Op]) -> crate::Plan {
        path.iter().copied().collect()
    }
}

/// A piece of work that may be compiled for other instructions than its surroundings: see [`Domain::with_target_features`].
pub trait Kernel {
    /// What comes of it.
    type Output;
    /// Does it. To be `#[inline(always)]`, and so is what it calls: what is not inlined is compiled as everything is.
    fn run(self) -> Self::Output;
}

/// A domain whose operators each have one operator that undoes them.
pub trait Reversible: Domain {
    /// The operator that leads back: `apply(inverse(op), apply(op, s)) == s` for every state `s` to which `op` applies.
    fn inverse_op(&self, op: Op) -> Op;
}

/// A domain whose states are the elements of a group and whose operators multiply from the right by a generator.
///
/// `apply(op, s) == compose(s, apply(op, identity))`, every operator applies everywhere, and the only goal is the identity.
pub trait Group: Reversible {
    /// The identity, which is the goal.
    fn identity(&self) -> Self::State;
    /// Overwrites `out` with the product `a b`: first `a`, then `b`.
    fn compose(&self, a: &Self::State, b: &Self::State, out: &mut Self::State);
    /// Overwrites `out` with the inverse of `a`.
    fn invert(&self, a: &Self::State, out: &mut Self::State);
    /// Overwrites `to` with `apply(op, identity)^-1 * from`. [default: by `compose`, slow]
    fn apply_inverse_left(&self, from: &Self::State, op: Op, to: &mut Self::State) {
        let mut generator = self.identity();
        self.apply_into(&self.identity(), self.inverse_op(op), &mut generator);
        self.compose(&generator, from, to);
    }
    /// A product with its inverse, by an operator of both ends: overwrites `to` with what [`TwoSided`](crate::TwoSided) makes of `from`. [default: by one product
    /// from the right and one from the left]
    #[inline(always)]
    fn apply_both(
        &self,
        from: &TwoSidedState<Self::State>,
        op: Op,
        to: &mut TwoSidedState<Self::State>,
    ) {
        let (op, back) = split_op(op, self.operators());
        self.apply_into(from.end(back), op, to.end_mut(back));
        self.apply_inverse_left(from.end(!back), op, to.end_mut(!back));
    }
    /// [`Group::apply_both`] for several, side by side: overwrites `to[i]` with what `ops[i]` makes of `from(i)`. Both are of one length. [default: one after
    /// another]
    #[inline(always)]
    fn products<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<Self::State>,
        ops: &[Op],
        to: &mut [TwoSidedState<Self::State>],
    ) {
        self.products_in_turn(from, ops, to);
    }
    /// [`Group::products`] one after another: for a group that has products side by side only on some processors.
    #[inline(always)]
    fn products_in_turn<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<Self::State>,
        ops: &[Op],
        to: &mut [TwoSidedState<Self::State>],
    ) {
        for (child, (&op, to)) in ops.iter().zip(to).enumerate() {
            self.apply_both(from(child), op, to);
        }
    }
}

/// A domain with symmetries: bijections of states and operators that keep goals, costs and successors.
pub trait Symmetric: Domain {
    /// How many symmetries there are. Number 0 is the identity.
    fn symmetries(&self) -> usize;
    /// Overwrites `out` with the image of a state.
    fn conjugate(&self, symmetry: usize, state: &Self::State, out: &mut Self::State);
    /// The image of an operator: `conjugate(i, apply(op, s)) == apply(relabel(i, op), conjugate(i, s))`.
    fn relabel(&self, symmetry: usize, op: Op) -> Op;
}

/// How every operator is relabelled by each symmetry, but the identity, that takes a state to itself: plans from it come in classes, of which a search
/// needs to see one. Time: one conjugation a symmetry.
pub fn self_symmetries<D: Symmetric>(domain: &D, state: &D::State) -> Vec<Vec<Op>>
where
    D::State: PartialEq,
{
    let mut image = state.clone();
    let mut relabellings = Vec::new();
    for symmetry in 1..domain.symmetries() {
        domain.conjugate(symmetry, state, &mut image);
        if image == *state {
            let ops = (0..domain.operators()).map(Op::new);
            relabellings.push(ops.map(|op| domain.relabel(symmetry, op)).collect());
        }
    }
    relabellings
}

/// A domain where every transition moves exactly one feature: the licence for additive heuristics.
///
/// Puzzles where every move slides one piece have it (the feature is that piece); turning puzzles do not.
pub trait Partitioned: Domain {
    /// How many features there are.
    fn features(&self) -> usize;
    /// The feature that `op` moves in `from`.
    fn mover(&self, from: &Self::State, op: Op) -> usize;
}

/// A domain where whether a string of operators applies, and what it does, depends on a small context only,
/// such as the position of the one free square. One context where every operator applies everywhere.
///
/// Law: two strings that lead from the representative of a context to the same state lead from *every* state of
/// that context to the same state; and they apply to all its states or to none.
pub trait Contexts: Domain {
    /// How many contexts there are.
    fn contexts(&self) -> usize;
    /// The context of a state, below [`Contexts::contexts`].
    fn context(&self, state: &Self::State) -> usize;
    /// A state of the context.
    fn representative(&self, context: usize) -> Self::State;
}

/// A domain whose features lie at places, at most one at each, and whose moves take one feature from its place to a free one, where
/// which places those are depends on the context only: the licence to learn how features stand in each other's way.
///
/// Law: the context tells which operators apply, from where to where each moves what lies there, and the next context. The feature that
/// lay there is the one that [`Partitioned::mover`] names; every other feature stays. A feature that lies nowhere (such as a free
/// place that is numbered among the features) never does, and never moves. The law is checked by
/// [`testing::check_placed`](crate::testing::check_placed).
pub trait Placed: Partitioned + Contexts {
    /// How many places there are.
    fn places(&self) -> usize;
    /// The feature at a place, below [`Partitioned::features`]; `None` if the place is free.
    fn feature_at(&self, state: &Self::State, place: usize) -> Option<usize>;
    /// The place of a feature; `None` if it lies nowhere. [default: looks at all places]
    fn place(&self, state: &Self::State, feature: usize) -> Option<usize> {
        (0..self.places()).find(|&place| self.feature_at(state, place) == Some(feature))
    }
}

/// A domain whose states pack into a word: what breadth-first search, A* and the learner store.
pub trait Packed: Domain {
    /// The packed state. At most 16 bytes where they can hold it, never more than the state itself.
    type Key: Key;
    /// Packs a state. Different states have different keys.
    fn pack(&self, state: &Self::State) -> Self::Key;
    /// Overwrites `out` with the state of a key made by [`Packed::pack`].
    fn unpack(&self, key: Self::Key, out: &mut Self::State);
}

/// A packed state: `u32`, `u64`, `u128`, or where these cannot hold it a type of the domain.
pub trait Key: Copy + Eq + Ord + Debug + Default + Send + Sync + 'static {
    /// A hash in whose high *and* low bits every bit of the key counts.
    fn hash(self) -> u64;
}

/// A key that is the same bytes on every machine: what layers in files are made of.
pub trait FlatKey: Key {
    /// How many bytes.
    const BYTES: usize;
    /// Writes [`FlatKey::BYTES`] bytes.
    fn write(self, bytes: &mut [u8]);
    /// The key of bytes that were written; of others some key.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! flat {
    ($($integer:ty)*) => { $(
        impl FlatKey for $integer {
            const BYTES: usize = size_of::<$integer>();
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                bytes.iter().rev().fold(0, |key, &byte| key << 8 | <$integer>::from(byte))
            }
        }
    )* };
}

flat! { u32 u64 u128 }

/// Two rounds of multiply and fold, after Daniel Lemire's and Wang Yi's observation that the 128-bit product mixes well.
#[inline(always)]
fn mix(low: u64, high: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "both halves of the product are taken")]
    fn fold(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    }
    fold(
        fold(low ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xd1b5_4a32_d192_ed03) ^ low,
        0xa076_1d64_78bd_642f,
    )
}

impl Key for u32 {
    #[inline(always)]
    fn hash(self) -> u64 {
        mix(u64::from(self), 0)
    }
}

impl Key for u64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self, 0)
    }
}

impl Key for u128 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    fn hash(self) -> u64 {
        mix(self as u64, (self >> 64) as u64)
    }
}
