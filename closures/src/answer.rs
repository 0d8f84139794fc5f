//! What a search from closures found: [`ClosureAnswer`] and [`StatePath`].

use search::Report;

/// A plan as the states along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath<N, C> {
    /// The states from the start to the goal, both included.
    pub states: Vec<N>,
    /// The cost of the path: the sum of the costs of its steps.
    pub cost: C,
}

/// The paths that a search from closures found, and its report. `C` is the type of the costs that
/// the closures return.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClosureAnswer<N, C> {
    /// The paths: one for each plan of the report, in the same order.
    pub paths: Vec<StatePath<N, C>>,
    /// The outcome, the proven lower bound and the counts. An operator of a plan is a position in
    /// the list of successors.
    pub report: Report<C>,
}

impl<N, C> ClosureAnswer<N, C> {
    /// The first path, if the search found one.
    pub fn path(&self) -> Option<&StatePath<N, C>> {
        self.paths.first()
    }
}
