//! Checkpoints of builds: files in a folder of tables, with the complete layers and the builder's
//! counts.

use super::{BuildOptions, words};
use crate::file::{CheckpointWriter, SavedLayer};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const ENCODING: &str = "build";
/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// The checkpoint files of one build. A file has the words of the builder, then those of the table,
/// all little-endian.
pub(crate) struct BuildFiles<'a>(CheckpointWriter<'a>);

impl<'a> BuildFiles<'a> {
    /// The files of a build. `shape` distinguishes abstractions and table forms that have the same
    /// description.
    pub(crate) fn new(options: &BuildOptions<'a>, shape: &Value) -> Self {
        let describe = |build: &Value| json!({"build": build, "shape": shape});
        let files =
            CheckpointWriter::new(options.checkpoint, options.observer, ENCODING, &describe);
        Self(files.stopped_by(options.cancel))
    }

    /// Fills the table from the newest file of this build. Returns its layer, and the words of the
    /// builder. `own` gives their number. `None` if no file has the right number of words.
    pub(crate) fn load(
        &mut self,
        own: &dyn Fn() -> usize,
        table: &[AtomicU64],
    ) -> Option<(usize, Vec<u64>)> {
        if !self.0.is_on() {
            return None;
        }
        let own = own();
        let len = ((own + table.len()) * WORD) as u64;
        let SavedLayer { layer, bytes } = self.0.load(&|_, _, bytes| bytes == len)?;
        let mut all = words::read(&bytes);
        let state = all.by_ref().take(own).collect();
        table.iter().zip(all).for_each(|(word, read)| word.store(read, Relaxed));
        Some((layer, state))
    }

    /// Reports that no build can have written the newest file. The build then begins anew.
    pub(crate) fn refuse(&mut self) {
        self.0.refuse();
    }

    /// Saves a complete layer if enough time has passed since the last file.
    pub(crate) fn save(&mut self, layer: usize, state: &dyn Fn() -> Vec<u64>, table: &[AtomicU64]) {
        if self.0.is_due() {
            let state = state();
            let words = (state.len() + table.len()) as u64;
            let shape = (words, words.saturating_mul(WORD as u64));
            self.0.save(layer, shape, &mut |out| {
                words::write(state.iter().copied().chain(words::of(table)), out)
            });
        }
    }

    /// Removes the files after the build has ended.
    pub(crate) fn done(self) {
        self.0.done(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use crate::abstraction::Abstraction;
    use crate::builder::tests::random;
    use crate::builder::{BuildError, BuildObserver, BuildOptions, build};
    use crate::file::{Checkpoint, TableError, TableStore};
    use crate::memory::Bytes;
    use crate::table::{PackedTable, StripeCode, StripeTable};
    use crate::testing::{DiscPattern, Ring};
    use search::{CancelToken, Cost};
    use serde_json::json;
    use std::path::Path;
    use std::sync::Mutex;
    use std::time::Duration;

    /// An observer that cancels after a layer. It notes the reported layers, and the failures to
    /// keep files.
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

    type Code = Option<StripeCode>;
    const TWO: Code = Some(StripeCode::two(2));
    const ONE: Code = Some(StripeCode::one(4));

    type Built = (Result<Bytes, BuildError>, Vec<(Cost, u64, u64)>, Vec<String>);

    /// Builds a stripe table of this code or a table of eight bits an entry, and cancels after the
    /// layer `at`.
    fn run(of: &dyn Abstraction, code: Code, at: Cost, checkpoint: Option<&Checkpoint>) -> Built {
        let (told, errors) = (Mutex::default(), Mutex::default());
        let stop = Stop { at, cancel: CancelToken::new(), told, errors };
        let (cancel, observer) = (Some(&stop.cancel), Some::<&dyn BuildObserver>(&stop));
        let options = BuildOptions { cancel, observer, checkpoint, team: None };
        let built = match code {
            Some(code) => StripeTable::build(of, code, &options).map(StripeTable::into_bytes),
            None => build::<8>(of, &options).map(PackedTable::into_bytes),
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

    fn goes_on(of: &dyn Abstraction, code: Code) {
        let folder = tempfile::tempdir().expect("a folder");
        let checkpoint = checkpoint(folder.path());
        let files = || checkpoint.store.list().expect("listed").len();
        let (whole, layers, _) = run(of, code, Cost::MAX, None);
        let whole = whole.expect("built");
        // Four stops along the way: every layer that is kept costs a write to the disk.
        let last = layers.len() - 1;
        for place in (1..last).step_by(last.div_ceil(4)) {
            let at = layers[place].0;
            // The layer before the first uncharged edge is reported twice.
            if layers.iter().filter(|layer| layer.0 == at).count() > 1 {
                continue;
            }
            let (stopped, ..) = run(of, code, at, Some(&checkpoint));
            // In the last layers all entries may be seen already.
            assert!(matches!(stopped, Err(BuildError::Cancelled)), "{at}: {layers:?}");
            assert_eq!(files(), 1);
            let (built, told, errors) = run(of, code, Cost::MAX, Some(&checkpoint));
            assert_eq!(&built.expect("built")[..], &whole[..], "{at}");
            assert_eq!((&told[..], errors.len()), (&layers[place..], 0), "{at}");
            assert_eq!(files(), 0);
        }
    }

    #[test]
    fn stopped_builds_go_on_and_make_the_same_table() {
        let pattern = DiscPattern::new(Ring::new(8, 2, 5), 4);
        [None, TWO, ONE].iter().for_each(|&code| goes_on(&pattern, code));
        for seed in 0..2 {
            goes_on(&random(seed, 200, 9, 1, &[1], seed % 2 == 0), None);
            goes_on(&random(seed, 300, 70, 1, &[1], seed % 2 == 1), TWO);
            goes_on(&random(seed, 300, 130, 1, &[1], seed % 2 == 1), ONE);
            goes_on(&random(seed, 200, 9, 2, &[0, 1, 3], seed % 2 == 0), None);
        }
    }

    /// The file of a newer program stays, and is told.
    #[test]
    fn a_checkpoint_of_a_newer_version_is_told() {
        let pattern = DiscPattern::new(Ring::new(8, 2, 5), 4);
        let (whole, layers, _) = run(&pattern, TWO, Cost::MAX, None);
        let folder = tempfile::tempdir().expect("a folder");
        let own = checkpoint(folder.path());
        assert!(run(&pattern, TWO, 2, Some(&own)).0.is_err());
        let path = own.store.list().expect("listed").remove(0).expect("a file").path;
        let mut bytes = std::fs::read(&path).expect("a file");
        bytes[8] = 9;
        std::fs::write(&path, &bytes).expect("written");
        let (built, told, errors) = run(&pattern, TWO, Cost::MAX, Some(&own));
        assert_eq!(&built.expect("built")[..], &whole.expect("built")[..]);
        assert_eq!((told, errors.len()), (layers, 1), "{errors:?}");
        let expected = "header, bytes 8..12: format version 9, this program reads version 1";
        assert!(errors[0].contains("toy-layer-2.table"), "{errors:?}");
        assert!(errors[0].contains(expected), "{errors:?}");
        assert_eq!(std::fs::read(&path).expect("a file"), bytes);
        // Files of other names count for nothing.
        std::fs::rename(&path, path.with_file_name("other-layer-2.table")).expect("renamed");
        let (_, _, errors) = run(&pattern, TWO, Cost::MAX, Some(&own));
        assert!(errors.is_empty(), "{errors:?}");
    }

    #[test]
    fn a_damaged_checkpoint_and_no_folder_cost_nothing() {
        let pattern = DiscPattern::new(Ring::new(8, 2, 5), 4);
        let (whole, layers, _) = run(&pattern, TWO, Cost::MAX, None);
        let whole = whole.expect("built");
        let folder = tempfile::tempdir().expect("a folder");
        let own = checkpoint(folder.path());
        assert!(run(&pattern, TWO, 2, Some(&own)).0.is_err());
        let path = own.store.list().expect("listed").remove(0).expect("a file").path;
        let mut bytes = std::fs::read(&path).expect("a file");
        *bytes.last_mut().expect("bytes") ^= 1;
        std::fs::write(&path, bytes).expect("written");
        let (built, told, errors) = run(&pattern, TWO, Cost::MAX, Some(&own));
        assert_eq!(&built.expect("built")[..], &whole[..]);
        // The damage is reported, and the build begins anew.
        assert_eq!((told, errors.len()), (layers.clone(), 1));
        assert!(errors[0].contains("toy-layer-2.table: chunk 0"), "{errors:?}");
        assert_eq!(own.store.list().expect("listed").len(), 0);
        // The path of the folder is a file. That is reported once, and the table is built all the
        // same.
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let (built, told, errors) = run(&pattern, TWO, Cost::MAX, Some(&checkpoint(&file)));
        assert_eq!(&built.expect("built")[..], &whole[..]);
        assert_eq!((told, errors.len()), (layers, 1));
    }
}
