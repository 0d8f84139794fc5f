//! Moves: the sides that an operator keeps, and the sides that two operators share.

use super::carry;
use super::pairs::{Pair, pairs, share};
use crate::coset::sides::Cosets;
use search::{Group, Op, OpSet};

/// What an operator of one end does to the sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// All bits but the flags of the sides that it changes.
    pub(super) kept: u64,
    /// The flags of the sides that the other operator of its pair shares.
    pub(super) shared: u64,
    /// The other operator of its pair; of an operator that is in no pair, itself.
    pub(super) other: Op,
}

/// What all operators do, by operator of both ends.
#[derive(Clone, Debug)]
pub(super) struct Moves(Box<[Move]>);

impl Moves {
    /// The moves of a group under some views of cosets, and the operators inside each view.
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

    /// What an operator of both ends does.
    #[inline(always)]
    pub(super) fn of(&self, op: Op) -> &Move {
        &self.0[op.index()]
    }
    /// The same without pairs.
    #[cfg(test)]
    pub(super) fn alone(&self) -> Self {
        let alone = |(at, moved): (usize, &Move)| Move { shared: 0, other: Op::new(at), ..*moved };
        Self(self.0.iter().enumerate().map(alone).collect())
    }
}
