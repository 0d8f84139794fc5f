//! Stripe tables of one and two bits: values around the base, files, and bases that are refused.

use super::*;
use crate::file::TableSpec;
use crate::testing::stripe_table;

/// A pseudo-random distance for an entry. 15 occurs too.
fn value(entry: u64) -> Cost {
    let mixed = (entry + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let tame = (entry / 62).is_multiple_of(3);
    Cost::try_from(if tame { mixed % 5 + 4 } else { mixed % 16 }).expect("small")
}

#[test]
fn values_are_lower_bounds_and_exact_around_the_base() {
    for (rows, columns) in [(7_u64, 150_usize), (3, 62), (2, 63), (1, 1), (40, 2187)] {
        let two = [0, 5, 7, 11].map(|base| (StripeCode::two(base), 62, 3));
        let one = [0, 5, 7, 13].map(|base| (StripeCode::one(base), 124, 1));
        for (code, in_stripe, most) in two.into_iter().chain(one) {
            let base = code.base();
            let table = stripe_table(rows, columns, code, value);
            let stripes = columns.div_ceil(in_stripe) as u64;
            assert_eq!(table.bytes().len() as u64, rows * stripes * 16);
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
                let entry = |column: usize| row * columns as u64 + column as u64;
                let exact = value(entry(column));
                let start = column / in_stripe * in_stripe;
                let stripe = start..columns.min(start + in_stripe);
                let least = stripe.map(|column| value(entry(column))).min().expect("not empty");
                let read =
                    table.get(row.try_into().expect("small"), column.try_into().expect("small"));
                let expected = if exact <= base { least } else { exact.min(base + most) };
                assert_eq!(read, expected, "({row}, {column}), {code:?}, exact {exact}");
                assert!(read <= exact);
            }
            assert_eq!(table.counts().iter().sum::<u64>(), rows * columns as u64);
        }
    }
}

#[test]
fn a_table_and_its_file_are_the_same() {
    let (rows, columns, base) = (5, 100, 6);
    let table = stripe_table(rows, columns, base, value);
    let spec = StripeTable::payload(rows, columns, base);
    let spec = TableSpec::new("toy", serde_json::json!({"toy": 1}), spec);
    assert_eq!((spec.encoding.as_str(), spec.entries, spec.payload_bytes), ("two-bit:6", 500, 160));
    let folder = tempfile::tempdir().expect("folder");
    let store = crate::file::TableStore::new(folder.path());
    store.save(&spec, table.bytes()).expect("saved");
    let loaded = store.load(&spec, crate::file::Load::Mmap).expect("loaded");
    let loaded = StripeTable::new(loaded, rows, columns, base).expect("of this length");
    assert_eq!(loaded.bytes(), table.bytes());
    let place = loaded.locate(4, 99);
    loaded.prefetch(place);
    assert_eq!(loaded.read(place), table.get(4, 99));
    assert!(StripeTable::new(loaded.bytes.clone(), rows, 150, base).is_none());
}

#[test]
#[should_panic(expected = "the base is 12")]
fn a_base_that_four_bits_cannot_hold_is_refused() {
    let _ = stripe_table(1, 1, 12, |_| 0);
}
