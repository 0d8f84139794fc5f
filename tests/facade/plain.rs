//! Puzzles as lines of text, which a slow reading of the lines plays.

use fewest::proofs::plain::PlainPuzzle;
use fewest::search::CancelToken;
use fewest::{MetricChoice, Puzzle, Request, Settings};

/// Pieces that look alike, beside pieces that turn and some that never move. Moves have costs.
const BEADS: &str = "Name beads
Set BEADS 7 1
Set CORNERS 4 3
Set FIXED 2 2
Solved
BEADS
1 1 1 2 2 2 3
CORNERS
1 2 3 4
End
Move TURN
BEADS
2 3 4 5 6 7 1
CORNERS
2 3 1 4
0 1 2 0
End
Move SWAP
BEADS
2 1 3 4 5 6 7
CORNERS
2 1 4 3
1 2 0 0
End
MoveCost TURN 2
MoveCost TURN' 5";

/// A goal that ignores the colour of three beads, and how one corner is turned.
const IGNORE: &str = "Ignore
BEADS
0 0 0 1 1 1 0
CORNERS
0 0 0 0
1 0 0 0
End";

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
    assert_eq!((lines.len(), lines[0]), (11, "block 7 3"));
    assert_eq!(
        lines[10],
        format!("goal {}", (0..21).map(|n| n.to_string()).collect::<Vec<_>>().join(" "))
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

/// The states by their distance, as both searches count them.
fn counts(puzzle: &dyn Puzzle) -> [Vec<u64>; 2] {
    let (name, request) = (&puzzle.info().name, Request::default());
    let exhaustive = puzzle.exhaustive().expect("a count");
    let mut layers = Vec::new();
    let mut tell = |_, count: u128| layers.push(u64::try_from(count).expect("few states"));
    exhaustive.count_all(0, &request, &mut tell).unwrap_or_else(|error| panic!("{name}: {error}"));
    let numbers = exhaustive.numbers(&request).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found = exhaustive.distances(numbers, &request).expect("distances");
    [layers, found.counts().to_vec()]
}

#[test]
fn distances_of_all_states_are_those_of_the_count() {
    let quarter = || Settings::default().metric(MetricChoice::QuarterTurn);
    for puzzle in [
        configured("2x3-tiles", Settings::default()),
        configured("8-puzzle", Settings::default().goal("last")),
        configured("2x2x2", Settings::default()),
        configured("2x2x2", quarter()),
        configured("pancake-7", Settings::default()),
        configured("burnt-pancake-5", Settings::default()),
        configured("ivy-cube", Settings::default()),
        configured("pyraminx", quarter()),
        configured("pyraminx", Settings::default().cost("R=2,R'=3")),
        configured("pyraminx", Settings::default().moves("U,R")),
        configured("pyramorphix", Settings::default()),
        configured("2x2x3", Settings::default()),
        configured(BEADS, Settings::default()),
        configured(&BEADS.replace("MoveCost TURN 2", IGNORE), Settings::default()),
    ] {
        let [counted, found] = counts(&*puzzle);
        assert_eq!(counted, found, "{}", puzzle.info().name);
    }
}

#[test]
fn distances_that_do_not_fit_are_refused() {
    let distances = |name: &str, settings: Settings, request: &Request<'_>| {
        let puzzle = crate::configured(name, &settings);
        let exhaustive = puzzle.exhaustive().expect("a count");
        let found = exhaustive.numbers(request);
        let found = found.and_then(|numbers| exhaustive.distances(numbers, request));
        found.map(drop).expect_err("refused").to_string()
    };
    let (small, request) = (|| Settings::default().memory(1 << 20), Request::default());
    let error = distances("2x2x2", small(), &request);
    assert!(error.contains("a byte for each state needs 3.5 MiB (3674160 bytes)"), "{error}");
    let error = distances("3x4-tiles", Settings::default().memory(1 << 28), &request);
    assert!(error.contains("(479001600 bytes)"), "{error}");
    let error = distances("square-1", Settings::default().memory(1 << 33), &request);
    assert!(error.contains("it has rules about moves or states"), "{error}");
    let cancelled = Request::default().cancel(CancelToken::cancelled());
    assert_eq!(distances("2x2x2", Settings::default(), &cancelled), "cancelled");
}
