//! Tables reduced on disk are byte for byte those reduced in memory, however often a build is
//! stopped, and in however many rounds the windows are made.

use super::form_tests::{Form, Limits};
use super::least_tests::Least;
use super::tests::{corners, files};
use super::*;
use crate::builder::BuildError;
use crate::builder::tests::random;
use crate::file::TableErrorKind;
use proptest::prelude::*;

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
    let mut reduction = Least::new(&abstraction, 8, 3);
    reduction.most = 40;
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
