//! The command-line tool with solvers beside the optimal one.

use super::{json, run};

#[test]
fn macros_show_their_stages() {
    let ran = run(&["solve", "8-puzzle", "--solver", "macros", "1 2 5 3 4 0 6 7 8"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("blank 3") && ran.out.contains("not proven optimal"), "{}", ran.out);
    let state = "R U2 F' R2 U";
    let ran = run(&["solve", "2x2x2", "--solver", "macros", "--format", "json", state]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer = &json(&ran.out)[0];
    assert_eq!(
        (&answer["solver"], &answer["optimal"], &answer["outcome"]),
        (&"macros".into(), &false.into(), &"solved".into())
    );
    let stages = answer["stages"].as_array().expect("a list");
    let lengths: u64 = stages.iter().filter_map(|stage| stage["length"].as_u64()).sum();
    assert_eq!(answer["length"].as_u64(), Some(lengths));
}

#[test]
fn a_limit_of_macros_ends_without_a_plan() {
    let ran = run(&["solve", "3x3x3", "--solver", "macros", "--limit-nodes", "1000", "superflip"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("limit"), "{}", ran.out);
}
