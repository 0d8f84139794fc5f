//! For each operator: the sides whose values it keeps, and the sides whose values it shares with
//! its partner. The partner is another operator that leads to the same coset there.

use super::carry;
use super::pairs::{Pair, pairs, share};
use crate::coset::sides::Cosets;
use search::{Group, Op, OpSet};

/// What an operator of one end does to the sides. A side is the position or its inverse in one
/// view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// A mask of all bits except the flags of the sides that the operator changes.
    pub(super) kept: u64,
    /// The flags of the sides that the operator shares with its partner.
    pub(super) shared: u64,
    /// The partner. An operator without a partner has itself here.
    pub(super) other: Op,
}

/// For each operator of both ends: its [`Move`].
#[derive(Clone, Debug)]
pub(super) struct Moves(Box<[Move]>);

impl Moves {
    /// The moves for a group and some views. `inside` has, for each view, the operators in its
    /// subgroup.
    pub(super) fn new<D: Group, C: Cosets<D>>(domain: &D, cosets: &C, inside: &[D::Ops]) -> Self {
        let n = domain.operators();
        let mut kept = vec![!carry::FLAGS; 2 * n];
        for (view, inside) in inside.iter().enumerate() {
            for (at, kept) in kept.iter_mut().enumerate() {
                // A front operator keeps the inverse side, a back operator the position side.
                let side = usize::from(at < n);
                let is_inside = inside.contains(Op::new(at % n));
                *kept |= if is_inside { carry::flag(2 * view + side) } else { 0 };
            }
        }
        let share = |view, m, other| share(domain, cosets, view, m, other);
        let pairs = pairs(&kept, inside.len(), &share);
        let made = kept.into_iter().zip(pairs);
        Self(made.map(|(kept, Pair { other, shared })| Move { kept, shared, other }).collect())
    }

    /// The move of an operator of both ends.
    #[inline(always)]
    pub(super) fn of(&self, op: Op) -> &Move {
        &self.0[op.index()]
    }
    /// The same moves without partners.
    #[cfg(test)]
    pub(super) fn alone(&self) -> Self {
        let alone = |(at, moved): (usize, &Move)| Move { shared: 0, other: Op::new(at), ..*moved };
        Self(self.0.iter().enumerate().map(alone).collect())
    }
}
