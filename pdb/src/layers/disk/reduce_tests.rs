//! Tables reduced on disk are byte for byte those reduced in memory, however often a build is
//! stopped, and in however many rounds the windows are made.

use super::form_tests::{Form, Limits};
use super::tests::{corners, files};
use super::*;
use crate::builder::tests::random;
use crate::builder::{BuildError, BuildOptions, build};
use crate::file::{Payload, TableErrorKind};
use crate::table::PackedTable;
use proptest::prelude::*;
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
    most: u64,
    found: AtomicU64,
}

impl Least {
    fn new(abstraction: &dyn Abstraction, bits: usize, seed: u64) -> Self {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn values_are_those_in_memory(
        seed: u64, rows in 1_u64..200, columns in 1_usize..20, undirected: bool, four: bool,
        costs in prop::sample::select(vec![&[1][..], &[0, 1], &[2, 3]]), more in 0_u64..2000,
        spill in prop::option::of(0_u64..5000), stop in prop::option::of(5_u64..40),
    ) {
        let abstraction = random(seed, rows, columns, 3, costs, undirected);
        let reduction = Least::new(&abstraction, if four { 4 } else { 8 }, seed);
        let form = Form::Reduction(&reduction);
        let memory = form.least(&abstraction) + more;
        form.agree(&abstraction, Limits { memory, spill, stop });
    }
}

/// The spill files of the values are bounded, too: then some windows are made in a later round.
#[test]
fn windows_are_made_in_as_many_rounds_as_the_disk_asks_for() {
    let pattern = corners();
    let reduction = Least::new(&pattern, 8, 1);
    let form = Form::Reduction(&reduction);
    let memory = pattern.entries() / 10;
    let parts = |spill| {
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits { memory, spill, stop: None };
        let parts = form.run(&pattern, folder.path(), limits).expect("built");
        form.is_saved(&pattern, folder.path());
        parts
    };
    let (one, more) = (parts(None), parts(Some(pattern.entries() / 4)));
    // A round reads all 16 buckets.
    assert!(one > 16 && more >= one + 2 * 16, "{one} and {more} parts");
}

#[test]
fn a_value_that_is_too_great_is_told_and_leaves_nothing() {
    let abstraction = random(3, 50, 7, 1, &[40], true);
    let reduction = Least { most: 40, ..Least::new(&abstraction, 8, 3) };
    let form = Form::Reduction(&reduction);
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits::of(form.least(&abstraction), None);
    let error = form.run(&abstraction, folder.path(), limits).expect_err("too deep");
    let ExhaustError::Build(BuildError::TooDeep { depth, bits: 8 }) = error else {
        panic!("{error:?}")
    };
    assert!(depth > 40);
    assert_eq!(files(&folder.path().join("disk")), [""; 0]);
}

/// Values that a stopped run has spilled are removed by the next one, or at once on an error.
#[test]
fn a_table_that_cannot_be_saved_costs_no_layer() {
    let abstraction = random(5, 150, 19, 3, &[1], true);
    let reduction = Least::new(&abstraction, 4, 5);
    let form = Form::Reduction(&reduction);
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits::of(form.least(&abstraction), None);
    // A file stands in the place of the folder of tables.
    let tables = folder.path().join("tables");
    std::fs::write(&tables, "").expect("written");
    let error = form.run(&abstraction, folder.path(), limits).expect_err("not saved");
    assert!(matches!(error, ExhaustError::File(_)), "{error:?}");
    let buckets = files(&folder.path().join("disk/toy-buckets"));
    assert!(!buckets.is_empty() && buckets.iter().all(|name| !name.ends_with("spill")));
    std::fs::remove_file(&tables).expect("removed");
    form.run(&abstraction, folder.path(), limits).expect("saved");
    form.is_saved(&abstraction, folder.path());
    let error = form.run(&abstraction, folder.path(), limits).expect_err("there is one");
    let ExhaustError::File(error) = error else { panic!("{error:?}") };
    assert!(matches!(error.kind(), TableErrorKind::Exists), "{error:?}");
}
