//! The layers of a build: which way each is made, uncharged edges, and the walk of a row's columns along its edges.

use super::colours::{Colours, colours};
use super::flags::Flags;
use super::table::{Row, Store};
use super::{BuildError, BuildOptions};
use crate::abstraction::{Abstraction, Edge};
use rayon::prelude::*;
use search::Cost;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Least entries in a block of rows: two cache lines of the table.
const BLOCK: usize = 256;
/// A backward step costs about this much of a forward step: it has no branch to mispredict and changes nothing atomically. Between 0.2 and
/// 0.8 the builds measured do not differ by more than their noise.
const BACKWARD: f64 = 0.7;

/// Buffers of one thread.
#[derive(Default)]
struct Scratch {
    edges: Vec<Edge>,
    columns: Vec<u16>,
    hits: Vec<u16>,
}

/// A build on its way.
pub(super) struct Builder<'a, A, T> {
    abstraction: &'a A,
    options: &'a BuildOptions<'a>,
    table: T,
    columns: usize,
    /// Rows in a block.
    block: u64,
    blocks: u64,
    /// For each value, the blocks that hold it.
    flags: Vec<Flags>,
    /// Whether an edge of this cost is known. Every edge that can still reach an unseen entry is: its source row, or the reverse
    /// edge's, was looked at in the layer after the source's.
    costs: [AtomicBool; 256],
    /// Which rows hold odd distances and which even ones, if that is so; found when the first layer may be made backward.
    colours: OnceLock<Option<Colours>>,
    /// Rows looked at and their edges, for the estimate of the work.
    looked: [AtomicU64; 2],
    /// Entries of each value.
    counts: Vec<u64>,
    seen: u64,
}

impl<'a, A: Abstraction, T: Store> Builder<'a, A, T> {
    /// Nothing is seen in the table, which holds the entries of the abstraction.
    pub(super) fn new(abstraction: &'a A, options: &'a BuildOptions<'a>, table: T) -> Self {
        let columns = abstraction.columns();
        let block = (BLOCK / columns).max(1) as u64;
        let blocks = abstraction.rows().div_ceil(block);
        Self {
            abstraction,
            options,
            columns,
            block,
            blocks,
            flags: (0..table.values()).map(|_| Flags::new(blocks)).collect(),
            costs: [const { AtomicBool::new(false) }; 256],
            colours: OnceLock::new(),
            looked: Default::default(),
            counts: vec![0; table.values()],
            table,
            seen: 0,
        }
    }

    /// Makes all layers.
    pub(super) fn run(mut self) -> Result<(), BuildError> {
        self.goals()?;
        self.costs[1].store(true, Relaxed);
        let values = self.table.values();
        // The last one is the greatest distance of an entry one edge away from one that the table holds.
        let last = if T::SATURATES { values - 1 } else { values - 1 + usize::from(Cost::MAX) };
        for depth in 1..=last {
            if self.seen == self.entries() {
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
                // The first uncharged edge: the layer before was not closed over it. Those before that have none.
                if let Some(flags) = self.flags.get(depth) {
                    self.table.forget(depth as u64);
                    flags.clear();
                }
                let more = self.close(depth - 1)?;
                self.tell(depth - 1, more);
                found = self.layer(depth)?;
            }
            if found > 0 && depth >= values {
                return Err(BuildError::TooDeep {
                    depth: u32::try_from(depth).unwrap_or(u32::MAX),
                    bits: T::BITS,
                });
            }
            if self.costs[0].load(Relaxed) && found > 0 {
                found += self.close(depth)?;
            }
            if found > 0 {
                self.tell(depth, found);
            }
            self.table.made(depth);
        }
        self.table.finish();
        Ok(())
    }

    fn entries(&self) -> u64 {
        self.abstraction.rows() * self.columns as u64
    }

    /// Counts a layer's new entries and tells the observer.
    fn tell(&mut self, depth: usize, found: u64) {
        self.counts[depth] += found;
        self.seen += found;
        if let (Some(observer), Ok(cost)) = (self.options.observer, Cost::try_from(depth)) {
            observer.layer(cost, self.counts[depth], self.seen, self.entries());
        }
    }

    /// The layer 0, not yet closed over uncharged edges.
    fn goals(&mut self) -> Result<(), BuildError> {
        let (mut goals, entries) = (Vec::new(), self.entries());
        self.abstraction.goals(&mut goals);
        if goals.is_empty() {
            return Err(BuildError::NoGoal);
        }
        let mut found = 0;
        for entry in goals {
            if entry >= entries {
                return Err(BuildError::Goal { entry, entries });
            }
            let row = entry / self.columns as u64;
            let column = usize::try_from(entry % self.columns as u64).unwrap_or_default();
            found += u64::from(self.table.row(row, self.columns).set(column, 0));
            self.flags[0].set(row / self.block);
        }
        self.tell(0, found);
        Ok(())
    }

    /// The costs of edges from values that occur to this depth, with those values.
    fn sources(&self, depth: usize) -> Vec<(Cost, usize)> {
        (0..self.table.values().min(depth))
            .filter(|&value| self.counts[value] > 0)
            .filter_map(|value| Some((Cost::try_from(depth - value).ok()?, value)))
            .filter(|&(cost, _)| self.costs[usize::from(cost)].load(Relaxed))
            .collect()
    }

    /// Entries that get the distance `depth` along charged edges; at a depth that the table does not hold, those that should.
    fn layer(&self, depth: usize) -> Result<u64, BuildError> {
        let sources = self.sources(depth);
        if depth < self.table.values()
            && self.abstraction.undirected()
            && self.prefer_backward(depth, &sources)
        {
            return self.sweep(depth, |block, scratch| self.backward(block, depth, scratch));
        }
        let mut found = 0;
        for (cost, value) in sources {
            let flags = &self.flags[value];
            found += self.sweep(depth, |block, scratch| {
                if !flags.get(block) {
                    return 0;
                }
                self.forward(block, cost, value, depth, scratch, |target| {
                    if let Some(flags) = self.flags.get(depth) {
                        flags.set(target);
                    }
                })
            })?;
        }
        Ok(found)
    }

    /// Whether the unseen entries promise less work than those of the source values.
    fn prefer_backward(&self, depth: usize, sources: &[(Cost, usize)]) -> bool {
        let [rows, edges] = [&self.looked[0], &self.looked[1]].map(|count| count.load(Relaxed));
        let frontier = sources.iter().map(|&(_, value)| self.counts[value]).sum::<u64>();
        // As long as the frontier is a small part of the table, the answer is no.
        if rows == 0 || frontier.saturating_mul(64) < self.entries() {
            return false;
        }
        let degree = edges as f64 / rows as f64;
        let forward = frontier as f64 * degree;
        let colours = self.colours.get_or_init(|| colours(self.abstraction)).is_some();
        // Of two colours only the layer's is looked at: about half.
        let part = if colours { 0.5 } else { 1.0 };
        let unseen = (self.entries() - self.seen) as f64 * part;
        // The layer grows as the one before did, at the most. An entry in it is left at the first edge to a source; all others look at all edges.
        let [last, before] =
            [1, 2].map(|back| self.counts[depth.saturating_sub(back)].max(1) as f64);
        let found = (frontier as f64 * last / before).min(unseen);
        let reached = forward * unseen / (self.entries() as f64 * part);
        let steps = degree / (1.0 + reached / found.max(1.0)).min(degree);
        ((unseen - found) * degree + found * steps) * BACKWARD < forward
    }

    /// Closes a layer over uncharged edges; how many entries that added.
    fn close(&self, depth: usize) -> Result<u64, BuildError> {
        let Some(flags) = self.flags.get(depth) else { return Ok(0) };
        let (mut todo, mut next) = (Flags::new(self.blocks), Flags::new(self.blocks));
        todo.add(flags);
        let mut total = 0;
        loop {
            let found = self.sweep(depth, |block, scratch| {
                if !todo.get(block) {
                    return 0;
                }
                self.forward(block, 0, depth, depth, scratch, |target| next.set(target))
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

    /// Does something with every block, on all threads, and adds up the results.
    fn sweep(
        &self,
        depth: usize,
        work: impl Fn(u64, &mut Scratch) -> u64 + Sync,
    ) -> Result<u64, BuildError> {
        let is_cancelled = || self.options.cancel.is_some_and(|cancel| cancel.is_cancelled());
        // Chunks of blocks: enough for the threads to share, few enough to be told of.
        let chunk = self.blocks.div_ceil(1024);
        let passed = AtomicU64::new(0);
        let found = (0..self.blocks.div_ceil(chunk))
            .into_par_iter()
            .map_init(Scratch::default, |scratch, number| {
                let range = number * chunk..((number + 1) * chunk).min(self.blocks);
                let blocks = range.end - range.start;
                let mut found = 0;
                for block in range {
                    if is_cancelled() {
                        return 0;
                    }
                    found += work(block, scratch);
                }
                if let (Some(observer), Ok(cost)) = (self.options.observer, Cost::try_from(depth)) {
                    let passed = passed.fetch_add(blocks, Relaxed) + blocks;
                    let total = self.abstraction.rows();
                    observer.rows(cost, (passed * self.block).min(total), total);
                }
                found
            })
            .sum();
        if is_cancelled() { Err(BuildError::Cancelled) } else { Ok(found) }
    }

    fn rows_of(&self, block: u64) -> Range<u64> {
        block * self.block..((block + 1) * self.block).min(self.abstraction.rows())
    }

    /// The edges of a row, noted for the estimate and for the costs that are known.
    #[inline]
    fn edges(&self, row: u64, edges: &mut Vec<Edge>) {
        edges.clear();
        self.abstraction.edges(row, edges);
        for edge in &*edges {
            let known = &self.costs[usize::from(edge.cost)];
            if !known.load(Relaxed) {
                known.store(true, Relaxed);
            }
            self.table.prefetch(edge.row, self.columns);
        }
    }

    /// Walks the edges of one cost from the entries of `value` in a block; the unseen entries they reach get the value `depth`.
    /// Tells the blocks reached; how many entries were.
    fn forward(
        &self,
        block: u64,
        cost: Cost,
        value: usize,
        depth: usize,
        scratch: &mut Scratch,
        reached: impl Fn(u64),
    ) -> u64 {
        let (value, depth) = (value as u64, depth.min(self.table.values()) as u64);
        let (mut total, mut rows, mut edges) = (0, 0, 0);
        for row in self.rows_of(block) {
            self.table.row(row, self.columns).select(self.columns, value, &mut scratch.columns);
            if scratch.columns.is_empty() {
                continue;
            }
            self.edges(row, &mut scratch.edges);
            rows += 1;
            edges += scratch.edges.len() as u64;
            for edge in scratch.edges.iter().filter(|edge| edge.cost == cost) {
                let target = self.table.row(edge.row, self.columns);
                let map = self.abstraction.column_map(edge.map);
                let mut found = 0;
                if map.is_empty() {
                    for &column in &scratch.columns {
                        found += u64::from(target.set(usize::from(column), depth));
                    }
                } else {
                    let map = &map[..self.columns];
                    for &column in &scratch.columns {
                        let column = usize::from(map[usize::from(column)]);
                        found += u64::from(target.set(column, depth));
                    }
                }
                if found > 0 {
                    reached(edge.row / self.block);
                }
                total += found;
            }
        }
        self.looked[0].fetch_add(rows, Relaxed);
        self.looked[1].fetch_add(edges, Relaxed);
        total
    }

    /// Gives the unseen entries of a block the value `depth` that have an edge of cost `k` to an entry of value `depth - k`; how
    /// many.
    fn backward(&self, block: u64, depth: usize, scratch: &mut Scratch) -> u64 {
        let mut total = 0;
        let colours = self.colours.get().and_then(Option::as_ref);
        for row in self.rows_of(block) {
            if colours.is_some_and(|colours| !colours.may_be(row, depth)) {
                continue;
            }
            let own = self.table.row(row, self.columns);
            let Scratch { edges, columns, hits } = &mut *scratch;
            own.select(self.columns, T::UNSEEN, columns);
            if columns.is_empty() {
                continue;
            }
            self.edges(row, edges);
            hits.clear();
            hits.resize(columns.len(), 0);
            let (mut left, mut found) = (columns.len(), 0);
            for edge in &*edges {
                let Some(value) = depth.checked_sub(usize::from(edge.cost)) else { continue };
                if edge.cost == 0 || value >= self.table.values() || self.counts[value] == 0 {
                    continue;
                }
                let target = self.table.row(edge.row, self.columns);
                let map = self.abstraction.column_map(edge.map);
                let (kept, more) = if map.is_empty() {
                    part(&mut columns[..left], &mut hits[found..], |column| {
                        target.has(usize::from(column), value as u64)
                    })
                } else {
                    let map = &map[..self.columns];
                    part(&mut columns[..left], &mut hits[found..], |column| {
                        target.has(usize::from(map[usize::from(column)]), value as u64)
                    })
                };
                found += more;
                left = kept;
                if left == 0 {
                    break;
                }
            }
            for &column in &hits[..found] {
                own.set(usize::from(column), depth as u64);
            }
            if found > 0 {
                self.flags[depth].set(block);
            }
            total += found as u64;
        }
        total
    }
}

/// Moves the columns that hit to `hits` and the others to the front; how many of each: (kept, moved). Both lists are written at every
/// step and one advances, so there is no branch to mispredict. `hits` is as long as `columns`, or longer.
#[inline(always)]
fn part(columns: &mut [u16], hits: &mut [u16], hit: impl Fn(u16) -> bool) -> (usize, usize) {
    let (mut kept, mut moved) = (0, 0);
    for i in 0..columns.len() {
        let column = columns[i];
        columns[kept] = column;
        hits[moved] = column;
        let hit = hit(column);
        kept += usize::from(!hit);
        moved += usize::from(hit);
    }
    (kept, moved)
}
