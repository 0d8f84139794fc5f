//! What other crates see of this one, in one binary.

mod heuristics;
mod korf1985;
mod laws;
mod learned;
mod tables;

use fewest_tiles::AnyTiles;

/// A board of at most 16 squares. Its size is no part of its type, so that what takes boards of
/// many sizes is compiled once. The common sizes have types of their own in some tests.
fn board(rows: usize, columns: usize) -> AnyTiles<u64> {
    AnyTiles::of_size(rows, columns).unwrap()
}

/// As [`board`], with at most 25 squares.
fn wide(rows: usize, columns: usize) -> AnyTiles<u128> {
    AnyTiles::of_size(rows, columns).unwrap()
}
