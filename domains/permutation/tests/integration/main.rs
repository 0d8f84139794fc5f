//! Tests of the public interface, in one binary.

mod convert;
mod corpus;
mod fuzz;
mod malformed;
mod moves;
mod moving;
mod patterns;
mod puzzles;
mod scrambles;
mod sequences;
mod shipped;
