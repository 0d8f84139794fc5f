//! A ring of states that keeps every law, or breaks a chosen one for the tests to catch.

use crate::domain::{
    Contexts, Cost, Domain, Group, Op, Packed, Reversible, Symmetric, TwoSidedState,
};

/// The fault of a ring: which law it breaks, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    FreeOperator,
    UnknownOperator,
    KeepsOldState,
    WrongTogether,
    ChoosesMore,
    ChoosesNothing,
    WrongInverse,
    InverseDoesNotApply,
    WrongProduct,
    WrongInversion,
    WrongLeftProduct,
    SecondGoal,
    FirstSymmetryMoves,
    WrongRelabelling,
    RelabelsToOne,
    PacksTwoAlike,
    UnpacksOver,
    ConstantParity,
    OddGoal,
    OneContext,
    WrongRepresentative,
}

/// The numbers 0 to 11. Operator 0 adds 1 and operator 1 subtracts 1, modulo 12. The goal is 0, and
/// the mirror image `-n` is a symmetry. All states have one context. With [`Fault::OneContext`]
/// this is wrong, because operator 0 does not apply to 11.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring(pub(super) Fault);

const SIZE: u32 = 12;

impl Ring {
    fn has(&self, fault: Fault) -> bool {
        self.0 == fault
    }
}

impl Domain for Ring {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        2
    }
    fn applicable(&self, state: &u32) -> u32 {
        match self.0 {
            Fault::UnknownOperator if *state == 5 => 0b111,
            // 11 has no successor 0, but 0 has the successor 11.
            Fault::InverseDoesNotApply | Fault::OneContext if *state == SIZE - 1 => 0b10,
            _ => 0b11,
        }
    }
    fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
        let step = if op.0 == 1 { SIZE - 1 } else { 1 };
        let old = if self.has(Fault::KeepsOldState) && *from == 3 { *to } else { *from };
        *to = (old + step) % SIZE;
    }
    fn successors<'a>(&self, from: impl Fn(usize) -> &'a u32, ops: &[Op], to: &mut [u32]) {
        for (child, (&op, to)) in ops.iter().zip(to).enumerate() {
            self.apply_into(from(child), op, to);
            *to += u32::from(self.has(Fault::WrongTogether) && op.0 > 0);
        }
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 0 || self.has(Fault::SecondGoal) && *state == 5
    }
    fn cost(&self, op: Op) -> Cost {
        Cost::from(!(self.has(Fault::FreeOperator) && op.0 == 1))
    }
    fn parity(&self, state: &u32) -> Option<bool> {
        match self.0 {
            Fault::ConstantParity => Some(false),
            Fault::OddGoal => Some(state.is_multiple_of(2)),
            _ => Some(!state.is_multiple_of(2)),
        }
    }
    fn restrict(&self, allowed: u32) -> u32 {
        match self.0 {
            Fault::ChoosesMore => allowed | 0b100,
            Fault::ChoosesNothing => 0,
            _ => allowed,
        }
    }
}

impl Reversible for Ring {
    fn inverse_op(&self, op: Op) -> Op {
        if self.has(Fault::WrongInverse) { op } else { Op(1 - op.0) }
    }
}

impl Group for Ring {
    fn identity(&self) -> u32 {
        0
    }
    fn compose(&self, a: &u32, b: &u32, out: &mut u32) {
        *out = if self.has(Fault::WrongProduct) && *a == 4 && *b == 2 { 7 } else { (a + b) % SIZE };
    }
    fn invert(&self, a: &u32, out: &mut u32) {
        *out = if self.has(Fault::WrongInversion) { *a } else { (SIZE - a) % SIZE };
    }
    fn apply_inverse_left(&self, from: &u32, op: Op, to: &mut u32) {
        let op = if self.has(Fault::WrongLeftProduct) { op } else { self.inverse_op(op) };
        self.apply_into(from, op, to);
    }
    fn products<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<u32>,
        ops: &[Op],
        to: &mut [TwoSidedState<u32>],
    ) {
        for (child, (&op, to)) in ops.iter().zip(to).enumerate() {
            self.apply_both(from(child), op, to);
            to.inverse += u32::from(self.has(Fault::WrongTogether) && op.0 > 0);
        }
    }
}

impl Symmetric for Ring {
    fn symmetries(&self) -> usize {
        2
    }
    fn conjugate(&self, symmetry: usize, state: &u32, out: &mut u32) {
        let mirror = symmetry == 1 || self.has(Fault::FirstSymmetryMoves);
        *out = if mirror { (SIZE - state) % SIZE } else { *state };
    }
    fn relabel(&self, symmetry: usize, op: Op) -> Op {
        match (self.0, symmetry) {
            (Fault::RelabelsToOne, 1) => Op(0),
            (Fault::WrongRelabelling, _) | (_, 0) => op,
            _ => Op(1 - op.0),
        }
    }
}

impl Packed for Ring {
    type Key = u32;
    fn pack(&self, state: &u32) -> u32 {
        if self.has(Fault::PacksTwoAlike) { state / 2 * 2 } else { *state }
    }
    fn unpack(&self, key: u32, out: &mut u32) {
        *out = if self.has(Fault::UnpacksOver) { *out / SIZE + (key & *out) } else { key };
    }
}

impl Contexts for Ring {
    fn contexts(&self) -> usize {
        1 + usize::from(self.has(Fault::WrongRepresentative))
    }
    fn context(&self, _: &u32) -> usize {
        0
    }
    fn representative(&self, _: usize) -> u32 {
        5
    }
}
