//! The effect of a move: it permutes the slots of each orbit and turns pieces.
//!
//! The convention is that of KPuzzle (standards.cubing.net, draft 3). The piece that comes into
//! slot `i` comes from slot `permutation[i]` and turns by `delta[i]`:
//!
//! - `new.pieces[i] = old.pieces[permutation[i]]`
//! - `new.orientation[i] = old.orientation[permutation[i]] + delta[i]`, modulo the orientations of
//!   the orbit

use super::orbits::Orbits;
use crate::error::{Complaint, counted, quoted};
use std::ops::Range;

/// A permutation of the slots of a puzzle, and the turn of the piece that comes to each slot.
/// Takes 3 bytes for each slot.
///
/// Both lists have one item for each slot, orbit after orbit. The entries of `permutation` are
/// slots of the same orbit, from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transformation {
    orbits: Orbits,
    permutation: Vec<u16>,
    delta: Vec<u8>,
}

/// The part for one orbit. For each slot: the slot that its piece comes from, and by how much it
/// turns.
pub type OrbitTransformation = (Vec<u16>, Vec<u8>);

impl Transformation {
    /// The transformation that changes nothing.
    pub fn identity(orbits: &Orbits) -> Self {
        let permutation = orbits.iter().flat_map(|orbit| slots(orbit.pieces())).collect();
        Self { orbits: orbits.clone(), permutation, delta: vec![0; orbits.slots()] }
    }

    /// The transformation with these parts, one for each orbit. `None` leaves an orbit as it is.
    ///
    /// # Errors
    /// - A part is missing or has a wrong length.
    /// - The first list of a part is no permutation.
    /// - A turn is not below the number of orientations.
    pub fn new(orbits: &Orbits, rows: Vec<Option<OrbitTransformation>>) -> Result<Self, Complaint> {
        if rows.len() != orbits.len() {
            let found = format!("rows for {} sets", rows.len());
            return Err(Complaint::new(found, format!("rows for {}", orbits.len())));
        }
        let mut new = Self::identity(orbits);
        for ((orbit, range), rows) in orbits.ranges().zip(rows) {
            let Some((permutation, delta)) = rows else { continue };
            let n = orbit.pieces();
            let wrong = |found: String, expected: String| {
                Err(Complaint::new(found, format!("{expected} in set {}", quoted(orbit.name()))))
            };
            if permutation.len() != n || delta.len() != n {
                let found = [counted(permutation.len(), "slot"), counted(delta.len(), "turn")]
                    .join(" and ");
                return wrong(found, format!("{n} of each"));
            }
            if let Some(large) = permutation.iter().find(|&&slot| usize::from(slot) >= n) {
                return wrong(format!("slot {large}"), format!("slots from 0 to {}", n - 1));
            }
            if let Some((_, index)) = first_repeated(&permutation) {
                return wrong(format!("slot {} twice", permutation[index]), "each once".into());
            }
            if let Some(large) = delta.iter().find(|&&turn| turn >= orbit.orientations()) {
                let most = orbit.orientations() - 1;
                return wrong(format!("a turn by {large}"), format!("turns from 0 to {most}"));
            }
            new.permutation[range.clone()].copy_from_slice(&permutation);
            new.delta[range].copy_from_slice(&delta);
        }
        Ok(new)
    }

    /// The orbits of the puzzle.
    pub fn orbits(&self) -> &Orbits {
        &self.orbits
    }

    /// For each slot of an orbit: the slot that its piece comes from.
    pub fn permutation(&self, orbit: usize) -> &[u16] {
        &self.permutation[self.orbits.range(orbit)]
    }

    /// For each slot of an orbit: by how much the piece that comes there turns.
    pub fn delta(&self, orbit: usize) -> &[u8] {
        &self.delta[self.orbits.range(orbit)]
    }

    /// The permutation and the turns of all slots.
    pub(crate) fn rows(&self) -> (&[u16], &[u8]) {
        (&self.permutation, &self.delta)
    }

    /// Whether the transformation changes nothing.
    pub fn is_identity(&self) -> bool {
        (0..self.orbits.len()).all(|orbit| self.leaves(orbit))
    }

    /// Whether the transformation changes nothing in an orbit.
    pub fn leaves(&self, orbit: usize) -> bool {
        (0..self.permutation(orbit).len()).all(|slot| !self.moves_slot(orbit, slot))
    }

    /// The cycles of an orbit that change something. Each item is a slot, from 0, and a turn. The
    /// piece in the slot moves to the slot of the next item and turns by that turn. The piece of
    /// the last item moves to the slot of the first.
    pub fn cycles(&self, orbit: usize) -> Vec<Vec<(u16, u8)>> {
        let (permutation, delta) = (self.permutation(orbit), self.delta(orbit));
        let mut next = vec![(0, 0); permutation.len()];
        for (slot, (&from, &turn)) in slots(next.len()).zip(permutation.iter().zip(delta)) {
            next[usize::from(from)] = (slot, turn);
        }
        let mut seen = vec![false; next.len()];
        let mut all = Vec::new();
        for start in slots(next.len()) {
            let (mut cycle, mut at) = (Vec::new(), start);
            while !std::mem::replace(&mut seen[usize::from(at)], true) {
                let (to, turn) = next[usize::from(at)];
                cycle.push((at, turn));
                at = to;
            }
            if cycle.len() > 1 || cycle.iter().any(|&(_, turn)| turn > 0) {
                all.push(cycle);
            }
        }
        all
    }

    /// Whether the transformation moves the piece of a slot to another slot, or turns it in its
    /// slot.
    pub fn moves_slot(&self, orbit: usize, slot: usize) -> bool {
        let Some(&from) = self.permutation(orbit).get(slot) else { return false };
        usize::from(from) != slot || self.delta(orbit)[slot] != 0
    }

    /// For each slot, orbit after orbit: whether the transformation moves or turns the piece there.
    pub(crate) fn moved_slots(&self) -> Vec<bool> {
        let slots = |(orbit, (_, range)): (usize, (_, Range<usize>))| {
            (0..range.len()).map(move |slot| self.moves_slot(orbit, slot))
        };
        self.orbits.ranges().enumerate().flat_map(slots).collect()
    }

    /// The product: the effect of `self`, then of `next`.
    ///
    /// # Panics
    /// If they belong to different puzzles.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        assert!(self.orbits == next.orbits, "transformations of different puzzles");
        let mut out = next.clone();
        for (orbit, range) in self.orbits.ranges() {
            let (permutation, delta) =
                (&self.permutation[range.clone()], &self.delta[range.clone()]);
            let to = out.permutation[range.clone()].iter_mut().zip(&mut out.delta[range]);
            for (slot, turn) in to {
                let middle = usize::from(*slot);
                *slot = permutation[middle];
                *turn = add(*turn, delta[middle], orbit.orientations());
            }
        }
        out
    }

    /// The inverse transformation.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut out = self.clone();
        for (orbit, range) in self.orbits.ranges() {
            let start = range.start;
            for (slot, i) in slots(range.len()).zip(range) {
                let from = start + usize::from(self.permutation[i]);
                out.permutation[from] = slot;
                out.delta[from] =
                    add(0, orbit.orientations() - self.delta[i], orbit.orientations());
            }
        }
        out
    }

    /// The transformation repeated `times` times. Negative `times` repeat the inverse.
    ///
    /// Computes a number of products that is logarithmic in `times`.
    #[must_use]
    pub fn power(&self, times: i64) -> Self {
        let mut base = if times < 0 { self.inverse() } else { self.clone() };
        let mut rest = times.unsigned_abs();
        let mut out = Self::identity(&self.orbits);
        while rest > 0 {
            if rest & 1 == 1 {
                out = out.then(&base);
            }
            rest >>= 1;
            if rest > 0 {
                base = base.then(&base);
            }
        }
        out
    }

    /// The order: the least positive power that is the identity. `None` if it is 2^128 or more.
    pub fn order(&self) -> Option<u128> {
        let mut order = 1_u128;
        for (orbit, range) in self.orbits.ranges() {
            let (permutation, delta) = (&self.permutation[range.clone()], &self.delta[range]);
            for (length, turns) in cycles(permutation, delta) {
                let n = u128::from(orbit.orientations());
                let whole = length * (n / gcd(turns, n));
                order = order.checked_mul(whole / gcd(order, whole))?;
            }
        }
        Some(order)
    }
}

/// The numbers 0 to `n - 1`. `n` is at most 2^16.
fn slots(n: usize) -> impl Iterator<Item = u16> {
    (0..=u16::MAX).take(n)
}

/// `a + b` modulo `n`, where both are at most `n`.
pub(crate) fn add(a: u8, b: u8, n: u8) -> u8 {
    let sum = (u16::from(a) + u16::from(b)) % u16::from(n.max(1));
    u8::try_from(sum).expect("below n")
}

/// The greatest common divisor. If one number is 0, the other number.
pub(crate) fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// For each cycle of the permutation: its length, and the sum of its turns.
fn cycles(permutation: &[u16], delta: &[u8]) -> Vec<(u128, u128)> {
    let mut seen = vec![false; permutation.len()];
    let mut out = Vec::new();
    for start in 0..permutation.len() {
        let (mut at, mut length, mut turns) = (start, 0, 0);
        while !seen[at] {
            seen[at] = true;
            length += 1;
            turns += u128::from(delta[at]);
            at = usize::from(permutation[at]);
        }
        if length > 0 {
            out.push((length, turns));
        }
    }
    out
}

/// The indices at which the first repeated entry occurs for the first and second time. `None` if
/// all differ.
pub(crate) fn first_repeated(row: &[u16]) -> Option<(usize, usize)> {
    let mut seen = vec![usize::MAX; row.iter().max().map_or(0, |&most| usize::from(most) + 1)];
    for (index, &value) in row.iter().enumerate() {
        let earlier = std::mem::replace(&mut seen[usize::from(value)], index);
        if earlier != usize::MAX {
            return Some((earlier, index));
        }
    }
    None
}

/// The index among all slots of a slot in the orbit with this range.
pub(crate) fn slot_of(range: &Range<usize>, slot: u16) -> usize {
    range.start + usize::from(slot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::orbits::Orbit;
    use proptest::prelude::*;

    fn orbits() -> Orbits {
        let orbit = |name, pieces, orientations| Orbit::new(name, pieces, orientations).unwrap();
        Orbits::new(vec![orbit("A", 5, 3), orbit("B", 2, 1), orbit("C", 4, 8)]).unwrap()
    }

    fn any_transformation() -> impl Strategy<Value = Transformation> {
        let row = |n: u16, m: u8| {
            let permutation = Just((0..n).collect::<Vec<u16>>()).prop_shuffle();
            (permutation, proptest::collection::vec(0..m, usize::from(n)))
        };
        (row(5, 3), row(2, 1), row(4, 8)).prop_map(|(a, b, c)| {
            Transformation::new(&orbits(), vec![Some(a), Some(b), Some(c)]).unwrap()
        })
    }

    proptest! {
        #[test]
        fn they_form_a_group(
            a in any_transformation(), b in any_transformation(), c in any_transformation(),
            j in -30_i64..30, k in -30_i64..30,
        ) {
            let one = Transformation::identity(&orbits());
            prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            prop_assert_eq!(&a.then(&one), &a);
            prop_assert_eq!(&one.then(&a), &a);
            prop_assert!(a.then(&a.inverse()).is_identity() && a.inverse().then(&a).is_identity());
            prop_assert_eq!(a.power(j).then(&a.power(k)), a.power(j + k));
        }

        #[test]
        fn the_order_is_the_first_power_that_is_the_identity(a in any_transformation()) {
            let order = a.order().unwrap();
            let mut power = a.clone();
            let mut times = 1;
            while !power.is_identity() {
                power = power.then(&a);
                times += 1;
            }
            prop_assert_eq!(order, times);
        }
    }

    #[test]
    fn the_convention_is_that_of_the_documentation() {
        let orbits = Orbits::new(vec![Orbit::new("A", 3, 3).unwrap()]).unwrap();
        let new = |p: [u16; 3], d: [u8; 3]| {
            Transformation::new(&orbits, vec![Some((p.to_vec(), d.to_vec()))]).unwrap()
        };
        // a: the piece of slot 2 comes into slot 0 and turns by 1.
        // b: slots 0 and 1 change places, and the piece that comes into slot 1 turns by 2.
        let (a, b) = (new([2, 0, 1], [1, 0, 0]), new([1, 0, 2], [0, 2, 0]));
        assert_eq!(a.then(&b), new([0, 2, 1], [0, 0, 0]));
        assert_eq!(b.then(&a), new([2, 1, 0], [1, 0, 2]));
        assert!(a.moves_slot(0, 1) && !b.moves_slot(0, 2) && !b.moves_slot(0, 9));
        assert!(!a.leaves(0) && a.leaves(7));
    }

    #[test]
    fn cycles_go_where_pieces_go() {
        let orbits = Orbits::new(vec![Orbit::new("A", 5, 3).unwrap()]).unwrap();
        // The piece of slot 2 comes into slot 0 and turns by 1. The piece of slot 4 turns in
        // its slot.
        let row = (vec![2, 0, 1, 3, 4], vec![1, 0, 0, 0, 2]);
        let turn = Transformation::new(&orbits, vec![Some(row)]).unwrap();
        assert_eq!(turn.cycles(0), [vec![(0, 0), (1, 0), (2, 1)], vec![(4, 2)]]);
        assert!(Transformation::identity(&orbits).cycles(0).is_empty());
    }

    #[test]
    fn what_is_no_transformation_is_refused() {
        let orbits = Orbits::new(vec![Orbit::new("A", 3, 2).unwrap()]).unwrap();
        let refused = |p: &[u16], d: &[u8]| {
            Transformation::new(&orbits, vec![Some((p.to_vec(), d.to_vec()))])
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            refused(&[0, 1], &[0, 0, 0]),
            "found 2 slots and 3 turns, expected 3 of each in set `A`"
        );
        assert_eq!(
            refused(&[0, 1, 3], &[0, 0, 0]),
            "found slot 3, expected slots from 0 to 2 in set `A`"
        );
        assert_eq!(
            refused(&[0, 1, 1], &[0, 0, 0]),
            "found slot 1 twice, expected each once in set `A`"
        );
        assert_eq!(
            refused(&[0, 1, 2], &[0, 2, 0]),
            "found a turn by 2, expected turns from 0 to 1 in set `A`"
        );
        assert!(Transformation::new(&orbits, Vec::new()).is_err());
    }

    #[test]
    fn an_order_beyond_128_bits_is_none() {
        let primes: Vec<usize> = (2..150).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
        let list = primes.iter().map(|p| Orbit::new(&format!("P{p}"), *p, 1).unwrap()).collect();
        let orbits = Orbits::new(list).unwrap();
        let cycle = |&p: &usize| Some((slots(p).skip(1).chain([0]).collect(), vec![0; p]));
        let all = Transformation::new(&orbits, primes.iter().map(cycle).collect()).unwrap();
        assert_eq!(all.order(), None);
        assert!(!all.power(i64::MIN).is_identity());
    }
}
