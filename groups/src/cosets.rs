//! The cosets of a subgroup, numbered, with their products: [`CosetGraph`].

use crate::{GroupError, Permutation, StabilizerChain};
use std::collections::HashMap;
use std::sync::Arc;

/// Finds the same element in every coset, whichever element of the coset it is given.
#[derive(Clone, Debug)]
struct Canonical {
    /// For each level of the subgroup's chain: its orbit, and for each point of the orbit an
    /// element that takes the base point there and fixes the base points before.
    levels: Vec<(Vec<u16>, Vec<Permutation>)>,
}

impl Canonical {
    fn new(subgroup: &StabilizerChain) -> Self {
        let moving = subgroup.levels().iter().filter(|level| level.orbit().len() > 1);
        let level = |level: &crate::StabilizerLevel| {
            let orbit = level.orbit().to_vec();
            let elements = orbit.iter().map(|&point| level.element(point)).collect();
            (orbit, elements)
        };
        Self { levels: moving.map(level).collect() }
    }

    /// The element `h g` with the least images of the base points, over all `h` in the subgroup.
    fn of(&self, mut element: Permutation) -> Permutation {
        for (orbit, elements) in &self.levels {
            // Base points before this one keep their images.
            let least = (0..orbit.len()).min_by_key(|&at| element.image(orbit[at])).unwrap_or(0);
            if least > 0 {
                element = elements[least].then(&element);
            }
        }
        element
    }
}

/// The right cosets `H g` of a subgroup `H`, for all products `g` of some generators, with the
/// product of each coset and generator.
///
/// Coset 0 is `H` itself. The cosets are numbered breadth first, in the order of the generators.
/// Each is known by its canonical element: the one with the least images of the subgroup's base,
/// point by point. The subgroup need not be a part of the group of the generators.
///
/// Time: one canonical element for each coset and generator, except generators that are a product
/// of two others. It takes a product and a walk over the orbit for each level of the subgroup's
/// chain. Memory: 4 bytes for each coset and generator. Also 2 bytes for each coset and point, and
/// for each point and point of the chain's orbits.
///
/// Canonical elements by a base: Charles Sims, "Computation with permutation groups", 1971.
#[derive(Clone, Debug)]
pub struct CosetGraph {
    canonical: Canonical,
    numbers: HashMap<Arc<[u16]>, u32>,
    generators: usize,
    /// Indexed by coset, then generator.
    products: Vec<u32>,
}

impl CosetGraph {
    /// The cosets of `subgroup`, at most `most`. `None` if there are more.
    ///
    /// # Errors
    /// If a generator has another number of points than the subgroup. [`GroupError::Stopped`] once
    /// `stop` returns true.
    pub fn new_until(
        subgroup: &StabilizerChain,
        generators: &[Permutation],
        most: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, GroupError> {
        let points = subgroup.points();
        crate::check_generators(points, generators, &[])?;
        let canonical = Canonical::new(subgroup);
        let derived = derived(generators);
        let identity = Permutation::fixing(points);
        let mut known = vec![Arc::<[u16]>::from(canonical.of(identity).images())];
        let mut numbers = HashMap::from([(known[0].clone(), 0)]);
        let mut products: Vec<u32> = Vec::new();
        let mut next = 0;
        while next < known.len() {
            if stop() {
                return Err(GroupError::Stopped);
            }
            let element = Permutation::trusted(known[next].to_vec().into());
            for (generator, derived) in generators.iter().zip(&derived) {
                if derived.is_some() {
                    products.push(0);
                    continue;
                }
                let product = canonical.of(element.then(generator));
                let fresh = u32::try_from(known.len()).unwrap_or(u32::MAX);
                let number = match numbers.get(product.images()) {
                    Some(&number) => number,
                    None if fresh >= most => return Ok(None),
                    None => {
                        let images: Arc<[u16]> = product.images().into();
                        known.push(images.clone());
                        numbers.insert(images, fresh);
                        fresh
                    }
                };
                products.push(number);
            }
            next += 1;
        }
        let mut graph = Self { canonical, numbers, generators: generators.len(), products };
        for (generator, factors) in derived.into_iter().enumerate() {
            let Some([first, second]) = factors else { continue };
            for coset in 0..graph.cosets() {
                let to = graph.product(graph.product(coset, first), second);
                graph.products[coset as usize * graph.generators + generator] = to;
            }
        }
        Ok(Some(graph))
    }

    /// The number of cosets.
    pub fn cosets(&self) -> u32 {
        u32::try_from(self.numbers.len()).expect("cosets are numbered by 32 bits")
    }

    /// The coset of the product of a coset's elements and a generator.
    ///
    /// # Panics
    /// If there is no such coset or generator.
    #[inline]
    pub fn product(&self, coset: u32, generator: usize) -> u32 {
        assert!(generator < self.generators, "generator {generator} of {}", self.generators);
        self.products[coset as usize * self.generators + generator]
    }

    /// The coset of an element. `None` if no product of the generators is in it.
    ///
    /// # Panics
    /// If the element has fewer points than the subgroup.
    pub fn coset(&self, element: &Permutation) -> Option<u32> {
        self.numbers.get(self.canonical.of(element.clone()).images()).copied()
    }
}

/// For each generator that is a product of two earlier ones: these two.
fn derived(generators: &[Permutation]) -> Vec<Option<[usize; 2]>> {
    let mut numbers: HashMap<&Permutation, usize> = HashMap::new();
    for (number, generator) in generators.iter().enumerate().rev() {
        numbers.insert(generator, number);
    }
    let mut derived = vec![None; generators.len()];
    for second in 0..generators.len() {
        for first in 0..=second {
            for [a, b] in [[first, second], [second, first]] {
                let product = generators[a].then(&generators[b]);
                if let Some(&number) = numbers.get(&product)
                    && number > second
                {
                    derived[number].get_or_insert([a, b]);
                }
            }
        }
    }
    derived
}
