//! Plans stay plans of the same state, and never cost more.

use super::*;
use crate::Generators;
use groups::Permutation;
use search::random::Random;
use search::testing::{GapHeuristic, Pancake};
use search::{Domain, NoPruning, Op, Options, ida_star};

/// Three wheels of four points on one axle, each turned by a quarter alone or with all before it,
/// and a swap that holds them.
fn wheels() -> Generators {
    let quarter = |wheel: u16| [4 * wheel, 4 * wheel + 1, 4 * wheel + 2, 4 * wheel + 3];
    let cycles = |cycles: &[&[u16]]| Permutation::from_cycles(12, cycles).expect("cycles");
    let turns = [
        cycles(&[&quarter(0)]),
        cycles(&[&quarter(0), &quarter(1)]),
        cycles(&[&quarter(0), &quarter(1), &quarter(2)]),
        cycles(&[&[0, 4]]),
    ];
    let mut all: Vec<(Permutation, u8)> = Vec::new();
    for turn in turns {
        let mut power = turn.clone();
        while !power.is_identity() {
            all.push((power.clone(), 1));
            power = power.then(&turn);
        }
    }
    Generators::new(12, all, &|| false).expect("inverses")
}

fn product(generators: &Generators, word: &[Op]) -> Permutation {
    let identity = Permutation::identity(generators.points()).expect("few points");
    word.iter().fold(identity, |all, op| all.then(&generators.elements()[op.index()]))
}

/// A run costs what the cheapest word for it costs: three operators of one axle at most.
#[test]
fn runs_are_cheapest() {
    let generators = wheels();
    let mut random = Random::new(1);
    for length in [2, 3, 5, 8, 12, 40] {
        // The operators of the axle.
        let word: Vec<Op> = (0..length).map(|_| Op::new(random.index(9))).collect();
        let shorter = commuting_runs(&generators, &word, &|| false);
        assert_eq!(product(&generators, &shorter), product(&generators, &word));
        assert!(shorter.len() <= 3, "{word:?} {shorter:?}");
        // With swaps between, of which the last undoes the first if nothing is left between.
        let with: Vec<Op> = (0..length).map(|_| Op::new(random.index(10))).collect();
        let shorter = commuting_runs(&generators, &with, &|| false);
        assert_eq!(product(&generators, &shorter), product(&generators, &with));
        assert!(shorter.len() <= with.len());
        assert_eq!(commuting_runs(&generators, &shorter, &|| false), shorter);
    }
    let word: Vec<Op> = (0..20).map(|_| Op::new(random.index(10))).collect();
    assert_eq!(commuting_runs(&generators, &word, &|| true), word);
}

/// A walk on a small puzzle becomes an optimal plan, and an optimal plan stays as it is.
#[test]
fn walks_become_short_plans() {
    let domain = Pancake::new(7);
    let mut random = Random::new(2);
    let (mut optimal, mut all) = (0, 0);
    for length in [0, 1, 5, 20, 90] {
        let walk: Vec<Op> = (0..length).map(|_| Op::new(random.index(6))).collect();
        // The flips undo themselves, so the walk from the goal, read backwards, solves its end.
        let mut state = domain.state(&[0, 1, 2, 3, 4, 5, 6]);
        for &op in &walk {
            let from = state;
            domain.apply_into(&from, op, &mut state);
        }
        let plan: Vec<Op> = walk.iter().rev().copied().collect();
        let (shorter, _) = near_plan(&domain, &state, &plan, (10_000_000, 1 << 20), &|| false);
        let mut end = state;
        for &op in &shorter {
            let from = end;
            domain.apply_into(&from, op, &mut end);
        }
        assert!(domain.is_goal(&end));
        let report = ida_star(&domain, &GapHeuristic, &NoPruning, &state, &Options::default());
        let least = report.plan().expect("a plan").len();
        assert!(shorter.len() >= least && shorter.len() <= plan.len());
        optimal += usize::from(shorter.len() == least);
        all += 1;
        let (again, _) = near_plan(&domain, &state, &shorter, (10_000_000, 1 << 20), &|| false);
        assert_eq!(again, shorter);
        let (same, nodes) = near_plan(&domain, &state, &plan, (0, 0), &|| true);
        assert_eq!((&same[..], nodes), (&plan[..], 0));
    }
    assert_eq!(optimal, all);
}

/// Of two plans that go astray, one in its first half and one in its second, neither error is left.
/// Each makes one half by its inverse, again and again, so that only the other has its states.
#[test]
fn the_cheapest_way_among_plans_is_found() {
    let domain = Pancake::new(12);
    let mut random = Random::new(3);
    let walk = |length: usize, random: &mut Random| -> Vec<Op> {
        (0..length).map(|_| Op::new(random.index(11))).collect()
    };
    let after = |mut state, plan: &[Op]| {
        for &op in plan {
            let from = state;
            domain.apply_into(&from, op, &mut state);
        }
        state
    };
    let solved = domain.state(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    for _ in 0..20 {
        let [first, second] = [6, 6].map(|length| walk(length, &mut random));
        let long = |half: &[Op]| {
            // The flips undo themselves.
            let back: Vec<Op> = half.iter().rev().copied().collect();
            let mut word = Vec::new();
            while after(solved, &[&word[..], &back].concat()) != solved {
                word.extend(&back);
            }
            word
        };
        let mix = [&first[..], &second].concat();
        let back: Vec<Op> = mix.iter().rev().copied().collect();
        let start = after(solved, &back);
        let plans = [[&long(&first)[..], &second].concat(), [&first[..], &long(&second)].concat()];
        let (plan, _) = plan_among(&domain, &start, &plans, (100_000, 1 << 20), &|| false);
        let plan = plan.expect("a plan");
        assert!(plan.len() <= mix.len() && domain.is_goal(&after(start, &plan)));
        // A stop finds nothing.
        let none = plan_among(&domain, &start, &plans, (100_000, 1 << 20), &|| true);
        assert_eq!(none.0, None);
    }
}
