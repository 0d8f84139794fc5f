//! The open list of a best-first search, for priorities of any size.

use crate::stored::open::Open;
use crate::stored::store::{Budget, Full};
use num_traits::PrimInt;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A priority queue of indices, by a first and then a second priority.
///
/// Small priorities lie in buckets: 4 bytes an entry, and constant time. Others lie in a binary
/// heap: 16 bytes an entry if `C` has 32 bits, 24 if it has 64. Of equal priorities, the last entry
/// pushed comes first in a bucket, and the greatest index in the heap.
pub(super) struct Queue<C> {
    near: Open,
    far: BinaryHeap<(Reverse<u64>, Reverse<C>, u32)>,
}

impl<C: PrimInt> Queue<C> {
    /// Both priorities of an entry in a bucket are below this. There may be a bucket of 24 bytes
    /// for each pair of priorities, so at most 24 MiB. Costs of one byte always have buckets.
    const NEAR: u64 = if size_of::<C>() == 1 { 1 << 16 } else { 1 << 10 };

    pub(super) fn new() -> Self {
        Self { near: Open::new(), far: BinaryHeap::new() }
    }

    #[inline(always)]
    pub(super) fn push(
        &mut self,
        first: u64,
        second: C,
        index: u32,
        budget: &Budget,
    ) -> Result<(), Full> {
        match second.to_usize() {
            #[expect(clippy::cast_possible_truncation, reason = "at most 16 bits")]
            Some(short) if first < Self::NEAR && (short as u64) < Self::NEAR => {
                self.near.push(first as usize, short, index, budget)
            }
            _ => self.push_far(first, second, index, budget),
        }
    }

    fn push_far(&mut self, first: u64, second: C, index: u32, budget: &Budget) -> Result<(), Full> {
        if self.far.len() == self.far.capacity() {
            let more = self.far.capacity().max(4);
            budget.take(more * size_of::<(u64, C, u32)>())?;
            self.far.reserve_exact(more);
        }
        self.far.push((Reverse(first), Reverse(second), index));
        Ok(())
    }

    /// Removes an index with the least first, then the least second priority. Returns both
    /// priorities and the index.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(u64, C, u32)> {
        let near = self.near.peek(|_, _, _| true);
        let near =
            near.and_then(|(first, second, index)| Some((first as u64, C::from(second)?, index)));
        match (near, self.far.peek()) {
            (Some(near), Some(far)) if (far.0.0, far.1.0) < (near.0, near.1) => self.pop_far(),
            (None, _) => self.pop_far(),
            (Some(_), _) => {
                self.near.pop();
                near
            }
        }
    }

    fn pop_far(&mut self) -> Option<(u64, C, u32)> {
        self.far.pop().map(|(Reverse(first), Reverse(second), index)| (first, second, index))
    }

    /// Whether all entries lie in buckets.
    pub(super) fn is_near(&self) -> bool {
        self.far.is_empty()
    }

    /// Groups of entries with equal priorities: both priorities, and the indices.
    pub(super) fn groups(&self) -> impl Iterator<Item = (u64, C, &[u32])> {
        let near = self
            .near
            .buckets()
            .filter_map(|(first, second, bucket)| Some((first as u64, C::from(second)?, bucket)));
        let far = self.far.iter().map(|(Reverse(first), Reverse(second), index)| {
            (*first, *second, std::slice::from_ref(index))
        });
        near.chain(far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Priorities on both sides of the limit come out in order, and none is lost.
    #[test]
    fn near_and_far_entries_come_out_in_one_order() {
        let (budget, mut random) = (Budget::new(None), Random::new(3));
        let mut queue = Queue::<u32>::new();
        let mut all = Vec::new();
        for index in 0..3000 {
            let first = 600 + random.index(1000) as u64;
            let second = u32::try_from(random.index(1500)).unwrap();
            queue.push(first, second, index, &budget).unwrap();
            all.push((first, second));
        }
        assert!(!queue.is_near());
        let groups: usize = queue.groups().map(|(.., bucket)| bucket.len()).sum();
        assert_eq!(groups, 3000);
        all.sort_unstable();
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert!(order.iter().map(|&(first, second, _)| (first, second)).eq(all));
        assert!(queue.is_near());
    }
}
