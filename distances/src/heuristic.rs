//! The heuristic: single distances, carried from state to state, and the heaviest set of excesses that share no feature.

use super::excess::{ActiveExcess, Excess, Lists};
use super::graph::MoveGraph;
use super::learn::{Distances, learn};
use super::matching::heaviest;
use super::{DistancesError, NONE};
use search::{CancelToken, Cost, Heuristic, Op, Placed, Verdict};
use smallvec::SmallVec;

/// The sum of the distances of all features, each alone, and of the excesses of pairs, or of pairs and triples, that hold in the state and
/// share no feature: the heaviest such set.
///
/// Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996. How we differ is said in
/// the [crate documentation](crate).
///
/// Admissible: yes. The single distance of a feature and the excess of a set that it is in add up to the least cost of the moves of that
/// set's features, whatever the others do and wherever the search began (the least over the contexts). The sets are disjoint, and every
/// transition moves one feature, so no move is counted twice. A set that is not the heaviest gives a smaller bound.
///
/// Consistent: no. A distance is the least over all contexts, and the context where it is attained may not be that of the state: by one
/// move a whole excess may end to hold while the distance of the feature that moved falls too. With single distances alone it is, unless
/// places fall apart where a feature lies.
///
/// The heaviest set is found exactly where at most 16 features hang together by excesses, and where they hang together by pairs only. In a
/// larger component with triples it is the heavier of the best set of pairs and of a greedy choice, heaviest first.
///
/// Nothing is allocated for a state with up to 16 excesses in components of up to 16 features.
///
/// Tables: for `F` features and `P` places `F P` bytes and `16 F P^2` bytes, and about 20 to 30 bytes for each excess.
#[derive(Clone, Debug)]
pub struct LearnedDistances {
    graph: MoveGraph,
    distances: Distances,
    lists: Lists,
}

/// What [`LearnedDistances`] carries.
#[derive(Clone, Debug)]
pub struct CarriedExcesses {
    /// The sum of the single distances.
    sum: u16,
    /// The heaviest set of excesses, if it is known.
    extra: Option<u16>,
    /// The feature that moved and the place where it came, while the list is still that of the state before.
    moved: Option<(u8, u8)>,
    /// The excesses that hold, in no particular order.
    holding: SmallVec<[ActiveExcess; 16]>,
}

impl LearnedDistances {
    /// Learns single distances only. The goals must be all goals of the domain.
    ///
    /// # Errors
    /// If there is no goal, or more of something than the tables number.
    pub fn singles<D: Placed>(domain: &D, goals: &[D::State]) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 1, None)
    }

    /// Learns single and pairwise distances. The goals must be all goals of the domain.
    ///
    /// Time: a search of `C P^2` states for each pair of features, with `C` contexts and `P` places, in the current rayon pool; a byte for
    /// each state on every thread.
    ///
    /// # Errors
    /// If there is no goal, more of something than the tables number, or someone asked to stop.
    pub fn pairs<D: Placed>(
        domain: &D,
        goals: &[D::State],
        cancel: Option<&CancelToken>,
    ) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 2, cancel)
    }

    /// Learns distances of up to three features. The goals must be all goals of the domain.
    ///
    /// Time: as [`LearnedDistances::pairs`], and a search of `C P^3` states for each triple.
    ///
    /// # Errors
    /// As [`LearnedDistances::pairs`].
    pub fn triples<D: Placed>(
        domain: &D,
        goals: &[D::State],
        cancel: Option<&CancelToken>,
    ) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 3, cancel)
    }

    fn new<D: Placed>(
        domain: &D,
        goals: &[D::State],
        together: usize,
        cancel: Option<&CancelToken>,
    ) -> Result<Self, DistancesError> {
        let graph = MoveGraph::new(domain)?;
        let distances = learn(domain, &graph, goals, together, cancel)?;
        let lists = Lists::new(domain.features(), graph.places, &distances.excesses);
        Ok(Self { graph, distances, lists })
    }

    /// The least cost of the moves of one feature from a place; `None` if no goal is reached from there.
    pub fn distance(&self, feature: usize, place: usize) -> Option<Cost> {
        let single = self.distances.single.get(feature * self.graph.places + place).copied();
        single.filter(|&cost| place < self.graph.places && cost != NONE)
    }

    /// What pairs, and then triples, cost beyond the single distances, in the order of features and then places. A triple is listed if it costs
    /// more than every pair in it.
    pub fn excesses(&self) -> &[Excess] {
        &self.distances.excesses
    }

    /// How many placements of one, two and three features were learned from which a goal is reached.
    pub fn entries(&self) -> [u64; 3] {
        self.distances.entries
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.distances.single[..])
            + size_of_val(&self.distances.excesses[..])
            + self.lists.bytes()
            + self.graph.bytes()
    }

    #[inline(always)]
    fn single(&self, feature: u8, place: u8) -> u16 {
        let index = usize::from(feature) * self.graph.places + usize::from(place);
        self.distances.single[index].into()
    }

    /// Makes the list that of the state.
    #[inline]
    fn settle<D: Placed>(&self, domain: &D, state: &D::State, carry: &mut CarriedExcesses) {
        let Some((feature, place)) = carry.moved.take() else { return };
        let before = carry.holding.len();
        carry.holding.retain(|holding| !holding.is_of(feature));
        let mut changed = carry.holding.len() != before;
        let at = |place: u8| byte(domain.feature_at(state, place.into()));
        self.lists.holding(feature, place, at, |holding| {
            carry.holding.push(holding);
            changed = true;
        });
        if changed {
            carry.extra = None;
        }
    }
}

/// What lies at a place; features are checked to fit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "there are at most 64 features")]
fn byte(feature: Option<usize>) -> u8 {
    feature.map_or(NONE, |feature| feature as u8)
}

#[expect(clippy::cast_possible_truncation, reason = "places and features are checked to fit")]
impl<D: Placed> Heuristic<D> for LearnedDistances {
    type Carry = CarriedExcesses;
    const OUTLINED: bool = true;

    fn root(&self, domain: &D, state: &D::State) -> CarriedExcesses {
        let mut carry =
            CarriedExcesses { sum: 0, extra: None, moved: None, holding: SmallVec::new() };
        for place in 0..self.graph.places {
            let Some(feature) = domain.feature_at(state, place) else { continue };
            let (feature, place) = (feature as u8, place as u8);
            carry.sum += self.single(feature, place);
            // Each excess once: when its last feature in the order of places is looked at.
            let at = |other: u8| {
                if other < place { byte(domain.feature_at(state, other.into())) } else { NONE }
            };
            self.lists.holding(feature, place, at, |holding| carry.holding.push(holding));
        }
        carry
    }

    #[inline]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &CarriedExcesses,
        op: Op,
        _: &D::State,
    ) -> CarriedExcesses {
        let feature = domain.mover(from, op) as u8;
        let (left, entered) = self.graph.way(domain.context(from), op);
        let mut child = CarriedExcesses {
            sum: carry.sum,
            extra: carry.extra,
            moved: carry.moved,
            holding: SmallVec::from_slice(&carry.holding),
        };
        self.settle(domain, from, &mut child);
        child.sum = child.sum - self.single(feature, left) + self.single(feature, entered);
        child.moved = Some((feature, entered));
        child
    }

    #[inline]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut CarriedExcesses,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        let capped = |h: u16| Verdict::bound(Cost::try_from(h).unwrap_or(Cost::MAX));
        let Some(left) = u16::from(limit).checked_sub(carry.sum) else { return capped(carry.sum) };
        self.settle(domain, state, carry);
        let extra = match carry.extra {
            Some(extra) => extra,
            None => {
                let extra = heaviest(&carry.holding, left);
                // Above the limit the set may not be the heaviest.
                carry.extra = (extra <= left).then_some(extra);
                extra
            }
        };
        capped(carry.sum + extra)
    }
}
