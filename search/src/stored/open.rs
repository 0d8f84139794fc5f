//! The open list: buckets by two small priorities. Within a bucket, the last state pushed is first.

use crate::stored::store::{Budget, Full};

/// A priority queue of indices. Push and pop take constant time, plus the time to pass empty
/// buckets: with a first priority `f = g + h` at most 500 by 250, with `g + weight * h` at most
/// 64,255 by 250.
pub(crate) struct Open {
    /// Indexed by the first, then by the second priority.
    buckets: Vec<Vec<Vec<u32>>>,
    /// All buckets with a lower first priority are empty.
    least: usize,
}

impl Open {
    pub(crate) fn new() -> Self {
        Self { buckets: Vec::new(), least: 0 }
    }

    pub(crate) fn push(
        &mut self,
        first: usize,
        second: usize,
        index: u32,
        budget: &Budget,
    ) -> Result<(), Full> {
        if self.buckets.len() <= first {
            self.buckets.resize_with(first + 1, Vec::new);
        }
        let row = &mut self.buckets[first];
        if row.len() <= second {
            row.resize_with(second + 1, Vec::new);
        }
        let bucket = &mut row[second];
        if bucket.len() == bucket.capacity() {
            let more = bucket.capacity().max(4);
            budget.take(more * size_of::<u32>())?;
            bucket.reserve_exact(more);
        }
        bucket.push(index);
        self.least = self.least.min(first);
        Ok(())
    }

    /// The buckets that hold an index: both priorities, and the indices.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = (usize, usize, &[u32])> {
        let rows = self.buckets.iter().enumerate().skip(self.least);
        let all = rows.flat_map(|(first, row)| {
            row.iter().enumerate().map(move |(second, bucket)| (first, second, bucket.as_slice()))
        });
        all.filter(|(.., bucket)| !bucket.is_empty())
    }

    /// The index that [`pop`](Self::pop) would remove, with its priorities. It removes the indices
    /// before it that are not `fresh`.
    pub(crate) fn peek(
        &mut self,
        fresh: impl Fn(usize, usize, u32) -> bool,
    ) -> Option<(usize, usize, u32)> {
        while let Some(row) = self.buckets.get_mut(self.least) {
            for (second, bucket) in row.iter_mut().enumerate() {
                while let Some(&index) = bucket.last() {
                    if fresh(self.least, second, index) {
                        return Some((self.least, second, index));
                    }
                    bucket.pop();
                }
            }
            self.least += 1;
        }
        None
    }

    /// Removes an index with the least first, then the least second priority. Returns both
    /// priorities and the index.
    pub(crate) fn pop(&mut self) -> Option<(usize, usize, u32)> {
        let top = self.peek(|_, _, _| true)?;
        self.buckets[top.0][top.1].pop();
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_comes_first_and_of_equals_the_last_pushed() {
        let budget = Budget::new(None);
        let mut open = Open::new();
        for (first, second, index) in [(5, 1, 0), (3, 2, 1), (3, 0, 2), (3, 0, 3), (9, 9, 4)] {
            open.push(first, second, index, &budget).unwrap();
        }
        assert_eq!(open.pop(), Some((3, 0, 3)));
        assert_eq!(open.pop(), Some((3, 0, 2)));
        assert_eq!(open.pop(), Some((3, 2, 1)));
        open.push(2, 7, 5, &budget).unwrap();
        let all: Vec<_> = open.buckets().map(|(f, s, bucket)| (f, s, bucket.to_vec())).collect();
        assert_eq!(all, [(2, 7, vec![5]), (5, 1, vec![0]), (9, 9, vec![4])]);
        assert_eq!(open.peek(|_, _, index| index != 5), Some((5, 1, 0)));
        assert_eq!(open.pop(), Some((5, 1, 0)));
        assert_eq!(open.pop(), Some((9, 9, 4)));
        assert_eq!(open.pop(), None);
    }
}
