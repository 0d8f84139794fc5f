//! Tests of the public interface, in one binary.

mod convert;
mod corpus;
mod fuzz;
mod malformed;
mod malformed_json;
mod moves;
mod moving;
mod patterns;
mod puzzles;
mod scrambles;
mod sequences;
mod shipped;
