//! Tables built on disk are byte for byte those built in memory, however often a build is stopped.

use super::form_tests::{Form, Limits};
use super::tests::{Obstacles, checkpoint, corners, files, reversals};
use super::*;
use crate::GroupPattern;
use crate::abstraction::{ColumnMap, Edge};
use crate::builder::BuildError;
use crate::builder::tests::random;
use crate::file::{Checkpoint, Load, TableError, TableErrorKind, TableStore};
use groups::Permutation;
use proptest::prelude::*;
use search::Cost;
use serde_json::json;

const FOUR: Form<'_> = Form::Exact(4);
const EIGHT: Form<'_> = Form::Exact(8);

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
        EIGHT.agree(&abstraction, Limits::of(EIGHT.least(&abstraction) + more, None));
    }
}

#[test]
fn a_table_in_a_tenth_of_its_bytes() {
    let pattern = corners();
    FOUR.agree(&pattern, Limits::of(pattern.entries() / 20, None));
}

/// A process may be killed when its table is saved, before it has removed the layers.
#[test]
fn layers_of_a_saved_table_are_removed() {
    let pattern = reversals(8);
    let folder = tempfile::tempdir().expect("a folder");
    let layers = folder.path().join("disk");
    FOUR.run(&pattern, folder.path(), Limits::of(FOUR.least(&pattern), Some(40)))
        .expect_err("cancelled");
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
    let (store, spec) = (TableStore::new(folder.path().join("tables")), FOUR.spec(&pattern));
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
    FOUR.run(&Line(15), folder.path(), Limits::of(1 << 20, None)).expect("built");
    FOUR.is_saved(&Line(15), folder.path());
    let folder = tempfile::tempdir().expect("a folder");
    let error =
        FOUR.run(&Line(16), folder.path(), Limits::of(1 << 20, None)).expect_err("too deep");
    let ExhaustError::Build(BuildError::TooDeep { depth: 15, bits: 4 }) = error else {
        panic!("{error:?}")
    };
    assert_eq!(files(&folder.path().join("disk")), [""; 0]);
    EIGHT.run(&Line(16), folder.path(), Limits::of(1 << 20, None)).expect("built");
    EIGHT.is_saved(&Line(16), folder.path());
}

#[test]
fn a_table_that_cannot_be_saved_costs_no_layer() {
    let pattern = reversals(8);
    let folder = tempfile::tempdir().expect("a folder");
    // A file stands in the place of the folder of tables.
    let tables = folder.path().join("tables");
    std::fs::write(&tables, "").expect("written");
    let memory = FOUR.least(&pattern);
    let error = FOUR.run(&pattern, folder.path(), Limits::of(memory, None)).expect_err("not saved");
    assert!(matches!(error, ExhaustError::File(_)), "{error:?}");
    std::fs::remove_file(&tables).expect("removed");
    // The layers are all there, so that no row is looked at again.
    FOUR.run(&pattern, folder.path(), Limits::of(memory, Some(1))).expect("saved");
    FOUR.is_saved(&pattern, folder.path());
    let error =
        FOUR.run(&pattern, folder.path(), Limits::of(memory, None)).expect_err("there is one");
    let exists = |error: &TableError| matches!(error.kind(), TableErrorKind::Exists);
    assert!(matches!(&error, ExhaustError::File(error) if exists(error)), "{error:?}");
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
        EIGHT.agree(&abstraction, Limits::of(EIGHT.least(&abstraction) + more, stop));
        FOUR.agree(&abstraction, Limits::of(FOUR.least(&abstraction) + more, stop));
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
        EIGHT.agree(&pattern, Limits::of(tenth.max(EIGHT.least(&pattern)), None));
        EIGHT.agree(&pattern, Limits::of(tenth.max(EIGHT.least(&pattern)), Some(30)));
    }
}

/// A cost so great that layers between are empty, and one that no code holds.
#[test]
fn great_costs_leave_empty_layers() {
    for (costs, columns) in [(&[9, 11][..], 3), (&[200, 54], 1), (&[255], 2), (&[127, 0], 2)] {
        for seed in 0..4 {
            let abstraction = random(seed, 40, columns, 2, costs, true);
            EIGHT.agree(&abstraction, Limits::of(1 << 14, Some(20)));
        }
    }
}
