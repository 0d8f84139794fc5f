//! Searches for plans that are kept in a journal: stopped, killed and damaged, they go on.

use fewest::proofs::{self, Share};
use fewest::{
    Aim, Answer, Ending, Event, Puzzle, Request, RunJournal, Settings, configure, run_command,
    run_identity,
};
use search::{CancelToken, Limits};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A puzzle with a random state.
fn puzzle(name: &str) -> (Box<dyn Puzzle>, String) {
    let puzzle = configure(name, &Settings::default()).expect("a puzzle");
    let state = puzzle.scrambler().expect("scrambles").scrambles(1).next().expect("a state");
    (puzzle, state)
}

fn request(aim: Aim, nodes: Option<u64>) -> Request<'static> {
    Request::default().aim(aim).limits(Limits { nodes, ..Limits::default() })
}

/// Solves a state with a journal at a path. The journal says whether it has a fault.
fn solve(
    (puzzle, state): (&dyn Puzzle, &str),
    request: &Request<'_>,
    path: &Path,
) -> (Answer, RunJournal) {
    let settings = Settings::default();
    let identity = run_identity(puzzle, &settings, state, request).expect("a state");
    let command = run_command(&puzzle.info().name, &settings, state, request);
    let journal = RunJournal::new(Some(path.to_owned()), identity, command, Share::ALL);
    let answer = puzzle.solve(state, &request.clone().keeper(&journal)).expect("an answer");
    (answer, journal)
}

fn nodes(answer: &Answer) -> u64 {
    answer.near.as_ref().expect("a search for plans").generated
}

/// Words, words and cycles, a beam over moves: stopped by limits, and cut at bytes of any place,
/// the search gives the plan of one that was never stopped.
#[test]
fn a_search_for_plans_goes_on() {
    for (name, most) in [("kilominx", 300_000), ("fto", 600_000), ("24-puzzle", 300_000)] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let (puzzle, state) = puzzle(name);
        let run = |nodes, path: &Path| {
            let (answer, journal) =
                solve((&*puzzle, &state), &request(Aim::NearOptimal, Some(nodes)), path);
            assert!(journal.fault().is_none(), "{name}: {:?}", journal.fault());
            assert!(!answer.optimal, "{name}");
            answer
        };
        let expected =
            puzzle.solve(&state, &request(Aim::NearOptimal, Some(most))).expect("a plan");
        let whole = run(most, &path("whole"));
        assert_eq!((&whole.plans, nodes(&whole)), (&expected.plans, nodes(&expected)), "{name}");
        for nodes in [most / 100, most / 10, most / 3] {
            let stopped = run(nodes, &path("stopped"));
            assert!(stopped.costs.iter().all(|cost| *cost >= expected.costs[0]), "{name}: {nodes}");
        }
        let resumed = run(most, &path("stopped"));
        assert_eq!(
            (&resumed.plans, nodes(&resumed)),
            (&expected.plans, nodes(&expected)),
            "{name}"
        );
        assert_eq!(resumed.by, expected.by, "{name}");
        let bytes = std::fs::read(path("whole")).expect("a journal");
        let first = bytes.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        for part in 0..4 {
            let length = first + (bytes.len() - first) * part / 4 + part;
            std::fs::write(path("killed"), &bytes[..length]).expect("written");
            let resumed = run(most, &path("killed"));
            assert_eq!(resumed.plans, expected.plans, "{name}: {length} bytes");
        }
    }
}

/// A proven plan is told as optimal. A second run with the same journal says so, too.
#[test]
fn a_proven_plan_stays_proven() {
    let folder = tempfile::tempdir().expect("a folder");
    let (puzzle, state) = puzzle("hungarian-rings-10");
    for run in 0..2 {
        let request = request(Aim::NearOptimal, None);
        let (answer, _) = solve((&*puzzle, &state), &request, &folder.path().join("journal"));
        assert!(answer.optimal, "run {run}: {answer:?}");
    }
}

/// Forgers compute checksums. A plan that does not solve the state, or has another cost, is
/// refused.
#[test]
fn forged_plans_of_rounds_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (puzzle, state) = puzzle("kilominx");
    let request = request(Aim::NearOptimal, Some(100_000));
    drop(solve((&*puzzle, &state), &request, &path("own")));
    let record = proofs::read(&path("own")).expect("a journal").record;
    for forgery in 0..4 {
        let mut record = record.clone();
        let last = record.rounds.iter_mut().rfind(|round| round.plan.is_some()).expect("a plan");
        let plan = last.plan.as_mut().expect("a plan");
        match forgery {
            // A cheaper plan that nobody sees.
            3 => last.plan = None,
            0 => _ = plan.pop(),
            1 => plan[0] = search::Op(60_000),
            _ => last.cost = last.cost.map(|cost| cost - 1),
        }
        let forged = path(&forgery.to_string());
        proofs::write(&record, &forged).expect("written");
        let (answer, journal) = solve((&*puzzle, &state), &request, &forged);
        assert!(answer.plans.is_empty(), "{answer:?}");
        let refusal = journal.refusal().expect("refused").to_string();
        assert!(refusal.contains("has a plan that does not solve the state"), "{refusal}");
    }
    // Another seed makes other rounds.
    let (_, journal) = solve((&*puzzle, &state), &request.seed(1), &path("own"));
    let refusal = journal.refusal().expect("another run").to_string();
    assert!(refusal.contains("its seed is"), "{refusal}");
}

/// Where no proof is to be expected, a journal keeps the rounds of the plans beside the proof, and
/// they go on.
#[test]
fn a_hopeless_proof_keeps_its_plans() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let (puzzle, state) = puzzle("megaminx");
    let mut rounds = 0;
    let mut costs = Vec::new();
    for _ in 0..2 {
        // The second plan ends a run. The first of the second run is known from the first run.
        let (cancel, told) = (CancelToken::new(), AtomicUsize::new(0));
        let watch = |event: &Event<'_>| {
            if matches!(event, Event::Plan { .. }) && told.fetch_add(1, Ordering::Relaxed) == 1 {
                cancel.cancel();
            }
        };
        let request = Request::default().cancel(cancel.clone()).watch(&watch);
        let (answer, journal) = solve((&*puzzle, &state), &request, &path);
        assert!(journal.fault().is_none(), "{:?}", journal.fault());
        assert_eq!(answer.ending, Ending::Cancelled);
        costs.push(answer.upper_bound.expect("a plan"));
        let record = journal.record().expect("opened");
        assert!(record.rounds.len() > rounds, "{}", record.rounds.len());
        rounds = record.rounds.len();
        assert_eq!(record.planned().map(u64::from), Some(costs[costs.len() - 1]));
        assert!(record.identity.get("planner").is_some());
    }
    assert!(costs[1] < costs[0], "{costs:?}");
}
