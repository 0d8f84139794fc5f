//! A group of permutations as a chain of stabilizers: [`StabilizerChain`].

mod bound;
mod construct;
mod level;

use crate::{GroupError, Permutation};
use num_bigint::BigUint;

pub(crate) use level::NONE;
pub use level::StabilizerLevel;

/// A permutation group given by generators: its exact order, membership, random elements, elements
/// by number.
///
/// For base points `b[0], b[1], ..` level `i` holds the orbit of `b[i]` under the elements that fix
/// `b[0] .. b[i - 1]`, and for each point of the orbit an element that leads there. Every element
/// of the group is, in one way, a product `u[m - 1] .. u[1] u[0]` with one of those of each level;
/// the numbers of the points in their orbits are its *digits*, and the number of the base point is
/// 0.
///
/// *Invariant:* the chain is proven complete, see the crate's documentation. The same generators in
/// the same order give the same chain on every machine; another release may find other orders of
/// orbits and other elements.
///
/// Memory: for each level 4 bytes a point and, for two or three generators, 2 bytes a point.
#[derive(Clone)]
pub struct StabilizerChain {
    points: usize,
    levels: Vec<StabilizerLevel>,
}

impl std::fmt::Debug for StabilizerChain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StabilizerChain")
            .field("points", &self.points)
            .field("base", &self.base())
            .field("orbits", &self.orbit_lengths())
            .finish()
    }
}

impl StabilizerChain {
    /// The chain of the group that these permutations of `points` points generate.
    ///
    /// The base begins with the points of `prefix`, even where the points before fix them. Each
    /// further base point is the first point that still moves.
    ///
    /// Time: see the crate's documentation.
    ///
    /// # Errors
    /// Too many points, generators of another number of points, base points outside or twice.
    pub fn new(
        points: usize,
        generators: &[Permutation],
        prefix: &[u16],
    ) -> Result<Self, GroupError> {
        check_generators(points, generators, prefix)?;
        Ok(Self { points, levels: construct::levels(points, generators, prefix) })
    }

    /// The levels, one for each base point.
    pub fn levels(&self) -> &[StabilizerLevel] {
        &self.levels
    }

    /// How many points the permutations have.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The base points.
    pub fn base(&self) -> Vec<u16> {
        self.levels.iter().map(|level| level.base).collect()
    }

    /// The length of each level's orbit: the factors of the order.
    pub fn orbit_lengths(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.orbit.len()).collect()
    }

    /// How many elements the group has.
    pub fn order(&self) -> BigUint {
        construct::order(&self.levels)
    }

    /// Whether a permutation is an element. Time: some products of permutations a level.
    pub fn contains(&self, permutation: &Permutation) -> bool {
        self.digits(permutation).is_some()
    }

    /// The digits of an element, as many as base points; none if it is no element.
    pub fn digits(&self, permutation: &Permutation) -> Option<Vec<u16>> {
        if permutation.points() != self.points {
            return None;
        }
        let mut rest = permutation.clone();
        let mut fixed = rest.first_moved(0);
        let mut digits = Vec::with_capacity(self.levels.len());
        for level in &self.levels {
            let image = rest.image(level.base);
            let digit = level.number[usize::from(image)];
            if digit == NONE {
                return None;
            }
            fixed = level.divide(&mut rest, image, fixed);
            digits.push(digit);
        }
        rest.is_identity().then_some(digits)
    }

    /// The element with these digits; none if there are not as many as base points, or one is not
    /// below the length of its orbit.
    pub fn element(&self, digits: &[u16]) -> Option<Permutation> {
        if digits.len() != self.levels.len() {
            return None;
        }
        let mut inverse = Permutation::fixing(self.points);
        let mut fixed = self.points;
        for (level, &digit) in self.levels.iter().zip(digits) {
            let &point = level.orbit.get(usize::from(digit))?;
            fixed = level.divide(&mut inverse, point, fixed);
        }
        Some(inverse.inverse())
    }

    /// The element that takes the base points there, in their order; none if no element does. Time:
    /// some products of permutations a level.
    pub fn element_taking(&self, images: &[u16]) -> Option<Permutation> {
        let outside = |&image: &u16| usize::from(image) >= self.points;
        if images.len() != self.levels.len() || images.iter().any(outside) {
            return None;
        }
        let (mut images, mut digits) = (images.to_vec(), Vec::with_capacity(images.len()));
        for (i, level) in self.levels.iter().enumerate() {
            let digit = level.number[usize::from(images[i])];
            if digit == NONE {
                return None;
            }
            let inverse = level.element(images[i]).inverse();
            images[i + 1..].iter_mut().for_each(|image| *image = inverse.image(*image));
            digits.push(digit);
        }
        self.element(&digits)
    }

    /// A uniformly random element. `below(n)` must give uniform integers below `n`; it is asked
    /// once for each level.
    pub fn random(&self, mut below: impl FnMut(u64) -> u64) -> Permutation {
        let digit = |level: &StabilizerLevel| {
            u16::try_from(below(level.orbit.len() as u64)).expect("below the length of an orbit")
        };
        let digits: Vec<u16> = self.levels.iter().map(digit).collect();
        self.element(&digits).expect("digits below the lengths of their orbits")
    }
}

/// Checks that generators and base points fit `points` points.
///
/// # Errors
/// Too many points, generators of another number of points, base points outside or twice.
pub fn check_generators(
    points: usize,
    generators: &[Permutation],
    prefix: &[u16],
) -> Result<(), GroupError> {
    Permutation::identity(points)?;
    for (number, generator) in generators.iter().enumerate() {
        let found = generator.points();
        if found != points {
            return Err(GroupError::Generator { number, found, points });
        }
    }
    for (i, &point) in prefix.iter().enumerate() {
        if usize::from(point) >= points || prefix[..i].contains(&point) {
            return Err(GroupError::Base { point, points });
        }
    }
    Ok(())
}
