//! Makes the layers of an exhaustive search on disk.

use super::DiskOptions;
use super::cut::{Buffers, Cut};
use super::files::{BucketFiles, PIECE, Slot, Syncs};
use super::manifest::{Bucket, Manifest, Manifests};
use super::passes::{Scratch, each};
use super::spill_files::{Spills, Writer};
use crate::abstraction::Abstraction;
use crate::builder::{BuildError, Flags, Row, Store, Table, equal, words};
use crate::file::{Checkpoint, TableError, TableErrorKind, TableSpec};
use crate::layers::checkpoint::swap_to_little_endian;
use crate::layers::{ExhaustError, ExhaustReport};
use crate::memory::BytesMut;
use crate::table::PackedTable;
use search::{CancelToken, Cost};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The limit of the spill files is looked at after each such share of a bucket.
const SLABS: u64 = 16;
/// The spill files may take so many times the bytes of the table, if the caller sets no limit.
const SPILL_TABLES: u64 = 8;
/// Rows without unseen entries are looked for if at most one entry in so many is unseen.
const MOSTLY_SEEN: u64 = 8;
/// Number of rows that a thread looks at before it looks at the token.
const PART: u64 = 1 << 10;
/// The least limit of the spill files that is worth a search, as a share of the table.
const LEAST_SPILL: u64 = 4;

/// Writes all records of the threads.
fn flush(pool: &Mutex<Vec<Scratch>>, writer: &Writer<'_>) -> Result<(), ExhaustError> {
    let mut buffers = pool.lock().unwrap_or_else(PoisonError::into_inner);
    buffers.iter_mut().try_for_each(|scratch| scratch.flush(writer))
}

/// A running search on disk.
pub(super) struct Run<'a, const BITS: usize> {
    pub(super) abstraction: &'a dyn Abstraction,
    pub(super) options: &'a DiskOptions<'a>,
    pub(super) files: &'a BucketFiles<'a>,
    pub(super) spills: &'a Spills<'a>,
    pub(super) manifests: Manifests<'a>,
    /// The complete layers, and where their codes are.
    pub(super) made: Manifest,
    /// The buckets after the merges of the layer that is being made.
    pub(super) next: Vec<Bucket>,
    /// Most bytes of all spill files.
    pub(super) most_spilled: u64,
    pub(super) buffers: Buffers,
    /// The codes of one bucket.
    pub(super) memory: BytesMut,
    /// The rows that are known to have no unseen entries.
    pub(super) whole: Option<Flags>,
    /// The cost of some edge that does not cost 1.
    pub(super) cost: AtomicU64,
}

impl<'a, const BITS: usize> Run<'a, BITS> {
    pub(super) const UNSEEN: u64 = <Table<'_, BITS> as Store>::UNSEEN;

    /// The code of the entries of a layer. With two bits, it is that of every other layer.
    pub(super) fn code(layer: usize) -> u64 {
        if BITS == 2 { 1 + layer as u64 % 2 } else { layer as u64 }
    }

    /// Makes all layers, then calls `finish`.
    pub(super) fn run<T>(
        abstraction: &'a dyn Abstraction,
        checkpoint: &'a Checkpoint,
        options: &'a DiskOptions<'a>,
        finish: impl FnOnce(Run<'_, BITS>) -> Result<T, ExhaustError>,
    ) -> Result<T, ExhaustError> {
        let store = &checkpoint.store;
        let files = BucketFiles::new(
            store.folder.join(format!("{}-buckets", checkpoint.name)),
            options.cancel,
        )?;
        let lock = TableSpec::new(
            format!("{}-lock", checkpoint.name),
            checkpoint.description.clone(),
            PackedTable::payload(8, 1),
        );
        let Some(_lock) = store.try_lock(&lock)? else {
            let error = TableError::layers(files.folder(), TableErrorKind::Locked);
            return Err(error.into());
        };
        let cancel = options.cancel.cloned().unwrap_or_default();
        if !abstraction.prepare(&cancel) {
            return Err(BuildError::Cancelled.into());
        }
        let mut manifests = Manifests::new(options, checkpoint, abstraction.shape(), BITS);
        let made = match manifests.load() {
            Some(saved) => saved,
            None => Manifest::none(Cut::of(abstraction.shape(), BITS, options.memory)?),
        };
        let spills = Spills::new(&files, made.buckets.len());
        let mut run = Run::<BITS>::new(abstraction, options, (&files, &spills, manifests), made)?;
        let total = run.entries();
        let mut seen: u64 = run.made.layers.iter().sum();
        while seen < total {
            match run.layer() {
                Ok(0) => break,
                Ok(found) => seen += found,
                Err(error) => {
                    if matches!(error, ExhaustError::File(_)) {
                        // The disk may be full, and the layer begins anew in any case.
                        let _ = run.clear();
                    }
                    if matches!(error, ExhaustError::Build(BuildError::TooDeep { .. })) {
                        run.remove()?;
                    }
                    return Err(error);
                }
            }
        }
        finish(run)
    }

    /// Removes all files, and tells how many bytes were read and written.
    pub(super) fn remove(self) -> Result<(), ExhaustError> {
        if let Some(observer) = self.options.observer {
            observer.moved(self.files.read.load(Relaxed), self.files.written.load(Relaxed));
        }
        self.manifests.done();
        self.files.remove()
    }

    fn new(
        abstraction: &'a dyn Abstraction,
        options: &'a DiskOptions<'a>,
        (files, spills, manifests): (&'a BucketFiles<'a>, &'a Spills<'a>, Manifests<'a>),
        made: Manifest,
    ) -> Result<Self, ExhaustError> {
        let cut = made.cut;
        // Saved layers may be cut for more memory than there is now.
        let buffers = cut.buffers(options.memory).ok_or_else(|| cut.limit(options.memory))?;
        let bytes = cut.words(0) * 8;
        let no_memory = |source| BuildError::Memory { bytes: bytes as u64, source };
        let mut run = Self {
            abstraction,
            options,
            files,
            spills,
            manifests,
            next: Vec::new(),
            most_spilled: 0,
            buffers,
            memory: BytesMut::zeroed(0).map_err(no_memory)?,
            whole: buffers.has_flags.then(|| Flags::new(cut.rows)),
            cost: AtomicU64::new(1),
            made,
        };
        run.limit_spill()?;
        run.memory = BytesMut::zeroed(bytes).map_err(no_memory)?;
        run.begin()?;
        Ok(run)
    }

    /// Checks the saved layers, or makes layer 0.
    fn begin(&mut self) -> Result<(), ExhaustError> {
        if let Some(observer) = self.options.observer {
            observer.on_disk(self.files.folder(), self.made.cut.bytes());
        }
        self.files.set_saved(self.made.layers.len());
        if !self.made.layers.is_empty() && !self.is_sound()? {
            self.manifests.refuse();
            self.made.layers.clear();
            self.made.buckets.fill(Bucket::UNSEEN);
            self.files.set_saved(0);
        }
        self.clear()?;
        if self.made.layers.is_empty() { self.goals() } else { Ok(()) }
    }

    /// Removes all files that the complete layers do not need.
    fn clear(&self) -> Result<(), ExhaustError> {
        let buckets = &self.made.buckets;
        let kept = |bucket: usize, slot| buckets.get(bucket).is_some_and(|b| b.slot == Some(slot));
        self.files.clear(&kept)
    }

    /// Sets the limit of the spill files by the space that the disk has.
    fn limit_spill(&mut self) -> Result<(), ExhaustError> {
        let cut = self.made.cut;
        let table = cut.bytes();
        let written = self.made.buckets.iter().filter(|bucket| bucket.slot.is_some()).count();
        let written = written as u64 * cut.words(0) as u64 * 8;
        let free = self.files.free().unwrap_or(u64::MAX);
        let codes = (2 * table).saturating_sub(written);
        let left = free.saturating_sub(codes);
        let wanted = self.options.spill.unwrap_or(table.saturating_mul(SPILL_TABLES));
        let least = wanted.min(table / LEAST_SPILL);
        if left < least {
            let kind = TableErrorKind::Space { needed: codes.saturating_add(least), free };
            return Err(TableError::layers(self.files.folder(), kind).into());
        }
        self.most_spilled = wanted.min(left);
        Ok(())
    }

    /// Number of entries of the whole table.
    fn entries(&self) -> u64 {
        self.made.cut.rows * self.made.cut.columns as u64
    }

    /// Loads the codes of a bucket.
    pub(super) fn load(&mut self, number: usize, bucket: Bucket) -> Result<(), ExhaustError> {
        let words = self.made.cut.words(number);
        let Some(slot) = bucket.slot else {
            Table::<BITS>::unseen(&self.memory.as_words()[..words], self.options.cancel);
            return self.files.check();
        };
        let bytes = &mut self.memory.as_mut_slice()[..words * 8];
        if self.files.load(number, slot, bytes)? != bucket.crc {
            return Err(self.files.damaged(number, slot));
        }
        swap_to_little_endian(&mut self.memory);
        Ok(())
    }

    /// The number of entries of a bucket with a code. Its codes must be loaded.
    pub(super) fn count(&mut self, bucket: usize, code: u64) -> Result<u64, ExhaustError> {
        let words = self.made.cut.words(bucket);
        let hits = |word: &AtomicU64| equal::<BITS>(word.load(Relaxed), code).count_ones();
        let cancel = self.options.cancel;
        let count = words::sum(&self.memory.as_words()[..words], &|_, part| {
            if cancel.is_some_and(CancelToken::is_cancelled) {
                return 0;
            }
            part.iter().map(|word| u64::from(hits(word))).sum()
        });
        self.files.check()?;
        // The bits behind the last entry are those of unseen entries.
        let unused = words as u64 * (64 / BITS as u64) - self.made.cut.entries_of(bucket);
        Ok(if code == Self::UNSEEN { count - unused } else { count })
    }

    /// Notes which rows of the loaded bucket have no unseen entries, if most entries are seen.
    pub(super) fn note_whole(&mut self, bucket: usize) -> Result<(), ExhaustError> {
        let (cut, files, unseen) = (self.made.cut, self.files, self.count(bucket, Self::UNSEEN)?);
        let Some(whole) = self.whole.as_ref() else { return Ok(()) };
        if unseen > cut.entries_of(bucket) / MOSTLY_SEEN {
            return Ok(());
        }
        let (rows, table) = (cut.rows_of(bucket), Table::<BITS>::of(self.memory.as_words()));
        let parts = usize::try_from((rows.end - rows.start).div_ceil(PART)).expect("rows");
        each(parts, &|part| {
            files.check()?;
            let (from, mut columns) = (rows.start + part as u64 * PART, Vec::new());
            for row in from..rows.end.min(from + PART) {
                table.row(row - rows.start, cut.columns).select(
                    cut.columns,
                    Self::UNSEEN,
                    &mut columns,
                );
                if columns.is_empty() {
                    whole.set(row);
                }
            }
            Ok(())
        })
    }

    /// Whether the files hold the codes that the manifest says. A file may be damaged, and a
    /// manifest may be forged.
    fn is_sound(&mut self) -> Result<bool, ExhaustError> {
        let (mut seen, last) = (0, self.made.layers.len() - 1);
        for (number, bucket) in self.made.buckets.clone().into_iter().enumerate() {
            match self.load(number, bucket) {
                Ok(()) => {}
                Err(ExhaustError::File(_)) => return Ok(false),
                Err(other) => return Err(other),
            }
            self.note_whole(number)?;
            let entries = self.made.cut.entries_of(number);
            let Some(found) = entries.checked_sub(self.count(number, Self::UNSEEN)?) else {
                return Ok(false);
            };
            seen += found;
            if bucket.has(last) && self.count(number, Self::code(last))? != bucket.new {
                return Ok(false);
            }
        }
        let sizes = self.made.layers.iter().try_fold(0_u64, |sum, size| sum.checked_add(*size));
        Ok(sizes == Some(seen))
    }

    /// Makes layer 0 from the goals.
    fn goals(&mut self) -> Result<(), ExhaustError> {
        let (mut goals, entries, cut) = (Vec::new(), self.entries(), self.made.cut);
        self.abstraction.goals(&mut goals);
        if goals.is_empty() {
            return Err(BuildError::NoGoal.into());
        }
        if let Some(&entry) = goals.iter().find(|&&entry| entry >= entries) {
            return Err(BuildError::Goal { entry, entries }.into());
        }
        goals.sort_unstable();
        let columns = cut.columns as u64;
        self.next = self.made.buckets.clone();
        let files = self.files;
        files.syncing(|syncs| {
            let bucket = |goal: u64| cut.place(goal / columns).0;
            for goals in goals.chunk_by(|&a, &b| bucket(a) == bucket(b)) {
                let bucket = bucket(goals[0]);
                self.load(bucket, Bucket::UNSEEN)?;
                let table = Table::<BITS>::of(self.memory.as_words());
                for goal in goals {
                    let column = usize::try_from(goal % columns).expect("a column");
                    let row = u64::from(cut.place(goal / columns).1);
                    table.row(row, cut.columns).set(column, Self::code(0));
                }
                self.write(bucket, 0, syncs)?;
            }
            Ok(())
        })?;
        self.complete(0).map(drop)
    }

    /// Makes the next layer, and returns its number of entries. If that is 0, nothing changes.
    fn layer(&mut self) -> Result<u64, ExhaustError> {
        let depth = self.made.layers.len();
        self.next = self.made.buckets.clone();
        let mut from = Some(0);
        while let Some(row) = from {
            from = self.expand_from(row, depth)?;
            self.merge_all(depth)?;
        }
        match self.cost.load(Relaxed) {
            1 => self.complete(depth),
            cost => {
                let cost = Cost::try_from(cost).expect("the cost of an edge");
                Err(ExhaustError::Weighted { cost })
            }
        }
    }

    /// Spills the edges of all rows from one on. If the spill files reach their limit, returns the
    /// row from which to go on after they are merged.
    fn expand_from(&mut self, first: u64, depth: usize) -> Result<Option<u64>, ExhaustError> {
        let (cut, spills, pool) = (self.made.cut, self.spills, Mutex::default());
        let mut stopped = None;
        spills.writing(|writer| {
            let has_new = |&number: &usize| self.made.buckets[number].has(depth - 1);
            let numbers: Vec<usize> = (0..cut.buckets()).filter(has_new).collect();
            for (at, &number) in numbers.iter().enumerate() {
                let rows = cut.rows_of(number);
                if rows.end <= first {
                    continue;
                }
                if let Some(&next) = numbers.get(at + 1) {
                    self.made.buckets[next].slot.map(|slot| self.files.expect(next, slot));
                }
                self.load(number, self.made.buckets[number])?;
                let slab = (rows.end - rows.start).div_ceil(SLABS);
                for from in (rows.start..rows.end).step_by(usize::try_from(slab).expect("rows")) {
                    if from < first {
                        continue;
                    }
                    let to = rows.end.min(from + slab);
                    self.expand(number, from..to, Self::code(depth - 1), (&pool, writer))?;
                    self.tell_rows(depth, to);
                    if spills.bytes() >= self.most_spilled && to < cut.rows {
                        stopped = Some(to);
                        return flush(&pool, writer);
                    }
                }
            }
            flush(&pool, writer)
        })?;
        Ok(stopped)
    }

    fn tell_rows(&self, depth: usize, rows: u64) {
        if let Some(observer) = self.options.observer {
            observer.rows(Cost::try_from(depth).unwrap_or(Cost::MAX), rows, self.made.cut.rows);
        }
    }

    /// Writes the codes of a bucket that are in memory. The bucket has entries of layer `depth`.
    pub(super) fn write(
        &mut self,
        number: usize,
        depth: usize,
        syncs: &Syncs,
    ) -> Result<(), ExhaustError> {
        let new = self.count(number, Self::code(depth))?;
        let slot = match (self.made.buckets[number].slot, self.next[number].slot) {
            // The slot that the manifest names stays as it is.
            (Some(kept), _) => kept.other(),
            (None, slot) => slot.unwrap_or(Slot::A),
        };
        swap_to_little_endian(&mut self.memory);
        let bytes = self.made.cut.words(number) * 8;
        let crc = self.files.save(number, slot, &self.memory.as_mut_slice()[..bytes], syncs)?;
        self.next[number] = Bucket { slot: Some(slot), crc, layer: depth as u64, new };
        Ok(())
    }

    /// Saves the layer whose codes are in `next`, and returns its number of entries.
    fn complete(&mut self, depth: usize) -> Result<u64, ExhaustError> {
        let found = self.next.iter().filter(|bucket| bucket.has(depth));
        let found: u64 = found.map(|bucket| bucket.new).sum();
        if found == 0 {
            return Ok(0);
        }
        let before = std::mem::replace(&mut self.made.buckets, std::mem::take(&mut self.next));
        self.made.layers.push(found);
        if let Err(error) = self.manifests.save(&self.made, self.files) {
            // The files of the manifest before are those to keep.
            self.made.buckets = before;
            self.made.layers.pop();
            return Err(error);
        }
        for (number, (before, bucket)) in before.iter().zip(&self.made.buckets).enumerate() {
            if let Some(slot) = before.slot.filter(|_| before.slot != bucket.slot) {
                self.files.discard(number, slot)?;
            }
        }
        if let Some(observer) = self.options.observer {
            let depth = Cost::try_from(depth).unwrap_or(Cost::MAX);
            observer.layer(depth, found, self.made.layers.iter().sum(), self.entries());
        }
        Ok(found)
    }

    /// The counts, with some entries of the deepest layer. Removes all files.
    pub(super) fn report(mut self) -> Result<ExhaustReport, ExhaustError> {
        let (mut antipodes, mut columns) = (Vec::new(), Vec::new());
        let (cut, last, most) = (self.made.cut, self.made.layers.len() - 1, self.options.antipodes);
        for (number, bucket) in self.made.buckets.clone().into_iter().enumerate() {
            if antipodes.len() >= most || !bucket.has(last) {
                continue;
            }
            self.load(number, bucket)?;
            let table = Table::<BITS>::of(self.memory.as_words());
            let first = cut.rows_of(number).start;
            for row in cut.rows_of(number) {
                self.files.check()?;
                table.row(row - first, cut.columns).select(
                    cut.columns,
                    Self::code(last),
                    &mut columns,
                );
                let entry = |&column: &u16| row * cut.columns as u64 + u64::from(column);
                antipodes.extend(columns.iter().map(entry));
                if antipodes.len() >= most {
                    break;
                }
            }
        }
        antipodes.truncate(most);
        let layers = self.made.layers.clone();
        let unreached = self.entries() - layers.iter().sum::<u64>();
        self.remove()?;
        Ok(ExhaustReport { layers, unreached, antipodes })
    }

    /// Writes the payload of a table: the codes of all buckets, one after another. `bytes` is its
    /// length, without the bytes behind the last entry that fill a word.
    ///
    /// # Errors
    /// The outer one if a bucket cannot be read, the inner one if `out` fails.
    pub(super) fn payload(
        &mut self,
        bytes: u64,
        out: &mut dyn Write,
    ) -> Result<io::Result<()>, ExhaustError> {
        let mut left = bytes;
        for (number, bucket) in self.made.buckets.clone().into_iter().enumerate() {
            if let Some(next) = self.made.buckets.get(number + 1) {
                next.slot.map(|slot| self.files.expect(number + 1, slot));
            }
            self.load(number, bucket)?;
            swap_to_little_endian(&mut self.memory);
            let len = self.made.cut.words(number) as u64 * 8;
            let len = usize::try_from(len.min(left)).expect("bytes in memory");
            for piece in self.memory.as_mut_slice()[..len].chunks(PIECE) {
                if let Err(error) = out.write_all(piece) {
                    return Ok(Err(error));
                }
            }
            left -= len as u64;
        }
        Ok(Ok(()))
    }
}
