//! Tests of the public interface, in one binary.

mod heuristics;
mod korf1985;
mod laws;
mod learned;
mod predictions;
mod slides;
mod tables;

use fewest_tiles::AnyTiles;

/// A board of at most 16 squares. Its size is known at run time, so generic test code is compiled
/// once for many sizes.
fn board(rows: usize, columns: usize) -> AnyTiles<u64> {
    AnyTiles::of_size(rows, columns).unwrap()
}

/// As [`board`], for at most 25 squares.
fn wide(rows: usize, columns: usize) -> AnyTiles<u128> {
    AnyTiles::of_size(rows, columns).unwrap()
}
