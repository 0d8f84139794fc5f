//! [`MaxOfSums`] of values that are read elsewhere, some time after a child is made.

use super::evaluate::{CarriedSums, exchange, most};
use super::{Charging, MaxOfSums, Members, Register};
use crate::domain::{Cost, Op, Partitioned};

impl<M, L, const REGISTERS: usize, const MEMBERS: usize> MaxOfSums<M, L, REGISTERS, MEMBERS> {
    /// The data of a state, without the value of any member.
    pub fn unread_root<D: Partitioned>(
        &self,
        domain: &D,
        state: &D::State,
    ) -> CarriedSums<M::Index, REGISTERS, MEMBERS>
    where
        M: Members<D>,
    {
        self.without_values(self.members.root(domain, state).0)
    }

    /// The data of an index, without the value of any member.
    pub(super) fn without_values<I>(&self, index: I) -> CarriedSums<I, REGISTERS, MEMBERS> {
        let mut sums = [Register::all(0); REGISTERS];
        for &member in &self.order {
            exchange(&mut sums, &self.lanes[member], Cost::MAX, Register::all(Cost::MAX));
        }
        CarriedSums { index, values: [Cost::MAX; MEMBERS], sums }
    }

    /// The data of a child of the state `from`, without the values of the members that charge the
    /// moved feature.
    pub fn unread_child<D: Partitioned>(
        &self,
        domain: &D,
        from: &D::State,
        carry: &CarriedSums<M::Index, REGISTERS, MEMBERS>,
        op: Op,
    ) -> CarriedSums<M::Index, REGISTERS, MEMBERS>
    where
        M: Members<D>,
    {
        let (mover, mut child) = (domain.mover(from, op), carry.clone());
        self.members.advance(domain, &carry.index, op, mover, &mut child.index);
        for Charging { member, lanes, .. } in &self.charging[mover] {
            let value = std::mem::replace(&mut child.values[*member as usize], Cost::MAX);
            let change = Cost::MAX.wrapping_sub(value);
            exchange(&mut child.sums, lanes, change, Register::all(Cost::MAX));
        }
        child
    }

    /// The greatest sum, with values from `read`. `None` if `read` does not have all of them: then
    /// the data is arbitrary.
    ///
    /// It reads the members in the order of a search in memory. With `early`, it returns the first
    /// sum above the limit, if there is one, and reads none behind a value that is missing.
    pub fn bound_from<I>(
        &self,
        carry: &mut CarriedSums<I, REGISTERS, MEMBERS>,
        limit: Cost,
        early: bool,
        mut read: impl FnMut(&I, usize) -> Option<Cost>,
    ) -> Option<Cost> {
        let limits = Register::all(if early { limit } else { Cost::MAX });
        let mut missing = false;
        for &member in &self.order {
            if carry.values[member] != Cost::MAX {
                continue;
            }
            let Some(value) = read(&carry.index, member) else {
                if early {
                    return None;
                }
                missing = true;
                continue;
            };
            let change = value.wrapping_sub(carry.values[member]);
            carry.values[member] = value;
            let over = exchange(&mut carry.sums, &self.lanes[member], change, limits);
            if !over.is_zero() {
                return Some(limit + over.most());
            }
        }
        (!missing).then(|| most(&carry.sums))
    }
}
