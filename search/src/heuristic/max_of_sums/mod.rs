//! The maximum over sums of bounds, for additive tables: [`MaxOfSums`].

mod evaluate;
#[cfg(test)]
mod tests;

pub use evaluate::{ActiveMembers, CopiedSums, SumCache};

use crate::domain::{Cost, Op, Partitioned};
use crate::heuristic::Overlap;
use std::fmt::Debug;

/// Bounds that each charge the moves of some features, read from one working copy of the state.
///
/// Contract: [`AdditiveBounds::read_still`] is at most what a plan spends on moves of the member's
/// features, and changes only if one of them moves.
pub trait AdditiveBounds<D: Partitioned>: Sync {
    /// The working copy: the state, and what members are read from.
    type Work: Clone + Send + Sync + Debug + PartialEq + 'static;
    /// The number of members, at most 64.
    fn count(&self) -> usize;
    /// The features whose moves a member charges: a bit set with feature `f` in bit `f % 64` of word
    /// `f / 64`.
    fn features(&self, member: usize) -> &[u64];
    /// The working copy of a state.
    fn work(&self, domain: &D, state: &D::State) -> Self::Work;
    /// The state of a working copy.
    fn state(&self, domain: &D, work: &Self::Work) -> D::State;
    /// [`Domain::is_goal`](crate::Domain::is_goal).
    fn is_goal(&self, domain: &D, work: &Self::Work) -> bool;
    /// [`Domain::applicable`](crate::Domain::applicable).
    fn applicable(&self, work: &Self::Work) -> D::Ops;
    /// [`Partitioned::mover`].
    fn mover(&self, work: &Self::Work, op: Op) -> usize;
    /// The bound of a member.
    fn read_still(&self, member: usize, work: &Self::Work) -> Cost;
    /// The bound of a member after an operator that moves `mover`, a feature that it charges.
    fn read_moved(&self, member: usize, work: &Self::Work, op: Op, mover: usize) -> Cost;
    /// Prefetches what [`AdditiveBounds::read_moved`] reads. [default: nothing]
    #[inline(always)]
    fn prefetch(&self, _: usize, _: &Self::Work, _: Op, _mover: usize) {}
    /// Applies an operator that moves `mover`.
    fn step(&self, work: &mut Self::Work, op: Op, mover: usize);
    /// Undoes the operator that was applied last.
    fn undo(&self, work: &mut Self::Work, op: Op);
    /// Whether bounds change by at most the cost of a move, but for few states. [`MaxOfSums`] then
    /// leaves sums far from the limit unread. [default: no]
    fn steady(&self) -> bool {
        false
    }
}

/// A sum.
#[derive(Clone, Copy, Debug)]
struct Sum {
    /// Its members: a bit each.
    members: u64,
    /// Its members, padded with a member that is always 0.
    list: [u8; WIDEST],
}

/// Most members of a sum of [`MaxOfSums`].
pub const WIDEST: usize = 8;

/// The maximum of up to `SUMS` sums (a multiple of 8, at most 64) over fewer than `MEMBERS` members
/// (at most 64).
///
/// Members of one sum charge disjoint features. A member of several sums is read once for all.
///
/// **Lazy.** Reads a member only if one of its features moved since, sum by sum until one is above
/// the limit.
///
/// **In place** ([`InPlace`](crate::InPlace)) it is lazier. A node first finds the sums that can be
/// above what remains for a child, and reads their stale members once for all children. For a child
/// it reads only the member that moves, if it is in such a sum.
///
/// If the members are [steady](AdditiveBounds::steady), few sums are near the limit. A sum that was
/// `v` where `r` remained is at most `v + c` after moves of cost `c`. It cannot cut before
/// `v + c > r - c`, and sleeps until then. Where a bound is not steady after all, a sum is read
/// later than it could cut: the search makes more nodes and gives the same answer.
///
/// Admissible: yes (a move moves one feature, which one member of a sum charges; the maximum of
/// bounds is a bound). Consistent: not claimed.
#[derive(Clone, Debug)]
pub struct MaxOfSums<M, const SUMS: usize, const MEMBERS: usize> {
    members: M,
    sums: [Sum; SUMS],
    /// Whether some sum has more than half of [`WIDEST`] members.
    wide: bool,
    /// Bit 7 of a byte for each sum in use.
    all: [u64; 8],
    /// By feature: the members that charge it, a bit each.
    charged: Vec<u64>,
    steady: bool,
    /// The highest cost of an operator.
    dearest: Cost,
}

/// Why sums of members were not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaxOfSumsError {
    /// Two members of a sum charge the same feature.
    #[error("sum {sum}: {overlap}")]
    Overlap {
        /// Number of the sum.
        sum: usize,
        /// The members that overlap.
        overlap: Overlap,
    },
    /// A sum names a member that does not exist.
    #[error("sum {sum} names member {member}, and there are {members}")]
    Member {
        /// Number of the sum.
        sum: usize,
        /// The member named.
        member: usize,
        /// The number of members.
        members: usize,
    },
    /// There are too many sums, members, or members of a sum.
    #[error("{found} {what} are more than {most}")]
    Many {
        /// The number found.
        found: usize,
        /// What was counted.
        what: &'static str,
        /// The highest number allowed.
        most: usize,
    },
}

impl<M, const SUMS: usize, const MEMBERS: usize> MaxOfSums<M, SUMS, MEMBERS> {
    /// The maximum of sums, each given by the numbers of its members. Sums are read in this order.
    ///
    /// # Errors
    /// If two members of a sum share a feature, or there are too many sums or members.
    pub fn new<D: Partitioned>(
        domain: &D,
        members: M,
        sums: &[Vec<usize>],
    ) -> Result<Self, MaxOfSumsError>
    where
        M: AdditiveBounds<D>,
    {
        const { assert!(SUMS > 0 && SUMS.is_multiple_of(8), "room for sums comes in eights") };
        let count = members.count();
        let width = sums.iter().map(Vec::len).max().unwrap_or(0);
        for (found, what, most) in [
            (count, "members", MEMBERS.min(64) - 1),
            (sums.len(), "sums", SUMS.min(64)),
            (width, "members of a sum", WIDEST),
        ] {
            if found > most {
                return Err(MaxOfSumsError::Many { found, what, most });
            }
        }
        let charges = |member: usize, feature: usize| {
            let word = members.features(member).get(feature / 64);
            word.is_some_and(|word| word >> (feature % 64) & 1 == 1)
        };
        let mut all = [0; 8];
        let byte = |member: usize| u8::try_from(member).unwrap_or(u8::MAX);
        let mut listed = [Sum { members: 0, list: [byte(MEMBERS - 1); WIDEST] }; SUMS];
        for (sum, list) in sums.iter().enumerate() {
            if let Some(&member) = list.iter().find(|&&member| member >= count) {
                return Err(MaxOfSumsError::Member { sum, member, members: count });
            }
            for feature in 0..domain.features() {
                let mut charging = list.iter().filter(|&&member| charges(member, feature));
                if let (Some(&first), Some(&second)) = (charging.next(), charging.next()) {
                    let overlap = Overlap { feature, first, second };
                    return Err(MaxOfSumsError::Overlap { sum, overlap });
                }
            }
            listed[sum].members = list.iter().fold(0, |set, member| set | 1 << member);
            for (place, &member) in listed[sum].list.iter_mut().zip(list) {
                *place = byte(member);
            }
            all[sum / 8] |= 128 << (8 * (sum % 8));
        }
        let charging = |feature: usize| {
            (0..count).filter(|&member| charges(member, feature)).fold(0, |set, m| set | 1 << m)
        };
        let charged = (0..domain.features()).map(charging).collect();
        let steady = members.steady();
        let costs = (0..domain.operators()).map(|op| domain.cost(Op::new(op)));
        let dearest = costs.max().unwrap_or(1);
        let wide = width > WIDEST / 2;
        Ok(Self { members, sums: listed, wide, all, charged, steady, dearest })
    }

    /// The members.
    pub fn members(&self) -> &M {
        &self.members
    }
}
