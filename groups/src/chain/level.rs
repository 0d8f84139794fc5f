//! One level of a stabilizer chain: a base point, its orbit, and for each point of it an element
//! that leads there.

use crate::Permutation;

/// No point, or not in the orbit.
pub(crate) const NONE: u16 = u16::MAX;

/// The orbit of a base point under a group, with a Schreier tree: for every point of the orbit the
/// generator that led there.
///
/// The element of a point is the product of the generators on the way from the base point. Only
/// their inverses are kept, because to divide by elements is all that is done with them. Bytes: 4 a
/// point of the group, 4 a point of the orbit, 2 a point for each generator.
#[derive(Clone, Debug)]
pub struct StabilizerLevel {
    pub(crate) base: u16,
    /// The points of the orbit, the base point first.
    pub(crate) orbit: Vec<u16>,
    /// For each point of the orbit but the first, the generator that led there.
    arrived: Vec<u16>,
    /// For each point of the group, its number in the orbit, or [`NONE`].
    pub(crate) number: Vec<u16>,
    /// Inverses of the generators that the tree uses.
    pub(crate) inverses: Vec<Permutation>,
    /// The first point that a generator moves.
    low: usize,
}

impl StabilizerLevel {
    /// The base point.
    pub fn base(&self) -> u16 {
        self.base
    }

    /// The points of the orbit, the base point first.
    pub fn orbit(&self) -> &[u16] {
        &self.orbit
    }

    /// Inverses of generators that reach the whole orbit.
    pub fn inverses(&self) -> &[Permutation] {
        &self.inverses
    }

    /// The orbit of `base` under these generators, of which only those are kept that the tree uses.
    pub(crate) fn new(points: usize, base: u16, generators: &[Permutation]) -> Self {
        let mut number = vec![NONE; points];
        number[usize::from(base)] = 0;
        let (orbit, arrived, inverses, low) = (vec![base], vec![NONE], Vec::new(), points);
        let mut level = Self { base, orbit, arrived, number, inverses, low };
        level.extend(generators);
        level
    }

    /// Makes the orbit that of the group which the kept and these generators generate. True if it
    /// grew.
    pub(crate) fn extend(&mut self, generators: &[Permutation]) -> bool {
        let size = self.orbit.len();
        let kept = self.inverses.len();
        let mut forward: Vec<Permutation> =
            self.inverses.iter().map(Permutation::inverse).collect();
        forward.extend_from_slice(generators);
        let mut number_of: Vec<u16> = (0..=NONE).take(kept).collect();
        number_of.resize(forward.len(), NONE);
        let mut next = 0;
        while next < self.orbit.len() {
            let from = self.orbit[next];
            for (generator, kept) in forward.iter().zip(&mut number_of) {
                let to = generator.image(from);
                if self.number[usize::from(to)] != NONE {
                    continue;
                }
                if *kept == NONE {
                    *kept = narrow(self.inverses.len());
                    self.low = self.low.min(generator.first_moved(0));
                    self.inverses.push(generator.inverse());
                }
                self.number[usize::from(to)] = narrow(self.orbit.len());
                self.orbit.push(to);
                self.arrived.push(*kept);
            }
            next += 1;
        }
        self.orbit.len() > size
    }

    /// Whether these generators lead out of the orbit.
    pub(crate) fn is_left_by(&self, generators: &[Permutation]) -> bool {
        let leaves = |generator: &Permutation| {
            let image = |&point| usize::from(generator.image(point));
            self.orbit.iter().any(|point| self.number[image(point)] == NONE)
        };
        generators.iter().any(leaves)
    }

    /// Divides by the element of a point in the orbit, from the right: what took something to
    /// `point` takes it to the base point then. The permutation fixes all points before `fixed`;
    /// the answer is the same for the quotient.
    #[inline]
    pub(crate) fn divide(
        &self,
        permutation: &mut Permutation,
        mut point: u16,
        fixed: usize,
    ) -> usize {
        if point == self.base {
            return fixed;
        }
        let low = self.low.min(fixed);
        while point != self.base {
            let number = usize::from(self.number[usize::from(point)]);
            let inverse = &self.inverses[usize::from(self.arrived[number])];
            permutation.multiply_from(low, inverse);
            point = inverse.image(point);
        }
        permutation.first_moved(low)
    }

    /// The element that leads from the base point to a point of the orbit.
    pub fn element(&self, point: u16) -> Permutation {
        let mut inverse = Permutation::fixing(self.number.len());
        self.divide(&mut inverse, point, self.number.len());
        inverse.inverse()
    }
}

/// Numbers of points and of generators of an orbit fit 16 bits: each generator that is kept added a
/// point.
fn narrow(value: usize) -> u16 {
    u16::try_from(value).expect("fewer points than 2^16")
}
