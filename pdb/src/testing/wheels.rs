//! The toy group of the tests of cosets: points in a circle of slots. Each wheel turns three of
//! them.

use crate::coset::{Coordinate, Cosets, Product, SymmetryReduced};
use search::{Domain, Group, Op, OpSet, Packed, Reversible};

/// A group of permutations of 6 or 8 points. Wheel `w` holds the slots `2 w`, `2 w + 1` and `2 w +
/// 2`. Operator `2 w` carries its points round one way, operator `2 w + 1` the other way. They
/// generate the even permutations of 6 points (360) or 8 (20,160).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wheels(pub(crate) u8);

/// A state: bits `4 i` and up are the point in slot `i`.
type Points = u64;

/// The point in a slot.
fn at(points: Points, slot: u8) -> u8 {
    u8::try_from(points >> (4 * slot) & 15).expect("four bits")
}

impl Wheels {
    fn slots(self) -> impl Iterator<Item = u8> {
        0..self.0
    }

    /// The slot whose point an operator brings to `slot`.
    fn source(self, op: Op, slot: u8) -> u8 {
        let first = u8::try_from(op.index() / 2 * 2).expect("small");
        let step = (slot + self.0 - first) % self.0;
        if step > 2 {
            return slot;
        }
        (first + (step + if op.index().is_multiple_of(2) { 1 } else { 2 }) % 3) % self.0
    }

    /// The slot to which an operator takes the point in `slot`.
    fn target(self, op: Op, slot: u8) -> u8 {
        self.source(self.inverse_op(op), slot)
    }

    /// The image of a slot under the reflection that maps wheel 0 to itself.
    fn reflected(self, slot: u8) -> u8 {
        (2 + self.0 - slot) % self.0
    }
}

impl Domain for Wheels {
    type State = Points;
    type Ops = u32;
    const UNIT_COSTS: bool = true;
    fn operators(&self) -> usize {
        usize::from(self.0)
    }
    fn applicable(&self, _: &Points) -> u32 {
        u32::first(self.operators())
    }
    fn apply_into(&self, from: &Points, op: Op, to: &mut Points) {
        let slots = self.slots();
        *to = slots.map(|slot| u64::from(at(*from, self.source(op, slot))) << (4 * slot)).sum();
    }
    fn is_goal(&self, state: &Points) -> bool {
        *state == self.identity()
    }
}

impl Reversible for Wheels {
    fn inverse_op(&self, op: Op) -> Op {
        Op(op.0 ^ 1)
    }
}

impl Group for Wheels {
    fn identity(&self) -> Points {
        self.slots().map(|slot| u64::from(slot) << (4 * slot)).sum()
    }
    fn compose(&self, a: &Points, b: &Points, out: &mut Points) {
        *out = self.slots().map(|slot| u64::from(at(*a, at(*b, slot))) << (4 * slot)).sum();
    }
    fn invert(&self, a: &Points, out: &mut Points) {
        *out = self.slots().map(|slot| u64::from(slot) << (4 * at(*a, slot))).sum();
    }
}

impl Packed for Wheels {
    type Key = u64;
    search::state_is_key! {}
}

/// Cosets of a subgroup: it keeps the points of wheel 0 together in that wheel, and the opposite
/// point in its slot.
///
/// The first coordinate is the set of slots that hold the points 0, 1 and 2, as bits. The second is
/// the slot of the opposite point. Not all pairs occur. There are two symmetries: the identity and
/// the reflection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Together {
    pub(crate) wheels: Wheels,
    set: Set,
    opposite: Opposite,
}

/// First coordinate of [`Together`]: a set of slots.
#[derive(Clone, Copy, Debug)]
struct Set(Wheels);

/// Second coordinate of [`Together`]: the slot of the opposite point.
#[derive(Clone, Copy, Debug)]
struct Opposite(Wheels);

impl Together {
    pub(crate) fn new(wheels: Wheels) -> Self {
        Self { wheels, set: Set(wheels), opposite: Opposite(wheels) }
    }

    pub(crate) fn of(self, points: Points) -> (u32, u32) {
        let wheels = self.wheels;
        let opposite = 1 + wheels.0 / 2;
        let set = wheels.slots().filter(|&slot| at(points, slot) < 3).map(|slot| 1 << slot).sum();
        let slot = wheels.slots().find(|&slot| at(points, slot) == opposite);
        (set, slot.expect("a point is somewhere").into())
    }
}

fn slot(value: u32) -> u8 {
    u8::try_from(value).expect("a slot")
}

impl Set {
    fn map(self, set: u32, to: impl Fn(u8) -> u8) -> u32 {
        self.0.slots().filter(|slot| set >> slot & 1 == 1).map(|slot| 1 << to(slot)).sum()
    }
}

impl Coordinate for Set {
    fn size(&self) -> u32 {
        1 << self.0.0
    }
    fn solved(&self) -> u32 {
        Together::new(self.0).of(self.0.identity()).0
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.map(value, |slot| self.0.target(op, slot))
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        if symmetry == 0 { value } else { self.map(value, |slot| self.0.reflected(slot)) }
    }
}

impl Coordinate for Opposite {
    fn size(&self) -> u32 {
        self.0.0.into()
    }
    fn solved(&self) -> u32 {
        Together::new(self.0).of(self.0.identity()).1
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.0.target(op, slot(value)).into()
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        if symmetry == 0 { value } else { self.0.reflected(slot(value)).into() }
    }
}

impl Product for Together {
    fn first(&self) -> &dyn Coordinate {
        &self.set
    }
    fn last(&self) -> &dyn Coordinate {
        &self.opposite
    }
    fn operators(&self) -> usize {
        self.wheels.operators()
    }
    fn symmetries(&self) -> usize {
        2
    }
}

/// Reads the table for the first `VIEWS` wheels: each wheel's subgroup is a view.
#[derive(Debug)]
pub(crate) struct WheelViews<const VIEWS: usize>(pub(crate) SymmetryReduced<Together>);

impl<const VIEWS: usize> Cosets<Wheels> for WheelViews<VIEWS> {
    const VIEWS: usize = VIEWS;
    fn locate(&self, view: usize, points: &Points) -> (u32, u32) {
        let together = self.0.product();
        let (wheels, by) = (together.wheels, 2 * u8::try_from(view).expect("small"));
        // The circle turned until wheel `view` is wheel 0: slots and points get other names.
        let turn = |slot: u8| (slot + wheels.0 - by) % wheels.0;
        let turned = wheels.slots().map(|s| u64::from(turn(at(*points, s))) << (4 * turn(s))).sum();
        let (first, second) = together.of(turned);
        let (row, symmetry) = self.0.class(first);
        (row, together.last().conjugate(second, symmetry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::testing::check_group;

    #[test]
    fn wheels_are_a_group_and_its_cosets_follow_the_operators() {
        for wheels in [Wheels(6), Wheels(8)] {
            check_group(&wheels, &[wheels.identity()]).unwrap();
            let together = Together::new(wheels);
            let mut state = wheels.identity();
            for step in 0..100 {
                let op = Op::new(step * step * 7 % wheels.operators());
                let mut next = state;
                wheels.apply_into(&state, op, &mut next);
                let (first, second) = together.of(state);
                let moved = (together.set.moved(first, op), together.opposite.moved(second, op));
                assert_eq!(moved, together.of(next));
                state = next;
            }
        }
    }
}
