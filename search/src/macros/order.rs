//! A serial order of features: [`SerialOrder`].

use crate::domain::Domain;

/// A serial order of the features of a domain's states.
///
/// Laws, in [`testing::check_serial`](crate::testing::check_serial):
/// - Whether an operator applies depends on feature 0 only. If every operator applies everywhere,
///   feature 0 may be any feature. On sliding tiles it is the blank.
/// - The value of feature `i` after an operator depends only on the features `0 ..= i` before it.
/// - A state whose features have the values of a goal is a goal.
pub trait SerialOrder<D: Domain>: Sync {
    /// The number of features.
    fn features(&self) -> usize;
    /// The number of values of a feature, at most 2^32. Values are numbered from 0. Not all of them
    /// need to occur.
    fn values(&self, feature: usize) -> usize;
    /// The value of a feature, below [`SerialOrder::values`].
    fn value(&self, domain: &D, state: &D::State, feature: usize) -> usize;
}
