//! How a stabilizer chain is found: at random from the top down, filled up, and then proven
//! complete.

use super::bound;
use super::level::{NONE, StabilizerLevel};
use crate::Permutation;
use crate::product_replacement::ProductReplacement;
use num_bigint::BigUint;

/// Random elements of a stabilizer that stand for it on its way down.
const ELEMENTS: usize = 10;
/// Of these, so many lead to the points of an orbit if they can. With random elements trees are
/// shallow; with given generators they may be as deep as a cycle is long.
const LEADERS: usize = 4;
/// Rounds of mixing before the first random element, for generators as they come and for random
/// elements.
const ROUNDS: [usize; 2] = [60, 20];
/// So many random elements in a row must be in the chain before it is taken to be complete and a
/// proof is tried.
const TRIALS: usize = 20;

/// The levels of the chain of a group. The base begins with `prefix`.
pub(crate) fn levels(
    points: usize,
    generators: &[Permutation],
    prefix: &[u16],
) -> Vec<StabilizerLevel> {
    let mut chain = Construction { points, generators, levels: Vec::new() };
    chain.descend(prefix);
    chain.fill();
    if order(&chain.levels) < bound::upper(points, generators) {
        chain.complete();
    }
    chain.levels
}

/// The product of the lengths of the orbits.
pub(crate) fn order(levels: &[StabilizerLevel]) -> BigUint {
    levels.iter().map(|level| BigUint::from(level.orbit.len())).product()
}

struct Construction<'a> {
    points: usize,
    generators: &'a [Permutation],
    levels: Vec<StabilizerLevel>,
}

impl Construction<'_> {
    /// Builds the levels from the top down: random elements of a level's group, divided by those of
    /// its tree, are random elements of the next level's group. What they lose of it is found
    /// later.
    fn descend(&mut self, prefix: &[u16]) {
        let mut elements = self.generators.to_vec();
        elements.retain(|element| !element.is_identity());
        let mut low = 0;
        loop {
            let moved = |element: &Permutation| element.first_moved(low);
            low = elements.iter().map(moved).min().unwrap_or(self.points);
            let base = match prefix.get(self.levels.len()) {
                Some(&base) => base,
                None if low < self.points => u16::try_from(low).expect("a point"),
                None => return,
            };
            let depth = self.levels.len();
            let rounds = ROUNDS[usize::from(depth > 0)];
            let mut shaker = ProductReplacement::new(self.points, &elements, rounds, depth as u64);
            if depth == 0 {
                let mut random: Vec<_> = (0..LEADERS).map(|_| shaker.element().clone()).collect();
                random.append(&mut elements);
                elements = random;
            }
            let (leaders, others) = elements.split_at(LEADERS.min(elements.len()));
            let mut level = StabilizerLevel::new(self.points, base, leaders);
            level.extend(others);
            if level.orbit.len() > 1 {
                let mut next = || {
                    let mut element = shaker.element().clone();
                    let image = element.image(base);
                    level.divide(&mut element, image, low);
                    element
                };
                elements = (0..ELEMENTS).map(|_| next()).collect();
                elements.retain(|element| !element.is_identity());
            }
            self.levels.push(level);
        }
    }

    /// Adds what random elements of the whole group show to be missing.
    fn fill(&mut self) {
        let mut shaker = ProductReplacement::new(self.points, self.generators, ROUNDS[0], u64::MAX);
        let mut trials = 0;
        while trials < TRIALS {
            trials += 1;
            if let Some((level, residue)) = self.residue(0, shaker.element().clone()) {
                self.add(level, &[residue]);
                trials = 0;
            }
        }
    }

    /// What is left of a permutation that fixes the base points before level `from`, and the level
    /// that it could not pass; nothing if all of it could be divided away.
    fn residue(&self, from: usize, mut rest: Permutation) -> Option<(usize, Permutation)> {
        let mut fixed = rest.first_moved(0);
        for (number, level) in self.levels.iter().enumerate().skip(from) {
            let image = rest.image(level.base);
            if level.number[usize::from(image)] == NONE {
                return Some((number, rest));
            }
            fixed = level.divide(&mut rest, image, fixed);
        }
        (!rest.is_identity()).then_some((self.levels.len(), rest))
    }

    /// Adds elements to the group of a level. The level may be a new one behind the last.
    fn add(&mut self, level: usize, elements: &[Permutation]) {
        if level < self.levels.len() {
            self.levels[level].extend(elements);
        } else if let Some(low) = elements.iter().map(|e| e.first_moved(0)).min() {
            let base = u16::try_from(low).expect("a point");
            self.levels.push(StabilizerLevel::new(self.points, base, elements));
        }
    }

    /// Proves the chain complete by Otto Schreier's lemma, level by level from the last one up.
    /// Where it is not complete, completes it.
    ///
    /// Charles Sims, "Computational methods in the study of permutation groups", 1970.
    ///
    /// When level `i` is left, the levels from `i` on are a complete chain of the group that their
    /// elements generate: that of level `i` joined with the group of the levels behind. For level 0
    /// that is the group itself, whose generators then are the given ones.
    fn complete(&mut self) {
        let mut level = self.levels.len();
        while level > 0 {
            level -= 1;
            let generators = self.generators_of(level);
            if self.levels[level].is_left_by(&generators) {
                self.levels[level].extend(&generators);
            }
            if let Some((lower, residue)) = self.missing(level, &generators) {
                self.add(lower, &[residue]);
                level = lower + 1;
            }
        }
    }

    /// Generators of the group of a level and those behind it; for the first one the given ones,
    /// which generate more than any other elements.
    fn generators_of(&self, level: usize) -> Vec<Permutation> {
        if level == 0 {
            return self.generators.to_vec();
        }
        let inverses = self.levels[level..].iter().flat_map(|level| &level.inverses);
        inverses.map(Permutation::inverse).collect()
    }

    /// A generator of the stabilizer of this level's base point that is not in the chain behind it,
    /// divided as far as possible.
    fn missing(&self, level: usize, generators: &[Permutation]) -> Option<(usize, Permutation)> {
        self.levels[level].orbit.iter().find_map(|&point| {
            let element = self.levels[level].element(point);
            generators.iter().find_map(|generator| self.residue(level, element.then(generator)))
        })
    }
}

/// The order of the group that these permutations generate, which has one orbit of the given
/// points.
pub(crate) fn transitive_order(generators: &[Permutation]) -> BigUint {
    let points = generators.first().map_or(0, Permutation::points);
    let mut chain = Construction { points, generators, levels: Vec::new() };
    chain.descend(&[]);
    chain.fill();
    let found = order(&chain.levels);
    if found < bound::giant(points, generators.iter().any(Permutation::is_odd)) {
        chain.complete();
    }
    order(&chain.levels)
}
