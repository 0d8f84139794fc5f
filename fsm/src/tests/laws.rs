//! Laws of the automata: pruning changes no distance and keeps the plans that it promises.
//! Minimisation keeps the language.

use super::toys::{Beads, Board, Grid, Ring};
use super::{automaton, distances, learned, optimal_plans, successor};
use crate::{
    Automaton, ForbiddenStrings, Keep, LearnError, branching_factor, learn_twins, learn_until,
    sequence_counts,
};
use search::testing::Pancake;
use search::{
    CancelToken, Contexts, Group, InversePruning, NoPruning, Op, OpSet, Packed, Pruning, Reversible,
};
use std::collections::BTreeSet;

const KEEPS: [Keep; 3] = [Keep::OneOptimal, Keep::AllOptimal, Keep::AllOrders];

/// Checks that every state has the same distance from each start with and without the automaton.
fn check_distances<D: Contexts + Packed>(domain: &D, starts: &[D::State], depth: usize) {
    check_distances_up_to(domain, starts, depth, u32::MAX);
}

fn check_distances_up_to<D: Contexts + Packed>(
    domain: &D,
    starts: &[D::State],
    depth: usize,
    limit: u32,
) {
    for keep in KEEPS {
        let automaton = automaton(domain, depth, keep);
        for start in starts {
            assert_eq!(
                distances(domain, &automaton, start, limit),
                distances(domain, &NoPruning, start, limit),
                "{keep:?} from {start:?}"
            );
        }
    }
}

/// Checks that the automata keep the optimal plans of every state as [`Keep`] promises: the
/// smallest one, or all of them. For domains in which no operators commute.
fn check_all_plans<D: Contexts + Packed>(domain: &D, start: &D::State, depth: usize) {
    let all = automaton(domain, depth, Keep::AllOptimal);
    let one = automaton(domain, depth, Keep::OneOptimal);
    let mut state = start.clone();
    for key in distances(domain, &NoPruning, start, u32::MAX).into_keys() {
        domain.unpack(key, &mut state);
        let plans = optimal_plans(domain, start, &state);
        assert!(plans.iter().all(|plan| all.accepts(plan)), "{start:?} to {state:?}");
        assert!(one.accepts(&plans[0]), "the smallest plan survives, {start:?} to {state:?}");
    }
}

#[test]
fn pancakes_keep_their_distances() {
    let domain = Pancake::new(6);
    let starts = [domain.identity(), domain.state(&[3, 1, 5, 0, 2, 4])];
    for depth in [0, 1, 2, 4, 6] {
        check_distances(&domain, &starts, depth);
    }
    check_all_plans(&Pancake::new(5), &Pancake::new(5).identity(), 5);
}

#[test]
fn walls_keep_their_distances() {
    let domain = Board::new(2, 3);
    let starts: Vec<_> = (0..6).map(|hole| domain.representative(hole)).collect();
    for depth in [2, 7, 12, 14] {
        check_distances(&domain, &starts, depth);
    }
    check_distances(&Board::new(1, 5), &[Board::new(1, 5).representative(2)], 4);
}

#[test]
fn walls_keep_all_plans() {
    check_all_plans(&Board::new(2, 3), &Board::new(2, 3).representative(1), 13);
}

#[test]
fn larger_walls_keep_their_distances() {
    let domain = Board::new(3, 3);
    let starts = [0, 1, 4].map(|hole| domain.representative(hole));
    check_distances_up_to(&domain, &starts, 14, 16);
}

#[test]
fn prices_keep_their_distances() {
    // Two steps of 1 (cost 1 each) are cheaper than one of 2 (cost 4). Five steps of 1 cost as much
    // as one of 5. The step of 3 does not apply at place 0.
    let steps = &[(2, 4, false), (1, 1, false), (5, 5, false), (3, 2, true), (36, 1, false)];
    let ring = Ring { places: 37, steps };
    for depth in 1..6 {
        check_distances(&ring, &[0, 1, 36], depth);
    }
    let forbidden = learned(&ring, 2, Keep::OneOptimal);
    assert!(forbidden.strings().any(|string| string == [Op(0)]), "2 is dearer than 1 1");
    assert!(forbidden.costs() == [4, 1, 5, 2, 1]);
}

#[test]
fn commuting_neighbours_are_listed_once() {
    // The number of classes of reduced words of the longest permutation, under swaps of commuting
    // neighbours: OEIS A006245.
    for (beads, plans, classes) in [(3, 2, 2), (4, 16, 8), (5, 768, 62)] {
        let domain = Beads::in_a_row(beads);
        let longest = beads * (beads - 1) / 2;
        let mut reversed = domain.representative(0);
        reversed[..beads].reverse();
        let all = optimal_plans(&domain, &domain.representative(0), &reversed);
        assert_eq!(all.len(), plans);
        let listed = |keep| {
            let automaton = automaton(&domain, longest, keep);
            all.iter().filter(|plan| automaton.accepts(plan)).count()
        };
        assert_eq!(listed(Keep::AllOptimal), classes);
        assert_eq!(listed(Keep::OneOptimal), 1);
        check_distances(&domain, &[domain.representative(0)], longest - 1);
    }
}

#[test]
fn depth_two_knows_the_inverses() {
    let domain = Board::new(3, 3);
    let inverses: Vec<Op> = (0..4).map(|op| domain.inverse_op(Op(op))).collect();
    for keep in KEEPS {
        let learned = learned(&domain, 2, keep);
        let strings: BTreeSet<Vec<Op>> = learned.strings().map(<[Op]>::to_vec).collect();
        assert_eq!(strings, (0..4).map(|op| vec![Op(op), inverses[usize::from(op)]]).collect());
    }
    // The learned automaton accepts the same strings as the hand-written pruning of inverses.
    let domain = Pancake::new(6);
    let (learned, by_hand) = (automaton(&domain, 2, Keep::OneOptimal), InversePruning);
    for ops in (0..125_u16).map(|n| [n / 25, n / 5 % 5, n % 5].map(Op)) {
        let let_through = ops.iter().try_fold(None, |at, &op| {
            by_hand.allowed(&domain, at).contains(op).then(|| by_hand.next(&domain, at, op))
        });
        assert_eq!(learned.accepts(&ops), let_through.is_some(), "{ops:?}");
    }
}

/// The example of Taylor and Korf: strings of two operators suffice to leave one path to each point
/// of the grid.
#[test]
fn the_grid_has_one_path_to_each_point() {
    let automaton = automaton(&Grid, 2, Keep::OneOptimal);
    assert_eq!(automaton.states(), 5);
    let counts = sequence_counts(&Grid, &automaton, 0, 20);
    let mut nodes = 0;
    for (depth, count) in (0_u128..).zip(counts) {
        nodes += count;
        assert_eq!(nodes, 2 * depth * depth + 2 * depth + 1);
    }
    assert!((branching_factor(&Grid, &automaton) - 1.0).abs() < 1e-9);
    // All operators commute with each other or are inverses. So one path to each point survives,
    // also if all optimal plans are kept up to swaps.
    assert_eq!(self::automaton(&Grid, 2, Keep::AllOptimal), automaton);
    let none = ForbiddenStrings::from_strings(&[1; 4], 0, Keep::OneOptimal, []).unwrap();
    let none: Automaton<u32> = Automaton::new(&none).unwrap();
    assert_eq!(branching_factor(&Grid, &none), 4.0);
    let counts = sequence_counts(&Grid, &none, 0, 70);
    assert_eq!((counts.len(), counts[63]), (64, 1 << 126), "4^64 passes 128 bits");
}

/// Checks that two automata accept the same strings of up to `length` operators.
fn check_same_language(a: &Automaton<u32>, b: &Automaton<u32>, length: usize) {
    let mut layer = vec![(a.start_state(), b.start_state())];
    for _ in 0..length {
        let mut next = Vec::new();
        for &(at_a, at_b) in &layer {
            for op in (0..a.operators()).map(Op::new) {
                let (to_a, to_b) = (a.step(at_a, op), b.step(at_b, op));
                assert_eq!(to_a.is_some(), to_b.is_some());
                next.extend(to_a.zip(to_b));
            }
        }
        layer = next;
    }
}

#[test]
fn minimisation_keeps_the_language() {
    for depth in [2, 4, 6] {
        let automaton = automaton(&Pancake::new(7), depth, Keep::OneOptimal);
        let minimized = automaton.minimized();
        assert!(minimized.states() <= automaton.states());
        check_same_language(&automaton, &minimized, 7);
    }
}

#[test]
fn minimised_automata_of_one_language_are_isomorphic() {
    let learned = learned(&Board::new(2, 3), 10, Keep::OneOptimal);
    let automaton: Automaton<u32> = Automaton::new(&learned).unwrap();
    // The other automaton is made from more strings in another order. The additional ones contain
    // forbidden strings.
    let longer: Vec<Vec<Op>> =
        learned.strings().map(|string| [string, &[Op(3)]].concat()).collect();
    let strings = longer.iter().map(Vec::as_slice).chain(learned.strings());
    let other = ForbiddenStrings::from_strings(&[1; 4], 11, Keep::OneOptimal, strings).unwrap();
    let other: Automaton<u32> = Automaton::new(&other).unwrap();
    let (automaton, other) = (automaton.minimized(), other.minimized());
    assert!(is_isomorphic(&automaton, &other));
    assert_eq!(automaton, other);
}

/// Whether a renumbering of states turns one automaton into the other, by general graph matching:
/// an oracle for `==`, which compares canonical numberings.
fn is_isomorphic(one: &Automaton<u32>, other: &Automaton<u32>) -> bool {
    petgraph::algo::is_isomorphic_matching(
        &one.graph(),
        &other.graph(),
        |a, b| (a.index() == 0) == (b.index() == 0),
        |a, b| a == b,
    )
}

#[test]
fn automata_of_two_languages_are_not_isomorphic() {
    let of = |string: &[Op]| -> Automaton<u32> {
        let strings = ForbiddenStrings::from_strings(&[1; 2], 3, Keep::OneOptimal, [string]);
        Automaton::new(&strings.unwrap()).unwrap()
    };
    let (ab, ba) = (of(&[Op(0), Op(1)]), of(&[Op(1), Op(0)]));
    assert!(is_isomorphic(&ab, &ab) && !is_isomorphic(&ab, &ba));
    assert_ne!(ab, ba);
}

#[test]
fn stored_automata_come_back() {
    let automaton = automaton(&Board::new(3, 3), 12, Keep::OneOptimal);
    let text = serde_json::to_string(&automaton).unwrap();
    assert_eq!(serde_json::from_str::<Automaton<u32>>(&text).unwrap(), automaton);
}

#[test]
fn a_cancelled_learner_stops() {
    let cancel = CancelToken::cancelled();
    let found = learn_until(&Grid, 30, Keep::OneOptimal, &cancel, usize::MAX);
    assert_eq!(found, Err(LearnError::Cancelled));
}

/// With little memory the learner finds the same strings as with enough, or it refuses.
#[test]
fn a_learner_with_little_memory_says_so() {
    let (domain, cancel) = (Pancake::new(8), CancelToken::new());
    let learn = |bytes| learn_until(&domain, 5, Keep::OneOptimal, &cancel, bytes);
    let whole = learn(usize::MAX).unwrap();
    assert_eq!(learn(1 << 24), Ok(whole));
    for limit in [0, 1 << 12, 1 << 17] {
        let error = learn(limit).unwrap_err();
        assert!(matches!(error, LearnError::Memory { depth: 5, length: 1..=5, .. }), "{error}");
        assert!(error.to_string().contains(&format!("more than {limit} bytes")), "{error}");
    }
}

/// Checks that each forbidden string comes with a smaller one that covers it.
fn check_twins<D: Contexts + Packed>(domain: &D, depth: usize) {
    let twins = learn_twins(domain, depth, &CancelToken::new(), usize::MAX).unwrap();
    let forbidden = learned(domain, depth, Keep::OneOptimal);
    assert!(twins.iter().map(|(string, _)| &string[..]).eq(forbidden.strings()));
    assert!(!twins.is_empty());
    let size = |string: &[Op]| {
        let cost: u32 = string.iter().map(|&op| u32::from(domain.cost(op))).sum();
        (cost, string.len(), string.to_vec())
    };
    let end = |string: &[Op], context: usize| {
        let mut start = Some(domain.representative(context));
        for &op in string {
            start = start.and_then(|state| successor(domain, &state, op));
        }
        start.map(|state| domain.pack(&state))
    };
    for (string, twin) in &twins {
        assert!(size(twin) < size(string), "{string:?} and {twin:?}");
        for context in 0..domain.contexts() {
            let wanted = end(string, context);
            assert!(wanted.is_none() || wanted == end(twin, context), "{string:?} and {twin:?}");
        }
    }
}

#[test]
fn each_forbidden_string_has_a_twin() {
    check_twins(&Pancake::new(5), 5);
    check_twins(&Board::new(2, 3), 12);
    check_twins(&Beads::in_a_row(4), 5);
    let steps = &[(2, 4, false), (1, 1, false), (5, 5, false), (3, 2, true), (36, 1, false)];
    check_twins(&Ring { places: 37, steps }, 5);
}
