//! The forms of tables that are built on disk, for tests: each build agrees with one in memory.

use super::least_tests::Least;
use super::tests::{Watch, checkpoint, files};
use super::*;
use crate::builder::{BuildError, BuildObserver, BuildOptions, build};
use crate::file::{Load, TableSpec, TableStore};
use crate::table::{Modulo3, PackedTable, StripeCode, StripeTable};
use search::CancelToken;
use search::random::Random;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// The form of a table.
#[derive(Clone, Copy)]
pub(super) enum Form<'r> {
    /// Exact distances, of 4 or 8 bits.
    Exact(u32),
    Stripes(StripeCode),
    Remainders,
    /// What a reduction makes of exact distances.
    Reduction(&'r Least),
}

/// How a build is limited, and when it is cancelled.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) memory: u64,
    pub(super) spill: Option<u64>,
    /// After a number of reports.
    pub(super) stop: Option<u64>,
}

impl Limits {
    pub(super) fn of(memory: u64, stop: Option<u64>) -> Self {
        Self { memory, stop, spill: None }
    }
}

impl Form<'_> {
    pub(super) fn spec(self, abstraction: &dyn Abstraction) -> TableSpec {
        let (rows, columns) = abstraction.shape();
        let entries = rows * columns as u64;
        let payload = match self {
            Self::Exact(bits) => PackedTable::payload(bits, entries),
            Self::Stripes(code) => StripeTable::payload(rows, columns, code),
            Self::Remainders => Modulo3::payload(entries),
            Self::Reduction(least) => least.table_payload(),
        };
        TableSpec::new("toy", json!({"toy": 1}), payload)
    }

    pub(super) fn in_memory(
        self,
        abstraction: &dyn Abstraction,
        observer: Option<&dyn BuildObserver>,
    ) -> Result<Vec<u8>, BuildError> {
        let options = BuildOptions { observer, ..BuildOptions::default() };
        let bytes = match self {
            Self::Exact(4) => build::<4>(abstraction, &options)?.into_bytes(),
            Self::Exact(_) => build::<8>(abstraction, &options)?.into_bytes(),
            Self::Stripes(code) => StripeTable::build(abstraction, code, &options)?.into_bytes(),
            Self::Remainders => Modulo3::build(abstraction, &options)?.into_bytes(),
            Self::Reduction(least) => return Ok(least.payload(abstraction)),
        };
        Ok(bytes.to_vec())
    }

    pub(super) fn on_disk(
        self,
        abstraction: &dyn Abstraction,
        folder: &Path,
        options: &DiskOptions<'_>,
    ) -> Result<(), ExhaustError> {
        let checkpoint = &checkpoint(&folder.join("disk"));
        let (store, spec) = (TableStore::new(folder.join("tables")), self.spec(abstraction));
        let file = (&store, &spec);
        match self {
            Self::Exact(4) => build_on_disk::<4>(abstraction, checkpoint, options, file),
            Self::Exact(_) => build_on_disk::<8>(abstraction, checkpoint, options, file),
            Self::Stripes(code) => {
                build_stripes_on_disk(abstraction, code, checkpoint, options, file)
            }
            Self::Remainders => build_remainders_on_disk(abstraction, checkpoint, options, file),
            Self::Reduction(least) => reduce_on_disk(abstraction, least, checkpoint, options, file),
        }
    }

    /// One run of a build in a folder. Returns into how many parts the table was cut.
    pub(super) fn run(
        self,
        abstraction: &dyn Abstraction,
        folder: &Path,
        Limits { memory, spill, stop }: Limits,
    ) -> Result<u64, ExhaustError> {
        let cancel = CancelToken::new();
        let watch = Watch::stopping(stop.map(|at| (at, &cancel)));
        let (cancel, observer) = (Some(&cancel), Some::<&dyn BuildObserver>(&watch));
        let options = DiskOptions { cancel, observer, memory, spill, antipodes: 0 };
        self.on_disk(abstraction, folder, &options)?;
        Ok(watch.parts.load(Relaxed))
    }

    /// The least memory that the build on disk takes.
    pub(super) fn least(self, abstraction: &dyn Abstraction) -> u64 {
        let folder = tempfile::tempdir().expect("a folder");
        match self.run(abstraction, folder.path(), Limits::of(1, None)) {
            Err(ExhaustError::Limit { needed, .. }) => needed,
            other => panic!("expected a limit: {other:?}"),
        }
    }

    /// Checks that the saved table is the one that is built in memory, and that nothing else is
    /// left.
    pub(super) fn is_saved(self, abstraction: &dyn Abstraction, folder: &Path) {
        let expected = self.in_memory(abstraction, None).expect("built");
        let store = TableStore::new(folder.join("tables"));
        let found = store.load(&self.spec(abstraction), Load::Ram).expect("saved");
        assert!(found[..] == expected[..]);
        assert_eq!(files(&folder.join("disk")), [""; 0]);
    }

    /// Builds on disk, in several runs if `stop` is given, and compares with a build in memory: the
    /// table, or the error. Returns the number of runs that were stopped.
    pub(super) fn agree(self, abstraction: &dyn Abstraction, mut limits: Limits) -> u32 {
        let (folder, mut random) = (tempfile::tempdir().expect("a folder"), Random::new(5));
        let (mut reports, mut stops) = (limits.stop, 0);
        let found = loop {
            limits.stop = reports.map(|reports| random.below(reports));
            match self.run(abstraction, folder.path(), limits) {
                Err(ExhaustError::Build(BuildError::Cancelled)) => stops += 1,
                found => break found,
            }
            reports = reports.map(|reports| reports + 5);
        };
        match self.in_memory(abstraction, None) {
            Ok(_) => {
                found.expect("built");
                self.is_saved(abstraction, folder.path());
            }
            Err(expected) => {
                assert_eq!(found.expect_err("refused").to_string(), expected.to_string());
                let disk = folder.path().join("disk");
                assert!(!disk.exists() || files(&disk).is_empty());
            }
        }
        stops
    }
}
