//! Errors about every kind of malformed KPuzzle JSON: the place, what was found, what was expected,
//! and the hint.

use crate::puzzles::kpuzzle;
use fewest_permutation::{Definition, ReadLimits};

/// A valid definition with one line for each key. Tests replace one line.
const LINES: [&str; 5] = [
    r#""name":"T","#,
    r#""orbits":[{"orbitName":"A","numPieces":3,"numOrientations":2}],"#,
    r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,0]}},"#,
    r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[1,0,1]}}}"#,
    "",
];

fn puzzle(line: usize, replaced: &str) -> String {
    let mut lines = LINES.map(str::to_owned);
    lines[line] = replaced.to_owned();
    format!("{{\n{}\n}}", lines.join("\n"))
}

/// Checks the complaint if a line is replaced by `marked`. Its `@` marks the place to which the
/// complaint must point.
#[track_caller]
fn check(line: usize, marked: &str, complaint: &str) {
    let column = marked[..marked.find('@').expect("a mark")].chars().count() + 1;
    let text = puzzle(line, &marked.replacen('@', "", 1));
    let error = Definition::from_kpuzzle(&text, &ReadLimits::default()).expect_err(marked);
    assert_eq!(error.place(), Some((line + 2, column)), "{marked}\n{error}");
    let found = error.complaint().expect("a complaint").to_string();
    assert!(found.starts_with(complaint), "{marked}\nfound:    {found}\nexpected: {complaint}");
}

#[test]
fn the_text_without_errors_is_read() {
    kpuzzle(&puzzle(4, ""));
}

#[test]
fn names_and_orbits() {
    for (marked, complaint) in [
        (r#""name":@3,"#, "found `3`, expected the name of the puzzle as a text"),
        (r#""name":@"","#, "found ``, expected a name of 1 to 1000 bytes"),
        (r#""name":@"a\n","#, "found `a"),
        (r#"@"Name":"T","#, "found the key `Name`, expected one of the keys name"),
        (r#""name":"T",@"name":"T","#, "found the key `name` again, expected each key once"),
        (
            r#"@'name':"T","#,
            "found `'name'`, expected a key in double quotes (JSON has no comments",
        ),
    ] {
        check(0, marked, complaint);
    }
    for (marked, complaint) in [
        (r#""orbits":@{},"#, "found an object, expected a list of orbits"),
        (r#""orbits":@[],"#, "found no set of pieces, expected at least one"),
        (r#""orbits":[@"A"],"#, "found the text `A`, expected an object: an orbit"),
        (
            r#""orbits":[@{"orbitName":"A","numPieces":3}],"#,
            "found an orbit without the key `numOrientations`, expected the keys orbitName, numPieces, numOrientations",
        ),
        (
            r#""orbits":[{"orbitName":@1,"numPieces":3,"numOrientations":2}],"#,
            "found `1`, expected the name of the orbit as a text",
        ),
        (
            r#""orbits":[{"orbitName":@"A b","numPieces":3,"numOrientations":2}],"#,
            "found `A b`, expected a name without blanks",
        ),
        (
            r#""orbits":[{"orbitName":"A","numPieces":@"3","numOrientations":2}],"#,
            "found the text `3`, expected a number of pieces from 1 to 65536",
        ),
        (
            r#""orbits":[{"orbitName":"A","numPieces":@3.0,"numOrientations":2}],"#,
            "found `3.0`, expected a number of pieces from 1 to 65536",
        ),
        (
            r#""orbits":[{"orbitName":"A","numPieces":3,"numOrientations":@0}],"#,
            "found `0`, expected a number of orientations from 1 to 255",
        ),
        (
            r#""orbits":@[{"orbitName":"A","numPieces":3,"numOrientations":2},{"orbitName":"A","numPieces":3,"numOrientations":2}],"#,
            "found a second set `A`, expected sets of different names",
        ),
        (
            r#""orbits":[{"orbitName":"A","numPieces":@70000,"numOrientations":2}],"#,
            "found `70000`, expected a number of pieces",
        ),
    ] {
        check(1, marked, complaint);
    }
}

#[test]
fn states() {
    for (marked, complaint) in [
        (r#""startStateData":@{},"#, "found an object, expected a state with the orbit `A`"),
        (
            r#""defaultPattern":@[],"#,
            "found a list of 0, expected an object with the names of orbits as keys",
        ),
        (r#""defaultPattern":@{},"#, "found an object, expected a state with the orbit `A`"),
        (
            r#""defaultPattern":{@"a":{}},"#,
            "found `a`, expected the name of an orbit (upper and lower case differ: did you mean `A`?)",
        ),
        (
            r#""defaultPattern":{"A":@{"pieces":[0,1,2]}},"#,
            "found a state of an orbit without the key `orientation`",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":@[0,1],"orientation":[0,0,0]}},"#,
            "found a list of 2, expected a list of 3 pieces for `A`",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[0,1,@-1],"orientation":[0,0,0]}},"#,
            "found `-1`, expected a piece from 0 to 65534",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":@null}},"#,
            "found `null`, expected a list of 3 orientations for `A`",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,@2,0]}},"#,
            "found `2`, expected an orientation from 0 to 1",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,0],"orientationMod":[0,0,@3]}},"#,
            "found `3`, expected a modulus of orientations from 0 to 2",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,@1],"orientationMod":[0,0,1]}},"#,
            "found `1`, expected an orientation from 0 to 0 in set `A`",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[65534,@65534,2],"orientation":[0,0,0],"orientationMod":[0,1,0]}},"#,
            "found piece 65535, expected pieces from 0 to 65534",
        ),
        (
            r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,0],@"orientationmod":1}},"#,
            "found the key `orientationmod`, expected one of the keys pieces, orientation, orientationMod of a state of an orbit",
        ),
    ] {
        check(2, marked, complaint);
    }
}

#[test]
fn moves() {
    for (marked, complaint) in [
        (r#""moves":@[]"#, "found a list of 0, expected an object with names of moves as keys"),
        (r#""moves":@{}"#, "found no move, expected at least one Move"),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[0,0,@-2]}}}"#,
            "found `-2`, expected an orientation from 0 to 1",
        ),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,@3],"orientationDelta":[0,0,0]}}}"#,
            "found `3`, expected a slot from 0 to 2 (Move, Solved, Scramble, Illegal, Block and Goal count from 1",
        ),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,@1],"orientationDelta":[0,0,0]}}}"#,
            "found `1` again, expected each slot from 0 to 2 once (a move takes",
        ),
        (
            r#""moves":{"M":{"A":{"permutation":@[1,0],"orientationDelta":[0,0,0]}}}"#,
            "found a list of 2, expected a list of 3 slots for `A`",
        ),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[0,0,@2]}}}"#,
            "found `2`, expected an orientation from 0 to 1",
        ),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientation":@[0,0]}}}"#,
            "found a list of 2, expected a list of 3 orientations for `A`",
        ),
        (
            r#""moves":{"M":{"A":@{"permutation":[1,2,0]}}}"#,
            "found a transformation of an orbit without the key `orientationDelta`",
        ),
        (
            r#""moves":{@"M M":{"A":{"permutation":[1,2,0],"orientationDelta":[0,0,0]}}}"#,
            "found `M M`, expected a name without blanks",
        ),
        (r#""moves":{"M":{@"a":{}}}"#, "found `a`, expected the name of an orbit (upper and"),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[0,0,0],@}}}"#,
            "found `}`, expected a key in double quotes (JSON has no comments",
        ),
        (
            r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[0,0,1]}},@"M'":{"A":{"permutation":[1,2,0],"orientationDelta":[0,0,1]}}}"#,
            "found the move `M'`, which is not that power of M",
        ),
    ] {
        check(3, marked, complaint);
    }
}

#[test]
fn derived_moves_and_rules() {
    for (marked, complaint) in [
        (r#",@"Goals":[]"#, "found the key `Goals`, expected one of the keys"),
        (
            r#","derivedMoves":@[]"#,
            "found a list of 0, expected an object with names of moves as keys, and moves as texts",
        ),
        (r#","derivedMoves":{"X":@1}"#, "found `1`, expected moves as a text"),
        (r#","derivedMoves":{"X":"M M2 @Q"}"#, "found `Q`, expected a move of this puzzle"),
        (r#","derivedMoves":{"X":"@"}"#, "found `X` without moves, expected at least one move"),
        (r#","derivedMoves":{"X":"@\u004d Q"}"#, "found `Q`, expected a move of this puzzle"),
        (r#","derivedMoves":{@"X":"Y","Y":"[M, X]"}"#, "found a cycle of derived moves"),
        (r#","ignore":{@"B":{}}"#, "found `B`, expected the name of an orbit"),
        (r#","moveKinds":{"M":@"name"}"#, "found the text `name`, expected \"turn\" or"),
        (r#","moveKinds":{@"Q":"name"}"#, "found `Q`, expected the name of a move"),
        (r#","goals":@1"#, "found `1`, expected a list of states"),
        (
            r#","goals":[@{"A":{"pieces":[0,1,3],"orientation":[0,0,0]}}]"#,
            "found piece 4 (counted from 0: 3), expected one of the pieces",
        ),
        (
            r#","illegal":[{"orbit":@"B","slot":0,"pieces":[1]}]"#,
            "found the text `B`, expected the name of an orbit",
        ),
        (
            r#","illegal":[{"orbit":"A","slot":@3,"pieces":[1]}]"#,
            "found `3`, expected a slot from 0 to 2",
        ),
        (
            r#","illegal":[{"orbit":"A","slot":0,"pieces":[@5]}]"#,
            "found `5`, expected a piece of the solved state",
        ),
        (
            r#","illegal":[{"orbit":"A","slot":0,"pieces":[@0]}]"#,
            "found piece 1 in slot 1 of `A` (counted from 1), which is illegal",
        ),
        (
            r#","illegal":[@{"orbit":"A","slot":0,"pieces":[]}]"#,
            "found an object, expected at least one piece",
        ),
        (
            r#","ignore":{"A":{"pieces":@[0,1]}}"#,
            "found a list of 2, expected a list of 3 flags, 0 or 1",
        ),
        (r#","ignore":{"A":{"pieces":[0,1,@2]}}"#, "found `2`, expected a flag from 0 to 1"),
        (r#","blocks":[@{"A":[1]}]"#, "found a block of fewer than two pieces"),
        (r#","moveCosts":{"M":@0}"#, "found `0`, expected a cost from 1 to 250"),
        (r#","moveCosts":{@"Q":1}"#, "found `Q`, expected the name of a move of this puzzle"),
        (
            r#","moveKinds":{"M":@"spin"}"#,
            "found the text `spin`, expected \"turn\" or \"rotation\", or \"name\" of",
        ),
        (r#","forbiddenPairs":[@["M"]]"#, "found a list of 1, expected a pair of moves"),
        (r#","forbiddenPairs":[["M",@"Q"]]"#, "found `Q`, expected a move of this puzzle"),
        (r#","moveLimits":{@"M M":1}"#, "found `M M`, expected one move"),
        (r#","moveLimits":{"M*":@-1}"#, "found `-1`, expected a number from 0"),
    ] {
        check(4, marked, complaint);
    }
}

#[test]
fn what_is_no_puzzle_at_all() {
    let error = |text: &str| Definition::from_kpuzzle(text, &ReadLimits::default()).unwrap_err();
    assert!(
        error("[]")
            .to_string()
            .contains("line 1, column 1: found a list of 0, expected an object: a puzzle")
    );
    assert!(error("{}").to_string().contains("found a puzzle without the key `name`"));
    assert!(error("").to_string().contains("found the end of the file, expected a value"));
    assert!(error("Name X").to_string().contains("found `Name`, expected a value"));
}
