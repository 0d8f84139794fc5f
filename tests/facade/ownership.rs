//! Which table files belong to a puzzle.

use fewest::{Request, Settings, configure};

/// The tables of a user's definition named 3x3x3 begin with `3x3x3-htm-` and a fingerprint. They do
/// not belong to the built-in cube.
#[test]
fn a_puzzle_does_not_own_the_tables_of_a_definition_of_its_name() {
    for (puzzle, table) in [
        ("3x3x3", "3x3x3-htm-1a2b3c4d-cosets-00112233"),
        ("3x3x3", "3x3x3-qtm-1a2b3c4d-00112233"),
        ("2x2x2", "2x2x2-htm-1a2b3c4d-00112233-octets"),
        ("2x2x2", "2x2x2-qtm-1a2b3c4d-00112233"),
        ("24-puzzle", "24-puzzle-htm-1a2b3c4d-00112233"),
        ("24-puzzle", "15-puzzle-b0-1.2.3"),
    ] {
        let puzzle = configure(puzzle, &Settings::default()).expect("a puzzle");
        assert!(!puzzle.tables().expect("tables").owns(table), "{table}");
    }
}

/// A table that one heuristic of a puzzle uses belongs to the puzzle in all its configurations.
#[test]
fn a_puzzle_owns_the_tables_of_all_its_heuristics() {
    for (name, heuristic, metric) in [
        ("3x3x3", "best", Some("htm")),
        ("3x3x3", "best", Some("qtm")),
        ("3x3x3", "korf97", Some("qtm")),
        ("2x2x2", "best", Some("qtm")),
        ("24-puzzle", "pdb:6-6-6-6", None),
        ("3x5-tiles", "best", None),
    ] {
        let mut settings = Settings::default().heuristic(heuristic);
        settings.metric = metric.map(|metric| metric.parse().expect("a metric"));
        let puzzle = configure(name, &settings).expect("a puzzle");
        let tables = puzzle.tables().expect("tables").explain(&Request::default()).expect("tables");
        assert!(!tables.is_empty());
        let owner = configure(name, &Settings::default()).expect("a puzzle");
        for table in tables {
            assert!(owner.tables().expect("tables").owns(&table.pattern), "{}", table.pattern);
        }
    }
}
