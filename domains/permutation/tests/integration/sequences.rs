//! Sequences of moves: as moves of their own, and as names that users may type.

use crate::puzzles::tws;
use fewest_permutation::{Definition, MoveMetric, MoveRef, ReadLimits};

/// The corners of a cube, with one face turn and one rotation.
const CUBE: &str = "Set C 8 1\nSolved\nEnd\nMove U\nC\n2 3 4 1 5 6 7 8\nEnd\n\
    Move x\nC\n5 1 4 8 6 2 3 7\nEnd\n";

fn operators(definition: &Definition, metric: MoveMetric) -> Vec<String> {
    let operators = definition.operators(metric).unwrap();
    operators.list.into_iter().map(|operator| operator.name).collect()
}

#[test]
fn a_sequence_is_a_move_of_its_own() {
    // Sequences may stand in any order. They may name rotations, aliases and each other.
    let text = format!("{CUBE}MoveSequence Both V U\nMoveAlias V F\nMoveSequence F x U x'\n");
    let puzzle = tws(&text);
    let made = ["U", "U2", "U'", "Both", "Both2", "Both2'", "Both'", "F", "F2", "F'"];
    assert_eq!(operators(&puzzle, MoveMetric::Turn), made);
    assert_eq!(operators(&puzzle, MoveMetric::Quarter), ["U", "U'", "Both", "Both'", "F", "F'"]);
    assert_eq!(puzzle.moves().find("Both"), Some(MoveRef::Base(2)));
    assert_eq!(puzzle.moves().find("V"), Some(MoveRef::Derived(0)));
    let same = |a: &str, b: &str| {
        assert_eq!(puzzle.parse_state(a).unwrap(), puzzle.parse_state(b).unwrap(), "{a}, {b}");
    };
    same("F", "x U x'");
    same("Both V'", "x U x' U F'");
    // The sequence is the same move as a block with its permutation.
    let block = puzzle.to_tws();
    assert!(block.contains("Move F\n") && !block.contains("Sequence"), "{block}");
    assert_eq!(tws(&block), puzzle);
    let json = puzzle.to_kpuzzle();
    assert_eq!(Definition::from_kpuzzle(&json, &ReadLimits::default()).unwrap(), puzzle);
}

#[test]
fn costs_kinds_and_rules_know_it() {
    let text = format!(
        "{CUBE}MoveSequence F x U x'\nMoveSequence y F x F\nMoveCost F 3\n\
         ForbiddenPairs\nF U\nEnd\nMoveLimits\nF* 2\nEnd\n"
    );
    let puzzle = tws(&text);
    let list = puzzle.operators(MoveMetric::Turn).unwrap();
    let costs: Vec<_> = list.list.iter().map(|one| (one.name.as_str(), one.cost)).collect();
    let known = [("U", 1), ("U2", 1), ("U'", 1), ("F", 3), ("F2", 3), ("F'", 3)];
    assert_eq!(costs, known);
    let rules = puzzle.operator_rules(&list).unwrap();
    assert_eq!((rules.forbidden.len(), rules.limits.len()), (1, 1));
    // A name of a rotation makes it one, unless the file says otherwise.
    assert!(puzzle.notes().iter().any(|note| note.text.contains("move y is a rotation")));
    let turned = tws(&format!("{text}MoveKind y turn\n"));
    assert!(operators(&turned, MoveMetric::Turn).contains(&"y".to_owned()));
}

#[test]
fn a_named_sequence_is_for_typing() {
    let puzzle = tws(&format!("{CUBE}NamedSequence F x U x'\n"));
    assert_eq!(operators(&puzzle, MoveMetric::Turn), ["U", "U2", "U'"]);
    assert_eq!(puzzle.parse_state("F").unwrap(), puzzle.parse_state("x U x'").unwrap());
    assert!(puzzle.to_tws().contains("NamedSequence F x U x'\n"));
    assert_eq!(tws(&puzzle.to_tws()), puzzle);
    // Tables depend on the operators alone.
    let own = tws(&format!("{CUBE}MoveSequence F x U x'\n"));
    assert_ne!(own.fingerprint(), puzzle.fingerprint());
    // The fingerprint is the one of releases that wrote MoveSequence for both.
    let text = puzzle.to_tws().replace("NamedSequence", "MoveSequence");
    assert_eq!(puzzle.fingerprint(), *blake3::hash(text.as_bytes()).as_bytes());
}

/// Blocks allow a power where they allow its move. They may allow a move with the same effect
/// elsewhere.
#[test]
fn blocks_tell_a_sequence_from_the_power_that_it_is() {
    let text = "Set A 6 1\nSolved\nEnd\nMove R\nA\n2 1 4 5 3 6\nEnd\nMoveSequence Q R2\n\
        MoveSequence P Q2\n";
    let all = ["R", "R2", "R3", "R2'", "R'"];
    assert_eq!(operators(&tws(text), MoveMetric::Turn), all);
    // R would tear the block apart, Q leaves it alone. P is Q'.
    let tied = tws(&format!("{text}Block\nA\n1 6\nEnd\n"));
    assert_eq!(operators(&tied, MoveMetric::Turn), [&all[..], &["Q", "Q'"]].concat());
    assert!(tied.parse_state("Q").is_ok() && tied.parse_state("R2").is_err());
}
