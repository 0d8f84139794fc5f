//! Nearly uniform random elements of a group given by generators.

use crate::permutation::Permutation;
use crate::stream::Stream;

/// The least number of slots. More do not mix faster.
const LEAST_SLOTS: usize = 10;

/// Product replacement with an accumulator.
///
/// Frank Celler, Charles Leedham-Green, Scott Murray, Alice Niemeyer and Eamonn O'Brien,
/// "Generating random elements of a finite group", Communications in Algebra 23, 1995. The
/// accumulator is their "rattle" of 1997.
///
/// Every result is an element of the group. Results need not be exactly uniform. A chain built from
/// less uniform elements is also correct, but needs more of them. Time: two products for each
/// element.
pub(crate) struct ProductReplacement {
    /// *Invariant:* the slots generate the group.
    slots: Vec<Permutation>,
    product: Permutation,
    random: Stream,
}

impl ProductReplacement {
    /// Fills the slots with the generators, each at least once, and mixes for `rounds` rounds.
    pub(crate) fn new(points: usize, generators: &[Permutation], rounds: usize, seed: u64) -> Self {
        let identity = Permutation::fixing(points);
        let mut slots = generators.to_vec();
        while slots.len() < LEAST_SLOTS && !generators.is_empty() {
            slots.push(generators[slots.len() % generators.len()].clone());
        }
        let mut elements = Self { slots, product: identity, random: Stream::new(seed) };
        for _ in 0..rounds {
            elements.shake();
        }
        elements
    }

    /// Mixes for one round and returns the next random element.
    pub(crate) fn element(&mut self) -> &Permutation {
        self.shake();
        &self.product
    }

    fn shake(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        let (i, j) = (self.below(self.slots.len()), self.below(self.slots.len() - 1));
        let j = if j < i { j } else { j + 1 };
        let other = &self.slots[j];
        match self.random.below(4) {
            0 => self.slots[i] = self.slots[i].then(other),
            1 => self.slots[i] = self.slots[i].then(&other.inverse()),
            2 => self.slots[i] = other.then(&self.slots[i]),
            _ => self.slots[i] = other.inverse().then(&self.slots[i]),
        }
        self.product.multiply(&self.slots[i]);
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.random.below(end as u64)).expect("below a usize")
    }
}
