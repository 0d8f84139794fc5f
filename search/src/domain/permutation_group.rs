//! Groups whose elements permute points: [`PermutationGroup`].

use super::Group;

/// A group whose elements are permutations of numbered *points*.
///
/// A stack of pancakes permutes its places. A corner of the cube has three points, one for each of
/// its stickers. The laws are in
/// [`testing::check_permutation_group`](crate::testing::check_permutation_group).
pub trait PermutationGroup: Group {
    /// The number of points, at most 65,536. They are numbered from 0.
    fn points(&self) -> usize;
    /// The image of a point under an element. Different elements differ in the image of some point.
    /// The product `a b` of [`Group::compose`] takes a point `p` to
    /// `image(a, image(b, p))`.
    fn image(&self, element: &Self::State, point: usize) -> usize;
}
