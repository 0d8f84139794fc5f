//! States and goals in JSON.

use crate::puzzles::kpuzzle;
use fewest_permutation::{Definition, PuzzleState, ReadLimits};

/// Four coins and three discs. The discs' orientation is known modulo 2.
const PUZZLE: &str = r#"{"name":"coins","orbits":[
    {"orbitName":"COINS","numPieces":4,"numOrientations":2},
    {"orbitName":"DISCS","numPieces":3,"numOrientations":4}],
    "defaultPattern":{
        "COINS":{"pieces":[0,1,2,3],"orientation":[0,0,0,0]},
        "DISCS":{"pieces":[0,1,2],"orientation":[0,1,0],"orientationMod":[2,2,2]}},
    "moves":{
        "A":{"COINS":{"permutation":[3,0,1,2],"orientationDelta":[1,0,0,0]}},
        "B":{"COINS":{"permutation":[1,0,2,3],"orientationDelta":[0,0,0,0]},
             "DISCS":{"permutation":[1,2,0],"orientationDelta":[1,0,0]}}}}"#;

fn patterns(puzzle: &Definition, text: &str) -> Vec<(usize, PuzzleState)> {
    puzzle.patterns(text, &ReadLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The row of an orbit in JSON.
fn orbit(state: &PuzzleState, orbit: usize, modulus: bool) -> String {
    let mut row = format!(
        r#""pieces":{:?},"orientation":{:?}"#,
        state.pieces(orbit),
        state.orientation(orbit)
    );
    if modulus {
        row += &format!(r#","orientationMod":{:?}"#, state.modulus(orbit));
    }
    format!("{{{row}}}")
}

fn json(state: &PuzzleState, modulus: bool) -> String {
    let [coins, discs] = [0, 1].map(|of| orbit(state, of, modulus));
    format!(r#"{{"COINS":{coins},"DISCS":{discs}}}"#)
}

#[test]
fn states_are_read_as_they_are() {
    let puzzle = kpuzzle(PUZZLE);
    for moves in ["", "A", "B A2", "(A B)3 A'"] {
        let state = puzzle.parse_state(moves).unwrap();
        let text = json(&state, true);
        assert_eq!(patterns(&puzzle, &text), [(1, state.clone())], "{text}");
        // Other programs put the state inside an object, and leave out moduli that are those of
        // `defaultPattern`.
        let plain = json(&state, false);
        let wrapped = format!(
            "\n{{\"$schema\":\"x\",\n\"experimentalPuzzleName\":\"c\",\"patternData\":{plain}}}"
        );
        assert_eq!(patterns(&puzzle, &wrapped), [(2, state)], "{wrapped}");
    }
    let [a, b] = ["A", "B"].map(|moves| puzzle.parse_state(moves).unwrap());
    let both = format!("{}\n\n{}\n", json(&a, true), json(&b, false));
    assert_eq!(patterns(&puzzle, &both), [(1, a), (3, b)]);
    // An orientation that the solved state does not know becomes unknown.
    let known = r#"{"COINS":{"pieces":[0,1,2,3],"orientation":[0,0,0,0]},
        "DISCS":{"pieces":[0,1,2],"orientation":[2,3,0]}}"#;
    assert_eq!(patterns(&puzzle, known), [(1, puzzle.start().clone())]);
}

#[test]
fn what_is_no_state_is_refused() {
    let puzzle = kpuzzle(PUZZLE);
    let refused =
        |text: &str| puzzle.patterns(text, &ReadLimits::default()).unwrap_err().to_string();
    let coins = r#"{"COINS":{"pieces":[0,1,2,3],"orientation":[0,0,0,0]}"#;
    for (text, complaint) in [
        ("", "pattern, line 1, column 1: found the end of the file, expected a value"),
        ("{\n\"COINS\":1}", "pattern, line 2, column 9: found `1`, expected an object"),
        (
            &format!("{coins}}}"),
            "pattern, line 1, column 1: found an object, expected a state with the orbit `DISCS`",
        ),
        (
            &format!(r#"{coins},"DISCS":{{"pieces":[0,1,1],"orientation":[0,0,0]}}}}"#),
            "pattern, line 1, column 1: found piece 2 (counted from 0: 1) once more",
        ),
        (
            &format!(r#"{coins},"discs":{{}}}}"#),
            "column 55: found `discs`, expected the name of an orbit (upper and lower case",
        ),
        (coins, "found the end of the file, expected `,` or `}`"),
    ] {
        let found = refused(text);
        assert!(found.contains(complaint), "{text}\n{found}");
    }
}

#[test]
fn a_goal_of_the_same_pieces_is_another_state_to_reach() {
    let puzzle = kpuzzle(PUZZLE);
    let goal = puzzle.parse_state("B A").unwrap();
    let (other, mask) = puzzle.with_pattern(&json(&goal, true), &ReadLimits::default()).unwrap();
    assert_eq!(other.goals(), std::slice::from_ref(&goal));
    let state = puzzle.parse_state("A B").unwrap();
    assert_eq!(mask.apply(&state), state);
    assert!(other.is_goal(&mask.apply(&goal)) && !other.is_goal(&mask.apply(puzzle.start())));
}

#[test]
fn a_goal_tells_fewer_pieces_apart() {
    let puzzle = kpuzzle(PUZZLE);
    // Coins 2 and 3 look alike and their sides do not matter. Coin 1 lies on its other side.
    // Discs do not matter.
    let goal = r#"{
        "COINS":{"pieces":[0,1,7,7],"orientation":[0,1,0,0],"orientationMod":[0,0,1,1]},
        "DISCS":{"pieces":[5,5,5],"orientation":[0,0,0],"orientationMod":[1,1,1]}}"#;
    let (other, mask) = puzzle.with_pattern(goal, &ReadLimits::default()).unwrap();
    assert_eq!(mask.apply(puzzle.start()), *other.start());
    assert_eq!(other.start().pieces(0), [0, 1, 7, 7]);
    assert_eq!(other.start().orientation(0), [0, 1, 0, 0]);
    // The mask and the moves may come in either order.
    for moves in ["A", "B", "A B A2 B'", "(A B)5 A"] {
        let state = puzzle.parse_state(moves).unwrap();
        assert_eq!(mask.apply(&state), other.parse_state(moves).unwrap(), "{moves}");
    }
    // B3 turns the discs only.
    assert!(!puzzle.is_goal(&puzzle.parse_state("B2").unwrap()));
    assert!(other.is_goal(&mask.apply(&puzzle.parse_state("B2").unwrap())));
    assert!(!other.is_goal(&mask.apply(&puzzle.parse_state("A").unwrap())));
}

#[test]
fn goals_that_make_no_sense_are_refused() {
    let puzzle = kpuzzle(PUZZLE);
    let refused = |definition: &Definition, goal: &str| {
        definition.with_pattern(goal, &ReadLimits::default()).unwrap_err().to_string()
    };
    let solved = json(puzzle.start(), true);
    let two = refused(&puzzle, &format!("{solved}{solved}"));
    assert!(two.contains("found a second state, expected one goal"), "{two}");
    let alike = PUZZLE.replace("\"pieces\":[0,1,2,3]", "\"pieces\":[0,0,2,3]");
    let apart = refused(&kpuzzle(&alike), &solved);
    assert!(apart.contains("found identical pieces that the goal tells apart"), "{apart}");
    let illegal =
        PUZZLE.replacen('{', r#"{"illegal":[{"orbit":"COINS","slot":0,"pieces":[1]}],"#, 1);
    let illegal = kpuzzle(&illegal);
    let fewer = refused(&illegal, &solved.replace("[0, 1, 2, 3]", "[0, 1, 2, 2]"));
    assert!(fewer.contains("found a goal with other pieces"), "{fewer}");
    let there = refused(&illegal, &solved.replace("[0, 1, 2, 3]", "[1, 0, 2, 3]"));
    assert!(there.contains("which is illegal, expected a goal that is legal"), "{there}");
}
