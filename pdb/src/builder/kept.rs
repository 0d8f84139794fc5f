//! Builds on their way, saved in a folder of tables and gone on with: complete layers, and what was
//! counted.

use super::BuildOptions;
use crate::file::{Load, TableSpec};
use crate::layers::{Checkpoint, CheckpointWriter};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const ENCODING: &str = "build";
/// Bytes of a word.
const WORD: usize = size_of::<u64>();
/// Words that are written at once.
const SOME: usize = 1 << 13;

/// What is saved of one build, and when. A file holds the words of the build, then those of the
/// table, all little-endian.
pub(super) struct Kept<'a> {
    keeper: CheckpointWriter<'a>,
    shape: Value,
}

impl<'a> Kept<'a> {
    /// `shape` tells abstractions and forms of tables from others that a caller gives the same
    /// description.
    pub(super) fn new(options: &BuildOptions<'a>, shape: Value) -> Self {
        Self { keeper: CheckpointWriter::new(options.checkpoint, options.observer), shape }
    }

    /// The file after a layer, of so many words.
    fn spec(&self, checkpoint: &Checkpoint, layer: usize, words: u64) -> TableSpec {
        let description = json!({"build": checkpoint.description, "shape": self.shape});
        checkpoint.spec(description, layer, ENCODING, (words, words.saturating_mul(WORD as u64)))
    }

    /// The files of this build, with their layers; none if the folder cannot be read.
    fn files(&self) -> Vec<(usize, TableSpec)> {
        let Some(checkpoint) = self.keeper.checkpoint() else { return Vec::new() };
        checkpoint.files(|layer, words| self.spec(checkpoint, layer, words)).unwrap_or_default()
    }

    /// Fills the words of the table from the newest file of this build, if there is one; answers
    /// the layer, and the words of the build, which are `own`. A file that is damaged, or has other
    /// words, is as good as none.
    pub(super) fn load(
        &mut self,
        own: impl FnOnce() -> usize,
        table: &[AtomicU64],
    ) -> Option<(usize, Vec<u64>)> {
        let checkpoint = self.keeper.checkpoint()?;
        let (layer, spec) = self.files().into_iter().max_by_key(|(layer, _)| *layer)?;
        let (bytes, own) = (checkpoint.store.load(&spec, Load::Mmap).ok()?, own());
        if bytes.len() != (own + table.len()) * WORD {
            return None;
        }
        self.keeper.found(spec);
        let mut all = bytes.chunks_exact(WORD).map(|word| {
            u64::from_le_bytes(word.try_into().unwrap_or_else(|_| unreachable!("eight bytes")))
        });
        let state = all.by_ref().take(own).collect();
        table.iter().zip(all).for_each(|(word, read)| word.store(read, Relaxed));
        Some((layer, state))
    }

    /// Saves a complete layer, if it is time to, and removes the file before.
    pub(super) fn save(
        &mut self,
        layer: usize,
        state: impl FnOnce() -> Vec<u64>,
        table: &[AtomicU64],
    ) {
        let Some(checkpoint) = self.keeper.due() else { return };
        let state = state();
        let spec = self.spec(checkpoint, layer, (state.len() + table.len()) as u64);
        self.keeper.save(spec, |out| write(&state, table, out));
    }

    /// The build is done: removes what was saved, by this process or another that was stopped.
    pub(super) fn done(mut self) {
        let files = self.files();
        self.keeper.remove(files.into_iter().map(|(_, file)| file));
    }
}

fn write(state: &[u64], table: &[AtomicU64], out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(SOME * WORD);
    for some in state.chunks(SOME) {
        bytes.clear();
        some.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    for some in table.chunks(SOME) {
        bytes.clear();
        some.iter().for_each(|word| bytes.extend(word.load(Relaxed).to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::abstraction::Abstraction;
    use crate::builder::tests::random;
    use crate::builder::{BuildError, BuildObserver, BuildOptions, build};
    use crate::file::{TableError, TableStore};
    use crate::layers::Checkpoint;
    use crate::memory::Bytes;
    use crate::table::{PackedTable, StripeTable};
    use crate::testing::{Ring, Tracked};
    use search::{CancelToken, Cost};
    use serde_json::json;
    use std::path::Path;
    use std::sync::Mutex;
    use std::time::Duration;

    /// Cancels after a layer; notes the layers that it is told, and what could not be kept.
    struct Stop {
        at: Cost,
        cancel: CancelToken,
        told: Mutex<Vec<(Cost, u64, u64)>>,
        errors: Mutex<Vec<String>>,
    }

    impl BuildObserver for Stop {
        fn layer(&self, depth: Cost, entries: u64, seen: u64, _: u64) {
            self.told.lock().expect("alive").push((depth, entries, seen));
            if depth == self.at {
                self.cancel.cancel();
            }
        }
        fn not_kept(&self, error: &TableError) {
            self.errors.lock().expect("alive").push(error.to_string());
        }
    }

    type Built = (Result<Bytes, BuildError>, Vec<(Cost, u64, u64)>, Vec<String>);

    /// Builds with two bits an entry or eight, cancelled after a layer.
    fn run(of: &impl Abstraction, two: bool, at: Cost, checkpoint: Option<&Checkpoint>) -> Built {
        let (told, errors) = (Mutex::default(), Mutex::default());
        let stop = Stop { at, cancel: CancelToken::new(), told, errors };
        let (cancel, observer) = (Some(&stop.cancel), Some::<&dyn BuildObserver>(&stop));
        let options = BuildOptions { cancel, observer, checkpoint };
        let built = match two {
            true => StripeTable::build(of, 2, &options).map(StripeTable::into_bytes),
            false => build::<8>(of, &options).map(PackedTable::into_bytes),
        };
        let told = stop.told.into_inner().expect("alive");
        (built, told, stop.errors.into_inner().expect("alive"))
    }

    fn checkpoint(folder: &Path) -> Checkpoint {
        Checkpoint {
            store: TableStore::new(folder),
            name: "toy".to_owned(),
            description: json!({"toy": 1}),
            every: Duration::ZERO,
        }
    }

    fn goes_on(of: &impl Abstraction, two: bool) {
        let folder = tempfile::tempdir().expect("a folder");
        let checkpoint = checkpoint(folder.path());
        let files = || checkpoint.store.list().expect("listed").len();
        let (whole, layers, _) = run(of, two, Cost::MAX, None);
        let whole = whole.expect("built");
        // Four stops along the way: every layer that is kept costs a write to the disk.
        let last = layers.len() - 1;
        for place in (1..last).step_by(last.div_ceil(4)) {
            let at = layers[place].0;
            // The layer before the first uncharged edge is told twice.
            if layers.iter().filter(|layer| layer.0 == at).count() > 1 {
                continue;
            }
            let (stopped, ..) = run(of, two, at, Some(&checkpoint));
            // At the end everything may be seen.
            assert!(matches!(stopped, Err(BuildError::Cancelled)), "{at}: {layers:?}");
            assert_eq!(files(), 1);
            let (built, told, errors) = run(of, two, Cost::MAX, Some(&checkpoint));
            assert_eq!(&built.expect("built")[..], &whole[..], "{at}");
            assert_eq!((&told[..], errors.len()), (&layers[place..], 0), "{at}");
            assert_eq!(files(), 0);
        }
    }

    #[test]
    fn stopped_builds_go_on_and_make_the_same_table() {
        let pattern = Tracked::new(Ring::new(8, 2, 5), 4);
        goes_on(&pattern, false);
        goes_on(&pattern, true);
        for seed in 0..2 {
            goes_on(&random(seed, 200, 9, 1, &[1], seed % 2 == 0), false);
            goes_on(&random(seed, 300, 70, 1, &[1], seed % 2 == 1), true);
            goes_on(&random(seed, 200, 9, 2, &[0, 1, 3], seed % 2 == 0), false);
        }
    }

    #[test]
    fn a_damaged_checkpoint_and_no_folder_cost_nothing() {
        let pattern = Tracked::new(Ring::new(8, 2, 5), 4);
        let (whole, layers, _) = run(&pattern, true, Cost::MAX, None);
        let whole = whole.expect("built");
        let folder = tempfile::tempdir().expect("a folder");
        let own = checkpoint(folder.path());
        assert!(run(&pattern, true, 2, Some(&own)).0.is_err());
        let path = own.store.list().expect("listed").remove(0).expect("a file").path;
        let mut bytes = std::fs::read(&path).expect("a file");
        *bytes.last_mut().expect("bytes") ^= 1;
        std::fs::write(&path, bytes).expect("written");
        let (built, told, errors) = run(&pattern, true, Cost::MAX, Some(&own));
        assert_eq!(&built.expect("built")[..], &whole[..]);
        assert_eq!((told, errors), (layers.clone(), Vec::new()));
        assert_eq!(own.store.list().expect("listed").len(), 0);
        // A file where the folder should be: told once, and the table is built all the same.
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let (built, told, errors) = run(&pattern, true, Cost::MAX, Some(&checkpoint(&file)));
        assert_eq!(&built.expect("built")[..], &whole[..]);
        assert_eq!((told, errors.len()), (layers, 1));
    }
}
