//! Plans that are made cheaper.

use fewest::{Failure, Puzzle, Request, Settings, Shortened, configure};
use search::Limits;
use search::random::Random;
use std::time::Duration;

fn puzzle(name: &str) -> Box<dyn Puzzle> {
    configure(name, &Settings::default().memory(1 << 28)).expect("a puzzle")
}

/// A walk of this many of the moves.
fn walk(moves: &[&str], length: usize, random: &mut Random) -> String {
    let words: Vec<&str> = (0..length).map(|_| moves[random.index(moves.len())]).collect();
    words.join(" ")
}

fn shorten(puzzle: &dyn Puzzle, state: Option<&str>, plan: &str) -> Shortened {
    puzzle.shorten(state, &[plan], &Request::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A plan of a walk costs no more afterwards, still solves the state, is no cheaper than the
/// optimum, and gains nothing a second time.
#[test]
fn walks_become_plans_that_gain_nothing_more() {
    let moves: [(&str, &[&str]); 4] = [
        ("2x2x2", &["R", "U", "F2", "R'", "U2"]),
        ("pyraminx", &["U", "L", "R'", "B", "U'"]),
        ("top-spin-8-4", &["T", "F", "T'"]),
        ("burnt-pancake-6", &["1F", "2F", "3F", "5F", "6F"]),
    ];
    let mut random = Random::new(4);
    for (name, moves) in moves {
        let puzzle = puzzle(name);
        for length in [6, 30] {
            let plan = walk(moves, length, &mut random);
            let Ok(back) = puzzle.invert(&plan) else { panic!("{name}: {plan}") };
            let state = back.join(" ");
            let shorter = shorten(&*puzzle, None, &plan);
            let text = shorter.plan.join(" ");
            let replay = puzzle.check_plan(&state, &text).expect("a plan");
            assert_eq!((replay.fault, replay.cost), (None, shorter.cost), "{name}: {plan}");
            let saved: u64 = shorter.passes.iter().map(|pass| pass.saved).sum();
            assert_eq!(shorter.cost_before - saved, shorter.cost, "{name}: {plan}");
            let least = puzzle.solve(&state, &Request::default()).expect("an answer");
            assert!(shorter.cost >= least.costs[0], "{name}: {plan}");
            assert!(shorter.complete, "{name}: {plan}");
            let again = shorten(&*puzzle, Some(&state), &text);
            assert_eq!(again.plan, shorter.plan, "{name}: {plan}");
        }
    }
}

/// Long walks lose a seventh of their moves by their order alone, as the turns of parallel layers
/// are put together.
#[test]
fn parallel_layers_are_put_together() {
    let puzzle = puzzle("5x5x5");
    let faces = ["U", "D", "L", "R", "F", "B", "Uw", "Dw", "Lw", "Rw", "Fw", "Bw"];
    let turns: Vec<String> =
        faces.iter().flat_map(|face| ["", "2", "'"].map(|turn| format!("{face}{turn}"))).collect();
    let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
    let plan = walk(&turns, 1000, &mut Random::new(1));
    let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
    let request = Request::default().limits(limits);
    // A limit that is over at once leaves the plan as it is.
    let same = puzzle.shorten(None, &[&plan], &request).expect("a plan");
    assert!(!same.complete && same.cost <= 1000);
    let all = shorten(&*puzzle, None, &plan);
    let commuting = all.passes.iter().find(|pass| pass.name == "commuting").expect("a pass");
    assert!(commuting.saved >= 140, "{commuting:?}");
    assert!(all.cost < 400, "{}", all.cost);
}

/// A plan that does not solve the state is refused with its place, and so is one that cannot be
/// read.
#[test]
fn what_solves_nothing_is_refused() {
    let cube = puzzle("3x3x3");
    let refused = |state, plan| match cube.shorten(state, &[plan], &Request::default()) {
        Err(Failure::Refused(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused(Some("R U"), "R U").contains("plan: "), "{}", refused(Some("R U"), "R U"));
    assert!(refused(None, "R X U").contains("plan"), "{}", refused(None, "R X U"));
    let shape = puzzle("square-1");
    let refused = shape.shorten(Some("S U3"), &["S U' S"], &Request::default());
    let refused = refused.expect_err("an illegal turn").to_string();
    assert!(refused.contains("plan: "), "{refused}");
    let board = puzzle("8-puzzle");
    let refused = board.shorten(None, &["L R"], &Request::default()).expect_err("no board");
    assert!(refused.to_string().contains("moves undone"), "{refused}");
    let board = shorten(&*board, Some("1 0 2 3 4 5 6 7 8"), "D U L");
    assert_eq!((board.cost, board.cost_before), (1, 3));
}

/// Two plans of one state share a state on the way. The first comes to it in few moves and goes on
/// in many, the second the other way round. The answer takes the few of both.
#[test]
fn ways_change_from_plan_to_plan() {
    let moves: [(&str, &[&str]); 4] = [
        ("2x2x2", &["R", "U", "F2", "R'", "U2"]),
        ("pyraminx", &["U", "L", "R'", "B", "U'"]),
        ("top-spin-8-4", &["T", "F", "T'"]),
        ("burnt-pancake-6", &["1F", "2F", "3F", "5F", "6F"]),
    ];
    let mut random = Random::new(6);
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let request = Request::default().limits(limits);
    for (name, moves) in moves {
        let puzzle = puzzle(name);
        let invert = |moves: &str| puzzle.invert(moves).expect("moves").join(" ");
        let [first, second, aside] = [5, 5, 9].map(|length| walk(moves, length, &mut random));
        // Goes aside, and leads to the same state as the way.
        let detour = |way: &str| {
            let state = format!("{} {aside}", invert(way));
            let answer = puzzle.solve(&state, &Request::default()).expect("an answer");
            format!("{aside} {}", answer.plans[0].join(" "))
        };
        let plans =
            [format!("{first} {}", detour(&second)), format!("{} {second}", detour(&first))];
        let state = invert(&plans[1]);
        let shorter = puzzle.shorten(None, &[&plans[0], &plans[1]], &request);
        let shorter = shorter.unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = shorter.plan.join(" ");
        let replay = puzzle.check_plan(&state, &text).expect("a plan");
        assert_eq!((replay.fault, replay.cost), (None, shorter.cost), "{name}");
        assert!(shorter.cost_before > 10 + 1, "{name}: {shorter:?}");
        let together = &shorter.passes[0];
        assert_eq!(together.name, "together", "{name}");
        assert!(shorter.cost_before - together.saved <= 10, "{name}: {shorter:?}");
        let again = puzzle.shorten(Some(&state), &[&text], &request).expect("a plan");
        assert_eq!(again.plan, shorter.plan, "{name}");
        // One plan is a plan alone.
        let names: Vec<&str> = again.passes.iter().map(|pass| pass.name).collect();
        assert_eq!(names, ["commuting", "nearby", "solve"], "{name}");
    }
}

/// The answer costs no more than the cheapest plan, wherever that stands.
#[test]
fn the_cheapest_of_several_plans_counts() {
    let board = puzzle("8-puzzle");
    for plans in [["D U L", "L", "R L L"], ["L", "L R L", "L"]] {
        let shorter = board.shorten(Some("1 0 2 3 4 5 6 7 8"), &plans, &Request::default());
        let shorter = shorter.expect("a plan");
        assert_eq!((shorter.cost, shorter.cost_before, shorter.length_before), (1, 1, 1));
    }
}

/// An error says which of several plans is wrong, and where.
#[test]
fn the_wrong_one_of_several_plans_is_named() {
    let cube = puzzle("3x3x3");
    let refused = |state, plans: &[&str]| match cube.shorten(state, plans, &Request::default()) {
        Err(Failure::Refused(error)) => {
            (error.to_string(), error.place().cloned().unwrap_or_default())
        }
        other => panic!("{other:?}"),
    };
    let (alone, place) = refused(Some("R' U'"), &["R U"]);
    assert_eq!(place.plan, None);
    let (told, place) = refused(None, &["U R", "U U' U R", "R U"]);
    assert_eq!((told, place.plan), (alone.replacen("plan", "plan 3", 1), Some(3)));
    let (told, place) = refused(Some("R U"), &["R U", "U' R'"]);
    assert!(told.starts_with("plan 1: ") && place.plan == Some(1), "{told}");
    let (told, place) = refused(None, &["R U", "R X U"]);
    assert!(told.starts_with("plan 2: ") && place.plan == Some(2), "{told}");
    assert_eq!((place.column, place.word), (Some(3), None), "{place:?}");
    assert!(refused(None, &[]).0.contains("no plan"));
}
