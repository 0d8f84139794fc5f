//! Plans that need not be proven.

use fewest::{Aim, Ending, Event, Request, Settings, configure};
use search::{CancelToken, Limits};

fn nodes(most: u64) -> Limits {
    Limits { nodes: Some(most), ..Limits::default() }
}

/// Random states have a plan where pieces differ, where some look alike (`fto`, `4x4x4`), and where
/// they turn in their slots alone (`clock`).
#[test]
fn random_states_of_large_puzzles_have_plans() {
    for (name, most) in
        [("kilominx", 50), ("megaminx", 190), ("fto", 100), ("4x4x4", 220), ("clock", 14)]
    {
        let puzzle = configure(name, &Settings::default()).expect("a puzzle");
        assert!(puzzle.info().has_near_optimal, "{name}");
        let scrambler = puzzle.scrambler().expect("scrambles");
        let state = scrambler.scrambles(1).next().expect("a state");
        let request = Request::default().aim(Aim::NearOptimal);
        let request = request.limits(nodes(400_000));
        let answer = puzzle.solve(&state, &request).expect("an answer");
        // The answer was replayed. It is no proof.
        assert_eq!((answer.ending, answer.optimal), (Ending::Solved, false), "{name}");
        assert!(answer.plans[0].len() <= most, "{name}: {}", answer.plans[0].len());
        let replay = puzzle.check_plan(&state, &answer.plans[0].join(" ")).expect("a plan");
        assert_eq!((replay.fault, replay.cost), (None, answer.costs[0]), "{name}");
    }
}

/// Plans of a small puzzle are never below the optimum, and at most 3 above it.
#[test]
fn plans_are_not_below_the_optimum() {
    for name in ["pyraminx", "skewb", "dino-cube", "top-spin-8-4", "ivy-cube", "burnt-pancake-6"] {
        let puzzle = configure(name, &Settings::default()).expect("a puzzle");
        let scrambler = puzzle.scrambler().expect("scrambles");
        for state in scrambler.scrambles(3).take(5) {
            let solve = |aim| {
                let request = Request::default().aim(aim);
                puzzle.solve(&state, &request).expect("an answer")
            };
            let (near, optimal) = (solve(Aim::NearOptimal), solve(Aim::Optimal));
            assert!(near.costs[0] >= optimal.costs[0], "{name}: {state}");
            assert!(near.costs[0] <= optimal.costs[0] + 3, "{name}: {state}");
            assert!(u64::from(near.lower_bound) <= optimal.costs[0], "{name}: {state}");
        }
    }
}

/// Ctrl-C after the first plan leaves that plan, and a bound below it.
#[test]
fn a_plan_comes_before_the_proof() {
    let puzzle = configure("hungarian-rings", &Settings::default()).expect("a puzzle");
    let state = puzzle.scrambler().expect("scrambles").scrambles(1).next().expect("a state");
    let cancel = CancelToken::new();
    let watch = |event: &Event<'_>| {
        if matches!(event, Event::Plan { .. }) {
            cancel.cancel();
        }
    };
    let request = Request::default().cancel(cancel.clone()).watch(&watch);
    let answer = puzzle.solve(&state, &request).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::Cancelled, 1));
    assert!(u64::from(answer.lower_bound) < answer.costs[0]);
}

/// No plan above a limit of the bound is told.
#[test]
fn a_limit_of_the_bound_holds() {
    let puzzle = configure("kilominx", &Settings::default()).expect("a puzzle");
    let state = puzzle.scrambler().expect("scrambles").scrambles(1).next().expect("a state");
    let limits = Limits { bound: Some(5), ..nodes(100_000) };
    let request = Request::default().aim(Aim::NearOptimal).limits(limits);
    let answer = puzzle.solve(&state, &request).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
}
