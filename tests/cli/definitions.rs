//! Puzzles from definitions on the command line: states that lie farthest, and scramble files.

use super::{json, run};
use std::path::Path;

fn puzzle(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains/permutation/puzzles");
    folder.join(file).to_str().expect("a path").to_owned()
}

#[test]
fn the_farthest_states_are_listed_and_can_be_solved() {
    let file = puzzle("pyramorphix.tws");
    let text = run(&["gods-algorithm", &file]);
    let lines: Vec<&str> = text.out.lines().collect();
    assert_eq!((text.code, lines.len()), (0, 5 + 1 + 3), "{}", text.out);
    assert_eq!((lines[4], &lines[5][..9]), ("4 20", "96 states"));
    let farthest = lines[6].strip_prefix("farthest: ").expect("a state");
    let list = |count: &str| {
        let ran = run(&["gods-algorithm", &file, "--antipodes", count, "--format", "json"]);
        json(&ran.out).pop().expect("the sum")["antipodes"].as_array().expect("a list").clone()
    };
    assert_eq!((list("0").len(), list("30").len()), (0, 20));
    assert_eq!(list("1")[0], farthest);
    let solved = run(&["solve", &file, farthest, "--format", "json"]);
    assert_eq!(json(&solved.out)[0]["length"], 4);
    // Of the cube, facelets.
    let cube = run(&["gods-algorithm", "2x2x2", "--antipodes", "1"]);
    let facelets = cube.out.lines().last().and_then(|line| line.strip_prefix("farthest: "));
    let solved = run(&["solve", "2x2x2", facelets.expect("a state"), "--format", "json"]);
    assert_eq!(json(&solved.out)[0]["length"], 11);
}
