//! The maximum over sums of bounds, each member read only when its sum can cut: what additive tables are searched with.

use crate::additive::Overlap;
use crate::domain::Partitioned;
use crate::heuristic::{Heuristic, Verdict};
use crate::operators::{Cost, Op};
use std::fmt::Debug;

/// Bounds of a [`Partitioned`] domain that each charge the moves of some features, all read from one view of the state.
///
/// Contract: [`Members::read`] is at most what a plan spends on moves of the member's features, and changes only if one of them moves.
pub trait Members<D: Partitioned>: Sync {
    /// What members are read from: the places of the features, for example. Carried from a state to its successor.
    type View: Copy + Send + Sync + Debug;
    /// How many members there are, at most 64.
    fn count(&self) -> usize;
    /// The features whose moves a member charges: a bit set, feature `f` in bit `f % 64` of word `f / 64`.
    fn features(&self, member: usize) -> &[u64];
    /// The view of a state, from nothing.
    fn view(&self, domain: &D, state: &D::State) -> Self::View;
    /// The view of `to`, the successor of `from` by `op`.
    fn advance(
        &self,
        domain: &D,
        from: &D::State,
        view: &Self::View,
        op: Op,
        to: &D::State,
    ) -> Self::View;
    /// The bound of a member.
    fn read(&self, member: usize, view: &Self::View) -> Cost;
    /// The bound of a member in `to`, the successor of `from` by `op`, from the view of `from`. The member charges the feature that moves.
    /// [default: read from the view of `to`]
    #[inline(always)]
    fn read_after(
        &self,
        member: usize,
        domain: &D,
        from: &D::State,
        view: &Self::View,
        op: Op,
        to: &D::State,
    ) -> Cost {
        self.read(member, &self.advance(domain, from, view, op, to))
    }
    /// True: bounds change by no more than a move costs, but for few states. Sums far from the limit may then be left unread: see
    /// [`Families`]. [default: no]
    fn steady(&self) -> bool {
        false
    }
}

/// Most members of a sum: their values fill a word.
const WIDEST: usize = 8;
/// No member of a sum charges the feature.
const NO_PLACE: u8 = 255;

/// The maximum of at most `SUMS` sums of members that charge disjoint features.
///
/// **Lazy in three ways.** The sums are read in their order until one is above the limit. Of a sum only those members are read of which a
/// feature moved since. And if the members are [steady](Members::steady), a sum that cannot be above
/// the limit yet is not read at all: one that was `v` where `r` remained is at most `v + c` after moves of cost `c`, so it cannot cut
/// before `v + c > r - c`. What is not read moves nothing but a bit. So many sums cost hardly more than the few that are near the limit.
///
/// Where a bound is not steady after all, a sum is read later than it could have cut: nodes more, the same answer.
///
/// Within a search, where the limit falls by the cost of each operator, the verdict within the limit is the maximum of what was read,
/// which may be less than that of all. A value above the limit is found if there is one. Asked with [`Cost::MAX`], all are read.
///
/// Admissible: yes (a move moves one feature, which one member of a sum charges; the maximum of bounds is a bound). Consistent: not
/// claimed.
#[derive(Clone, Debug)]
pub struct Families<M, const SUMS: usize> {
    members: M,
    count: usize,
    /// By sum and place in it: the member.
    listed: [[u8; WIDEST]; SUMS],
    /// By feature, then sum: the place of the member that charges it, or [`NO_PLACE`].
    places: Vec<[u8; SUMS]>,
    steady: bool,
}

/// The state of a sum at a node.
#[derive(Clone, Copy, Debug)]
struct Sum {
    /// By place: what the member was when it was read.
    values: u64,
    total: Cost,
    /// By place: whether a feature moved since it was read.
    stale: u8,
    /// The total, plus what remained where it was read; 255 if that is more.
    asleep: u8,
}

/// Why sums are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamiliesError {
    /// Two members of a sum charge the same feature.
    #[error("sum {sum}: {overlap}")]
    Overlap {
        /// Number of the sum.
        sum: usize,
        /// What overlaps: numbers of members, not places in the sum.
        overlap: Overlap,
    },
    /// A sum names a member that does not exist.
    #[error("sum {sum} names member {member}, and there are {members}")]
    Member {
        /// Number of the sum.
        sum: usize,
        /// The number named.
        member: usize,
        /// How many members there are.
        members: usize,
    },
    /// Too many.
    #[error("{found} {what} are more than {most}")]
    Many {
        /// How many there are.
        found: usize,
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
}

/// What [`Families`] carries.
#[derive(Clone, Copy, Debug)]
pub struct Reading<V, const SUMS: usize> {
    view: V,
    sums: [Sum; SUMS],
}

impl<M, const SUMS: usize> Families<M, SUMS> {
    /// The maximum of sums, each given by its members, in the order in which they are to be read.
    ///
    /// # Errors
    /// If two members of a sum share a feature, or there is no room for so many.
    pub fn new<D: Partitioned>(
        domain: &D,
        members: M,
        sums: &[Vec<usize>],
    ) -> Result<Self, FamiliesError>
    where
        M: Members<D>,
    {
        let count = members.count();
        for (found, what, most) in [
            (count, "members", NO_PLACE.into()),
            (sums.len(), "sums", SUMS),
            (sums.iter().map(Vec::len).max().unwrap_or(0), "members of a sum", WIDEST),
        ] {
            if found > most {
                return Err(FamiliesError::Many { found, what, most });
            }
        }
        let mut listed = [[0; WIDEST]; SUMS];
        let mut places = vec![[NO_PLACE; SUMS]; domain.features()];
        for (sum, list) in sums.iter().enumerate() {
            for ((place, &member), listed) in (0..).zip(list).zip(&mut listed[sum]) {
                if member >= count {
                    return Err(FamiliesError::Member { sum, member, members: count });
                }
                *listed = u8::try_from(member).unwrap_or(NO_PLACE);
                let charges = |feature: usize| {
                    let word = members.features(member).get(feature / 64);
                    word.is_some_and(|word| word >> (feature % 64) & 1 == 1)
                };
                for feature in (0..domain.features()).filter(|&feature| charges(feature)) {
                    let taken = std::mem::replace(&mut places[feature][sum], place);
                    if let Some(&first) = list.get(usize::from(taken)) {
                        let overlap = Overlap { feature, first, second: member };
                        return Err(FamiliesError::Overlap { sum, overlap });
                    }
                }
            }
        }
        let steady = members.steady();
        Ok(Self { members, count: sums.len(), listed, places, steady })
    }

    /// The members.
    pub fn members(&self) -> &M {
        &self.members
    }

    /// From which value of [`Sum::asleep`] on a sum is read.
    #[inline(always)]
    fn awake(&self, limit: Cost) -> u8 {
        // Nothing sleeps without a limit.
        let all = limit == Cost::MAX || !self.steady;
        if all { 0 } else { limit.saturating_mul(2).saturating_add(1) }
    }

    /// Reads the members of a sum that are stale.
    fn catch_up<D: Partitioned>(&self, number: usize, sum: &mut Sum, view: &M::View)
    where
        M: Members<D>,
    {
        while sum.stale != 0 {
            let place = sum.stale.trailing_zeros() as usize % WIDEST;
            sum.stale &= sum.stale - 1;
            sum.set(place, self.members.read(self.listed[number][place].into(), view));
        }
    }
}

impl Sum {
    /// Changes the value at a place.
    #[inline(always)]
    fn set(&mut self, place: usize, value: Cost) {
        let old = self.values.to_le_bytes()[place % WIDEST];
        self.values ^= u64::from(old ^ value) << (8 * (place % WIDEST));
        self.total = self.total.wrapping_sub(old).wrapping_add(value);
    }
}

impl<D: Partitioned, M: Members<D>, const SUMS: usize> Heuristic<D> for Families<M, SUMS> {
    type Carry = Reading<M::View, SUMS>;
    const LONG: bool = true;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let view = self.members.view(domain, state);
        let mut sums = [Sum { values: 0, total: 0, stale: 0, asleep: 255 }; SUMS];
        for (number, sum) in sums.iter_mut().enumerate().take(self.count) {
            let places = self.places.iter().map(|places| places[number]);
            sum.stale =
                places.filter(|&place| place != NO_PLACE).fold(0, |set, place| set | 1 << place);
        }
        Reading { view, sums }
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let view = self.members.advance(domain, from, &carry.view, op, to);
        let mut sums = carry.sums;
        let places = &self.places[domain.mover(from, op)];
        for (sum, &place) in sums.iter_mut().zip(places) {
            sum.stale |= if place == NO_PLACE { 0 } else { 1 << (place & 7) };
        }
        Reading { view, sums }
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, limit: Cost) -> Verdict<D::Ops> {
        let awake = self.awake(limit);
        let mut most = 0;
        for (number, sum) in carry.sums.iter_mut().enumerate().take(self.count) {
            if sum.asleep >= awake {
                self.catch_up(number, sum, &carry.view);
                sum.asleep = sum.total.saturating_add(limit);
                most = most.max(sum.total);
                if most > limit {
                    break;
                }
            }
        }
        Verdict::bound(most)
    }
    #[inline(always)]
    fn within(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
        limit: Cost,
    ) -> Result<(Self::Carry, Verdict<D::Ops>), Cost> {
        let awake = self.awake(limit);
        let places = &self.places[domain.mover(from, op)];
        let mut sums = carry.sums;
        let mut most = 0;
        for number in 0..self.count.min(SUMS) {
            let (sum, moved) = (&mut sums[number], places[number]);
            if sum.asleep >= awake {
                if sum.stale != 0 {
                    self.catch_up(number, sum, &carry.view);
                }
                if moved != NO_PLACE {
                    let place = usize::from(moved) % WIDEST;
                    let member = self.listed[number][place].into();
                    sum.set(
                        place,
                        self.members.read_after(member, domain, from, &carry.view, op, to),
                    );
                }
                if sum.total > limit {
                    return Err(sum.total);
                }
                sum.asleep = sum.total.saturating_add(limit);
                most = most.max(sum.total);
            } else if moved != NO_PLACE {
                sum.stale |= 1 << (moved & 7);
            }
        }
        let view = self.members.advance(domain, from, &carry.view, op, to);
        Ok((Reading { view, sums }, Verdict::bound(most)))
    }
}
