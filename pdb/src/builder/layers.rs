//! The layers of a build: chooses the direction of each, and follows uncharged edges.

use super::checkpoint::BuildFiles;
use super::colours::{Colours, colours};
use super::direction::DirectionEstimate;
use super::flags::Flags;
use super::row::Row;
use super::table::BuildTable;
use super::walk::{Cancellation, Scratch, Walk};
use super::{BuildError, BuildOptions, goals_of};
use crate::abstraction::{Abstraction, Edge};
use search::{Cost, threads};
use serde_json::{Value, json};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The state of a build.
pub(super) struct Builder<'a, T> {
    walk: Walk<'a, T>,
    options: &'a BuildOptions<'a>,
    /// For each value: flags of the blocks that hold it.
    flags: Vec<Flags>,
    /// For each cost: whether an edge of this cost was found. Every edge that can still reach an
    /// unseen entry has been found. Its source row, or that of its reverse edge, was read in the
    /// layer after the source's layer.
    costs: [AtomicBool; 256],
    /// The colours of the rows, if they have any. Computed when the first layer may be made
    /// backward.
    colours: OnceLock<Option<Colours>>,
    /// Number of rows read so far, and number of their edges. They are used to estimate work.
    looked: [AtomicU64; 2],
    /// For each value: the number of entries that have it.
    counts: Vec<u64>,
    seen: u64,
    /// The last layer that was made backward.
    backward_at: AtomicUsize,
}

impl<'a, T: BuildTable> Builder<'a, T> {
    /// A build that begins with a table of unseen entries.
    pub(super) fn new(
        abstraction: &'a dyn Abstraction,
        options: &'a BuildOptions<'a>,
        table: T,
    ) -> Self {
        let values = table.values();
        let walk = Walk::new(abstraction, table);
        Self {
            flags: (0..values).map(|_| Flags::new(walk.blocks)).collect(),
            walk,
            options,
            costs: [const { AtomicBool::new(false) }; 256],
            colours: OnceLock::new(),
            looked: Default::default(),
            counts: vec![0; values],
            seen: 0,
            backward_at: AtomicUsize::new(usize::MAX),
        }
    }

    /// Makes all layers, up to the last one.
    pub(super) fn run(mut self) -> Result<(), BuildError> {
        let mut files = BuildFiles::new(self.options, &self.shape());
        match self.layers(&mut files) {
            // Keeps the checkpoint: the next build resumes from it.
            Err(BuildError::Cancelled) => Err(BuildError::Cancelled),
            made => {
                files.done();
                made?;
                self.walk.table.finish();
                Ok(())
            }
        }
    }

    fn layers(&mut self, files: &mut BuildFiles<'_>) -> Result<(), BuildError> {
        let values = self.walk.table.values();
        // After a cancellation, the table may hold anything.
        self.options.prepare(self.walk.abstraction)?;
        // The last layer is the greatest distance to which one edge can lead from an entry of the
        // table.
        let last = if T::SATURATES { values - 1 } else { values - 1 + usize::from(Cost::MAX) };
        let first = match files.load(&|| self.state().len(), self.walk.table.words()) {
            Some((layer, state)) if layer <= last && self.resume(layer, &state) => layer + 1,
            loaded => {
                if loaded.is_some() {
                    files.refuse();
                    self.reset();
                }
                self.goals()?;
                self.costs[1].store(true, Relaxed);
                1
            }
        };
        for depth in first..=last {
            if self.seen == self.walk.entries() {
                break;
            }
            if self.sources(depth).is_empty() {
                continue;
            }
            let uncharged = self.costs[0].load(Relaxed);
            let mut found = self.layer(depth)?;
            let other = |(cost, known): (usize, &AtomicBool)| cost != 1 && known.load(Relaxed);
            if T::SATURATES && self.costs.iter().enumerate().any(other) {
                return Err(BuildError::Costs);
            }
            if !uncharged && self.costs[0].load(Relaxed) {
                // This is the first uncharged edge. The layer before was not yet closed over it.
                // Earlier layers have no such edge.
                if let Some(flags) = self.flags.get(depth) {
                    self.each_row(&|row| row.forget(self.walk.columns, depth as u64));
                    flags.clear();
                }
                let more = self.close(depth - 1)?;
                self.report_layer(depth - 1, more);
                found = self.layer(depth)?;
            }
            if found > 0 && depth >= values {
                return Err(BuildError::TooDeep {
                    depth: u32::try_from(depth).expect("at most 254 + 255"),
                    bits: T::BITS,
                });
            }
            if self.costs[0].load(Relaxed) && found > 0 {
                found += self.close(depth)?;
            }
            if found > 0 {
                self.report_layer(depth, found);
            }
            self.walk.table.made(depth);
            files.save(depth, &|| self.state(), self.walk.table.words());
        }
        if T::SATURATES { self.check_last(last) } else { Ok(()) }
    }

    /// Returns an error if an edge from the last layer does not cost 1. If that layer was made
    /// forward, no walk has read these edges yet. An uncharged edge to an unseen entry would make
    /// its value too large.
    fn check_last(&self, last: usize) -> Result<(), BuildError> {
        let unseen = self.seen < self.walk.entries();
        if !unseen || self.counts[last] == 0 || self.backward_at.load(Relaxed) == last {
            return Ok(());
        }
        let (columns, value) = (self.walk.columns, last as u64);
        let found = self.sweep(last, &|block, _| {
            if !self.flags[last].get(block) {
                return 0;
            }
            let (mut held, mut edges) = (Vec::new(), Vec::new());
            let bad = |row: &u64| {
                self.walk.table.row(*row, columns).select(columns, value, &mut held);
                edges.clear();
                if !held.is_empty() {
                    self.walk.abstraction.edges(*row, &mut edges);
                }
                edges.iter().any(|edge: &Edge| edge.cost != 1)
            };
            self.walk.rows_of(block).filter(bad).count() as u64
        })?;
        if found > 0 { Err(BuildError::Costs) } else { Ok(()) }
    }

    /// The parameters that distinguish this build from others with the same description.
    fn shape(&self) -> Value {
        let (rows, columns) = (self.walk.abstraction.rows(), self.walk.columns);
        let (block, values) = (self.walk.block, self.walk.table.values());
        json!({
            "form": 1, "rows": rows, "columns": columns, "block": block, "bits": T::BITS,
            "values": values,
        })
    }

    /// The state besides the table: known costs, counts of rows and edges, and the number of
    /// entries and the flags of each value.
    fn state(&self) -> Vec<u64> {
        let known = self.costs.chunks(64).map(|costs| {
            let bits = costs.iter().enumerate();
            bits.map(|(bit, known)| u64::from(known.load(Relaxed)) << bit).sum()
        });
        let looked = self.looked.iter().map(|count| count.load(Relaxed));
        let (counts, flags) = (self.counts.iter().copied(), self.flags.iter());
        known.chain(looked).chain(counts).chain(flags.flat_map(Flags::words)).collect()
    }

    /// Restores the state that [`Builder::state`] returned after a layer. The table must be filled
    /// already.
    ///
    /// Returns false if no build can have saved this table: a file may be forged, with right
    /// checksums.
    fn resume(&mut self, layer: usize, state: &[u64]) -> bool {
        let mut state = state.iter().copied();
        for (costs, bits) in self.costs.chunks(64).zip(state.by_ref()) {
            let each = costs.iter().enumerate();
            each.for_each(|(bit, known)| known.store(bits >> bit & 1 == 1, Relaxed));
        }
        for (looked, kept) in self.looked.iter().zip(state.by_ref()) {
            looked.store(kept, Relaxed);
        }
        for (count, kept) in self.counts.iter_mut().zip(state.by_ref()) {
            *count = kept;
        }
        self.flags.iter().for_each(|flags| flags.restore(&mut state));
        let seen = self.counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        let sound = self.walk.table.is_sound(self.walk.columns);
        match seen {
            Some(seen) if sound && seen.checked_add(self.unseen()) == Some(self.walk.entries()) => {
                self.seen = seen;
            }
            _ => return false,
        }
        self.walk.table.resumed(layer);
        if let (Some(observer), Ok(cost)) = (self.options.observer, Cost::try_from(layer)) {
            let entries = self.counts.get(layer).copied().unwrap_or(0);
            observer.layer(cost, entries, self.seen, self.walk.entries());
        }
        true
    }

    /// The number of unseen entries of the table.
    fn unseen(&self) -> u64 {
        let sum = AtomicU64::new(0);
        self.each_row(&|row| {
            let mut columns = Vec::new();
            row.select(self.walk.columns, T::UNSEEN, &mut columns);
            sum.fetch_add(columns.len() as u64, Relaxed);
        });
        sum.into_inner()
    }

    /// Calls `work` with every row, on all threads.
    fn each_row(&self, work: &(dyn Fn(Row<'_, T::Layout>) + Sync)) {
        let blocks = usize::try_from(self.walk.blocks).expect("fewer blocks than bytes in memory");
        threads::each(blocks, &|block| {
            let rows = self.walk.rows_of(block as u64);
            rows.for_each(|row| work(self.walk.table.row(row, self.walk.columns)));
        });
    }

    /// Forgets everything, as if the build had not begun.
    fn reset(&mut self) {
        self.walk.table.reset(self.walk.columns, None);
        self.costs.iter().for_each(|known| known.store(false, Relaxed));
        self.looked.iter().for_each(|count| count.store(0, Relaxed));
        self.flags.iter().for_each(Flags::clear);
        self.counts.fill(0);
        self.seen = 0;
    }

    /// Adds a layer's new entries to the counts, and reports the layer to the observer.
    fn report_layer(&mut self, depth: usize, found: u64) {
        self.counts[depth] += found;
        self.seen += found;
        if let (Some(observer), Ok(cost)) = (self.options.observer, Cost::try_from(depth)) {
            observer.layer(cost, self.counts[depth], self.seen, self.walk.entries());
        }
    }

    /// Sets layer 0 to the goals. Uncharged edges are not yet followed.
    fn goals(&mut self) -> Result<(), BuildError> {
        let mut found = 0;
        for entry in goals_of(self.walk.abstraction)? {
            let (row, column) = self.walk.place(entry);
            found += u64::from(self.walk.table.row(row, self.walk.columns).set(column, 0));
            self.flags[0].set(row / self.walk.block);
        }
        self.report_layer(0, found);
        Ok(())
    }

    /// The sources of a layer: each known edge cost, with the value `depth - cost`, if some entry
    /// has that value.
    fn sources(&self, depth: usize) -> Vec<(Cost, usize)> {
        (0..self.walk.table.values().min(depth))
            .filter(|&value| self.counts[value] > 0)
            .filter_map(|value| Some((Cost::try_from(depth - value).ok()?, value)))
            .filter(|&(cost, _)| self.costs[usize::from(cost)].load(Relaxed))
            .collect()
    }

    /// Sets the entries that charged edges reach at distance `depth`, and returns their number. If
    /// the table cannot hold this distance, only counts them.
    fn layer(&self, depth: usize) -> Result<u64, BuildError> {
        let sources = self.sources(depth);
        if depth < self.walk.table.values()
            && self.walk.abstraction.undirected()
            && self.prefer_backward(depth, &sources)
        {
            self.backward_at.store(depth, Relaxed);
            return self.sweep(depth, &|block, scratch| self.backward(block, depth, scratch));
        }
        let mut found = 0;
        for (cost, value) in sources {
            let flags = &self.flags[value];
            found += self.sweep(depth, &|block, scratch| {
                if !flags.get(block) {
                    return 0;
                }
                self.forward(block, cost, value, depth, scratch, self.flags.get(depth))
            })?;
        }
        Ok(found)
    }

    /// Whether a walk from the unseen entries is expected to be less work than a walk from
    /// `sources`.
    fn prefer_backward(&self, depth: usize, sources: &[(Cost, usize)]) -> bool {
        let [rows, edges] = [&self.looked[0], &self.looked[1]].map(|count| count.load(Relaxed));
        let estimate = DirectionEstimate {
            entries: self.walk.entries(),
            seen: self.seen,
            frontier: sources.iter().map(|&(_, value)| self.counts[value]).sum(),
            layers: [1, 2].map(|back| self.counts[depth.saturating_sub(back)]),
            degree: edges as f64 / rows as f64,
        };
        // As long as the frontier is a small part of the table, the answer is no.
        if rows == 0 || !estimate.is_large() {
            return false;
        }
        let colours =
            self.colours.get_or_init(|| colours(self.walk.abstraction, self.options.cancel));
        let colours = colours.is_some();
        // With two colours, the walk looks only at rows of the layer's colour: about half.
        estimate.prefers_backward(if colours { 0.5 } else { 1.0 })
    }

    /// Follows uncharged edges within a layer until nothing changes. Returns the number of entries
    /// added.
    fn close(&self, depth: usize) -> Result<u64, BuildError> {
        let Some(flags) = self.flags.get(depth) else { return Ok(0) };
        let (mut todo, mut next) = (Flags::new(self.walk.blocks), Flags::new(self.walk.blocks));
        todo.add(flags);
        let mut total = 0;
        loop {
            let found = self.sweep(depth, &|block, scratch| {
                if !todo.get(block) {
                    return 0;
                }
                self.forward(block, 0, depth, depth, scratch, Some(&next))
            })?;
            if found == 0 {
                return Ok(total);
            }
            total += found;
            flags.add(&next);
            std::mem::swap(&mut todo, &mut next);
            next.clear();
        }
    }

    fn sweep(
        &self,
        depth: usize,
        work: &(dyn Fn(u64, &mut Scratch) -> u64 + Sync),
    ) -> Result<u64, BuildError> {
        self.walk.sweep(self.options, depth, work).map_err(|Cancellation| BuildError::Cancelled)
    }

    /// Marks the costs of these edges as known.
    #[inline(always)]
    fn record_costs(&self, edges: &[Edge]) {
        for edge in edges {
            let known = &self.costs[usize::from(edge.cost)];
            if !known.load(Relaxed) {
                known.store(true, Relaxed);
            }
        }
    }

    /// Walks the edges of one cost from the entries of value `value` in a block. Gives unseen
    /// targets the value `depth`, and flags the blocks they are in. Returns the number of these
    /// targets.
    fn forward(
        &self,
        block: u64,
        cost: Cost,
        value: usize,
        depth: usize,
        scratch: &mut Scratch,
        flags: Option<&Flags>,
    ) -> u64 {
        let to = depth.min(self.walk.table.values()) as u64;
        let on_edges = |edges: &[Edge]| self.record_costs(edges);
        let reached = |block| flags.iter().for_each(|flags| flags.set(block));
        let looked =
            self.walk.forward::<false>(block, (cost, value as u64), scratch, on_edges, to, reached);
        self.looked[0].fetch_add(looked.rows, Relaxed);
        self.looked[1].fetch_add(looked.edges, Relaxed);
        looked.found
    }

    /// In a block, finds the unseen entries with an edge of cost `k` to an entry of value `depth -
    /// k`, for any `k`. Gives them the value `depth`. Returns their number.
    fn backward(&self, block: u64, depth: usize, scratch: &mut Scratch) -> u64 {
        let colours = self.colours.get().and_then(Option::as_ref);
        let may_hold = |row| colours.is_none_or(|colours| colours.may_be(row, depth));
        let wanted = |cost: Cost| {
            let value = depth.checked_sub(usize::from(cost))?;
            let holds = cost > 0 && value < self.walk.table.values() && self.counts[value] > 0;
            holds.then_some(value as u64)
        };
        let on_edges = |edges: &[Edge]| self.record_costs(edges);
        let found = self.walk.backward(block, depth as u64, scratch, on_edges, may_hold, wanted);
        if found > 0 {
            self.flags[depth].set(block);
        }
        found
    }
}
