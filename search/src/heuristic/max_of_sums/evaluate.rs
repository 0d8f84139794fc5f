//! How a search evaluates [`MaxOfSums`].

use super::{Charging, MaxOfSums, Members, Register};
use crate::domain::{Cost, Op, OpSet, Partitioned};
use crate::heuristic::{Claims, Evaluation, Heuristic, Step, Verdict};

/// The data of [`MaxOfSums`] at a node.
#[derive(Clone, Debug)]
pub struct CarriedSums<I, const REGISTERS: usize, const MEMBERS: usize> {
    pub(super) index: I,
    /// The value of each member. [`Cost::MAX`] if it is not read yet.
    pub(super) values: [Cost; MEMBERS],
    /// The value of each sum.
    pub(super) sums: [Register; REGISTERS],
}

/// Adds the change of a member's value to all sums that have the member. Returns by how much these
/// sums are above the limit, 0 for all other sums. Of the sums in a lane of several registers, it
/// returns the largest excess.
///
/// Addition is modulo 256, so a value may fall too. No plan costs more than 250. So a sum above 255
/// belongs to a state without a plan. Its lane then holds less than the sum, which is a bound, too.
/// The lane holds the sum again once that is below 256.
#[inline(always)]
pub(super) fn exchange<const REGISTERS: usize>(
    sums: &mut [Register; REGISTERS],
    lanes: &[Register; REGISTERS],
    change: Cost,
    limit: Register,
) -> Register {
    let change = Register::all(change);
    let mut over = Register::all(0);
    for (sum, &lanes) in sums.iter_mut().zip(lanes) {
        *sum = sum.plus(change.and(lanes));
        over = over.max(sum.above(limit).and(lanes));
    }
    over
}

/// The largest of some sums.
#[inline(always)]
pub(super) fn most<const REGISTERS: usize>(sums: &[Register; REGISTERS]) -> Cost {
    sums.iter().fold(Register::all(0), |most, &sums| most.max(sums)).most()
}

impl<M, L, const REGISTERS: usize, const MEMBERS: usize> MaxOfSums<M, L, REGISTERS, MEMBERS> {
    /// Prefetches what the children of a state read. A child that moves the last feature again is
    /// usually pruned.
    #[inline(always)]
    fn prefetch<D: Partitioned>(&self, domain: &D, state: &D::State, index: &M::Index, last: usize)
    where
        M: Members<D, Lookup = L>,
    {
        for op in domain.applicable(state).members() {
            let mover = domain.mover(state, op);
            if mover != last {
                for Charging { lookup, .. } in &self.charging[mover] {
                    self.members.prefetch(lookup, index, op);
                }
            }
        }
    }

    /// Makes the data of a child, and returns its bound and the moved feature. Or a bound above the
    /// limit: then the data is arbitrary.
    #[inline(always)]
    fn charge<D: Partitioned>(
        &self,
        (domain, from, op): (&D, &D::State, Op),
        carry: &CarriedSums<M::Index, REGISTERS, MEMBERS>,
        child: &mut CarriedSums<M::Index, REGISTERS, MEMBERS>,
        limit: Cost,
    ) -> Result<(Cost, usize), Cost>
    where
        M: Members<D, Lookup = L>,
    {
        let mover = domain.mover(from, op);
        child.values = carry.values;
        let (mut sums, limits) = (carry.sums, Register::all(limit));
        for Charging { member, lanes, lookup } in &self.charging[mover] {
            let member = *member as usize % MEMBERS;
            let value = self.members.read(lookup, &carry.index, op);
            let change = value.wrapping_sub(carry.values[member]);
            child.values[member] = value;
            let over = exchange(&mut sums, lanes, change, limits);
            if !over.is_zero() {
                return Err(limit + over.most());
            }
        }
        // A sum that does not charge the moved feature may be above the limit, too.
        let h = most(&sums);
        if h > limit {
            return Err(h);
        }
        child.sums = sums;
        self.members.advance(domain, &carry.index, op, mover, &mut child.index);
        Ok((h, mover))
    }
}

impl<D, M, const REGISTERS: usize, const MEMBERS: usize> Heuristic<D>
    for MaxOfSums<M, M::Lookup, REGISTERS, MEMBERS>
where
    D: Partitioned,
    M: Members<D>,
{
    type Carry = CarriedSums<M::Index, REGISTERS, MEMBERS>;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let (index, value) = self.members.root(domain, state);
        let mut root = self.without_values(index);
        self.bound_from(&mut root, Cost::MAX, false, |_, member| Some(value(member)));
        root
    }
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        _: &D::State,
    ) -> Self::Carry {
        let mut child = carry.clone();
        let charged = self.charge((domain, from, op), carry, &mut child, Cost::MAX);
        debug_assert!(charged.is_ok(), "no cost is above the highest");
        child
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(most(&carry.sums))
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, D>,
        carry: &Self::Carry,
        child: &mut Self::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let domain = step.domain();
        let (h, mover) = self.charge((domain, step.from(), step.op()), carry, child, limit)?;
        self.prefetch(domain, step.child(), &child.index, mover);
        Ok(Verdict::bound(h))
    }
}
