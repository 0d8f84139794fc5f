//! The two passes of a layer: rows are expanded into spill files, then these are merged.

use super::apply::Steps;
use super::run::{Run, code};
use super::spill::{SpillBuffers, SpillReader};
use crate::abstraction::Edge;
use crate::builder::{Row, Store, Table, block_rows, equal, words};
use crate::layers::ExhaustError;
use search::threads;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// The buffers of one thread.
pub(super) struct Scratch {
    edges: Vec<Edge>,
    columns: Vec<u16>,
    spill: SpillBuffers,
}

impl Run<'_> {
    /// Spills the edges of some rows of the loaded bucket.
    pub(super) fn expand(
        &mut self,
        bucket: usize,
        rows: Range<u64>,
        depth: usize,
        pool: &Mutex<Vec<Scratch>>,
    ) -> Result<(), ExhaustError> {
        let (cut, buffer) = (self.made.cut, self.buffers.0);
        let block = block_rows(cut.columns).max((rows.end - rows.start).div_ceil(256));
        let blocks = usize::try_from((rows.end - rows.start).div_ceil(block)).expect("at most 256");
        let first = cut.rows_of(bucket).start;
        let (abstraction, cost, to) = (self.abstraction, &self.cost, (&self.files, &self.spilled));
        let table = Table::<2>::of(self.memory.as_words());
        let spill_row = |row: u64, scratch: &mut Scratch| -> Result<(), ExhaustError> {
            let Scratch { edges, columns, spill } = scratch;
            table.row(row - first, cut.columns).select(cut.columns, code(depth - 1), columns);
            if columns.is_empty() {
                return Ok(());
            }
            edges.clear();
            abstraction.edges(row, edges);
            spill.set_columns(columns);
            for edge in &*edges {
                if edge.cost != 1 {
                    cost.store(edge.cost.into(), Relaxed);
                }
                spill.push(cut.place(edge.row), edge.map, to)?;
            }
            Ok(())
        };
        let lock = || pool.lock().unwrap_or_else(PoisonError::into_inner);
        each(blocks, &|number| {
            let begin = rows.start + number as u64 * block;
            let taken = lock().pop();
            let mut scratch = taken.unwrap_or_else(|| Scratch {
                edges: Vec::new(),
                columns: Vec::new(),
                spill: SpillBuffers::new(cut.buckets(), buffer, cut.columns),
            });
            for (at, row) in (begin..rows.end.min(begin + block)).enumerate() {
                if at % 16 == 0 {
                    to.0.check()?;
                }
                spill_row(row, &mut scratch)?;
            }
            lock().push(scratch);
            Ok(())
        })
    }

    /// Applies all spilled steps, and removes the spill files.
    pub(super) fn merge_all(
        &mut self,
        depth: usize,
        pool: &Mutex<Vec<Scratch>>,
    ) -> Result<(), ExhaustError> {
        let mut buffers = std::mem::take(&mut *pool.lock().unwrap_or_else(PoisonError::into_inner));
        for scratch in &mut buffers {
            scratch.spill.flush_all((&self.files, &self.spilled))?;
        }
        // The batches of a merge take the memory of the buffers.
        drop(buffers);
        for bucket in self.spilled.buckets() {
            self.merge(bucket, depth)?;
        }
        Ok(())
    }

    /// Applies the steps that lead into a bucket.
    fn merge(&mut self, number: usize, depth: usize) -> Result<(), ExhaustError> {
        let (cut, code) = (self.made.cut, code(depth));
        let bucket = self.next[number];
        self.load(number, bucket)?;
        let words = &self.memory.as_words()[..cut.words(number)];
        let before = if bucket.has(depth) {
            bucket.new
        } else {
            words::each_until(words, self.options.cancel, |_, word| {
                let hits = equal::<2>(word.load(Relaxed), code);
                word.store(word.load(Relaxed) & !(hits * 3), Relaxed);
            });
            0
        };
        let steps = Steps::new(self.abstraction, Table::of(words), cut.columns, code);
        let mut spill = SpillReader::new(self.files.open_spill(number)?);
        let failed = |error| self.files.spill_failed(number, error);
        while let Some(frames) = spill.batch(self.buffers.1 / 2).map_err(failed)? {
            each(frames.len(), &|frame| {
                self.files.check()?;
                steps.apply(frames[frame]);
                Ok(())
            })?;
        }
        drop(spill);
        self.files.check()?;
        // Two threads may both have found an entry, so the codes are counted.
        if self.count(number, code)? > before {
            self.write(number, depth)?;
        }
        self.files.remove_spill(number, &self.spilled)
    }
}

/// Calls `work` with every number below `numbers`, on all threads. Returns the first error.
fn each(
    numbers: usize,
    work: &(dyn Fn(usize) -> Result<(), ExhaustError> + Sync),
) -> Result<(), ExhaustError> {
    let failed = Mutex::new(None);
    let lock = || failed.lock().unwrap_or_else(PoisonError::into_inner);
    threads::each(numbers, &|number| {
        if lock().is_none()
            && let Err(error) = work(number)
        {
            lock().get_or_insert(error);
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}
