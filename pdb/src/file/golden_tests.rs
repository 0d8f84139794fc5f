//! Files that release 0.1 wrote, one for each encoding and each kind of checkpoint. They must still
//! load.

use super::{Checkpoint, Load, Payload, TableSpec, TableStore, verify};
use crate::abstraction::Abstraction;
use crate::builder::{BuildObserver, BuildOptions, build};
use crate::layers::{ExhaustOptions, exhaust, residues};
use crate::table::{Modulo3, PackedTable, StripeCode, StripeTable};
use crate::testing::{DiscPattern, Ring};
use search::Cost;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

fn pattern() -> DiscPattern {
    DiscPattern::new(Ring::new(8, 2, 5), 3)
}

fn description() -> Value {
    json!({"toy": "ring", "places": 8, "angles": 2, "wheels": 5, "discs": 3})
}

/// A store with a copy of one of these files. A copy, because loading writes a second file beside
/// it.
fn store(name: &str) -> (tempfile::TempDir, TableStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let file = format!("{name}.table");
    std::fs::copy(data.join(&file), folder.path().join(&file)).expect("copied");
    let store = TableStore::new(folder.path());
    (folder, store)
}

fn check(name: &str, payload: Payload, built: &[u8]) {
    let (_folder, store) = store(name);
    let spec = TableSpec::new(name, description(), payload);
    for load in [Load::Ram, Load::Mmap] {
        assert!(store.load(&spec, load).expect("loaded")[..] == *built, "{name}, {load:?}");
    }
    // A file written today has the same bytes.
    let written = TableSpec { name: "new".to_owned(), ..spec };
    store.save(&written, built).expect("saved");
    let bytes = |name: &str| std::fs::read(store.path(name)).expect("a file");
    assert!(bytes(name) == bytes("new"), "{name}");
}

#[test]
fn tables_of_every_encoding_load() {
    let (pattern, options) = (pattern(), BuildOptions::default());
    let (rows, columns) = (pattern.rows(), pattern.columns());
    let entries = rows * columns as u64;
    let four = build::<4>(&pattern, &options).expect("built");
    check("nibbles", PackedTable::payload(4, entries), four.bytes());
    let eight = build::<8>(&pattern, &options).expect("built");
    check("octets", PackedTable::payload(8, entries), eight.bytes());
    let residues = Modulo3::build(&pattern, &options).expect("built");
    check("modulo-3", Modulo3::payload(entries), residues.bytes());
    for (name, code) in [("two-bit", StripeCode::two(2)), ("one-bit", StripeCode::one(3))] {
        let table = StripeTable::build(&pattern, code, &options).expect("built");
        check(name, StripeTable::payload(rows, columns, code), table.bytes());
    }
}

/// An observer that notes the reported layers.
#[derive(Default)]
struct Layers(Mutex<Vec<Cost>>);

impl BuildObserver for Layers {
    fn layer(&self, depth: Cost, _: u64, _: u64, _: u64) {
        self.0.lock().expect("alive").push(depth);
    }
}

/// Resumes from a checkpoint file of release 0.1. Returns the first reported layer. Builds report
/// the layer that they loaded, exhaustive searches the one after it.
fn go_on(name: &str, layer: usize, run: impl FnOnce(BuildOptions<'_>, &Checkpoint)) -> Cost {
    let (_folder, store) = store(&format!("{name}-layer-{layer}"));
    let checkpoint = Checkpoint {
        store: store.clone(),
        name: name.to_owned(),
        description: description(),
        every: Duration::from_secs(3600),
    };
    let told = Layers::default();
    run(BuildOptions { observer: Some(&told), ..BuildOptions::default() }, &checkpoint);
    assert!(store.list().expect("listed").is_empty(), "{name}: the checkpoint is removed");
    told.0.into_inner().expect("alive")[0]
}

#[test]
fn checkpoints_of_every_kind_are_gone_on_with() {
    let pattern = pattern();
    let four = build::<4>(&pattern, &BuildOptions::default()).expect("built");
    let counts = four.histogram().counts;
    let first = go_on("build", 2, |options, checkpoint| {
        let options = BuildOptions { checkpoint: Some(checkpoint), ..options };
        let built = build::<4>(&pattern, &options).expect("built");
        assert!(built.bytes() == four.bytes());
    });
    assert_eq!(first, 2);
    let first = go_on("build-stripes", 1, |options, checkpoint| {
        let options = BuildOptions { checkpoint: Some(checkpoint), ..options };
        let built = StripeTable::build(&pattern, 2, &options).expect("built");
        let whole = StripeTable::build(&pattern, 2, &BuildOptions::default()).expect("built");
        assert!(built.bytes() == whole.bytes());
    });
    assert_eq!(first, 1);
    for (name, keep) in [("layers", false), ("residues", true)] {
        let first = go_on(name, 2, |build, checkpoint| {
            let build = BuildOptions { checkpoint: Some(checkpoint), ..build };
            let options = ExhaustOptions { build, ..ExhaustOptions::default() };
            let found = match keep {
                true => residues(&pattern, &options).expect("exhausted").0,
                false => exhaust(&pattern, &options).expect("exhausted"),
            };
            assert_eq!(found.layers, counts);
        });
        assert_eq!(first, 3, "{name}");
    }
}

/// Makes a file one of a newer version.
fn newer(path: &Path) {
    let mut bytes = std::fs::read(path).expect("a file");
    bytes[8] = 2;
    std::fs::write(path, bytes).expect("written");
}

#[test]
fn newer_versions_are_refused_by_version() {
    for name in ["nibbles", "octets", "modulo-3", "two-bit", "one-bit", "build-layer-2"] {
        let (_folder, store) = store(name);
        newer(&store.path(name));
        let told = "format version 2, this program reads version 1";
        let error = verify(&store.path(name), &|_, _| true).expect_err("a newer version");
        assert!(error.to_string().contains(told), "{error}");
        let listed = store.list().expect("listed");
        let [Err(error)] = &listed[..] else { panic!("{listed:?}") };
        assert!(error.to_string().contains(told), "{error}");
    }
}
