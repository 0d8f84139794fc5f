//! Coset tables agree with breadth-first searches over whole groups, and the cube gets the expected
//! tables.

use super::pattern::stabilizer;
use super::{CosetCandidates, CosetPattern, SlotViews, candidates, colourings};
use crate::MoveMetric;
use crate::puzzle::{GroupElement, GroupPuzzle};
use crate::testing::{group, read};
use pdb::coset::{Cosets, SymmetryReduced, Views};
use pdb::table::StripeTable;
use pdb::{Abstraction, BuildOptions, PackedTable, build};
use search::random::Random;
use search::{
    CancelToken, Domain, Group, NoPruning, Op, OpSet, Options, Symmetric, TwoSided, Zero, ida_star,
    ida_star_parallel,
};
use std::collections::HashMap;

type Small = GroupPuzzle<32, u32>;

fn found(puzzle: &Small, memory: u64, branching: f64) -> CosetCandidates {
    candidates(puzzle.group(), memory, branching, &CancelToken::new()).unwrap().unwrap()
}

/// All states of a small group with their distances.
fn all(puzzle: &Small) -> Vec<(GroupElement<32>, u8)> {
    let mut known = HashMap::from([(puzzle.identity(), 0_u8)]);
    let mut order = vec![puzzle.identity()];
    let mut at = 0;
    while at < order.len() {
        let (state, mut next) = (order[at], order[at]);
        at += 1;
        let distance = known[&state];
        for op in (0..puzzle.operators()).map(Op::new) {
            puzzle.apply_into(&state, op, &mut next);
            known.entry(next).or_insert_with(|| {
                order.push(next);
                distance + 1
            });
        }
    }
    order.into_iter().map(|state| (state, known[&state])).collect()
}

fn entry(
    views: &SlotViews<32>,
    reduced: &SymmetryReduced<CosetPattern>,
    view: usize,
    state: &GroupElement<32>,
) -> u64 {
    let (row, column) = Cosets::<Small>::locate(views, view, state);
    u64::from(row) * reduced.columns() as u64 + u64::from(column)
}

/// Checks that each entry is the least distance of the states that have it. Checks that each view
/// equals the first view of a conjugated state.
fn exact(
    puzzle: &Small,
    states: &[(GroupElement<32>, u8)],
    reduced: &SymmetryReduced<CosetPattern>,
    table: &PackedTable,
) {
    let views = SlotViews::new(puzzle, reduced).unwrap();
    let mut least = HashMap::new();
    for (state, distance) in states {
        let least = least.entry(entry(&views, reduced, 0, state)).or_insert(*distance);
        *least = (*least).min(*distance);
    }
    // A symmetric class has several entries for one state, of which one is read.
    for (&entry, &distance) in &least {
        assert_eq!(table.get(entry), distance, "entry {entry}");
    }
    let sides = super::views::sides(puzzle.group(), reduced.product());
    assert_eq!(sides.len(), Cosets::<Small>::views(&views));
    let mut image = puzzle.identity();
    for (state, _) in states.iter().step_by(97) {
        for (view, &side) in sides.iter().enumerate() {
            puzzle.conjugate(side, state, &mut image);
            let seen = [entry(&views, reduced, view, state), entry(&views, reduced, 0, &image)];
            assert_eq!(table.get(seen[0]), table.get(seen[1]));
        }
    }
}

#[test]
fn tables_are_those_of_breadth_first_search_over_all_states() {
    for (file, metric, states) in [
        ("skewb-diamond", MoveMetric::Turn, 138_240),
        ("3x3x3-squares", MoveMetric::Turn, 663_552),
        ("2x2x3", MoveMetric::Quarter, 241_920),
    ] {
        let puzzle: Small = group(file, metric);
        let all = all(&puzzle);
        assert_eq!(all.len(), states, "{file}");
        let found = found(&puzzle, 1 << 20, 5.0);
        assert!(!found.list.is_empty(), "{file}");
        for candidate in &found.list {
            let reduced = SymmetryReduced::new(found.pattern(puzzle.group(), candidate));
            let table = build::<4>(&reduced, &BuildOptions::default()).unwrap();
            exact(&puzzle, &all, &reduced, &table);
        }
    }
}

/// Checks that searches with coset tables find plans of the same length as searches without a
/// heuristic, for random sequences of operators.
fn lengths_are_equal<const N: usize, O: OpSet>(
    puzzle: &GroupPuzzle<N, O>,
    views: &Views<GroupPuzzle<N, O>, SlotViews<N>>,
    states: usize,
    operators: usize,
    random: &mut Random,
) {
    let domain = TwoSided(puzzle.clone());
    for _ in 0..states {
        let (mut state, mut next) = (puzzle.identity(), puzzle.identity());
        for _ in 0..operators {
            let op = random.below(puzzle.operators() as u64);
            puzzle.apply_into(&state, Op::new(usize::try_from(op).unwrap()), &mut next);
            state = next;
        }
        let options = Options::default();
        let blind = ida_star(puzzle, &Zero, &NoPruning, &state, &options);
        let seen = ida_star_parallel(&domain, views, &NoPruning, &domain.state(&state), &options);
        assert_eq!(seen.lower_bound, blind.lower_bound);
        assert_eq!(seen.plan().map(|plan| plan.len()), blind.plan().map(|plan| plan.len()));
    }
}

#[test]
fn lengths_are_those_of_blind_search() {
    let puzzle: Small = group("3x3x3", MoveMetric::Turn);
    let found = found(&puzzle, 200_000, 13.35);
    let mut random = Random::new(11);
    for candidate in found.list.iter().filter(|candidate| candidate.views == 3) {
        let reduced = SymmetryReduced::new(found.pattern(puzzle.group(), candidate));
        let table = StripeTable::build(&reduced, 3, &BuildOptions::default()).unwrap();
        let views = SlotViews::new(&puzzle, &reduced).unwrap();
        let views = Views::new(&puzzle, views, table).unwrap();
        lengths_are_equal(&puzzle, &views, 6, 4, &mut random);
    }
}

fn with_cosets(found: &CosetCandidates, cosets: u64) -> &super::CosetCandidate {
    found.list.iter().find(|one| one.cosets == cosets).unwrap()
}

/// The best candidates of the cube are the two-phase cosets, though the program does not know them.
#[test]
fn the_cosets_of_two_phases_come_out_of_the_cubes_file() {
    let puzzle: Small = group("3x3x3", MoveMetric::Turn);
    let found = found(&puzzle, 4 << 30, 13.35);
    for (cosets, symmetries, rows) in [
        (495 * 256 * 2187, 16, 8222),
        (495 * 2048 * 2187, 16, 64_430),
        (495 * 256 * 2187 * 70, 16, 8222 * 70),
        (495 * 2048 * 2187 * 70, 16, 64_430 * 70),
    ] {
        let candidate = with_cosets(&found, cosets);
        assert_eq!((candidate.symmetries, candidate.views), (symmetries, 3));
        let reduced = SymmetryReduced::new(found.pattern(puzzle.group(), candidate));
        assert_eq!((reduced.rows(), reduced.columns()), (rows, 2187));
    }
}

/// Without reduction by symmetries, the numbers of cosets at each distance are those published for
/// g1.
#[test]
#[ignore = "slow: builds 70 MB, 10 s"]
fn the_histogram_of_g1_is_the_known_one() {
    let puzzle: Small = group("3x3x3", MoveMetric::Turn);
    let found = found(&puzzle, 4 << 30, 13.35);
    let reduced =
        SymmetryReduced::new(found.pattern(puzzle.group(), with_cosets(&found, 495 * 2048 * 2187)));
    let table = build::<4>(&reduced, &BuildOptions::default()).unwrap();
    let mut counts = [0_u64; 13];
    for (row, size) in (0..).zip(reduced.class_sizes()) {
        for column in 0..2187 {
            counts[usize::from(table.get(row * 2187 + column))] += u64::from(size);
        }
    }
    let known = [
        1,
        4,
        50,
        592,
        7156,
        87_236,
        1_043_817,
        12_070_278,
        124_946_368,
        821_605_960,
        1_199_128_738,
        58_202_444,
        476,
    ];
    assert_eq!(counts, known);
}

/// Two rings whose pieces always move alike, so that exchanging the rings has no effect on the
/// operators. The symmetries that keep a colouring still form a group, and its tables are right.
#[test]
fn symmetries_that_are_known_only_up_to_what_does_nothing_are_a_group() {
    let source = include_str!("../../../tests/puzzles/twin-rings.tws");
    let definition = read(source);
    let operators = definition.operators(MoveMetric::Turn).unwrap();
    let puzzle = GroupPuzzle::<32, u64>::new(&definition, operators.clone()).unwrap();
    assert_eq!(puzzle.symmetries(), 8);
    let all = colourings(puzzle.group(), 1 << 22, &CancelToken::new()).unwrap().unwrap();
    for one in &all {
        let kept = stabilizer(puzzle.group(), std::iter::once(one));
        let image = |symmetry: usize| {
            let ops = (0..puzzle.operators()).map(Op::new);
            ops.map(|op| puzzle.relabel(symmetry, op)).collect::<Vec<Op>>()
        };
        let images: Vec<Vec<Op>> = kept.iter().map(|&symmetry| image(symmetry)).collect();
        for a in &images {
            for b in &images {
                let both: Vec<Op> = a.iter().map(|op| b[op.index()]).collect();
                assert!(images.contains(&both), "{kept:?} of {:?}", one.0);
            }
        }
    }
    let candidates =
        candidates(puzzle.group(), 14 << 20, 20.0, &CancelToken::new()).unwrap().unwrap();
    let mut random = Random::new(3);
    for candidate in &candidates.list {
        assert!(8 % candidate.symmetries == 0, "{candidate:?}");
        if candidate.cosets > 1 << 24 {
            continue;
        }
        let reduced = SymmetryReduced::new(candidates.pattern(puzzle.group(), candidate));
        let real = StripeTable::bytes_for(reduced.rows(), reduced.columns());
        assert!(real <= candidate.memory(), "{real}: {candidate:?}");
        let table = StripeTable::build(&reduced, 3, &BuildOptions::default()).unwrap();
        let views = Views::new(&puzzle, SlotViews::new(&puzzle, &reduced).unwrap(), table).unwrap();
        lengths_are_equal(&puzzle, &views, 20, 3, &mut random);
    }
}

/// Files of older releases hold entries in this order. If it changes, the old files must be
/// refused: then add a version of the numbering to [`CosetPattern::description`].
#[test]
fn the_numbering_of_entries_stays() {
    let puzzle: Small = group("2x2x3", MoveMetric::Quarter);
    let found = found(&puzzle, 1 << 16, 5.0);
    let mut hasher = blake3::Hasher::new();
    for candidate in &found.list {
        let pattern = found.pattern(puzzle.group(), candidate);
        hasher.update(&pattern.fingerprint());
        let table = build::<4>(&SymmetryReduced::new(pattern), &BuildOptions::default()).unwrap();
        hasher.update(table.bytes());
    }
    assert!(!found.list.is_empty());
    assert_eq!(hasher.finalize().to_hex()[..16], *"0a79fec083f8e946");
}
