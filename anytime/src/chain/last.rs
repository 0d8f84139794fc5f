//! Costs of all elements of the last levels of a chain: [`LastLevels`].

use super::level::{Entry, Level};
use crate::{Generators, Pieces};
use groups::Permutation;
use rayon::prelude::*;
use search::Op;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An element is expanded by so many words, or by the cheapest of each place and their inverses if
/// these are more.
const WORDS: usize = 128;

/// So many products are made for each node of the width of a beam. None for narrow beams.
const OF_WIDTH: usize = 2_000;
const NARROW: usize = 1_000;

/// The most elements, of four bytes each. They take this share of the bytes for words at most.
const MOST_ELEMENTS: usize = 1 << 20;
const SHARE: u64 = 8;

/// So many products take as long as a node of a beam.
const PRODUCTS: u64 = 25;

/// The elements that a thread takes at a time.
const CHUNK: usize = 256;

/// The product of an element that no words make, or only words that cost so much.
const NEVER: u32 = u32::MAX;
const TOO_DEAR: u32 = NEVER >> 16;

/// A word of the last levels.
#[derive(Clone, Debug)]
struct LastWord {
    cost: u32,
    word: Box<[Op]>,
    element: Permutation,
}

/// The points of a level.
#[derive(Clone, Debug)]
struct Orbit {
    points: Vec<u16>,
    /// For each point: its part of the number of an element.
    parts: Vec<u32>,
    /// For each of `points`: the inverse of the element of the cheapest word. `None` for the base.
    backs: Vec<Option<Permutation>>,
}

/// For each element that fixes the base points of all levels but the last: the cheapest product of
/// words that undoes it.
///
/// Levels one after the other use one word each, which costs more. Here a product may move a piece
/// that was home.
#[derive(Clone, Debug)]
pub(crate) struct LastLevels {
    /// The first of these levels.
    pub(crate) from: usize,
    orbits: Vec<Orbit>,
    words: Vec<LastWord>,
    /// Indexed by the number of an element: the cost of its product, and in the lower half the
    /// number of its first word.
    products: Vec<u32>,
}

impl LastLevels {
    /// The most levels.
    pub(super) const MOST: usize = 24;

    /// The number of levels for a beam of this width: the wider, the more. 0 if there are not two.
    /// `bytes`: those for words.
    pub(super) fn count(
        (generators, pieces): (&Generators, &Pieces),
        levels: &[Level],
        (width, bytes): (usize, u64),
    ) -> usize {
        // Products of words that are free have no end.
        if width < NARROW || generators.least_cost() == 0 || !pieces.are_distinct() {
            return 0;
        }
        let fit = usize::try_from(bytes / SHARE / 4).unwrap_or(usize::MAX);
        let most = (width.saturating_mul(OF_WIDTH) / WORDS).min(MOST_ELEMENTS).min(fit);
        let (mut count, mut all) = (0, 1_usize);
        for level in levels.iter().rev().take(Self::MOST) {
            all = all.saturating_mul(level.orbit().count());
            if all > most || !level.is_filled() {
                break;
            }
            count += 1;
        }
        if count < 2 || all < 2 { 0 } else { count }
    }

    /// The products for so many last levels. `None` if one costs too much, or `stop` is true.
    pub(super) fn new(
        generators: &Generators,
        levels: &[Level],
        count: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let from = levels.len().checked_sub(count)?;
        let (mut orbits, mut all) = (Vec::new(), 1);
        for level in &levels[from..] {
            let points: Vec<u16> = level.orbit().collect();
            let mut parts = vec![0; generators.points()];
            for (number, &point) in points.iter().enumerate() {
                parts[usize::from(point)] = u32::try_from(number * all).ok()?;
            }
            all *= points.len();
            let first = |&point: &u16| level.entries[usize::from(point)].first();
            let backs = points.iter().map(|point| Some(first(point)?.element.inverse()));
            orbits.push(Orbit { backs: backs.collect(), points, parts });
        }
        let words = words(generators, &levels[from..]);
        let mut last = Self { from, orbits, words, products: Vec::new() };
        last.products = last.computed(levels, all, stop)?;
        Some(last)
    }

    /// Computes the products, the cheapest first. `None` if one costs too much, or `stop` is true.
    fn computed(
        &self,
        levels: &[Level],
        all: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<u32>> {
        let products: Vec<AtomicU32> = (0..all).map(|_| AtomicU32::new(NEVER)).collect();
        let mut bases: Vec<u16> = levels[self.from..].iter().map(|level| level.base).collect();
        products[self.number(levels, &mut bases)?].store(0, Relaxed);
        let backs: Vec<Permutation> =
            self.words.iter().map(|word| word.element.inverse()).collect();
        let expand = |number: usize, cost: u32| {
            let points = self.points(levels, number);
            let mut before = points.clone();
            for ((word, back), first) in self.words.iter().zip(&backs).zip(0..) {
                for (before, &point) in before.iter_mut().zip(&points) {
                    *before = back.image(point);
                }
                let cost = cost + word.cost;
                let Some(number) = self.number(levels, &mut before) else { continue };
                let known = &products[number];
                let product = cost << 16 | first;
                // To read is cheaper than to change.
                if cost < TOO_DEAR && product < known.load(Relaxed) {
                    known.fetch_min(product, Relaxed);
                }
            }
        };
        let least = self.words.iter().map(|word| word.cost).min()?;
        let mut next = Some(0);
        while let Some(cost) = next {
            // The least cost that is still to come. What is expanded may make cheaper products of
            // elements that were passed already.
            let of_chunk = |(number, part): (usize, &[AtomicU32])| {
                let part = if stop() { &[] } else { part };
                let of_element = |(at, known): (usize, &AtomicU32)| {
                    let known = known.load(Relaxed) >> 16;
                    if known == cost {
                        expand(number * CHUNK + at, cost);
                        return Some(cost + least);
                    }
                    (known > cost && known < TOO_DEAR).then_some(known)
                };
                part.iter().enumerate().filter_map(of_element).min()
            };
            next = products.par_chunks(CHUNK).enumerate().filter_map(of_chunk).min();
        }
        let products: Vec<u32> = products.into_iter().map(AtomicU32::into_inner).collect();
        (!stop() && !products.contains(&NEVER)).then_some(products)
    }

    /// The number of the element that takes the base points of these levels to these points, which
    /// are overwritten. `None` if the group has no such element.
    fn number(&self, levels: &[Level], points: &mut [u16]) -> Option<usize> {
        let mut number = 0;
        for (at, (level, orbit)) in levels[self.from..].iter().zip(&self.orbits).enumerate() {
            let point = usize::from(points[at]);
            if !level.in_orbit[point] {
                return None;
            }
            number += orbit.parts[point];
            if let Some(Entry { element, .. }) = level.entries[point].first() {
                points[at + 1..].iter_mut().for_each(|point| *point = element.image(*point));
            }
        }
        Some(number as usize)
    }

    /// The points to which the element of a number takes the base points.
    fn points(&self, levels: &[Level], mut number: usize) -> Vec<u16> {
        let mut chosen = Vec::with_capacity(self.orbits.len());
        for orbit in &self.orbits {
            chosen.push(number % orbit.points.len());
            number /= orbit.points.len();
        }
        // One word of each level, one after the other, brings all home. They are undone, the last
        // first.
        let mut points: Vec<u16> = levels[self.from..].iter().map(|level| level.base).collect();
        for (at, (orbit, &chosen)) in self.orbits.iter().zip(&chosen).enumerate().rev() {
            if let Some(back) = &orbit.backs[chosen] {
                points[at..].iter_mut().for_each(|point| *point = back.image(*point));
            }
        }
        points
    }

    /// How many nodes take as long as computing the products.
    pub(crate) fn nodes(&self) -> u64 {
        (self.products.len() * self.words.len()) as u64 / PRODUCTS
    }

    /// What the product costs that brings home the pieces of these levels. `points`: where they
    /// lie, while those of all levels before are home. `None` if no words bring them home.
    pub(crate) fn cost(&self, levels: &[Level], points: &[u16]) -> Option<u32> {
        let number = self.number(levels, &mut points.to_vec())?;
        Some(self.products[number] >> 16)
    }

    /// The product that brings home the pieces of these levels. `None` if there is none.
    pub(crate) fn product(&self, levels: &[Level], points: &[u16]) -> Option<Vec<Op>> {
        let (mut points, mut product) = (points.to_vec(), Vec::new());
        loop {
            let known = self.products[self.number(levels, &mut points.clone())?];
            if known == 0 {
                return Some(product);
            }
            let LastWord { word, element, .. } = &self.words[(known & 0xffff) as usize];
            product.extend_from_slice(word);
            points.iter_mut().for_each(|point| *point = element.image(*point));
        }
    }
}

/// The cheapest word of each place of these levels, and their inverses: they make every element.
/// Then others, the cheapest first, up to [`WORDS`].
fn words(generators: &Generators, levels: &[Level]) -> Vec<LastWord> {
    let mut known: HashMap<Permutation, (bool, u32, Vec<Op>)> = HashMap::new();
    for entries in levels.iter().flat_map(|level| &level.entries) {
        // A word that does nothing would begin products without end.
        let entries = entries.iter().enumerate().filter(|(_, entry)| entry.cost > 0);
        for (at, Entry { word, cost, element }) in entries {
            let back = (element.inverse(), generators.inverse_of(word));
            for (element, word) in [(element.clone(), word.to_vec()), back] {
                let own = (at > 0, *cost, word);
                let old = known.entry(element).or_insert_with(|| own.clone());
                if own < *old {
                    *old = own;
                }
            }
        }
    }
    let mut words: Vec<_> = known.into_iter().map(|(element, own)| (own, element)).collect();
    words.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    let of_places = words.iter().take_while(|((is_other, ..), _)| !is_other).count();
    words.truncate(of_places.max(WORDS));
    let word = |((_, cost, word), element)| LastWord { cost, word: Vec::into(word), element };
    words.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{chain, product, with_inverses};
    use crate::{PieceHome, WordChain};
    use groups::testing::small_groups;
    use std::collections::BTreeSet;

    /// Cycles of three neighbours in a row of twelve points. They make the even permutations.
    fn neighbours() -> Generators {
        let cycle = |at| Permutation::from_cycles(12, &[&[at, at + 1, at + 2]]).expect("a cycle");
        with_inverses(12, &(0..10).map(cycle).collect::<Vec<_>>())
    }

    /// The least cost of a product for each element that the words make, by Dijkstra's search over
    /// elements.
    fn costs(chain: &WordChain, from: usize) -> HashMap<Permutation, u32> {
        let words = words(chain.generators(), &chain.levels[from..]);
        let identity = Permutation::identity(chain.generators().points()).expect("few points");
        let (mut costs, mut queue) = (HashMap::new(), BTreeSet::from([(0, identity)]));
        while let Some((cost, element)) = queue.pop_first() {
            if costs.contains_key(&element) {
                continue;
            }
            for word in &words {
                // The word first, then the product of the element.
                queue.insert((cost + word.cost, word.element.then(&element)));
            }
            costs.insert(element, cost);
        }
        costs
    }

    #[test]
    fn products_are_the_cheapest_and_bring_the_last_pieces_home() {
        let mut seen = 0;
        for (name, points, turns) in small_groups() {
            let generators = with_inverses(points, &turns);
            let chain = chain(&generators, Pieces::of_points(u16::try_from(points).expect("few")));
            for bytes in [1 << 10, 1 << 12, 1 << 20] {
                let puzzle = (chain.generators(), chain.pieces());
                let count = LastLevels::count(puzzle, &chain.levels, (NARROW, bytes));
                if count == 0 {
                    continue;
                }
                let last = LastLevels::new(&generators, &chain.levels, count, &|| false);
                let last = last.unwrap_or_else(|| panic!("no products: {name}"));
                assert!(4 * last.products.len() as u64 * SHARE <= bytes, "{name}");
                let costs = costs(&chain, last.from);
                assert_eq!(costs.len(), last.products.len(), "{name}");
                for (undoing, &cost) in &costs {
                    let element = undoing.inverse();
                    let base = |level: &Level| element.image(level.base);
                    let points: Vec<u16> = chain.levels[last.from..].iter().map(base).collect();
                    assert_eq!(last.cost(&chain.levels, &points), Some(cost), "{name} {element:?}");
                    let word = last.product(&chain.levels, &points).expect("a product");
                    assert_eq!(generators.cost_of(&word), cost, "{name}");
                    assert!(element.then(&product(&generators, &word)).is_identity(), "{name}");
                    seen += 1;
                }
                let never = LastLevels::new(&generators, &chain.levels, count, &|| true);
                assert!(never.is_none());
            }
        }
        assert!(seen > 100, "{seen}");
    }

    /// Several threads make the same products as one.
    #[test]
    fn products_are_the_same_for_any_number_of_threads() {
        let generators = neighbours();
        let chain = chain(&generators, Pieces::of_points(12));
        let count = chain.last_count(2 * NARROW);
        let products = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let new = || LastLevels::new(&generators, &chain.levels, count, &|| false);
            pool.expect("threads").install(new).expect("products").products
        };
        let one = products(1);
        assert!(one.len() > 4 * CHUNK, "{}", one.len());
        assert!([2, 7].iter().all(|&threads| products(threads) == one));
    }

    /// A state that the operators do not reach has no word, however wide the beam is.
    #[test]
    fn an_odd_state_has_no_word_of_even_operators() {
        let generators = neighbours();
        let chain = chain(&generators, Pieces::of_points(12));
        assert!(chain.last_count(2 * NARROW) > 1);
        let odd = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10];
        let even = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10];
        for (state, has_word) in [(odd, false), (even, true)] {
            for width in [1, NARROW, 2 * NARROW] {
                let options = crate::BeamOptions { width, weight: 1 };
                let found = crate::ChainBeam::new(&chain).search(&[&state], options, &|| false);
                assert_eq!(found.word.is_some(), has_word, "{state:?} {width}");
            }
        }
    }

    /// Narrow beams, free operators, and pieces that look alike have none.
    #[test]
    fn not_every_beam_has_products() {
        let count = |cost: search::Cost, pieces: Pieces, width: usize| {
            let elements = neighbours().elements().to_vec();
            let priced = elements.into_iter().map(|element| (element, cost)).collect();
            let generators = Generators::new(12, priced, &|| false).expect("inverses");
            chain(&generators, pieces).last_count(width)
        };
        let own = || Pieces::of_points(12);
        let home = |home| PieceHome { home, class: home / 2, step: 0 };
        let alike = Pieces::new((0..12).map(home).collect(), &[1; 12]);
        assert!(count(1, own(), NARROW) > 1);
        assert_eq!([count(1, own(), NARROW - 1), count(0, own(), NARROW)], [0, 0]);
        assert_eq!(count(1, alike, NARROW), 0);
    }
}
