//! Numbers for the elements of a group: [`ChainRanks`].

use super::ranks::Ranks;
use crate::plain::PlainMove;
use crate::plain::puzzle::{PlainError, is_permutation};

/// Stands for a point to which no coset of a level leads.
const NONE: u16 = u16::MAX;

/// A level of a stabilizer chain: permutations that fix the points of the levels before. They send
/// the point of this level to different points: all points where a state that fixes those may have
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLevel {
    /// The point.
    pub point: u16,
    /// The permutations.
    pub cosets: Vec<Vec<u16>>,
}

/// States by the cosets of the levels that they are products of.
pub(super) struct ChainRanks {
    points: usize,
    levels: Vec<Level>,
    /// For each move: the inverse permutation, and the cost.
    moves: Vec<(Vec<u16>, u16)>,
}

/// A level as arrays. Rows have an item for each point.
struct Level {
    point: usize,
    count: usize,
    /// The permutations, row by row, and their inverses.
    cosets: Vec<u16>,
    inverses: Vec<u16>,
    /// For each point: the number of the coset that leads there.
    number: Vec<u16>,
}

/// The digits of a state, and for each level the product of the cosets down to it.
pub(super) struct Product {
    digits: Vec<usize>,
    products: Vec<u16>,
    images: Vec<u16>,
}

impl ChainRanks {
    /// # Errors
    /// If a coset is no permutation of the points, or two send the point to one.
    pub(super) fn new(
        points: usize,
        moves: &[PlainMove<Vec<u16>>],
        levels: &[ChainLevel],
    ) -> Result<Self, PlainError> {
        let levels = levels.iter().map(|level| Level::new(points, level)).collect::<Option<_>>();
        let wrong = || PlainError::new("levels: expected permutations to different points");
        let inverted = |one: &PlainMove<Vec<u16>>| (inverse(&one.effect), one.cost);
        let moves = moves.iter().map(inverted).collect();
        Ok(Self { points, levels: levels.ok_or_else(wrong)?, moves })
    }

    /// The number of states. `None` if it does not fit an index.
    pub(super) fn entries(levels: &[ChainLevel]) -> Option<usize> {
        levels.iter().map(|level| level.cosets.len()).try_fold(1, usize::checked_mul)
    }

    /// The number of the state that has these images of the points of the levels. `None` if there
    /// is none.
    #[inline]
    fn rank(&self, images: &mut [u16]) -> Option<usize> {
        let mut rank = 0;
        for (number, level) in self.levels.iter().enumerate() {
            let digit = level.number[usize::from(images[number])];
            if digit == NONE {
                return None;
            }
            rank = rank * level.count + usize::from(digit);
            let inverse = &level.inverses[usize::from(digit) * self.points..][..self.points];
            for image in &mut images[number + 1..] {
                *image = inverse[usize::from(*image)];
            }
        }
        Some(rank)
    }

    /// Makes the product of the state with this number. Only the levels from the first digit that
    /// changes are multiplied again.
    fn multiply(&self, mut rank: usize, product: &mut Product) {
        let mut changed = self.levels.len();
        for (number, level) in self.levels.iter().enumerate().rev() {
            let digit = rank % level.count;
            rank /= level.count;
            if product.digits[number] != digit {
                (product.digits[number], changed) = (digit, number);
            }
        }
        for (number, level) in self.levels.iter().enumerate().skip(changed) {
            let coset = &level.cosets[product.digits[number] * self.points..][..self.points];
            let (before, own) = product.products.split_at_mut(number * self.points);
            let own = &mut own[..self.points];
            match before.len().checked_sub(self.points) {
                None => own.copy_from_slice(coset),
                Some(last) => {
                    let before = &before[last..];
                    own.iter_mut().zip(coset).for_each(|(to, &at)| *to = before[usize::from(at)]);
                }
            }
        }
    }
}

impl Level {
    fn new(points: usize, level: &ChainLevel) -> Option<Self> {
        let fits = |coset: &Vec<u16>| coset.len() == points && is_permutation(coset);
        let point = usize::from(level.point);
        if !level.cosets.iter().all(fits) || point >= points || level.cosets.is_empty() {
            return None;
        }
        let mut number = vec![NONE; points];
        for (digit, coset) in (0..NONE).zip(&level.cosets) {
            let number = &mut number[usize::from(coset[point])];
            if *number != NONE {
                return None;
            }
            *number = digit;
        }
        let inverses = level.cosets.iter().flat_map(|coset| inverse(coset)).collect();
        let (count, cosets) = (level.cosets.len(), level.cosets.concat());
        Some(Self { point, count, cosets, inverses, number })
    }
}

/// The inverse of a permutation.
fn inverse(permutation: &[u16]) -> Vec<u16> {
    let mut inverse = vec![0; permutation.len()];
    for (point, &image) in (0..=u16::MAX).zip(permutation) {
        inverse[usize::from(image)] = point;
    }
    inverse
}

impl Ranks for ChainRanks {
    type Scratch = Product;

    fn goal(&self) -> usize {
        let points = self.levels.iter().filter_map(|level| u16::try_from(level.point).ok());
        self.rank(&mut points.collect::<Vec<_>>()).unwrap_or(0)
    }

    fn scratch(&self) -> Product {
        let count = self.levels.len();
        Product {
            digits: vec![usize::MAX; count],
            products: vec![0; count * self.points],
            images: vec![0; count],
        }
    }

    #[inline]
    fn before(&self, rank: usize, product: &mut Product, mut tell: impl FnMut(usize, u16)) -> bool {
        self.multiply(rank, product);
        let Product { products, images, .. } = product;
        let Some(first) = products.len().checked_sub(self.points) else { return true };
        let state = &products[first..];
        for (back, cost) in &self.moves {
            for (image, level) in images.iter_mut().zip(&self.levels) {
                *image = state[usize::from(back[level.point])];
            }
            match self.rank(images) {
                Some(rank) => tell(rank, *cost),
                None => return false,
            }
        }
        true
    }
}
