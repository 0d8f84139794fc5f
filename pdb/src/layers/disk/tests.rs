//! Searches on disk agree with those in memory, whatever the memory and the space for spill files.
//! Also restarts, damaged files and errors.

use super::*;
use crate::GroupPattern;
use crate::builder::tests::random;
use crate::builder::{BuildError, BuildObserver};
use crate::file::{TableError, TableErrorKind, TableStore};
use crate::layers::{ExhaustOptions, exhaust};
use crate::testing::{DiscPattern, Ring};
use groups::Permutation;
use groups::testing::{layer_turns, turn_operators};
use proptest::prelude::*;
use search::random::Random;
use search::{CancelToken, Cost};
use serde_json::json;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

pub(super) fn checkpoint(folder: &Path) -> Checkpoint {
    Checkpoint {
        store: TableStore::new(folder),
        name: "toy".into(),
        description: json!({"toy": 1}),
        every: Duration::from_secs(3600),
    }
}

fn in_memory(abstraction: &dyn Abstraction, antipodes: usize) -> ExhaustReport {
    let options = ExhaustOptions { antipodes, ..ExhaustOptions::default() };
    exhaust(abstraction, &options).expect("exhausted")
}

/// The names of all files below a folder.
pub(super) fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("an entry").file_name().into_string().expect("a name")
    };
    entries.map(name).collect()
}

/// The least memory that a search on disk takes.
fn least(abstraction: &dyn Abstraction) -> u64 {
    let (folder, options) = (tempfile::tempdir().expect("a folder"), DiskOptions::default());
    let options = DiskOptions { memory: 1, ..options };
    match exhaust_on_disk(abstraction, &checkpoint(folder.path()), &options) {
        Err(ExhaustError::Limit { needed, .. }) => needed,
        other => panic!("expected a limit: {other:?}"),
    }
}

/// Searches on disk and compares with a search in memory. Nothing is left behind.
fn agree(abstraction: &dyn Abstraction, memory: u64, spill: Option<u64>) {
    let folder = tempfile::tempdir().expect("a folder");
    let options = DiskOptions { memory, spill, antipodes: 5, ..DiskOptions::default() };
    let found = exhaust_on_disk(abstraction, &checkpoint(folder.path()), &options);
    assert_eq!(found.expect("exhausted"), in_memory(abstraction, 5));
    assert!(files(folder.path()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn layers_are_those_in_memory(
        seed: u64, rows in 1_u64..60, columns in 1_usize..70, degree in 1_u64..4, undirected: bool,
        more in 0_u64..2000, spill in prop::option::of(0_u64..5000),
    ) {
        let abstraction = random(seed, rows, columns, degree, &[1], undirected);
        agree(&abstraction, least(&abstraction) + more, spill);
    }
}

#[test]
fn layers_of_the_toy_domain() {
    for (places, angles, wheels, discs) in [(7, 2, 4, 4), (8, 3, 8, 3), (9, 1, 5, 4)] {
        let pattern = DiscPattern::new(Ring::new(places, angles, wheels), discs);
        agree(&pattern, least(&pattern), None);
    }
}

/// The group of all permutations, with the reversals of the first 2, 3, .. points as operators.
pub(super) fn reversals(points: u16) -> GroupPattern {
    let reversal = |first: u16| {
        let image = |point| if point < first { first - 1 - point } else { point };
        Permutation::new((0..points).map(image).collect()).expect("a permutation")
    };
    let operators: Vec<_> = (2..=points).map(|first| (reversal(first), 1)).collect();
    GroupPattern::of_group(points.into(), &operators, &[]).expect("a pattern")
}

/// The numbers of stacks of 9 pancakes are those of OEIS A092113.
#[test]
fn layers_of_reversals_are_the_published_ones() {
    let pattern = reversals(9);
    assert_eq!(
        in_memory(&pattern, 0).layers,
        [1, 8, 56, 391, 2278, 10666, 38015, 93585, 132_697, 79379, 5804]
    );
    let (table, least) = (pattern.entries() / 4, least(&pattern));
    for (memory, spill) in [(table / 2, None), (least, Some(table / 8))] {
        agree(&pattern, memory, spill);
    }
}

/// The corners of a box of two layers each way: 3,674,160 states.
pub(super) fn corners() -> GroupPattern {
    let turns = layer_turns(2);
    let turns = [turns[1].clone(), turns[3].clone(), turns[5].clone()];
    GroupPattern::of_group(24, &turn_operators(&turns), &[]).expect("a pattern")
}

#[test]
fn corners_of_a_box_in_a_tenth_of_the_table() {
    let pattern = corners();
    let table = pattern.entries() / 4;
    agree(&pattern, table / 10, Some(table));
}

/// An observer that notes what it is told, and cancels after a number of reports.
#[derive(Default)]
pub(super) struct Watch<'a> {
    reports: AtomicU64,
    stop: Option<(u64, &'a CancelToken)>,
    layers: Mutex<Vec<Cost>>,
    failures: Mutex<Vec<String>>,
    bytes: AtomicU64,
    /// Most parts of a table that are to be saved.
    pub(super) parts: AtomicU64,
}

impl<'a> Watch<'a> {
    /// Cancels after a number of reports.
    pub(super) fn stopping(stop: Option<(u64, &'a CancelToken)>) -> Self {
        Self { stop, ..Self::default() }
    }
    fn report(&self) {
        let before = self.reports.fetch_add(1, Relaxed);
        if let Some((at, cancel)) = self.stop
            && before >= at
        {
            cancel.cancel();
        }
    }
    fn first_layer(&self) -> Option<Cost> {
        self.layers.lock().expect("alive").first().copied()
    }
    fn failures(&self) -> Vec<String> {
        self.failures.lock().expect("alive").clone()
    }
}

impl BuildObserver for Watch<'_> {
    fn layer(&self, depth: Cost, _: u64, seen: u64, total: u64) {
        assert!(seen <= total);
        self.layers.lock().expect("alive").push(depth);
        self.report();
    }
    fn rows(&self, _: Cost, rows: u64, total: u64) {
        assert!(rows <= total);
        self.report();
    }
    fn on_disk(&self, _: &Path, bytes: u64) {
        self.bytes.store(bytes, Relaxed);
    }
    fn saving(&self, done: u64, total: u64) {
        assert!(done <= total);
        self.parts.fetch_max(total, Relaxed);
        self.report();
    }
    fn not_kept(&self, error: &TableError) {
        self.failures.lock().expect("alive").push(error.to_string());
    }
}

/// One run of a search that is cancelled after some reports, if `stop` is given.
fn run(
    pattern: &dyn Abstraction,
    folder: &Path,
    memory: u64,
    stop: Option<u64>,
) -> (Result<ExhaustReport, ExhaustError>, Option<Cost>, Vec<String>) {
    let cancel = CancelToken::new();
    let watch = Watch { stop: stop.map(|at| (at, &cancel)), ..Watch::default() };
    let (cancel, observer) = (Some(&cancel), Some::<&dyn BuildObserver>(&watch));
    let options = DiskOptions { cancel, observer, memory, antipodes: 3, spill: Some(50_000) };
    let found = exhaust_on_disk(pattern, &checkpoint(folder), &options);
    (found, watch.first_layer(), watch.failures())
}

#[test]
fn a_search_that_is_stopped_again_and_again_counts_the_same() {
    let pattern = reversals(8);
    let (whole, memory) = (in_memory(&pattern, 3), least(&pattern));
    let mut random = Random::new(3);
    for _ in 0..5 {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut made, mut reports) = (0, 20);
        let found = loop {
            let (found, first, failures) =
                run(&pattern, folder.path(), memory, Some(random.below(reports)));
            reports += 5;
            assert!(failures.is_empty(), "{failures:?}");
            // Complete layers are not made again.
            assert!(first.is_none_or(|first| first >= made), "layer {first:?} after {made}");
            made = made.max(first.unwrap_or(0));
            match found {
                Err(ExhaustError::Build(BuildError::Cancelled)) => {}
                found => break found,
            }
        };
        assert_eq!(found.expect("exhausted"), whole);
        assert!(made > 1);
        assert!(files(folder.path()).is_empty());
    }
}

/// A search that began anew would overwrite the layers of the newer program.
#[test]
fn a_manifest_of_a_newer_version_is_refused() {
    let pattern = reversals(8);
    let (whole, memory) = (in_memory(&pattern, 3), least(&pattern));
    let folder = tempfile::tempdir().expect("a folder");
    assert!(run(&pattern, folder.path(), memory, Some(90)).0.is_err());
    let names = files(folder.path());
    let name = names.iter().find(|name| name.starts_with("toy-layer-") && name.ends_with(".table"));
    let path = folder.path().join(name.expect("a manifest"));
    let bytes = std::fs::read(&path).expect("a manifest");
    let mut newer = bytes.clone();
    newer[8] = 9;
    std::fs::write(&path, newer).expect("written");
    let (found, first, failures) = run(&pattern, folder.path(), memory, None);
    let error = found.expect_err("a newer manifest").to_string();
    assert!(error.contains("toy-layer-"), "{error}");
    assert!(error.contains("format version 9, this program reads version 1"), "{error}");
    assert_eq!((first, failures.len()), (None, 0), "{failures:?}");
    std::fs::write(&path, bytes).expect("written");
    let (found, first, _) = run(&pattern, folder.path(), memory, None);
    assert!(first > Some(0));
    assert_eq!(found.expect("exhausted"), whole);
}

#[test]
fn a_damaged_file_is_reported_and_the_search_begins_anew() {
    let pattern = reversals(8);
    let (whole, memory) = (in_memory(&pattern, 3), least(&pattern));
    let folder = tempfile::tempdir().expect("a folder");
    let stopped = || assert!(run(&pattern, folder.path(), memory, Some(90)).0.is_err());
    let buckets = folder.path().join("toy-buckets");
    for damage in ["a flipped bit", "a file less", "a shorter file"] {
        stopped();
        let saved = |name: &String| name.ends_with(".a") || name.ends_with(".b");
        let mut names: Vec<_> = files(&buckets).into_iter().filter(saved).collect();
        names.sort();
        // A file that the manifest does not name is harmless, so all are damaged.
        for path in names.iter().map(|name| buckets.join(name)) {
            let mut bytes = std::fs::read(&path).expect("a file");
            bytes[5] ^= 1;
            match damage {
                "a file less" => std::fs::remove_file(path).expect("removed"),
                "a shorter file" => std::fs::write(path, &bytes[..9]).expect("written"),
                _ => std::fs::write(path, bytes).expect("written"),
            }
        }
        let (found, first, failures) = run(&pattern, folder.path(), memory, None);
        assert_eq!((found.expect("exhausted"), first), (whole.clone(), Some(0)), "{damage}");
        assert_eq!(failures.len(), 1);
        assert!(failures[0].contains("toy-layer-"), "{failures:?}");
    }
}

#[test]
fn a_file_that_cannot_be_written_costs_no_layer() {
    let pattern = reversals(8);
    let (whole, memory) = (in_memory(&pattern, 3), least(&pattern));
    let folder = tempfile::tempdir().expect("a folder");
    assert!(run(&pattern, folder.path(), memory, Some(100)).0.is_err());
    // A folder stands in the place of a file.
    let taken = folder.path().join("toy-buckets").join("0.spill");
    let _ = std::fs::remove_file(&taken);
    let stand = || {
        std::fs::create_dir(&taken).expect("a folder");
        std::fs::write(taken.join("in"), "").expect("a file");
    };
    stand();
    let error = run(&pattern, folder.path(), memory, None).0.expect_err("not written").to_string();
    assert!(error.contains("0.spill") && error.contains("layers are saved"), "{error}");
    std::fs::remove_dir_all(&taken).expect("removed");
    // Nor does a manifest that cannot be written.
    let taken = folder.path().join("toy-layer-8.table");
    std::fs::create_dir(&taken).expect("a folder");
    let error = run(&pattern, folder.path(), memory, None).0.expect_err("not written").to_string();
    assert!(error.contains("toy-layer-8.table"), "{error}");
    std::fs::remove_dir(&taken).expect("removed");
    let (found, first, failures) = run(&pattern, folder.path(), memory, None);
    assert_eq!(found.expect("exhausted"), whole);
    assert_eq!((first, failures.len()), (Some(8), 0), "{failures:?}");
}

/// Puts a file and a folder into the folder of a search before its files are removed. The folder
/// has the name of a file of the search, so its removal fails.
pub(super) struct Obstacles<'a> {
    folder: &'a Path,
    pub(super) failures: Mutex<Vec<String>>,
}

impl<'a> Obstacles<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Self { folder, failures: Mutex::default() }
    }
}

impl BuildObserver for Obstacles<'_> {
    fn moved(&self, _: u64, _: u64) {
        std::fs::write(self.folder.join("toy-buckets/note"), "of the user").expect("written");
        std::fs::create_dir(self.folder.join("toy-buckets/7.spill")).expect("created");
    }
    fn not_kept(&self, error: &TableError) {
        self.failures.lock().expect("alive").push(error.to_string());
    }
}

/// The answer is there before the files are removed, so it is never lost with them.
#[test]
fn a_finished_search_keeps_its_answer_whatever_cannot_be_removed() {
    let pattern = reversals(8);
    let folder = tempfile::tempdir().expect("a folder");
    let (obstacles, buckets) = (Obstacles::new(folder.path()), folder.path().join("toy-buckets"));
    let options = DiskOptions { memory: least(&pattern), antipodes: 3, ..DiskOptions::default() };
    let search = |observer| {
        let options = DiskOptions { observer, ..options };
        exhaust_on_disk(&pattern, &checkpoint(folder.path()), &options).expect("exhausted")
    };
    assert_eq!(search(Some(&obstacles)), in_memory(&pattern, 3));
    let failures = obstacles.failures.lock().expect("alive").clone();
    assert!(matches!(&failures[..], [one] if one.contains("7.spill")), "{failures:?}");
    // A file of somebody else alone is no failure. It stays.
    std::fs::remove_dir(buckets.join("7.spill")).expect("removed");
    assert_eq!(search(None), in_memory(&pattern, 3));
    assert_eq!(files(&buckets), ["note"]);
}

#[test]
fn what_cannot_be_searched_on_disk_is_refused() {
    let pattern = reversals(8);
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoint = checkpoint(folder.path());
    let options = DiskOptions { memory: least(&pattern), ..DiskOptions::default() };
    let lock = crate::file::TableSpec::new(
        "toy-lock",
        json!(null),
        crate::table::PackedTable::payload(8, 1),
    );
    let lock = checkpoint.store.try_lock(&lock).expect("a folder").expect("free");
    let error = exhaust_on_disk(&pattern, &checkpoint, &options).expect_err("locked");
    let ExhaustError::File(error) = error else { panic!("{error:?}") };
    assert!(matches!(error.kind(), TableErrorKind::Locked));
    drop(lock);
    let weighted = random(1, 100, 5, 2, &[2], true);
    let error = exhaust_on_disk(&weighted, &checkpoint, &DiskOptions::default());
    assert!(matches!(error, Err(ExhaustError::Weighted { cost: 2 })));
    // More space than any disk has.
    let large = reversals(20);
    let options = DiskOptions { memory: 1 << 40, ..options };
    let error = exhaust_on_disk(&large, &checkpoint, &options).expect_err("too large");
    let ExhaustError::File(error) = error else { panic!("{error:?}") };
    assert!(matches!(error.kind(), TableErrorKind::Space { .. }), "{error}");
}

/// With less memory than before, a search cannot go on. It says how much it needs.
#[test]
fn a_search_goes_on_with_more_or_less_memory() {
    let pattern = reversals(8);
    let whole = in_memory(&pattern, 3);
    let (folder, least) = (tempfile::tempdir().expect("a folder"), least(&pattern));
    let stopped = |memory, stop| run(&pattern, folder.path(), memory, Some(stop)).0.expect_err("");
    stopped(2 * least, 60);
    let ExhaustError::Limit { needed, .. } = stopped(least, 60) else { panic!("expected a limit") };
    let (found, first, failures) = run(&pattern, folder.path(), needed, None);
    assert_eq!(found.expect("exhausted"), whole);
    assert!(first > Some(1) && failures.is_empty());
}
