//! What other crates see of this one, in one binary.

mod solve;
mod two_by_two;
