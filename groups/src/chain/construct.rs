//! Construction of a stabilizer chain. Random elements build the levels from the top down, more
//! random elements fill gaps, and a proof shows that the chain is complete.

use super::bound;
use super::level::{NONE, StabilizerLevel};
use crate::product_replacement::ProductReplacement;
use crate::stop::{Stop, check};
use crate::{GroupError, Permutation};
use num_bigint::BigUint;

/// The number of random elements that represent each stabilizer on the way down.
const ELEMENTS: usize = 10;
/// The number of these elements that a Schreier tree uses before all others. With random elements
/// the trees are shallow. With the given generators they may be as deep as the longest cycle.
const LEADERS: usize = 4;
/// Rounds of mixing before the first random element: for the given generators, and for generators
/// that are random elements themselves.
const ROUNDS: [usize; 2] = [60, 20];
/// If this many random elements in a row are in the chain, the chain is probably complete, and a
/// proof is tried.
const TRIALS: usize = 20;
/// If the order is below its bound then, the chain is filled so many times again before a proof:
/// many generators need more mixing, and a proof of 100 points takes minutes.
const FILLS: u32 = 5;
/// In these, so many elements in a row for each point of the longest orbit: one point that an orbit
/// lacks is met by one element of as many as the orbit has points.
const TRIALS_OF_POINT: usize = 4;

/// The complete stabilizer chain of the group that `generators` generate. Its base begins with
/// `prefix`.
pub(crate) fn levels(
    points: usize,
    generators: &[Permutation],
    prefix: &[u16],
    stop: Stop<'_>,
) -> Result<Vec<StabilizerLevel>, GroupError> {
    let mut chain = Construction { points, generators, levels: Vec::new(), stop };
    chain.descend(prefix)?;
    chain.fill(0)?;
    // The bound of each orbit is the order of a chain of its own.
    let transitive = &|action: &[Permutation]| transitive_order(action, stop);
    chain.fill_to(&bound::upper(points, generators, transitive, stop)?)?;
    Ok(chain.levels)
}

/// The order of the chain: the product of its orbits' lengths.
pub(crate) fn order(levels: &[StabilizerLevel]) -> BigUint {
    levels.iter().map(|level| BigUint::from(level.orbit.len())).product()
}

/// The level at which the division of an element stopped, and the residue. `None` if the element is
/// in the chain.
type Residue = Option<(usize, Permutation)>;

struct Construction<'a> {
    points: usize,
    generators: &'a [Permutation],
    levels: Vec<StabilizerLevel>,
    stop: Stop<'a>,
}

impl Construction<'_> {
    /// Builds the levels from the top down. Random elements of a level's group, divided by the
    /// level's coset representatives, are random elements of the next level's group. They may
    /// generate less than that group; [`Construction::fill`] and [`Construction::complete`] find
    /// the rest.
    fn descend(&mut self, prefix: &[u16]) -> Result<(), GroupError> {
        let mut elements = self.generators.to_vec();
        elements.retain(|element| !element.is_identity());
        let mut low = 0;
        loop {
            check(self.stop)?;
            let moved = |element: &Permutation| element.first_moved(low);
            low = elements.iter().map(moved).min().unwrap_or(self.points);
            let base = match prefix.get(self.levels.len()) {
                Some(&base) => base,
                None if low < self.points => u16::try_from(low).expect("a point"),
                None => return Ok(()),
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
                    if level.number[usize::from(image)] == NONE {
                        // The tree left out a leader that moves points which came later.
                        level.extend(&elements);
                    }
                    level.divide(&mut element, image, low);
                    element
                };
                elements = (0..ELEMENTS).map(|_| next()).collect();
                elements.retain(|element| !element.is_identity());
            }
            self.levels.push(level);
        }
    }

    /// Fills the chain until its order is `bound`, which it cannot exceed, or a proof shows that it
    /// is complete.
    fn fill_to(&mut self, bound: &BigUint) -> Result<(), GroupError> {
        for round in 1..=FILLS {
            if order(&self.levels) >= *bound {
                return Ok(());
            }
            self.fill(round)?;
        }
        if order(&self.levels) < *bound { self.complete() } else { Ok(()) }
    }

    /// Draws random elements of the whole group and adds the residue of each that the chain lacks.
    /// Stops after some elements in a row that the chain has: [`TRIALS`], or more in rounds after
    /// the first, 0. Each `round` draws others and mixes them longer.
    fn fill(&mut self, round: u32) -> Result<(), GroupError> {
        let seed = u64::MAX - u64::from(round);
        let mut shaker = ProductReplacement::new(self.points, self.generators, ROUNDS[0], seed);
        for _ in ROUNDS[0]..ROUNDS[0] << round {
            check(self.stop)?;
            shaker.element();
        }
        let longest = self.levels.iter().map(|level| level.orbit.len()).max().unwrap_or(0);
        let most = if round == 0 { TRIALS } else { TRIALS.max(TRIALS_OF_POINT * longest) };
        let mut trials = 0;
        while trials < most {
            trials += 1;
            if let Some((level, residue)) = self.residue(0, shaker.element().clone())? {
                self.add(level, &[residue]);
                trials = 0;
            }
        }
        Ok(())
    }

    /// Divides a permutation by the chain, from level `from` on; it must fix all base points before
    /// that level. Returns the level at which this stops, and the residue; `None` if the
    /// permutation is in the chain. The level is the number of levels if the residue fixes all base
    /// points.
    fn residue(&self, from: usize, mut rest: Permutation) -> Result<Residue, GroupError> {
        check(self.stop)?;
        let mut fixed = rest.first_moved(0);
        for (number, level) in self.levels.iter().enumerate().skip(from) {
            let image = rest.image(level.base);
            if level.number[usize::from(image)] == NONE {
                return Ok(Some((number, rest)));
            }
            fixed = level.divide(&mut rest, image, fixed);
        }
        Ok((!rest.is_identity()).then_some((self.levels.len(), rest)))
    }

    /// Adds generators to a level. If `level` is the number of levels, adds a level for them.
    fn add(&mut self, level: usize, elements: &[Permutation]) {
        if level < self.levels.len() {
            self.levels[level].extend(elements);
        } else if let Some(low) = elements.iter().map(|e| e.first_moved(0)).min() {
            let base = u16::try_from(low).expect("a point");
            self.levels.push(StabilizerLevel::new(self.points, base, elements));
        }
    }

    /// Proves the chain complete by Otto Schreier's lemma, from the last level up, and adds missing
    /// generators.
    ///
    /// Charles Sims, "Computational methods in the study of permutation groups", 1970.
    ///
    /// *Invariant:* when the loop has dealt with level `i`, the levels from `i` on are a complete
    /// chain of the group that their generators generate. For level 0 this is the whole group,
    /// because its generators then are the given ones.
    fn complete(&mut self) -> Result<(), GroupError> {
        let mut level = self.levels.len();
        while level > 0 {
            level -= 1;
            let generators = self.generators_of(level);
            if self.levels[level].is_left_by(&generators) {
                self.levels[level].extend(&generators);
            }
            if let Some((lower, residue)) = self.missing(level, &generators)? {
                self.add(lower, &[residue]);
                level = lower + 1;
            }
        }
        Ok(())
    }

    /// Generators of the group of a level and of all levels after it. For level 0 these are the
    /// given generators of the whole group.
    fn generators_of(&self, level: usize) -> Vec<Permutation> {
        if level == 0 {
            return self.generators.to_vec();
        }
        let inverses = self.levels[level..].iter().flat_map(|level| &level.inverses);
        inverses.map(Permutation::inverse).collect()
    }

    /// The residue of a Schreier generator of this level that is not in the chain behind it, and
    /// the level at which its division stopped. `None` if the chain has all Schreier generators.
    fn missing(&self, level: usize, generators: &[Permutation]) -> Result<Residue, GroupError> {
        for &point in &self.levels[level].orbit {
            let element = self.levels[level].element(point);
            for generator in generators {
                let residue = self.residue(level, element.then(generator))?;
                if residue.is_some() {
                    return Ok(residue);
                }
            }
        }
        Ok(None)
    }
}

/// The order of the transitive group that these permutations generate.
fn transitive_order(generators: &[Permutation], stop: Stop<'_>) -> Result<BigUint, GroupError> {
    let points = generators.first().map_or(0, Permutation::points);
    let mut chain = Construction { points, generators, levels: Vec::new(), stop };
    chain.descend(&[])?;
    chain.fill(0)?;
    chain.fill_to(&bound::giant(points, generators.iter().any(Permutation::is_odd)))?;
    Ok(order(&chain.levels))
}
