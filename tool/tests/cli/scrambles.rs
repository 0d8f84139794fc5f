//! Scrambles as states and as moves, and inverted sequences.

use super::{json, run, run_with_input};

#[test]
fn a_scramble_needs_no_option() {
    let ran = run(&["scramble", "2x2x2"]);
    assert_eq!((ran.code, ran.out.trim().len()), (0, 24), "{}", ran.err);
    let seed = ran.err.trim().strip_prefix("seed ").expect("the seed");
    let again = run(&["scramble", "2x2x2", "--seed", seed]);
    assert_eq!((again.out, again.err.as_str()), (ran.out, ""));
    assert_eq!(run(&["scramble", "2x2x2", "--quiet"]).err, "");
}

/// If scrambles are inverted plans, the moves of a seed lead to the states of that seed.
#[test]
fn moves_lead_to_the_states_of_the_same_seed() {
    for puzzle in ["2x2x2", "3x3x3", "pyraminx", "skewb", "8-puzzle", "3x4-tiles"] {
        let drawn = |form: &str| {
            run(&["scramble", puzzle, "-n", "3", "--seed", "5", "--form", form, "--format", "json"])
        };
        let (states, moves) = (drawn("state"), drawn("moves"));
        assert_eq!((states.code, moves.code), (0, 0), "{}", moves.err);
        assert!(moves.err.contains("uniformly random states"), "{}", moves.err);
        let (states, moves) = (json(&states.out), json(&moves.out));
        assert_eq!((states.len(), moves.len()), (3, 3));
        for (state, moves) in states.iter().zip(&moves) {
            let state = state["state"].as_str().expect("a state");
            let moves = moves["moves"].as_str().expect("moves");
            // The plan of the state undoes the moves.
            let plan = run(&["invert", puzzle, moves]).out;
            let checked = run(&["check", puzzle, state, "--plan", plan.trim()]);
            assert_eq!(checked.code, 0, "{puzzle} {state} {moves}: {}", checked.err);
            let checked = run(&["check", puzzle, moves, "--plan", plan.trim()]);
            assert_eq!(checked.code, 0, "{puzzle} {moves}: {}", checked.err);
        }
    }
}

#[test]
fn large_puzzles_get_moves_to_random_states() {
    let uniform = "moves to uniformly random states";
    for (puzzle, least, kind) in [
        ("4x4x4", 40, "moves to random states of 4x4x4"),
        ("megaminx", 40, uniform),
        ("square-1", 10, "moves to random states of square-1"),
    ] {
        let ran = run(&["scramble", puzzle, "--seed", "1", "--form", "moves"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.starts_with(kind), "{}", ran.err);
        let moves: Vec<&str> = ran.out.split_whitespace().collect();
        assert!(ran.err.ends_with(&format!("\n{} moves\n", moves.len())), "{}", ran.err);
        assert!(moves.len() >= least, "{puzzle}: {}", ran.out);
        // Neighbouring moves turn different layers, and each move is legal where it stands.
        let layer = |one: &str| one.trim_end_matches(['2', '\'']).to_owned();
        assert!(moves.windows(2).all(|two| layer(two[0]) != layer(two[1])), "{}", ran.out);
        assert_eq!(run(&["check", puzzle, ran.out.trim()]).code, 0, "{}", ran.out);
    }
    // Moves of the blank are a board.
    let ran = run(&["check", "8-puzzle", "right", "down", "left"]);
    assert_eq!((ran.code, ran.out.contains("board: 1 4 2 0 3 5 6 7 8")), (0, true), "{}", ran.out);
    let ran = run(&["check", "8-puzzle", "right", "up"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("move 2, up, leaves the board"), "{}", ran.err);
}

#[test]
fn scrambles_of_some_moves_make_only_these() {
    for (puzzle, moves, metric, kind) in [
        ("3x3x3", "U,R,F", "htm", "moves to uniformly random states"),
        ("3x3x3", "U,R", "htm", "moves to uniformly random states"),
        ("3x3x3", "R,U2", "qtm", "moves to uniformly random states"),
        ("2x2x2", "U,R", "htm", "moves to uniformly random states"),
    ] {
        let form = ["scramble", puzzle, "--seed", "1", "--form", "moves", "--moves", moves];
        let ran = run(&[&form[..], &["--metric", metric]].concat());
        assert!(ran.code == 0 && ran.err.starts_with(kind), "{puzzle}: {}", ran.err);
        let faces: Vec<char> = moves.chars().filter(|c| c.is_ascii_uppercase()).collect();
        assert!(ran.out.split_whitespace().all(|word| word.starts_with(&faces[..])), "{}", ran.out);
        let check = ["check", puzzle, ran.out.trim(), "--moves", moves];
        assert_eq!(run(&check).code, 0, "{}", ran.out);
    }
}

#[test]
fn invert_undoes_a_sequence() {
    for (puzzle, moves, inverse) in [
        ("3x3x3", "R U2 F' Rw M' x", "x' M Rw' F U2 R'"),
        ("3x3x3", "[R, U]", "U R U' R'"),
        ("2x2x2", "(R U)2", "U' R' U' R'"),
        ("8-puzzle", "up left down", "up right down"),
        ("pyraminx", "U R' L", "L' R U'"),
        ("4x4x4", "Uw R2 F'", "F R2 Uw'"),
    ] {
        let ran = run(&["invert", puzzle, moves]);
        assert_eq!((ran.code, ran.out.trim_end()), (0, inverse), "{puzzle} {moves}: {}", ran.err);
    }
    let lines = "1) R U // two\n\n2) F2\nQ\n";
    let ran = run_with_input(&crate::tables(), &["invert", "3x3x3"], lines);
    assert_eq!((ran.code, ran.out.as_str()), (2, "U' R'\nF2\n"));
    assert!(ran.err.starts_with("fewest: line 4: column 1: found `Q`"), "{}", ran.err);
    let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    // Stickers are a state, whose inverse is another.
    let ran = run(&["invert", "3x3x3", solved]);
    assert_eq!((ran.code, ran.out.trim()), (0, solved), "{}", ran.err);
}

#[test]
fn states_are_composed_and_inverted() {
    let ran = run(&["compose", "3x3x3", "R U", "F"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let checked = run(&["check", "3x3x3", ran.out.trim(), "--plan", "F' U' R'"]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let inverse = run(&["invert", "--format", "json", "3x3x3", ran.out.trim()]);
    let inverse = json(&inverse.out)[0]["inverse_state"].as_str().expect("a state").to_owned();
    let product = run(&["compose", "3x3x3", ran.out.trim(), &inverse, "--format", "json"]);
    let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    assert_eq!(json(&product.out)[0]["state"], solved);
    // Moves after moves need no group.
    let board = run(&["compose", "8-puzzle", "r", "d"]);
    assert_eq!((board.code, board.out.trim()), (0, "1 4 2 3 0 5 6 7 8"), "{}", board.err);
    let refused = run(&["compose", "8-puzzle", "1 0 2 3 4 5 6 7 8", board.out.trim()]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("8-puzzle: states are not composed"), "{}", refused.err);
}
