//! Makes the layers of an exhaustive search on disk.

use super::buckets::Buckets;
use super::costs::Costs;
use super::cut::{Buffers, Cut};
use super::files::BucketFiles;
use super::manifest::{Bucket, Manifest, Manifests};
use super::options::DiskOptions;
use super::spill_files::Spills;
use crate::abstraction::Abstraction;
use crate::builder::{BuildError, BuildTable, Table, goals_of};
use crate::file::{BuildLock, Checkpoint, TableError, TableErrorKind, TableSpec};
use crate::layers::{ExhaustError, ExhaustReport};
use crate::table::PackedTable;
use search::Cost;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

/// Default limit of all spill files, in multiples of the table's size.
const SPILL_TABLES: u64 = 8;
/// The least limit of the spill files that is worth a search, as a share of the table.
const LEAST_SPILL: u64 = 4;

/// What is searched, and how.
pub(super) struct DiskPlan<'a> {
    pub(super) abstraction: &'a dyn Abstraction,
    pub(super) options: &'a DiskOptions<'a>,
    /// The known costs of edges.
    pub(super) costs: Costs,
    /// The greatest distance to find, if not all; each edge must then cost 1.
    pub(super) most: Option<Cost>,
}

/// The records of steps that are not applied yet.
pub(super) struct Spill<'a> {
    pub(super) files: &'a Spills<'a>,
    pub(super) buffers: Buffers,
    /// Most bytes of all files.
    pub(super) most: u64,
}

/// A running search on disk.
pub(super) struct DiskRun<'a, const BITS: usize> {
    pub(super) plan: DiskPlan<'a>,
    pub(super) buckets: Buckets<'a, BITS>,
    pub(super) spill: Spill<'a>,
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

impl<'a, const BITS: usize> DiskRun<'a, BITS> {
    /// Makes all layers up to the greatest distance, if there is one. Then calls `finish`.
    pub(super) fn run<T>(
        abstraction: &'a dyn Abstraction,
        checkpoint: &'a Checkpoint,
        (options, most): (&'a DiskOptions<'a>, Option<Cost>),
        finish: impl FnOnce(DiskRun<'_, BITS>) -> Result<T, ExhaustError>,
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
        let plan = DiskPlan { abstraction, options, costs: Costs::of(made.costs), most };
        let buckets = Buckets::<BITS>::new(&files, manifests, made, options.cancel)?;
        let mut run = DiskRun::new(plan, buckets, &spills)?;
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
                let _ = self.buckets.clear();
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
        while self.buckets.seen() < self.buckets.entries() && self.layer()? > 0 {}
        self.check_last()
    }

    /// Removes all files, and tells how many bytes were read and written. A file that stays is no
    /// error, because the answer is known: the observer learns of it.
    pub(super) fn remove(self) {
        let observer = self.plan.options.observer;
        let Buckets { files, manifests, .. } = self.buckets;
        if let Some(observer) = observer {
            observer.moved(files.read.load(Relaxed), files.written.load(Relaxed));
        }
        manifests.done();
        if let (Some(observer), Err(ExhaustError::File(error))) = (observer, files.remove()) {
            observer.not_kept(&error);
        }
    }

    fn new(
        plan: DiskPlan<'a>,
        buckets: Buckets<'a, BITS>,
        files: &'a Spills<'a>,
    ) -> Result<Self, ExhaustError> {
        let (cut, memory) = (buckets.made.cut, plan.options.memory);
        // Saved layers may be cut for more memory than there is now.
        let buffers = cut.buffers(memory).ok_or_else(|| cut.limit(memory))?;
        let spill = Spill { files, buffers, most: 0 };
        let mut run = Self { plan, buckets, spill, is_too_deep: false, is_dry: false };
        // What a stopped run left takes space that this one may use.
        run.buckets.clear()?;
        run.limit_spill()?;
        run.buckets.allocate(buffers.has_flags)?;
        run.begin()?;
        Ok(run)
    }

    /// Checks the saved layers, or makes layer 0.
    fn begin(&mut self) -> Result<(), ExhaustError> {
        if let Some(observer) = self.plan.options.observer {
            observer.on_disk(self.buckets.files.folder(), self.buckets.made.cut.bytes());
        }
        self.buckets.files.set_saved(self.buckets.made.layers.len());
        if !self.buckets.made.layers.is_empty() && !self.buckets.is_sound()? {
            self.buckets.manifests.refuse();
            self.buckets.made = Manifest::none(self.buckets.made.cut);
            self.plan.costs = Costs::of(self.buckets.made.costs);
            self.buckets.files.set_saved(0);
            self.buckets.clear()?;
        }
        self.buckets.next = self.buckets.made.buckets.clone();
        if self.buckets.made.layers.is_empty() { self.goals() } else { Ok(()) }
    }

    /// Sets the limit of the spill files by the space that the disk has.
    fn limit_spill(&mut self) -> Result<(), ExhaustError> {
        let cut = self.buckets.made.cut;
        let table = cut.bytes();
        let written =
            self.buckets.made.buckets.iter().filter(|bucket| bucket.slot.is_some()).count();
        let written = written as u64 * cut.words(0) as u64 * 8;
        let free = self.buckets.files.free().unwrap_or(u64::MAX);
        let codes = (2 * table).saturating_sub(written);
        let left = free.saturating_sub(codes);
        let wanted = self.plan.options.spill.unwrap_or(table.saturating_mul(SPILL_TABLES));
        let least = wanted.min(table / LEAST_SPILL);
        if left < least {
            let kind = TableErrorKind::Space { needed: codes.saturating_add(least), free };
            return Err(TableError::layers(self.buckets.files.folder(), kind).into());
        }
        self.spill.most = wanted.min(left);
        Ok(())
    }

    /// Most bytes of spill files with the values of a table. The disk needs `payload` bytes for the
    /// table's file, too.
    ///
    /// # Errors
    /// If the disk has not `least` bytes.
    pub(super) fn limit_records(&self, least: u64, payload: u64) -> Result<u64, ExhaustError> {
        let free = self.buckets.files.free().unwrap_or(u64::MAX);
        if free < least {
            let kind = TableErrorKind::Space { needed: least, free };
            return Err(TableError::layers(self.buckets.files.folder(), kind).into());
        }
        let table = self.buckets.made.cut.bytes();
        let wanted = self.plan.options.spill.unwrap_or(table.saturating_mul(SPILL_TABLES));
        Ok(wanted.min(free.saturating_sub(payload)))
    }

    /// Makes layer 0 from the goals.
    fn goals(&mut self) -> Result<(), ExhaustError> {
        let (mut goals, cut) = (goals_of(self.plan.abstraction)?, self.buckets.made.cut);
        goals.sort_unstable();
        let columns = cut.columns as u64;
        let files = self.buckets.files;
        files.syncing(|syncs| {
            let bucket = |goal: u64| cut.place(goal / columns).0;
            for goals in goals.chunk_by(|&a, &b| bucket(a) == bucket(b)) {
                let bucket = bucket(goals[0]);
                self.buckets.load(bucket, Bucket::UNSEEN)?;
                let table = Table::<BITS>::of(self.buckets.memory.as_words());
                for goal in goals {
                    let column = usize::try_from(goal % columns).expect("a column");
                    let row = u64::from(cut.place(goal / columns).1);
                    table.row(row, cut.columns).set(column, Buckets::<BITS>::code(0));
                }
                let new = self.buckets.count(bucket, Buckets::<BITS>::code(0))?;
                self.buckets.write(bucket, (0, new), syncs)?;
            }
            Ok(())
        })?;
        self.complete(0).map(drop)
    }

    pub(super) fn tell_rows(&self, depth: usize, rows: u64) {
        if let Some(observer) = self.plan.options.observer {
            observer.rows(
                Cost::try_from(depth).unwrap_or(Cost::MAX),
                rows,
                self.buckets.made.cut.rows,
            );
        }
    }

    /// Saves the layer whose codes are in memory or in files, and returns its number of entries.
    pub(super) fn complete(&mut self, depth: usize) -> Result<u64, ExhaustError> {
        let found = self.buckets.complete(depth, self.plan.costs.words())?;
        self.report_layer(depth);
        Ok(found)
    }

    /// Tells the observer the size of a layer.
    pub(super) fn report_layer(&self, depth: usize) {
        if let Some(observer) = self.plan.options.observer {
            let (cost, found) = (Cost::try_from(depth), self.buckets.made.layers[depth]);
            observer.layer(
                cost.unwrap_or(Cost::MAX),
                found,
                self.buckets.seen(),
                self.buckets.entries(),
            );
        }
    }

    /// The counts, with some entries of the deepest layer. Removes all files.
    pub(super) fn report(mut self) -> Result<ExhaustReport, ExhaustError> {
        let (mut antipodes, mut columns) = (Vec::new(), Vec::new());
        let (cut, last, most) = (
            self.buckets.made.cut,
            self.buckets.made.layers.len() - 1,
            self.plan.options.antipodes,
        );
        for (number, bucket) in self.buckets.next.clone().into_iter().enumerate() {
            if antipodes.len() >= most || !bucket.has(last) {
                continue;
            }
            self.buckets.load(number, bucket)?;
            let table = Table::<BITS>::of(self.buckets.memory.as_words());
            let first = cut.rows_of(number).start;
            for row in cut.rows_of(number) {
                self.buckets.files.check()?;
                table.row(row - first, cut.columns).select(
                    cut.columns,
                    Buckets::<BITS>::code(last),
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
        let layers = self.buckets.made.layers.clone();
        let unreached = self.buckets.entries() - self.buckets.seen();
        self.remove();
        Ok(ExhaustReport { layers, unreached, antipodes, watched: Vec::new() })
    }
}
