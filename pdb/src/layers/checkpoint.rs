//! Complete layers saved in a folder of tables, and found again: [`Checkpoint`].

use crate::abstraction::Abstraction;
use crate::file::{Load, TableError, TableSpec, TableStore};
use crate::memory::BytesMut;
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Words behind the table: how many layers there are, then their sizes.
pub(super) const TAIL_WORDS: usize = 4096;
const ENCODING: &str = "layers, 2 bits, then sizes";

/// Where an exhaustive search saves its complete layers. A search of the same description goes on
/// from the last one that was saved; when it is done, it removes what it saved. From layer 4,095 on
/// nothing is saved.
///
/// A file has the size of the table and 32 KiB, and is a table file (see [`file`](crate::file)):
/// there whole or not at all, and never believed unchecked.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The folder.
    pub store: TableStore,
    /// Name of the files, before `-layer-N`.
    pub name: String,
    /// What is searched: whatever changes an entry must be in it. At most about 3,700 bytes of
    /// JSON.
    pub description: Value,
    /// The least time from one file to the next. Zero: each layer is saved.
    pub every: Duration,
}

/// What is saved of one search, and when.
pub(super) struct Saved<'a> {
    checkpoint: Option<&'a Checkpoint>,
    description: Value,
    entries: u64,
    /// Number of the layer that the newest file holds.
    newest: Option<usize>,
    since: Instant,
}

impl<'a> Saved<'a> {
    pub(super) fn new(
        checkpoint: Option<&'a Checkpoint>,
        abstraction: &impl Abstraction,
        residues: bool,
    ) -> Self {
        let (rows, columns) = (abstraction.rows(), abstraction.columns());
        let search = checkpoint.map(|checkpoint| &checkpoint.description);
        let codes = if residues { "modulo 3" } else { "old, last, unseen" };
        let description =
            json!({"exhaust": search, "rows": rows, "columns": columns, "codes": codes});
        let (entries, newest) = (rows * columns as u64, None);
        Self { checkpoint, description, entries, newest, since: Instant::now() }
    }

    /// The file of a layer.
    fn spec(&self, checkpoint: &Checkpoint, layer: usize, bytes: usize) -> TableSpec {
        let shape = (self.entries, bytes as u64);
        checkpoint.spec(self.description.clone(), layer, ENCODING, shape)
    }

    /// Fills the memory from the newest file of this search, if there is one; the sizes of its
    /// layers.
    pub(super) fn load(&mut self, memory: &mut BytesMut) -> Result<Option<Vec<u64>>, TableError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(None) };
        let files = checkpoint.files(|layer, _| self.spec(checkpoint, layer, memory.len()))?;
        let Some((layer, spec)) = files.into_iter().max_by_key(|(layer, _)| *layer) else {
            return Ok(None);
        };
        let bytes = checkpoint.store.load(&spec, Load::Mmap)?;
        memory.as_mut_slice().copy_from_slice(&bytes);
        little_endian(memory);
        self.newest = Some(layer);
        let words = memory.as_words();
        let tail = &words[words.len() - TAIL_WORDS..];
        // The file says itself how many layers it holds; its checksums say that it does.
        Ok(Some(tail[1..].iter().take(layer + 1).map(|word| word.load(Relaxed)).collect()))
    }

    /// Saves the last of these layers, if it is time to, and removes the file before.
    pub(super) fn save(&mut self, layers: &[u64], memory: &mut BytesMut) -> Result<(), TableError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(()) };
        if layers.len() >= TAIL_WORDS || self.since.elapsed() < checkpoint.every {
            return Ok(());
        }
        let words = memory.as_words();
        let tail = &words[words.len() - TAIL_WORDS..];
        tail[0].store(layers.len() as u64, Relaxed);
        tail[1..].iter().zip(layers).for_each(|(word, &size)| word.store(size, Relaxed));
        let layer = layers.len() - 1;
        let spec = self.spec(checkpoint, layer, memory.len());
        little_endian(memory);
        let saved = checkpoint.store.save(&spec, memory.as_mut_slice());
        little_endian(memory);
        saved?;
        let older = self.newest.replace(layer);
        self.since = Instant::now();
        self.remove_layer(older, memory.len())
    }

    /// Removes the newest file.
    pub(super) fn remove(&mut self, bytes: usize) -> Result<(), TableError> {
        let newest = self.newest.take();
        self.remove_layer(newest, bytes)
    }

    fn remove_layer(&self, layer: Option<usize>, bytes: usize) -> Result<(), TableError> {
        if let (Some(checkpoint), Some(layer)) = (self.checkpoint, layer) {
            checkpoint.store.remove(&self.spec(checkpoint, layer, bytes))?;
        }
        Ok(())
    }
}

/// Turns words of this machine into little-endian ones, and back.
fn little_endian(memory: &mut BytesMut) {
    if cfg!(target_endian = "big") {
        memory.as_words().iter().for_each(|word| word.store(word.load(Relaxed).to_le(), Relaxed));
    }
}
