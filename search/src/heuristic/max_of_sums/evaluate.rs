//! Reading [`MaxOfSums`]: with a copy for each child, and in place.

use super::{AdditiveBounds, MaxOfSums, Sum, WIDEST};
use crate::domain::{Cost, Op, Partitioned};
use crate::heuristic::{Heuristic, InPlace, Verdict};

/// The data of [`MaxOfSums`] at a node, if it is not searched in place.
#[derive(Clone, Debug)]
pub struct CopiedSums<W, const MEMBERS: usize> {
    work: W,
    /// By member: its value when it was last read.
    values: [Cost; MEMBERS],
    /// Members with a feature that moved since they were read.
    stale: u64,
}

impl<D, M, const SUMS: usize, const MEMBERS: usize> Heuristic<D> for MaxOfSums<M, SUMS, MEMBERS>
where
    D: Partitioned,
    M: AdditiveBounds<D>,
{
    type Carry = CopiedSums<M::Work, MEMBERS>;
    const OUTLINED: bool = true;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let stale = self.charged.iter().fold(0, |all, members| all | members);
        CopiedSums { work: self.members.work(domain, state), values: [0; MEMBERS], stale }
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        _: &D::State,
    ) -> Self::Carry {
        let mover = domain.mover(from, op);
        let mut child = carry.clone();
        self.members.step(&mut child.work, op, mover);
        child.stale |= self.charged[mover];
        child
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, limit: Cost) -> Verdict<D::Ops> {
        let mut most = 0;
        for Sum { members, list } in &self.sums {
            let mut stale = carry.stale & members;
            carry.stale &= !members;
            while stale != 0 {
                let member = stale.trailing_zeros() as usize;
                stale &= stale - 1;
                carry.values[member % MEMBERS] = self.members.read_still(member, &carry.work);
            }
            most = most.max(self.total(&carry.values, list));
            if most > limit {
                break;
            }
        }
        Verdict::bound(most)
    }
}

/// The values of sums that a node keeps in place.
#[derive(Clone, Copy, Debug)]
pub struct SumCache<const SUMS: usize, const MEMBERS: usize> {
    /// By member: its value when it was last read.
    values: [Cost; MEMBERS],
    /// By sum: its value when it was last read, plus what remained there; at most 255.
    asleep: [u8; SUMS],
    /// Members with a feature that moved since they were read.
    stale: u64,
}

/// The members that can cut a child, and from which value on.
#[derive(Clone, Copy, Debug)]
pub struct ActiveMembers<const MEMBERS: usize> {
    /// Members of sums that can exceed what remains for a child.
    members: u64,
    /// By such a member: the highest value plus operator cost of a child that is not cut.
    ceilings: [Cost; MEMBERS],
}

impl<D, M, const SUMS: usize, const MEMBERS: usize> InPlace<D> for MaxOfSums<M, SUMS, MEMBERS>
where
    D: Partitioned,
    M: AdditiveBounds<D>,
{
    type Work = M::Work;
    type Note = SumCache<SUMS, MEMBERS>;
    type Ready = ActiveMembers<MEMBERS>;

    fn work(&self, domain: &D, state: &D::State) -> (Self::Work, Self::Note) {
        let stale = self.charged.iter().fold(0, |all, members| all | members);
        let known = SumCache { values: [0; MEMBERS], asleep: [255; SUMS], stale };
        (self.members.work(domain, state), known)
    }
    fn state(&self, domain: &D, work: &Self::Work) -> D::State {
        self.members.state(domain, work)
    }
    #[inline(always)]
    fn is_goal(&self, domain: &D, work: &Self::Work) -> bool {
        self.members.is_goal(domain, work)
    }
    #[inline(always)]
    fn applicable(&self, _: &D, work: &Self::Work) -> D::Ops {
        self.members.applicable(work)
    }
    #[inline(always)]
    fn ready(
        &self,
        _: &D,
        work: &Self::Work,
        note: &mut Self::Note,
        remaining: Cost,
    ) -> Self::Ready {
        let mut tight = ActiveMembers { members: 0, ceilings: [255; MEMBERS] };
        // Finds the sums that may exceed what remains for a child: see [`MaxOfSums`].
        let far = self.dearest.saturating_mul(2);
        let least = 2 * u16::from(remaining.saturating_sub(self.dearest)) + 1;
        let least = if self.steady { u8::try_from(least).unwrap_or(255) } else { 0 };
        let groups = note.asleep.as_chunks::<8>().0.iter().map(|group| at_least(*group, least));
        let mut awake = [0_u64; 8];
        for (awake, (group, all)) in awake.iter_mut().zip(groups.zip(&self.all)) {
            *awake = group & all;
        }
        for (group, mut awake) in awake.into_iter().enumerate().take(SUMS / 8) {
            while awake != 0 {
                let sum = (8 * group + awake.trailing_zeros() as usize / 8) % SUMS;
                awake &= awake - 1;
                let Sum { members, list } = &self.sums[sum];
                let mut stale = note.stale & members;
                note.stale &= !members;
                while stale != 0 {
                    let member = stale.trailing_zeros() as usize;
                    stale &= stale - 1;
                    note.values[member % MEMBERS] = self.members.read_still(member, work);
                }
                let total = self.total(&note.values, list);
                note.asleep[sum] = total.saturating_add(remaining);
                if self.steady && total <= remaining && remaining - total >= far {
                    continue;
                }
                tight.members |= members;
                self.each(list, |member| {
                    let value = note.values[member];
                    // If the sum exceeds what remains (it was not steady), it cuts every child.
                    let ceiling = match remaining.checked_sub(total) {
                        Some(slack) => value.saturating_add(slack),
                        None => value.saturating_sub(total - remaining),
                    };
                    tight.ceilings[member] = tight.ceilings[member].min(ceiling);
                });
            }
        }
        tight
    }
    #[inline(always)]
    fn prefetch(&self, _: &D, work: &Self::Work, ready: &Self::Ready, op: Op) {
        let mover = self.members.mover(work, op);
        let mut due = self.charged[mover] & ready.members;
        while due != 0 {
            let member = due.trailing_zeros() as usize;
            due &= due - 1;
            self.members.prefetch(member, work, op, mover);
        }
    }
    #[inline(always)]
    fn step(
        &self,
        domain: &D,
        work: &mut Self::Work,
        note: &Self::Note,
        ready: &Self::Ready,
        op: Op,
        limit: Cost,
    ) -> Result<Self::Note, Cost> {
        let mover = self.members.mover(work, op);
        let (moved, cost) = (self.charged[mover], domain.cost(op));
        let read = moved & ready.members;
        let (mut due, mut values) = (read, [0; MEMBERS]);
        while due != 0 {
            let member = due.trailing_zeros() as usize;
            due &= due - 1;
            let value = self.members.read_moved(member, work, op, mover);
            let ceiling = ready.ceilings[member % MEMBERS];
            let over = value.saturating_add(cost).saturating_sub(ceiling);
            if over > 0 {
                return Err(limit.saturating_add(over));
            }
            values[member % MEMBERS] = value;
        }
        let mut now = *note;
        now.stale = (note.stale | moved) & !read;
        due = read;
        while due != 0 {
            let member = due.trailing_zeros() as usize % MEMBERS;
            due &= due - 1;
            now.values[member] = values[member];
        }
        self.members.step(work, op, mover);
        Ok(now)
    }
    #[inline(always)]
    fn undo(&self, _: &D, work: &mut Self::Work, op: Op) {
        self.members.undo(work, op);
    }
}

impl<M, const SUMS: usize, const MEMBERS: usize> MaxOfSums<M, SUMS, MEMBERS> {
    /// Calls `f` with each member of a sum.
    #[inline(always)]
    fn each(&self, list: &[u8; WIDEST], mut f: impl FnMut(usize)) {
        // The compiler unrolls loops of a known length.
        for &member in &list[..WIDEST / 2] {
            f(usize::from(member) % MEMBERS);
        }
        if self.wide {
            for &member in &list[WIDEST / 2..] {
                f(usize::from(member) % MEMBERS);
            }
        }
    }

    /// The sum of the members of a list, modulo 256.
    #[inline(always)]
    fn total(&self, values: &[Cost; MEMBERS], list: &[u8; WIDEST]) -> Cost {
        let mut total: Cost = 0;
        self.each(list, |member| total = total.wrapping_add(values[member]));
        total
    }
}

/// Sets bit 7 of each byte that is at least `least`.
#[inline(always)]
fn at_least(group: [u8; 8], least: u8) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let least = 0x0101_0101_0101_0101 * u64::from(least);
    // In each byte the high bits decide, or else a difference of the low seven bits.
    let word = u64::from_le_bytes(group);
    let low = (word | HIGH) - (least & !HIGH);
    ((word & !least) | (!(word ^ least) & low)) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_compared() {
        for byte in 0..=255 {
            let group = [100, 255, 0, byte, 127, 128, 1, 254];
            for least in 0..=255 {
                let found = at_least(group, least).to_le_bytes();
                assert_eq!(found, group.map(|byte| if byte >= least { 128 } else { 0 }));
            }
        }
    }
}
