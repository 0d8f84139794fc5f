//! Plans of a search for several are told as soon as they are found.

use fewest::{Answer, HeuristicChoice, Request, Settings, configure};
use search::CancelToken;
use std::sync::Mutex;

/// A board 31 moves from the goal, with many plans.
const FAR: &str = "8 0 6 5 4 7 2 3 1";

/// A plan and its cost.
type Told = (Vec<String>, u64);

/// The answer, and the plans in the order in which they were told.
fn solve(puzzle: &str, heuristic: &str, state: &str, request: Request<'_>) -> (Answer, Vec<Told>) {
    let mut settings = Settings::default().memory(64 << 20);
    settings.heuristic = HeuristicChoice::from(heuristic);
    let puzzle = configure(puzzle, &settings).expect("a puzzle");
    let told = Mutex::default();
    let tell = |plan: &[String], cost| {
        let mut told: std::sync::MutexGuard<'_, Vec<Told>> = told.lock().expect("no panic");
        told.push((plan.to_vec(), cost));
        if told.len() == 1 && request.plans == usize::MAX - 1 {
            request.cancel.cancel();
        }
    };
    let answer = puzzle.solve(state, &request.clone().on_plan(&tell)).expect("an answer");
    (answer, told.into_inner().expect("no panic"))
}

#[test]
fn every_plan_is_told_once() {
    for (puzzle, heuristic, state, slack) in [
        ("8-puzzle", "manhattan", FAR, 0),
        ("8-puzzle", "best", FAR, 2),
        ("3x3x3", "manhattan", "R2 U2 R2 U2 R2 U2", 0),
        ("3x3x3", "manhattan", "R2 U2 R2 U2 R2 U2", 1),
        // Searches from both ends of a plan.
        ("pyraminx", "best", "U R' U' R' U R U R' U'", 0),
        ("2x2x2", "table", "R U R U R U", 0),
    ] {
        for threads in [1, 3] {
            let request = Request::default().plans(usize::MAX).slack(slack).threads(threads);
            let (answer, mut told) = solve(puzzle, heuristic, state, request);
            assert!(answer.complete && answer.plans.len() > 1, "{puzzle} {state}");
            let costs: Vec<u64> = told.iter().map(|(_, cost)| *cost).collect();
            assert!(costs.is_sorted(), "{puzzle} {state}: {costs:?}");
            let mut all: Vec<Told> = answer.plans.into_iter().zip(answer.costs).collect();
            all.sort_unstable();
            told.sort_unstable();
            assert_eq!(told, all, "{puzzle} {state}");
        }
    }
}

/// The first plan is told before the search ends: there is time to cancel it.
#[test]
fn a_search_can_be_cancelled_at_its_first_plan() {
    let all = Request::default().plans(usize::MAX).slack(4).threads(1);
    let (all, _) = solve("8-puzzle", "manhattan", FAR, all);
    let cancel = CancelToken::new();
    let some = Request::default().plans(usize::MAX - 1).slack(4).threads(1).cancel(cancel.clone());
    let (answer, told) = solve("8-puzzle", "manhattan", FAR, some);
    assert!(cancel.is_cancelled() && !answer.complete);
    assert!((1..all.plans.len()).contains(&told.len()), "{} of {}", told.len(), all.plans.len());
}

#[test]
fn no_more_plans_are_told_than_wanted() {
    for (puzzle, heuristic, state) in
        [("8-puzzle", "manhattan", FAR), ("pyraminx", "best", "U R' U' R' U R U R' U'")]
    {
        let (answer, told) = solve(puzzle, heuristic, state, Request::default().plans(2));
        assert_eq!((answer.plans.len(), told.len()), (2, 2), "{puzzle}");
        // A search for one plan has no others to tell.
        let (answer, told) = solve(puzzle, heuristic, state, Request::default());
        assert_eq!((answer.plans.len(), told.len()), (1, 0), "{puzzle}");
    }
}
