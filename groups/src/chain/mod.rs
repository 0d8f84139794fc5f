//! A group of permutations as a chain of stabilizers: [`StabilizerChain`].

mod bound;
mod construct;
mod level;

use crate::{GroupError, Permutation};
use num_bigint::BigUint;

pub(crate) use level::NONE;
pub use level::StabilizerLevel;

/// A permutation group given by generators: its exact order, membership, random elements, and
/// elements by number.
///
/// Level `i` belongs to base point `b[i]`. It holds the orbit of `b[i]` under the elements that fix
/// `b[0] .. b[i - 1]`. For each point of the orbit it has one such element that takes `b[i]` there.
///
/// Every element of the group is a product `u[m - 1] .. u[1] u[0]` in exactly one way. Here `u[i]`
/// is an element of level `i`. Its *digits* are the indices of the points of `u[0], u[1], ..` in
/// their orbits. Digit 0 stands for the base point.
///
/// *Invariant:* the chain is complete. Random elements build it; an upper bound on the order or
/// Schreier's lemma then proves that nothing is missing. The same generators in the same order give
/// the same chain on every machine. Another release may order the orbits differently and choose
/// other elements.
///
/// Memory: at most 6 bytes for each level and point, and 2 for each level, point and generator that
/// the level stores.
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
    /// The base begins with the points of `prefix`, also those whose orbit is one point. Each
    /// further base point is the first point that still moves.
    ///
    /// Time: for 2,400 points in 100 orbits (the layers of a 20x20x20 cube), seconds.
    ///
    /// # Errors
    /// If there are more than [`Permutation::MOST_POINTS`] points, or a generator has another
    /// number of points. Also if `prefix` names a point twice, or one that does not exist.
    pub fn new(
        points: usize,
        generators: &[Permutation],
        prefix: &[u16],
    ) -> Result<Self, GroupError> {
        Self::new_until(points, generators, prefix, &|| false)
    }

    /// As [`StabilizerChain::new`], but ends with an error once `stop` returns true.
    ///
    /// `stop` is called before every division of an element, some thousand times a second.
    ///
    /// # Errors
    /// As [`StabilizerChain::new`], and [`GroupError::Stopped`].
    pub fn new_until(
        points: usize,
        generators: &[Permutation],
        prefix: &[u16],
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, GroupError> {
        check_generators(points, generators, prefix)?;
        Ok(Self { points, levels: construct::levels(points, generators, prefix, stop)? })
    }

    /// The levels, one for each base point.
    pub fn levels(&self) -> &[StabilizerLevel] {
        &self.levels
    }

    /// The number of points that the group permutes.
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

    /// The number of elements of the group.
    pub fn order(&self) -> BigUint {
        construct::order(&self.levels)
    }

    /// Whether a permutation is in the group. Time: one walk up a Schreier tree for each level.
    pub fn contains(&self, permutation: &Permutation) -> bool {
        self.digits(permutation).is_some()
    }

    /// The digits of an element, one for each base point; `None` if the group does not contain it.
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

    /// The element with these digits. `None` if there is not exactly one digit for each base point,
    /// or a digit is not below the length of its orbit.
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

    /// The element that takes the `i`-th base point to `images[i]`, for every `i`; `None` if there
    /// is none. Time: two walks up a Schreier tree for each level.
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

    /// A uniformly random element. `below(n)` must return uniform integers below `n`; it is called
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
/// If there are more than [`Permutation::MOST_POINTS`] points, or a generator has another number of
/// points. Also if `prefix` names a point twice, or one that does not exist.
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
