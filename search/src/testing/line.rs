//! A toy domain for tests: a line of numbers, where the parity of plans is known.

use crate::{Cost, Domain, Op, Packed};

/// A line of numbers with one operator: it leads from `n` to `n - STEP` at the cost `STEP`.
pub(crate) struct Line<const STEP: u32>;

impl<const STEP: u32> Domain for Line<STEP> {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        1
    }
    fn applicable(&self, state: &u32) -> u32 {
        u32::from(*state >= STEP)
    }
    fn apply_into(&self, from: &u32, _: Op, to: &mut u32) {
        *to = from - STEP;
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }
    fn cost(&self, _: Op) -> Cost {
        Cost::try_from(STEP).unwrap()
    }
    fn parity(&self, state: &u32) -> Option<bool> {
        Some(state % 2 == 1)
    }
}

impl<const STEP: u32> Packed for Line<STEP> {
    type Key = u32;
    crate::state_is_key! {}
}
