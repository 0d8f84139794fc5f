//! What an answer says of its tables: their bytes and the seconds that they took.

use crate::definition;
use fewest::{Answer, PruningChoice, Request, Settings, configure};
use std::time::Duration;

/// The plans of a state, with tables that are built for it.
fn solve(puzzle: &str, settings: &Settings, state: &str, request: &Request<'_>) -> Answer {
    let puzzle = configure(puzzle, settings).unwrap();
    puzzle.solve(state, request).unwrap()
}

/// Every bound of a search with slack reads the same tables. They count once.
#[test]
fn tables_count_once_whatever_the_number_of_searches() {
    let settings = Settings::default().heuristic("pdb:5-5-5").pruning(PruningChoice::Inverse);
    let (state, request) = ("4 1 2 3 5 0 6 7 8 9 10 11 12 13 14 15", Request::default().plans(50));
    let one = solve("15-puzzle", &settings, state, &request);
    let many = solve("15-puzzle", &settings, state, &request.slack(10));
    assert!(one.table_bytes > 0 && many.plans.len() > one.plans.len());
    assert_eq!(many.table_bytes, one.table_bytes);
}

/// The first search of a state builds the tables, later ones find them. The answer tells the
/// seconds of all.
#[test]
fn the_seconds_of_a_build_outlast_later_searches() {
    let least = Duration::from_millis(5);
    let request = || Request::default().plans(50).slack(1);
    let cube = solve("2x2x2", &Settings::default(), "R U", &request());
    assert!(cube.tables > least, "{:?}", cube.tables);
    let file = solve(&definition("2x2x2.tws"), &Settings::default(), "R U", &request());
    assert!(file.tables > least, "{:?}", file.tables);
}
