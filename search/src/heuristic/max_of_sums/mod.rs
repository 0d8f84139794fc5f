//! The maximum over sums of bounds, for additive tables: [`MaxOfSums`].

mod evaluate;
#[cfg(test)]
mod tests;

pub use evaluate::CarriedSums;

use crate::domain::{Cost, Op, Partitioned};
use crate::heuristic::Overlap;
use std::fmt::Debug;

/// A list of bounds (*members*). Each member charges the moves of some features. A search carries
/// an *index* for each state, and reads the bounds of members with it.
///
/// Contract: [`AdditiveBounds::read`] is at most what any plan spends on moves of the member's
/// features. It changes only if one of these features moves.
pub trait AdditiveBounds<D: Partitioned>: Sync {
    /// The data that members are read with, such as the table index of each member.
    type Index: Clone + Send + Sync + Debug + 'static;
    /// For each member, the features whose moves it charges, each below [`Partitioned::features`].
    /// There are at most 64 members.
    fn features(&self) -> Vec<Vec<usize>>;
    /// The index of a state.
    fn index(&self, domain: &D, state: &D::State) -> Self::Index;
    /// Overwrites `to` with the index after `op`, which moves the feature `mover`.
    fn advance(&self, domain: &D, from: &Self::Index, op: Op, mover: usize, to: &mut Self::Index);
    /// The bound of a member in the state to which the index belongs.
    fn read(&self, index: &Self::Index, member: usize) -> Cost;
    /// Prefetches what [`AdditiveBounds::read`] will read of `member` after `op`. The operator
    /// moves the feature `mover`, which the member charges. `index` belongs to the state before the
    /// move. [default: nothing]
    #[inline(always)]
    fn prefetch(&self, _: &Self::Index, _op: Op, _mover: usize, _member: usize) {}
}

/// The maximum of up to `SUMS` sums over at most `MEMBERS` members (at most 64).
///
/// The members are those of an [`AdditiveBounds`]. Members of one sum charge disjoint features. A
/// member of several sums is read once for all.
///
/// An operator moves one feature, and each sum has at most one member that charges it. So at most
/// one member of each sum changes. A child's sum is its parent's sum plus that change. All sums lie
/// side by side in memory. The heuristic reads the members that charge the moved feature, and adds
/// each change to all sums that have the member. It cuts the child as soon as one sum is above the
/// limit. A child that is not cut has exact sums.
///
/// Admissible: yes (a move moves one feature, which one member of a sum charges; the maximum of
/// bounds is a bound). Consistent: not claimed.
#[derive(Clone, Debug)]
pub struct MaxOfSums<M, const SUMS: usize, const MEMBERS: usize> {
    members: M,
    /// The number of members.
    count: usize,
    /// For each member: 255 in the lane of each sum that has the member, and 0 in the other lanes.
    lanes: [[u8; SUMS]; MEMBERS],
    /// For each feature, the members that charge it. Members of the most sums come first, because
    /// they cut the most children.
    charging: Vec<Vec<u8>>,
}

/// Why [`MaxOfSums::new`] refuses sums.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaxOfSumsError {
    /// Two members of a sum charge the same feature.
    #[error("sum {sum}: {overlap}")]
    Overlap {
        /// The number of the sum, from 0 on.
        sum: usize,
        /// The members that overlap.
        overlap: Overlap,
    },
    /// A sum names a member that does not exist.
    #[error("sum {sum} names member {member}, and there are {members}")]
    Member {
        /// The number of the sum, from 0 on.
        sum: usize,
        /// The member that the sum names.
        member: usize,
        /// The number of members.
        members: usize,
    },
    /// There are too many sums or members.
    #[error("{found} {what} are more than {most}")]
    Many {
        /// The number found.
        found: usize,
        /// What there are too many of.
        what: &'static str,
        /// The highest number allowed.
        most: usize,
    },
}

impl<M, const SUMS: usize, const MEMBERS: usize> MaxOfSums<M, SUMS, MEMBERS> {
    /// The maximum of sums. Each sum is given by the numbers of its members.
    ///
    /// # Errors
    /// If two members of a sum share a feature, a sum names an unknown member, or there are too
    /// many sums or members.
    pub fn new<D: Partitioned>(
        domain: &D,
        members: M,
        sums: &[Vec<usize>],
    ) -> Result<Self, MaxOfSumsError>
    where
        M: AdditiveBounds<D>,
    {
        let charged = members.features();
        let charging = charging(&charged, sums, domain.features(), [SUMS, MEMBERS])?;
        let mut lanes = [[0; SUMS]; MEMBERS];
        for (sum, list) in sums.iter().enumerate() {
            list.iter().for_each(|&member| lanes[member][sum] = 255);
        }
        Ok(Self { members, count: charged.len(), lanes, charging })
    }

    /// The members.
    pub fn members(&self) -> &M {
        &self.members
    }
}

/// Checks the sums, and returns for each feature the members that charge it. Members of the most
/// sums come first. `charged` lists the features of each member. The last argument holds the most
/// sums and the most members that are allowed.
///
/// Not generic, so it is compiled once.
fn charging(
    charged: &[Vec<usize>],
    sums: &[Vec<usize>],
    features: usize,
    [most_sums, most_members]: [usize; 2],
) -> Result<Vec<Vec<u8>>, MaxOfSumsError> {
    let counts =
        [(charged.len(), "members", most_members.min(64)), (sums.len(), "sums", most_sums)];
    for (found, what, most) in counts {
        if found > most {
            return Err(MaxOfSumsError::Many { found, what, most });
        }
    }
    let mut uses = vec![0_usize; charged.len()];
    for (sum, list) in sums.iter().enumerate() {
        for &member in list {
            let members = charged.len();
            *uses.get_mut(member).ok_or(MaxOfSumsError::Member { sum, member, members })? += 1;
        }
        for feature in 0..features {
            let mut both = list.iter().filter(|&&member| charged[member].contains(&feature));
            if let (Some(&first), Some(&second)) = (both.next(), both.next()) {
                let overlap = Overlap { feature, first, second };
                return Err(MaxOfSumsError::Overlap { sum, overlap });
            }
        }
    }
    let mut charging = vec![Vec::new(); features];
    for (number, features) in (0..).zip(charged) {
        if uses[usize::from(number)] > 0 {
            features.iter().for_each(|&feature| charging[feature].push(number));
        }
    }
    for list in &mut charging {
        list.sort_by_key(|&member: &u8| std::cmp::Reverse(uses[usize::from(member)]));
    }
    Ok(charging)
}
