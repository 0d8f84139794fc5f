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
    assert_eq!(answer["length"], 27);
    let both = predict(&["--bound", "29"]);
    let lines = json(&both.out);
    assert_eq!((both.code, lines.len()), (0, 29), "{}", both.err);
    for line in &lines {
        let same = |iteration: &&Value| iteration["bound"] == line["bound"];
        let iteration = iterations.iter().find(same);
        let of = |key: &str| iteration.map_or(&Value::Null, |iteration| &iteration[key]);
        assert_eq!(&line["searched"], of("generated"), "{line}");
        assert_eq!(&line["complete"], of("complete"), "{line}");
    }
    assert!(iterations.len() > 2 && lines[26]["complete"] == false);
}

#[test]
fn the_search_ends_at_the_last_bound_and_at_limits() {
    // All iterations up to the last bound are complete: that is all that was asked for.
    let bounded = predict(&["--bound", "25"]);
    let lines = json(&bounded.out);
    assert_eq!((bounded.code, &lines[24]["complete"]), (0, &true.into()), "{}", bounded.err);
    // The limit ends the search before the bound of the plan.
    let limited = predict(&["--bound", "27", "--limit-nodes", "1"]);
    let lines = json(&limited.out);
    assert_eq!((limited.code, &lines[18]["searched"], lines.len()), (1, &4.into(), 27));
    assert!(lines[26].get("searched").is_none(), "{}", lines[26]);
    let text = run(&["predict", BOARD[0], BOARD[1], "-H", "manhattan", "--bound", "27"]);
    assert!(text.out.ends_with(" (ended by a plan)\n"), "{}", text.out);
}

#[test]
fn a_state_that_cannot_be_solved_is_refused_before_any_line() {
    for (state, expected) in
        [("1 2 0 3 4 5 6 8 7", "cannot be solved"), (" ", "the state is empty")]
    {
        let ran = run(&["predict", "8-puzzle", state, "-H", "manhattan", "--bound", "9"]);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

/// A deadline ends predictions, too.
#[test]
fn a_prediction_ends_at_the_deadline() {
    let began = std::time::Instant::now();
    let ran = run(&["predict", "kilominx", "--bound", "12", "--deadline", "1s"]);
    assert!(ran.code == 1 && ran.err.contains("the limit of time"), "{}{}", ran.out, ran.err);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
