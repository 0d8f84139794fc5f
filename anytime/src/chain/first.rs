//! Exact costs of the pieces of the first levels of a chain: [`FirstLevels`].

use super::level::Level;
use crate::{Generators, Pieces};
use groups::orbits;
use rayon::prelude::*;
use search::Op;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The most arrangements of the pieces of the first levels, of one byte each. They take this share
/// of the bytes for words at most.
const MOST_ARRANGEMENTS: usize = 1 << 24;
const SHARE: u64 = 8;

/// So many arrangements, times operators, are computed for each node of the width of a beam. None
/// for narrow beams, which are for first plans.
const OF_WIDTH: usize = 4_000;
const NARROW: usize = 1_000;

/// For so many arrangements, times operators, computing them takes as long as a node of a beam. So
/// do so many children of a search for words.
const ARRANGEMENTS: u64 = 100;
const CHILDREN_OF_NODE: u64 = 16;

/// The cost of arrangements that no word brings home. Words that are so dear have no costs.
const NEVER: u8 = u8::MAX;

/// The arrangements that a thread takes at a time, times operators.
const CHUNK: usize = 1 << 17;

/// Words of a start are looked for until there are so many for each one wanted, or so many children
/// were made for each of these.
const WORDS: usize = 4;
const CHILDREN: u64 = 500;

/// Words cost less than the cheapest word and so many of the cheapest operators.
const SLACK: u32 = 8;

/// The cost of the cheapest words that bring the pieces of the first levels home together: a
/// pattern database of these pieces.
///
/// Words of single levels bring them home one after the other, at a higher cost.
#[derive(Clone, Debug)]
pub(crate) struct FirstLevels {
    /// The number of levels.
    pub(crate) levels: usize,
    /// For each level and point of the pieces: its part of the number of an arrangement.
    parts: Vec<Vec<u32>>,
    /// Indexed by the number of an arrangement.
    costs: Vec<u8>,
}

impl FirstLevels {
    /// The most levels.
    pub(super) const MOST: usize = 12;

    /// The number of levels for a beam of this width: the wider, the more. 0 if there are not two.
    /// `bytes`: those for words.
    pub(super) fn count(
        (generators, pieces): (&Generators, &Pieces),
        levels: &[Level],
        (width, bytes): (usize, u64),
    ) -> usize {
        // Words of operators that are free have no end.
        if width < NARROW || generators.least_cost() == 0 {
            return 0;
        }
        let most = width.saturating_mul(OF_WIDTH) / generators.len();
        let fit = usize::try_from(bytes / SHARE).unwrap_or(usize::MAX);
        let (most, sizes) = (most.min(MOST_ARRANGEMENTS).min(fit), pieces.class_sizes());
        let orbits = orbits(generators.points(), generators.elements());
        let (mut count, mut all) = (0, 1_usize);
        for level in levels.iter().take(Self::MOST) {
            let piece = pieces.list()[level.piece];
            all = all.saturating_mul(orbit_of(&orbits, piece.home).len());
            if piece.step != 0 || sizes[usize::from(piece.class)] > 1 || all > most {
                break;
            }
            count += 1;
        }
        if count < 2 { 0 } else { count }
    }

    /// The costs of these levels. `None` if one is too great, or `stop` is true.
    pub(super) fn new(
        (generators, pieces): (&Generators, &Pieces),
        levels: &[Level],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        if stop() {
            return None;
        }
        let orbits = orbits(generators.points(), generators.elements());
        let (mut parts, mut points_of, mut all) = (Vec::new(), Vec::new(), 1);
        for level in levels {
            let orbit = orbit_of(&orbits, pieces.list()[level.piece].home);
            let mut part = vec![0; generators.points()];
            for (number, &point) in orbit.iter().enumerate() {
                part[usize::from(point)] = u32::try_from(number * all).ok()?;
            }
            all *= orbit.len();
            parts.push(part);
            points_of.push(orbit.to_vec());
        }
        let mut first = Self { levels: levels.len(), parts, costs: Vec::new() };
        first.costs = first.computed(generators, (levels, &points_of), stop)?;
        Some(first)
    }

    /// Computes the costs, the cheapest first. `None` if one is too great, or `stop` is true.
    fn computed(
        &self,
        generators: &Generators,
        (levels, points_of): (&[Level], &[Vec<u16>]),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<u8>> {
        let homes: Vec<u16> = levels.iter().map(|level| level.base).collect();
        let all = points_of.iter().map(Vec::len).product();
        let costs: Vec<AtomicU8> = (0..all).map(|_| AtomicU8::new(NEVER)).collect();
        costs[self.number(&homes)].store(0, Relaxed);
        let moved = self.moved(generators);
        let expand = |number: usize, cost: u8| {
            let mut rest = number;
            let points: Vec<usize> = points_of
                .iter()
                .map(|orbit| {
                    let point = orbit[rest % orbit.len()];
                    rest /= orbit.len();
                    point.into()
                })
                .collect();
            let reached = moved.iter().enumerate().map(|(op, moved)| {
                let from: u32 = points.iter().zip(moved).map(|(&point, part)| part[point]).sum();
                let next = cost.saturating_add(generators.cost(Op::new(op)));
                let known = &costs[from as usize];
                // To read is cheaper than to change.
                if next < known.load(Relaxed) {
                    known.fetch_min(next, Relaxed);
                }
                next
            });
            reached.max().unwrap_or(0)
        };
        let chunk = (CHUNK / generators.len().max(1)).max(64);
        let (mut cost, mut greatest) = (0, 0);
        while cost <= greatest && cost < NEVER {
            let of_chunk = |(number, part): (usize, &[AtomicU8])| {
                let part = if stop() { &[] } else { part };
                let known =
                    part.iter().enumerate().filter(|(_, known)| known.load(Relaxed) == cost);
                known.map(|(at, _)| expand(number * chunk + at, cost)).max().unwrap_or(0)
            };
            greatest = costs
                .par_chunks(chunk)
                .enumerate()
                .map(of_chunk)
                .reduce(|| 0, u8::max)
                .max(greatest);
            cost += 1;
        }
        (greatest < NEVER && !stop()).then(|| costs.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// For each operator and level: the parts of the points before the operator.
    fn moved(&self, generators: &Generators) -> Vec<Vec<Vec<u32>>> {
        let of = |op: Op| {
            let back = &generators.elements()[generators.inverse(op).index()];
            let part = |part: &Vec<u32>| {
                back.images().iter().map(|&point| part[usize::from(point)]).collect()
            };
            self.parts.iter().map(part).collect()
        };
        (0..generators.len()).map(Op::new).map(of).collect()
    }

    /// How many nodes take as long as computing the costs.
    pub(crate) fn nodes(&self, generators: &Generators) -> u64 {
        self.costs.len() as u64 * generators.len() as u64 / ARRANGEMENTS
    }

    /// The number of the arrangement with these points of the pieces of all levels.
    fn number(&self, points: &[u16]) -> usize {
        let parts = points.iter().zip(&self.parts);
        parts.map(|(&point, part)| part[usize::from(point)] as usize).sum()
    }

    /// Words that bring the pieces of the first levels home, cheaper ones first: about [`WORDS`]
    /// times `most`, if so many are little dearer than the cheapest. Returns as many nodes as take
    /// as long, too.
    pub(crate) fn words(
        &self,
        generators: &Generators,
        points: &[u16],
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> (Vec<Vec<Op>>, u64) {
        let points = &points[..self.levels];
        let (least, step) = (u32::from(self.costs[self.number(points)]), generators.least_cost());
        let most = most.saturating_mul(WORDS);
        let mut search = Words {
            first: self,
            generators,
            step,
            found: Vec::new(),
            path: Vec::new(),
            children: 0,
            most,
            most_children: CHILDREN.saturating_mul(most as u64),
            stop,
        };
        for more in 0..SLACK {
            search.below(points, least.saturating_add(more * step));
            if search.is_over() {
                break;
            }
        }
        (search.found, search.children / CHILDREN_OF_NODE)
    }
}

/// A search for words that bring the pieces of the first levels home.
struct Words<'a> {
    first: &'a FirstLevels,
    generators: &'a Generators,
    /// Words that cost a multiple of it more than the cheapest are found before dearer ones.
    step: u32,
    found: Vec<Vec<Op>>,
    path: Vec<Op>,
    children: u64,
    most: usize,
    most_children: u64,
    stop: &'a dyn Fn() -> bool,
}

impl Words<'_> {
    fn is_over(&self) -> bool {
        self.found.len() >= self.most || self.children >= self.most_children
    }

    /// Finds the words that go on from here and cost `left`, or less by less than a step.
    fn below(&mut self, points: &[u16], left: u32) {
        let cost = u32::from(self.first.costs[self.first.number(points)]);
        if cost > left || self.is_over() {
            return;
        }
        if cost == 0 && left < self.step {
            self.found.push(self.path.clone());
            return;
        }
        if (self.stop)() {
            self.most = 0;
            return;
        }
        let mut next = points.to_vec();
        for op in (0..self.generators.len()).map(Op::new) {
            let price = u32::from(self.generators.cost(op));
            let follows = self.path.last().is_none_or(|&last| self.generators.may_follow(last, op));
            if price > left || !follows {
                continue;
            }
            let element = &self.generators.elements()[op.index()];
            for (to, &from) in next.iter_mut().zip(points) {
                *to = element.image(from);
            }
            self.children += 1;
            self.path.push(op);
            self.below(&next, left - price);
            self.path.pop();
        }
    }
}

/// The orbit with this point.
fn orbit_of(orbits: &[Vec<u16>], point: u16) -> &[u16] {
    let orbit = orbits.iter().find(|orbit| orbit.binary_search(&point).is_ok());
    orbit.map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordChain;
    use crate::tests::{chain, with_inverses};
    use groups::Permutation;
    use groups::testing::small_groups;
    use std::collections::HashMap;

    fn first(chain: &WordChain, count: usize, stop: bool) -> Option<FirstLevels> {
        let puzzle = (chain.generators(), chain.pieces());
        FirstLevels::new(puzzle, &chain.levels[..count], &|| stop)
    }

    /// The cost of each arrangement of the pieces of the first levels, by breadth-first search.
    fn distances(chain: &WordChain, levels: usize) -> HashMap<Vec<u16>, u32> {
        let home: Vec<u16> = chain.levels[..levels].iter().map(|level| level.base).collect();
        let mut distances = HashMap::from([(home.clone(), 0)]);
        let mut queue = std::collections::VecDeque::from([home]);
        while let Some(points) = queue.pop_front() {
            let next = distances[&points] + 1;
            for element in chain.generators().elements() {
                // Each operator has an inverse, so distances are the same both ways.
                let image: Vec<u16> = points.iter().map(|&point| element.image(point)).collect();
                distances.entry(image.clone()).or_insert_with(|| {
                    queue.push_back(image);
                    next
                });
            }
        }
        distances
    }

    #[test]
    fn costs_are_those_of_a_breadth_first_search() {
        let mut seen = 0;
        for (name, points, turns) in small_groups() {
            let generators = with_inverses(points, &turns);
            let pieces = Pieces::of_points(u16::try_from(points).expect("few points"));
            let chain = chain(&generators, pieces);
            for width in [1_000, 10_000] {
                let puzzle = (chain.generators(), chain.pieces());
                let count = FirstLevels::count(puzzle, &chain.levels, (width, u64::MAX));
                if count == 0 {
                    continue;
                }
                seen += 1;
                let levels = first(&chain, count, false).expect("costs");
                assert!(levels.costs.len() * generators.len() <= width * OF_WIDTH, "{name}");
                let distances = distances(&chain, levels.levels);
                for (points, &cost) in &distances {
                    assert_eq!(u32::from(levels.costs[levels.number(points)]), cost, "{name}");
                }
                let reached = levels.costs.iter().filter(|&&cost| cost != NEVER).count();
                assert_eq!(reached, distances.len(), "{name}");
            }
        }
        assert!(seen > 4);
    }

    #[test]
    fn words_bring_the_pieces_home_the_cheapest_first() {
        let turns: [&[u16]; 3] =
            [&[1, 2, 3, 0, 4, 5, 6, 7], &[0, 1, 4, 2, 5, 3, 6, 7], &[0, 1, 2, 3, 5, 6, 7, 4]];
        let turns = turns.map(|images| Permutation::new(images.to_vec()).expect("a permutation"));
        let generators = with_inverses(8, &turns);
        let chain = chain(&generators, Pieces::of_points(8));
        let levels = first(&chain, 3, false).expect("three levels");
        assert_eq!(levels.levels, 3);
        for (points, cost) in distances(&chain, 3) {
            let (words, nodes) = levels.words(&generators, &points, 20, &|| false);
            let costs: Vec<u32> = words.iter().map(|word| generators.cost_of(word)).collect();
            assert!(costs.is_sorted() && nodes > 0, "{points:?}: {costs:?}");
            assert_eq!(costs.first(), Some(&cost), "{points:?}: {words:?}");
            let mut different = words.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), words.len());
            for word in words {
                let at = |mut point: u16| {
                    for op in &word {
                        point = generators.elements()[op.index()].image(point);
                    }
                    point
                };
                let ends: Vec<u16> = points.iter().map(|&point| at(point)).collect();
                assert_eq!(levels.costs[levels.number(&ends)], 0);
            }
        }
        assert!(first(&chain, 3, true).is_none());
        let count = |width, bytes| {
            let puzzle = (&generators, chain.pieces());
            FirstLevels::count(puzzle, &chain.levels, (width, bytes))
        };
        // Six operators; one level has 8 arrangements.
        let wide = [0, 999, 1_000, 4_000].map(|width| count(width, u64::MAX));
        assert_eq!(wide, [0, 0, 6, 7]);
        assert_eq!([1 << 9, 1 << 12].map(|bytes| count(4_000, bytes)), [2, 3]);
    }
}
