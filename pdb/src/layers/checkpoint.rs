//! Checkpoints of an exhaustive search: files with the codes of all entries, then the sizes of the
//! layers.

use super::options::ExhaustOptions;
use crate::abstraction::Abstraction;
use crate::builder::words;
use crate::file::{CheckpointWriter, SavedLayer};
use crate::memory::BytesMut;
use serde_json::json;
use std::sync::atomic::Ordering::Relaxed;

/// Number of words behind the table: the number of layers, then their sizes.
pub(super) const TAIL_WORDS: usize = 4096;
const ENCODING: &str = "layers, 2 bits, then sizes";

/// The checkpoint files of one search. Layers from 4,095 on are not saved.
pub(super) struct LayerFiles<'a> {
    files: CheckpointWriter<'a>,
    entries: u64,
}

impl<'a> LayerFiles<'a> {
    pub(super) fn new(
        options: &ExhaustOptions<'a>,
        abstraction: &dyn Abstraction,
        residues: bool,
    ) -> Self {
        let (rows, columns) = (abstraction.rows(), abstraction.columns());
        let codes = if residues { "modulo 3" } else { "old, last, unseen" };
        let (checkpoint, observer) = (options.build.checkpoint, options.build.observer);
        let files = CheckpointWriter::new(
            checkpoint,
            observer,
            ENCODING,
            &|search| json!({"exhaust": search, "rows": rows, "columns": columns, "codes": codes}),
        );
        let files = files.stopped_by(options.build.cancel);
        Self { files, entries: rows * columns as u64 }
    }

    /// Fills the memory from the newest file and returns the sizes of its layers. `None` if there
    /// is no usable file.
    pub(super) fn load(&mut self, memory: &mut BytesMut) -> Option<Vec<u64>> {
        let len = memory.len() as u64;
        let fits = |layer, _, bytes| layer < TAIL_WORDS - 1 && bytes == len;
        let SavedLayer { layer, bytes } = self.files.load(&fits)?;
        let words = memory.as_words();
        words.iter().zip(words::read(&bytes)).for_each(|(word, read)| word.store(read, Relaxed));
        let sizes = &words[words.len() - TAIL_WORDS + 1..];
        Some(sizes.iter().take(layer + 1).map(|word| word.load(Relaxed)).collect())
    }

    /// Reports that no search can have written the newest file. The search then begins anew.
    pub(super) fn refuse(&mut self) {
        self.files.refuse();
    }

    /// Saves the last of these layers if enough time has passed since the last file.
    pub(super) fn save(&mut self, layers: &[u64], memory: &mut BytesMut) {
        if layers.len() >= TAIL_WORDS || !self.files.is_due() {
            return;
        }
        let words = memory.as_words();
        let tail = &words[words.len() - TAIL_WORDS..];
        tail[0].store(layers.len() as u64, Relaxed);
        tail[1..].iter().zip(layers).for_each(|(word, &size)| word.store(size, Relaxed));
        let shape = (self.entries, (words.len() * size_of::<u64>()) as u64);
        self.files.save(layers.len() - 1, shape, &mut |out| words::write(words::of(words), out));
    }

    /// Removes the files after the search has ended.
    pub(super) fn done(self) {
        self.files.done(usize::MAX);
    }
}
