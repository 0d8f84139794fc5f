//! Compares products of two operators slot by slot, without computing whole products.

use super::operators::Operators;
use super::orbits::Orbits;
use super::transformation::{Transformation, add};
use rustc_hash::FxHashMap;

/// A slot, the slot that its piece comes from, and by how much it turns. Slots count over all
/// orbits.
type Change = (usize, usize, u8);

/// The operators of a search as lists of the slots that they change.
///
/// A comparison of products ends at the first slot where they differ. So it takes a few steps,
/// unless the products are equal.
pub(crate) struct Products {
    /// For each operator and slot: where the piece comes from, and by how much it turns.
    steps: Vec<Vec<(u16, u8)>>,
    /// For each operator: the slots that it changes.
    moved: Vec<Vec<usize>>,
    /// For each slot: the number of orientations there.
    modulus: Vec<u8>,
    /// For each change: the operators that make it.
    makers: FxHashMap<Change, Vec<usize>>,
}

/// The most slots of each operator that [`Products::same`] looks at first.
const PROBES: usize = 8;

/// The change of a slot. `None` if the slot keeps its piece and its orientation.
fn changes(slot: usize, (from, turn): (u16, u8)) -> Option<Change> {
    let from = usize::from(from);
    (from != slot || turn != 0).then_some((slot, from, turn))
}

impl Products {
    pub(crate) fn new(orbits: &Orbits, operators: &Operators) -> Self {
        let mut modulus = vec![1; orbits.slots()];
        let mut starts = vec![0; orbits.slots()];
        for (orbit, range) in orbits.ranges() {
            modulus[range.clone()].fill(orbit.orientations());
            starts[range.clone()].fill(range.start);
        }
        let step = |transformation: &Transformation| {
            let (permutation, delta) = transformation.rows();
            let from = permutation.iter().zip(&starts).map(|(&from, &start)| {
                u16::try_from(usize::from(from) + start).expect("at most 65536 slots")
            });
            from.zip(delta.iter().copied()).collect::<Vec<(u16, u8)>>()
        };
        let steps: Vec<_> = operators.list.iter().map(|op| step(&op.transformation)).collect();
        let moved = |step: &Vec<(u16, u8)>| {
            let changed = |&(slot, &change): &(usize, &(u16, u8))| changes(slot, change).is_some();
            step.iter().enumerate().filter(changed).map(|(slot, _)| slot).collect()
        };
        let mut made = Self {
            moved: steps.iter().map(moved).collect(),
            steps,
            modulus,
            makers: FxHashMap::default(),
        };
        for op in 0..made.steps.len() {
            for &slot in &made.moved[op] {
                let (from, turn) = made.steps[op][slot];
                made.makers.entry((slot, from.into(), turn)).or_default().push(op);
            }
        }
        made
    }

    /// The slot that a slot's piece comes from under `a` and then `b`, and by how much it turns.
    #[inline(always)]
    fn product(&self, a: usize, b: usize, slot: usize) -> (u16, u8) {
        let (middle, second) = self.steps[b][slot];
        let (from, first) = self.steps[a][usize::from(middle)];
        (from, add(first, second, self.modulus[slot]))
    }

    /// Whether `a` and then `b` change nothing.
    pub(crate) fn is_identity(&self, a: usize, b: usize) -> bool {
        let mut slots = self.moved[a].iter().chain(&self.moved[b]);
        slots.all(|&slot| changes(slot, self.product(a, b, slot)).is_none())
    }

    /// The operators with the effect of `a` and then `b`.
    ///
    /// Looks at a few slots first, because few operators make the same changes there.
    pub(crate) fn same(&self, a: usize, b: usize) -> Vec<usize> {
        let probes: Vec<(usize, (u16, u8))> = [a, b]
            .iter()
            .flat_map(|&op| self.moved[op].iter().step_by(self.moved[op].len().div_ceil(PROBES)))
            .map(|&slot| (slot, self.product(a, b, slot)))
            .collect();
        let made = probes.iter().filter_map(|&(slot, change)| changes(slot, change));
        let mut fewest: Option<&[usize]> = None;
        for change in made {
            let Some(makers) = self.makers.get(&change) else { return Vec::new() };
            if fewest.is_none_or(|fewest| makers.len() < fewest.len()) {
                fewest = Some(makers);
            }
        }
        let all: Vec<usize> = (0..self.steps.len()).collect();
        let candidates = fewest.unwrap_or(&all).iter().copied();
        let same = |&c: &usize| {
            let mut slots = [a, b, c].into_iter().flat_map(|op| &self.moved[op]);
            probes.iter().all(|&(slot, change)| self.steps[c][slot] == change)
                && slots.all(|&slot| self.product(a, b, slot) == self.steps[c][slot])
        };
        candidates.filter(same).collect()
    }

    /// Whether two operators commute.
    pub(crate) fn commute(&self, a: usize, b: usize) -> bool {
        let mut slots = self.moved[a].iter().chain(&self.moved[b]);
        slots.all(|&slot| self.product(a, b, slot) == self.product(b, a, slot))
    }
}

impl Operators {
    /// For each operator: whether it commutes with each other one.
    ///
    /// Takes a few steps for each pair, and a step for each changed slot if they commute.
    pub fn commuting(&self, orbits: &Orbits) -> Vec<Vec<bool>> {
        let products = Products::new(orbits, self);
        let all = || 0..self.list.len();
        all().map(|a| all().map(|b| a == b || products.commute(a, b)).collect()).collect()
    }
}
