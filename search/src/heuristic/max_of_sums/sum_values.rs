//! [`MaxOfSums`] for callers that read the members themselves: [`SumValues`].

use super::evaluate::{exchange, most};
use super::register::Register;
use super::{MaxOfSums, Members};
use crate::domain::Cost;

/// The values of all members and sums of a state.
#[derive(Clone, Debug)]
pub struct SumValues<const REGISTERS: usize, const MEMBERS: usize> {
    values: [Cost; MEMBERS],
    sums: [Register; REGISTERS],
}

impl<const REGISTERS: usize, const MEMBERS: usize> SumValues<REGISTERS, MEMBERS> {
    /// The greatest sum.
    pub fn most(&self) -> Cost {
        most(&self.sums)
    }
}

impl<M: Members, const REGISTERS: usize, const MEMBERS: usize> MaxOfSums<M, REGISTERS, MEMBERS> {
    /// The number of members.
    pub fn count(&self) -> usize {
        self.lanes.len()
    }

    /// The sums of a state whose members have these values.
    pub fn sums(&self, values: &[Cost]) -> SumValues<REGISTERS, MEMBERS> {
        let mut sums = SumValues { values: [0; MEMBERS], sums: [Register::all(0); REGISTERS] };
        for (member, &value) in values.iter().enumerate().take(self.count()) {
            self.change(&mut sums, member, value, Cost::MAX);
        }
        sums
    }

    /// The member that a search reads at this place, after a move of the feature. `None` if fewer
    /// members charge the feature.
    pub fn charging(&self, feature: usize, place: usize) -> Option<usize> {
        self.charging[feature].get(place).map(|charging| charging.member as usize)
    }

    /// Gives a member a new value. Returns a bound above the limit if one of its sums is above: the
    /// bound by which a search in memory cuts the state.
    pub fn change(
        &self,
        sums: &mut SumValues<REGISTERS, MEMBERS>,
        member: usize,
        value: Cost,
        limit: Cost,
    ) -> Option<Cost> {
        let change = value.wrapping_sub(sums.values[member]);
        sums.values[member] = value;
        let over = exchange(&mut sums.sums, &self.lanes[member], change, Register::all(limit));
        (!over.is_zero()).then(|| limit + over.most())
    }
}
