//! Exhaustive searches agree with a slow, simple one, on random abstractions, groups and a toy
//! domain. Also restarts and errors.

use super::*;
use crate::GroupPattern;
use crate::abstraction::{ColumnMap, Edge};
use crate::builder::tests::random;
use crate::builder::{BuildObserver, BuildOptions};
use crate::file::{Checkpoint, TableError, TableStore};
use crate::testing::{DiscPattern, Ring, slow_distances};
use groups::testing::{layer_turns, turn_operators};
use proptest::prelude::*;
use search::{CancelToken, Cost};
use serde_json::json;
use std::sync::Mutex;
use std::time::Duration;

fn slow(abstraction: &dyn Abstraction, antipodes: usize) -> (ExhaustReport, Vec<u32>) {
    let distances = slow_distances(abstraction);
    let mut layers = Vec::new();
    for &distance in distances.iter().filter(|&&distance| distance != u32::MAX) {
        layers.resize(layers.len().max(distance as usize + 1), 0);
        layers[distance as usize] += 1;
    }
    let deepest = layers.len() - 1;
    let deep = (0..).zip(&distances).filter(|&(_, &distance)| distance as usize == deepest);
    let antipodes = deep.map(|(entry, _)| entry).take(antipodes).collect();
    let unreached = distances.len() as u64 - layers.iter().sum::<u64>();
    (ExhaustReport { layers, unreached, antipodes, watched: Vec::new() }, distances)
}

/// Checks layers, antipodes and residues against the distances of the slow builder.
fn agree(abstraction: &dyn Abstraction, antipodes: usize) {
    let (expected, distances) = slow(abstraction, antipodes);
    let options = ExhaustOptions { antipodes, ..ExhaustOptions::default() };
    assert_eq!(exhaust(abstraction, &options).expect("exhausted"), expected);
    let watched: Vec<u64> = (0..distances.len() as u64).step_by(3).collect();
    let found = exhaust(abstraction, &ExhaustOptions { watched: &watched, ..options });
    let found = found.expect("exhausted").watched;
    let third = || distances.iter().step_by(3);
    let at = |depth: usize| third().filter(|&&distance| distance as usize == depth).count();
    let counts: Vec<u64> = (0..found.len()).map(|depth| at(depth) as u64).collect();
    assert_eq!(found, counts);
    let reached = third().filter(|&&distance| distance != u32::MAX).count();
    assert_eq!(found.iter().sum::<u64>(), reached as u64);
    assert!(reached < watched.len() || found.last() != Some(&0), "ends with the last of them");
    match residues(abstraction, &options) {
        Err(ExhaustError::Directed) => assert!(!abstraction.undirected()),
        result => {
            let (found, table) = result.expect("exhausted");
            assert_eq!(found, expected);
            assert_eq!(table.entries(), distances.len() as u64);
            assert_eq!(table.bytes().len(), distances.len().div_ceil(4));
            for (entry, &distance) in (0..).zip(&distances) {
                let reached = (distance != u32::MAX).then_some(distance);
                assert_eq!(u32::from(table.get(entry)), reached.map_or(3, |distance| distance % 3));
                if entry % 16 == 0 {
                    assert_eq!(table.distance(abstraction, entry), reached.map(u64::from));
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn layers_are_the_oracles(
        seed: u64, rows in 1_u64..600, columns in 1_usize..70, degree in 1_u64..4, undirected: bool,
        antipodes in 0_usize..50,
    ) {
        agree(&random(seed, rows, columns, degree, &[1], undirected), antipodes);
    }
}

#[test]
fn layers_of_the_toy_domain() {
    for (places, angles, wheels, discs) in [(7, 2, 4, 4), (8, 3, 8, 3), (9, 1, 5, 4), (6, 2, 2, 6)]
    {
        agree(&DiscPattern::new(Ring::new(places, angles, wheels), discs), 7);
    }
}

/// A box with one turning layer for each axis. It has seven corners, which twist in threes. A
/// quarter turn is an odd permutation of the corners, so rows have colours in one metric and not in
/// the other.
#[test]
fn corners_of_a_box_have_the_published_layers() {
    let turns = layer_turns(2);
    let turns = [turns[1].clone(), turns[3].clone(), turns[5].clone()];
    let operators = turn_operators(&turns);
    let exhausted = |operators: &[_]| {
        let pattern = GroupPattern::of_group(24, operators, &[]).expect("a pattern");
        assert_eq!(pattern.entries(), 3_674_160);
        let options = ExhaustOptions { antipodes: 3, ..ExhaustOptions::default() };
        let (kept, table) = residues(&pattern, &options).expect("exhausted");
        assert_eq!(exhaust(&pattern, &options).expect("exhausted"), kept);
        assert_eq!(table.bytes().len(), 918_540);
        let deepest = kept.layers.len() as u64 - 1;
        assert_eq!(kept.antipodes.len(), 3);
        assert!(kept.antipodes.iter().all(|&e| table.distance(&pattern, e) == Some(deepest)));
        kept.layers
    };
    assert_eq!(
        exhausted(&operators),
        [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644]
    );
    let quarter: Vec<_> = operators.into_iter().enumerate().filter(|(i, _)| i % 3 != 1).collect();
    let quarter: Vec<_> = quarter.into_iter().map(|(_, operator)| operator).collect();
    assert_eq!(
        exhausted(&quarter),
        [
            1, 6, 27, 120, 534, 2256, 8969, 33058, 114_149, 360_508, 930_588, 1_350_852, 782_536,
            90_280, 276
        ]
    );
}

/// Rows in a circle. It has more layers than an observer can number, and than a checkpoint can
/// save.
struct Circle(u64);

impl Abstraction for Circle {
    fn shape(&self) -> (u64, usize) {
        (self.0, 1)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(5);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        for row in [(row + 1) % self.0, (row + self.0 - 1) % self.0] {
            out.push(Edge { row, map: 0, cost: 1 });
        }
    }
    fn column_map(&self, _: u32) -> ColumnMap<'_> {
        ColumnMap::IDENTITY
    }
    fn undirected(&self) -> bool {
        true
    }
}

#[test]
fn distances_have_no_limit() {
    let folder = tempfile::tempdir().expect("folder");
    let checkpoint = Checkpoint { every: Duration::from_secs(3600), ..checkpoint(folder.path()) };
    let options =
        ExhaustOptions { build: saved_in(&checkpoint), antipodes: 9, ..ExhaustOptions::default() };
    let (found, table) = residues(&Circle(10_001), &options).expect("exhausted");
    assert_eq!((found.layers[0], found.layers.len(), found.unreached), (1, 5001, 0));
    assert!(found.layers[1..].iter().all(|&entries| entries == 2));
    assert_eq!(found.antipodes, [5005, 5006]);
    assert_eq!(exhaust(&Circle(10_001), &options).expect("exhausted"), found);
    assert_eq!(table.distance(&Circle(10_001), 1000), Some(995));
    // Each layer is saved as long as there is room for its size.
    let saving = Checkpoint { every: Duration::ZERO, ..checkpoint.clone() };
    let options = ExhaustOptions { build: saved_in(&saving), ..options };
    assert_eq!(exhaust(&Circle(101), &options).expect("exhausted").layers.len(), 51);
    assert!(checkpoint.store.list().expect("listed").is_empty());
}

fn saved_in(checkpoint: &Checkpoint) -> BuildOptions<'_> {
    BuildOptions { checkpoint: Some(checkpoint), ..BuildOptions::default() }
}

fn checkpoint(folder: &std::path::Path) -> Checkpoint {
    Checkpoint {
        store: TableStore::new(folder),
        name: "toy".into(),
        description: json!({"toy": 1}),
        every: Duration::ZERO,
    }
}

/// An observer that cancels when a layer is complete, and notes the reported layers.
struct Stop<'a> {
    at: Cost,
    cancel: &'a CancelToken,
    told: Mutex<Vec<(Cost, u64, u64, u64)>>,
}

impl BuildObserver for Stop<'_> {
    fn layer(&self, depth: Cost, entries: u64, seen: u64, total: u64) {
        self.told.lock().expect("alive").push((depth, entries, seen, total));
        if depth == self.at {
            self.cancel.cancel();
        }
    }
    fn rows(&self, _: Cost, rows: u64, total: u64) {
        assert!(rows <= total);
    }
}

#[test]
fn a_cancelled_search_goes_on_where_it_was() {
    let pattern = DiscPattern::new(Ring::new(8, 2, 5), 4);
    let (whole, _) = slow(&pattern, 5);
    let depth = u8::try_from(whole.layers.len()).expect("few");
    let folder = tempfile::tempdir().expect("folder");
    let checkpoint = checkpoint(folder.path());
    let other = Checkpoint { description: json!({"toy": 2}), ..checkpoint.clone() };
    let files = || checkpoint.store.list().expect("listed").len();
    // Cancels after the layer `at`. Returns the result and the reported layers.
    let run = |at: Cost, checkpoint: &Checkpoint, keep: bool| {
        let cancel = CancelToken::new();
        let stop = Stop { at, cancel: &cancel, told: Mutex::default() };
        let (cancel, observer) = (Some(&cancel), Some::<&dyn BuildObserver>(&stop));
        let build = BuildOptions { cancel, observer, checkpoint: Some(checkpoint), team: None };
        let options = ExhaustOptions { build, antipodes: 5, ..ExhaustOptions::default() };
        let result = match keep {
            true => residues(&pattern, &options).map(|(exhausted, _)| exhausted),
            false => exhaust(&pattern, &options),
        };
        (result, stop.told.into_inner().expect("alive"))
    };
    for keep in [false, true] {
        // The layer is saved before the next one is begun.
        let (result, told) = run(3, &checkpoint, keep);
        assert!(matches!(result, Err(ExhaustError::Build(BuildError::Cancelled))));
        assert_eq!((told.len(), files()), (4, 1));
        // Neither another search nor the same one with other codes continues from this checkpoint.
        let (result, told) = run(0, &other, keep);
        assert!(result.is_err() && told.len() == 1);
        let (result, told) = run(0, &checkpoint, !keep);
        assert!(result.is_err() && told.len() == 1);
        let (result, told) = run(Cost::MAX, &checkpoint, keep);
        assert_eq!(result.expect("exhausted"), whole);
        assert_eq!(told[0].0, 4);
        assert_eq!((told.len(), files()), (usize::from(depth) - 4, 0));
        let mut seen = whole.layers[..4].iter().sum::<u64>();
        for &(depth, entries, told, total) in &told {
            seen += entries;
            assert_eq!((entries, told), (whole.layers[usize::from(depth)], seen));
            assert_eq!(total, pattern.rows() * pattern.columns() as u64);
        }
    }
    // A damaged file is reported by name, and the search begins anew.
    assert!(run(3, &checkpoint, false).0.is_err());
    let path = folder.path().join("toy-layer-3.table");
    damage(&path, 8200);
    let (result, told) = run(Cost::MAX, &checkpoint, false);
    assert_eq!((result.expect("exhausted"), told[0].0), (whole.clone(), 0));
    // A search whose file has another version also begins anew, though it saves a file of the same
    // name.
    assert!(run(3, &checkpoint, false).0.is_err());
    damage(&path, 8);
    let (result, told) = run(Cost::MAX, &checkpoint, false);
    assert_eq!((result.expect("exhausted"), told[0].0), (whole, 0));
    // Nothing is left behind, no lock either.
    let names = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").map(names).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Flips a bit of a file.
fn damage(path: &std::path::Path, at: usize) {
    let mut bytes = std::fs::read(path).expect("a file");
    bytes[at] ^= 1;
    std::fs::write(path, bytes).expect("written");
}

/// An observer that notes failures to keep checkpoint files.
#[derive(Default)]
struct Failures(Mutex<Vec<String>>);

impl BuildObserver for Failures {
    fn not_kept(&self, error: &TableError) {
        self.0.lock().expect("alive").push(error.to_string());
    }
}

#[test]
fn a_damaged_checkpoint_and_no_folder_cost_nothing() {
    let pattern = DiscPattern::new(Ring::new(8, 2, 5), 3);
    let whole = exhaust(&pattern, &ExhaustOptions::default()).expect("exhausted");
    let folder = tempfile::tempdir().expect("folder");
    let run = |checkpoint: &Checkpoint| {
        let failures = Failures::default();
        let build = BuildOptions { observer: Some(&failures), ..saved_in(checkpoint) };
        let options = ExhaustOptions { build, ..ExhaustOptions::default() };
        assert_eq!(exhaust(&pattern, &options).expect("exhausted"), whole);
        failures.0.into_inner().expect("alive")
    };
    let own = checkpoint(folder.path());
    assert!(run(&own).is_empty());
    // A folder stands where a file of a layer would be removed.
    std::fs::create_dir(folder.path().join("toy-layer-2.table")).expect("a folder");
    let failures = run(&own);
    assert_eq!(failures.len(), 1);
    assert!(failures[0].contains("toy-layer-2.table"), "{failures:?}");
    // A file stands where the folder would be.
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    assert_eq!(run(&checkpoint(&file)).len(), 1);
}

#[test]
fn what_cannot_be_exhausted_is_refused() {
    let options = ExhaustOptions::default();
    let pattern = DiscPattern::new(Ring::new(8, 2, 5), 4);
    let needed = bytes_needed(&pattern).expect("it fits");
    let entries = pattern.rows() * pattern.columns() as u64;
    assert!((entries / 4 + 32_768..entries / 4 + 40_000).contains(&needed), "{needed}");
    let limited = ExhaustOptions { limit: Some(needed - 1), ..options };
    let message = exhaust(&pattern, &limited).expect_err("too large").to_string();
    let told = format!("{entries} entries need {needed} bytes, but {} are allowed", needed - 1);
    assert_eq!(message, told);
    assert!(exhaust(&pattern, &ExhaustOptions { limit: Some(needed), ..options }).is_ok());
    for (costs, cost) in [(&[2][..], 2), (&[0], 0)] {
        let weighted = random(1, 100, 5, 2, costs, true);
        let error = exhaust(&weighted, &options).expect_err("weighted");
        assert!(matches!(error, ExhaustError::Weighted { cost: found } if found == cost));
    }
    let directed = random(1, 100, 5, 2, &[1], false);
    assert!(matches!(residues(&directed, &options), Err(ExhaustError::Directed)));
    let error = exhaust(&Circle(0), &options).expect_err("no rows");
    assert!(matches!(error, ExhaustError::Build(BuildError::Shape { .. })));
    assert_eq!(bytes_needed(&Circle(0)), None);
    let error = exhaust(&Circle(3), &options).expect_err("a goal outside");
    assert!(matches!(error, ExhaustError::Build(BuildError::Goal { entry: 5, entries: 3 })));
}
