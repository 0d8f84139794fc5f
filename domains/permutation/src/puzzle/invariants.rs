//! Proves for some states that no plan exists, for puzzles of any kind and size.

use super::labels::PuzzleLabels;
use super::slots::SlotContents;
use crate::definition::{PuzzleState, gcd};
use std::collections::{HashMap, HashSet};

/// Upper limit of [`Invariants::modulus`]. A sum of turns whose modulus would raise the common
/// multiple above this limit is not tested.
const MOST: u64 = 1 << 31;

/// Tests whether moves could lead from a state to a goal. In each set of slots that moves connect,
/// state and goal must have the same pieces. Moves must combine to the parities of their
/// permutations and the sums of their turns.
///
/// A state that passes may still have no plan, because groups have more invariants than these.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// The sets of slots that moves connect, where goals ignore no piece.
    components: Vec<Vec<usize>>,
    coordinates: Vec<Coordinate>,
    /// A common multiple of the moduli of all coordinates.
    modulus: u64,
    span: Span,
}

/// Why no plan leads to a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unsolvable {
    /// A piece lies where no operator brings it, seen from the goals.
    #[error("a piece lies in a slot that no move connects with its place in the goal")]
    Place,
    /// The parity of some permutation or the sum of some turns is wrong.
    #[error("the parity of the pieces, or the sum of their turns, is one that no moves make")]
    Sum,
}

/// A number modulo `modulus` that adds up along a plan: a parity, or a sum of turns.
#[derive(Clone, Debug)]
struct Coordinate {
    slots: Vec<usize>,
    modulus: u64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Parity,
    Turns,
}

impl Invariants {
    /// The invariants of a puzzle.
    pub fn new(labels: &PuzzleLabels) -> Self {
        let ignored = |slot: usize| match &labels.ignore {
            None => (false, false),
            Some(ignore) => (ignore.pieces[slot], ignore.orientation[slot]),
        };
        let mut sets: HashMap<usize, Vec<usize>> = HashMap::new();
        for (slot, first) in labels.effects.components().into_iter().enumerate() {
            sets.entry(first).or_default().push(slot);
        }
        let mut components: Vec<Vec<usize>> = sets.into_values().collect();
        components.sort();
        components.retain(|slots| slots.iter().all(|&slot| !ignored(slot).0));
        let (mut coordinates, mut modulus) = (Vec::new(), 2);
        for slots in &components {
            let mut apart = true;
            let mut turns = u64::from(labels.effects.modulus[slots[0]]);
            for goal in &labels.goals {
                let pieces: HashSet<u16> = slots.iter().map(|&slot| goal.piece[slot]).collect();
                apart &= pieces.len() == slots.len();
                let known = pieces.iter().map(|&label| labels.pieces[usize::from(label)].2);
                turns = known.fold(turns, |all, known| common(all, known.into()));
            }
            if apart && slots.len() > 1 {
                let slots = slots.clone();
                coordinates.push(Coordinate { slots, modulus: 2, kind: Kind::Parity });
            }
            let multiple = modulus / common(modulus, turns) * turns;
            let asked = slots.iter().all(|&slot| !ignored(slot).1);
            if turns > 1 && asked && multiple <= MOST {
                modulus = multiple;
                let slots = slots.clone();
                coordinates.push(Coordinate { slots, modulus: turns, kind: Kind::Turns });
            }
        }
        let mut span = Span::new(modulus, coordinates.len());
        for step in &labels.effects.steps {
            let value = |one: &Coordinate| match one.kind {
                Kind::Parity => parity(&one.slots, |slot| usize::from(step.piece[slot])),
                Kind::Turns => one.slots.iter().map(|&slot| u64::from(step.twist[slot])).sum(),
            };
            let values =
                coordinates.iter().map(|one| value(one) % one.modulus * modulus / one.modulus);
            span.add(values.collect());
        }
        Self { components, coordinates, modulus, span }
    }

    /// Tests a state.
    ///
    /// # Errors
    /// If the test proves that the state has no plan.
    ///
    /// # Panics
    /// If the state has pieces that no goal has.
    pub fn test(&self, labels: &PuzzleLabels, state: &PuzzleState) -> Result<(), Unsolvable> {
        let state = labels.contents(state);
        let mut why = Unsolvable::Place;
        for goal in &labels.goals {
            if !self.components.iter().all(|slots| same_pieces(slots, &state, goal)) {
                continue;
            }
            why = Unsolvable::Sum;
            let value = |one: &Coordinate| match one.kind {
                Kind::Parity => {
                    let home: HashMap<u16, usize> =
                        one.slots.iter().map(|&slot| (goal.piece[slot], slot)).collect();
                    parity(&one.slots, |slot| home[&state.piece[slot]])
                }
                Kind::Turns => {
                    let sum = |of: &SlotContents| {
                        one.slots.iter().map(|&slot| u64::from(of.twist[slot])).sum::<u64>()
                    };
                    sum(&state) + one.modulus - sum(goal) % one.modulus
                }
            };
            let all = self.coordinates.iter();
            let values = all.map(|one| value(one) % one.modulus * self.modulus / one.modulus);
            if self.span.contains(values.collect()) {
                return Ok(());
            }
        }
        Err(why)
    }
}

fn common(a: u64, b: u64) -> u64 {
    u64::try_from(gcd(a.into(), b.into())).expect("at most both")
}

fn same_pieces(slots: &[usize], a: &SlotContents, b: &SlotContents) -> bool {
    let sorted = |of: &SlotContents| {
        let mut pieces: Vec<u16> = slots.iter().map(|&slot| of.piece[slot]).collect();
        pieces.sort_unstable();
        pieces
    };
    sorted(a) == sorted(b)
}

/// 1 if the permutation of these slots is odd, else 0.
fn parity(slots: &[usize], image: impl Fn(usize) -> usize) -> u64 {
    let (mut seen, mut odd) = (HashSet::new(), 0);
    for &start in slots {
        let mut slot = start;
        while seen.insert(slot) {
            slot = image(slot);
            odd ^= u64::from(slot != start);
        }
    }
    odd
}

/// All sums of multiples of some rows, modulo a number. The rows are in Howell form.
///
/// In each column at most one row has its first nonzero value, which divides the modulus. Multiples
/// of this row that are 0 there are sums of multiples of later rows.
#[derive(Clone, Debug)]
struct Span {
    modulus: u64,
    rows: Vec<Option<Vec<u64>>>,
}

impl Span {
    fn new(modulus: u64, columns: usize) -> Self {
        Self { modulus, rows: vec![None; columns] }
    }

    /// `row - times * other`.
    fn minus(&self, row: &[u64], times: u64, other: &[u64]) -> Vec<u64> {
        let factor = (self.modulus - times % self.modulus) % self.modulus;
        row.iter().zip(other).map(|(x, y)| (x + factor * y) % self.modulus).collect()
    }

    fn add(&mut self, mut row: Vec<u64>) {
        while let Some(at) = row.iter().position(|&value| value != 0) {
            let old = self.rows[at].take();
            let (mut first, mut second) =
                (old.as_ref().map_or(self.modulus, |old| old[at]), row[at]);
            let mut pivot = old.unwrap_or_else(|| vec![0; row.len()]);
            // Euclid's algorithm on whole rows.
            while second != 0 {
                let times = first / second;
                (first, second) = (second, first % second);
                let rest = self.minus(&pivot, times, &row);
                (pivot, row) = (row, rest);
            }
            self.rows[at] = Some(pivot);
        }
    }

    fn contains(&self, mut row: Vec<u64>) -> bool {
        for (at, known) in self.rows.iter().enumerate() {
            match known {
                Some(known) if row[at].is_multiple_of(known[at]) => {
                    row = self.minus(&row, row[at] / known[at], known);
                }
                _ if row[at] != 0 => return false,
                _ => {}
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with all sums of some made-up rows.
    #[test]
    fn a_span_is_the_set_of_all_sums() {
        let mut random = search::random::Random::new(5);
        for _ in 0..200 {
            let modulus = 2 + random.below(11);
            let mut row = || (0..3).map(|_| random.below(modulus)).collect::<Vec<u64>>();
            let rows = [row(), row()];
            let mut span = Span::new(modulus, 3);
            rows.iter().for_each(|row| span.add(row.clone()));
            let sums: HashSet<Vec<u64>> = (0..modulus * modulus)
                .map(|n| {
                    let times = [n / modulus, n % modulus];
                    let sum = |i: usize| (times[0] * rows[0][i] + times[1] * rows[1][i]) % modulus;
                    (0..3).map(sum).collect()
                })
                .collect();
            for n in 0..modulus.pow(3) {
                let one = vec![n % modulus, n / modulus % modulus, n / modulus / modulus];
                assert_eq!(span.contains(one.clone()), sums.contains(&one), "{rows:?}: {one:?}");
            }
        }
    }
}
