//! The table of a projection as a heuristic: [`ProjectedDatabase`].

use super::distances::{Distances, UNREACHED};
use crate::table::Histogram;
use search::{Charged, Claims, Cost, Domain, Heuristic, Verdict};
use std::hash::Hash;

/// From where a table was built. It says what is known of images that are not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuildDirection {
    /// From the goals. A missing image reaches no goal.
    Backward,
    /// From starts. No start leads to a missing image.
    Forward,
}

/// The heuristic of a [`Projection`](super::Projection): the bound of a state is the distance of
/// its image in the abstract graph.
///
/// An entry has 8 bits if all distances are at most 254, else 16. The searches of a [`Domain`] find
/// plans of cost 250 or less, so as their [`Heuristic`] a greater distance is 254.
/// [`ProjectedDatabase::distance`] tells it in full, for searches with greater costs.
///
/// Admissible: yes, and consistent: yes, if the projection keeps its contract. An operator from `s`
/// to `t` that changes the image is an edge from the image of `s` to that of `t`, and costs no
/// less.
///
/// [`Max`](search::Max) combines several. [`Additive`](search::Additive) adds several whose
/// projections charge disjoint features.
#[derive(Clone)]
pub struct ProjectedDatabase<S, F, C = ()> {
    image: F,
    charged: C,
    pub(super) table: Distances<S>,
    pub(super) direction: BuildDirection,
}

impl<S: Eq + Hash, F, C> ProjectedDatabase<S, F, C> {
    pub(super) fn new(
        image: F,
        charged: C,
        table: Distances<S>,
        direction: BuildDirection,
    ) -> Self {
        Self { image, charged, table, direction }
    }

    /// The distance of an image, and the bound of all states that have it. `None` says that it
    /// reaches no goal.
    #[inline(always)]
    pub fn get(&self, image: &S) -> Option<u16> {
        match (self.table.get(image), self.direction) {
            (Some(UNREACHED), _) | (None, BuildDirection::Backward) => None,
            (None, BuildDirection::Forward) => Some(0),
            (distance, _) => distance,
        }
    }

    /// The distance of the image of a state: a lower bound on the cost of its plans. `None` says
    /// that it has none.
    #[inline(always)]
    pub fn distance(&self, state: &S) -> Option<u16>
    where
        F: Fn(&S) -> S,
    {
        self.get(&(self.image)(state))
    }

    /// The bits of an entry: 8 or 16.
    pub fn bits(&self) -> u32 {
        self.table.bits()
    }

    /// Whether the table has this image.
    pub(crate) fn contains(&self, image: &S) -> bool {
        self.table.get(image).is_some()
    }

    /// The images of the table, in no order.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn images(&self) -> impl Iterator<Item = &S> {
        self.table.iter().map(|(image, _)| image)
    }

    /// How many images of the table have each distance.
    pub fn histogram(&self) -> Histogram {
        self.table.histogram()
    }
}

impl<D, F, C> Heuristic<D> for ProjectedDatabase<D::State, F, C>
where
    D: Domain<State: Eq + Hash>,
    F: Fn(&D::State) -> D::State + Sync,
    C: Sync,
{
    search::carry_nothing! { D }
    const CLAIMS: Claims = Claims::DEAD_ENDS.and_consistent();
    #[inline(always)]
    fn bound(&self, _: &D, state: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        // A great distance is no dead end.
        let most = |distance| Cost::try_from(distance).unwrap_or(Cost::MAX).min(Cost::MAX - 1);
        Verdict::bound(self.distance(state).map_or(Cost::MAX, most))
    }
}

/// The charged features are those of [`Projection::charging`](super::Projection::charging).
impl<S, F> Charged for ProjectedDatabase<S, F, Vec<u64>> {
    fn features(&self) -> &[u64] {
        &self.charged
    }
}

impl<S: Eq + Hash, F, C> std::fmt::Debug for ProjectedDatabase<S, F, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("ProjectedDatabase");
        debug.field("entries", &self.table.len()).field("bits", &self.bits());
        debug.finish_non_exhaustive()
    }
}
