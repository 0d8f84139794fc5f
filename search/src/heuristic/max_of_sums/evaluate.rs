//! How a search evaluates [`MaxOfSums`].

use super::{AdditiveBounds, MaxOfSums};
use crate::domain::{Cost, Op, Partitioned};
use crate::heuristic::{Evaluation, Heuristic, Verdict};

/// The data of [`MaxOfSums`] at a node.
#[derive(Clone, Debug)]
pub struct CarriedSums<I, const SUMS: usize, const MEMBERS: usize> {
    index: I,
    /// The value of each member.
    values: [Cost; MEMBERS],
    /// The value of each sum.
    sums: [Cost; SUMS],
}

impl<M, const SUMS: usize, const MEMBERS: usize> MaxOfSums<M, SUMS, MEMBERS> {
    /// Adds the change of a member's value to all sums that have the member. Returns for each of
    /// these sums its excess over the limit, and 0 for all other sums.
    ///
    /// Addition is modulo 256, so a value may fall too. A sum is a bound on a cost, so it stays
    /// below 256.
    #[inline(always)]
    fn exchange(
        &self,
        sums: &mut [Cost; SUMS],
        member: usize,
        change: Cost,
        limit: Cost,
    ) -> [Cost; SUMS] {
        let mut over = [0; SUMS];
        // All sums are one register, if the CPU has registers wide enough.
        for ((sum, over), lane) in sums.iter_mut().zip(&mut over).zip(&self.lanes[member]) {
            *sum = sum.wrapping_add(change & lane);
            *over = sum.saturating_sub(limit) & lane;
        }
        over
    }
}

/// The largest of some values.
#[inline(always)]
fn most<const N: usize>(values: &[Cost; N]) -> Cost {
    values.iter().fold(0, |most, &value| most.max(value))
}

impl<D, M, const SUMS: usize, const MEMBERS: usize> Heuristic<D> for MaxOfSums<M, SUMS, MEMBERS>
where
    D: Partitioned,
    M: AdditiveBounds<D>,
{
    type Carry = CarriedSums<M::Index, SUMS, MEMBERS>;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let index = self.members.index(domain, state);
        let (mut values, mut sums) = ([0; MEMBERS], [0; SUMS]);
        for (member, value) in values.iter_mut().enumerate().take(self.count) {
            *value = self.members.read(&index, member);
            self.exchange(&mut sums, member, *value, Cost::MAX);
        }
        CarriedSums { index, values, sums }
    }
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let mut child = carry.clone();
        let within = self.within(domain, (from, carry), op, (to, &mut child), Cost::MAX);
        debug_assert!(within.is_ok(), "no cost is above the highest");
        child
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(most(&carry.sums))
    }
    #[inline(always)]
    fn prefetch(&self, domain: &D, from: &D::State, carry: &Self::Carry, op: Op) {
        let mover = domain.mover(from, op);
        for &member in &self.charging[mover] {
            self.members.prefetch(&carry.index, op, mover, usize::from(member) % MEMBERS);
        }
    }
    #[inline(always)]
    fn within(
        &self,
        domain: &D,
        (from, carry): (&D::State, &Self::Carry),
        op: Op,
        (_, child): (&D::State, &mut Self::Carry),
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let mover = domain.mover(from, op);
        self.members.advance(domain, &carry.index, op, mover, &mut child.index);
        child.values = carry.values;
        let mut sums = carry.sums;
        for &member in &self.charging[mover] {
            let member = usize::from(member) % MEMBERS;
            let value = self.members.read(&child.index, member);
            let change = value.wrapping_sub(carry.values[member]);
            child.values[member] = value;
            let over = self.exchange(&mut sums, member, change, limit);
            if over != [0; SUMS] {
                return Err(limit + most(&over));
            }
        }
        child.sums = sums;
        // A sum that does not charge the moved feature may be above the limit, too.
        let h = most(&sums);
        if h > limit { Err(h) } else { Ok(Verdict::bound(h)) }
    }
}
