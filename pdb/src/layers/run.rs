//! The layers of an exhaustive search in two bits an entry.

use super::checkpoint::{LayerFiles, TAIL_WORDS};
use super::{ExhaustError, ExhaustOptions, ExhaustReport};
use crate::abstraction::{Abstraction, Edge};
use crate::builder::{
    BuildError, Cancellation, Colours, Flags, Outlook, Row, Store, Table, Walk, colours,
};
use crate::memory::BytesMut;
use search::{Cost, threads};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Codes of entries, where they are not residues: in the last layer, in the one being made; 0 in an
/// older one.
const FRONTIER: u64 = 1;
const NEW: u64 = 2;
/// No edge of another cost than 1 was seen.
const NO_COST: u64 = u64::MAX;

/// What is known beside the table when a layer is complete.
#[derive(Default)]
struct Progress {
    layers: Vec<u64>,
    seen: u64,
    /// Rows looked at forward and their edges, for the estimate of the work.
    looked: [u64; 2],
}

/// The search on its way. With `residues`, codes are distances modulo 3.
pub(super) struct Run<'a> {
    residues: bool,
    abstraction: &'a dyn Abstraction,
    options: &'a ExhaustOptions<'a>,
    progress: Progress,
    /// Blocks that hold entries of the last layer, and of the one being made.
    flags: [Flags; 2],
    colours: OnceLock<Option<Colours>>,
    /// The cost of an edge that costs not 1.
    cost: AtomicU64,
}

impl<'a> Run<'a> {
    /// Makes all layers in this memory: the table's words, then those of a checkpoint's tail.
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
            progress: Progress::default(),
            flags: [Flags::new(blocks), Flags::new(blocks)],
            colours: OnceLock::new(),
            cost: AtomicU64::new(NO_COST),
        };
        let mut files = LayerFiles::new(options, abstraction, residues);
        match files.load(memory) {
            Some(layers) => run.resume(layers, memory),
            None => run.goals(memory)?,
        }
        while run.progress.seen < run.walk(memory).entries() && run.layer(memory)? > 0 {
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

    /// The codes of the last layer and of the one that is made, number `depth`.
    fn codes(&self, depth: usize) -> (u64, u64) {
        let residue = |depth: usize| (depth % 3) as u64;
        if self.residues { (residue(depth + 2), residue(depth)) } else { (FRONTIER, NEW) }
    }

    /// Layer 0.
    fn goals(&mut self, memory: &mut BytesMut) -> Result<(), ExhaustError> {
        let walk = self.walk(memory);
        walk.table.clear();
        let mut goals = Vec::new();
        self.abstraction.goals(&mut goals);
        if goals.is_empty() {
            return Err(BuildError::NoGoal.into());
        }
        let mut found = 0;
        for entry in goals {
            if entry >= walk.entries() {
                return Err(BuildError::Goal { entry, entries: walk.entries() }.into());
            }
            let (row, column) = walk.place(entry);
            let code = self.codes(1).0;
            found += u64::from(walk.table.row(row, walk.columns).set(column, code));
            self.flags[0].set(row / walk.block);
        }
        self.tell(found, walk.entries());
        Ok(())
    }

    /// Goes on after layers that were loaded.
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

    /// Takes a layer down, and tells the observer.
    fn tell(&mut self, found: u64, entries: u64) {
        let depth = Cost::try_from(self.progress.layers.len()).unwrap_or(Cost::MAX);
        self.progress.layers.push(found);
        self.progress.seen += found;
        if let Some(observer) = self.options.build.observer {
            observer.layer(depth, found, self.progress.seen, entries);
        }
    }

    /// Makes the next layer, and returns how many entries it has. Changes nothing if that is 0.
    fn layer(&mut self, memory: &mut BytesMut) -> Result<u64, ExhaustError> {
        let walk = self.walk(memory);
        let depth = self.progress.layers.len();
        let (from, to) = self.codes(depth);
        let note = |edges: &[Edge]| self.note(edges);
        let looked = [AtomicU64::new(0), AtomicU64::new(0)];
        let [last, next] = &self.flags;
        let found = if self.prefers_backward(&walk) {
            let colours = self.colours.get().and_then(Option::as_ref);
            let may_hold = |row| colours.is_none_or(|colours| colours.may_be(row, depth));
            walk.sweep(&self.options.build, depth, &|block, scratch| {
                let found = walk.backward(block, to, scratch, note, may_hold, |_| Some(from));
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
                let found = walk.forward::<true>(block, (1, from), scratch, note, to, reached);
                looked[0].fetch_add(found.rows, Relaxed);
                looked[1].fetch_add(found.edges, Relaxed);
                found.found
            })
        };
        // If two threads found an entry, both counted it.
        let unseen = walk.table.capacity() - self.progress.seen;
        let found = match found.map_err(|Cancellation| BuildError::Cancelled)? {
            0 => 0,
            _ => unseen - walk.table.count(<Table<'_, 2> as Store>::UNSEEN),
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
            self.tell(found, entries);
        }
        Ok(found)
    }

    /// Notes an edge that does not cost 1. Edges that no walk looks at do not matter. From the last
    /// layer nothing is reached sooner. An edge between two other such entries joins one layer.
    #[inline(always)]
    fn note(&self, edges: &[Edge]) {
        for edge in edges.iter().filter(|edge| edge.cost != 1) {
            self.cost.store(u64::from(edge.cost), Relaxed);
        }
    }

    fn prefers_backward(&self, walk: &Walk<'_, Table<'_, 2>>) -> bool {
        let Progress { layers, seen, looked: [rows, edges] } = &self.progress;
        let step = if self.residues { 3 } else { layers.len() };
        let outlook = Outlook {
            entries: walk.entries(),
            seen: *seen,
            // Of the same code.
            frontier: layers.iter().rev().step_by(step).sum(),
            layers: [1, 2].map(|back| layers[layers.len().saturating_sub(back)]),
            degree: *edges as f64 / *rows as f64,
        };
        if !self.abstraction.undirected() || *rows == 0 || !outlook.is_large() {
            return false;
        }
        let colours = self.colours.get_or_init(|| colours(self.abstraction)).is_some();
        outlook.prefers_backward(if colours { 0.5 } else { 1.0 })
    }

    /// Lists entries of the deepest layer.
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
        ExhaustReport { layers: self.progress.layers, unreached, antipodes }
    }
}

/// A word of entries one layer later: what was new is the frontier, what was the frontier is old.
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
