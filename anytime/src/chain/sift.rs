//! Minkwitz' sifting: [`Sifter`].

use super::level::{Entry, Level, word_bytes};
use crate::Generators;
use groups::Permutation;
use search::Op;
use search::random::Random;

/// The most words for a point of a level.
pub(crate) const MOST: usize = 30;

/// A word may cost this much more than the cheapest for its point.
const SLACK: u32 = 6;

/// Random products that are sifted at a time.
const RANDOM: usize = 2_000;

/// What a step of sifting takes beside its lookups, in lookups.
const STEP: u64 = 300;

/// Rounds without a cheaper word after which there are hardly any.
const IDLE: u32 = 20;

/// The first limit of the cost of a word, in dearest operators.
const FIRST_LIMIT: u32 = 20;

/// How much work goes into the words of a chain, and into what comes with them.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of short words that the table begins with.
    pub words: usize,
    /// The work after them, in images of points that are looked up.
    pub lookups: u64,
    /// The most bytes of all words and their elements, then of cycles of three places, and then of
    /// estimates for pairs of places.
    pub bytes: u64,
    /// The nodes that are generated to learn those estimates.
    pub lessons: u64,
}

impl Default for Effort {
    /// About a second for a puzzle of 100 points, up to half a minute to learn estimates, and at
    /// most 256 MiB.
    fn default() -> Self {
        Self { words: 20_000, lookups: 2_000_000_000, bytes: 256 << 20, lessons: 10_000_000 }
    }
}

/// The most words for a point of a level, if so many pairs of a level and a point have words.
pub(super) fn most_words(effort: &Effort, points: usize, places: usize) -> usize {
    let bytes = places.max(1) as u64 * word_bytes(points);
    usize::try_from(effort.bytes / bytes).map_or(MOST, |most| most.clamp(1, MOST))
}

/// The bytes beyond which more give no other words, if at most so many pairs of a level and a point
/// have words.
pub(super) fn bytes_of_use(effort: &Effort, points: usize, places: usize) -> u64 {
    effort.words.max(MOST * places) as u64 * word_bytes(points)
}

/// The highest limit of the cost of a word, in first limits.
const MOST_GROWTH: u32 = 50;

/// Fills the levels of a chain with words.
pub(super) struct Sifter<'a> {
    generators: &'a Generators,
    levels: Vec<Level>,
    effort: Effort,
    stop: &'a dyn Fn() -> bool,
    /// Images of points that were looked up.
    lookups: u64,
    /// The number of lookups after which the work ends.
    budget: u64,
    /// The most words for a point of a level.
    most: usize,
    /// A word that costs more is not sifted any further.
    limit: u32,
    /// The highest limit.
    most_limit: u32,
    /// For each level and point: whether its cheapest word is new since the last round.
    fresh: Vec<Vec<bool>>,
}

impl<'a> Sifter<'a> {
    pub(super) fn new(
        generators: &'a Generators,
        levels: Vec<Level>,
        effort: Effort,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let points = generators.points();
        let places: usize = levels
            .iter()
            .map(|level| level.in_orbit.iter().filter(|&&inside| inside).count())
            .sum();
        let most = most_words(&effort, points, places);
        let fresh = vec![vec![false; points]; levels.len()];
        let dearest = (0..generators.len()).map(|op| generators.cost(Op::new(op))).max();
        let limit = FIRST_LIMIT * u32::from(dearest.unwrap_or(1));
        let most_limit = MOST_GROWTH * limit;
        Self {
            generators,
            levels,
            effort,
            stop,
            lookups: 0,
            budget: effort.lookups,
            most,
            limit,
            most_limit,
            fresh,
        }
    }

    pub(super) fn into_levels(self) -> Vec<Level> {
        self.levels
    }

    fn is_over(&self) -> bool {
        self.lookups >= self.budget || (self.stop)()
    }

    /// Offers an element to the levels from `from` on. It fixes the base points before.
    ///
    /// At each level where it moves the base point, it and its inverse are words for a point. Then
    /// the word that was there before takes the base point home again, and the product goes on.
    pub(super) fn sift(&mut self, from: usize, mut element: Permutation, mut word: Vec<Op>) {
        self.generators.simplify(&mut word);
        for level in from..self.levels.len() {
            let base = self.levels[level].base;
            let image = element.image(base);
            if image == base {
                continue;
            }
            let inverse = element.inverse();
            let back = inverse.image(base);
            let known = self.levels[level].entries[usize::from(image)].first();
            let next = known
                .map(|known| (element.then(&known.element), [&word[..], &known.word].concat()));
            self.lookups += STEP + 3 * element.points() as u64;
            let cost = self.generators.cost_of(&word);
            self.offer(level, image, &inverse, cost, || self.generators.inverse_of(&word));
            self.offer(level, back, &element, cost, || word.clone());
            let Some(product) = next else { return };
            (element, word) = product;
            self.generators.simplify(&mut word);
            if word.is_empty() || self.generators.cost_of(&word) > self.limit {
                return;
            }
        }
    }

    /// Offers a word for a point of a level.
    fn offer(
        &mut self,
        level: usize,
        point: u16,
        element: &Permutation,
        cost: u32,
        word: impl FnOnce() -> Vec<Op>,
    ) {
        let point = usize::from(point);
        let entries = &mut self.levels[level].entries[point];
        let least = entries.first().map_or(u32::MAX, |entry| entry.cost);
        if cost > least.saturating_add(SLACK) {
            return;
        }
        let at = entries.partition_point(|entry| entry.cost <= cost);
        if at >= self.most || entries[..at].iter().any(|entry| entry.element == *element) {
            return;
        }
        entries.insert(at, Entry { word: word().into(), cost, element: element.clone() });
        if let Some(same) = entries[at + 1..].iter().position(|entry| entry.element == *element) {
            entries.remove(at + 1 + same);
        }
        entries.truncate(self.most);
        if cost < least {
            entries.retain(|entry| entry.cost <= cost + SLACK);
            self.fresh[level][point] = true;
        }
    }

    /// Sifts products and conjugates of the cheapest words, and random products of `words` when
    /// these give no cheaper words. Ends when the effort is spent or many rounds give nothing.
    /// While a level has a point without a word, goes on with ten times the effort at most. `seed`
    /// draws the random products.
    pub(super) fn improve(&mut self, words: &[(Vec<Op>, Permutation)], seed: u64) {
        let mut random = Random::new(seed);
        if !self.are_filled() {
            self.budget = self.budget.saturating_mul(10);
        }
        let (mut filled, mut idle) = (self.filled(), 0);
        while !words.is_empty() && !(self.stop)() {
            let fresh: Vec<Vec<bool>> = self
                .fresh
                .iter_mut()
                .map(|level| std::mem::replace(level, vec![false; level.len()]))
                .collect();
            for level in (0..self.levels.len()).rev() {
                self.multiply(level, &fresh[level]);
                self.conjugate(level, &fresh[level]);
                if (self.stop)() {
                    return;
                }
            }
            let (before, whole) = (filled, self.are_filled());
            filled = self.filled();
            self.budget = self.effort.lookups.saturating_mul(if whole { 1 } else { 10 });
            if self.is_over() {
                return;
            }
            if !whole && filled == before {
                self.limit = (self.limit + self.limit / 4).min(self.most_limit);
            }
            if self.fresh.iter().any(|level| level.contains(&true)) {
                idle = 0;
                if whole {
                    continue;
                }
            }
            idle += 1;
            if whole && idle > IDLE {
                return;
            }
            self.sift_random(words, &mut random);
        }
    }

    /// Sifts random products of two words each.
    fn sift_random(&mut self, words: &[(Vec<Op>, Permutation)], random: &mut Random) {
        for _ in 0..RANDOM {
            let [a, b] = [(); 2].map(|()| &words[random.index(words.len())]);
            self.lookups += STEP;
            self.sift(0, a.1.then(&b.1), [&a.0[..], &b.0].concat());
            if (self.stop)() {
                return;
            }
        }
    }

    /// The number of points that have a word.
    fn filled(&self) -> usize {
        let entries = self.levels.iter().flat_map(|level| &level.entries);
        entries.filter(|entries| !entries.is_empty()).count()
    }

    fn are_filled(&self) -> bool {
        self.levels.iter().all(Level::is_filled)
    }

    /// The points of a level with their cheapest words.
    fn cheapest(&self, level: usize) -> Vec<(usize, Entry)> {
        let entries = self.levels[level].entries.iter().enumerate();
        entries.filter_map(|(point, entries)| Some((point, entries.first()?.clone()))).collect()
    }

    /// Sifts the products of each two cheapest words of a level of which one is fresh.
    fn multiply(&mut self, level: usize, fresh: &[bool]) {
        let words = self.cheapest(level);
        for (a, first) in &words {
            for (b, second) in &words {
                if !fresh[*a] && !fresh[*b] || first.cost + second.cost > self.limit {
                    continue;
                }
                self.sift_product(level, first, second);
                if self.is_over() {
                    return;
                }
            }
        }
    }

    fn sift_product(&mut self, level: usize, first: &Entry, second: &Entry) {
        let word = [&first.word[..], &second.word].concat();
        self.lookups += first.element.points() as u64;
        self.sift(level, first.element.then(&second.element), word);
    }

    /// Sifts the conjugates of the fresh words of a level by all operators.
    fn conjugate(&mut self, level: usize, fresh: &[bool]) {
        for (point, entry) in self.cheapest(level) {
            if !fresh[point] {
                continue;
            }
            for op in (0..self.generators.len()).map(Op::new) {
                let undo = self.generators.inverse_of(&[op]);
                let word = [&undo[..], &entry.word, &[op]].concat();
                let of = |op: Op| &self.generators.elements()[op.index()];
                let element = of(undo[0]).then(&entry.element).then(of(op));
                self.lookups += 2 * element.points() as u64;
                self.sift(0, element, word);
                if self.is_over() {
                    return;
                }
            }
        }
    }
}
