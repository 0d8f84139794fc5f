//! [`MaxOfSums`] of values that are read elsewhere, some time after a child is made.

use super::evaluate::{CarriedSums, Unread, exchange, most};
use super::{MaxOfSums, Members, Register};
use crate::domain::{Cost, Op, Partitioned};
use smallvec::SmallVec;

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
        let sums = [Register::all(0); REGISTERS];
        CarriedSums { index, values: [0; MEMBERS], sums, unread: Unread::All }
    }

    /// The data of a child of the state `from`. The values of the members that charge the moved
    /// feature are still those of the parent.
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
        child.unread = match carry.unread {
            Unread::None => Unread::Charging(mover),
            _ => Unread::All,
        };
        child
    }

    /// The greatest sum, with values from `read`. `None` if `read` does not have all of them.
    ///
    /// If `early` is set, it reads the members that changed one by one. It may return the first
    /// sum above the limit, as a search in memory does.
    pub fn bound_from<I>(
        &self,
        carry: &mut CarriedSums<I, REGISTERS, MEMBERS>,
        limit: Cost,
        early: bool,
        mut read: impl FnMut(&I, &[usize]) -> Option<SmallVec<[Cost; 8]>>,
    ) -> Option<Cost> {
        let unread: SmallVec<[usize; 64]> = match carry.unread {
            Unread::None => SmallVec::new(),
            Unread::Charging(feature) => {
                self.charging[feature].iter().map(|charging| charging.member as usize).collect()
            }
            Unread::All => (0..self.lanes.len()).collect(),
        };
        let early = early && matches!(carry.unread, Unread::Charging(_));
        let limits = Register::all(if early { limit } else { Cost::MAX });
        for members in unread.chunks(if early { 1 } else { unread.len().max(1) }) {
            let values = read(&carry.index, members)?;
            for (&member, value) in members.iter().zip(values) {
                let change = value.wrapping_sub(carry.values[member]);
                carry.values[member] = value;
                let over = exchange(&mut carry.sums, &self.lanes[member], change, limits);
                if !over.is_zero() {
                    return Some(limit + over.most());
                }
            }
        }
        carry.unread = Unread::None;
        Some(most(&carry.sums))
    }
}
