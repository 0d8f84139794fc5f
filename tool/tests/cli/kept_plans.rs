//! Searches for plans that are not proven, with a journal: killed, stopped, resumed and told.

use super::journals::killed;
use super::{json, run};
use fewest::search::random::Random;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// A random state of a puzzle.
fn scramble(puzzle: &str) -> String {
    run(&["scramble", puzzle, "--seed", "3", "--form", "state"]).out.trim().to_owned()
}

/// What a journal must not change.
fn essence(answer: &Value) -> [&Value; 4] {
    ["plan", "length", "by", "outcome"].map(|key| &answer[key])
}

/// Solves a state near-optimally with these options. Returns the answer.
fn solve(more: &[&str], state: (&str, &str)) -> Value {
    let (puzzle, state) = state;
    let near = ["solve", puzzle, state, "--near-optimal", "--format", "json"];
    let ran = run(&[&near, more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    json(&ran.out).pop().expect("an answer")
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_killed_search_for_plans_goes_on() {
    let state = scramble("kilominx");
    let nodes = ["--limit-nodes", "3000000"];
    let expected = solve(&nodes, ("kilominx", &state));
    let folder = tempfile::tempdir().expect("a folder");
    let search = ["kilominx", &state, "--near-optimal", nodes[0], nodes[1]];
    let (mut random, mut all) = (Random::new(9), 0);
    for number in 0.. {
        let journal = folder.path().join(number.to_string());
        let (answer, kills) = killed(&search, &journal, Duration::from_millis(600), &mut random);
        assert_eq!(essence(&answer), essence(&expected), "after {kills} kills");
        let path = text(&journal);
        let ran = run(&["resume", &path, nodes[0], nodes[1], "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(essence(&json(&ran.out)[0]), essence(&expected));
        all += kills;
        if all >= 10 {
            return;
        }
    }
}

#[test]
fn the_status_tells_rounds_and_the_best_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = text(&folder.path().join("journal"));
    let state = scramble("24-puzzle");
    let few = ["--limit-nodes", "100000", "--journal", &path, "--seed", "2"];
    let first = solve(&few, ("24-puzzle", &state));
    let status = run(&["status", &path, "--format", "json"]);
    let told = &json(&status.out)[0];
    assert!(told["rounds"].as_u64() > Some(1), "{told}");
    assert_eq!((&told["ended"], &told["bounds"]), (&false.into(), &Value::Array(Vec::new())));
    assert!(told["planned"].as_u64() >= first["length"].as_u64(), "{told}");
    let cost = told["planned"].as_u64().expect("a plan");
    let status = run(&["status", &path]).out;
    assert!(status.contains("rounds of a search for plans"), "{status}");
    assert!(status.contains(&format!("the best of {cost} (not replayed)")), "{status}");
    // The journal names the seed, and that no proof is wanted.
    let ran = run(&["resume", &path, "--limit-nodes", "400000", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let resumed = &json(&ran.out)[0];
    assert_eq!(resumed["optimal"], false);
    assert!(resumed["length"].as_u64() <= first["length"].as_u64(), "{resumed}");
    // Another seed is another run, and shares have no plans of their own.
    let near = ["solve", "24-puzzle", &state, "--near-optimal", "--journal", &path];
    let other = run(&[&near[..], &["--seed", "7"]].concat());
    assert_eq!(other.code, 2, "{}", other.err);
    assert!(other.err.contains("its seed is"), "{}", other.err);
    assert_eq!(run(&[&near[..], &["--shard", "1/2"]].concat()).code, 2);
}

/// The search for plans of the `3x3x3` has no rounds, so nothing is kept, and that is told.
#[test]
fn a_search_without_rounds_keeps_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = text(&folder.path().join("journal"));
    let ran = run(&["solve", "3x3x3", "--near-optimal", "--journal", &path, "R U F2 L D B2"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("there is nothing to keep"), "{}", ran.err);
}
