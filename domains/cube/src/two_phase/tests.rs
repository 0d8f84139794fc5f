//! Both phases agree with breadth-first search, and plans replay on the cube of stickers.

use super::*;
use crate::domain::Cube3;
use crate::facelets::Facelets;
use crate::reference::FaceletCube;
use pdb::testing::check_abstraction;
use search::plan::validate;
use search::random::Random;
use search::testing::Distances;
use search::{CancelToken, Domain, Limit, Observer, Outcome, Plan};
use std::sync::{LazyLock, Mutex};

const METRICS: [CubeMetric; 2] = [CubeMetric::HalfTurn, CubeMetric::QuarterTurn];

/// The tables of a metric. They are built once for all tests.
fn built(metric: CubeMetric) -> &'static TwoPhase {
    static BUILT: LazyLock<[TwoPhase; 2]> = LazyLock::new(|| {
        METRICS.map(|metric| TwoPhase::build(metric, &BuildOptions::default()).unwrap())
    });
    &BUILT[usize::from(metric == CubeMetric::QuarterTurn)]
}

/// A cube after random operators, which are given as bits.
fn turned(operators: u32, random: &mut Random) -> Cube {
    let ops: Vec<Op> = operators.members().collect();
    (0..30).fold(Cube::SOLVED, |cube, _| {
        cube.turned(ops[usize::try_from(random.below(ops.len() as u64)).unwrap()].index())
    })
}

#[test]
fn tables_are_lawful_and_have_the_known_sizes() {
    for metric in METRICS {
        let two_phase = built(metric);
        for (table, entries) in two_phase.tables().into_iter().zip(ENTRIES) {
            let histogram = table.table().histogram();
            assert_eq!((histogram.entries, histogram.unreached), (entries, 0));
        }
        let [a, b, c, ..] = two_phase.tables();
        for table in [a, b, c] {
            let (pair, read) = (table.indexer(), |entry| table.table().get(entry));
            let domain = &two_phase.domain;
            check_abstraction(domain, pair, pair, &read, &[Cube::SOLVED], 2000).unwrap();
        }
    }
    assert_eq!(TwoPhase::bytes(), 4_255_331);
}

/// The tables of phase 2 count only turns of that phase. The first counts of the corners' table are
/// known, and the greatest distance in it is 14.
#[test]
fn the_second_phase_has_its_own_distances() {
    let two_phase = built(CubeMetric::HalfTurn);
    let [.., corners, edges] = two_phase.tables();
    let counts = |table: &Table| table.table().histogram().counts;
    assert_eq!(counts(corners)[..4], [1, 10, 67, 404]);
    assert_eq!((counts(corners).len(), counts(edges).len()), (15, 13));
}

/// An operator of a phase changes a pair of coordinates as its table says.
#[test]
fn coordinates_follow_turns() {
    let mut random = Random::new(5);
    for metric in METRICS {
        let two_phase = built(metric);
        let domain = two_phase.domain;
        for (place, table) in two_phase.tables().into_iter().enumerate() {
            let operators = if place < 3 { u32::first(18) } else { inside() };
            for _ in 0..200 {
                let cube = turned(operators, &mut random);
                let at = pdb::Indexer::index(table.indexer(), &domain, &cube);
                for op in operators.members() {
                    let next = cube.turned(op.index());
                    let moved =
                        pdb::Indexer::advance(table.indexer(), &domain, &cube, at, op, &next);
                    assert_eq!(moved, pdb::Indexer::index(table.indexer(), &domain, &next));
                }
                assert!(table.table().get(pdb::Indexer::entry(table.indexer(), at)) != Cost::MAX);
            }
        }
    }
    for _ in 0..200 {
        let cube = turned(inside(), &mut random);
        assert!(in_subgroup(&cube));
        for op in (0..18).map(Op::new) {
            assert_eq!(in_subgroup(&cube.turned(op.index())), inside().contains(op));
        }
        assert!(!in_subgroup(&Cube::random(&mut random)));
    }
}

/// The estimate of phase 1 never exceeds the distance to the subgroup, and that of phase 2 never
/// exceeds the distance within it.
#[test]
fn estimates_are_never_above_the_distance() {
    for metric in METRICS {
        let two_phase = built(metric);
        let domain = two_phase.domain;
        let near = Distances::from_goals(&domain, &[Cube::SOLVED], 4);
        near.try_for_each(|cube, cost, _| {
            let first = search::Heuristic::estimate(&two_phase.first, &domain, cube);
            if first <= cost { Ok(()) } else { Err(format!("{cube:?}: {first} above {cost}")) }
        })
        .unwrap();
        let mut layer = vec![Cube::SOLVED];
        for depth in 0..4 {
            for cube in &layer {
                let second = search::Heuristic::estimate(&two_phase.second, &domain, cube);
                let dearest = if metric == CubeMetric::HalfTurn { depth } else { 2 * depth };
                assert!(second <= dearest);
            }
            let turns = |cube: Cube| inside().members().map(move |op| cube.turned(op.index()));
            layer = layer.into_iter().flat_map(turns).collect();
        }
    }
}

/// An observer that keeps the reported plans.
#[derive(Default)]
struct Notes(Mutex<Vec<(Plan, Cost)>>);

impl Observer for Notes {
    fn improved(&self, plan: &Plan, cost: Cost) {
        self.0.lock().unwrap().push((plan.clone(), cost));
    }
}

/// Solves a cube within a limit of nodes and checks the reported plans. Returns the cost of the
/// best plan, and whether the search ended before the limit.
fn solve(two_phase: &TwoPhase, cube: &Cube, nodes: u64) -> (Cost, bool) {
    let notes = Notes::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let options = Options { limits, observer: &notes, ..Options::default() };
    let report = two_phase.search(cube, &options);
    let told = notes.0.into_inner().unwrap();
    let reference = FaceletCube::new(two_phase.domain.metric());
    assert!(told.is_sorted_by(|(_, a), (_, b)| a > b));
    for (plan, cost) in &told {
        assert_eq!(validate(&reference, &Facelets::from(cube), plan), Ok(()));
        assert_eq!(plan.len(), usize::from(*cost));
    }
    let (plan, cost) = told.last().expect("a plan");
    assert_eq!(report.plan(), Some(plan));
    assert!(report.lower_bound <= *cost);
    assert_eq!(report.optimal, *cube == Cube::SOLVED);
    (*cost, report.complete)
}

/// Near the goal the search ends before its limit of nodes, with an optimal plan.
#[test]
fn near_states_are_solved_in_the_fewest_moves() {
    for (metric, limit) in [(CubeMetric::HalfTurn, 4), (CubeMetric::QuarterTurn, 5)] {
        let two_phase = built(metric);
        let domain = Cube3::new(metric);
        let near = Distances::from_goals(&domain, &[Cube::SOLVED], limit);
        let mut seen = vec![0; 8];
        let mut place = 0_u32;
        near.try_for_each(|cube, cost, _| {
            place += 1;
            if cost < 3 || place.is_multiple_of(97_u32) {
                assert_eq!(solve(two_phase, cube, u64::MAX), (cost, true), "{cube:?}");
                seen[usize::from(cost)] += 1;
            }
            Ok::<(), ()>(())
        })
        .unwrap();
        assert!(seen[..=usize::from(limit)].iter().all(|&count| count > 0), "{seen:?}");
    }
}

/// Each beginning of an optimal sequence is optimal, so its length is the distance. Up to seven
/// moves the search ends before its limit of nodes.
#[test]
fn the_upper_bound_is_never_below_the_distance() {
    for (metric, sequence) in [
        (CubeMetric::HalfTurn, "F B U2 R F2 R2 B2 U' D F U2 R' L' U B2 D R2 U B2 U"),
        (CubeMetric::QuarterTurn, "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'"),
    ] {
        let (two_phase, domain) = (built(metric), Cube3::new(metric));
        let plan = domain.plan(&crate::notation::parse_moves(sequence).unwrap());
        for moves in 0..plan.len() {
            let (mut cube, mut next) = (Cube::SOLVED, Cube::SOLVED);
            for &op in &plan[..moves] {
                domain.apply_into(&cube, op, &mut next);
                cube = next;
            }
            let (cost, complete) = if moves < 8 {
                solve(two_phase, &cube, u64::MAX)
            } else {
                // Some cubes need many nodes for their first plan.
                let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
                let options = |nodes| Options { limits: limits(nodes), ..Options::default() };
                let solves = |nodes: &u64| {
                    matches!(two_phase.search(&cube, &options(*nodes)).outcome, Outcome::Solved(_))
                };
                let nodes = (17..24).map(|power| 1 << power).find(solves).expect("a plan in time");
                solve(two_phase, &cube, nodes)
            };
            assert!(usize::from(cost) >= moves, "{moves}: {cost}");
            assert!(moves >= 8 || complete && usize::from(cost) == moves, "{moves}: {cost}");
        }
    }
}

#[test]
fn random_cubes_have_near_optimal_plans() {
    for (metric, most) in [(CubeMetric::HalfTurn, 23), (CubeMetric::QuarterTurn, 33)] {
        let (two_phase, mut random) = (built(metric), Random::new(6));
        let cubes: Vec<Cube> = (0..5).map(|_| Cube::random(&mut random)).collect();
        let run = |cube| solve(two_phase, cube, 4_000_000);
        let costs: Vec<(Cost, bool)> = cubes.iter().map(run).collect();
        assert!(costs.iter().all(|&(cost, complete)| cost <= most && !complete), "{costs:?}");
        // A second run gives the same cost: nothing depends on time.
        assert_eq!(run(&cubes[0]), costs[0]);
    }
}

#[test]
fn limits_and_cancellation_end_the_search() {
    let (two_phase, cube) = (built(CubeMetric::HalfTurn), Cube::random(&mut Random::new(7)));
    let cancel = CancelToken::cancelled();
    let cancelled =
        two_phase.search(&cube, &Options { cancel: cancel.clone(), ..Options::default() });
    assert_eq!(cancelled.outcome, Outcome::Cancelled);
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let nothing = two_phase.search(&cube, &Options { limits, ..Options::default() });
    assert_eq!(nothing.outcome, Outcome::LimitReached(Limit::Nodes));
    let build = BuildOptions { cancel: Some(&cancel), ..BuildOptions::default() };
    let error = TwoPhase::build(CubeMetric::HalfTurn, &build).expect_err("cancelled");
    assert!(matches!(error, BuildError::Cancelled));
}

/// The published form of the algorithm: both phases as short as possible, then longer phases 1.
#[test]
fn one_image_leads_to_the_optimum_of_near_states() {
    for metric in METRICS {
        let (two_phase, domain) = (built(metric), Cube3::new(metric));
        let reference = FaceletCube::new(metric);
        let near = Distances::from_goals(&domain, &[Cube::SOLVED], 4);
        let mut place = 0_u32;
        near.try_for_each(|cube, cost, _| {
            place += 1;
            if !place.is_multiple_of(101) {
                return Ok(());
            }
            let phases = two_phase.phases(cube, &Options::default());
            let plan = phases.plan.clone().expect("a plan");
            assert_eq!(validate(&reference, &Facelets::from(cube), &plan), Ok(()));
            assert_eq!(plan.len(), usize::try_from(phases.cost()).unwrap());
            assert!(phases.stages[0].lower_bound <= cost);
            let own = phases.stages[0].plan().unwrap().len();
            assert_eq!(two_phase.phase_1(cube, &plan), own, "{cube:?}");
            let upper_bound = Cost::try_from(plan.len()).ok();
            let options = Options { upper_bound, ..Options::default() };
            let better = two_phase.lengthen(cube, &options);
            let best = better.plan().map_or(plan.len(), |plan| plan.len());
            assert!(better.optimal && best == usize::from(cost), "{cube:?}");
            assert_eq!(usize::from(better.lower_bound), best);
            Ok::<(), ()>(())
        })
        .unwrap();
    }
}

/// Fowler (2002) names the lengths of Kociemba's phases: at most 12 and 18 moves. A minute later
/// the plans are within two moves of the optimum; these have a second.
#[test]
fn one_image_finds_plans_of_few_moves() {
    let (two_phase, mut random) = (built(CubeMetric::HalfTurn), Random::new(20));
    let mut firsts = 0;
    for _ in 0..10 {
        let cube = Cube::random(&mut random);
        let phases = two_phase.phases(&cube, &Options::default());
        let [first, second] = &phases.stages[..] else { panic!("two phases") };
        assert!(first.lower_bound <= 12 && second.lower_bound <= 18);
        firsts += phases.cost();
        let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
        let upper_bound = Cost::try_from(phases.cost()).ok();
        let options = Options { limits, upper_bound, ..Options::default() };
        let better = two_phase.lengthen(&cube, &options);
        let best = better.plan().map_or(phases.cost(), |plan| plan.len().try_into().unwrap());
        assert!(best <= 22, "{best}");
    }
    assert!(firsts < 280, "{firsts}");
}
