//! Definitions that are written and read again, in both formats, stay the same.

use crate::puzzles::{EVERYTHING, POCKET, SHAPES, cube, kpuzzle, stickers, tws};
use fewest_permutation::{Definition, Hint, MoveKind, ReadLimits, TextFormat};

pub(crate) fn both_ways(definition: &Definition) {
    let (lines, json) = (definition.to_tws(), definition.to_kpuzzle());
    let (from_lines, from_json) = (tws(&lines), kpuzzle(&json));
    assert_eq!(from_lines, *definition, "{lines}");
    assert_eq!(from_json, *definition, "{json}");
    assert_eq!(from_json.to_tws(), lines);
    assert_eq!(from_lines.to_kpuzzle(), json);
    assert_eq!(from_lines.fingerprint(), from_json.fingerprint());
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
}

#[test]
fn conversion_loses_nothing() {
    for definition in [tws(POCKET), tws(EVERYTHING), tws(SHAPES), cube(), tws(&stickers(3))] {
        both_ways(&definition);
    }
}

#[test]
fn extensions_are_named() {
    let plain = tws(POCKET);
    assert!(plain.kpuzzle_extensions().is_empty());
    let shapes = tws(SHAPES);
    assert_eq!(shapes.kpuzzle_extensions(), ["illegal"]);
    let everything = tws(EVERYTHING);
    assert_eq!(
        everything.kpuzzle_extensions(),
        [
            "goals",
            "illegal",
            "ignore",
            "blocks",
            "moveCosts",
            "moveKinds",
            "forbiddenPairs",
            "moveLimits"
        ]
    );
}

#[test]
fn the_fingerprint_is_of_what_is_said() {
    let other =
        POCKET.replace("# Written by hand.\n", "\r\n\r\n").replace("\n0 0 0 0 0 0 0\n", "\n");
    assert_eq!(tws(&other).fingerprint(), tws(POCKET).fingerprint());
    let cheaper = format!("{POCKET}MoveCost R 2\n");
    assert_ne!(tws(&cheaper).fingerprint(), tws(POCKET).fingerprint());
    // The fingerprint is this one in every release. Otherwise users' tables would be built anew.
    let hex: String =
        tws(POCKET).fingerprint()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, FINGERPRINT);
}

const FINGERPRINT: &str = "1ef7ae83edc587a1";

/// The two words for a move give the same move: Move has slots from 1 and orientations by piece,
/// MoveTransformation has slots from 0 and orientations by slot.
#[test]
fn both_words_for_a_move_say_the_same() {
    let head = "Set A 3 3\nSolved\nA\n1 2 3\nEnd\n";
    let by_piece = tws(&format!("{head}Move M\nA\n2 3 1\n0 1 2\nEnd\n"));
    let by_slot = tws(&format!("{head}MoveTransformation M\nA\n1 2 0\n1 2 0\nEnd\n"));
    assert_eq!(by_piece, by_slot);
    let zero =
        tws("Set A 3 3\nStartState\nA\n0 1 2\nEnd\nMoveTransformation M\nA\n1 2 0\n1 2 0\nEnd\n");
    assert_eq!(zero, by_slot);
    let json = r#"{"name":"Unnamed","orbits":[{"orbitName":"A","numPieces":3,"numOrientations":3}],
        "defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,0]}},
        "moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[1,2,0]}}}}"#;
    assert_eq!(kpuzzle(json), by_slot);
}

/// Names with a number, moves that change nothing, turns backward, and pauses.
#[test]
fn files_of_geometry_libraries_are_read() {
    let json = r#"{"name":"PG3D #54","orbits":[{"orbitName":"A","numPieces":3,"numOrientations":3}],
        "defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,0]}},
        "moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[-1,-2,0]}},
                 "N":{"A":{"permutation":[0,1,2],"orientationDelta":[0,0,0]}}},
        "derivedMoves":{"P":"."}}"#;
    let read = kpuzzle(json);
    assert_eq!((read.name(), read.moves().derived().len()), ("PG3D #54", 0));
    assert_eq!(read.moves().base()[0].transformation.delta(0), [2, 1, 0]);
    assert_eq!(read.moves().base()[1].kind, MoveKind::Rotation);
    both_ways(&read);
}

/// In a `.def` file `Ignore` only says what scrambles may leave out.
#[test]
fn older_definitions_ignore_nothing() {
    let text = format!("{POCKET}Ignore\nCORNERS\n1 1 1 1 1 1 1\n1 1 1 1 1 1 1\nEnd\n");
    let read = |form| Definition::read(text.as_bytes(), form, &ReadLimits::default()).unwrap();
    let older = read(TextFormat::Def);
    assert_eq!(older, tws(POCKET));
    assert!(older.notes().iter().any(|note| note.text.starts_with("Ignore says")));
    assert!(read(TextFormat::Tws).rules().ignore.is_some());
}

#[test]
fn files_of_other_programs_are_read() {
    // Moves keep the order of the file. Derived moves may stand for each other in any order.
    // Other keys are ignored.
    let json = r#"{"experimentalIsPatternSolved":null,"name":"TurnStyle","orbits":[{"orbitName":"DISKS","numPieces":4,"numOrientations":1}],
        "defaultPattern":{"DISKS":{"pieces":[1,2,3,3],"orientation":[0,0,0,0],"orientationMod":[0,1,0,0]}},
        "derivedMoves":{"Z":"Y Y'","Y":"[FLIP: CYCLE2] (FLIP)3"},
        "moves":{"FLIP":{"DISKS":{"permutation":[1,0,2,3],"orientationDelta":[0,0,0,0]}},
                 "CYCLE":{"DISKS":{"permutation":[3,0,1,2],"orientationDelta":[0,0,0,0]}}}}"#;
    let read = kpuzzle(json);
    // Y is a move of its own. Z changes nothing, so it is a name.
    assert_eq!(
        read.moves().base().iter().map(|one| &*one.name).collect::<Vec<_>>(),
        ["FLIP", "CYCLE", "Y"]
    );
    let y = read.parse_state("FLIP CYCLE2 FLIP' FLIP3").unwrap();
    assert_eq!(read.parse_state("Y").unwrap(), y);
    assert_eq!(read.moves().turns_text(&read.moves().derived()[0].turns), "Y Y'");
    assert!(read.moves().derived()[0].transformation.is_identity());
    assert_eq!(read.moves().base()[1].line, 5);
    assert_eq!(read.start().pieces(0), [1, 2, 3, 3]);
    both_ways(&read);
    let windows = format!("\u{feff}{}", POCKET.replace('\n', "\r\n"));
    assert_eq!(tws(&windows), tws(POCKET));
    assert_eq!(tws(&windows).moves().base()[1].line, 14);
    let with_hints = format!("{POCKET}ParallelMoves\nU D\nEnd\n");
    assert_eq!(tws(&with_hints), tws(POCKET));
    assert_eq!(tws(&with_hints).notes().len(), 1);
}

#[test]
fn a_cube_of_twenty_layers_loads() {
    let text = stickers(20);
    let large = tws(&text);
    assert_eq!(
        (large.orbits().slots(), large.orbits().len(), large.moves().base().len()),
        (2400, 100, 60)
    );
    let json = large.to_kpuzzle();
    assert_eq!(kpuzzle(&json), large);
    let operators = large.operators(fewest_permutation::MoveMetric::Turn).unwrap();
    assert_eq!(operators.list.len(), 180);
    assert_eq!(
        large.parse_state("(R1 U20' F7)3 R10-").unwrap_err().complaint().unwrap().hint,
        None
    );
}

#[test]
fn limits_are_kept_before_memory_is_taken() {
    let text = "Set A 60000 1\nSolved\nEnd\n".to_owned() + "MoveTransformation M\nEnd\n";
    let limits = ReadLimits::new(u64::MAX, 500_000);
    let error = Definition::from_tws(&text, &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "definition, line 4: found a puzzle that needs more than 660512 bytes of memory, expected at most 500000"
    );
    let json = tws(&stickers(3)).to_kpuzzle();
    let limits = ReadLimits::new(u64::MAX, 10_000);
    assert!(
        Definition::from_kpuzzle(&json, &limits)
            .unwrap_err()
            .to_string()
            .contains("bytes of memory")
    );
    let limits = ReadLimits::new(100, u64::MAX);
    for form in [TextFormat::Tws, TextFormat::KPuzzle] {
        let error = Definition::read(std::io::repeat(b'#'), form, &limits).unwrap_err();
        assert!(error.to_string().contains("more than 100 bytes"), "{error}");
    }
    assert!(Definition::from_tws(POCKET, &limits).is_err());
}

#[test]
fn hints_compare() {
    let error = Definition::from_tws("set A 1 1", &ReadLimits::default()).unwrap_err();
    assert_eq!(error.complaint().unwrap().hint, Some(Hint::DidYouMean("Set".into())));
}

/// A set may have a name that begins like a number. Its line is not taken for orientations.
#[test]
fn names_of_sets_may_begin_like_numbers() {
    let text = "Name toy\nSet 3A 3 2\nSet 9E 1 2\nSet -2 2 2\nSolved\n3A\n1 2 3\n9E\n1\n-2\n1 2\n\
                0 0\nEnd\nMove A\n3A\n2 3 1\n9E\n1\n1\n-2\n2 1\nEnd\n";
    both_ways(&tws(text));
}
