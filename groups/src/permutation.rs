//! A permutation of numbered points: [`Permutation`].

use crate::error::{GroupError, MOST_POINTS};

/// A permutation of the points `0 .. n`, `n` at most [`Permutation::MOST_POINTS`]. Two bytes a
/// point.
///
/// Products are read from left to right: `a.then(&b)` takes point `p` to `b[a[p]]`. To describe a
/// piece with orientations, use one point for each position and orientation of the piece.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permutation(Box<[u16]>);

impl Permutation {
    /// The maximum number of points. One 16-bit number is left for "no point".
    pub const MOST_POINTS: usize = MOST_POINTS;

    /// The permutation that fixes all points.
    ///
    /// # Errors
    /// If there are more than [`Permutation::MOST_POINTS`] points.
    pub fn identity(points: usize) -> Result<Self, GroupError> {
        check_points(points)?;
        Ok(Self::fixing(points))
    }

    /// The permutation that takes point `p` to `images[p]`.
    ///
    /// # Errors
    /// If there are too many points, or an image is not below their number or occurs twice.
    pub fn new(images: Vec<u16>) -> Result<Self, GroupError> {
        let points = images.len();
        check_points(points)?;
        let mut taken = vec![false; points];
        for (point, &image) in images.iter().enumerate() {
            match taken.get_mut(usize::from(image)) {
                None => return Err(GroupError::Outside { point, image, points }),
                Some(true) => return Err(GroupError::Twice { image }),
                Some(free) => *free = true,
            }
        }
        Ok(Self(images.into()))
    }

    /// The product of cycles, applied in their order. Each cycle takes each of its points to the
    /// next one and the last to the first.
    ///
    /// # Errors
    /// If there are too many points, or a cycle names a point twice or one that does not exist.
    pub fn from_cycles(points: usize, cycles: &[&[u16]]) -> Result<Self, GroupError> {
        let mut product = Self::identity(points)?;
        for cycle in cycles {
            let mut images = Self::fixing(points).0;
            for (i, &from) in cycle.iter().enumerate() {
                let image = cycle[(i + 1) % cycle.len()];
                let outside = GroupError::Outside { point: from.into(), image, points };
                *images.get_mut(usize::from(from)).ok_or(outside)? = image;
            }
            product.multiply(&Self::new(images.into())?);
        }
        Ok(product)
    }

    /// As [`Permutation::identity`], for a number of points that the caller has checked.
    pub(crate) fn fixing(points: usize) -> Self {
        Self((0..=u16::MAX).take(points).collect())
    }

    /// As [`Permutation::new`], for images that the caller knows to be a permutation.
    pub(crate) fn trusted(images: Box<[u16]>) -> Self {
        debug_assert!(Self::new(images.to_vec()).is_ok());
        Self(images)
    }

    /// The number of points, fixed points included.
    pub fn points(&self) -> usize {
        self.0.len()
    }

    /// The images of points 0, 1, 2 and so on.
    pub fn images(&self) -> &[u16] {
        &self.0
    }

    /// The image of a point.
    ///
    /// # Panics
    /// If there is no such point.
    #[inline(always)]
    pub fn image(&self, point: u16) -> u16 {
        self.0[usize::from(point)]
    }

    /// The product: this permutation first, then `other`, which has as many points.
    ///
    /// # Panics
    /// If `other` has fewer points.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let mut product = self.clone();
        product.multiply(other);
        product
    }

    /// Multiplies by another permutation from the right.
    pub(crate) fn multiply(&mut self, other: &Self) {
        self.multiply_from(0, other);
    }

    /// As [`Permutation::multiply`], for two permutations that fix all points below `low`.
    #[inline]
    pub(crate) fn multiply_from(&mut self, low: usize, other: &Self) {
        let other = &other.0[..];
        for image in &mut self.0[low..] {
            *image = other[usize::from(*image)];
        }
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = vec![0; self.points()];
        for (point, &image) in (0..).zip(&self.0) {
            inverse[usize::from(image)] = point;
        }
        Self(inverse.into())
    }

    /// Whether the permutation fixes every point.
    pub fn is_identity(&self) -> bool {
        self.first_moved(0) == self.points()
    }

    /// The first point at or above `low` that moves; the number of points if none does.
    pub(crate) fn first_moved(&self, low: usize) -> usize {
        let moved = |point: &usize| usize::from(self.0[*point]) != *point;
        (low..self.points()).find(moved).unwrap_or(self.points())
    }

    /// Whether the permutation is odd: a product of an odd number of transpositions.
    pub fn is_odd(&self) -> bool {
        self.is_odd_on(&Self::fixing(self.points()).0)
    }

    /// Whether the permutation is odd on a set of points that it maps onto itself.
    pub(crate) fn is_odd_on(&self, points: &[u16]) -> bool {
        let mut seen = vec![false; self.points()];
        let mut odd = false;
        for &start in points {
            let mut point = start;
            while !std::mem::replace(&mut seen[usize::from(point)], true) {
                point = self.image(point);
                odd ^= point != start;
            }
        }
        odd
    }
}

/// Shows the number of points and the cycles, without fixed points: `[5](0 1 4)`.
impl std::fmt::Debug for Permutation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut seen = vec![false; self.points()];
        write!(f, "[{}]", self.points())?;
        for start in (0..).take(self.points()) {
            if seen[usize::from(start)] || self.image(start) == start {
                continue;
            }
            let mut point = start;
            while !std::mem::replace(&mut seen[usize::from(point)], true) {
                write!(f, "{}{point}", if point == start { "(" } else { " " })?;
                point = self.image(point);
            }
            write!(f, ")")?;
        }
        Ok(())
    }
}

fn check_points(points: usize) -> Result<(), GroupError> {
    if points > Permutation::MOST_POINTS { Err(GroupError::Points { points }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_read_from_left_to_right() {
        let a = Permutation::from_cycles(5, &[&[0, 1, 2]]).expect("a cycle");
        let b = Permutation::from_cycles(5, &[&[2, 3], &[3, 4]]).expect("two cycles");
        assert_eq!((b.image(2), b.image(3), b.image(4)), (4, 2, 3));
        assert_eq!(a.then(&b).image(1), 4);
        assert!(a.then(&a.inverse()).is_identity() && !a.is_identity());
        assert_eq!(format!("{:?}", a.then(&b)), "[5](0 1 4 3 2)");
    }

    #[test]
    fn signs_are_those_of_transpositions() {
        let odd = |cycles: &[&[u16]]| Permutation::from_cycles(6, cycles).expect("cycles").is_odd();
        assert!(!odd(&[]) && odd(&[&[0, 1]]) && !odd(&[&[0, 1, 2]]) && odd(&[&[0, 1, 2, 3]]));
        assert!(!odd(&[&[0, 1], &[2, 3]]) && !odd(&[&[0, 1], &[0, 1]]));
        let swap = Permutation::from_cycles(6, &[&[0, 1], &[3, 4, 5]]).expect("cycles");
        assert!(swap.is_odd_on(&[0, 1, 2]) && !swap.is_odd_on(&[3, 4, 5]));
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        let error = |images: Vec<u16>| Permutation::new(images).expect_err("no permutation");
        assert_eq!(error(vec![0, 2]), GroupError::Outside { point: 1, image: 2, points: 2 });
        assert_eq!(error(vec![0, 1, 1]), GroupError::Twice { image: 1 });
        assert_eq!(error(vec![0; 1 << 16]), GroupError::Points { points: 1 << 16 });
        assert!(Permutation::from_cycles(3, &[&[0, 3]]).is_err());
        assert!(Permutation::from_cycles(3, &[&[3, 0]]).is_err());
        assert!(Permutation::from_cycles(3, &[&[0, 1, 0, 2]]).is_err());
        assert!(Permutation::new(Vec::new()).is_ok());
    }
}
