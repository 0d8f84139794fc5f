//! A toy domain for tests: a stack of pancakes, to be sorted by flips of the topmost ones.

use crate::macros::SerialOrder;
use crate::{
    Claims, Contexts, Cost, Domain, Group, Heuristic, Op, OpSet, Packed, PermutationGroup,
    Reversible, Verdict,
};
#[cfg(test)]
use crate::{Symmetric, plan::Reference};

/// A stack of 2 to 15 pancakes. Operator `i` flips the topmost `i + 2` pancakes.
///
/// A state is 16 nibbles, the topmost pancake in the lowest one. Below the last pancake is the
/// plate, which counts as pancake number `size`. The goal is the sorted stack `0, 1, 2, ..`.
#[derive(Clone, Copy, Debug)]
pub struct Pancake {
    size: usize,
}

impl Pancake {
    /// A stack of this many pancakes.
    ///
    /// # Panics
    /// If the size is not 2 to 15.
    pub fn new(size: usize) -> Self {
        assert!((2..=15).contains(&size), "a stack has 2 to 15 pancakes, not {size}");
        Self { size }
    }

    /// The number of pancakes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The pancake at a place counted from the top.
    pub fn pancake(state: u64, place: usize) -> usize {
        (state >> (4 * place) & 15) as usize
    }

    /// The state with these pancakes, topmost first.
    pub fn state(&self, pancakes: &[usize]) -> u64 {
        assert_eq!(pancakes.len(), self.size);
        pancakes.iter().rev().fold(self.size as u64, |state, &pancake| state << 4 | pancake as u64)
    }
}

/// Reverses the nibbles of the lowest `4 * count` bits.
#[inline(always)]
fn flip(state: u64, count: usize) -> u64 {
    let swapped = state.swap_bytes();
    let reversed = (swapped >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (swapped & 0x0f0f_0f0f_0f0f_0f0f) << 4;
    let shift = 64 - 4 * count;
    let top = reversed >> shift;
    // The mask of the flipped part; `count` is 2 to 15.
    let mask = u64::MAX >> shift;
    state & !mask | top
}

impl Domain for Pancake {
    type State = u64;
    type Ops = u32;
    const UNIT_COSTS: bool = true;
    #[inline(always)]
    fn operators(&self) -> usize {
        self.size - 1
    }
    #[inline(always)]
    fn applicable(&self, _: &u64) -> u32 {
        u32::first(self.size - 1)
    }
    #[inline(always)]
    fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
        *to = flip(*from, op.index() + 2);
    }
    #[inline(always)]
    fn is_goal(&self, state: &u64) -> bool {
        *state == self.identity()
    }
}

impl Reversible for Pancake {
    fn inverse_op(&self, op: Op) -> Op {
        op
    }
}

impl Group for Pancake {
    #[inline(always)]
    fn identity(&self) -> u64 {
        0xfedc_ba98_7654_3210 & (u64::MAX >> (60 - 4 * self.size))
    }
    fn compose(&self, a: &u64, b: &u64, out: &mut u64) {
        *out = (0..self.size).rev().fold(self.size as u64, |state, place| {
            state << 4 | (a >> (4 * (b >> (4 * place) & 15)) & 15)
        });
    }
    fn invert(&self, a: &u64, out: &mut u64) {
        *out = (0..self.size).fold((self.size as u64) << (4 * self.size), |state, place| {
            state | (place as u64) << (4 * (a >> (4 * place) & 15))
        });
    }
}

/// The points are the places. The image of a place is the pancake in it.
impl PermutationGroup for Pancake {
    fn points(&self) -> usize {
        self.size
    }
    fn image(&self, element: &u64, point: usize) -> usize {
        Self::pancake(*element, point)
    }
}

impl Contexts for Pancake {
    crate::one_context! {}
}

impl Packed for Pancake {
    type Key = u64;
    crate::state_is_key! {}
}

/// The places of this many pancakes as a serial order, from the largest pancake to the smallest.
#[derive(Clone, Copy, Debug)]
pub struct PancakePlaces(pub usize);

impl SerialOrder<Pancake> for PancakePlaces {
    fn features(&self) -> usize {
        self.0
    }
    fn values(&self, _: usize) -> usize {
        self.0
    }
    fn value(&self, _: &Pancake, state: &u64, feature: usize) -> usize {
        let pancake = self.0 - 1 - feature;
        (0..self.0).find(|&place| Pancake::pancake(*state, place) == pancake).unwrap_or(0)
    }
}

/// The gap heuristic: the number of pairs of neighbours in the stack that are no neighbours in the
/// sorted stack. The plate counts as the neighbour of the last pancake.
///
/// Admissible: yes (a flip changes one pair of neighbours). Consistent: yes (by at most one).
///
/// Source: Malte Helmert, "Landmark heuristics for the pancake problem", SoCS 2010, section 3.
#[derive(Clone, Copy, Debug, Default)]
pub struct GapHeuristic;

#[inline(always)]
fn is_gap(a: u64, b: u64) -> Cost {
    Cost::from(a.abs_diff(b) != 1)
}

/// The pancake at a place, or the plate.
#[inline(always)]
fn at(state: u64, place: usize) -> u64 {
    state >> (4 * place) & 15
}

impl Heuristic<Pancake> for GapHeuristic {
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    fn root(&self, domain: &Pancake, state: &u64) -> Cost {
        (0..domain.size).map(|place| is_gap(at(*state, place), at(*state, place + 1))).sum()
    }
    #[inline(always)]
    fn child(&self, _: &Pancake, from: &u64, carry: &Cost, op: Op, _: &u64) -> Cost {
        // Only one pair of neighbours changes: the topmost pancake gets the place of the last
        // flipped one, next to `below`.
        let count = op.index() + 2;
        let below = at(*from, count);
        carry + is_gap(*from & 15, below) - is_gap(at(*from, count - 1), below)
    }
    #[inline(always)]
    fn bound(&self, _: &Pancake, _: &u64, carry: &mut Cost, _: Cost) -> Verdict<u32> {
        Verdict::bound(*carry)
    }
}

/// A domain that claims [`Domain::UNROLL`], however many operators it has.
#[cfg(test)]
pub(crate) struct UnrolledPancake(pub(crate) Pancake);

#[cfg(test)]
impl Domain for UnrolledPancake {
    type State = u64;
    type Ops = u32;
    const UNROLL: bool = true;
    crate::forward_domain! { 0: operators applicable apply_into is_goal }
}

/// The reference of plans: the pancakes as a list, topmost first.
#[cfg(test)]
pub(crate) struct PancakeList;

#[cfg(test)]
impl PancakeList {
    /// The list of a state.
    pub(crate) fn of(domain: &Pancake, state: u64) -> Vec<usize> {
        (0..domain.size).map(|place| Pancake::pancake(state, place)).collect()
    }
}

#[cfg(test)]
impl Reference for PancakeList {
    type State = Vec<usize>;
    fn successor(&self, state: &Vec<usize>, op: Op) -> Option<Vec<usize>> {
        let mut next = state.clone();
        next.get_mut(..op.index() + 2)?.reverse();
        Some(next)
    }
    fn is_solved(&self, state: &Vec<usize>) -> bool {
        state.is_sorted()
    }
}

/// The pancakes, with a cost for each flip.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostlyPancake {
    pub(crate) pancake: Pancake,
    pub(crate) cost: fn(Op) -> Cost,
}

#[cfg(test)]
impl Domain for CostlyPancake {
    type State = u64;
    type Ops = u32;
    crate::forward_domain! { pancake: operators applicable apply_into is_goal }
    fn cost(&self, op: Op) -> Cost {
        (self.cost)(op)
    }
}

#[cfg(test)]
impl Reversible for CostlyPancake {
    fn inverse_op(&self, op: Op) -> Op {
        op
    }
}

#[cfg(test)]
impl Group for CostlyPancake {
    crate::forward_domain! { pancake: identity compose invert }
}

/// The identity is the only symmetry, so the images of a state are the state and its inverse.
#[cfg(test)]
impl Symmetric for CostlyPancake {
    fn symmetries(&self) -> usize {
        1
    }
    fn conjugate(&self, _: usize, state: &u64, out: &mut u64) {
        *out = *state;
    }
    fn relabel(&self, _: usize, op: Op) -> Op {
        op
    }
}

#[cfg(test)]
impl PermutationGroup for CostlyPancake {
    crate::forward_domain! { pancake: points image }
}

#[cfg(test)]
impl Packed for CostlyPancake {
    type Key = u64;
    crate::state_is_key! {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flip_reverses_the_top() {
        let domain = Pancake::new(5);
        let mut to = 0;
        domain.apply_into(&domain.state(&[3, 1, 4, 0, 2]), Op(1), &mut to);
        assert_eq!(to, domain.state(&[4, 1, 3, 0, 2]));
        let from = to;
        domain.apply_into(&from, Op(3), &mut to);
        assert_eq!(to, domain.state(&[2, 0, 3, 1, 4]));
    }

    #[test]
    fn the_plate_stays() {
        let domain = Pancake::new(15);
        assert_eq!(domain.identity(), 0xfedc_ba98_7654_3210);
        assert_eq!(flip(domain.identity(), 15), 0xf012_3456_789a_bcde);
    }

    #[test]
    fn products_and_inverses_are_those_of_permutations() {
        let domain = Pancake::new(6);
        let (a, mut inverse, mut product) = (domain.state(&[2, 0, 1, 5, 4, 3]), 0, 0);
        domain.invert(&a, &mut inverse);
        assert_eq!(inverse, domain.state(&[1, 2, 0, 5, 4, 3]));
        domain.compose(&a, &inverse, &mut product);
        assert_eq!(product, domain.identity());
        let carry = GapHeuristic.root(&domain, &a);
        assert_eq!(carry, 3);
    }
}
