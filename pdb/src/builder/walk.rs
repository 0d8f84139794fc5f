//! Walks from blocks of rows along their edges, forward or backward. Builds and exhaustive searches
//! share them.

use super::BuildOptions;
use super::row::Bitmap;
use super::table::BuildTable;
use super::wide::{Wide, WideRow};
use crate::abstraction::{Abstraction, ColumnMap, Edge};
use search::{Cost, threads};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Least number of entries in a block of rows: two cache lines of a table with four bits an entry.
const BLOCK: usize = 256;

/// The error that the caller has cancelled.
#[derive(Debug)]
pub(crate) struct Cancellation;

/// Least number of columns, for each word of a row, for which the walk makes a bitmap of the row.
/// With fewer, it looks up each column in the row itself.
const DENSE: usize = 4;

/// Least number of source columns in a row from which a forward walk prefetches whole target rows.
const MANY: usize = 4;

/// The walk looks up columns one by one if less than 1/32 of a row is left.
const FEW: usize = 32;

/// The buffers of one thread.
pub(crate) struct Scratch {
    edges: Vec<Edge>,
    columns: Vec<u16>,
    masks: Vec<u64>,
    bitmap: Box<Bitmap>,
    /// Two sets of a row's columns: unseen before a step, and still unseen after it.
    unseen: [Vec<u64>; 2],
}

impl Scratch {
    fn new() -> Self {
        let bitmap = Box::new([0; 1024]);
        let (columns, masks, unseen) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
        Self { edges: Vec::new(), columns, masks, bitmap, unseen }
    }
}

/// The counts of a forward walk.
#[derive(Clone, Copy, Default)]
pub(crate) struct WalkCounts {
    /// Number of rows from which the walk started.
    pub(crate) rows: u64,
    /// Number of edges of these rows.
    pub(crate) edges: u64,
    /// Number of entries that were unseen before.
    pub(crate) found: u64,
}

/// A table of an abstraction, cut into blocks of rows.
pub(crate) struct Walk<'a, T> {
    pub(crate) abstraction: &'a dyn Abstraction,
    pub(crate) table: T,
    rows: u64,
    pub(crate) columns: usize,
    /// The number of rows that a thread takes at once, so that a share of work has about [`BLOCK`]
    /// entries: at least one row.
    pub(crate) block: u64,
    pub(crate) blocks: u64,
    /// Steps of a whole row, where the CPU has them and the table is made for them.
    wide: Option<Wide>,
}

impl<'a, T: BuildTable> Walk<'a, T> {
    pub(crate) fn new(abstraction: &'a dyn Abstraction, table: T) -> Self {
        let (rows, columns) = abstraction.shape();
        let block = block_rows(columns);
        let blocks = rows.div_ceil(block);
        let wide = Wide::of(columns).filter(|_| T::BITS == 2);
        Self { abstraction, table, rows, columns, block, blocks, wide }
    }

    /// Whether a backward walk makes steps of a whole row.
    pub(crate) fn is_wide(&self) -> bool {
        self.wide.is_some()
    }

    /// Number of entries of the table.
    pub(crate) fn entries(&self) -> u64 {
        self.rows * self.columns as u64
    }

    /// The row and the column of an entry.
    pub(crate) fn place(&self, entry: u64) -> (u64, usize) {
        let columns = self.columns as u64;
        (entry / columns, usize::try_from(entry % columns).expect("a column"))
    }

    /// Calls `work` with every block, on all threads, and returns the sum of the results.
    pub(crate) fn sweep(
        &self,
        options: &BuildOptions<'_>,
        depth: usize,
        work: &(dyn Fn(u64, &mut Scratch) -> u64 + Sync),
    ) -> Result<u64, Cancellation> {
        sweep(options, depth, (self.rows, self.block), work)
    }

    pub(crate) fn rows_of(&self, block: u64) -> Range<u64> {
        block * self.block..((block + 1) * self.block).min(self.rows)
    }

    /// Overwrites `edges` with the edges of a row, and calls `on_edges` with them.
    #[inline(always)]
    fn edges(&self, row: u64, edges: &mut Vec<Edge>, on_edges: impl Fn(&[Edge])) {
        edges.clear();
        self.abstraction.edges(row, edges);
        on_edges(edges);
        for edge in &*edges {
            self.table.prefetch(edge.row, self.columns);
        }
    }

    /// Walks the edges of one cost from the entries of the value `from` in a block. Gives unseen
    /// targets the value `to`, and calls `reached` with their blocks. Calls `on_edges` with the
    /// edges of each row. Uses [`Row::set`](super::Row::set). With `ROUGH` it uses
    /// [`Row::mark`](super::Row::mark), whose counts may be too high.
    #[inline(always)]
    pub(crate) fn forward<const ROUGH: bool>(
        &self,
        block: u64,
        (cost, from): (Cost, u64),
        scratch: &mut Scratch,
        on_edges: impl Fn(&[Edge]),
        to: u64,
        reached: impl Fn(u64),
    ) -> WalkCounts {
        let mut looked = WalkCounts::default();
        for row in self.rows_of(block) {
            self.table.row(row, self.columns).select(self.columns, from, &mut scratch.columns);
            if scratch.columns.is_empty() {
                continue;
            }
            self.edges(row, &mut scratch.edges, &on_edges);
            if scratch.columns.len() >= MANY {
                for edge in &scratch.edges {
                    self.table.row(edge.row, self.columns).prefetch_rest();
                }
            }
            looked.rows += 1;
            looked.edges += scratch.edges.len() as u64;
            for edge in scratch.edges.iter().filter(|edge| edge.cost == cost) {
                let target = self.table.row(edge.row, self.columns);
                let see = |column| match ROUGH {
                    true => target.mark(column, to),
                    false => target.set(column, to),
                };
                let map = map_of(self.abstraction, edge, self.columns);
                let found = through(map, self.columns, &scratch.columns, see);
                if found > 0 {
                    reached(edge.row / self.block);
                }
                looked.found += found;
            }
        }
        looked
    }

    /// Gives the value `to` to each unseen entry of a block that has an edge to an entry of the
    /// wanted value. Returns the number of these entries. `wanted` gives the wanted value for the
    /// cost of the edge. Reads only rows for which `may_hold` is true, and calls `on_edges` with
    /// their edges.
    #[inline(always)]
    pub(crate) fn backward(
        &self,
        block: u64,
        to: u64,
        scratch: &mut Scratch,
        on_edges: impl Fn(&[Edge]),
        may_hold: impl Fn(u64) -> bool,
        wanted: impl Fn(Cost) -> Option<u64>,
    ) -> u64 {
        let mut total = 0;
        for row in self.rows_of(block) {
            if !may_hold(row) {
                continue;
            }
            let own = self.table.row(row, self.columns);
            if let (Some(wide), Some(own)) = (self.wide, own.wide()) {
                total += self.backward_wide((wide, own, row), to, scratch, &on_edges, &wanted);
                continue;
            }
            let Scratch { edges, columns, masks, bitmap, .. } = &mut *scratch;
            own.select(self.columns, T::UNSEEN, columns);
            if columns.is_empty() {
                continue;
            }
            self.edges(row, edges, &on_edges);
            let mut left = columns.len();
            for edge in &*edges {
                let Some(value) = wanted(edge.cost) else { continue };
                let target = self.table.row(edge.row, self.columns);
                let map = map_of(self.abstraction, edge, self.columns);
                let columns = &mut columns[..left];
                let dense = columns.len() >= DENSE * target.words.len();
                let is_identity = map.first.is_empty() && map.second.is_empty();
                if dense && !is_identity {
                    target.bitmap(self.columns, value, bitmap);
                }
                let has = |column: u16| target.has(usize::from(column), value);
                let seen = |to: u16| bitmap[usize::from(to) / 64] >> (to % 64) & 1 == 1;
                left = match (map.first, map.second) {
                    ([], []) => keep(columns, |column| !has(column)),
                    (map, []) | ([], map) => {
                        let map = &map[..self.columns];
                        match dense {
                            false => keep(columns, |column| !has(map[usize::from(column)])),
                            true => keep(columns, |column| !seen(map[usize::from(column)])),
                        }
                    }
                    (first, second) => {
                        let (first, second) = (&first[..self.columns], &second[..self.columns]);
                        let to = |column: u16| second[usize::from(first[usize::from(column)])];
                        match dense {
                            false => keep(columns, |column| !has(to(column))),
                            true => keep(columns, |column| !seen(to(column))),
                        }
                    }
                };
                if left == 0 {
                    break;
                }
            }
            if left < columns.len() {
                // In this direction, only the thread that looks at a row changes it. Its writes
                // leave other entries of a shared word as they are.
                own.fill(self.columns, &columns[..left], to, masks);
                total += (columns.len() - left) as u64;
            }
        }
        total
    }
}

impl<T: BuildTable> Walk<'_, T> {
    /// [`Walk::backward`] for one row, in steps of a whole row.
    #[inline(always)]
    fn backward_wide(
        &self,
        (wide, own, row): (Wide, WideRow<'_>, u64),
        to: u64,
        scratch: &mut Scratch,
        on_edges: impl Fn(&[Edge]),
        wanted: impl Fn(Cost) -> Option<u64>,
    ) -> u64 {
        let Scratch { edges, unseen: [unseen, left], .. } = scratch;
        wide.select(own, T::UNSEEN, unseen);
        if unseen.iter().all(|&word| word == 0) {
            return 0;
        }
        left.clone_from(unseen);
        self.edges(row, edges, &on_edges);
        for edge in &*edges {
            self.table.row(edge.row, self.columns).prefetch_rest();
        }
        for edge in &*edges {
            let Some(value) = wanted(edge.cost) else { continue };
            let target = self.table.row(edge.row, self.columns);
            let map = map_of(self.abstraction, edge, self.columns);
            let columns: u32 = left.iter().map(|word| word.count_ones()).sum();
            if columns == 0 {
                break;
            }
            let few = (columns as usize) < self.columns / FEW;
            match (map.first, map.second, target.wide()) {
                (map, [], Some(target)) | ([], map, Some(target)) if !few && !map.is_empty() => {
                    wide.remove(target, value, map, left);
                }
                _ => remove(left, |column| target.has(map.to(column), value)),
            }
        }
        let mut found = 0;
        for (unseen, left) in unseen.iter_mut().zip(left) {
            *unseen &= !*left;
            found += u64::from(unseen.count_ones());
        }
        if found > 0 {
            wide.give(own, to, unseen);
        }
        found
    }
}

/// Removes each column from a bitmap for which `has` is true.
fn remove(left: &mut [u64], has: impl Fn(usize) -> bool) {
    for (word, left) in left.iter_mut().enumerate() {
        let mut columns = *left;
        while columns != 0 {
            let bit = columns.trailing_zeros();
            // Without a branch, which would often be mispredicted.
            *left &= !(u64::from(has(64 * word + bit as usize)) << bit);
            columns &= columns - 1;
        }
    }
}

/// [`Abstraction::map_of`], for a number of columns that the caller has at hand.
#[inline(always)]
pub(crate) fn map_of<'a>(
    abstraction: &'a dyn Abstraction,
    edge: &Edge,
    columns: usize,
) -> ColumnMap<'a> {
    match columns {
        1 => ColumnMap::IDENTITY,
        _ => abstraction.column_map(edge.map),
    }
}

/// Maps each column of `from`, and calls `see` with the result. Returns how often `see` returned
/// true. A row has `columns` columns.
#[inline(always)]
pub(crate) fn through(
    map: ColumnMap<'_>,
    columns: usize,
    from: &[u16],
    mut see: impl FnMut(usize) -> bool,
) -> u64 {
    match (map.first, map.second) {
        ([], []) => count(from, |column| see(usize::from(column))),
        (map, []) | ([], map) => {
            let map = &map[..columns];
            count(from, |column| see(usize::from(map[usize::from(column)])))
        }
        (first, second) => {
            let (first, second) = (&first[..columns], &second[..columns]);
            count(from, |column| see(usize::from(second[usize::from(first[usize::from(column)])])))
        }
    }
}

/// [`Walk::sweep`], compiled once for all tables.
pub(crate) fn sweep(
    options: &BuildOptions<'_>,
    depth: usize,
    (rows, block_rows): (u64, u64),
    work: &(dyn Fn(u64, &mut Scratch) -> u64 + Sync),
) -> Result<u64, Cancellation> {
    let is_cancelled = || options.cancel.is_some_and(|cancel| cancel.is_cancelled());
    // Chunks of blocks: enough for the threads to share, few enough to report each.
    let blocks = rows.div_ceil(block_rows);
    let chunk = blocks.div_ceil(1024);
    let (passed, found) = (AtomicU64::new(0), AtomicU64::new(0));
    let spare: Mutex<Vec<Scratch>> = Mutex::default();
    let lock = || spare.lock().expect("no thread panics while it holds this lock");
    let chunks = usize::try_from(blocks.div_ceil(chunk)).expect("at most 1024 chunks");
    threads::each(chunks, &|number| {
        let first = number as u64 * chunk;
        let end = blocks.min(first + chunk);
        let taken = lock().pop();
        let (mut scratch, mut sum) = (taken.unwrap_or_else(Scratch::new), 0);
        for block in first..end {
            if is_cancelled() {
                return;
            }
            sum += work(block, &mut scratch);
        }
        found.fetch_add(sum, Relaxed);
        lock().push(scratch);
        if let Some(observer) = options.observer {
            let cost = Cost::try_from(depth).unwrap_or(Cost::MAX);
            let passed = passed.fetch_add(end - first, Relaxed) + end - first;
            observer.rows(cost, (passed * block_rows).min(rows), rows);
        }
    });
    if is_cancelled() { Err(Cancellation) } else { Ok(found.into_inner()) }
}

/// The number of columns for which `said` is true.
#[inline(always)]
fn count(columns: &[u16], mut said: impl FnMut(u16) -> bool) -> u64 {
    columns.iter().map(|&column| u64::from(said(column))).sum()
}

/// Number of rows in a block.
pub(crate) fn block_rows(columns: usize) -> u64 {
    (BLOCK / columns.max(1)).max(1) as u64
}

/// Moves the columns for which `keep` is true to the front, and returns their number. Every step
/// writes its column and adds 0 or 1 to the count, so there is no branch to mispredict.
#[inline(always)]
fn keep(columns: &mut [u16], keep: impl Fn(u16) -> bool) -> usize {
    let mut kept = 0;
    for i in 0..columns.len() {
        let column = columns[i];
        columns[kept] = column;
        kept += usize::from(keep(column));
    }
    kept
}
