//! A toy domain in which every move takes one feature from place to place: pebbles on a graph with
//! one free place.

use crate::{Contexts, Cost, Domain, Op, OpSet, Packed, Partitioned, Placed, Reversible};

/// A way from one place to another, and the cost of carrying a pebble along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The place that the pebble leaves.
    pub from: usize,
    /// The place that the pebble enters, which must be free.
    pub to: usize,
    /// The cost, at least 1.
    pub cost: Cost,
}

/// Up to 15 places with a pebble on all but one of them. Operator `i` carries the pebble at the
/// start of way `i` to its end, which must be free. A way has one direction.
///
/// - State: nibble `i` is the pebble at place `i`, 15 for none. Higher nibbles are 0.
/// - Goal: pebble `i` at place `i`, the last place free.
/// - Features are the pebbles. The context is the free place.
#[derive(Clone, Debug)]
pub struct Pebbles {
    places: usize,
    ways: Vec<Way>,
    /// For each free place, the operators that apply.
    applicable: Vec<u64>,
}

/// The nibble of a free place.
const FREE: u64 = 15;

impl Pebbles {
    /// Pebbles on this many places with these ways.
    ///
    /// # Panics
    /// If there are not 2 to 15 places, or more than 64 ways. Also if a way does not join two
    /// different places at a cost of at least 1.
    pub fn new(places: usize, ways: &[Way]) -> Self {
        assert!((2..=15).contains(&places), "pebbles need 2 to 15 places, not {places}");
        assert!(ways.len() <= 64, "at most 64 ways, not {}", ways.len());
        let mut applicable = vec![0; places];
        for (number, way) in ways.iter().enumerate() {
            let Way { from, to, cost } = *way;
            assert!(from < places && to < places && from != to && cost > 0, "no way: {way:?}");
            applicable[to] |= 1 << number;
        }
        Self { places, ways: ways.to_vec(), applicable }
    }

    /// Two rows of `half + 1` places. Ways in both directions cost 1 along the rows and `rung`
    /// between them.
    ///
    /// # Panics
    /// As [`Pebbles::new`].
    pub fn ladder(half: usize, rung: Cost) -> Self {
        let row = half + 1;
        let mut ways = Vec::new();
        for place in 0..2 * row {
            if place % row < half {
                ways.push((place, place + 1, 1));
            }
            if place < row {
                ways.push((place, place + row, rung));
            }
        }
        let both = |(from, to, cost)| [Way { from, to, cost }, Way { from: to, to: from, cost }];
        Self::new(2 * row, &ways.into_iter().flat_map(both).collect::<Vec<_>>())
    }

    /// The goal.
    pub fn goal(&self) -> u64 {
        let pebbles = (0..self.places as u64 - 1).rev();
        pebbles.fold(FREE, |state, pebble| state << 4 | pebble)
    }

    /// The state with these pebbles in the order of the places, 15 for the free place.
    pub fn state(&self, pebbles: &[u64]) -> u64 {
        assert_eq!(pebbles.len(), self.places);
        pebbles.iter().rev().fold(0, |state, pebble| state << 4 | pebble)
    }
}

fn at(state: u64, place: usize) -> u64 {
    state >> (4 * place) & 15
}

/// Exchanges the contents of two places.
fn exchanged(state: u64, one: usize, two: usize) -> u64 {
    let both = at(state, one) ^ at(state, two);
    if one == two { state } else { state ^ (both << (4 * one) | both << (4 * two)) }
}

impl Domain for Pebbles {
    type State = u64;
    type Ops = u64;
    fn operators(&self) -> usize {
        self.ways.len()
    }
    fn applicable(&self, state: &u64) -> u64 {
        self.applicable[self.context(state)].and(u64::first(self.ways.len()))
    }
    fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
        let way = self.ways[op.index()];
        *to = exchanged(*from, way.from, way.to);
    }
    fn is_goal(&self, state: &u64) -> bool {
        *state == self.goal()
    }
    fn cost(&self, op: Op) -> Cost {
        self.ways[op.index()].cost
    }
}

impl Partitioned for Pebbles {
    fn features(&self) -> usize {
        self.places - 1
    }
    fn mover(&self, from: &u64, op: Op) -> usize {
        self.feature_at(from, self.ways[op.index()].from).unwrap_or(0)
    }
}

impl Contexts for Pebbles {
    fn contexts(&self) -> usize {
        self.places
    }
    fn context(&self, state: &u64) -> usize {
        (0..self.places).find(|&place| at(*state, place) == FREE).unwrap_or(0)
    }
    fn representative(&self, context: usize) -> u64 {
        exchanged(self.goal(), context, self.places - 1)
    }
}

impl Placed for Pebbles {
    fn places(&self) -> usize {
        self.places
    }
    fn feature_at(&self, state: &u64, place: usize) -> Option<usize> {
        let pebble = at(*state, place);
        (pebble != FREE).then_some(usize::try_from(pebble).unwrap_or(0))
    }
}

impl Packed for Pebbles {
    type Key = u64;
    crate::state_is_key! {}
}

/// [`Pebbles`] whose ways come in pairs: way `i ^ 1` leads back along way `i`. So every operator
/// has an inverse.
#[derive(Clone, Debug)]
pub struct PairedPebbles(Pebbles);

impl PairedPebbles {
    /// Pebbles on this many places. Each pair of ways is two places, the cost there, and the cost
    /// back.
    ///
    /// # Panics
    /// As [`Pebbles::new`].
    pub fn new(places: usize, ways: &[(usize, usize, Cost, Cost)]) -> Self {
        let both = |&(from, to, there, back)| {
            [Way { from, to, cost: there }, Way { from: to, to: from, cost: back }]
        };
        Self(Pebbles::new(places, &ways.iter().flat_map(both).collect::<Vec<_>>()))
    }

    /// [`Pebbles::ladder`].
    ///
    /// # Panics
    /// As [`Pebbles::new`].
    pub fn ladder(half: usize, rung: Cost) -> Self {
        Self(Pebbles::ladder(half, rung))
    }

    /// The same pebbles, without the inverses.
    pub fn pebbles(&self) -> &Pebbles {
        &self.0
    }
}

impl Domain for PairedPebbles {
    type State = u64;
    type Ops = u64;
    crate::forward_domain! { 0: operators applicable apply_into is_goal cost }
}

impl Reversible for PairedPebbles {
    fn inverse_op(&self, op: Op) -> Op {
        Op(op.0 ^ 1)
    }
}

impl Partitioned for PairedPebbles {
    crate::forward_domain! { 0: features mover }
}

impl Packed for PairedPebbles {
    type Key = u64;
    crate::state_is_key! {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pebble_goes_to_the_free_place() {
        let pebbles = Pebbles::ladder(2, 3);
        assert_eq!((pebbles.operators(), pebbles.goal()), (14, 0xf4_3210));
        let applicable = pebbles.applicable(&pebbles.goal());
        let ends: Vec<u64> = applicable
            .members()
            .map(|op| {
                let mut to = 0;
                pebbles.apply_into(&pebbles.goal(), op, &mut to);
                assert_eq!(pebbles.cost(op), if to == 0x24_3f10 { 3 } else { 1 });
                to
            })
            .collect();
        assert_eq!(ends, [0x24_3f10, 0x4f_3210]);
    }
}
