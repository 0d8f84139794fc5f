//! The heuristic [`LearnedDistances`], and the values that its nodes carry.

use super::excess::{ActiveExcess, Excess, ExcessIndex};
use super::graph::MoveGraph;
use super::learn::{Distances, learn};
use super::matching::heaviest;
use super::{DistancesError, NONE};
use search::{CancelToken, Claims, Cost, Evaluation, Heuristic, Op, Placed, Verdict};
use smallvec::SmallVec;

/// A lower bound for domains whose features (pieces) move one at a time from place to place
/// ([`Placed`]).
///
/// It adds two sums:
/// - the *single distances*: for each feature, the least cost of its own moves to a goal, if all
///   other moves are free;
/// - the heaviest set of *excesses* that share no feature. An excess is the additional cost of two
///   or three features at their places, beyond the sum of their single distances.
///
/// The [crate documentation](crate) has the method and its source.
///
/// Admissible: yes. The excess of a pair or triple, added to the single distances of its features,
/// is the least cost of their moves. The chosen excesses share no feature and every transition
/// moves one feature, so no move counts twice. A set of excesses that is not the heaviest gives a
/// lower bound too.
///
/// Consistent: no. Distances and excesses are minima over all contexts (on sliding tiles: over all
/// places of the free square). The minimum may belong to another context than the state's. So one
/// move may end an excess and also lower the single distance of the moved feature. With single
/// distances alone the heuristic is consistent, unless a feature at some place blocks the only way
/// between two parts of the places.
///
/// The heuristic finds the heaviest set if the excesses connect at most 16 features, or if all
/// excesses are pairs. Otherwise it takes the better of the heaviest set of pairs and a greedy
/// choice.
///
/// It allocates nothing for a state with at most 16 active excesses whose connected components have
/// at most 16 features.
///
/// Memory: `F P + 16 F P^2` bytes for `F` features and `P` places, and 20 to 30 bytes for each
/// excess.
#[derive(Clone, Debug)]
pub struct LearnedDistances {
    graph: MoveGraph,
    distances: Distances,
    index: ExcessIndex,
}

/// The data of [`LearnedDistances`] at a node: sums and excesses, mostly taken over from the
/// parent.
#[derive(Clone, Debug)]
pub struct CarriedExcesses {
    /// The sum of the single distances of all features, each from its place in the state. See
    /// [`LearnedDistances`].
    sum: u16,
    /// The weight of the heaviest set of active excesses; `None` until it is computed.
    extra: Option<u16>,
    /// `Some` if `active` is still the parent's list: the feature that moved, and the place that it
    /// entered.
    moved: Option<(u8, u8)>,
    /// The *active* excesses, whose features all lie at their places in the state. In any order.
    active: SmallVec<[ActiveExcess; 16]>,
}

impl LearnedDistances {
    /// Learns single distances only. `goals` must contain all goals of the domain.
    ///
    /// # Errors
    /// If `goals` is empty, or the domain has more features, places or contexts than the tables can
    /// number.
    pub fn singles<D: Placed>(domain: &D, goals: &[D::State]) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 1, None)
    }

    /// Learns single distances and the excesses of pairs. `goals` must contain all goals of the
    /// domain.
    ///
    /// Time: for each pair of features a search of `C P^2` states, with `C` contexts and `P`
    /// places. The searches run on the threads of the current rayon pool. Memory: a byte for each
    /// of these states, on every thread.
    ///
    /// # Errors
    /// If `goals` is empty, or if `cancel` is cancelled. Also if the domain has more features,
    /// places, contexts or states of a small search than the tables can hold.
    pub fn pairs<D: Placed>(
        domain: &D,
        goals: &[D::State],
        cancel: Option<&CancelToken>,
    ) -> Result<Self, DistancesError> {
        Self::new(domain, goals, 2, cancel)
    }

    /// Learns single distances and the excesses of pairs and triples. `goals` must contain all
    /// goals of the domain.
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

    /// The single distance of a feature from a place; `None` if it can reach no goal from there, or
    /// if there is no such place.
    pub fn distance(&self, feature: usize, place: usize) -> Option<Cost> {
        let single = self.distances.single.get(feature * self.graph.places + place).copied();
        single.filter(|&cost| place < self.graph.places && cost != NONE)
    }

    /// The stored excesses: pairs first, then triples, each ordered by features and then by places.
    /// A triple is stored only if its excess is greater than that of each pair in it.
    pub fn excesses(&self) -> &[Excess] {
        &self.distances.excesses
    }

    /// The numbers of placements of one, two and three features from which these features reach a
    /// goal.
    pub fn entries(&self) -> [u64; 3] {
        self.distances.entries
    }

    /// The size of all tables in bytes.
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

    /// Updates `active` to the excesses that are active in `state`. Forgets the known weight if
    /// they changed.
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

/// A feature as a byte, [`NONE`] for `None`. The constructor has checked that features fit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "there are at most 64 features")]
fn byte(feature: Option<usize>) -> u8 {
    feature.map_or(NONE, |feature| feature as u8)
}

#[expect(clippy::cast_possible_truncation, reason = "places and features are checked to fit")]
impl<D: Placed> Heuristic<D> for LearnedDistances {
    type Carry = CarriedExcesses;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

    fn root(&self, domain: &D, state: &D::State) -> CarriedExcesses {
        let mut carry =
            CarriedExcesses { sum: 0, extra: None, moved: None, active: SmallVec::new() };
        for place in 0..self.graph.places {
            let Some(feature) = domain.feature_at(state, place) else { continue };
            let (feature, place) = (feature as u8, place as u8);
            carry.sum += self.single(feature, place);
            // Adds each excess once: at the last of its places.
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
                // If the result is above the limit, `heaviest` may have stopped before the heaviest
                // set.
                carry.extra = (extra <= left).then_some(extra);
                extra
            }
        };
        capped(carry.sum + extra)
    }
}
