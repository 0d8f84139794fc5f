//! The farthest states: as many as asked for, all different, and all in the last layer.

use super::puzzle;
use fewest::{Failure, Puzzle, Request, Settings, configure};
use std::collections::HashSet;
use std::fs;

/// A puzzle with fewer states than this is exhausted three times, a larger one once.
const SMALL: u128 = 100_000;

/// Asks for more farthest states than exist, then for some, then for none.
fn check(puzzle: &dyn Puzzle, name: &str) {
    let layers = check_farthest(puzzle, name, 5000);
    if layers.iter().sum::<u128>() < SMALL {
        for wanted in [0, 4] {
            assert_eq!(check_farthest(puzzle, name, wanted), layers, "{name}");
        }
    }
}

/// Asks for `wanted` farthest states and checks them. Returns the sizes of the layers.
fn check_farthest(puzzle: &dyn Puzzle, name: &str, wanted: usize) -> Vec<u128> {
    let (request, mut layers) = (Request::default(), Vec::new());
    let farthest =
        puzzle
            .exhaustive()
            .expect("few states")
            .count_all(wanted, &request, &mut |_, count| layers.push(count));
    let farthest = farthest.unwrap_or_else(|error| panic!("{name}: {error}"));
    let (last, diameter) = (*layers.last().expect("the goal"), layers.len() - 1);
    assert_eq!(farthest.len() as u128, last.min(wanted as u128), "{name}");
    let read = |state: &String| puzzle.read(state).expect("a state").text;
    let states: HashSet<String> = farthest.iter().map(read).collect();
    assert_eq!(states.len(), farthest.len(), "{name}");
    for state in farthest.iter().take(25) {
        let answer = puzzle.solve(state, &request).expect("a state");
        assert_eq!(usize::from(answer.lower_bound), diameter, "{name}: {state}");
        assert_eq!(answer.plans[0].len(), diameter, "{name}: {state}");
    }
    layers
}

#[test]
fn farthest_states_of_groups_lie_as_far_as_the_last_layer() {
    for (file, metric) in [
        ("pyraminx.tws", "htm"),
        ("ivy-cube.tws", "htm"),
        ("top-spin-8-4.tws", "qtm"),
        ("3x3x3-squares.tws", "htm"),
        ("burnt-pancake-5.tws", "htm"),
        ("swap-and-turn-8.tws", "htm"),
        ("m12.tws", "qtm"),
    ] {
        check(&*puzzle(file, metric, 1 << 26), file);
    }
}

/// Layers counted by classes under symmetries have the same sizes as layers counted in a table of
/// all states.
#[test]
fn layers_by_class_are_those_of_whole_tables() {
    for (file, metric) in [
        ("pyraminx.tws", "htm"),
        ("2x2x2.tws", "htm"),
        ("top-spin-8-4.tws", "qtm"),
        ("3x3x3-squares.tws", "htm"),
        ("m12.tws", "qtm"),
    ] {
        let puzzle = puzzle(file, metric, 1 << 28);
        let (mut whole, mut classes) = (Vec::new(), Vec::new());
        let request = Request::default();
        puzzle
            .exhaustive()
            .expect("few states")
            .count_all(0, &request, &mut |_, count| whole.push(count))
            .expect("small");
        let depth = whole.len() + 1;
        puzzle
            .counting()
            .expect("counts")
            .count_states(depth, &request, &mut |_, count| classes.push(count))
            .expect("small");
        whole.extend([0, 0]);
        assert_eq!(classes, whole, "{file}");
    }
}

/// A group that is too large for a table is counted until the memory is full, and the complete
/// layers are reported. The counts are from Tomas Rokicki, cube20.org.
#[test]
fn layers_of_the_cube_are_told_until_the_memory_is_full() {
    let puzzle = puzzle("3x3x3.tws", "htm", 5 << 20);
    let mut told = Vec::new();
    let stopped = puzzle.exhaustive().expect("few states").count_all(
        0,
        &Request::default(),
        &mut |_, count| told.push(count),
    );
    let Err(Failure::Limit(why)) = stopped else { panic!("{stopped:?}") };
    assert!(why.contains("memory"), "{why}");
    assert!(told.len() >= 5 && told.len() < 8, "{told:?}");
    assert_eq!(told[..5], [1, 18, 243, 3240, 43_239]);
}

#[test]
fn farthest_states_of_the_small_cube_are_facelets() {
    for metric in ["htm", "qtm"] {
        let settings = Settings::default().metric(metric.parse().expect("a metric"));
        check(&*configure("2x2x2", &settings).expect("the cube"), metric);
    }
}

/// Puzzles that are no groups: pieces that look alike with two goals, illegal states, and rules
/// about moves.
#[test]
fn farthest_states_of_what_is_no_group_are_in_the_last_layer() {
    let beads = "Set BEADS 5 1\nStartState\nBEADS\n0 0 1 1 2\nEnd\nMoveTransformation A\nBEADS\n1 2 0 3 4\nEnd\n\
        MoveTransformation B\nBEADS\n0 1 2 4 3\nEnd\nMoveTransformation C\nBEADS\n0 1 3 2 4\nEnd\n";
    let different = beads.replace("0 0 1 1 2", "0 1 2 3 4");
    let rules = "ForbiddenPairs\nA C\nC A'\nEnd\nMoveLimits\nB 3\nEnd\n";
    let folder = tempfile::tempdir().expect("a folder");
    for (number, text) in [
        format!("{beads}GoalState\nBEADS\n2 1 0 1 0\nEnd\n"),
        format!("{different}Illegal BEADS 5 1 2\n"),
        format!("{different}{rules}"),
        format!("{beads}{rules}"),
    ]
    .iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{number}.tws"));
        fs::write(&path, text).expect("a file");
        let puzzle = configure(path.to_str().expect("a path"), &Settings::default());
        check(&*puzzle.expect("a puzzle"), text);
    }
}
