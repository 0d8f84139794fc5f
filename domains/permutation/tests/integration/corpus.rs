//! Small files with every construct that other programs write, each with the number of states
//! after 0 to 3 moves.
//!
//! The numbers are those of `tests/layers`. They come from a slow program that shares no code with
//! this crate. It reads the JSON and writes the sequences out, also of definitions of lines and
//! words. It counts every power of every move that is no rotation.

use crate::convert::both_ways;
use crate::puzzles::{kpuzzle, tws};
use fewest_permutation::{Definition, MoveMetric, PuzzleState};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

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
    let known = [include_str!("../layers/kpuzzle.txt"), include_str!("../layers/tws.txt")];
    for (form, known) in ["kpuzzle", "tws"].into_iter().zip(known) {
        let files = files(form);
        let known: BTreeMap<_, _> = known.lines().filter_map(|row| row.split_once(' ')).collect();
        assert!(files.keys().eq(known.keys()), "{:?}", files.keys());
        for (name, text) in &files {
            let definition = if form == "tws" { tws(text) } else { kpuzzle(text) };
            let counts = layers(&definition).map(|count| count.to_string());
            assert_eq!(counts.join(" "), known[name.as_str()], "{name}");
            both_ways(&definition);
        }
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
