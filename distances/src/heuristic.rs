//! The heuristic: carried single distances, and the heaviest set of excesses that share no feature.

use super::excess::{ActiveExcess, Excess, ExcessIndex};
use super::graph::MoveGraph;
use super::learn::{Distances, learn};
use super::matching::heaviest;
use super::{DistancesError, NONE};
use search::{CancelToken, Cost, Evaluation, Heuristic, Op, Placed, Verdict};
use smallvec::SmallVec;

/// The sum of the single distances, and of the heaviest set of excesses that hold in the state and
/// share no feature. The [crate documentation](crate) has the method and its source.
///
/// Admissible: yes. The excess of a set and the single distances of its features add up to the
/// least cost of their moves, whatever the others do. The sets are disjoint and every transition
/// moves one feature, so no move counts twice. A set that is not the heaviest gives a lower bound.
///
/// Consistent: no. A distance is the least over all contexts, which may come from another context
/// than that of the state. So one move may end an excess while the distance of the moved feature
/// falls too. With single distances alone it is consistent, unless a feature divides the places
/// into parts that others cannot leave.
///
/// The heaviest set is exact if excesses connect at most 16 features, or if they connect features
/// by pairs only. In a larger component with triples, it is the better of the best set of pairs and
/// a greedy choice.
///
/// A state with up to 16 excesses in components of up to 16 features needs no allocation.
///
/// Memory: for `F` features and `P` places `F P` bytes and `16 F P^2` bytes, and 20 to 30 bytes for
/// each excess.
#[derive(Clone, Debug)]
pub struct LearnedDistances {
    graph: MoveGraph,
    distances: Distances,
    index: ExcessIndex,
}

/// The values that a state inherits under [`LearnedDistances`].
#[derive(Clone, Debug)]
pub struct CarriedExcesses {
    /// The sum of the single distances.
    sum: u16,
    /// The weight of the heaviest set of excesses, if it is known.
    extra: Option<u16>,
    /// The feature that moved and the place that it entered, if the list is still that of the
    /// parent.
    moved: Option<(u8, u8)>,
    /// The active excesses, in any order.
    active: SmallVec<[ActiveExcess; 16]>,
}

impl LearnedDistances {
    /// Learns single distances only. The goals must be all goals of the domain.
    ///
    /// # Errors
    /// If there is no goal, or the domain has more of something than the tables can number.
    pub fn singles<D: Placed>(domain: &D, goals: &[D::State]) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 1, None)
    }

    /// Learns single and pairwise distances. The goals must be all goals of the domain.
    ///
    /// Time: a search of `C P^2` states for each pair of features, with `C` contexts and `P`
    /// places, in the current rayon pool. Memory: a byte for each state on every thread.
    ///
    /// # Errors
    /// If there is no goal, if the domain has more of something than the tables can number, or if
    /// `cancel` is cancelled.
    pub fn pairs<D: Placed>(
        domain: &D,
        goals: &[D::State],
        cancel: Option<&CancelToken>,
    ) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 2, cancel)
    }

    /// Learns distances of up to three features. The goals must be all goals of the domain.
    ///
    /// Time: that of [`LearnedDistances::pairs`], and a search of `C P^3` states for each triple.
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
        let index = ExcessIndex::new(domain.features(), graph.places, &distances.excesses);
        Ok(Self { graph, distances, index })
    }

    /// The least cost of the moves of one feature from a place; `None` if it reaches no goal.
    pub fn distance(&self, feature: usize, place: usize) -> Option<Cost> {
        let single = self.distances.single.get(feature * self.graph.places + place).copied();
        single.filter(|&cost| place < self.graph.places && cost != NONE)
    }

    /// The excesses of pairs, then of triples, ordered by features and then by places. The list has
    /// a triple only if its excess is greater than that of every pair in it.
    pub fn excesses(&self) -> &[Excess] {
        &self.distances.excesses
    }

    /// The number of placements of one, two and three features that reach a goal.
    pub fn entries(&self) -> [u64; 3] {
        self.distances.entries
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.distances.single[..])
            + size_of_val(&self.distances.excesses[..])
            + self.index.bytes()
            + self.graph.bytes()
    }

    #[inline(always)]
    fn single(&self, feature: u8, place: u8) -> u16 {
        let index = usize::from(feature) * self.graph.places + usize::from(place);
        self.distances.single[index].into()
    }

    /// Updates the list to that of the state.
    #[inline]
    fn settle<D: Placed>(&self, domain: &D, state: &D::State, carry: &mut CarriedExcesses) {
        let Some((feature, place)) = carry.moved.take() else { return };
        let before = carry.active.len();
        carry.active.retain(|excess| !excess.is_of(feature));
        let mut changed = carry.active.len() != before;
        let at = |place: u8| byte(domain.feature_at(state, place.into()));
        self.index.active(feature, place, at, |excess| {
            carry.active.push(excess);
            changed = true;
        });
        if changed {
            carry.extra = None;
        }
    }
}

/// The feature at a place as a byte. The constructor has checked that features fit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "there are at most 64 features")]
fn byte(feature: Option<usize>) -> u8 {
    feature.map_or(NONE, |feature| feature as u8)
}

#[expect(clippy::cast_possible_truncation, reason = "places and features are checked to fit")]
impl<D: Placed> Heuristic<D> for LearnedDistances {
    type Carry = CarriedExcesses;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

    fn root(&self, domain: &D, state: &D::State) -> CarriedExcesses {
        let mut carry =
            CarriedExcesses { sum: 0, extra: None, moved: None, active: SmallVec::new() };
        for place in 0..self.graph.places {
            let Some(feature) = domain.feature_at(state, place) else { continue };
            let (feature, place) = (feature as u8, place as u8);
            carry.sum += self.single(feature, place);
            // Each excess once: at its last feature in the order of places.
            let at = |other: u8| {
                if other < place { byte(domain.feature_at(state, other.into())) } else { NONE }
            };
            self.index.active(feature, place, at, |excess| carry.active.push(excess));
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
            active: SmallVec::from_slice(&carry.active),
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
                let extra = heaviest(&carry.active, left);
                // Above the limit the set need not be the heaviest.
                carry.extra = (extra <= left).then_some(extra);
                extra
            }
        };
        capped(carry.sum + extra)
    }
}
