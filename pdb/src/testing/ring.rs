//! The toy domain of this crate's own tests: a ring of places with discs that wheels carry round and twist.

use search::{Domain, Op, OpSet, Packed, Reversible};

/// Up to 12 places in a ring, a disc in each, each disc at one of up to 3 angles. Wheel `w` holds the places `w .. w + 4` and turns
/// by one, two or three of them: operator `3 w + turns - 1`. A disc that a wheel carries from one place to the next is twisted by 1
/// and by 2 alternately, so a whole turn of a wheel twists by a multiple of 3; with two angles both are counted modulo 2, and four
/// steps twist by 0 modulo 2. Sorted discs at angle 0 are the goal.
///
/// State: byte `i` = angle times 16 plus disc at place `i`; unused places are 0.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    places: usize,
    angles: u8,
    wheels: usize,
}

impl Ring {
    /// A ring of 5 to 12 places with discs of 1 to 3 angles and up to as many wheels as places.
    ///
    /// # Panics
    /// If a number is outside these bounds.
    pub fn new(places: usize, angles: u8, wheels: usize) -> Self {
        assert!((5..=12).contains(&places), "a ring has 5 to 12 places, not {places}");
        assert!((1..=3).contains(&angles), "a disc has 1 to 3 angles, not {angles}");
        assert!((1..=places).contains(&wheels), "a ring of {places} has no {wheels} wheels");
        Self { places, angles, wheels }
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.places
    }

    /// How many angles a disc has.
    pub fn angles(&self) -> u8 {
        self.angles
    }

    /// The goal.
    pub fn sorted(&self) -> [u8; 12] {
        let mut place = 0;
        [(); 12].map(|()| {
            place += 1;
            if place <= self.places { u8::try_from(place - 1).unwrap_or(0) } else { 0 }
        })
    }

    /// Where `op` takes the disc at a place, and by how many angles it twists it.
    #[inline(always)]
    pub fn carry(&self, op: Op, place: usize) -> (usize, u8) {
        let (wheel, turns) = (op.index() / 3, op.index() % 3 + 1);
        let at = (place + self.places - wheel) % self.places;
        if at >= 4 {
            return (place, 0);
        }
        // Twists along the wheel: 1, 2, 1, 2; two steps make 3, three make 3 and the first again.
        let first = if at.is_multiple_of(2) { 1 } else { 2 };
        let twist = [first, 3, 3 + first][turns - 1] % self.angles;
        ((wheel + (at + turns) % 4) % self.places, twist)
    }
}

impl Domain for Ring {
    type State = [u8; 12];
    type Ops = u64;
    fn operators(&self) -> usize {
        3 * self.wheels
    }
    fn applicable(&self, _: &[u8; 12]) -> u64 {
        u64::first(3 * self.wheels)
    }
    #[inline]
    fn apply_into(&self, from: &[u8; 12], op: Op, to: &mut [u8; 12]) {
        *to = *from;
        for step in 0..4 {
            let place = (op.index() / 3 + step) % self.places;
            let (target, twist) = self.carry(op, place);
            let (disc, angle) = (from[place] % 16, from[place] / 16);
            to[target] = (angle + twist) % self.angles * 16 + disc;
        }
    }
    fn is_goal(&self, state: &[u8; 12]) -> bool {
        *state == self.sorted()
    }
}

impl Reversible for Ring {
    fn inverse_op(&self, op: Op) -> Op {
        Op::new(op.index() / 3 * 3 + 2 - op.index() % 3)
    }
}

impl Packed for Ring {
    type Key = u128;
    fn pack(&self, state: &[u8; 12]) -> u128 {
        state.iter().rev().fold(0, |key, &byte| key << 8 | u128::from(byte))
    }
    fn unpack(&self, key: u128, out: &mut [u8; 12]) {
        out.copy_from_slice(&key.to_le_bytes()[..12]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_undone_by_its_inverse() {
        for (places, angles) in [(5, 1), (8, 3), (12, 2), (9, 3)] {
            let ring = Ring::new(places, angles, places);
            let mut state = ring.sorted();
            for op in ring.applicable(&state).members() {
                let from = state;
                ring.apply_into(&from, op, &mut state);
                let mut back = state;
                ring.apply_into(&state, ring.inverse_op(op), &mut back);
                assert_eq!(back, from, "{op:?} of {ring:?}");
                let mut unpacked = [0; 12];
                ring.unpack(ring.pack(&state), &mut unpacked);
                assert_eq!(unpacked, state);
            }
        }
    }
}
