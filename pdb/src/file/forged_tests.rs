//! Checkpoints that somebody forged, with right checksums: a build or count may begin anew or make
//! a wrong table, but it ends, without a panic.

use super::{Checkpoint, TableError, TableInfo, TableSpec, TableStore};
use crate::builder::tests::random;
use crate::builder::{BuildError, BuildObserver, BuildOptions, build};
use crate::layers::{ExhaustError, ExhaustOptions, exhaust, residues};
use crate::table::{StripeCode, StripeTable};
use crate::testing::{DiscPattern, Ring};
use crate::{Abstraction, PackedTable};
use search::random::Random;
use search::{CancelToken, Cost};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// An observer that cancels after a layer, and counts the checkpoints that were not used.
#[derive(Default)]
struct Stop {
    at: Option<Cost>,
    cancel: CancelToken,
    refused: AtomicUsize,
}

impl BuildObserver for Stop {
    fn layer(&self, depth: Cost, _: u64, _: u64, _: u64) {
        if self.at == Some(depth) {
            self.cancel.cancel();
        }
    }
    fn not_kept(&self, _: &TableError) {
        self.refused.fetch_add(1, Relaxed);
    }
}

/// The kinds of work that leave checkpoints.
#[derive(Clone, Copy, Debug)]
enum Work {
    TwoBits,
    OneBit,
    Bytes,
    Exhaust,
    Residues,
}

/// Does the work. Returns whether it was cancelled.
fn run(work: Work, of: &dyn Abstraction, stop: &Stop, checkpoint: &Checkpoint) -> bool {
    let (cancel, observer) = (Some(&stop.cancel), Some::<&dyn BuildObserver>(stop));
    let options = BuildOptions { cancel, observer, checkpoint: Some(checkpoint), team: None };
    let counted = ExhaustOptions { build: options, ..ExhaustOptions::default() };
    let built = |result: Result<(), BuildError>| matches!(result, Err(BuildError::Cancelled));
    let found = |result: Result<(), ExhaustError>| {
        matches!(result, Err(ExhaustError::Build(BuildError::Cancelled)))
    };
    match work {
        Work::TwoBits => built(StripeTable::build(of, 2, &options).map(drop)),
        Work::OneBit => built(StripeTable::build(of, StripeCode::one(4), &options).map(drop)),
        Work::Bytes => built(build::<8>(of, &options).map(|_: PackedTable| ())),
        Work::Exhaust => found(exhaust(of, &counted).map(drop)),
        Work::Residues => found(residues(of, &counted).map(drop)),
    }
}

/// Changes words of a payload.
fn change(payload: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let word = 8 * random.index(payload.len() / 8);
        match random.below(4) {
            0 => payload[word..].fill(0xff),
            1 => payload[word..word + 8].fill(0),
            2 => payload[word] ^= 1 << random.below(8),
            _ => payload[word..word + 8].fill(0x7f),
        }
    }
}

/// Corrects the checksums of a table file of one chunk.
fn repair(file: &mut [u8]) {
    let chunk = crc32fast::hash(&file[8192..]).to_le_bytes();
    file[4096..4100].copy_from_slice(&chunk);
    file[120..124].copy_from_slice(&crc32fast::hash(&chunk).to_le_bytes());
    let header = crc32fast::hash(&file[..4092]).to_le_bytes();
    file[4092..4096].copy_from_slice(&header);
}

/// Forges the checkpoint of some work again and again. Returns how often it was refused.
fn attack(work: Work, of: &dyn Abstraction, rounds: u64) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let store = TableStore::new(folder.path());
    let (name, description) = ("toy".to_owned(), json!({"toy": 1}));
    let saving = Checkpoint { store, name, description, every: Duration::ZERO };
    let stop = Stop { at: Some(1), ..Stop::default() };
    assert!(run(work, of, &stop, &saving), "{work:?}");
    let TableInfo { path, description, entries, encoding, payload_bytes, .. } =
        saving.store.list().expect("listed").remove(0).expect("a checkpoint");
    let right = std::fs::read(&path).expect("read");
    let reading = Checkpoint { every: Duration::from_secs(3600), ..saving };
    let mut refused = 0;
    for seed in 0..rounds {
        let mut forged = right.clone();
        change(&mut forged[8192..], &mut Random::new(seed));
        repair(&mut forged);
        std::fs::write(&path, forged).expect("written");
        let stop = Stop::default();
        run(work, of, &stop, &reading);
        refused += stop.refused.into_inner();
    }
    // Layers that no work has.
    for layer in [3, 250, u64::MAX] {
        let (encoding, mut description) = (encoding.clone(), description.clone());
        description["layer"] = layer.into();
        let name = format!("toy-layer-{layer}");
        let spec = TableSpec { name, description, encoding, entries, payload_bytes };
        reading.store.save(&spec, &right[8192..]).expect("saved");
        run(work, of, &Stop::default(), &reading);
    }
    refused
}

#[test]
fn forged_checkpoints_neither_panic_nor_hang() {
    let ring = DiscPattern::new(Ring::new(8, 2, 5), 4);
    let two_colours = random(3, 300, 70, 1, &[1], true);
    for work in [Work::TwoBits, Work::OneBit, Work::Bytes, Work::Exhaust, Work::Residues] {
        let refused = attack(work, &ring, 60);
        assert!(refused > 10, "{work:?}: {refused} of 60");
        attack(work, &two_colours, 20);
    }
    attack(Work::Bytes, &random(4, 200, 9, 2, &[0, 1, 3], true), 60);
}
