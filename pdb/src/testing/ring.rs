//! The toy domain of this crate's tests: a ring of places with discs. Wheels carry discs round and
//! twist them.

use search::{Domain, Op, OpSet, Packed, Reversible};

/// A ring of up to 12 places, with a disc in each. A disc has one of up to 3 angles. Sorted discs
/// at angle 0 are the goal.
///
/// A wheel holds four neighbouring places. The first places of the wheels are spread evenly.
/// Operator `3 w + turns - 1` turns wheel `w` by one, two or three places. The steps along a wheel
/// twist a disc by 1, 1, 2 and 2 angles. So a full turn twists it by 6, which is the same angle
/// again.
///
/// State: byte `i` = angle times 16 plus disc at place `i`; unused places are 0.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    places: usize,
    angles: u8,
    wheels: usize,
    /// For each wheel: its first place.
    first: [u8; 12],
}

impl Ring {
    /// A ring of 5 to 12 places, with discs of 1 to 3 angles, and at most as many wheels as places.
    ///
    /// # Panics
    /// If a number is out of range.
    pub fn new(places: usize, angles: u8, wheels: usize) -> Self {
        assert!((5..=12).contains(&places), "a ring has 5 to 12 places, not {places}");
        assert!((1..=3).contains(&angles), "a disc has 1 to 3 angles, not {angles}");
        assert!((1..=places).contains(&wheels), "a ring of {places} has no {wheels} wheels");
        let mut first = [0; 12];
        for (wheel, first) in first.iter_mut().enumerate().take(wheels) {
            *first = u8::try_from(wheel * places / wheels).expect("a place");
        }
        Self { places, angles, wheels, first }
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Number of angles of a disc.
    pub fn angles(&self) -> u8 {
        self.angles
    }

    /// The goal: sorted discs at angle 0.
    pub fn sorted(&self) -> [u8; 12] {
        let mut place = 0;
        [(); 12].map(|()| {
            place += 1;
            if place <= self.places { u8::try_from(place - 1).expect("a place") } else { 0 }
        })
    }

    /// The place to which `op` takes the disc in `place`, and by how many angles it twists it.
    #[inline(always)]
    pub fn carry(&self, op: Op, place: usize) -> (usize, u8) {
        let (wheel, turns) = (usize::from(self.first[op.index() / 3]), op.index() % 3 + 1);
        // Both are below `places`.
        let at = if place < wheel { place + self.places } else { place } - wheel;
        if at >= 4 {
            return (place, 0);
        }
        let twist: u8 = (at..at + turns).map(|step| [1, 1, 2, 2][step % 4]).sum();
        let twist = twist % self.angles;
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
        for (place, byte) in from.iter().enumerate().take(self.places) {
            let (target, twist) = self.carry(op, place);
            let (disc, angle) = (byte % 16, byte / 16);
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
