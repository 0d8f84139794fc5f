//! Makes the layers of an exhaustive search, in two bits an entry.

use super::checkpoint::{LayerFiles, TAIL_WORDS};
use super::options::ExhaustOptions;
use super::report::{ExhaustError, ExhaustReport};
use crate::abstraction::{Abstraction, Edge};
use crate::builder::{
    BuildError, BuildTable, Cancellation, Colours, DirectionEstimate, Flags, Table, Walk, colours,
    goals_of,
};
use crate::memory::BytesMut;
use search::{Cost, threads};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The code of entries in the last complete layer. Older entries have the code 0. With residues,
/// codes are distances modulo 3 instead.
const FRONTIER: u64 = 1;
/// The code of entries in the layer being made.
const NEW: u64 = 2;
/// The value of [`ExhaustRun::cost`] while all edges cost 1.
const NO_COST: u64 = u64::MAX;

/// The data besides the table when a layer is complete.
#[derive(Default)]
struct LayerCounts {
    layers: Vec<u64>,
    seen: u64,
    /// Number of rows read forward so far, and number of their edges. They are used to estimate
    /// work.
    looked: [u64; 2],
}

/// A running search. With `residues`, codes are distances modulo 3.
pub(super) struct ExhaustRun<'a> {
    residues: bool,
    abstraction: &'a dyn Abstraction,
    options: &'a ExhaustOptions<'a>,
    progress: LayerCounts,
    /// Which blocks have entries of the last whole layer, and which have entries of the layer that
    /// is being made.
    flags: [Flags; 2],
    colours: OnceLock<Option<Colours>>,
    /// The cost of some edge that does not cost 1, or [`NO_COST`].
    cost: AtomicU64,
    /// The watched entries that are still unseen, and for each layer the number of those found.
    watched: (Vec<u64>, Vec<u64>),
}

impl<'a> ExhaustRun<'a> {
    /// Makes all layers. `memory` has the words of the table, then the words that checkpoints add.
    pub(super) fn run(
        abstraction: &'a dyn Abstraction,
        options: &'a ExhaustOptions<'a>,
        residues: bool,
        memory: &mut BytesMut,
    ) -> Result<ExhaustReport, ExhaustError> {
        let blocks = Walk::new(abstraction, Table::<2>::of(&[])).blocks;
        let mut run = Self {
            residues,
            abstraction,
            options,
            progress: LayerCounts::default(),
            flags: [Flags::new(blocks), Flags::new(blocks)],
            colours: OnceLock::new(),
            cost: AtomicU64::new(NO_COST),
            watched: (options.watched.to_vec(), Vec::new()),
        };
        options.build.prepare(abstraction)?;
        let mut files = LayerFiles::new(options, abstraction, residues);
        match files.load(memory) {
            Some(layers) if run.is_sound(&layers, memory) => run.resume(layers, memory),
            loaded => {
                if loaded.is_some() {
                    files.refuse();
                }
                run.goals(memory)?;
                run.find_watched(memory);
            }
        }
        while run.goes_on(memory) && run.layer(memory)? > 0 {
            run.find_watched(memory);
            files.save(&run.progress.layers, memory);
        }
        files.done();
        Ok(run.finish(memory))
    }

    fn walk<'b>(&self, memory: &'b mut BytesMut) -> Walk<'b, Table<'b, 2>>
    where
        'a: 'b,
    {
        let words = memory.as_words();
        Walk::new(self.abstraction, Table::of(&words[..words.len() - TAIL_WORDS]))
    }

    /// Whether entries that matter are unseen.
    fn goes_on(&self, memory: &mut BytesMut) -> bool {
        let is_done = !self.options.watched.is_empty() && self.watched.0.is_empty();
        !is_done && self.progress.seen < self.walk(memory).entries()
    }

    /// Counts the watched entries that the last layer has reached.
    fn find_watched(&mut self, memory: &mut BytesMut) {
        if self.options.watched.is_empty() {
            return;
        }
        let walk = self.walk(memory);
        let is_unseen = |&entry: &u64| {
            let (row, column) = walk.place(entry);
            walk.table.row(row, walk.columns).has(column, <Table<'_, 2> as BuildTable>::UNSEEN)
        };
        let (left, found) = &mut self.watched;
        let before = left.len();
        left.retain(is_unseen);
        found.push((before - left.len()) as u64);
    }

    /// The code of the last layer, and that of the layer `depth`, which is being made.
    fn codes(&self, depth: usize) -> (u64, u64) {
        let residue = |depth: usize| (depth % 3) as u64;
        if self.residues { (residue(depth + 2), residue(depth)) } else { (FRONTIER, NEW) }
    }

    /// Makes layer 0 from the goals.
    fn goals(&mut self, memory: &mut BytesMut) -> Result<(), ExhaustError> {
        let walk = self.walk(memory);
        Table::<2>::unseen(walk.table.words(), self.options.build.cancel);
        let mut found = 0;
        for entry in goals_of(self.abstraction)? {
            let (row, column) = walk.place(entry);
            let code = self.codes(1).0;
            found += u64::from(walk.table.row(row, walk.columns).set(column, code));
            self.flags[0].set(row / walk.block);
        }
        self.report_layer(found, walk.entries());
        Ok(())
    }

    /// Whether a search can have these codes after layers of these sizes. A checkpoint may be
    /// forged, with right checksums.
    fn is_sound(&self, layers: &[u64], memory: &mut BytesMut) -> bool {
        let walk = self.walk(memory);
        // The number of entries with each code. Unseen entries and the unused bits behind the last
        // entry count too.
        let mut codes = [0_u64; 4];
        codes[3] = walk.table.capacity();
        for (depth, &size) in layers.iter().enumerate() {
            let code = match self.residues {
                true => depth % 3,
                false => usize::from(depth + 1 == layers.len()),
            };
            let Some(left) = codes[3].checked_sub(size) else { return false };
            codes[3] = left;
            codes[code] += size;
        }
        let last = walk.table.words().last().map_or(0, |word| word.load(Relaxed));
        let used = u32::try_from(2 * (walk.entries() % 32)).unwrap_or(0);
        let unused = used == 0 || last >> used == u64::MAX >> used;
        let right = |(code, &entries): (u64, &u64)| walk.table.count(code) == entries;
        unused && layers.iter().all(|&size| size > 0) && (0..).zip(&codes).all(right)
    }

    /// Continues after layers that were loaded from a checkpoint.
    fn resume(&mut self, layers: Vec<u64>, memory: &mut BytesMut) {
        self.progress.seen = layers.iter().sum();
        self.progress.layers = layers;
        let code = self.codes(self.progress.layers.len()).0;
        let walk = self.walk(memory);
        let blocks = usize::try_from(walk.blocks).expect("fewer blocks than bytes in memory");
        threads::each(blocks, &|block| {
            let (block, mut columns) = (block as u64, Vec::new());
            for row in walk.rows_of(block) {
                walk.table.row(row, walk.columns).select(walk.columns, code, &mut columns);
                if !columns.is_empty() {
                    return self.flags[0].set(block);
                }
            }
        });
    }

    /// Records the size of a layer, and reports the layer to the observer.
    fn report_layer(&mut self, found: u64, entries: u64) {
        let depth = Cost::try_from(self.progress.layers.len()).unwrap_or(Cost::MAX);
        self.progress.layers.push(found);
        self.progress.seen += found;
        if let Some(observer) = self.options.build.observer {
            observer.layer(depth, found, self.progress.seen, entries);
        }
    }

    /// Makes the next layer, and returns its number of entries. If that is 0, nothing changes.
    fn layer(&mut self, memory: &mut BytesMut) -> Result<u64, ExhaustError> {
        let walk = self.walk(memory);
        let depth = self.progress.layers.len();
        let (from, to) = self.codes(depth);
        let on_edges = |edges: &[Edge]| self.refuse_costs(edges);
        let looked = [AtomicU64::new(0), AtomicU64::new(0)];
        let [last, next] = &self.flags;
        let found = if self.prefers_backward(&walk) {
            let colours = self.colours.get().and_then(Option::as_ref);
            let may_hold = |row| colours.is_none_or(|colours| colours.may_be(row, depth));
            walk.sweep(&self.options.build, depth, &|block, scratch| {
                let found = walk.backward(block, to, scratch, on_edges, may_hold, |_| Some(from));
                if found > 0 {
                    next.set(block);
                }
                found
            })
        } else {
            walk.sweep(&self.options.build, depth, &|block, scratch| {
                if !last.get(block) {
                    return 0;
                }
                let reached = |block| next.set(block);
                let found = walk.forward::<true>(block, (1, from), scratch, on_edges, to, reached);
                looked[0].fetch_add(found.rows, Relaxed);
                looked[1].fetch_add(found.edges, Relaxed);
                found.found
            })
        };
        // If two threads found an entry, both counted it. So the table is counted.
        let unseen = walk.table.capacity() - self.progress.seen;
        let found = match found.map_err(|Cancellation| BuildError::Cancelled)? {
            0 => 0,
            _ => unseen - walk.table.count(<Table<'_, 2> as BuildTable>::UNSEEN),
        };
        match self.cost.load(Relaxed) {
            NO_COST => {}
            cost => {
                let cost = Cost::try_from(cost).expect("the cost of an edge");
                return Err(ExhaustError::Weighted { cost });
            }
        }
        let entries = walk.entries();
        if found > 0 {
            if !self.residues {
                walk.table.replace(age);
            }
            for (sum, looked) in self.progress.looked.iter_mut().zip(looked) {
                *sum += looked.into_inner();
            }
            self.flags.swap(0, 1);
            self.flags[1].clear();
            self.report_layer(found, entries);
        }
        Ok(found)
    }

    /// Stores the cost of an edge that does not cost 1, if there is one. The search then fails with
    /// [`ExhaustError::Weighted`].
    ///
    /// The costs of edges that are never read do not matter. Edges from the last layer lead to no
    /// entry at a smaller depth than its own. Any other unread edge joins two entries of one layer.
    #[inline(always)]
    fn refuse_costs(&self, edges: &[Edge]) {
        for edge in edges.iter().filter(|edge| edge.cost != 1) {
            self.cost.store(u64::from(edge.cost), Relaxed);
        }
    }

    fn prefers_backward(&self, walk: &Walk<'_, Table<'_, 2>>) -> bool {
        let LayerCounts { layers, seen, looked: [rows, edges] } = &self.progress;
        let step = if self.residues { 3 } else { layers.len() };
        let estimate = DirectionEstimate {
            entries: walk.entries(),
            seen: *seen,
            // The entries with the code of the last layer.
            frontier: layers.iter().rev().step_by(step).sum(),
            layers: [1, 2].map(|back| layers[layers.len().saturating_sub(back)]),
            degree: *edges as f64 / *rows as f64,
        };
        if !self.abstraction.undirected() || *rows == 0 || !estimate.is_large() {
            return false;
        }
        let colours =
            self.colours.get_or_init(|| colours(self.abstraction, self.options.build.cancel));
        // A step of a whole row takes a fiftieth of the time of a forward step for each column.
        walk.is_wide() || estimate.prefers_backward(if colours.is_some() { 0.5 } else { 1.0 })
    }

    /// The result, with some entries of the deepest layer.
    fn finish(self, memory: &mut BytesMut) -> ExhaustReport {
        let walk = self.walk(memory);
        let (mut antipodes, mut columns) = (Vec::new(), Vec::new());
        let most = if self.residues { 0 } else { self.options.antipodes };
        for block in (0..walk.blocks).filter(|&block| self.flags[0].get(block)) {
            if antipodes.len() >= most {
                break;
            }
            for row in walk.rows_of(block) {
                walk.table.row(row, walk.columns).select(walk.columns, FRONTIER, &mut columns);
                let entry = |&column: &u16| row * walk.columns as u64 + u64::from(column);
                antipodes.extend(columns.iter().map(entry));
            }
        }
        antipodes.truncate(most);
        let unreached = walk.entries() - self.progress.seen;
        let watched = self.watched.1;
        ExhaustReport { layers: self.progress.layers, unreached, antipodes, watched }
    }
}

/// Ages the entries of a word by one layer: new entries become the frontier, the frontier becomes
/// old.
#[inline]
fn age(word: u64) -> u64 {
    const LOW: u64 = u64::MAX / 3;
    let (low, high) = (word & LOW, word >> 1 & LOW);
    // Unseen entries have both bits.
    high | (low & high) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_grow_older_and_unseen_entries_do_not() {
        let codes = |word: u64| (0..32).map(move |entry| word >> (2 * entry) & 3);
        let word = 0x1234_5678_9abc_def0;
        let older = |code| [0, 0, FRONTIER, 3][usize::try_from(code).expect("a code")];
        assert!(codes(age(word)).eq(codes(word).map(older)));
        assert_eq!((age(u64::MAX), older(NEW), older(FRONTIER)), (u64::MAX, FRONTIER, 0));
    }
}
