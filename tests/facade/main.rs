//! What the crates do together: the library `fewest` and its tool, in one binary.

mod boards;
mod cli;
mod cubes;
mod definitions;
mod explain;
#[cfg(unix)]
mod interrupt;
mod laws;
mod once;
mod ownership;
mod symmetric_starts;

use std::path::{Path, PathBuf};

/// The table folder of all tests but those about tables. It stays between runs: building takes
/// seconds.
fn tables() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables")
}

/// A definition that comes with the project.
fn definition(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("domains/permutation/puzzles").join(file)
}

/// The library's own tests would compile its searches twice, so they are run here.
#[path = "../../src/ladder/pace.rs"]
mod pace;
