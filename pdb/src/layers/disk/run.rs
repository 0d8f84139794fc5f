//! Makes the layers of an exhaustive search on disk.

use super::costs::Costs;
use super::cut::{Buffers, Cut};
use super::files::BucketFiles;
use super::manifest::{Bucket, Manifest, Manifests};
use super::options::DiskOptions;
use super::spill_files::Spills;
use crate::abstraction::Abstraction;
use crate::builder::{BuildError, Flags, Row, Store, Table, goals_of};
use crate::file::{BuildLock, Checkpoint, TableError, TableErrorKind, TableSpec};
use crate::layers::{ExhaustError, ExhaustReport};
use crate::memory::BytesMut;
use crate::table::PackedTable;
use search::Cost;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

/// Default limit of all spill files, in multiples of the table's size.
const SPILL_TABLES: u64 = 8;
/// The least limit of the spill files that is worth a search, as a share of the table.
const LEAST_SPILL: u64 = 4;

/// A running search on disk.
pub(super) struct Run<'a, const BITS: usize> {
    pub(super) abstraction: &'a dyn Abstraction,
    pub(super) options: &'a DiskOptions<'a>,
    pub(super) files: &'a BucketFiles<'a>,
    pub(super) spills: &'a Spills<'a>,
    pub(super) manifests: Manifests<'a>,
    /// The complete layers, and where their codes are.
    pub(super) made: Manifest,
    /// The buckets after the merges so far.
    pub(super) next: Vec<Bucket>,
    /// Most bytes of all spill files.
    pub(super) most_spilled: u64,
    pub(super) buffers: Buffers,
    /// The codes of one bucket.
    pub(super) memory: BytesMut,
    /// The rows that are known to have no unseen entries.
    pub(super) whole: Option<Flags>,
    /// The known costs of edges.
    pub(super) costs: Costs,
    /// The greatest distance to find, if not all; each edge must then cost 1.
    pub(super) most: Option<Cost>,
    /// Whether a step leads to an unseen entry whose distance no code holds.
    pub(super) is_too_deep: bool,
    /// Whether edges are read only for their costs.
    pub(super) is_dry: bool,
}

/// The folder of the files with codes.
fn folder_of(checkpoint: &Checkpoint) -> PathBuf {
    checkpoint.store.folder.join(format!("{}-buckets", checkpoint.name))
}

/// The lock of a search or build. `None` if another process has it.
fn lock(checkpoint: &Checkpoint) -> Result<Option<BuildLock>, TableError> {
    let (name, description) = (format!("{}-lock", checkpoint.name), checkpoint.description.clone());
    checkpoint.store.try_lock(&TableSpec::new(name, description, PackedTable::payload(8, 1)))
}

/// Removes the layers that a killed build left, whose table is saved. Leaves them if another
/// process works on them, or they are of a build with another description.
///
/// # Errors
/// If a file cannot be removed.
pub fn remove_layers(checkpoint: &Checkpoint) -> Result<(), ExhaustError> {
    if !folder_of(checkpoint).exists() {
        return Ok(());
    }
    let Some(_lock) = lock(checkpoint)? else { return Ok(()) };
    let begin = format!("{}-layer-", checkpoint.name);
    let manifests = checkpoint.store.list()?.into_iter().flatten().map(|file| file.spec());
    let manifests: Vec<_> = manifests.filter(|spec| spec.name.starts_with(&begin)).collect();
    if manifests.iter().any(|spec| spec.description["exhaust"] != checkpoint.description) {
        return Ok(());
    }
    for spec in &manifests {
        checkpoint.store.remove(spec)?;
    }
    BucketFiles::new(folder_of(checkpoint), None)?.remove()
}

impl<'a, const BITS: usize> Run<'a, BITS> {
    pub(super) const UNSEEN: u64 = <Table<'_, BITS> as Store>::UNSEEN;

    /// The code of the entries of a layer. With two bits, it is that of every other layer.
    pub(super) fn code(layer: usize) -> u64 {
        if BITS == 2 { 1 + layer as u64 % 2 } else { layer as u64 }
    }

    /// Makes all layers up to the greatest distance, if there is one. Then calls `finish`.
    pub(super) fn run<T>(
        abstraction: &'a dyn Abstraction,
        checkpoint: &'a Checkpoint,
        (options, most): (&'a DiskOptions<'a>, Option<Cost>),
        finish: impl FnOnce(Run<'_, BITS>) -> Result<T, ExhaustError>,
    ) -> Result<T, ExhaustError> {
        let files = BucketFiles::new(folder_of(checkpoint), options.cancel)?;
        let Some(_lock) = lock(checkpoint)? else {
            let error = TableError::layers(files.folder(), TableErrorKind::Locked);
            return Err(error.into());
        };
        let cancel = options.cancel.cloned().unwrap_or_default();
        if !abstraction.prepare(&cancel) {
            return Err(BuildError::Cancelled.into());
        }
        let mut manifests = Manifests::new(options, checkpoint, abstraction.shape(), (BITS, most));
        let made = match manifests.load()? {
            Some(saved) => saved,
            None => Manifest::none(Cut::of(abstraction.shape(), BITS, options.memory)?),
        };
        let spills = Spills::new(&files, made.buckets.len());
        let mut run =
            Run::<BITS>::new(abstraction, (options, most), (&files, &spills, manifests), made)?;
        match run.layers() {
            Ok(()) => finish(run),
            Err(error) => Err(run.failed(error)),
        }
    }

    /// Removes the files that no later run needs, and returns the error.
    pub(super) fn failed(self, error: ExhaustError) -> ExhaustError {
        match error {
            ExhaustError::File(_) => {
                // The disk may be full, and what was begun begins anew in any case.
                let _ = self.clear();
                error
            }
            // No run can end otherwise.
            ExhaustError::Weighted { .. }
            | ExhaustError::Build(BuildError::Costs | BuildError::TooDeep { .. }) => {
                self.remove();
                error
            }
            error => error,
        }
    }

    fn layers(&mut self) -> Result<(), ExhaustError> {
        while self.seen() < self.entries() && self.layer()? > 0 {}
        self.check_last()
    }

    /// Removes all files, and tells how many bytes were read and written. The answer is known by
    /// now, so the observer is told of a file that stays.
    pub(super) fn remove(self) {
        let observer = self.options.observer;
        if let Some(observer) = observer {
            observer.moved(self.files.read.load(Relaxed), self.files.written.load(Relaxed));
        }
        self.manifests.done();
        if let (Some(observer), Err(ExhaustError::File(error))) = (observer, self.files.remove()) {
            observer.not_kept(&error);
        }
    }

    fn new(
        abstraction: &'a dyn Abstraction,
        (options, most): (&'a DiskOptions<'a>, Option<Cost>),
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
            costs: Costs::of(made.costs),
            most,
            is_too_deep: false,
            is_dry: false,
            made,
        };
        // What a stopped run left takes space that this one may use.
        run.clear()?;
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
            self.made = Manifest::none(self.made.cut);
            self.costs = Costs::of(self.made.costs);
            self.files.set_saved(0);
            self.clear()?;
        }
        self.next = self.made.buckets.clone();
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

    /// Most bytes of spill files with the values of a table. The disk needs `payload` bytes for the
    /// table's file, too.
    ///
    /// # Errors
    /// If the disk has not `least` bytes.
    pub(super) fn limit_records(&self, least: u64, payload: u64) -> Result<u64, ExhaustError> {
        let free = self.files.free().unwrap_or(u64::MAX);
        if free < least {
            let kind = TableErrorKind::Space { needed: least, free };
            return Err(TableError::layers(self.files.folder(), kind).into());
        }
        let table = self.made.cut.bytes();
        let wanted = self.options.spill.unwrap_or(table.saturating_mul(SPILL_TABLES));
        Ok(wanted.min(free.saturating_sub(payload)))
    }

    /// Number of entries of the complete layers.
    pub(super) fn seen(&self) -> u64 {
        self.made.layers.iter().sum()
    }

    /// Number of entries of the whole table.
    pub(super) fn entries(&self) -> u64 {
        self.made.cut.rows * self.made.cut.columns as u64
    }

    /// Makes layer 0 from the goals.
    fn goals(&mut self) -> Result<(), ExhaustError> {
        let (mut goals, cut) = (goals_of(self.abstraction)?, self.made.cut);
        goals.sort_unstable();
        let columns = cut.columns as u64;
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
                let new = self.count(bucket, Self::code(0))?;
                self.write(bucket, (0, new), syncs)?;
            }
            Ok(())
        })?;
        self.complete(0).map(drop)
    }

    pub(super) fn tell_rows(&self, depth: usize, rows: u64) {
        if let Some(observer) = self.options.observer {
            observer.rows(Cost::try_from(depth).unwrap_or(Cost::MAX), rows, self.made.cut.rows);
        }
    }

    /// Number of entries of the last layer in `next`.
    pub(super) fn found(&self, depth: usize) -> u64 {
        self.next.iter().filter(|bucket| bucket.has(depth)).map(|bucket| bucket.new).sum()
    }

    /// Saves the layer whose codes are in `next`, and returns its number of entries.
    pub(super) fn complete(&mut self, depth: usize) -> Result<u64, ExhaustError> {
        let found = self.found(depth);
        let before = std::mem::replace(&mut self.made.buckets, self.next.clone());
        let saved = self.made.layers.len();
        // Layers between this one and the last have no entries.
        self.made.layers.resize(depth, 0);
        self.made.layers.push(found);
        self.made.costs = self.costs.words();
        if let Err(error) = self.manifests.save(&self.made, self.files) {
            // The files of the manifest before are those to keep.
            self.made.buckets = before;
            self.made.layers.truncate(saved);
            return Err(error);
        }
        for (number, (before, bucket)) in before.iter().zip(&self.made.buckets).enumerate() {
            if let Some(slot) = before.slot.filter(|_| before.slot != bucket.slot) {
                self.files.discard(number, slot)?;
            }
        }
        self.tell(depth);
        Ok(found)
    }

    /// Tells the observer the size of a layer.
    pub(super) fn tell(&self, depth: usize) {
        if let Some(observer) = self.options.observer {
            let (cost, found) = (Cost::try_from(depth), self.made.layers[depth]);
            observer.layer(cost.unwrap_or(Cost::MAX), found, self.seen(), self.entries());
        }
    }

    /// The counts, with some entries of the deepest layer. Removes all files.
    pub(super) fn report(mut self) -> Result<ExhaustReport, ExhaustError> {
        let (mut antipodes, mut columns) = (Vec::new(), Vec::new());
        let (cut, last, most) = (self.made.cut, self.made.layers.len() - 1, self.options.antipodes);
        for (number, bucket) in self.next.clone().into_iter().enumerate() {
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
        let unreached = self.entries() - self.seen();
        self.remove();
        Ok(ExhaustReport { layers, unreached, antipodes })
    }
}
