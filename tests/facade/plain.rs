//! Puzzles as lines of text, which a slow reading of the lines plays.

use fewest::proofs::plain::PlainPuzzle;
use fewest::{MetricChoice, Puzzle, Request, Settings};

fn configured(name: &str, settings: Settings) -> Box<dyn Puzzle> {
    crate::configured(name, &settings.memory(1 << 30))
}

/// The state after a move of the lines. `None` if the move does not apply.
fn after(puzzle: &PlainPuzzle, state: &[u16], name: &str) -> Option<Vec<u16>> {
    match puzzle {
        PlainPuzzle::Blocks { moves, .. } => {
            let made = moves.iter().find(|one| one.name == name).expect("a move");
            Some(made.effect.iter().map(|&from| state[usize::from(from)]).collect())
        }
        PlainPuzzle::Board { rows, columns, moves, .. } => {
            let (down, right) = moves.iter().find(|one| one.name == name).expect("a move").effect;
            let blank = state.iter().position(|&value| value == 0).expect("a blank");
            let row = (blank / columns).checked_add_signed(down.into())?;
            let column = (blank % columns).checked_add_signed(right.into())?;
            (row < *rows && column < *columns).then(|| {
                let mut state = state.to_vec();
                state.swap(blank, row * columns + column);
                state
            })
        }
    }
}

fn is_goal(puzzle: &PlainPuzzle, state: &[u16]) -> bool {
    match puzzle {
        PlainPuzzle::Blocks { goal, .. } => {
            (goal.iter().zip(state)).all(|(&label, &sticker)| goal[usize::from(sticker)] == label)
        }
        PlainPuzzle::Board { goal, .. } => goal == state,
    }
}

/// The plan of a state solves it in the lines, at the same cost, and its parts do not.
fn agree(puzzle: &dyn Puzzle, state: &str) {
    let (name, request) = (&puzzle.info().name, Request::default().limits(limits()));
    let lines = puzzle.plain().unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut at = puzzle.plain_state(state, &request).expect("stickers");
    assert!(lines.is_state(&at), "{name} {state}: {at:?}");
    let answer = puzzle.solve(state, &request).expect("an answer");
    let plan = answer.plans.first().unwrap_or_else(|| panic!("{name} {state}: no plan"));
    assert!(plan.is_empty() || !is_goal(&lines, &at), "{name} {state}");
    for (number, step) in (1..).zip(plan) {
        at = after(&lines, &at, step).unwrap_or_else(|| panic!("{name}: {step} does not apply"));
        assert_eq!(is_goal(&lines, &at), number == plan.len(), "{name} {state} {plan:?}");
    }
}

fn limits() -> fewest::search::Limits {
    fewest::search::Limits { nodes: Some(5_000_000), ..fewest::search::Limits::default() }
}

#[test]
fn plans_solve_states_in_the_lines() {
    for name in [
        "2x3-tiles",
        "8-puzzle",
        "pancake-6",
        "burnt-pancake-5",
        "top-spin-7-4",
        "ivy-cube",
        "2x2x3",
    ] {
        let puzzle = &*configured(name, Settings::default());
        let states = puzzle.scrambler().expect("random states").scrambles(3);
        states.take(3).for_each(|state| agree(puzzle, &state));
    }
    let quarter = || Settings::default().metric(MetricChoice::QuarterTurn);
    for (puzzle, state) in [
        (configured("3x3x3", Settings::default()), "x R U2 y B' D"),
        (configured("3x3x3", quarter()), "R2 U F'"),
        (configured("2x2x2", quarter()), "x R U2 y B' D R"),
        (configured("3x3x3-slices", Settings::default()), "M2 U S'"),
        (configured("15-puzzle", Settings::default()), "4 1 2 3 5 9 6 7 8 10 11 0 12 13 14 15"),
        (configured("8-puzzle", Settings::default().goal("last")), "8 6 7 2 5 4 3 0 1"),
        (configured("dino-cube", Settings::default().goal("DLF")), "DLF DFR' DRB DFR"),
        (configured("pyraminx", Settings::default()), "U R' L B"),
        (configured("pyraminx", Settings::default().moves("U,R")), "U R' U R"),
        (configured("pyramorphix", Settings::default()), "D U R"),
        (configured("skewb", Settings::default()), "URF UFL' URF UBR'"),
        (configured("clock", Settings::default()), "solved"),
    ] {
        agree(&*puzzle, state);
    }
}

#[test]
fn lines_of_the_2x2x2() {
    let text = configured("2x2x2", Settings::default()).plain().unwrap().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (11, "block 8 3"));
    assert_eq!(
        lines[10],
        format!("goal {}", (0..24).map(|n| n.to_string()).collect::<Vec<_>>().join(" "))
    );
    assert!(lines[1].starts_with("move U 1 "), "{text}");
}

/// Puzzles that have no lines say why.
#[test]
fn other_puzzles_have_no_lines() {
    for (name, settings, why) in [
        ("square-1", Settings::default(), "it has rules about moves or states"),
        ("2x2x2", Settings::default().moves("U,R"), "for its own goal by all its moves"),
        ("8-puzzle", Settings::default().metric(MetricChoice::MultiTile), "several tiles"),
    ] {
        let error = configured(name, settings).plain().expect_err("refused").to_string();
        assert!(error.starts_with(&format!("{name} has no plain certificates: ")), "{error}");
        assert!(error.contains(why), "{error}");
    }
}
