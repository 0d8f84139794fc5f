//! The table of a projection as a heuristic: [`ProjectedDatabase`].

use crate::table::Histogram;
use rustc_hash::FxHashMap;
use search::{Charged, Cost, Domain, Heuristic, Op, Verdict};
use std::hash::Hash;

/// The heuristic of a [`Projection`](super::Projection): the bound of a state is the distance of
/// its image in the abstract graph.
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
    table: FxHashMap<S, Cost>,
    /// The bound of images that are not in the table.
    missing: Cost,
}

impl<S: Eq + Hash, F, C> ProjectedDatabase<S, F, C> {
    pub(super) fn new(image: F, charged: C, table: FxHashMap<S, Cost>, missing: Cost) -> Self {
        Self { image, charged, table, missing }
    }

    /// The distance of an image, and the bound of all states that have it. [`Cost::MAX`] says that
    /// it reaches no goal.
    pub fn get(&self, image: &S) -> Cost {
        self.table.get(image).copied().unwrap_or(self.missing)
    }

    /// How many images of the table have each distance.
    pub fn histogram(&self) -> Histogram {
        let mut counts = vec![0; usize::from(Cost::MAX) + 1];
        self.table.values().for_each(|&distance| counts[usize::from(distance)] += 1);
        let unreached = counts.pop().unwrap_or(0);
        counts.truncate(counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
        Histogram { counts, unreached, entries: self.table.len() as u64 }
    }
}

impl<D, F, C> Heuristic<D> for ProjectedDatabase<D::State, F, C>
where
    D: Domain<State: Eq + Hash>,
    F: Fn(&D::State) -> D::State + Sync,
    C: Sync,
{
    type Carry = ();
    const DEAD_ENDS: bool = true;
    #[inline(always)]
    fn root(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn child(&self, _: &D, _: &D::State, (): &(), _: Op, _: &D::State) {}
    #[inline(always)]
    fn bound(&self, _: &D, state: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(self.get(&(self.image)(state)))
    }
    fn consistent(&self) -> bool {
        true
    }
}

/// The charged features are those of [`Projection::charging`](super::Projection::charging).
impl<S, F> Charged for ProjectedDatabase<S, F, Vec<u64>> {
    fn features(&self) -> &[u64] {
        &self.charged
    }
}

impl<S, F, C> std::fmt::Debug for ProjectedDatabase<S, F, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("ProjectedDatabase");
        debug.field("entries", &self.table.len()).finish_non_exhaustive()
    }
}
