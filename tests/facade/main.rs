//! Tests of the library `fewest`: several crates together, in one binary.

mod accounts;
mod algebra;
mod boards;
mod cubes;
mod decomposition;
mod definitions;
mod encodings;
mod ends;
mod explain;
mod fuzz_corpus;
mod insert;
mod known_strings;
mod laws;
mod longer_plans;
mod metrics;
mod moves;
mod once;
mod own_domains;
mod own_journal;
mod ownership;
mod partial;
mod places;
mod plain;
mod plan_stream;
mod reports;
mod rings;
mod shorten;
mod slides;
mod solvers;
mod steps;
mod symmetric_starts;
mod two_rings;
mod wca;

use std::path::PathBuf;

/// The table folder of all tests that are not about tables. It is kept between runs, because
/// building its tables takes seconds.
fn tables() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables")
}

/// The path of a definition file that comes with the project.
fn definition(file: &str) -> String {
    format!("{}/domains/permutation/puzzles/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// A configured puzzle with the table folder of all tests.
fn configured(name: &str, settings: &fewest::Settings) -> Box<dyn fewest::Puzzle> {
    let settings = settings.clone().tables(tables());
    fewest::configure(name, &settings).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Unit tests of the library. They run here because a test build of the library would compile its
/// searches twice.
#[path = "../../src/ladder/payoff.rs"]
mod payoff;
