//! A slow and simple builder of stripe tables, to compare with: [`stripe_table`].

use crate::memory::BytesMut;
use crate::table::{StripeCode, StripeTable};
use search::Cost;

/// The stripe table whose entry `row * columns + column` encodes the distance `exact(entry)`.
/// Values above 15 count as 15.
///
/// # Panics
/// As [`StripeTable::new`], or if memory is short.
pub fn stripe_table(
    rows: u64,
    columns: usize,
    code: impl Into<StripeCode>,
    exact: impl Fn(u64) -> Cost,
) -> StripeTable {
    let code = code.into();
    let (base, most) = (code.base(), (1 << code.bits()) - 1);
    let in_stripe = if code.bits() == 1 { 124 } else { 62 };
    let len = StripeTable::bytes_in(code, rows, columns);
    let mut bytes = BytesMut::zeroed(len.try_into().expect("an address")).expect("memory");
    let mut stripes = bytes.as_mut_slice().chunks_exact_mut(16);
    for row in 0..rows {
        for start in (0..columns).step_by(in_stripe) {
            let (mut codes, mut least) = (0_u128, 15);
            let entries = start..columns.min(start + in_stripe);
            for (shift, column) in (0..).step_by(code.bits() as usize).zip(entries) {
                let value = exact(row * columns as u64 + column as u64).min(15);
                least = least.min(value);
                codes |= u128::from(value.saturating_sub(base).min(most)) << shift;
            }
            let least = if least > base { 15 } else { least };
            let stripe = stripes.next().expect("as many stripes");
            stripe.copy_from_slice(&(codes | u128::from(least) << 124).to_le_bytes());
        }
    }
    StripeTable::new(bytes.freeze(), rows, columns, code).expect("made to fit")
}
