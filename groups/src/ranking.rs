//! Dense numbers for the images of a tuple of base points: [`Ranking`].

use crate::chain::{NONE, StabilizerLevel};
use crate::{GroupError, StabilizerChain};
use smallvec::SmallVec;
use std::ops::Range;

/// Tuples of up to this many points are ranked without allocation.
const SHORT: usize = 32;

/// The images of a few base points.
type Tuple = SmallVec<[u16; SHORT]>;

/// The perfect rank of the images of the first `k` base points under the elements of a group. Every
/// tuple of images that occurs has one of the numbers `0 .. size`; no other tuple has one.
///
/// To compute digit `i`, the ranking divides the tuple by the elements of digits `0 .. i`. The
/// digit is the index of the image of base point `i` in its orbit. Digit 0 is the most significant
/// one, so tuples that share their first images have neighbouring ranks. The base points themselves
/// have rank 0. With the whole base, every element of the group has a rank.
///
/// Time: `k (k + 1) / 2` lookups; each digit depends on the one before. Bytes for a group of `n`
/// points: `4 n` for each point of the `k` orbits, and `2 n` for each of the `k` base points.
#[derive(Clone, Debug)]
pub struct Ranking {
    points: usize,
    base: Vec<u16>,
    size: u64,
    rows: Vec<Row>,
    /// For each base point, the digit of every point, or [`NONE`].
    digits: Vec<u16>,
    /// For each base point and digit, the image of every point under the inverse of the digit's
    /// element.
    inverses: Vec<u16>,
    /// As `inverses`, but under the element itself.
    elements: Vec<u16>,
    /// The points of the orbits, one orbit after the other.
    orbits: Vec<u16>,
}

/// Where the entries of one base point begin in the tables of [`Ranking`].
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The length of the orbit.
    length: u64,
    digits: usize,
    /// The start in `inverses` and in `elements`.
    tables: usize,
    orbit: usize,
}

impl Ranking {
    /// Ranks the first `k` points of the chain's base.
    ///
    /// # Errors
    /// If the base has fewer points, or there are 2^64 ranks or more.
    pub fn new(chain: &StabilizerChain, k: usize) -> Result<Self, GroupError> {
        let base = chain.levels().len();
        let levels = chain.levels().get(..k).ok_or(GroupError::Tuple { asked: k, base })?;
        Self::of_levels(chain.points(), &levels.iter().collect::<Vec<_>>())
    }

    /// Ranks the base points of these levels of one chain, in their order. `levels` may skip levels
    /// before its first one, and levels whose orbit is one point.
    ///
    /// # Errors
    /// If there are 2^64 ranks or more.
    pub fn of_levels(points: usize, levels: &[&StabilizerLevel]) -> Result<Self, GroupError> {
        let lengths = || levels.iter().map(|level| level.orbit.len());
        let size = lengths()
            .try_fold(1_u64, |size, length| size.checked_mul(length as u64))
            .ok_or_else(|| GroupError::TooMany { lengths: lengths().collect() })?;
        let mut ranking = Self {
            points,
            base: levels.iter().map(|level| level.base).collect(),
            size,
            rows: Vec::with_capacity(levels.len()),
            digits: Vec::with_capacity(points * levels.len()),
            inverses: Vec::new(),
            elements: Vec::new(),
            orbits: Vec::new(),
        };
        for level in levels {
            ranking.rows.push(Row {
                length: level.orbit.len() as u64,
                digits: ranking.digits.len(),
                tables: ranking.inverses.len(),
                orbit: ranking.orbits.len(),
            });
            ranking.digits.extend(&level.number);
            ranking.orbits.extend(&level.orbit);
            for &point in &level.orbit {
                let element = level.element(point);
                ranking.elements.extend(element.images());
                ranking.inverses.extend(element.inverse().images());
            }
        }
        Ok(ranking)
    }

    /// The number of ranks: the product of the lengths of the orbits.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The base points whose images are ranked.
    pub fn base(&self) -> &[u16] {
        &self.base
    }

    /// The size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        2 * (self.digits.len() + self.inverses.len() + self.elements.len() + self.orbits.len())
    }

    /// A hash of the tables. Two rankings with the same hash give the same rank to every tuple. A
    /// file that is indexed by ranks stores it to tell whether it fits a ranking.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for table in [&self.base, &self.orbits, &self.digits, &self.inverses] {
            hasher.update(&(table.len() as u64).to_le_bytes());
            table.iter().for_each(|value| _ = hasher.update(&value.to_le_bytes()));
        }
        *hasher.finalize().as_bytes()
    }

    /// The rank of a tuple: `images[i]` is the image of base point `i`. `None` if no element of the
    /// group has these images, or if the tuple is not as long as the base.
    #[inline]
    pub fn rank(&self, images: &[u16]) -> Option<u64> {
        if images.len() != self.rows.len() {
            return None;
        }
        if images.len() <= SHORT {
            let mut tuple = [0; SHORT];
            tuple[..images.len()].copy_from_slice(images);
            self.rank_in_place(&mut tuple[..images.len()])
        } else {
            self.rank_in_place(&mut images.to_vec())
        }
    }

    /// As [`Ranking::rank`], but overwrites the tuple with arbitrary points. The tuple must be as
    /// long as the base.
    #[inline(always)]
    pub fn rank_in_place(&self, tuple: &mut [u16]) -> Option<u64> {
        let mut rank = 0;
        for (i, row) in self.rows.iter().enumerate() {
            let digit = *self.digits[row.digits..][..self.points].get(usize::from(tuple[i]))?;
            if digit == NONE {
                return None;
            }
            rank = rank * row.length + u64::from(digit);
            let at = row.tables + usize::from(digit) * self.points;
            let inverse = &self.inverses[at..][..self.points];
            for image in &mut tuple[i + 1..] {
                *image = *inverse.get(usize::from(*image))?;
            }
        }
        Some(rank)
    }

    /// The images of the base points that have this rank; `None` if it is not below
    /// [`Ranking::size`].
    pub fn unrank(&self, rank: u64) -> Option<Vec<u16>> {
        let mut images = Tuple::from_elem(0, self.rows.len());
        self.unrank_into(rank, &mut images).then(|| images.to_vec())
    }

    /// Overwrites `images`, which is as long as the base, with the images that have this rank.
    /// Returns false if the rank is not below [`Ranking::size`]; the images then mean nothing.
    pub fn unrank_into(&self, mut rank: u64, images: &mut [u16]) -> bool {
        for (i, row) in self.rows.iter().enumerate().rev() {
            let digit = usize::try_from(rank % row.length).expect("below the length of an orbit");
            rank /= row.length;
            images[i] = self.orbits[row.orbit + digit];
            let element = &self.elements[row.tables + digit * self.points..][..self.points];
            // The elements of lower-numbered digits act after this one.
            for image in &mut images[i + 1..] {
                *image = element[usize::from(*image)];
            }
        }
        rank == 0
    }

    /// The number of points of the group.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// The number of ranks that the digits of some base points have alone.
    pub(crate) fn digits_of(&self, levels: Range<usize>) -> u64 {
        self.rows[levels].iter().map(|row| row.length).product()
    }

    /// The digits of some base points, from their rank alone.
    pub(crate) fn split(&self, mut rank: u64, levels: Range<usize>) -> Vec<usize> {
        let mut digit = |row: &Row| {
            let digit = rank % row.length;
            rank /= row.length;
            usize::try_from(digit).expect("below the length of an orbit")
        };
        let mut digits: Vec<_> = self.rows[levels].iter().rev().map(&mut digit).collect();
        digits.reverse();
        digits
    }

    /// The image of a point under the element of a digit.
    pub(crate) fn image(&self, level: usize, digit: usize, point: u16) -> u16 {
        let at = self.rows[level].tables + digit * self.points;
        self.elements[at..][..self.points][usize::from(point)]
    }

    /// The point that the element of a digit takes to this one.
    pub(crate) fn preimage(&self, level: usize, digit: usize, point: u16) -> u16 {
        let at = self.rows[level].tables + digit * self.points;
        self.inverses[at..][..self.points][usize::from(point)]
    }
}
