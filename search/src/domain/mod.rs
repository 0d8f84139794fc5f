//! What a puzzle is: [`Domain`], and further traits for what is true of some puzzles only.
//!
//! [`TwoSided`] searches a group from both ends, [`ConstrainedDomain`] adds rules about operators.

use std::fmt::Debug;

mod operators;
mod rules;
mod two_sided;
mod vector_unit;

pub use operators::{Cost, Iter, MAX_COST, Op, OpSet, Word};
pub use rules::{
    ConstrainedDomain, ConstrainedKey, ConstrainedState, IgnoreRules, OperatorRules, RulesError,
};
pub use two_sided::{TwoSided, TwoSidedPruning, TwoSidedState, split_op};
pub use vector_unit::VectorUnit;

/// A puzzle, or any state space with numbered operators.
///
/// Four methods are required. Override a provided one only to be *faster* or to state a fact: its
/// answers stay the same. The laws are in [`testing::check_domain`](crate::testing::check_domain).
pub trait Domain: Sync {
    /// A state, small and of fixed size if possible. Searches allocate a few and overwrite them.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// A set of operators, wide enough for [`Domain::operators`].
    type Ops: OpSet;

    /// True: there are at most four operators, and a state is a few words without heap parts.
    /// Searches then unroll the loop over the operators, and the one-phase expansion is compiled
    /// once for each last operator. Searches panic if there are more. [default: no]
    const UNROLL: bool = false;
    /// True: every operator costs 1. The compiler then knows it. [default: not claimed]
    const UNIT_COSTS: bool = false;

    /// The number of operators.
    fn operators(&self) -> usize;

    /// The operators that apply to a state.
    fn applicable(&self, state: &Self::State) -> Self::Ops;

    /// Overwrites `to` with the successor of `from`. `op` is applicable to `from`. Never allocates.
    fn apply_into(&self, from: &Self::State, op: Op, to: &mut Self::State);
    /// [`Domain::apply_into`] for several children: overwrites `to[i]` with the successor of
    /// `from(i)` by `ops[i]`. Both slices have one length. [default: one after another]
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

    /// The parity (cost modulo 2) of every plan from here, if the domain has one. Bounds then step
    /// by 2. [default: none]
    #[inline(always)]
    fn parity(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// A subset of `allowed` that still starts every plan worth finding. [`TwoSided`] keeps the
    /// operators of one end. [default: all]
    #[inline(always)]
    fn restrict(&self, allowed: Self::Ops) -> Self::Ops {
        allowed
    }

    /// Runs `kernel` in a function compiled for the target features that the states need, if this
    /// CPU has them. Everything inlined into [`Kernel::run`] gets them. [default: no features]
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        kernel.run()
    }

    /// The operators of a plan in the order in which they are carried out from the start state.
    /// `path` has them in the order of the search. [default: the same]
    fn to_plan(&self, path: &[Op]) -> crate::Plan {
        path.iter().copied().collect()
    }
}

/// Code that may be compiled for more target features than the code around it: see
/// [`Domain::with_target_features`].
pub trait Kernel {
    /// The result.
    type Output;
    /// Runs the code. Mark it and everything hot that it calls `#[inline(always)]`: a function that
    /// is not inlined keeps the features of the build.
    fn run(self) -> Self::Output;
}

/// A domain whose operators each have one operator that undoes them.
pub trait Reversible: Domain {
    /// The operator that leads back: `apply(inverse_op(op), apply(op, s)) == s` for every state `s`
    /// to which `op` applies.
    fn inverse_op(&self, op: Op) -> Op;
}

/// A domain whose states form a group and whose operators multiply from the right by generators.
///
/// Every operator applies everywhere, the identity is the only goal, and
/// `apply(op, s) == compose(s, apply(op, identity))`.
pub trait Group: Reversible {
    /// The identity, which is the goal.
    fn identity(&self) -> Self::State;
    /// Overwrites `out` with the product `a b`, which is `a` first and then `b`.
    fn compose(&self, a: &Self::State, b: &Self::State, out: &mut Self::State);
    /// Overwrites `out` with the inverse of `a`.
    fn invert(&self, a: &Self::State, out: &mut Self::State);
    /// Overwrites `to` with `apply(op, identity)^-1 from`. [default: composes, slowly]
    fn apply_inverse_left(&self, from: &Self::State, op: Op, to: &mut Self::State) {
        let mut generator = self.identity();
        self.apply_into(&self.identity(), self.inverse_op(op), &mut generator);
        self.compose(&generator, from, to);
    }
    /// Applies a two-sided operator: overwrites `to` with the successor of `from` in [`TwoSided`].
    /// [default: one product from the right and one from the left]
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
    /// [`Group::apply_both`] for several children: overwrites `to[i]` with the successor of
    /// `from(i)` by `ops[i]`. Both slices have one length. [default: one after another]
    #[inline(always)]
    fn products<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<Self::State>,
        ops: &[Op],
        to: &mut [TwoSidedState<Self::State>],
    ) {
        self.products_in_turn(from, ops, to);
    }
    /// [`Group::products`], one after another. For groups that have a faster way on some CPUs only.
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

/// A domain with symmetries: bijections of states and operators that keep goals, costs and
/// successors.
pub trait Symmetric: Domain {
    /// The number of symmetries. Symmetry 0 is the identity.
    fn symmetries(&self) -> usize;
    /// Overwrites `out` with the image of a state.
    fn conjugate(&self, symmetry: usize, state: &Self::State, out: &mut Self::State);
    /// The image of an operator under symmetry `i`. For every state `s`,
    /// `conjugate(i, apply(op, s)) == apply(relabel(i, op), conjugate(i, s))`.
    fn relabel(&self, symmetry: usize, op: Op) -> Op;
}

/// The symmetries of one state: how each symmetry that keeps `state` relabels every operator.
///
/// Leaves out the identity. Plans from such a state come in classes, and a search needs one plan of
/// each. Time: one conjugation a symmetry.
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

/// A domain where every transition moves exactly one feature. It makes additive heuristics
/// admissible.
///
/// Sliding tiles have it (the feature is the tile that moves); the cube does not.
pub trait Partitioned: Domain {
    /// How many features there are.
    fn features(&self) -> usize;
    /// The feature that `op` moves in `from`.
    fn mover(&self, from: &Self::State, op: Op) -> usize;
}

/// A domain where a small context decides which strings of operators apply and which are equal.
///
/// On sliding tiles the context is the free square. A domain where every operator applies
/// everywhere has one context.
///
/// Law: a string applies to all states of a context or to none. Two strings that lead from the
/// representative of a context to one state do so from every state of the context.
pub trait Contexts: Domain {
    /// The number of contexts.
    fn contexts(&self) -> usize;
    /// The context of a state, below [`Contexts::contexts`].
    fn context(&self, state: &Self::State) -> usize;
    /// A state of the context.
    fn representative(&self, context: usize) -> Self::State;
}

/// A domain whose features lie at places, and whose operators move one feature to a free place.
///
/// At most one feature lies at each place. The context decides which operators apply, from where to
/// where each moves, and the next context. The feature that moves is [`Partitioned::mover`]; every
/// other feature stays. A feature may lie nowhere, and then never moves (a free square with a
/// number). Such a domain lets us learn how features stand in each other's way.
///
/// The laws are in [`testing::check_placed`](crate::testing::check_placed).
pub trait Placed: Partitioned + Contexts {
    /// The number of places.
    fn places(&self) -> usize;
    /// The feature at a place, below [`Partitioned::features`]; `None` if the place is free.
    fn feature_at(&self, state: &Self::State, place: usize) -> Option<usize>;
    /// The place of a feature; `None` if it lies nowhere. [default: looks at all places]
    fn place(&self, state: &Self::State, feature: usize) -> Option<usize> {
        (0..self.places()).find(|&place| self.feature_at(state, place) == Some(feature))
    }
}

/// A domain whose states pack into a word, for everything that stores states: breadth-first search,
/// A* and the learner of automata.
pub trait Packed: Domain {
    /// The packed state. Never larger than the state, and at most 16 bytes if these can hold it.
    type Key: Key;
    /// Packs a state. Different states have different keys.
    fn pack(&self, state: &Self::State) -> Self::Key;
    /// Overwrites `out` with the state of a key made by [`Packed::pack`].
    fn unpack(&self, key: Self::Key, out: &mut Self::State);
}

/// A packed state: `u32`, `u64`, `u128`, or a type of the domain if these are too small.
pub trait Key: Copy + Eq + Ord + Debug + Default + Send + Sync + 'static {
    /// A hash whose high *and* low bits depend on every bit of the key.
    fn hash(self) -> u64;
}

/// A key with the same bytes on every machine, for layers in files.
pub trait FlatKey: Key {
    /// The number of bytes.
    const BYTES: usize;
    /// Writes [`FlatKey::BYTES`] bytes.
    fn write(self, bytes: &mut [u8]);
    /// The key of bytes that [`FlatKey::write`] wrote; of other bytes any key.
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

/// Two rounds of multiply and fold. The 128-bit product mixes well (Daniel Lemire; Wang Yi).
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
