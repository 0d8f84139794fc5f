//! Tests of the public interface, in one binary.

mod predictions;
mod solve;
mod two_by_two;
