//! Words of fewest generators in a commuting group: [`CommutingGroup`].

mod choice;
mod equations;

use crate::Permutation;
use choice::{Choices, Residues};
use std::collections::HashMap;

/// A group whose generators commute, and come with all their powers.
///
/// In such a group only the number of each generator in a word counts. So an element is the
/// solution of linear equations, and a shortest word is one of fewest *families*: cyclic groups
/// whose elements are all generators. Each set of families is looked at once, whatever the powers
/// and the order: for `k` of `n` families, `n` choose `k` sets.
///
/// The equations have one unknown for each family and one row for each orbit, modulo the length of
/// the orbit. A set is first tried modulo each prime. Sets that pass are solved exactly.
#[derive(Clone, Debug)]
pub struct CommutingGroup {
    points: usize,
    families: Vec<Family>,
    orbits: Vec<Orbit>,
    /// The least common multiple of the lengths of the orbits.
    modulus: u32,
}

/// A cyclic group whose elements but the identity are all generators.
#[derive(Clone, Debug)]
struct Family {
    /// The number of the generator that is power 1, 2 and so on.
    powers: Vec<usize>,
    /// For each orbit: by how far power 1 takes its points.
    steps: Vec<u32>,
}

/// An orbit on which the group acts as turns of a wheel.
#[derive(Clone, Debug)]
struct Orbit {
    /// The points in the order of the wheel.
    wheel: Vec<u16>,
}

/// What a search for words with a given number of generators found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FewestWords {
    /// The numbers of the generators of one word. `None`: there is none, or the search was stopped.
    pub word: Option<Vec<usize>>,
    /// How many sets of families were looked at.
    pub sets: u64,
    /// Whether the search was stopped.
    pub is_stopped: bool,
}

impl CommutingGroup {
    /// The most orbits of a group.
    pub const MOST_ORBITS: usize = 64;

    /// The group with these generators of one number of points.
    ///
    /// `None` if two generators do not commute, a power of one is no generator, or one is the
    /// identity. Also if the group acts on some orbit as more than a cyclic group. At most
    /// [`CommutingGroup::MOST_ORBITS`] orbits may have several points, and their lengths must have
    /// a common multiple below 2^15.
    pub fn new(generators: &[Permutation]) -> Option<Self> {
        let first = generators.first()?;
        let points = first.points();
        // Most other groups are refused at once.
        let commutes = |other: &Permutation| first.then(other) == other.then(first);
        if generators.iter().any(|other| other.points() != points || !commutes(other)) {
            return None;
        }
        let orbits = orbits_of(points, generators)?;
        // Elements that act as turns of wheels commute.
        let steps = |element: &Permutation| {
            orbits.iter().map(|orbit| orbit.step(element)).collect::<Option<Vec<u32>>>()
        };
        let steps: Vec<Vec<u32>> = generators.iter().map(steps).collect::<Option<_>>()?;
        let modulus = orbits.iter().try_fold(1_u32, |all, orbit| {
            let length = u32::try_from(orbit.wheel.len()).ok()?;
            let common = u32::try_from(equations::gcd(all.into(), length.into())).ok()?;
            Some(all / common * length).filter(|&all| all < 1 << 15)
        })?;
        let families = families(&orbits, &steps)?;
        Some(Self { points, families, orbits, modulus })
    }

    /// The number of families: no element needs more generators.
    pub fn families(&self) -> usize {
        self.families.len()
    }

    /// A word of `count` generators from different families whose product is `element`, if there is
    /// one.
    ///
    /// `stop` gets the number of sets that were looked at so far, every few thousand. If it returns
    /// true, the search ends.
    pub fn word_of(
        &self,
        element: &Permutation,
        count: usize,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> FewestWords {
        let mut found = FewestWords { word: None, sets: 0, is_stopped: false };
        if element.points() != self.points {
            return found;
        }
        let moves = |&point: &u16| element.image(point) != point;
        let moved = (0..=u16::MAX).take(self.points).filter(moves);
        if moved.clone().any(|point| !self.orbits.iter().any(|o| o.wheel.contains(&point))) {
            return found;
        }
        let target = self.orbits.iter().map(|orbit| orbit.step(element));
        let Some(target) = target.collect::<Option<Vec<u32>>>() else { return found };
        if count == 0 {
            found.sets = 1;
            found.word = target.iter().all(|&step| step == 0).then(Vec::new);
        } else if count <= self.families.len() {
            match self.orbits.len() {
                ..=16 => self.choose::<16>(&target, count, stop, &mut found),
                _ => self.choose::<{ Self::MOST_ORBITS }>(&target, count, stop, &mut found),
            }
        }
        found
    }

    fn choose<const D: usize>(
        &self,
        target: &[u32],
        count: usize,
        stop: &mut dyn FnMut(u64) -> bool,
        found: &mut FewestWords,
    ) {
        let lengths: Vec<u32> = self.orbits.iter().map(Orbit::length).collect();
        let columns: Vec<&[u32]> = self.families.iter().map(|family| &family.steps[..]).collect();
        let primes = (2..=self.modulus)
            .filter(|&p| self.modulus.is_multiple_of(p) && (2..p).all(|q| !p.is_multiple_of(q)));
        let residues: Option<Vec<Residues<D>>> =
            primes.map(|prime| Residues::new(prime, &lengths, &columns, target)).collect();
        let fits = |chosen: &[usize]| {
            let columns: Vec<&[u32]> = chosen.iter().map(|&family| columns[family]).collect();
            let powers = equations::solve(&lengths, self.modulus, &columns, target)?;
            let op = |(&family, power): (&usize, u32)| {
                let powers = &self.families[family].powers;
                let order = powers.len() + 1;
                (power as usize % order).checked_sub(1).map(|power| powers[power])
            };
            Some(chosen.iter().zip(powers).filter_map(op).collect::<Vec<_>>())
        };
        // A modulus with too large a prime is left to the equations alone.
        let mut levels = vec![residues.unwrap_or_default(); count];
        let families = self.families.len();
        let mut choices =
            Choices { families, fits: &fits, stop, sets: 0, work: 0, is_stopped: false };
        found.word = choices.search(&mut levels, 0, &mut Vec::with_capacity(count));
        (found.sets, found.is_stopped) = (choices.sets, choices.is_stopped);
    }
}

impl Orbit {
    fn length(&self) -> u32 {
        u32::try_from(self.wheel.len()).unwrap_or(u32::MAX)
    }

    /// By how far an element turns the wheel. `None` if it does something else.
    fn step(&self, element: &Permutation) -> Option<u32> {
        let place = |point: u16| self.wheel.iter().position(|&other| other == point);
        let step = place(element.image(self.wheel[0]))?;
        let length = self.wheel.len();
        let turned =
            (0..length).all(|at| element.image(self.wheel[at]) == self.wheel[(at + step) % length]);
        turned.then(|| u32::try_from(step).unwrap_or(u32::MAX))
    }
}

/// The orbits of several points, each as the cycle of an element. `None` if on some orbit no short
/// product of generators is such a cycle, or there are too many.
fn orbits_of(points: usize, generators: &[Permutation]) -> Option<Vec<Orbit>> {
    let all = crate::orbits(points, generators);
    let several: Vec<Vec<u16>> = all.into_iter().filter(|orbit| orbit.len() > 1).collect();
    if several.len() > CommutingGroup::MOST_ORBITS {
        return None;
    }
    let pairs = || {
        let products = |a: &Permutation| generators.iter().map(|b| a.then(b)).collect::<Vec<_>>();
        generators.iter().flat_map(products)
    };
    let wheel = |orbit: &Vec<u16>| {
        let cycle = |element: &Permutation| {
            let mut wheel = vec![orbit[0]];
            let mut point = element.image(orbit[0]);
            while point != orbit[0] {
                wheel.push(point);
                point = element.image(point);
            }
            (wheel.len() == orbit.len()).then_some(Orbit { wheel })
        };
        let one = generators.iter().find_map(cycle);
        one.or_else(|| pairs().find_map(|element| cycle(&element)))
    };
    several.iter().map(wheel).collect()
}

/// The families of generators that are given by their steps. `None` if a power is missing, or a
/// generator is the identity.
fn families(orbits: &[Orbit], steps: &[Vec<u32>]) -> Option<Vec<Family>> {
    let lengths: Vec<u32> = orbits.iter().map(Orbit::length).collect();
    let is_nothing = |steps: &[u32]| steps.iter().all(|&step| step == 0);
    let after = |a: &[u32], b: &[u32]| -> Vec<u32> {
        a.iter().zip(b).zip(&lengths).map(|((a, b), length)| (a + b) % length).collect()
    };
    let mut known: HashMap<&[u32], usize> = HashMap::new();
    for (number, steps) in steps.iter().enumerate() {
        known.entry(steps).or_insert(number);
    }
    let mut all = Vec::new();
    for (number, own) in steps.iter().enumerate() {
        if is_nothing(own) {
            return None;
        }
        if known[&own[..]] != number {
            continue;
        }
        let (mut powers, mut power) = (Vec::new(), own.clone());
        while !is_nothing(&power) {
            powers.push(*known.get(&power[..])?);
            power = after(&power, own);
        }
        all.push(Family { powers, steps: own.clone() });
    }
    // A family within another one is not needed.
    all.sort_by_key(|family| std::cmp::Reverse(family.powers.len()));
    let mut covered = vec![false; steps.len()];
    all.retain(|family| {
        let needed = !covered[family.powers[0]];
        family.powers.iter().for_each(|&power| covered[power] = true);
        needed
    });
    Some(all)
}

#[cfg(test)]
mod tests;
