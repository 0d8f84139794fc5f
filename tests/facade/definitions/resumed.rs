//! Counts layers of symmetry classes with checkpoints, stops the count, and resumes it.

use crate::definition;

use pdb::builder::BuildObserver;
use pdb::file::{Checkpoint, TableError, TableStore};
use pdb::layers::{ClassLayerOptions, exhaust_classes};
use permutation::{Definition, GroupElement, GroupPuzzle, MoveMetric, ReadLimits, TextFormat};
use search::random::Random;
use search::stored::{LayersError, SymmetricLayer};
use search::{FlatKey, Group, Limits, Options, Packed};
use std::fs;
use std::sync::Mutex;
use std::time::Duration;

type Twisty = GroupPuzzle<32, u32>;

fn two_by_two() -> Twisty {
    let source = fs::File::open(definition("2x2x2.tws")).expect("the puzzle");
    let read = Definition::read(source, TextFormat::Tws, &ReadLimits::default());
    let definition = read.expect("a definition");
    let operators = definition.operators(MoveMetric::Turn).expect("operators");
    GroupPuzzle::new(&definition, operators).expect("a group")
}

type Counted = (Result<Vec<GroupElement<32>>, LayersError>, Vec<SymmetricLayer>);

/// An observer that notes failures to keep checkpoint files.
#[derive(Default)]
struct Failures(Mutex<Vec<String>>);

impl BuildObserver for Failures {
    fn not_kept(&self, error: &TableError) {
        self.0.lock().expect("alive").push(error.to_string());
    }
}

/// Counts all layers, or stops after a number of generated nodes.
fn count(puzzle: &Twisty, checkpoint: Option<&Checkpoint>, nodes: Option<u64>) -> Counted {
    let failures = Failures::default();
    let counted = count_watched(puzzle, checkpoint, nodes, &failures);
    assert!(failures.0.into_inner().expect("alive").is_empty());
    counted
}

fn count_watched(
    puzzle: &Twisty,
    checkpoint: Option<&Checkpoint>,
    nodes: Option<u64>,
    failures: &Failures,
) -> Counted {
    let options = Options { limits: Limits { nodes, ..Limits::default() }, ..Options::default() };
    let wanted = ClassLayerOptions {
        depth: usize::MAX,
        farthest: 5000,
        checkpoint,
        observer: Some(failures),
    };
    let mut told = Vec::new();
    let tell = &mut |layer| told.push(layer);
    let found = exhaust_classes(puzzle, &[puzzle.identity()], &wanted, &options, tell);
    (found, told)
}

#[test]
fn a_stopped_count_is_gone_on_with() {
    let puzzle = two_by_two();
    let (farthest, layers) = count(&puzzle, None, None);
    let farthest = farthest.expect("small");
    assert_eq!(layers.iter().map(|layer| layer.states).sum::<u128>(), 3_674_160);
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoint = Checkpoint {
        store: TableStore::new(folder.path()),
        name: "pocket".to_owned(),
        description: serde_json::json!({"puzzle": "2x2x2"}),
        every: Duration::ZERO,
    };
    let files = || checkpoint.store.list().expect("listed").len();
    let (stopped, told) = count(&puzzle, Some(&checkpoint), Some(20_000));
    assert!(matches!(stopped, Err(LayersError::Nodes { .. })), "{stopped:?}");
    assert!(told.len() > 4 && told.len() + 2 < layers.len(), "{told:?}");
    assert_eq!((&told[..], files()), (&layers[..told.len()], 1));
    // Another puzzle does not continue this checkpoint: it stops at the same place as this one did.
    let other = Checkpoint { description: serde_json::json!({}), ..checkpoint.clone() };
    let other = Checkpoint { name: "other".to_owned(), ..other };
    assert_eq!(count(&puzzle, Some(&other), Some(20_000)).1, told);
    assert_eq!(files(), 2);
    // Layers from the checkpoint do not count against the limit. The end is the same.
    let further = count(&puzzle, Some(&checkpoint), Some(100_000)).1;
    assert!(further.len() > told.len(), "{further:?}");
    let (found, told) = count(&puzzle, Some(&checkpoint), None);
    assert_eq!((found.expect("small"), &told), (farthest.clone(), &layers));
    assert_eq!(files(), 1);
    // The name of a damaged file is reported, and the count begins anew.
    let path = checkpoint.store.list().expect("listed").remove(0).expect("a file").path;
    let mut bytes = fs::read(&path).expect("a file");
    bytes[8200] ^= 1;
    fs::write(&path, bytes).expect("written");
    let failures = Failures::default();
    let (found, told) = count_watched(&puzzle, Some(&other), None, &failures);
    assert_eq!((found.expect("small"), told), (farthest, layers));
    let failures = failures.0.into_inner().expect("alive");
    assert_eq!(failures.len(), 1);
    assert!(
        failures[0].contains("other-layer-") && failures[0].contains("chunk 0"),
        "{failures:?}"
    );
    assert_eq!(files(), 0);
}

/// A key that is written to a file and read again stays the same. Different states have different
/// bytes.
#[test]
fn keys_in_files_are_the_keys() {
    let puzzle = two_by_two();
    let mut state = puzzle.identity();
    for op in [0, 3, 7, 1, 5] {
        let before = state;
        search::Domain::apply_into(&puzzle, &before, search::Op::new(op), &mut state);
        let (key, mut bytes) = (puzzle.pack(&state), [0; 64]);
        key.write(&mut bytes);
        assert_eq!(GroupElement::<32>::read(&bytes), key);
        let number = u128::from(0x0123_4567_89ab_cdef_u64) << (op * 8);
        let mut bytes = [0; 16];
        number.write(&mut bytes);
        assert_eq!(u128::read(&bytes), number);
    }
}

/// Checkpoints that somebody forged, with right checksums. The count ends without a panic.
#[test]
fn forged_layers_neither_panic_nor_hang() {
    let puzzle = two_by_two();
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoint = Checkpoint {
        store: TableStore::new(folder.path()),
        name: "pocket".to_owned(),
        description: serde_json::json!({}),
        every: Duration::ZERO,
    };
    count(&puzzle, Some(&checkpoint), Some(2_000)).0.expect_err("stopped");
    let info = checkpoint.store.list().expect("listed").remove(0).expect("a file");
    let right = fs::read(&info.path).expect("read");
    let checkpoint = Checkpoint { every: Duration::from_secs(3600), ..checkpoint };
    let (mut random, mut refused) = (Random::new(5), 0);
    for _ in 0..60 {
        let mut forged = right.clone();
        let at = 8192 + 8 * random.index((forged.len() - 8192) / 8);
        let end = forged.len().min(at + 8);
        match random.below(4) {
            0 => forged[at..].fill(0xff),
            1 => forged[at..end].fill(0),
            2 => forged[at] ^= 1 << random.below(8),
            _ => forged[8192..8192 + 48].fill(0xff),
        }
        repair(&mut forged);
        fs::write(&info.path, forged).expect("written");
        let failures = Failures::default();
        let (found, _) = count_watched(&puzzle, Some(&checkpoint), Some(5_000), &failures);
        found.expect_err("the limit of nodes");
        refused += failures.0.into_inner().expect("alive").len();
    }
    assert!(refused > 30, "{refused} of 60");
}

/// Corrects the checksums of a table file of one chunk.
fn repair(file: &mut [u8]) {
    let chunk = crc32fast::hash(&file[8192..]).to_le_bytes();
    file[4096..4100].copy_from_slice(&chunk);
    file[120..124].copy_from_slice(&crc32fast::hash(&chunk).to_le_bytes());
    let header = crc32fast::hash(&file[..4092]).to_le_bytes();
    file[4092..4096].copy_from_slice(&header);
}
