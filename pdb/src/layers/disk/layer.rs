//! Makes one layer on disk from the layers that edges lead from.

use super::buckets::Buckets;
use super::passes::{DiskScratch, Sources};
use super::run::DiskRun;
use super::spill_files::Writer;
use crate::builder::BuildError;
use crate::layers::ExhaustError;
use search::Cost;
use std::sync::{Mutex, PoisonError};

/// The limit of the spill files is looked at after each such share of a bucket.
const SLABS: u64 = 16;

/// Writes all records of the threads.
fn flush(pool: &Mutex<Vec<DiskScratch>>, writer: &Writer<'_>) -> Result<(), ExhaustError> {
    let mut buffers = pool.lock().unwrap_or_else(PoisonError::into_inner);
    buffers.iter_mut().try_for_each(|scratch| scratch.flush(writer))
}

impl<const BITS: usize> DiskRun<'_, BITS> {
    /// Makes the next layer that has entries, and returns their number. If that is 0, there is no
    /// such layer.
    pub(super) fn layer(&mut self) -> Result<u64, ExhaustError> {
        let first = self.buckets.made.layers.len();
        let last = first.saturating_add(Cost::MAX.into());
        let last = self.plan.most.map_or(last, |most| last.min(most.into()));
        for depth in first..=last {
            let (sources, buckets) = self.sources(depth);
            if sources.is_empty() {
                continue;
            }
            self.make(depth, &sources, &buckets)?;
            if self.buckets.found(depth) > 0 {
                return self.complete(depth);
            }
        }
        Ok(0)
    }

    /// The sources of a layer, and the buckets that may hold them.
    fn sources(&self, depth: usize) -> (Sources, Vec<usize>) {
        let held =
            depth.saturating_sub(Cost::MAX.into())..depth.min(self.buckets.made.layers.len());
        let source = |layer: usize| {
            let cost = Cost::try_from(depth - layer).ok()?;
            (self.buckets.made.layers[layer] > 0 && self.plan.costs.has(cost))
                .then_some((cost, layer))
        };
        let sources: Vec<_> = held.filter_map(source).collect();
        let least = sources.first().map_or(depth, |&(_, layer)| layer) as u64;
        let may_hold = |&number: &usize| {
            let bucket = self.buckets.next[number];
            bucket.slot.is_some() && bucket.layer >= least
        };
        let buckets = (0..self.buckets.next.len()).filter(may_hold).collect();
        (
            sources.into_iter().map(|(cost, layer)| (cost, Buckets::<BITS>::code(layer))).collect(),
            buckets,
        )
    }

    /// Makes a layer in `next`. If the first uncharged edge is found, the layer before is closed
    /// over such edges, and this one is made again.
    fn make(
        &mut self,
        depth: usize,
        sources: &Sources,
        buckets: &[usize],
    ) -> Result<(), ExhaustError> {
        let uncharged = self.plan.costs.has(0);
        self.spread(depth, sources, buckets)?;
        self.check_costs()?;
        if !uncharged && self.plan.costs.has(0) {
            // This is the first uncharged edge. The layer before was not yet closed over it.
            // Earlier layers have no such edge.
            self.buckets.next.clone_from(&self.buckets.made.buckets);
            self.is_too_deep = false;
            if let Some(whole) = &self.buckets.whole {
                whole.clear();
            }
            self.close(depth - 1)?;
            self.buckets.made.layers[depth - 1] = self.buckets.found(depth - 1);
            self.report_layer(depth - 1);
            let (sources, buckets) = self.sources(depth);
            self.spread(depth, &sources, &buckets)?;
        }
        if self.is_too_deep {
            let depth = u32::try_from(depth).expect("at most 254 + 255");
            return Err(BuildError::TooDeep { depth, bits: BITS }.into());
        }
        if self.plan.costs.has(0) { self.close(depth) } else { Ok(()) }
    }

    /// Follows uncharged edges within a layer until nothing changes.
    fn close(&mut self, depth: usize) -> Result<(), ExhaustError> {
        let has = |number: &usize| self.buckets.next[*number].has(depth);
        let mut todo: Vec<usize> = (0..self.buckets.next.len()).filter(has).collect();
        while !todo.is_empty() {
            let before = self.buckets.next.clone();
            self.spread(depth, &vec![(0, Buckets::<BITS>::code(depth))], &todo)?;
            let changed = |number: &usize| self.buckets.next[*number] != before[*number];
            todo = (0..self.buckets.next.len()).filter(changed).collect();
        }
        Ok(())
    }

    /// An error if there is an edge of a cost that the codes do not allow.
    fn check_costs(&self) -> Result<(), ExhaustError> {
        match self.plan.costs.other_than_1() {
            Some(cost) if BITS == 2 => Err(ExhaustError::Weighted { cost }),
            Some(_) if self.plan.most.is_some() => Err(BuildError::Costs.into()),
            _ => Ok(()),
        }
    }

    /// An error if an edge from the last layer does not cost 1, and there is a greatest distance.
    /// No layer was made from these edges.
    pub(super) fn check_last(&mut self) -> Result<(), ExhaustError> {
        let last = self.buckets.made.layers.len() - 1;
        if self.plan.most.is_none_or(|most| usize::from(most) > last)
            || self.buckets.seen() == self.buckets.entries()
        {
            return Ok(());
        }
        let has = |number: &usize| self.buckets.next[*number].has(last);
        let buckets: Vec<usize> = (0..self.buckets.next.len()).filter(has).collect();
        self.is_dry = true;
        self.spread(last + 1, &vec![(1, Buckets::<BITS>::code(last))], &buckets)?;
        self.check_costs()
    }

    /// Gives layer `depth` to the unseen entries that edges of these sources in these buckets lead
    /// to.
    fn spread(
        &mut self,
        depth: usize,
        sources: &Sources,
        buckets: &[usize],
    ) -> Result<(), ExhaustError> {
        let mut from = Some(0);
        while let Some(row) = from {
            from = self.expand_from(row, depth, sources, buckets)?;
            self.merge_all(depth)?;
        }
        Ok(())
    }

    /// Spills the edges of all rows from one on. If the spill files reach their limit, returns the
    /// row from which to go on after they are merged.
    fn expand_from(
        &mut self,
        first: u64,
        depth: usize,
        sources: &Sources,
        buckets: &[usize],
    ) -> Result<Option<u64>, ExhaustError> {
        let (cut, spills, pool) = (self.buckets.made.cut, self.spill.files, Mutex::default());
        let mut stopped = None;
        spills.writing(|writer| {
            for (at, &number) in buckets.iter().enumerate() {
                let rows = cut.rows_of(number);
                if rows.end <= first {
                    continue;
                }
                if let Some(&next) = buckets.get(at + 1) {
                    self.buckets.files.expect(next, self.buckets.next[next].slot);
                }
                self.buckets.load(number, self.buckets.next[number])?;
                let slab = (rows.end - rows.start).div_ceil(SLABS);
                for from in (rows.start..rows.end).step_by(usize::try_from(slab).expect("rows")) {
                    if from < first {
                        continue;
                    }
                    let to = rows.end.min(from + slab);
                    self.expand(number, from..to, sources, (&pool, writer))?;
                    self.tell_rows(depth, to);
                    if spills.bytes() >= self.spill.most && to < cut.rows {
                        stopped = Some(to);
                        return flush(&pool, writer);
                    }
                }
            }
            flush(&pool, writer)
        })?;
        Ok(stopped)
    }
}
