//! States as elements of a group: products and inverses.

use fewest::{InvalidInput, Puzzle, Settings, configure};

fn text(puzzle: &dyn Puzzle, state: &str) -> String {
    puzzle.read(state).expect("a state").text
}

fn product(puzzle: &dyn Puzzle, states: &[&str]) -> String {
    puzzle.compose(states).expect("a product")
}

/// Moves after moves are both of them, also as states if no move turns the whole puzzle, and what
/// undoes the moves leads to the inverse.
#[test]
fn products_and_inverses_are_those_of_moves() {
    for (name, first, then) in [
        ("3x3x3", "R U2 F'", "L D B2 R"),
        ("2x2x2", "R U2 F'", "U R' F2"),
        ("pyraminx", "U L R'", "B U' L"),
        ("megaminx", "R U2 F'", "L D2 U"),
        ("top-spin-8-4", "T F T", "F T' F"),
    ] {
        let puzzle = configure(name, &Settings::default().memory(1 << 26)).expect("a puzzle");
        let drawn = |seed| {
            let mut drawn = puzzle.scrambler().expect("states").scrambles(seed);
            drawn.next().expect("a state")
        };
        let (a, b, c) = (text(&*puzzle, first), text(&*puzzle, then), drawn(7));
        let both = text(&*puzzle, &format!("{first} {then}"));
        assert_eq!(product(&*puzzle, &[first, then]), both, "{name}");
        assert_eq!(product(&*puzzle, &[&a, &b]), both, "{name}");
        let solved = text(&*puzzle, "solved");
        assert_eq!(product(&*puzzle, &[]), solved, "{name}");
        for state in [&a, &both, &c] {
            let inverse = puzzle.inverse(state).expect("an inverse");
            assert_eq!(product(&*puzzle, &[state, &inverse]), solved, "{name}");
            assert_eq!(product(&*puzzle, &[&inverse, state]), solved, "{name}");
        }
        let back = puzzle.invert(first).expect("moves").join(" ");
        assert_eq!(puzzle.inverse(first).expect("an inverse"), text(&*puzzle, &back), "{name}");
        // The product of three does not depend on which two come first.
        let left = product(&*puzzle, &[&product(&*puzzle, &[&c, &a]), &b]);
        assert_eq!(product(&*puzzle, &[&c, &product(&*puzzle, &[&a, &b])]), left, "{name}");
    }
}

#[test]
fn states_that_form_no_group_are_refused() {
    for (name, moves) in [("8-puzzle", "r d"), ("square-1", "S U3"), ("hungarian-rings", "L")] {
        let puzzle = configure(name, &Settings::default().memory(1 << 26)).expect("a puzzle");
        // Moves after moves need no group.
        let (twice, state) = (format!("{moves} {moves}"), &*text(&*puzzle, moves));
        if name != "8-puzzle" {
            assert_eq!(product(&*puzzle, &[moves, moves]), text(&*puzzle, &twice), "{name}");
        }
        let message = |error: InvalidInput| error.to_string();
        let error = message(puzzle.compose(&[state, state]).expect_err("no group"));
        assert!(error.contains("not composed"), "{error}");
        let error = message(puzzle.inverse(state).expect_err("no group"));
        assert!(error.contains("not composed"), "{error}");
    }
    let cube = configure("3x3x3", &Settings::default()).expect("a puzzle");
    for (first, then) in [("F", "x"), ("F", "M"), ("Rw U", "y2 F")] {
        let both = text(&*cube, &format!("{first} {then}"));
        assert_eq!(product(&*cube, &[first, then]), both, "{first} {then}");
    }
    let error = cube.compose(&["R", "X"]).expect_err("no moves").to_string();
    assert!(error.starts_with("state 2: "), "{error}");
}
