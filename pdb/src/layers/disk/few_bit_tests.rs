//! Tables of one or two bits built on disk are byte for byte those built in memory, and the errors
//! are the same.

use super::tests::{Watch, checkpoint, corners, files, reversals};
use super::*;
use crate::builder::tests::random;
use crate::builder::{BuildError, BuildObserver, BuildOptions};
use crate::file::{Load, Payload, TableSpec, TableStore};
use crate::memory::Bytes;
use crate::table::{Modulo3, StripeCode, StripeTable};
use proptest::prelude::*;
use search::CancelToken;
use search::random::Random;
use serde_json::json;
use std::path::Path;
use std::sync::Mutex;

/// The form of a table.
#[derive(Clone, Copy)]
enum Few {
    Stripes(StripeCode),
    Remainders,
}

impl Few {
    fn spec(self, abstraction: &dyn Abstraction) -> TableSpec {
        let (rows, columns) = abstraction.shape();
        let payload: Payload = match self {
            Self::Stripes(code) => StripeTable::payload(rows, columns, code),
            Self::Remainders => Modulo3::payload(rows * columns as u64),
        };
        TableSpec::new("toy", json!({"toy": 1}), payload)
    }

    fn in_memory(
        self,
        abstraction: &dyn Abstraction,
        observer: Option<&dyn BuildObserver>,
    ) -> Result<Bytes, BuildError> {
        let options = BuildOptions { observer, ..BuildOptions::default() };
        match self {
            Self::Stripes(code) => {
                Ok(StripeTable::build(abstraction, code, &options)?.into_bytes())
            }
            Self::Remainders => Ok(Modulo3::build(abstraction, &options)?.into_bytes()),
        }
    }

    fn on_disk(
        self,
        abstraction: &dyn Abstraction,
        folder: &Path,
        options: &DiskOptions<'_>,
    ) -> Result<(), ExhaustError> {
        let checkpoint = checkpoint(&folder.join("disk"));
        let (store, spec) = (TableStore::new(folder.join("tables")), self.spec(abstraction));
        let file = (&store, &spec);
        match self {
            Self::Stripes(code) => {
                build_stripes_on_disk(abstraction, code, &checkpoint, options, file)
            }
            Self::Remainders => build_remainders_on_disk(abstraction, &checkpoint, options, file),
        }
    }

    /// The least memory that the build on disk takes.
    fn least(self, abstraction: &dyn Abstraction) -> u64 {
        let folder = tempfile::tempdir().expect("a folder");
        let options = DiskOptions { memory: 1, ..DiskOptions::default() };
        match self.on_disk(abstraction, folder.path(), &options) {
            Err(ExhaustError::Limit { needed, .. }) => needed,
            other => panic!("expected a limit: {other:?}"),
        }
    }

    /// Builds on disk, in several runs if `stop` is given, and compares with a build in memory: the
    /// table, or the error. Returns the number of runs that were stopped.
    fn agree(self, abstraction: &dyn Abstraction, memory: u64, mut stop: Option<u64>) -> u32 {
        let (folder, mut random) = (tempfile::tempdir().expect("a folder"), Random::new(5));
        let mut stops = 0;
        let found = loop {
            let cancel = CancelToken::new();
            let watch = Watch::stopping(stop.map(|reports| (random.below(reports), &cancel)));
            let (cancel, observer) = (Some(&cancel), Some::<&dyn BuildObserver>(&watch));
            let options = DiskOptions { cancel, observer, memory, ..DiskOptions::default() };
            match self.on_disk(abstraction, folder.path(), &options) {
                Err(ExhaustError::Build(BuildError::Cancelled)) => stops += 1,
                found => break found,
            }
            stop = stop.map(|reports| reports + 5);
        };
        match self.in_memory(abstraction, None) {
            Ok(expected) => {
                found.expect("built");
                let store = TableStore::new(folder.path().join("tables"));
                let found = store.load(&self.spec(abstraction), Load::Ram).expect("saved");
                assert!(found[..] == expected[..]);
            }
            Err(expected) => {
                assert_eq!(found.expect_err("refused").to_string(), expected.to_string());
            }
        }
        let disk = folder.path().join("disk");
        assert!(!disk.exists() || files(&disk).is_empty());
        stops
    }
}

/// Codes of both sizes. With the greatest ones, all layers of a small table are made.
const CODES: [StripeCode; 5] = [
    StripeCode::one(0),
    StripeCode::one(3),
    StripeCode::two(0),
    StripeCode::two(4),
    StripeCode::two(11),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn tables_of_few_bits_are_those_built_in_memory(
        seed: u64, rows in 1_u64..200, columns in 1_usize..140, undirected: bool,
        more in 0_u64..2000, stop in prop::option::of(5_u64..40),
    ) {
        let abstraction = random(seed, rows, columns, 2, &[1], undirected);
        for few in CODES.map(Few::Stripes).into_iter().chain([Few::Remainders]) {
            // A directed abstraction has no remainders, whatever the memory.
            let least = match few {
                Few::Remainders if !undirected => 1,
                _ => few.least(&abstraction),
            };
            few.agree(&abstraction, least + more, stop);
        }
    }

    #[test]
    fn edges_that_do_not_cost_1_are_refused(
        seed: u64, rows in 2_u64..60, columns in 1_usize..20, cost in 0_u8..4,
    ) {
        let abstraction = random(seed, rows, columns, 2, &[1, cost], true);
        for few in CODES.map(Few::Stripes) {
            few.agree(&abstraction, few.least(&abstraction), None);
        }
        Few::Remainders.agree(&abstraction, Few::Remainders.least(&abstraction), None);
    }
}

#[test]
fn few_bits_in_a_tenth_or_a_fifth_of_the_table() {
    let pattern = corners();
    let few = Few::Stripes(StripeCode::two(8));
    few.agree(&pattern, few.spec(&pattern).payload_bytes / 10, None);
    Few::Remainders.agree(&pattern, Few::Remainders.spec(&pattern).payload_bytes / 5, None);
}

#[test]
fn a_table_of_few_bits_that_is_stopped_again_and_again_is_the_same() {
    let pattern = reversals(8);
    for few in [Few::Stripes(StripeCode::two(4)), Few::Remainders] {
        assert!(few.agree(&pattern, few.least(&pattern), Some(20)) > 1);
    }
}

/// The depths and sizes of the layers that a build tells.
#[derive(Default)]
struct Layers(Mutex<Vec<(u8, u64, u64, u64)>>);

impl BuildObserver for Layers {
    fn layer(&self, depth: u8, entries: u64, seen: u64, total: u64) {
        self.0.lock().expect("not poisoned").push((depth, entries, seen, total));
    }
}

/// A build on disk makes no layer that the table does not need.
#[test]
fn the_layers_told_are_those_of_memory() {
    let pattern = reversals(8);
    for few in CODES.map(Few::Stripes) {
        let (disk, memory) = (Layers::default(), Layers::default());
        let folder = tempfile::tempdir().expect("a folder");
        let options = DiskOptions { observer: Some(&disk), ..DiskOptions::default() };
        few.on_disk(&pattern, folder.path(), &options).expect("built");
        few.in_memory(&pattern, Some(&memory)).expect("built");
        let [disk, memory] = [disk, memory].map(|told| told.0.into_inner().expect("not poisoned"));
        assert_eq!(disk, memory);
    }
}
