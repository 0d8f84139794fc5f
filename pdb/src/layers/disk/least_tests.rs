//! A reduction for tests: the least distance of each column over groups of rows.

use super::*;
use crate::builder::{BuildError, BuildOptions, build};
use crate::file::Payload;
use crate::table::PackedTable;
use search::random::Random;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The least distance of each column over the rows of a group, in entries that are far apart.
pub(super) struct Least {
    bits: usize,
    columns: usize,
    /// The rows behind the groups, ascending.
    ends: Vec<u64>,
    /// What entries are numbered by: the step from one to the next, modulo the number of entries.
    step: u64,
    entries: u64,
    /// The greatest value that is allowed, and the greatest that was found.
    pub(super) most: u64,
    found: AtomicU64,
}

impl Least {
    pub(super) fn new(abstraction: &dyn Abstraction, bits: usize, seed: u64) -> Self {
        let (rows, mut random, mut ends) = (abstraction.rows(), Random::new(seed), Vec::new());
        while ends.last() != Some(&rows) {
            let last = ends.last().copied().unwrap_or(0);
            ends.push(rows.min(last + 1 + random.below(5)));
        }
        let columns = abstraction.columns();
        // A prime above the number of values, so that every step leads to all entries.
        let values = (ends.len() * columns) as u64;
        let is_prime = |n: &u64| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
        let entries = (values + random.below(50) + 2..).find(is_prime).expect("a prime");
        let step = 1 + random.below(entries - 1);
        let (most, found) = (u64::MAX, AtomicU64::new(0));
        Self { bits, columns, ends, step, entries, most, found }
    }

    pub(super) fn table_payload(&self) -> Payload {
        PackedTable::payload(u32::try_from(self.bits).expect("4 or 8"), self.entries)
    }

    /// The payload, from distances in memory.
    pub(super) fn payload(&self, abstraction: &dyn Abstraction) -> Vec<u8> {
        let exact = build::<8>(abstraction, &BuildOptions::default()).expect("built").into_bytes();
        let len = usize::try_from(self.table_payload().bytes).expect("small");
        let (mut payload, mut first) = (vec![0; len], 0);
        for &end in &self.ends {
            let [from, to] = [first, end].map(|row| usize::try_from(row).expect("small"));
            let distances = &exact[from * self.columns..to * self.columns];
            self.reduce(first, distances, &mut |entry, value| {
                let bit = usize::try_from(entry).expect("small") * self.bits;
                payload[bit / 8] |= value << (bit % 8);
            });
            first = end;
        }
        payload
    }
}

impl Reduction for Least {
    fn bits(&self) -> usize {
        self.bits
    }
    fn group_end(&self, row: u64) -> u64 {
        self.ends[self.ends.partition_point(|&end| end <= row)]
    }
    fn reduce(&self, row: u64, distances: &[u8], put: &mut dyn FnMut(u64, u8)) {
        let group = self.ends.partition_point(|&end| end <= row);
        for column in 0..self.columns {
            let least = distances.iter().skip(column).step_by(self.columns).min();
            let Some(&least) = least.filter(|&&least| least < u8::MAX) else { continue };
            self.found.fetch_max(least.into(), Relaxed);
            let value = if self.bits == 4 { least % 15 + 1 } else { least + 1 };
            put((group * self.columns + column) as u64 * self.step % self.entries, value);
        }
    }
    fn check(&self) -> Result<(), BuildError> {
        let found = self.found.load(Relaxed);
        let depth = u32::try_from(found).expect("a byte");
        let error = BuildError::TooDeep { depth, bits: self.bits };
        if found > self.most { Err(error) } else { Ok(()) }
    }
}
