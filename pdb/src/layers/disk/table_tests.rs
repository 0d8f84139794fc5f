//! Tables built on disk are byte for byte those built in memory, however often a build is stopped.

use super::tests::{Obstacles, Watch, checkpoint, corners, files, reversals};
use super::*;
use crate::GroupPattern;
use crate::abstraction::{ColumnMap, Edge};
use crate::builder::tests::random;
use crate::builder::{BuildError, BuildObserver, BuildOptions, build};
use crate::file::{Checkpoint, Load, TableError, TableErrorKind, TableSpec, TableStore};
use crate::table::PackedTable;
use groups::Permutation;
use proptest::prelude::*;
use search::random::Random;
use search::{CancelToken, Cost};
use serde_json::json;
use std::path::Path;

fn spec(abstraction: &dyn Abstraction, bits: u32) -> TableSpec {
    let entries = abstraction.rows() * abstraction.columns() as u64;
    TableSpec::new("toy", json!({"toy": 1}), PackedTable::payload(bits, entries))
}

/// One run of a build in a folder with these bytes of memory. It is cancelled after `stop` reports.
fn run<const BITS: usize>(
    abstraction: &dyn Abstraction,
    folder: &Path,
    memory: u64,
    stop: Option<u64>,
) -> Result<(), ExhaustError> {
    let cancel = CancelToken::new();
    let watch = Watch::stopping(stop.map(|at| (at, &cancel)));
    let (cancel, observer) = (Some(&cancel), Some::<&dyn BuildObserver>(&watch));
    let options = DiskOptions { cancel, observer, memory, ..DiskOptions::default() };
    let (store, spec) = (TableStore::new(folder.join("tables")), spec(abstraction, bits::<BITS>()));
    let checkpoint = checkpoint(&folder.join("disk"));
    build_on_disk::<BITS>(abstraction, &checkpoint, &options, (&store, &spec))
}

fn bits<const BITS: usize>() -> u32 {
    u32::try_from(BITS).expect("4 or 8")
}

/// The least memory that a build on disk takes.
fn least<const BITS: usize>(abstraction: &dyn Abstraction) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    match run::<BITS>(abstraction, folder.path(), 1, None) {
        Err(ExhaustError::Limit { needed, .. }) => needed,
        other => panic!("expected a limit: {other:?}"),
    }
}

/// Checks that the saved table is the one that is built in memory, and that nothing else is left.
fn is_saved<const BITS: usize>(abstraction: &dyn Abstraction, folder: &Path) {
    let expected = build::<BITS>(abstraction, &BuildOptions::default()).expect("built");
    let store = TableStore::new(folder.join("tables"));
    let found = store.load(&spec(abstraction, bits::<BITS>()), Load::Ram).expect("saved");
    assert!(found[..] == expected.into_bytes()[..]);
    assert_eq!(files(&folder.join("disk")), [""; 0]);
}

/// A path of entries, one column each.
struct Line(u64);

impl Abstraction for Line {
    fn shape(&self) -> (u64, usize) {
        (self.0, 1)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(0);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let next = [row.checked_sub(1), Some(row + 1).filter(|&row| row < self.0)];
        out.extend(next.into_iter().flatten().map(|row| Edge { row, map: 0, cost: 1 }));
    }
    fn column_map(&self, _: u32) -> ColumnMap<'_> {
        ColumnMap::IDENTITY
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn tables_are_those_built_in_memory(
        seed: u64, rows in 1_u64..200, columns in 1_usize..20, undirected: bool,
        more in 0_u64..2000,
    ) {
        let abstraction = random(seed, rows, columns, 3, &[1], undirected);
        let folder = tempfile::tempdir().expect("a folder");
        let memory = least::<8>(&abstraction) + more;
        run::<8>(&abstraction, folder.path(), memory, None).expect("built");
        is_saved::<8>(&abstraction, folder.path());
    }
}

#[test]
fn a_table_in_a_tenth_of_its_bytes() {
    let pattern = corners();
    let folder = tempfile::tempdir().expect("a folder");
    run::<4>(&pattern, folder.path(), pattern.entries() / 20, None).expect("built");
    is_saved::<4>(&pattern, folder.path());
}

#[test]
fn a_build_that_is_stopped_again_and_again_makes_the_same_table() {
    let pattern = reversals(8);
    let (folder, mut random) = (tempfile::tempdir().expect("a folder"), Random::new(3));
    let (memory, mut reports, mut stops) = (least::<4>(&pattern), 20, 0);
    while let Err(error) = run::<4>(&pattern, folder.path(), memory, Some(random.below(reports))) {
        assert!(matches!(error, ExhaustError::Build(BuildError::Cancelled)), "{error:?}");
        (reports, stops) = (reports + 5, stops + 1);
    }
    assert!(stops > 1);
    is_saved::<4>(&pattern, folder.path());
}

/// A process may be killed when its table is saved, before it has removed the layers.
#[test]
fn layers_of_a_saved_table_are_removed() {
    let pattern = reversals(8);
    let folder = tempfile::tempdir().expect("a folder");
    let layers = folder.path().join("disk");
    run::<4>(&pattern, folder.path(), least::<4>(&pattern), Some(40)).expect_err("cancelled");
    let left = files(&layers);
    assert!(left.len() > 1, "{left:?}");
    let other = Checkpoint { description: json!("another"), ..checkpoint(&layers) };
    remove_layers(&other).expect("nothing to do");
    assert_eq!(files(&layers), left);
    remove_layers(&checkpoint(&layers)).expect("removed");
    assert_eq!(files(&layers), [""; 0]);
    remove_layers(&checkpoint(&layers)).expect("nothing to do");
}

#[test]
fn a_saved_table_is_no_failed_build_whatever_cannot_be_removed() {
    let (pattern, folder) = (reversals(8), tempfile::tempdir().expect("a folder"));
    let layers = folder.path().join("disk");
    let obstacles = Obstacles::new(&layers);
    let options = DiskOptions { observer: Some(&obstacles), ..DiskOptions::default() };
    let (store, spec) = (TableStore::new(folder.path().join("tables")), spec(&pattern, 4));
    build_on_disk::<4>(&pattern, &checkpoint(&layers), &options, (&store, &spec)).expect("built");
    assert!(store.load(&spec, Load::Ram).is_ok());
    assert_eq!(obstacles.failures.lock().expect("alive").len(), 1);
    // The next process removes what is left. The file of somebody else stays.
    std::fs::remove_dir(layers.join("toy-buckets/7.spill")).expect("removed");
    remove_layers(&checkpoint(&layers)).expect("removed");
    assert_eq!(files(&layers.join("toy-buckets")), ["note"]);
}

#[test]
fn a_distance_that_is_too_great_is_told_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    run::<4>(&Line(15), folder.path(), 1 << 20, None).expect("built");
    is_saved::<4>(&Line(15), folder.path());
    let folder = tempfile::tempdir().expect("a folder");
    let error = run::<4>(&Line(16), folder.path(), 1 << 20, None).expect_err("too deep");
    let ExhaustError::Build(BuildError::TooDeep { depth: 15, bits: 4 }) = error else {
        panic!("{error:?}")
    };
    assert_eq!(files(&folder.path().join("disk")), [""; 0]);
    run::<8>(&Line(16), folder.path(), 1 << 20, None).expect("built");
    is_saved::<8>(&Line(16), folder.path());
}

#[test]
fn a_table_that_cannot_be_saved_costs_no_layer() {
    let pattern = reversals(8);
    let folder = tempfile::tempdir().expect("a folder");
    // A file stands in the place of the folder of tables.
    let tables = folder.path().join("tables");
    std::fs::write(&tables, "").expect("written");
    let memory = least::<4>(&pattern);
    let error = run::<4>(&pattern, folder.path(), memory, None).expect_err("not saved");
    assert!(matches!(error, ExhaustError::File(_)), "{error:?}");
    std::fs::remove_file(&tables).expect("removed");
    // The layers are all there, so that no row is looked at again.
    run::<4>(&pattern, folder.path(), memory, Some(1)).expect("saved");
    is_saved::<4>(&pattern, folder.path());
    let error = run::<4>(&pattern, folder.path(), memory, None).expect_err("there is one");
    let exists = |error: &TableError| matches!(error.kind(), TableErrorKind::Exists);
    assert!(matches!(&error, ExhaustError::File(error) if exists(error)), "{error:?}");
}

/// Builds on disk, in several runs if `stop` is given, and compares with a build in memory: the
/// table, or the error.
fn agree<const BITS: usize>(abstraction: &dyn Abstraction, memory: u64, stop: Option<u64>) {
    let (folder, mut random) = (tempfile::tempdir().expect("a folder"), Random::new(4));
    let mut reports = stop;
    let found = loop {
        let stop = reports.map(|reports| random.below(reports));
        match run::<BITS>(abstraction, folder.path(), memory, stop) {
            Err(ExhaustError::Build(BuildError::Cancelled)) => {}
            found => break found,
        }
        reports = reports.map(|reports| reports + 5);
    };
    match build::<BITS>(abstraction, &BuildOptions::default()) {
        Ok(_) => {
            found.expect("built");
            is_saved::<BITS>(abstraction, folder.path());
        }
        Err(expected) => {
            assert_eq!(found.expect_err("refused").to_string(), expected.to_string());
            assert_eq!(files(&folder.path().join("disk")), [""; 0]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn edges_may_have_any_cost(
        seed: u64, rows in 1_u64..150, columns in 1_usize..20, undirected: bool,
        costs in prop::collection::vec(0_u8..6, 1..4), more in 0_u64..2000,
        stop in prop::option::of(5_u64..40),
    ) {
        let abstraction = random(seed, rows, columns, 2, &costs, undirected);
        agree::<8>(&abstraction, least::<8>(&abstraction) + more, stop);
        agree::<4>(&abstraction, least::<4>(&abstraction) + more, stop);
    }
}

/// Some edges of the reversals cost 2, and some nothing.
#[test]
fn costs_in_a_tenth_of_the_table() {
    let operators = [(0, 3, 1), (1, 5, 2), (2, 7, 2), (0, 8, 4), (3, 6, 3)];
    let operators = |least: Cost| {
        operators.map(|(from, to, cost): (u16, u16, Cost)| {
            let image =
                |point| if (from..to).contains(&point) { from + to - 1 - point } else { point };
            (Permutation::new((0..8).map(image).collect()).expect("a permutation"), cost.max(least))
        })
    };
    let free = |(permutation, cost): (Permutation, Cost)| (permutation, cost - 1);
    for operators in [operators(1), operators(1).map(free)] {
        let pattern = GroupPattern::of_group(8, &operators, &[]).expect("a pattern");
        let tenth = pattern.entries() / 10;
        agree::<8>(&pattern, tenth.max(least::<8>(&pattern)), None);
        agree::<8>(&pattern, tenth.max(least::<8>(&pattern)), Some(30));
    }
}

/// A cost so great that layers between are empty, and one that no code holds.
#[test]
fn great_costs_leave_empty_layers() {
    for (costs, columns) in [(&[9, 11][..], 3), (&[200, 54], 1), (&[255], 2), (&[127, 0], 2)] {
        for seed in 0..4 {
            let abstraction = random(seed, 40, columns, 2, costs, true);
            agree::<8>(&abstraction, 1 << 14, Some(20));
        }
    }
}
