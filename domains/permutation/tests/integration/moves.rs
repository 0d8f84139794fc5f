//! Moves, metrics and states of small puzzles have the known orders, counts and plans.

use crate::puzzles::{EVERYTHING, POCKET, SHAPES, cube, tws};
use fewest_permutation::{
    Definition, FineDefinition, MoveMetric, MoveRef, PuzzleState, ReadLimits, Transformation,
};
use std::collections::HashSet;

fn product(definition: &Definition, moves: &str) -> Transformation {
    let turns = definition.parse_moves(moves).unwrap();
    let identity = Transformation::identity(definition.orbits());
    turns
        .iter()
        .fold(identity, |product, &turn| product.then(&definition.moves().transformation(turn)))
}

fn order(definition: &Definition, moves: &str) -> u128 {
    product(definition, moves).order().unwrap()
}

#[test]
fn orders_of_the_cube_are_known() {
    let cube = cube();
    assert_eq!(order(&cube, "R U R' U'"), 6);
    assert_eq!(order(&cube, "R U"), 105);
    assert_eq!(order(&cube, "R U2 D' B D'"), 1260);
    assert_eq!(order(&cube, "R U'"), 63);
    assert_eq!(order(&cube, "R L' "), 4);
    assert_eq!(order(&cube, "[R, [U, F]]"), order(&cube, "R [U, F] R' [F, U]"));
    assert_eq!(order(&tws(POCKET), "R U"), 15);
    assert_eq!(order(&tws(POCKET), "R U R' U'"), 6);
}

#[test]
fn the_superflip_flips_all_edges_and_nothing_else() {
    let cube = cube();
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    assert_eq!(order(&cube, superflip), 2);
    let state = cube.parse_state(superflip).unwrap();
    let solved = PuzzleState::ordered(cube.orbits());
    assert_eq!((state.pieces(0), state.pieces(1)), (solved.pieces(0), solved.pieces(1)));
    assert_eq!(state.orientation(0), [0; 8]);
    // The convention says which edges count as flipped, but here every edge changes its flip.
    assert_eq!(state.orientation(1), [1; 12]);
    for one in cube.moves().base() {
        let flip = product(&cube, superflip);
        assert_eq!(flip.then(&one.transformation), one.transformation.then(&flip));
    }
}

/// For each distance from the solved state: the number of states.
fn layers(definition: &Definition, metric: MoveMetric, depth: usize) -> Vec<usize> {
    let operators = definition.operators(metric).unwrap().list;
    let key = |state: &PuzzleState| (state.pieces(0).to_vec(), state.orientation(0).to_vec());
    let mut seen = HashSet::from([key(definition.start())]);
    let mut layer = vec![definition.start().clone()];
    let mut counts = vec![1];
    for _ in 0..depth {
        let next = layer.iter().flat_map(|state| {
            operators.iter().map(|operator| state.apply(&operator.transformation))
        });
        layer = next.filter(|state| seen.insert(key(state))).collect();
        counts.push(layer.len());
    }
    counts
}

/// The numbers are the beginnings of the well-known distributions of the 2x2x2.
#[test]
fn the_pocket_cube_has_its_counts_in_both_metrics() {
    let pocket = tws(POCKET);
    assert_eq!(layers(&pocket, MoveMetric::Turn, 6), [1, 9, 54, 321, 1847, 9992, 50136]);
    assert_eq!(layers(&pocket, MoveMetric::Quarter, 7), [1, 6, 27, 120, 534, 2256, 8969, 33058]);
}

#[test]
fn the_quarter_metric_makes_one_move_twice() {
    let cube = cube();
    let operators = cube.operators(MoveMetric::Quarter).unwrap();
    assert_eq!(operators.list.len(), 12);
    let start = cube.parse_state("R2 U").unwrap();
    let mut layer = vec![start];
    for depth in 0.. {
        if layer.iter().any(|state| cube.is_goal(state)) {
            assert_eq!(depth, 3);
            break;
        }
        assert!(depth < 3);
        let list = &operators.list;
        layer =
            layer.iter().flat_map(|s| list.iter().map(|op| s.apply(&op.transformation))).collect();
    }
}

fn names(definition: &Definition, metric: MoveMetric, list: &str) -> Vec<String> {
    let operators = definition.operators_named(metric, list).unwrap();
    operators.list.into_iter().map(|operator| operator.name).collect()
}

#[test]
fn operators_come_in_the_order_of_the_file() {
    let all = |metric| {
        let list = cube().operators(metric).unwrap().list;
        list.into_iter().map(|operator| operator.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(all(MoveMetric::Turn), "U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'");
    assert_eq!(all(MoveMetric::Quarter), "U U' R R' F F' D D' L L' B B'");
    assert_eq!(names(&cube(), MoveMetric::Turn, "R2, U"), ["R2", "U", "U2", "U'"]);
    assert_eq!(names(&cube(), MoveMetric::Quarter, "U R2"), ["U", "U'", "R2"]);
    let operators = cube().operators_named(MoveMetric::Quarter, "U R2").unwrap().list;
    assert_eq!(operators.iter().map(|operator| operator.cost).collect::<Vec<_>>(), [1, 1, 2]);
    let mut star = tws("Set A 5 1\nSolved\nEnd\nMove C\nA\n2 3 4 5 1\nEnd\nMoveCost C 7\n");
    assert_eq!(names(&star, MoveMetric::Turn, "C"), ["C", "C2", "C2'", "C'"]);
    assert_eq!(names(&star, MoveMetric::Turn, "C2"), ["C2", "C4", "C4'", "C2'"]);
    let costs = |metric| star.operators(metric).unwrap().list.iter().map(|op| op.cost).sum::<u8>();
    assert_eq!((costs(MoveMetric::Turn), costs(MoveMetric::Quarter)), (28, 14));
    star.add_derived(&[("CC", "C2")]).unwrap();
    assert_eq!(names(&star, MoveMetric::Quarter, "CC"), ["CC", "CC'"]);
}

/// The cost of a turn wins over that of its move, whichever comes first, in every format.
#[test]
fn a_turn_may_cost_more_than_its_move() {
    let text = "Set A 4 1\nSolved\nEnd\nMove C\nA\n2 3 4 1\nEnd\nMoveCost C2 3\nMoveCost C 2\n";
    let definition = tws(text);
    let again = [
        Definition::from_tws(&definition.to_tws(), &ReadLimits::default()).unwrap(),
        Definition::from_kpuzzle(&definition.to_kpuzzle(), &ReadLimits::default()).unwrap(),
    ];
    for definition in [&definition, &again[0], &again[1]] {
        let costs = |metric| {
            let list = definition.operators(metric).unwrap().list;
            list.into_iter().map(|op| (op.name, op.cost)).collect::<Vec<_>>()
        };
        let named = |all: &[(&str, u8)]| {
            all.iter().map(|(name, cost)| ((*name).to_owned(), *cost)).collect::<Vec<_>>()
        };
        assert_eq!(costs(MoveMetric::Turn), named(&[("C", 2), ("C2", 3), ("C'", 2)]));
        assert_eq!(costs(MoveMetric::Quarter), named(&[("C", 2), ("C'", 2)]));
    }
    let mut other = tws(text);
    other.set_cost("C2'", 5).unwrap();
    let list = other.operators(MoveMetric::Turn).unwrap().list;
    assert_eq!(list.iter().map(|op| op.cost).collect::<Vec<_>>(), [2, 5, 2]);
    assert_ne!(other.fingerprint(), definition.fingerprint());
    assert!(other.set_cost("C2", 0).is_err() && other.set_cost("D", 2).is_err());
}

#[test]
fn every_operator_is_read_by_its_name_and_has_its_inverse() {
    for definition in [cube(), tws(POCKET), tws(EVERYTHING), tws(SHAPES)] {
        for metric in [MoveMetric::Turn, MoveMetric::Quarter] {
            let operators = definition.operators(metric).unwrap();
            for (operator, inverse) in operators.list.iter().zip(operators.inverses()) {
                assert_eq!(product(&definition, &operator.name), operator.transformation);
                let inverse = &operators.list[inverse.unwrap()];
                assert!(operator.transformation.then(&inverse.transformation).is_identity());
                assert!(!operator.transformation.is_identity());
            }
            let kinds: HashSet<_> =
                operators.list.iter().map(|op| format!("{:?}", op.transformation)).collect();
            assert_eq!(kinds.len(), operators.list.len());
        }
    }
}

#[test]
fn what_does_the_same_is_kept_once() {
    let text = "Set A 4 1\nSolved\nEnd\nMove C\nA\n2 3 4 1\nEnd\nMove I\nA\n4 1 2 3\nEnd\nMove H\nA\n3 4 1 2\nEnd\n";
    let operators = tws(text).operators(MoveMetric::Turn).unwrap();
    let names = |operators: &fewest_permutation::Operators| {
        operators.list.iter().map(|operator| operator.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&operators), ["C", "C2", "C'"]);
    assert_eq!(operators.notes.len(), 4);
    assert_eq!(operators.notes[0], "I does the same as C' and is left out");
    // The cheaper of two operators with the same effect is kept, at the place of the first.
    let dear = tws(&format!("{text}MoveCost C 5\n"));
    let operators = dear.operators(MoveMetric::Turn).unwrap();
    assert_eq!(names(&operators), ["I'", "I2", "I"]);
    assert!(operators.list.iter().all(|operator| operator.cost == 1));
}

#[test]
fn rotations_and_what_changes_nothing_are_no_operators() {
    let only = tws("Set A 2 1\nSolved\nEnd\nMove x\nA\n2 1\nEnd\n");
    let error = only.operators(MoveMetric::Turn).unwrap_err().to_string();
    assert!(error.starts_with(
        "found rotations only, expected a move that a search can make (moves named x"
    ));
    let error = only.operators_named(MoveMetric::Turn, "x").unwrap_err().to_string();
    assert!(error.contains("found the rotation `x`"), "{error}");
    let error = cube().operators_named(MoveMetric::Turn, "U R4").unwrap_err().to_string();
    assert!(error.contains("found `R4`, which changes nothing"), "{error}");
    let error = cube().operators_named(MoveMetric::Turn, "U Q").unwrap_err().to_string();
    assert!(error.starts_with("moves, line 1, column 3: found `Q`"), "{error}");
    assert!(cube().operators_named(MoveMetric::Turn, " , ").is_err());
    assert!(cube().operators_named(MoveMetric::Quarter, "R1000001").is_err());
    let everything = tws(EVERYTHING);
    let operators = everything.operators(MoveMetric::Quarter).unwrap();
    let names: Vec<_> = operators.list.iter().map(|operator| operator.name.as_str()).collect();
    assert_eq!(names, ["A", "A'", "B", "B'", "x"]);
    assert!(
        everything.notes().iter().any(|note| note.line == 28 && note.text.starts_with("move x"))
    );
}

#[test]
fn a_move_of_vast_order_is_refused_before_it_is_powered() {
    let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43];
    let sets: String = primes.iter().map(|p| format!("Set P{p} {p} 1\n")).collect();
    let rows = primes.iter().map(|p| {
        let row: Vec<_> = (0..*p).map(|i| ((i + 1) % p + 1).to_string()).collect();
        format!("P{p}\n{}\n", row.join(" "))
    });
    let all = tws(&format!("{sets}Solved\nEnd\nMove M\n{}End\n", rows.collect::<String>()));
    let order = primes.iter().map(|&p| p as u128).product::<u128>();
    assert_eq!(all.moves().base()[0].transformation.order(), Some(order));
    let error = all.operators(MoveMetric::Turn).unwrap_err().to_string();
    assert!(error.contains(&format!("{} powers of `M`", order - 1)), "{error}");
    assert_eq!(all.operators(MoveMetric::Quarter).unwrap().list.len(), 2);
}

#[test]
fn illegal_states_and_torn_blocks_are_not_passed() {
    let shapes = tws(SHAPES);
    assert!(shapes.parse_state("/").is_ok());
    // U' would bring piece 1 into slot 2. A power is made as one turn, so U2' does not pass through
    // that state.
    let error = shapes.parse_state("/ / U'").unwrap_err().to_string();
    assert!(
        error.contains("found piece 1 in slot 2 of `RING` (counted from 1), which is illegal"),
        "{error}"
    );
    assert!(error.contains("(move 3 of them)"), "{error}");
    assert!(shapes.parse_state("U2'").is_ok());
    let text = "Set A 4 1\nSolved\nEnd\nMove C\nA\n2 3 1 4\nEnd\nMove S\nA\n1 2 4 3\nEnd\nMove W\nA\n2 1 4 3\nEnd\nBlock\nA\n1 2\nEnd\nNamedSequence Q S C\n";
    let bandaged = tws(text);
    assert!(bandaged.parse_state("C2 C S W").is_ok());
    assert!(bandaged.parse_state("C W").is_ok());
    assert!(bandaged.parse_state("Q").is_ok());
    assert_eq!(
        bandaged.parse_state("C S").unwrap_err().complaint().unwrap().to_string(),
        "found `S`, which would tear a block apart, expected a move that takes all pieces of a block or none (move 2 of them)"
    );
    for (moves, column) in [("C S", 3), ("C (C2 C S)", 9), ("[C: S]", 5)] {
        let error = bandaged.parse_state(moves).unwrap_err();
        assert_eq!(error.place(), Some((1, column)), "{moves}: {error}");
        let file = format!("ScrambleAlg\n{moves}\nEnd\n");
        let error = bandaged.scrambles(&file, &ReadLimits::default()).unwrap_err();
        assert_eq!(error.place(), Some((2, column)), "{moves}: {error}");
    }
    // A derived move is made turn by turn, also backwards.
    let error = bandaged.parse_state("C C2 Q'").unwrap_err().to_string();
    assert!(error.contains("found `S'`, which would tear a block apart"), "{error}");
}

/// A piece that only turns in place ties a block, even if no goal knows how it is turned.
#[test]
fn blocks_tie_pieces_to_one_that_turns() {
    let text = "Set A 3 1\nSet C 1 2\nSolved\nA\n1 2 3\nC\n1\n?\nEnd\n\
        Move U\nA\n2 1 3\nC\n1\n1\nEnd\nMove R\nA\n1 3 2\nEnd\nBlock\nA\n1\nC\n1\nEnd\n";
    let tied = tws(text);
    let coarse = FineDefinition::new(&tied).map(|fine| fine.coarse_definition().clone());
    let searched = coarse.as_ref().unwrap_or(&tied);
    assert!(tied.parse_state("U").is_ok() && searched.parse_state("U").is_ok());
    let loose = tws(text.split("Block").next().unwrap());
    assert!(FineDefinition::new(&loose).is_some());
}

#[test]
fn goals_are_several_and_may_ignore_slots() {
    let text = "Set A 4 2\nSolved\nEnd\nGoal\nA\n2 1 3 4\nEnd\nMove C\nA\n2 3 4 1\n1 1 0 0\nEnd\nMove S\nA\n2 1 3 4\nEnd\n";
    let two = tws(text);
    assert_eq!(two.goals().len(), 2);
    assert!(two.is_goal(&two.parse_state("S").unwrap()));
    assert!(!two.is_goal(&two.parse_state("C").unwrap()));
    let loose = tws(&format!("{text}Ignore\nA\n1 1 0 0\n1 1 1 1\nEnd\n"));
    assert!(loose.is_goal(&loose.parse_state("S").unwrap()));
    assert!(!loose.is_goal(&loose.parse_state("C").unwrap()));
    let all = tws(&format!("{text}Ignore\nA\n1 1 1 1\n1 1 1 1\nEnd\n"));
    assert!(all.is_goal(&all.parse_state("C").unwrap()));
}

#[test]
fn names_are_found_and_written() {
    let everything = tws(EVERYTHING);
    assert_eq!(everything.moves().find("A"), Some(MoveRef::Base(0)));
    assert_eq!(everything.moves().find("Later"), Some(MoveRef::Derived(1)));
    assert_eq!(everything.moves().find("a"), None);
    let turns = everything.parse_moves("A2'B(y2)2 Later'").unwrap();
    assert_eq!(everything.moves().turns_text(&turns), "A2' B (y2)2 Later'");
    let later = everything.moves().transformation_of(MoveRef::Derived(1));
    assert_eq!(*later, product(&everything, "Sooner Sooner B'"));
    let sooner = product(&everything, "A B A B A B2 A' B2' y2 y2 y2");
    assert_eq!(*everything.moves().transformation_of(MoveRef::Derived(2)), sooner);
}
