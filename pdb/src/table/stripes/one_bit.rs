//! Builds stripe tables of one bit an entry in the memory of the finished table.
//!
//! A bit says whether an entry is seen, but not since which layer. So the table is written to a
//! temporary file before each layer. The builder then reads the rows of this file, and walks
//! forward from all entries that were seen before the layer. It walks from an entry again in every
//! later layer. That costs little, because layers grow.

use super::build::{STRIPE_WORDS, StripeBuildTable, StripeLayout, WITHOUT_LEAST};
use crate::abstraction::{Abstraction, Edge};
use crate::builder::{
    BuildError, BuildFiles, BuildOptions, BuildTable, Cancellation, Flags, Layout, Row, goals_of,
    map_of, sweep, through, words,
};
use search::{CancelToken, Cost};
use serde_json::json;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// Number of rows that are written and read at once.
const BLOCK: u64 = 256;
/// How many edges ahead a row is asked for.
const AHEAD: usize = 2;
/// The value of entries that are seen, in any layer.
const SEEN: u64 = 0;

/// Fills a table. All `words` must be zero.
///
/// The temporary file is in the folder of the checkpoint, or in that of the system.
pub(super) fn fill(
    abstraction: &dyn Abstraction,
    base: Cost,
    options: &BuildOptions<'_>,
    words: &[AtomicU64],
) -> Result<(), BuildError> {
    let shape = json!({
        "form": 1, "rows": abstraction.rows(), "columns": abstraction.columns(), "bits": 1,
        "values": usize::from(base) + 1,
    });
    let mut files = BuildFiles::new(options, &shape);
    match OneBit::new(abstraction, base, options, words).layers(&mut files) {
        // Keeps the checkpoint: the next build resumes from it.
        Err(BuildError::Cancelled) => Err(BuildError::Cancelled),
        made => {
            files.done();
            made?;
            words::to_little_endian(words);
            Ok(())
        }
    }
}

/// The state of a build.
struct OneBit<'a> {
    abstraction: &'a dyn Abstraction,
    options: &'a BuildOptions<'a>,
    table: StripeBuildTable<'a, 1>,
    rows: u64,
    columns: usize,
    /// Number of entries in each layer up to the base.
    counts: Vec<u64>,
    /// The blocks of rows in which an entry is seen.
    held: Flags,
    /// Whether a walk met an edge that does not cost 1.
    costly: AtomicBool,
}

impl<'a> OneBit<'a> {
    fn new(
        abstraction: &'a dyn Abstraction,
        base: Cost,
        options: &'a BuildOptions<'a>,
        words: &'a [AtomicU64],
    ) -> Self {
        let (rows, columns) = abstraction.shape();
        let table = StripeBuildTable::of(words, base);
        let (counts, held) = (vec![0; usize::from(base) + 1], Flags::new(rows.div_ceil(BLOCK)));
        let costly = AtomicBool::new(false);
        Self { abstraction, options, table, rows, columns, counts, held, costly }
    }

    /// Makes all layers up to the base.
    fn layers(mut self, files: &mut BuildFiles<'_>) -> Result<(), BuildError> {
        self.options.prepare(self.abstraction)?;
        let made = match files.load(&|| self.counts.len(), self.table.words()) {
            Some((layer, counts)) if self.resume(layer, &counts) => layer,
            loaded => {
                if loaded.is_some() {
                    files.refuse();
                }
                self.goals()?;
                0
            }
        };
        let before = match self.counts.len() - made {
            1 => None,
            _ => Some(LayerFile::new(self.options).map_err(BuildError::TemporaryFile)?),
        };
        for depth in made + 1..self.counts.len() {
            let Some(before) = &before else { break };
            if self.is_full() || self.layer(depth, before)? == 0 {
                break;
            }
            files.save(depth, &|| self.counts.clone(), self.table.words());
        }
        self.check_last()
    }

    /// Makes every entry unseen, and sets layer 0 to the goals.
    fn goals(&mut self) -> Result<(), BuildError> {
        self.held.clear();
        self.counts.fill(0);
        self.table.reset(self.columns, self.options.cancel);
        self.check_cancelled()?;
        let (columns, mut found) = (self.columns as u64, 0);
        let mut bits = self.row_bits();
        for entry in goals_of(self.abstraction)? {
            let column = usize::try_from(entry % columns).expect("a column");
            let row = self.table.row(entry / columns, self.columns);
            let (word, shift) = row.layout.slot(column);
            bits[word] = 1 << shift;
            found += see(&row, &mut bits, 0);
            self.held.set(entry / columns / BLOCK);
        }
        self.report_layer(0, found);
        Ok(())
    }

    /// Returns an error if the build is cancelled.
    fn check_cancelled(&self) -> Result<(), BuildError> {
        match self.options.cancel.is_some_and(CancelToken::is_cancelled) {
            true => Err(BuildError::Cancelled),
            false => Ok(()),
        }
    }

    /// A word of zeros for each word of a row.
    fn row_bits(&self) -> Vec<u64> {
        vec![0; self.table.place(0, self.columns).1]
    }

    /// Sets the entries of one layer, and returns their number.
    fn layer(&mut self, depth: usize, before: &LayerFile) -> Result<u64, BuildError> {
        let held = Flags::new(self.rows.div_ceil(BLOCK));
        held.add(&self.held);
        for block in (0..self.rows.div_ceil(BLOCK)).filter(|&block| held.get(block)) {
            self.check_cancelled()?;
            let (first, words) = self.block(block);
            before.write(first, words).map_err(BuildError::TemporaryFile)?;
        }
        let failure = OnceLock::new();
        let found = self.sweep(depth, &|block| {
            if !held.get(block) {
                return 0;
            }
            let (first, words) = self.block(block);
            match before.read(first, words.len()) {
                Ok(words) => self.forward(block, &words, depth as u64),
                Err(error) => {
                    failure.get_or_init(|| error);
                    0
                }
            }
        })?;
        if let Some(error) = failure.into_inner() {
            return Err(BuildError::TemporaryFile(error));
        }
        if found > 0 {
            self.report_layer(depth, found);
        }
        Ok(found)
    }

    /// Walks from all entries of a block of rows that are seen in `words`. Sets all unseen targets,
    /// and returns their number.
    fn forward(&self, block: u64, words: &[AtomicU64], depth: u64) -> u64 {
        let (mut found, mut bits) = (0, self.row_bits());
        self.each_row(block, words, &mut |columns, edges| {
            for (at, edge) in edges.iter().enumerate() {
                // The first line of each row was asked for before.
                if let Some(soon) = edges.get(at + AHEAD) {
                    self.table.row(soon.row, self.columns).prefetch_rest();
                }
                let target = self.table.row(edge.row, self.columns);
                let map = map_of(self.abstraction, edge, self.columns);
                // The bits are gathered first: an atomic step for each would take longer.
                through(map, self.columns, columns, |column| {
                    let (word, shift) = target.layout.slot(column);
                    bits[word] |= 1 << shift;
                    true
                });
                let new = see(&target, &mut bits, depth);
                if new > 0 {
                    self.held.set(edge.row / BLOCK);
                }
                found += new;
            }
        });
        found
    }

    /// Returns an error if an edge from the last layer does not cost 1. No walk has read these
    /// edges. An uncharged edge to an unseen entry would make its value too large.
    fn check_last(&self) -> Result<(), BuildError> {
        if self.is_full() {
            return Ok(());
        }
        let checked = self.sweep(self.counts.len() - 1, &|block| {
            if self.held.get(block) {
                self.each_row(block, self.block(block).1, &mut |_, _| ());
            }
            0
        });
        checked.map(|_| ())
    }

    /// Calls `work` for each row of a block that has seen entries: with their columns, and the
    /// edges of the row. `words` are the words of the block.
    fn each_row(&self, block: u64, words: &[AtomicU64], work: &mut dyn FnMut(&[u16], &[Edge])) {
        let (mut columns, mut edges) = (Vec::new(), Vec::new());
        let (_, row_words, layout) = self.table.place(0, self.columns);
        for (row, words) in (block * BLOCK..).zip(words.chunks_exact(row_words)) {
            Row { words, layout }.select(self.columns, SEEN, &mut columns);
            if columns.is_empty() {
                continue;
            }
            edges.clear();
            self.abstraction.edges(row, &mut edges);
            for edge in &edges {
                self.table.prefetch(edge.row, self.columns);
                if edge.cost != 1 {
                    self.costly.store(true, Relaxed);
                }
            }
            work(&columns, &edges);
        }
    }

    /// Calls `work` with every block of rows. Returns the sum of the results.
    fn sweep(&self, depth: usize, work: &(dyn Fn(u64) -> u64 + Sync)) -> Result<u64, BuildError> {
        let found = sweep(self.options, depth, (self.rows, BLOCK), &|block, _| work(block));
        let found = found.map_err(|Cancellation| BuildError::Cancelled)?;
        if self.costly.load(Relaxed) { Err(BuildError::Costs) } else { Ok(found) }
    }

    /// Restores the state saved after a layer. Returns false if no build can have saved this table.
    fn resume(&mut self, layer: usize, counts: &[u64]) -> bool {
        self.counts.copy_from_slice(counts);
        let mut columns = Vec::new();
        let mut seen = 0;
        for row in 0..self.rows {
            self.table.row(row, self.columns).select(self.columns, SEEN, &mut columns);
            if !columns.is_empty() {
                self.held.set(row / BLOCK);
            }
            seen += columns.len() as u64;
        }
        let sum = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        let sound = self.table.is_sound(self.columns);
        let resumed = layer < self.counts.len() && sum == Some(seen) && sound;
        if resumed {
            self.report_layer(layer, 0);
        }
        resumed
    }

    /// Adds a layer's new entries to its count, and reports the layer to the observer.
    fn report_layer(&mut self, depth: usize, found: u64) {
        self.counts[depth] += found;
        if let (Some(observer), Ok(cost)) = (self.options.observer, Cost::try_from(depth)) {
            let seen = self.counts.iter().sum();
            observer.layer(cost, self.counts[depth], seen, self.rows * self.columns as u64);
        }
    }

    /// Whether all entries are seen.
    fn is_full(&self) -> bool {
        self.counts.iter().sum::<u64>() == self.rows * self.columns as u64
    }

    /// The number of the first word of a block of rows, and its words.
    fn block(&self, block: u64) -> (usize, &[AtomicU64]) {
        let words = self.table.words();
        let first = |block: u64| self.table.place(block * BLOCK, self.columns).0.min(words.len());
        (first(block), &words[first(block)..first(block + 1)])
    }
}

/// Sets the entries of a row that `bits` has, a bit each as in the row's words. Clears `bits`.
/// Returns how many of the entries were unseen. The first entry that is set in a stripe gives the
/// stripe its minimum.
#[inline(always)]
fn see(row: &Row<'_, StripeLayout<1>>, bits: &mut [u64], depth: u64) -> u64 {
    let mut found = 0;
    for (at, bits) in bits.iter_mut().enumerate() {
        // The bits of unseen entries are set.
        let new = std::mem::take(bits) & row.words[at].load(Relaxed);
        if new == 0 {
            continue;
        }
        // Other threads may set some of them, and the minimum, at the same time with this depth.
        found += u64::from((new & row.words[at].fetch_and(!new, Relaxed)).count_ones());
        let last = &row.words[at | (STRIPE_WORDS - 1)];
        if last.load(Relaxed) | WITHOUT_LEAST == u64::MAX {
            last.fetch_and(depth << 60 | WITHOUT_LEAST, Relaxed);
        }
    }
    found
}

/// The table as it was before a layer, in a temporary file.
struct LayerFile(Mutex<File>);

impl LayerFile {
    fn new(options: &BuildOptions<'_>) -> io::Result<Self> {
        let folder = options
            .checkpoint
            .and_then(|checkpoint| tempfile::tempfile_in(&checkpoint.store.folder).ok());
        Ok(Self(Mutex::new(folder.map_or_else(tempfile::tempfile, Ok)?)))
    }

    /// Writes `words`, from word `first` of the table on.
    fn write(&self, first: usize, words: &[AtomicU64]) -> io::Result<()> {
        let bytes: Vec<u8> = words::of(words).flat_map(u64::to_le_bytes).collect();
        self.at(first, |file| file.write_all(&bytes))
    }

    /// Reads `len` words, from word `first` of the table on.
    fn read(&self, first: usize, len: usize) -> io::Result<Vec<AtomicU64>> {
        let mut bytes = vec![0; 8 * len];
        self.at(first, |file| file.read_exact(&mut bytes))?;
        Ok(words::read(&bytes).map(AtomicU64::new).collect())
    }

    fn at(&self, word: usize, work: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let mut file = self.0.lock().expect("no thread panics while it holds this lock");
        file.seek(SeekFrom::Start(8 * word as u64))?;
        work(&mut file)
    }
}
