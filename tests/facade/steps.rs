//! Plans from goal to goal, on a state and on its inverse.

use cube::notation::parse_moves;
use cube::partial::named_goal;
use cube::{Cube, Facelets};
use fewest::search::{CancelToken, Limits};
use fewest::{Ending, Request, Settings, Sides, StepChain, StepOptions, Steps, StepsAnswer};

const SCRAMBLE: &str = "R U F' L2 D B R' U2 F L D2 B' R";

fn steps(puzzle: &str, goals: &str) -> Steps {
    let settings = Settings::default().tables(crate::tables()).memory(1 << 30);
    let goals: Vec<&str> = goals.split(',').collect();
    Steps::configure(puzzle, &settings, &goals).expect("steps")
}

fn options(slack: &[u8], keep: usize, sides: Sides) -> StepOptions {
    let mut options = StepOptions::default();
    (options.slack, options.keep, options.sides) = (slack.to_vec(), keep, sides);
    options
}

fn solved(steps: &Steps, state: &str, options: &StepOptions) -> StepsAnswer {
    let answer = steps.solve(state, options, &Request::default()).expect("an answer");
    assert_eq!(answer.ending, Ending::Solved, "{state}");
    answer
}

/// What undoes some moves, by hand: backwards, each the other way.
fn undone(moves: &[String]) -> Vec<String> {
    let back = |turn: &String| match turn.strip_suffix('\'') {
        Some(face) => face.to_owned(),
        None if turn.ends_with('2') => turn.clone(),
        None => format!("{turn}'"),
    };
    moves.iter().rev().map(back).collect()
}

/// A cube after moves.
fn moved(cube: Cube, moves: &[String]) -> Cube {
    cube.moved(&parse_moves(&moves.join(" ")).expect("moves"))
}

/// Replays a chain on a cube: after each step, the moves on the inverse undone, the scramble and
/// the moves on the state make a cube of its goal.
fn replay(scramble: &[String], chain: &StepChain) {
    let [mut normal, mut inverse] = [Vec::new(), Vec::new()];
    for step in &chain.steps {
        let side = if step.inverse { &mut inverse } else { &mut normal };
        side.extend(step.moves.iter().cloned());
        let all = [&undone(&inverse)[..], scramble, &normal].concat();
        let cube = moved(Cube::SOLVED, &all);
        let sets = named_goal(&step.goal, 9).expect("a goal").expect("sets");
        assert!(sets.iter().any(|set| set.contains(&cube)), "{}: {all:?}", step.goal);
        assert!(step.cost == step.moves.len() as u64 && step.least <= step.cost);
    }
    assert_eq!(chain.cost, (normal.len() + inverse.len()) as u64);
    let Some(plan) = &chain.plan else { return assert!(!inverse.is_empty()) };
    assert_eq!(*plan, [&normal[..], &undone(&inverse)].concat());
    let cube = moved(Cube::SOLVED, &[scramble, plan].concat());
    let last = chain.steps.last().is_some_and(|step| step.goal == "solved");
    assert!(!last || cube == Cube::SOLVED, "{}", plan.join(" "));
}

/// Every chain is replayed by hand, on the state, on its inverse, and on both.
#[test]
fn each_step_ends_in_its_goal() {
    let scramble: Vec<String> = SCRAMBLE.split(' ').map(str::to_owned).collect();
    let half_turns =
        solved(&steps("3x3x3", "eo,dr,htr"), SCRAMBLE, &options(&[0], 1, Sides::Normal));
    replay(&scramble, &half_turns.chains[0]);
    let part = solved(&steps("3x3x3", "eo,dr"), SCRAMBLE, &options(&[1, 0], 5, Sides::Both));
    replay(&scramble, &part.chains[0]);
    let steps = steps("3x3x3", "eo,dr,solved");
    let mut costs = Vec::new();
    for sides in [Sides::Normal, Sides::Inverse, Sides::Both] {
        let mut options = options(&[0], 1, sides);
        options.chains = 2;
        let answer = solved(&steps, SCRAMBLE, &options);
        assert!(!answer.chains.is_empty() && answer.chains.len() <= 2);
        assert!(answer.chains.is_sorted_by_key(|chain| chain.cost));
        answer.chains.iter().for_each(|chain| replay(&scramble, chain));
        let on_inverse = |chain: &StepChain| chain.steps.iter().filter(|one| one.inverse).count();
        let all = answer.chains.iter().map(on_inverse);
        match sides {
            Sides::Normal => assert!(all.into_iter().all(|count| count == 0)),
            Sides::Inverse => assert!(all.into_iter().all(|count| count == 3)),
            Sides::Both => {}
        }
        costs.push(answer.chains[0].cost);
    }
    assert!(costs[2] <= costs[0], "{costs:?}");
    // Stickers and a cube that is turned as a whole have the same chains as moves.
    let cube = moved(Cube::SOLVED, &scramble);
    let stickers = Facelets::from(&cube).to_string();
    let both = options(&[0], 1, Sides::Both);
    for state in [&stickers, &format!("{SCRAMBLE} y x2")] {
        let chain = &solved(&steps, state, &both).chains[0];
        let puzzle = steps.puzzle();
        let plan = chain.plan.as_ref().expect("a plan").join(" ");
        let fault = puzzle.check_plan(state, &plan).expect("a plan").fault;
        assert_eq!(fault, None, "{state}");
    }
}

/// With slack enough, the steps cost no more than an optimal plan. But then plans are left out that
/// pass a state twice, as the goal sees states, so nothing is claimed.
#[test]
fn chains_are_complete_without_slack_alone() {
    let steps = steps("2x2x2", "layer,solved");
    let answer = solved(&steps, "R U F", &options(&[3, 0], 3000, Sides::Normal));
    assert_eq!((answer.chains[0].cost, answer.complete), (3, false));
    let few = solved(&steps, "R U F", &options(&[3], 2, Sides::Normal));
    assert!(!few.complete && few.chains[0].cost >= 3);
    let least = solved(&steps, "R U F R2 U'", &options(&[], 3000, Sides::Normal));
    assert!(least.complete && least.chains[0].steps.iter().all(|step| step.cost == step.least));
    // The first move leaves what `eo` sees as it was: the optimal plan is no plan of this step.
    let orientations = crate::steps::steps("3x3x3", "eo,solved");
    let slack = options(&[1, 0], 1000, Sides::Normal);
    assert!(!solved(&orientations, "F R L' D2 B2 U'", &slack).complete);
    let none = solved(&steps, "solved", &StepOptions::default());
    assert_eq!((none.chains[0].cost, none.chains[0].steps.len()), (0, 2));
}

#[test]
fn steps_that_do_not_follow_and_limits_are_told() {
    let wrong = |goals: &str| {
        let settings = Settings::default().tables(crate::tables());
        let goals: Vec<&str> = goals.split(',').collect();
        Steps::configure("3x3x3", &settings, &goals).map(|_| ()).unwrap_err().to_string()
    };
    let board = Steps::configure("8-puzzle", &Settings::default(), &["solved"]);
    assert!(board.map(|_| ()).unwrap_err().to_string().contains("a board is not solved step by"));
    assert!(wrong("eo,,dr").contains("the steps: found no name"), "{}", wrong("eo,,dr"));
    assert!(wrong("eo,eocros").contains("did you mean eocross"), "{}", wrong("eo,eocros"));
    let apart = steps("3x3x3", "cross,eo");
    let refused = apart.solve("R2 F U R", &StepOptions::default(), &Request::default());
    let refused = refused.expect_err("eo does not keep the cross").to_string();
    assert!(refused.contains("the step eo ends in a state that cross does not have"), "{refused}");
    let few = Limits { nodes: Some(50), ..Limits::default() };
    let steps = steps("3x3x3", "eo,dr");
    let limited = steps.solve(SCRAMBLE, &StepOptions::default(), &Request::default().limits(few));
    let limited = limited.expect("an answer");
    assert_eq!((limited.ending, limited.complete), (Ending::LimitReached, false));
    // What writes a state as moves costs no nodes.
    let enough = Limits { nodes: Some(200_000), ..Limits::default() };
    let request = Request::default().limits(enough);
    let superflip =
        crate::steps::steps("3x3x3", "eo").solve("superflip", &<_>::default(), &request);
    let superflip = superflip.expect("an answer");
    assert_eq!((superflip.ending, superflip.stopped), (Ending::Solved, None));
    let cancel = CancelToken::new();
    cancel.cancel();
    let request = Request::default().cancel(cancel);
    let cancelled = steps.solve(SCRAMBLE, &StepOptions::default(), &request).expect("an answer");
    assert_eq!((cancelled.ending, cancelled.chains.len()), (Ending::Cancelled, 0));
}
