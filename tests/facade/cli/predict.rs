//! `predict` with a state: its search beside the prediction.

use super::{json, run};
use serde_json::Value;

const BOARD: [&str; 2] = ["8-puzzle", "8 6 7 2 5 4 3 0 1"];
const FORM: [&str; 6] = ["-H", "manhattan", "-t", "1", "-f", "json"];

fn predict(more: &[&str]) -> super::Ran {
    run(&[&["predict"], &BOARD[..], &FORM, more].concat())
}

#[test]
fn searched_nodes_are_those_of_solve() {
    let solved = run(&[&["solve"], &BOARD[..], &FORM].concat());
    let answer = json(&solved.out).remove(0);
    let iterations = answer["iterations"].as_array().expect("iterations");
    assert_eq!(answer["length"], 31);
    let both = predict(&["--bound", "33"]);
    let lines = json(&both.out);
    assert_eq!((both.code, lines.len()), (0, 33), "{}", both.err);
    for line in &lines {
        let same = |iteration: &&Value| iteration["bound"] == line["bound"];
        let iteration = iterations.iter().find(same);
        let of = |key: &str| iteration.map_or(&Value::Null, |iteration| &iteration[key]);
        assert_eq!(&line["searched"], of("generated"), "{line}");
        assert_eq!(&line["complete"], of("complete"), "{line}");
    }
    assert!(iterations.len() > 2 && lines[30]["complete"] == false);
}

#[test]
fn the_search_ends_at_the_last_bound_and_at_limits() {
    // All iterations up to the last bound are complete: that is all that was asked for.
    let bounded = predict(&["--bound", "27"]);
    let lines = json(&bounded.out);
    assert_eq!((bounded.code, &lines[26]["complete"]), (0, &true.into()), "{}", bounded.err);
    let limited = predict(&["--bound", "31", "--limit-nodes", "1000"]);
    let last = json(&limited.out).into_iter().rfind(|line| line["searched"].is_u64());
    assert_eq!((limited.code, &last.expect("a bound")["complete"]), (1, &false.into()));
    let text = run(&["predict", BOARD[0], BOARD[1], "-H", "manhattan", "--bound", "31"]);
    assert!(text.out.ends_with(" (ended by a plan)\n"), "{}", text.out);
}

#[test]
fn a_state_that_cannot_be_solved_is_refused_before_any_line() {
    for (state, expected) in [("1 2 0 3 4 5 6 7 8", "solvable"), (" ", "the state is empty")] {
        let ran = run(&["predict", "8-puzzle", state, "-H", "manhattan", "--bound", "9"]);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}
