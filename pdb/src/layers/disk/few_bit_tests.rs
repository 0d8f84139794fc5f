//! Tables of one or two bits built on disk are byte for byte those built in memory, and the errors
//! are the same.

use super::form_tests::{Form, Limits};
use super::tests::{corners, reversals};
use super::*;
use crate::builder::BuildObserver;
use crate::builder::tests::random;
use crate::table::StripeCode;
use proptest::prelude::*;
use std::sync::Mutex;

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
        for few in CODES.map(Form::Stripes).into_iter().chain([Form::Remainders]) {
            // A directed abstraction has no remainders, whatever the memory.
            let least = match few {
                Form::Remainders if !undirected => 1,
                _ => few.least(&abstraction),
            };
            few.agree(&abstraction, Limits::of(least + more, stop));
        }
    }

    #[test]
    fn edges_that_do_not_cost_1_are_refused(
        seed: u64, rows in 2_u64..60, columns in 1_usize..20, cost in 0_u8..4,
    ) {
        let abstraction = random(seed, rows, columns, 2, &[1, cost], true);
        for form in CODES.map(Form::Stripes).into_iter().chain([Form::Remainders]) {
            form.agree(&abstraction, Limits::of(form.least(&abstraction), None));
        }
    }
}

#[test]
fn few_bits_in_a_tenth_or_a_fifth_of_the_table() {
    let pattern = corners();
    let few = Form::Stripes(StripeCode::two(8));
    few.agree(&pattern, Limits::of(few.spec(&pattern).payload_bytes / 10, None));
    Form::Remainders
        .agree(&pattern, Limits::of(Form::Remainders.spec(&pattern).payload_bytes / 5, None));
}

#[test]
fn a_table_whose_build_is_stopped_again_and_again_is_the_same() {
    let pattern = reversals(8);
    for form in [Form::Exact(4), Form::Stripes(StripeCode::two(4)), Form::Remainders] {
        assert!(form.agree(&pattern, Limits::of(form.least(&pattern), Some(20))) > 1);
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
    for few in CODES.map(Form::Stripes) {
        let (disk, memory) = (Layers::default(), Layers::default());
        let folder = tempfile::tempdir().expect("a folder");
        let options = DiskOptions { observer: Some(&disk), ..DiskOptions::default() };
        few.on_disk(&pattern, folder.path(), &options).expect("built");
        few.in_memory(&pattern, Some(&memory)).expect("built");
        let [disk, memory] = [disk, memory].map(|told| told.0.into_inner().expect("not poisoned"));
        assert_eq!(disk, memory);
    }
}
