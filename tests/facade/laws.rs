//! Learned prunings on the built-in puzzles, which need several crates. Each crate checks the laws
//! of its own domain and heuristics.

use cube::cube2::{Cube2, Pocket, PocketAbstraction};
use cube::{Cube, Cube3, CubeMetric};
use fsm::{Automaton, Keep};
use search::random::Random;
use search::testing::{Distances, check_heuristic, check_plans, check_pruning};
use search::{Cost, InversePruning, NoPruning, Reversible, TwoSided, TwoSidedPruning};

const METRICS: [CubeMetric; 2] = [CubeMetric::HalfTurn, CubeMetric::QuarterTurn];

fn starts() -> Vec<Cube> {
    let mut random = Random::new(3);
    std::iter::once(Cube::SOLVED).chain((0..3).map(|_| Cube::random(&mut random))).collect()
}

/// The greatest cost up to which exact distances are computed here, for some hundred thousand
/// states.
fn reach(metric: CubeMetric) -> Cost {
    match metric {
        CubeMetric::HalfTurn => 4,
        CubeMetric::QuarterTurn => 5,
    }
}

#[test]
fn every_pruning_keeps_every_layer() {
    for metric in METRICS {
        let (domain, starts, reach) = (Cube3::new(metric), starts(), reach(metric) - 1);
        check_pruning(&domain, &NoPruning, &starts, reach).unwrap();
        check_pruning(&domain, &InversePruning, &starts, reach).unwrap();
        for keep in [Keep::OneOptimal, Keep::AllOptimal] {
            for depth in 1..=3 {
                let learned = fsm::learn(&domain, depth, keep);
                let automaton = Automaton::<u32>::new(&learned).unwrap().minimized();
                check_pruning(&domain, &automaton, &starts, reach).unwrap();
            }
        }
    }
}

/// With the automaton at the front end and its reversal at the back end, every state keeps an
/// optimal plan.
#[test]
fn both_ends_keep_a_plan() {
    for metric in METRICS {
        let domain = Cube3::new(metric);
        let learned = fsm::learn(&domain, 3, Keep::OneOptimal);
        let front = Automaton::<u32>::new(&learned).unwrap().minimized();
        let back = Automaton::reversed(&learned, |op| domain.inverse_op(op)).unwrap().minimized();
        let both = TwoSided(domain);
        let distances =
            Distances::from_goals(&both, &[both.state(&Cube::SOLVED)], reach(metric) - 1);
        check_plans(&both, &TwoSidedPruning { front: NoPruning, back: &back }, &distances).unwrap();
        check_plans(&both, &TwoSidedPruning { front, back }, &distances).unwrap();
    }
}

fn pockets() -> Vec<Pocket> {
    let mut random = Random::new(5);
    let random = std::iter::repeat_with(|| Pocket::random(&mut random).normalised());
    std::iter::once(Pocket::SOLVED).chain(random.take(3)).collect()
}

#[test]
fn walks_and_prunings_of_the_2x2x2_are_lawful() {
    for metric in METRICS {
        let (domain, whole) = (Cube2::new(metric), PocketAbstraction::new(metric));
        let distances = Distances::from_goals(&domain, &[Pocket::SOLVED], 5);
        let table = pdb::Modulo3::build(&whole, &pdb::BuildOptions::default()).unwrap();
        let walk = pdb::DescentWalk::new(&domain, whole, table).unwrap();
        check_heuristic(&domain, &walk, &distances).unwrap();
        check_pruning(&domain, &InversePruning, &pockets(), 5).unwrap();
        for keep in [Keep::OneOptimal, Keep::AllOptimal] {
            let learned = fsm::learn(&domain, 3, keep);
            let automaton = Automaton::<u32>::new(&learned).unwrap().minimized();
            check_pruning(&domain, &automaton, &pockets(), 5).unwrap();
        }
    }
}
