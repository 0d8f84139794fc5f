//! A puzzle is a [`Domain`]. Further traits describe properties that only some puzzles have, such
//! as inverse operators ([`Reversible`]) or symmetries ([`Symmetric`]).
//!
//! [`TwoSided`] searches a group from both ends of a plan. [`ConstrainedDomain`] adds rules about
//! operators, and [`WithMacros`] adds strings of operators as operators.

use std::fmt::Debug;

mod forward;
mod operators;
mod permutation_group;
mod rules;
mod two_sided;
mod vector_unit;
mod with_macros;

pub use operators::{Cost, Iter, MAX_COST, Op, OpSet};
pub use permutation_group::PermutationGroup;
pub use rules::{
    ConstrainedDomain, ConstrainedKey, ConstrainedState, IgnoreRules, OperatorRules, RulesError,
};
pub use two_sided::{TwoSided, TwoSidedPruning, TwoSidedState, split_op};
pub use vector_unit::VectorUnit;
pub use with_macros::{WithMacros, WithMacrosError};

/// A puzzle, or any state space with numbered operators.
///
/// Four methods are required. Override a provided method only to be *faster*, or to state a fact
/// that its default leaves open. The laws are in
/// [`testing::check_domain`](crate::testing::check_domain).
pub trait Domain: Sync {
    /// A state, small and of fixed size if possible. Searches allocate a few and overwrite them.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// A set of operators, wide enough for [`Domain::operators`].
    type Ops: OpSet;

    /// If true: there are at most four operators, and a state is a few words without heap data
    /// (sliding tiles). Searches then unroll the loop over the operators, and may compile a copy
    /// for each last operator. They may panic if there are more than four operators. [default:
    /// false]
    const UNROLL: bool = false;
    /// If true: every operator costs 1, and the compiler may rely on it. [default: false]
    const UNIT_COSTS: bool = false;

    /// The number of operators, at most 65,536: an [`Op`] has 16 bits.
    fn operators(&self) -> usize;

    /// The operators that apply to a state.
    fn applicable(&self, state: &Self::State) -> Self::Ops;

    /// Overwrites `to` with the successor of `from`. `op` is applicable to `from`. Never allocates.
    fn apply_into(&self, from: &Self::State, op: Op, to: &mut Self::State);
    /// [`Domain::apply_into`] for several children: overwrites `to[i]` with the successor of
    /// `from(i)` by `ops[i]`, for every `i`. `ops` and `to` have the same length. Override it if
    /// several successors together are faster. [default: one after another]
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

    /// Cost of an operator, at least 1: iterative deepening panics if it is 0. [default: 1]
    #[inline(always)]
    fn cost(&self, _op: Op) -> Cost {
        1
    }

    /// Whether the cost of every plan from `state` is odd. `None` if plans may have both parities,
    /// or if the domain does not know. If it is known, bounds rise in steps of 2. [default: `None`]
    #[inline(always)]
    fn parity(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// A subset of `allowed` that a search may try instead without losing every optimal plan.
    /// [`TwoSided`] keeps the operators of one end. [default: all of `allowed`]
    #[inline(always)]
    fn restrict(&self, allowed: Self::Ops) -> Self::Ops {
        allowed
    }

    /// Runs `kernel` and returns its result. A domain with vector states does so in a function
    /// compiled for the target features that they need (AVX2, say), if this CPU has them.
    /// Everything inlined into [`Kernel::run`] gets these features. [default: no features]
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        kernel.run()
    }

    /// Turns a path of the search into a plan. A path has the operators in the order in which the
    /// search applied them. A plan has them in the order in which to carry them out from the start
    /// state. The orders differ in a [`TwoSided`] search. [default: the path itself]
    fn to_plan(&self, path: &[Op]) -> crate::Plan {
        path.iter().copied().collect()
    }
}

/// Code that [`Domain::with_target_features`] compiles for more target features than the code
/// around it.
pub trait Kernel {
    /// The result of the code.
    type Output;
    /// The code to run. Mark this method and every hot function it calls `#[inline(always)]`. The
    /// features that [`Domain::with_target_features`] adds reach inlined functions only.
    fn run(self) -> Self::Output;
}

/// A domain in which each operator has an inverse: an operator that undoes it in every state.
pub trait Reversible: Domain {
    /// The inverse of `op`: `apply(inverse_op(op), apply(op, s)) == s` for every state `s` to which
    /// `op` applies. It applies there, and its own inverse is `op`.
    fn inverse_op(&self, op: Op) -> Op;
}

/// A domain whose states form a group and whose operators multiply from the right by generators.
///
/// Every operator applies everywhere, and the identity is the only goal. The state `apply(op,
/// identity)` is the *generator* of an operator: `apply(op, s) == compose(s, apply(op, identity))`.
pub trait Group: Reversible {
    /// The identity of the group, which is the goal.
    fn identity(&self) -> Self::State;
    /// Overwrites `out` with the product `a b`, which is `a` first and then `b`.
    fn compose(&self, a: &Self::State, b: &Self::State, out: &mut Self::State);
    /// Overwrites `out` with the inverse of `a`.
    fn invert(&self, a: &Self::State, out: &mut Self::State);
    /// Overwrites `to` with the product `g^-1 from`, where `g` is the generator `apply(op,
    /// identity)`. [default: composes, slowly]
    fn apply_inverse_left(&self, from: &Self::State, op: Op, to: &mut Self::State) {
        let mut generator = self.identity();
        self.apply_into(&self.identity(), self.inverse_op(op), &mut generator);
        self.compose(&generator, from, to);
    }
    /// Applies an operator of [`TwoSided`], which acts on one end of the plan: overwrites `to` with
    /// the successor of `from`. [default: one product from the right and one from the left]
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
    /// `from(i)` by `ops[i]`, for every `i`. `ops` and `to` have the same length. Override it if
    /// several products together are faster. [default: [`Group::products_in_turn`]]
    #[inline(always)]
    fn products<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<Self::State>,
        ops: &[Op],
        to: &mut [TwoSidedState<Self::State>],
    ) {
        self.products_in_turn(from, ops, to);
    }
    /// Gives the result of [`Group::products`], by one [`Group::apply_both`] for each child. An
    /// override of `products` calls it on CPUs for which it has no faster way.
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
    /// The number of symmetries, including the identity, which is symmetry 0.
    fn symmetries(&self) -> usize;
    /// Overwrites `out` with the image of `state` under a symmetry.
    fn conjugate(&self, symmetry: usize, state: &Self::State, out: &mut Self::State);
    /// The image of an operator under symmetry `i`. For every state `s`,
    /// `conjugate(i, apply(op, s)) == apply(relabel(i, op), conjugate(i, s))`.
    fn relabel(&self, symmetry: usize, op: Op) -> Op;
}

/// The symmetries that map `state` to itself, except the identity. Each is a list of the images of
/// all operators, in the order of the operators ([`Symmetric::relabel`]).
///
/// Such a symmetry maps each plan of `state` to another plan of `state` at the same cost. A search
/// needs only one of the plans that symmetries map to each other. Time: one conjugation for each
/// symmetry.
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

/// A domain whose states consist of *features*, where every transition moves exactly one feature.
/// This makes additive heuristics admissible.
///
/// Sliding tiles are such a domain: each tile is a feature. The cube is not: a move takes many
/// pieces along.
pub trait Partitioned: Domain {
    /// The number of features. They are numbered from 0.
    fn features(&self) -> usize;
    /// The feature that `op` moves in `from`.
    fn mover(&self, from: &Self::State, op: Op) -> usize;
}

/// A domain where a small part of the state, its *context*, decides which strings of operators
/// apply, and which strings lead to the same state.
///
/// On sliding tiles the context is the free square. A domain where every operator applies
/// everywhere has one context.
///
/// Law: a string applies to all states of a context or to none. If two strings lead from the
/// representative of a context to the same state, they do so from every state of the context.
pub trait Contexts: Domain {
    /// The number of contexts. They are numbered from 0.
    fn contexts(&self) -> usize;
    /// The context of a state, below [`Contexts::contexts`].
    fn context(&self, state: &Self::State) -> usize;
    /// A state that has this context.
    fn representative(&self, context: usize) -> Self::State;
}

/// A domain whose features lie at *places*, and whose operators move one feature to a free place.
///
/// On sliding tiles the features are the tiles, and the places are the squares. At most one feature
/// lies at each place. An operator moves the feature [`Partitioned::mover`]. All other features
/// stay. The context decides which operators apply, which place each operator empties and fills,
/// and the next context. A feature that lies at no place never moves. For such a domain one can
/// learn the extra cost of features that block each other.
///
/// The laws are in [`testing::check_placed`](crate::testing::check_placed).
pub trait Placed: Partitioned + Contexts {
    /// The number of places. They are numbered from 0.
    fn places(&self) -> usize;
    /// The feature at `place`, below [`Partitioned::features`]; `None` if the place is free.
    fn feature_at(&self, state: &Self::State, place: usize) -> Option<usize>;
    /// The place of `feature`; `None` if it lies at no place. [default: looks at all places]
    fn place(&self, state: &Self::State, feature: usize) -> Option<usize> {
        (0..self.places()).find(|&place| self.feature_at(state, place) == Some(feature))
    }
}

/// A domain whose states pack into a small key. Everything that stores states needs it:
/// breadth-first search, A* and the learner of automata.
pub trait Packed: Domain {
    /// The packed state. It has at most 16 bytes, unless the state itself is larger: then at most
    /// as many bytes as the state.
    type Key: Key;
    /// The key of a state. Different states have different keys.
    fn pack(&self, state: &Self::State) -> Self::Key;
    /// Overwrites `out` with the state of a key made by [`Packed::pack`].
    fn unpack(&self, key: Self::Key, out: &mut Self::State);
    /// Whether [`Packed::pack`] returns this key for some state. Call it for keys from a file: with
    /// any other key, [`Packed::unpack`] and all other methods may panic. [default: true]
    fn is_key(&self, _key: Self::Key) -> bool {
        true
    }
}

/// A packed state: `u32`, `u64`, `u128`, or a type of the domain if these are too small.
pub trait Key: Copy + Eq + Ord + Debug + Default + Send + Sync + 'static {
    /// A hash whose high *and* low bits depend on every bit of the key.
    fn hash(self) -> u64;
}

/// A key with the same bytes on every machine, for layers in files.
pub trait FlatKey: Key {
    /// The number of bytes that a key is written as.
    const BYTES: usize;
    /// Writes the key to all of `bytes`, whose length is [`FlatKey::BYTES`].
    fn write(self, bytes: &mut [u8]);
    /// The key that [`FlatKey::write`] wrote as these bytes. Other bytes give an arbitrary key.
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

/// A hash of 128 bits by two rounds of multiply and fold. The 128-bit product mixes well (Daniel
/// Lemire; Wang Yi).
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
