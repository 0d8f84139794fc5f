//! One level of a stabilizer chain: a base point, its orbit, and for each point of the orbit an
//! element that leads there.

use crate::Permutation;

/// Stands for "no point" and "not in the orbit".
pub(crate) const NONE: u16 = u16::MAX;

/// The orbit of a base point under a group, with a Schreier tree: for every point of the orbit, the
/// generator that led there.
///
/// The element of a point is the product of the generators on the tree's path from the base point
/// to it. The level stores only the inverses of the generators, because it only ever divides by
/// elements. Bytes: 2 for each point of the group and 4 for each point of the orbit. Each stored
/// generator takes 2 more for each point of the group.
#[derive(Clone, Debug)]
pub struct StabilizerLevel {
    pub(crate) base: u16,
    /// The points of the orbit, the base point first.
    pub(crate) orbit: Vec<u16>,
    /// For each point of the orbit, the index in `inverses` of the generator that led there;
    /// [`NONE`] for the base point.
    arrived: Vec<u16>,
    /// For each point of the group, its index in `orbit`, or [`NONE`].
    pub(crate) number: Vec<u16>,
    /// Inverses of the generators that the tree uses.
    pub(crate) inverses: Vec<Permutation>,
    /// The lowest point that a stored generator moves.
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

    /// The inverses of the stored generators, which reach the whole orbit from the base point.
    pub fn inverses(&self) -> &[Permutation] {
        &self.inverses
    }

    /// The level of `base` under these generators. Stores only the generators that the Schreier
    /// tree uses.
    pub(crate) fn new(points: usize, base: u16, generators: &[Permutation]) -> Self {
        let mut number = vec![NONE; points];
        number[usize::from(base)] = 0;
        let (orbit, arrived, inverses, low) = (vec![base], vec![NONE], Vec::new(), points);
        let mut level = Self { base, orbit, arrived, number, inverses, low };
        level.extend(generators);
        level
    }

    /// Extends the orbit to that under the stored generators and `generators`. Stores the new ones
    /// that the tree uses. Returns whether the orbit grew.
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

    /// Whether some of these generators takes a point of the orbit out of it.
    pub(crate) fn is_left_by(&self, generators: &[Permutation]) -> bool {
        let leaves = |generator: &Permutation| {
            let image = |&point| usize::from(generator.image(point));
            self.orbit.iter().any(|point| self.number[image(point)] == NONE)
        };
        generators.iter().any(leaves)
    }

    /// Divides `permutation` from the right by the element of `point`, which is in the orbit. If
    /// `permutation` takes a point to `point`, the quotient takes it to the base point.
    ///
    /// `permutation` must fix all points below `fixed`. Returns the first point that the quotient
    /// moves.
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

    /// The element of a point of the orbit: it takes the base point there.
    pub fn element(&self, point: u16) -> Permutation {
        let mut inverse = Permutation::fixing(self.number.len());
        self.divide(&mut inverse, point, self.number.len());
        inverse.inverse()
    }
}

/// A number of points or of stored generators, as 16 bits. Both fit, because each stored generator
/// added a point to the orbit.
fn narrow(value: usize) -> u16 {
    u16::try_from(value).expect("fewer points than 2^16")
}
