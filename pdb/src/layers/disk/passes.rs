//! The two passes of a layer: rows are expanded into spill files, then these are merged.

use super::apply::StepApplier;
use super::buckets::Buckets;
use super::costs::Costs;
use super::cut::Cut;
use super::each::each;
use super::files::Syncs;
use super::run::DiskRun;
use super::spill::SpillBuffers;
use super::spill_files::{Reader, Writer};
use crate::abstraction::{Abstraction, Edge};
use crate::builder::{
    Bitmap, BuildTable, Flags, Layout, Row, Table, Wide, block_rows, equal, words,
};
use crate::layers::ExhaustError;
use search::Cost;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// The sources of a layer: the cost of an edge, and the code of the entries that it leads from.
pub(super) type Sources = Vec<(Cost, u64)>;

/// The buffers of one thread.
pub(super) struct DiskScratch {
    edges: Vec<Edge>,
    /// The source columns of a row, as a bitmap.
    bits: Vec<u64>,
    bitmap: Box<Bitmap>,
    /// Bucket, row in the bucket, and column map of each edge of a row.
    targets: Vec<(usize, (u32, u32))>,
    of_bucket: Vec<(u32, u32)>,
    spill: SpillBuffers,
}

impl DiskScratch {
    fn new(buckets: usize, buffer: usize, columns: usize) -> Self {
        Self {
            edges: Vec::new(),
            bits: Vec::new(),
            bitmap: Box::new([0; 1024]),
            targets: Vec::new(),
            of_bucket: Vec::new(),
            spill: SpillBuffers::new(buckets, buffer, columns),
        }
    }

    /// Writes all records.
    pub(super) fn flush(&mut self, writer: &Writer<'_>) -> Result<(), ExhaustError> {
        self.spill.flush(writer)
    }

    /// Sets the source columns to those with a value. Returns false if there is none.
    fn select<L: Layout>(
        &mut self,
        row: &Row<'_, L>,
        columns: usize,
        value: u64,
        wide: Option<Wide>,
    ) -> bool {
        match (wide, row.wide()) {
            (Some(wide), Some(row)) => wide.select(row, value, &mut self.bits),
            _ => {
                row.bitmap(columns, value, &mut self.bitmap);
                self.bits.clear();
                self.bits.extend(&self.bitmap[..columns.div_ceil(64)]);
            }
        }
        self.bits.iter().any(|&word| word != 0)
    }
}

/// What the threads share that expand rows.
struct RowExpansion<'e> {
    abstraction: &'e dyn Abstraction,
    cut: Cut,
    costs: &'e Costs,
    is_dry: bool,
    whole: Option<&'e Flags>,
    writer: &'e Writer<'e>,
}

impl<const BITS: usize> DiskRun<'_, BITS> {
    /// Spills the edges of some rows of the loaded bucket, from entries of the sources.
    pub(super) fn expand(
        &mut self,
        bucket: usize,
        rows: Range<u64>,
        sources: &Sources,
        (pool, writer): (&Mutex<Vec<DiskScratch>>, &Writer<'_>),
    ) -> Result<(), ExhaustError> {
        let (cut, buffer, files) =
            (self.buckets.made.cut, self.spill.buffers.each, self.buckets.files);
        let block = block_rows(cut.columns).max((rows.end - rows.start).div_ceil(256));
        let blocks = usize::try_from((rows.end - rows.start).div_ceil(block)).expect("at most 256");
        let first = cut.rows_of(bucket).start;
        let wide = Wide::of(cut.columns);
        let (abstraction, whole) = (self.plan.abstraction, self.buckets.whole.as_ref());
        let (costs, is_dry) = (&self.plan.costs, self.is_dry);
        let expansion = RowExpansion { abstraction, cut, costs, is_dry, whole, writer };
        let table = Table::<BITS>::of(self.buckets.memory.as_words());
        let lock = || pool.lock().unwrap_or_else(PoisonError::into_inner);
        each(blocks, &|number| {
            let begin = rows.start + number as u64 * block;
            let taken = lock().pop();
            let mut scratch =
                taken.unwrap_or_else(|| DiskScratch::new(cut.buckets(), buffer, cut.columns));
            for (at, row) in (begin..rows.end.min(begin + block)).enumerate() {
                if at % 16 == 0 {
                    files.check()?;
                }
                let (source, mut is_read) = (table.row(row - first, cut.columns), false);
                for &(cost, code) in sources {
                    if scratch.select(&source, cut.columns, code, wide) {
                        if !is_read {
                            expansion.read(row, &mut scratch.edges);
                        }
                        is_read = true;
                        expansion.spill(cost, &mut scratch)?;
                    }
                }
            }
            lock().push(scratch);
            Ok(())
        })
    }

    /// Applies all spilled steps, and removes the spill files.
    pub(super) fn merge_all(&mut self, depth: usize) -> Result<(), ExhaustError> {
        let (files, spills, buckets) =
            (self.buckets.files, self.spill.files, self.spill.files.buckets());
        files.syncing(|syncs| {
            spills.reading(&buckets, self.spill.buffers.batch, |reader| {
                for (at, &bucket) in buckets.iter().enumerate() {
                    if let Some(&next) = buckets.get(at + 1) {
                        files.expect(next, self.buckets.next[next].slot);
                    }
                    self.merge(bucket, depth, (reader, syncs))?;
                }
                Ok(())
            })
        })
    }

    /// Applies the steps that lead into a bucket.
    fn merge(
        &mut self,
        number: usize,
        depth: usize,
        (reader, syncs): (&Reader<'_>, &Syncs),
    ) -> Result<(), ExhaustError> {
        // A code that is too great is that of unseen entries, which changes nothing.
        let (cut, code) =
            (self.buckets.made.cut, Buckets::<BITS>::code(depth).min(Buckets::<BITS>::UNSEEN));
        let bucket = self.buckets.next[number];
        self.buckets.load(number, bucket)?;
        let words = &self.buckets.memory.as_words()[..cut.words(number)];
        let before = if bucket.has(depth) {
            bucket.new
        } else if BITS > 2 {
            0
        } else {
            words::each_until(words, self.plan.options.cancel, |_, word| {
                let hits = equal(BITS, word.load(Relaxed), code);
                word.store(word.load(Relaxed) & !(hits * 3), Relaxed);
            });
            0
        };
        let steps =
            StepApplier::<BITS>::new(self.plan.abstraction, Table::of(words), cut.columns, code);
        loop {
            let batch = reader.next()?;
            let frames = batch.frames();
            each(frames.len(), &|frame| {
                self.buckets.files.check()?;
                steps.apply(frames[frame]);
                Ok(())
            })?;
            let is_last = batch.is_last;
            reader.give_back(batch);
            if is_last {
                break;
            }
        }
        self.buckets.files.check()?;
        if code == Buckets::<BITS>::UNSEEN {
            self.is_too_deep |= steps.found.into_inner();
            return self.spill.files.remove(number);
        }
        // Two threads may both have found an entry, so the codes are counted.
        let new = self.buckets.count(number, code)?;
        if new > before {
            self.buckets.write(number, (depth, new), syncs)?;
            self.buckets.flag_whole_rows(number)?;
        }
        self.spill.files.remove(number)
    }
}

impl RowExpansion<'_> {
    /// Overwrites `edges` with the edges of a row.
    fn read(&self, row: u64, edges: &mut Vec<Edge>) {
        edges.clear();
        self.abstraction.edges(row, edges);
        self.costs.record(edges);
    }

    /// Spills the edges of one cost of a row. The edges are read, and the source columns selected.
    fn spill(&self, cost: Cost, scratch: &mut DiskScratch) -> Result<(), ExhaustError> {
        let DiskScratch { edges, bits, targets, of_bucket, spill, .. } = scratch;
        targets.clear();
        for edge in edges.iter().filter(|edge| edge.cost == cost && !self.is_dry) {
            // A row without unseen entries needs no steps.
            if !self.whole.is_some_and(|whole| whole.get(edge.row)) {
                let (bucket, row) = self.cut.place(edge.row);
                targets.push((bucket, (row, edge.map)));
            }
        }
        if targets.is_empty() {
            return Ok(());
        }
        targets.sort_unstable();
        spill.set_columns(bits);
        for targets in targets.chunk_by(|a, b| a.0 == b.0) {
            of_bucket.clear();
            of_bucket.extend(targets.iter().map(|(_, target)| target));
            spill.push(targets[0].0, of_bucket, self.writer)?;
        }
        Ok(())
    }
}
