//! The maximum over sums of bounds, for additive tables: [`MaxOfSums`].

mod evaluate;
mod register;
#[cfg(test)]
mod tests;
mod unread;

pub use evaluate::CarriedSums;

use crate::domain::{Cost, Op, Partitioned};
use crate::heuristic::Overlap;
use register::{LANES, Register};
use std::fmt::Debug;

/// Bounds that charge the moves of some features each: the *members* of sums. A search carries an
/// *index* for each state.
///
/// Contract: a bound is at most what any plan spends on moves of the member's features. It changes
/// only if one of these features moves.
pub trait Members<D: Partitioned>: Sync {
    /// Belongs to one member and one feature that the member charges. [`Members::read`] uses it to
    /// find the member's bound after a move of that feature. For example, it holds the numbers of
    /// the member and of the feature.
    type Lookup: Clone + Send + Sync + Debug;
    /// The data that members are read with, such as the table index of each member.
    type Index: Clone + Send + Sync + Debug + 'static;
    /// For each member, the features whose moves it charges, each with its lookup. Features are
    /// below [`Partitioned::features`]. There are at most 64 members.
    fn lookups(&self) -> Vec<Vec<(usize, Self::Lookup)>>;
    /// The index of a state, and a function that returns the bound of each member.
    fn root(&self, domain: &D, state: &D::State) -> (Self::Index, impl Fn(usize) -> Cost);
    /// Overwrites `to` with the index after `op`, which moves the feature `mover`.
    fn advance(&self, domain: &D, from: &Self::Index, op: Op, mover: usize, to: &mut Self::Index);
    /// The bound of the lookup's member after `op`, which moves the feature of the lookup. `index`
    /// belongs to the state before the move.
    fn read(&self, lookup: &Self::Lookup, index: &Self::Index, op: Op) -> Cost;
    /// Prefetches what [`Members::read`] will read. [default: nothing]
    #[inline(always)]
    fn prefetch(&self, _: &Self::Lookup, _: &Self::Index, _op: Op) {}
}

/// The maximum of up to 16 `REGISTERS` sums over at most `MEMBERS` members (at most 64).
///
/// Members of one sum charge disjoint features. A member of several sums is read once for all.
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
pub struct MaxOfSums<M, L, const REGISTERS: usize, const MEMBERS: usize> {
    members: M,
    /// For each member, the lanes of the sums that have it.
    lanes: Vec<[Register; REGISTERS]>,
    /// The members of sums. Those of the most sums come first, because they cut the most children.
    order: Vec<usize>,
    /// For each feature, the members that charge it, in this order.
    charging: Vec<Vec<Charging<L, REGISTERS>>>,
}

/// A member that charges a feature.
#[derive(Clone, Debug)]
struct Charging<L, const REGISTERS: usize> {
    member: u32,
    /// 255 in the lane of each sum that has the member, and 0 in the other lanes.
    lanes: [Register; REGISTERS],
    lookup: L,
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

impl<M, L, const REGISTERS: usize, const MEMBERS: usize> MaxOfSums<M, L, REGISTERS, MEMBERS> {
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
        M: Members<D, Lookup = L>,
        L: Clone,
    {
        let lookups = members.lookups();
        let features = |list: &Vec<_>| list.iter().map(|&(feature, _)| feature).collect();
        let charged: Vec<_> = lookups.iter().map(features).collect();
        let uses = check(&charged, sums, domain.features(), [LANES * REGISTERS, MEMBERS])?;
        let mut bytes = vec![[[0; LANES]; REGISTERS]; lookups.len()];
        for (sum, list) in sums.iter().enumerate() {
            list.iter().for_each(|&member| bytes[member][sum / LANES][sum % LANES] = 255);
        }
        let lanes: Vec<_> = bytes.iter().map(|bytes| bytes.map(Register::new)).collect();
        let mut charging: Vec<_> = (0..domain.features()).map(|_| Vec::new()).collect();
        let order = order_of(&uses);
        for &member in &order {
            for (feature, lookup) in &lookups[member] {
                let (lanes, lookup) = (lanes[member], lookup.clone());
                let member = u32::try_from(member).expect("at most 64 members");
                charging[*feature].push(Charging { member, lanes, lookup });
            }
        }
        Ok(Self { members, lanes, order, charging })
    }

    /// The members.
    pub fn members(&self) -> &M {
        &self.members
    }
}

/// The members of sums, those of the most sums first. `uses`: how many sums have each member.
fn order_of(uses: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..uses.len()).filter(|&member| uses[member] > 0).collect();
    order.sort_by_key(|&member| std::cmp::Reverse(uses[member]));
    order
}

/// Checks the sums, and returns for each member how many sums have it. `charged` lists the features
/// of each member. The last argument holds the most sums and the most members that are allowed.
///
/// Not generic, so it is compiled once.
fn check(
    charged: &[Vec<usize>],
    sums: &[Vec<usize>],
    features: usize,
    [most_sums, most_members]: [usize; 2],
) -> Result<Vec<usize>, MaxOfSumsError> {
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
    Ok(uses)
}
