//! Puzzles as places that hold values, from which proof logs are written.

use fewest::proofs::pseudo_boolean::{LogError, write_log};
use fewest::search::CancelToken;
use fewest::{MetricChoice, Puzzle, Request, Settings};
use std::io::sink;

/// Puzzles with short plans from most states, whose random states are encoded.
const SMALL: [&str; 7] =
    ["2x3-tiles", "8-puzzle", "pancake-6", "burnt-pancake-5", "top-spin-7-4", "ivy-cube", "2x2x3"];

/// States near the goal, of puzzles with long plans.
const NEAR: [(&str, &[&str]); 8] = [
    ("3x3x3", &["R", "F2 B2", "R U F' L2 D", "x R U2 y B' D"]),
    ("2x2x2", &["R", "x R U2 y B' D R", "B D L U2 R'"]),
    ("3x3x3-slices", &["M E S", "M2 U S'"]),
    ("3x3x3-squares", &["L F L D"]),
    ("pyraminx", &["U R' L B", "U R' L B' U"]),
    ("pyramorphix", &["D U", "D U R"]),
    ("skewb", &["URF UFL' URF UBR'"]),
    ("15-puzzle", &["4 1 2 3 5 9 6 7 8 10 11 0 12 13 14 15"]),
];

/// The encoding has plans as short as the puzzle's, and no shorter ones.
fn agree(puzzle: &dyn Puzzle, state: &str) {
    let name = &puzzle.info().name;
    let request = Request::default();
    let answer =
        puzzle.solve(state, &request).unwrap_or_else(|error| panic!("{name} {state}: {error}"));
    let cost = usize::try_from(answer.upper_bound.expect("a plan")).expect("small");
    let encoding = puzzle.encoding(state, &request);
    let encoding = encoding.unwrap_or_else(|error| panic!("{name} {state}: {error}"));
    let log = |bound: usize| {
        write_log(&encoding, bound, 2_000_000, &CancelToken::new(), (&mut sink(), &mut sink()))
    };
    assert!(matches!(log(cost), Err(LogError::Plan)), "{name} {state}: {cost} moves");
    for bound in cost.saturating_sub(2)..cost {
        assert!(log(bound).is_ok_and(|size| size.bytes > 100), "{name} {state}: {bound} moves");
    }
}

fn configured(name: &str, settings: Settings) -> Box<dyn Puzzle> {
    crate::configured(name, &settings.memory(1 << 30))
}

#[test]
fn encodings_have_the_shortest_plans_of_their_puzzles() {
    for name in SMALL {
        let puzzle = &*configured(name, Settings::default());
        let states = puzzle.scrambler().expect("random states").scrambles(7);
        states.take(2).for_each(|state| agree(puzzle, &state));
    }
    for (name, states) in NEAR {
        let puzzle = &*configured(name, Settings::default());
        states.iter().for_each(|state| agree(puzzle, state));
    }
}

#[test]
fn metrics_goals_and_allowed_moves_are_encoded() {
    let quarter = || Settings::default().metric(MetricChoice::QuarterTurn);
    agree(&*configured("3x3x3", quarter()), "R2 U F'");
    agree(&*configured("2x2x2", quarter()), "R2 U F'");
    agree(&*configured("pyraminx", quarter()), "U R' L");
    agree(&*configured("8-puzzle", Settings::default().goal("last")), "8 6 7 2 5 4 3 0 1");
    agree(&*configured("dino-cube", Settings::default().goal("DLF")), "DLF DFR' DRB DFR");
    let moves = || Settings::default().moves("U,R");
    agree(&*configured("pyraminx", moves()), "U R' U R");
    agree(&*configured("2x2x2", moves()), "R U R' U2");
    agree(&*configured("3x3x3", Settings::default().goal("cross")), "R U F");
}

/// Puzzles that have no such form say why, without a search.
#[test]
fn other_puzzles_have_no_encoding() {
    let puzzle = configured("square-1", Settings::default());
    let error = puzzle.encoding("solved", &Request::default()).expect_err("refused").to_string();
    assert!(error.starts_with("square-1 has no proof logs: "), "{error}");
    assert!(error.contains("it has rules about moves, states or the goal"), "{error}");
    let wrong = configured("8-puzzle", Settings::default()).encoding("1 2 3", &Request::default());
    assert!(wrong.is_err());
}
