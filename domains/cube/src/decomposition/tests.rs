//! Plans of decompositions, replayed on the stickers.

use super::*;
use crate::patterns::PiecePattern;
use crate::{Cube3, FaceletCube, Facelets};
use search::random::Random;
use search::{Limit, Outcome, Plan, plan};
use std::sync::Mutex;

/// Replays a plan in the operators of a metric on the stickers.
fn check_plan(metric: CubeMetric, start: &Cube, plan: &Plan) {
    plan::validate(&FaceletCube::new(metric), &Facelets::from(start), plan).unwrap();
}

/// A cube after some random turns.
fn near(random: &mut Random, turns: usize) -> Cube {
    (0..turns).fold(Cube::SOLVED, |cube, _| cube.turned(random.index(18)))
}

/// The stages of a report lead from subgoal to subgoal, and the parts make the plan.
fn check_stages(martin: &Martin, start: &Cube, report: &StagedReport) {
    let (mut cube, mut path) = (*start, Plan::new());
    let metric = martin.domain.base().metric();
    let turn = |op| Cube3::new(metric).turn(op);
    for (goal, stage) in martin.subgoals().iter().zip(&report.stages) {
        let Some(plan) = stage.plan() else { break };
        cube = plan.iter().fold(cube, |cube, op| cube.turned(turn(*op)));
        assert_eq!(goal.missing(&cube), 0, "{}", goal.name());
        path.extend(plan.iter().copied());
    }
    assert_eq!(report.plan.is_some(), report.failed().is_none());
    if let Some(plan) = &report.plan {
        assert_eq!((plan, cube), (&path, Cube::SOLVED));
    }
}

#[test]
fn every_list_solves_near_cubes() {
    let mut random = Random::new(9);
    let mut solved = 0;
    let lists =
        [MartinList::Beginner, MartinList::Random(2), MartinList::Parallel, MartinList::Improved];
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        for counting in [PieceCount::Slots, PieceCount::Eighths] {
            for list in lists {
                let martin = Martin::new(metric, list, counting).cap(200_000);
                let start = near(&mut random, 3);
                let report = martin.search(&start, &Options::default());
                check_stages(&martin, &start, &report);
                let optimal =
                    report.stages.iter().all(|stage| stage.optimal || stage.plan().is_none());
                assert!(counting == PieceCount::Slots || optimal);
                let Some(plan) = &report.plan else { continue };
                check_plan(metric, &start, plan);
                assert_eq!(report.spent as usize, plan.len());
                solved += 1;
            }
        }
    }
    assert!(solved >= 8, "{solved} of 16");
}

/// Events of stages have the plans of the report, whose operators are those of the metric.
#[test]
fn observers_get_the_plans_of_stages_in_the_metric() {
    struct Stages(Mutex<Vec<Outcome>>);
    impl search::Observer for Stages {
        fn stage(&self, _: usize, report: &search::Report) {
            self.0.lock().unwrap().push(report.outcome.clone());
        }
    }
    let (moves, stages) = (crate::notation::parse_moves("R2 U").unwrap(), Stages(Mutex::default()));
    let last = MartinList::Improved.subgoals().pop().unwrap();
    let martin = Martin::with_subgoals(CubeMetric::QuarterTurn, vec![last], PieceCount::Slots);
    let options = Options { observer: &stages, ..Options::default() };
    let report = martin.search(&Cube::SOLVED.moved(&moves), &options);
    assert_eq!(
        Cube3::new(CubeMetric::QuarterTurn).plan_text(report.plan.as_ref().unwrap()),
        "U' R R"
    );
    let told = stages.0.into_inner().unwrap();
    assert!(told.iter().eq(report.stages.iter().map(|stage| &stage.outcome)), "{told:?}");
}

/// Where the count is admissible, a stage costs the least: no shorter string reaches the subgoal.
#[test]
fn an_eighth_of_the_count_finds_the_cheapest() {
    let mut random = Random::new(12);
    let martin = Martin::new(CubeMetric::HalfTurn, MartinList::Improved, PieceCount::Eighths);
    for _ in 0..6 {
        let start = near(&mut random, 20);
        let report = martin.clone().cap(300_000).search(&start, &Options::default());
        check_stages(&martin, &start, &report);
        let mut cube = start;
        for (goal, stage) in martin.subgoals().iter().zip(&report.stages) {
            let Some(plan) = stage.plan() else { break };
            let least = stage.lower_bound;
            assert_eq!(usize::from(least), plan.len());
            let mut layer = vec![cube];
            for depth in 0..least.min(4) {
                assert!(layer.iter().all(|cube| goal.missing(cube) > 0), "{depth} of {least}");
                layer = layer.iter().flat_map(|c| (0..18).map(|turn| c.turned(turn))).collect();
            }
            cube = plan.iter().fold(cube, |cube, op| cube.turned(op.index()));
        }
    }
}

#[test]
fn a_subgoal_beyond_the_cap_is_told() {
    let cube = Cube::random(&mut Random::new(1));
    for counting in [PieceCount::Slots, PieceCount::Eighths] {
        let martin = Martin::new(CubeMetric::HalfTurn, MartinList::Random(1), counting).cap(20_000);
        let report = martin.search(&cube, &Options::default());
        check_stages(&martin, &cube, &report);
        let (number, failed) = report.failed().expect("the cap is small");
        assert!(number > 2 && failed.lower_bound > 0);
        assert_eq!(failed.outcome, Outcome::LimitReached(Limit::Nodes));
    }
}

/// A macro solves what it undoes, at the cost of its turns.
#[test]
fn macros_serve_the_last_subgoal() {
    let moves = crate::notation::parse_moves("R' D' R D R' D' R D U'").unwrap();
    let start = Cube::SOLVED.moved(&moves).inverse();
    let last = MartinList::Improved.subgoals().pop().unwrap();
    let martin = Martin::with_subgoals(CubeMetric::HalfTurn, vec![last], PieceCount::Slots);
    let report = martin.search(&start, &Options::default());
    check_stages(&martin, &start, &report);
    let plan = report.plan.unwrap();
    check_plan(CubeMetric::HalfTurn, &start, &plan);
    assert_eq!(Cube3::default().plan_text(&plan), "R' D' R D R' D' R D U'");
    assert_eq!((report.spent, report.stages[0].plan().unwrap().len()), (9, 9));
}

/// The tables of the patterns are admissible, and each stage of a plan is as short as its bound.
fn check_tables(list: TableList, longest: u32) {
    let mut random = Random::new(24);
    let guided =
        TableDecomposition::build(CubeMetric::HalfTurn, list, &pdb::BuildOptions::default());
    let guided = guided.unwrap();
    for _ in 0..20 {
        let start = Cube::random(&mut random);
        let report = guided.search(&start, &Options::default());
        check_plan(CubeMetric::HalfTurn, &start, report.plan.as_ref().expect("solved"));
        assert!(report.spent < longest, "{}", report.spent);
        let mut cube = start;
        for (goal, stage) in guided.subgoals().iter().zip(&report.stages) {
            let plan = stage.plan().unwrap();
            assert!(stage.optimal && plan.len() == usize::from(stage.lower_bound));
            // No shorter string of turns reaches the subgoal, as far as it can be tried.
            let mut layer = vec![cube];
            for _ in 0..plan.len().min(4) {
                assert!(layer.iter().all(|cube| goal.missing(cube) > 0));
                layer = layer.iter().flat_map(|c| (0..18).map(|turn| c.turned(turn))).collect();
            }
            cube = plan.iter().fold(cube, |cube, op| cube.turned(op.index()));
            assert_eq!(goal.missing(&cube), 0, "{}", goal.name());
        }
    }
}

#[test]
#[ignore = "slow: builds 143 MB, 20 s"]
fn tables_guide_to_every_subgoal_of_ours() {
    check_tables(TableList::Blocks, 45);
}

#[test]
#[ignore = "slow: builds 123 MB and searches to depth 14, 60 s"]
fn tables_guide_to_every_subgoal_of_fridrich() {
    check_tables(TableList::Fridrich, 58);
}

/// No turn changes an entry by more than one, and it is 0 for oriented corners alone.
#[test]
fn the_last_layer_has_a_consistent_bound() {
    let domain = FaceTurns::new(CubeMetric::HalfTurn);
    let table = with_tables::last_layer(&domain);
    let histogram = table.histogram();
    assert_eq!(histogram.counts, [1, 12, 109, 886, 5666, 26_912, 73_300, 44_860, 1344]);
    let corners = Condition::all(Status::Oriented, 0xff);
    let oriented = Subgoal::default().augmented("corners", corners);
    let mut random = Random::new(31);
    let mut cube = Cube::SOLVED;
    let entry = |cube: &Cube| table.distance(cube).expect("every image is there");
    for _ in 0..20_000 {
        let next = cube.turned(random.index(18));
        assert!(entry(&cube).abs_diff(entry(&next)) <= 1);
        assert_eq!(entry(&next) == 0, oriented.missing(&next) == 0);
        cube = if random.index(40) == 0 { Cube::SOLVED } else { next };
    }
}

/// The pairs of Fridrich: after each subgoal at least so many are solved.
#[test]
fn fridrichs_pairs_are_counted() {
    let goals = TableList::Fridrich.subgoals();
    let names: Vec<&str> = goals.iter().map(Subgoal::name).collect();
    let expected = [
        "cross",
        "one pair",
        "two pairs",
        "three pairs",
        "four pairs",
        "last layer oriented",
        "solved",
    ];
    assert_eq!(names, expected);
    let mut random = Random::new(6);
    let mut counts = [0; 5];
    for _ in 0..4000 {
        // Out with a pair, turn the last layer, and back in. Each such triple keeps the cross.
        let mut cube = Cube::SOLVED;
        for _ in 0..random.index(9) {
            let (side, turn) = ([1, 2, 4, 5][random.index(4)], random.index(3));
            cube = cube.turned(3 * side).turned(turn).turned(3 * side + 2);
        }
        if random.index(4) == 0 {
            cube = cube.turned(random.index(18));
        }
        let solved = |slots| {
            let one = Condition::all(Status::Solved, slots);
            Subgoal::default().augmented("", one).missing(&cube) == 0
        };
        if !solved(0xf000) {
            assert!(goals.iter().all(|goal| goal.missing(&cube) > 0));
            continue;
        }
        let pairs = (0..4).filter(|pair| solved(0x1_0010 << pair)).count();
        counts[pairs] += 1;
        for (number, goal) in goals[..5].iter().enumerate() {
            assert_eq!(goal.missing(&cube) == 0, number <= pairs, "{}", goal.name());
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

/// Goals of each pattern are the patterns of cubes that meet the subgoal, at least.
#[test]
fn patterns_allow_their_subgoals() {
    let list = TableList::Blocks;
    let goals = list.subgoals();
    let mut random = Random::new(8);
    let slots = goals.iter().map(|goal| goal.missing(&Cube::SOLVED)).sum::<u8>();
    assert_eq!((slots, goals.len()), (0, 4));
    for _ in 0..2000 {
        let cube = near(&mut random, 9);
        for goal in &goals {
            let solved = (0..20).filter(|&slot| {
                let one = Condition::all(Status::Solved, 1 << slot);
                Subgoal::default().augmented("", one).missing(&cube) == 0
            });
            let solved = solved.fold(0, |all, slot| all | 1 << slot);
            // What is known decides a goal without twists in place.
            if goal.missing(&cube) == 0 {
                assert!(goal.allows(ALL_SLOTS, solved) && goal.allows(0xff, solved & 0xff));
            }
        }
    }
    let metric = CubeMetric::HalfTurn;
    let entries = TableDecomposition::tables(metric, list).into_iter().map(|table| table.entries);
    assert!(
        entries.eq(TableDecomposition::patterns(metric, list).iter().map(PiecePattern::entries))
    );
    assert_eq!(TableDecomposition::bytes(list), 142_656_768);
    assert_eq!(TableDecomposition::bytes(TableList::Fridrich), 123_258_240);
    let three = |solved| goals[2].allows(CORNER_SLOTS, solved);
    assert!(three(0xf8) && three(0xff) && three(0xe3) && !three(0xf0) && !three(0x7f));
}
