//! Small files with every construct that other programs write, each with the number of states
//! after 0 to 3 moves.
//!
//! The numbers come from a slow program that shares no code with this crate. It reads the JSON and
//! writes the sequences out. It counts every power of every move that is no rotation.

use crate::convert::both_ways;
use crate::puzzles::{kpuzzle, tws};
use fewest_permutation::{Definition, MoveMetric, PuzzleState};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

const KPUZZLE: [(&str, [usize; 4]); 39] = [
    ("any-order", [1, 12, 88, 420]),
    ("both-derived-moves", [1, 6, 9, 0]),
    ("changes-nothing", [1, 6, 9, 0]),
    ("commutator", [1, 7, 30, 60]),
    ("conjugate", [1, 6, 9, 0]),
    ("dials", [1, 33, 110, 0]),
    ("escapes-and-line-ends", [1, 3, 0, 0]),
    ("faces-by-rotations", [1, 18, 243, 2646]),
    ("groupings", [1, 9, 45, 216]),
    ("half-rotation", [1, 4, 3, 0]),
    ("identical-pieces", [1, 5, 12, 30]),
    ("in-both", [1, 6, 9, 0]),
    ("keys-in-any-order", [1, 3, 0, 0]),
    ("known-in-some-slots", [1, 22, 159, 1262]),
    ("layer-names", [1, 8, 7, 0]),
    ("missing-orbits", [1, 6, 18, 45]),
    ("move-of-missing-orbits", [1, 3, 0, 0]),
    ("names-within-names", [1, 15, 38, 90]),
    ("nested-groupings", [1, 17, 84, 714]),
    ("null-values", [1, 6, 10, 30]),
    ("older-derived-moves", [1, 6, 9, 0]),
    ("older-orbits", [1, 5, 14, 43]),
    ("oldest-keys", [1, 4, 8, 16]),
    ("orbits-left-out", [1, 10, 40, 78]),
    ("orientation-modulo", [1, 10, 45, 150]),
    ("orientation-unknown", [1, 3, 4, 6]),
    ("other-names", [1, 3, 0, 0]),
    ("pattern-of-missing-orbits", [1, 3, 0, 0]),
    ("primed-name", [1, 9, 54, 297]),
    ("product-with-rotations", [1, 6, 9, 0]),
    ("rotations", [1, 3, 0, 0]),
    ("schema", [1, 3, 0, 0]),
    ("slash", [1, 7, 21, 58]),
    ("slashes-and-brackets", [1, 6, 5, 0]),
    ("start-not-in-order", [1, 4, 8, 16]),
    ("typographic-primes", [1, 9, 45, 198]),
    ("unknown-keys", [1, 3, 0, 0]),
    ("unknown-keys-inside", [1, 3, 0, 0]),
    ("wide", [1, 14, 66, 462]),
];

/// Definitions of lines and words. The slow program writes out the sequences here, too.
const TWS: [(&str, [usize; 4]); 43] = [
    ("aliases", [1, 3, 2, 0]),
    ("all-orientations-unknown", [1, 4, 6, 1]),
    ("blocks", [1, 2, 1, 0]),
    ("both-words-for-moves", [1, 7, 20, 64]),
    ("byte-order-mark", [1, 2, 0, 0]),
    ("comments-and-empty-lines", [1, 3, 2, 0]),
    ("forbidden-groups", [1, 2, 1, 0]),
    ("forbidden-pairs", [1, 3, 2, 0]),
    ("hints-of-other-programs", [1, 3, 2, 0]),
    ("identical-pieces", [1, 4, 2, 3]),
    ("identical-with-gaps", [1, 3, 3, 5]),
    ("ignored-slots", [1, 8, 13, 24]),
    ("illegal-in-several-slots", [1, 2, 3, 2]),
    ("illegal-pieces", [1, 2, 1, 0]),
    ("move-costs", [1, 3, 2, 0]),
    ("move-kinds", [1, 3, 2, 0]),
    ("move-limits", [1, 3, 2, 0]),
    ("move-transformation", [1, 3, 4, 6]),
    ("name-with-blanks", [1, 3, 2, 0]),
    ("named-sequences", [1, 3, 2, 0]),
    ("names-near-rotations", [1, 4, 6, 10]),
    ("names-of-all-kinds", [1, 6, 13, 4]),
    ("no-line-end", [1, 2, 0, 0]),
    ("no-name", [1, 1, 0, 0]),
    ("old-line-ends", [1, 1, 0, 0]),
    ("one-piece", [1, 4, 0, 0]),
    ("orientations-by-piece", [1, 12, 59, 94]),
    ("partly-known-orientations", [1, 11, 0, 0]),
    ("plain", [1, 3, 2, 0]),
    ("powers-by-name", [1, 3, 2, 0]),
    ("rotations-by-name", [1, 1, 0, 0]),
    ("sequence-with-rotation", [1, 2, 1, 0]),
    ("sequences", [1, 9, 8, 0]),
    ("sequences-in-any-order", [1, 9, 13, 1]),
    ("sets-in-any-order", [1, 5, 0, 0]),
    ("sets-left-out-of-moves", [1, 12, 11, 0]),
    ("sets-left-out-of-solved", [1, 11, 0, 0]),
    ("several-goals", [1, 3, 2, 0]),
    ("solved-not-in-order", [1, 4, 6, 12]),
    ("start-state", [1, 8, 13, 24]),
    ("tabs-and-blanks", [1, 2, 0, 0]),
    ("unknown-orientations", [1, 13, 10, 0]),
    ("windows-line-ends", [1, 2, 0, 0]),
];

/// The files of a folder by name.
fn files(folder: &str) -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let file = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (entry.path().file_stem().unwrap().to_str().unwrap().to_owned(), text)
    };
    std::fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap())).collect()
}

/// The states after 0 to 3 moves that no fewer moves reach.
fn layers(definition: &Definition) -> [usize; 4] {
    let operators = definition.operators(MoveMetric::Turn).unwrap();
    let key = |state: &PuzzleState| definition.compact(state).unwrap();
    let mut layer = vec![definition.start().clone()];
    let mut seen = HashSet::from([key(&layer[0])]);
    let mut counts = [1; 4];
    for count in &mut counts[1..] {
        let mut next = Vec::new();
        for operator in &operators.list {
            let after = |state| definition.after(state, operator.turn).ok();
            next.extend(layer.iter().filter_map(after));
        }
        next.retain(|state| seen.insert(key(state)));
        *count = next.len();
        layer = next;
    }
    counts
}

#[test]
fn every_file_loads_and_counts() {
    let files = files("kpuzzle");
    assert!(files.keys().eq(KPUZZLE.iter().map(|(name, _)| *name)), "{:?}", files.keys());
    for (name, counts) in KPUZZLE {
        let definition = kpuzzle(&files[name]);
        assert_eq!(layers(&definition), counts, "{name}");
        both_ways(&definition);
    }
}

#[test]
fn every_file_of_lines_and_words_loads_and_counts() {
    let files = files("tws");
    assert!(files.keys().eq(TWS.iter().map(|(name, _)| *name)), "{:?}", files.keys());
    for (name, counts) in TWS {
        let definition = tws(&files[name]);
        assert_eq!(layers(&definition), counts, "{name}");
        both_ways(&definition);
    }
}

#[test]
fn what_is_ignored_is_noted() {
    let files = files("kpuzzle");
    for (name, expected) in [
        ("schema", "2: the key `$schema` of a puzzle is ignored"),
        ("unknown-keys", "10: the key `experimentalPuzzleDescription` of a puzzle is ignored"),
        ("unknown-keys-inside", "3: the key `note` of an orbit is ignored"),
        (
            "missing-orbits",
            "6: `EDGES` is not one of the orbits: what moves and states say is ignored",
        ),
        ("move-of-missing-orbits", "9: move `E` changes nothing here: no search makes it"),
        ("in-both", "11: move `U` is also a derived move, which is ignored"),
        ("both-derived-moves", "13: the key `experimentalDerivedMoves` of a puzzle is ignored"),
        ("dials", "8: move `turnOver` is a rotation, as a derived move says"),
        ("rotations", "7: move x is a rotation by its name: no search makes it"),
    ] {
        let definition = kpuzzle(&files[name]);
        let notes = definition.notes().iter().map(|note| format!("{}: {}", note.line, note.text));
        let notes: Vec<String> = notes.collect();
        assert!(notes.iter().any(|note| note == expected), "{name}: {notes:#?}");
    }
    let known = kpuzzle(&kpuzzle(&files["conjugate"]).to_kpuzzle());
    assert!(known.notes().iter().all(|note| note.text.contains("is a rotation by its name")));
}

/// A file says that a product is only a name, or that another name is a move.
#[test]
fn kinds_of_derived_moves() {
    let text = &files("kpuzzle")["wide"];
    let with = |kinds: &str| kpuzzle(&text.replacen('{', &format!("{{\"moveKinds\":{kinds},"), 1));
    let names = |definition: &Definition| {
        let operators = definition.operators(MoveMetric::Turn).unwrap();
        operators.list.into_iter().map(|operator| operator.name).collect::<Vec<_>>()
    };
    let typed = with(r#"{"Lw":"name"}"#);
    assert_eq!(names(&typed), ["U", "U2", "U'"]);
    assert_eq!(typed.moves().derived()[0].name, "Lw");
    both_ways(&typed);
    let turned = with(r#"{"x":"turn","Lw":"rotation","U":"turn"}"#);
    assert_eq!(names(&turned), ["U", "U2", "U'", "x", "x2", "x'"]);
    both_ways(&turned);
    let own = ["Lw", "Lw2", "Lw3", "Lw4"];
    assert!(own.iter().all(|own| names(&kpuzzle(text)).contains(&(*own).to_owned())));
}
