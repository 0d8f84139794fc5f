//! The solver `decomposition` of the 3x3x3: parts that lead from subgoal to subgoal, plans that are
//! replayed, and a subgoal that is out of reach.

use crate::solvers;
use cube::{Cube, Facelets, Parts, symmetry};
use fewest::{Answer, Ending, MetricChoice, Puzzle, Request, Settings, configure};
use search::Limits;
use std::collections::BTreeSet;

/// Solves a state. Replays the plan, whose parts have its length.
fn solved(cube: &dyn Puzzle, state: &str) -> Answer {
    let answer = solvers::solved(cube, state);
    solvers::lengths(&answer);
    answer
}

#[test]
#[ignore = "slow: builds 143 MB, 30 s"]
fn tables_solve_random_cubes_in_few_moves() {
    let cube = solvers::puzzle("3x3x3", "decomposition");
    let states: Vec<String> = cube.scrambler().unwrap().scrambles(3).take(5).collect();
    for state in states {
        let answer = solved(&*cube, &state);
        let names: Vec<&str> = answer.stages.iter().map(|stage| &*stage.name).collect();
        let expected = ["2x2x3 block", "two layers but a pair", "all but a cycle", "solved"];
        assert_eq!(names, expected);
        assert!(answer.plans[0].len() < 46 && !answer.optimal, "{:?}", answer.stages);
        assert_eq!(
            (usize::from(answer.lower_bound), answer.table_bytes),
            (answer.stages[0].length, 142_656_768)
        );
    }
}

#[test]
#[ignore = "slow: builds 123 MB and searches to depth 14, 60 s"]
fn fridrichs_steps_solve_random_cubes() {
    let cube = solvers::puzzle("3x3x3", "fridrich");
    let states: Vec<String> = cube.scrambler().unwrap().scrambles(5).take(5).collect();
    for state in states {
        let answer = solved(&*cube, &state);
        let names: Vec<&str> = answer.stages.iter().map(|stage| &*stage.name).collect();
        assert_eq!((names[0], names[4], names[6]), ("cross", "four pairs", "solved"));
        // Eight moves make any cross, and 14 permute any last layer.
        let lengths = [0, 6].map(|stage: usize| answer.stages[stage].length);
        assert!(lengths[0] <= 8 && lengths[1] <= 15, "{:?}", answer.stages);
        assert_eq!(answer.table_bytes, 123_258_240);
    }
}

#[test]
fn published_lists_solve_near_cubes() {
    for (list, subgoals) in [("beginner", 14), ("random", 20), ("parallel", 20), ("improved", 12)] {
        for eighth in ["", "/8"] {
            let cube = solvers::puzzle("3x3x3", &format!("decomposition:{list}{eighth}"));
            let answer = solved(&*cube, "R U");
            assert_eq!(answer.stages.len(), subgoals);
            assert!(answer.heuristic.starts_with("missing pieces"));
        }
    }
}

#[test]
fn a_subgoal_out_of_reach_is_told() {
    let cube = solvers::puzzle("3x3x3", "decomposition:parallel/8");
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let answer = cube.solve("superflip", &Request::default().limits(limits)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    let last = answer.stages.last().expect("a stage");
    assert!(last.name.ends_with(" solved not reached, at least"), "{}", last.name);
    assert!(last.length > 0 && answer.stages.len() > 1);
    for solver in ["decomposition:", "decomposition:fast", "decomposition/8"] {
        let settings = Settings::default().solver(solver);
        let error = configure("3x3x3", &settings).err().expect("no such list").to_string();
        assert!(error.contains("decomposition:improved"), "{error}");
    }
    let small = configure("3x3x3", &Settings::default().solver("decomposition").memory(1 << 26));
    let error = small.unwrap().solve("R U", &Request::default()).expect_err("too little memory");
    assert!(error.to_string().contains("the solver decomposition needs"), "{error}");
    // The table of `best` is for the optimal search alone.
    let least = Settings::default().memory(1 << 10);
    let small = configure("2x2x2", &least.clone().solver("decomposition")).expect("no table");
    assert_eq!(small.solve("R U", &Request::default()).expect("a plan").plans.len(), 1);
    let error = configure("2x2x2", &least).err().expect("too little memory").to_string();
    assert!(error.starts_with("best needs"), "{error}");
}

/// The cubes on which two corners are wrong and all else is solved, one of each class of symmetric
/// cubes. A swap of two corners alone is odd, so the corners are twisted, one each way.
fn two_corners() -> BTreeSet<String> {
    let twisted = |(a, b): (usize, usize)| {
        let mut parts = Parts::SOLVED;
        (parts.twists[a], parts.twists[b]) = (1, 2);
        Cube::from_parts(&parts).expect("a cube")
    };
    let text = |cube: &Cube| Facelets::from(cube).to_string();
    let pairs = (0..8).flat_map(|a| (0..8).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let least = |cube: Cube| {
        let images = (0..symmetry::COUNT).map(|s| symmetry::conjugate(s, &cube));
        images.map(|image| text(&image)).min().expect("48 images")
    };
    pairs.map(twisted).map(least).collect()
}

/// Martin (2016) says that the last two corners can need at least 16 moves. They need at most 13,
/// or 14 quarter turns.
#[test]
#[ignore = "slow: builds 40 MB twice, 30 s"]
fn the_last_two_corners() {
    let states = two_corners();
    assert_eq!(states.len(), 3);
    for (metric, most) in [(MetricChoice::HalfTurn, 13), (MetricChoice::QuarterTurn, 14)] {
        let settings = Settings::default().metric(metric).memory(64 << 20).tables(crate::tables());
        let cube = configure("3x3x3", &settings).expect("the cube");
        let lengths: Vec<usize> = states
            .iter()
            .map(|state| {
                let answer = cube.solve(state, &Request::default()).expect("a state");
                assert!(answer.optimal);
                answer.plans[0].len()
            })
            .collect();
        assert_eq!(lengths.iter().max(), Some(&most), "{lengths:?}");
    }
}
