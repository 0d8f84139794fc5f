//! Breadth-first search by layers: every state at each distance from the start, by number of operators.
//!
//! Invariant: after [`Layers::advance`] returned `n > 0` for layer `d`, exactly the states whose shortest operator string from a
//! start has length `d` are in layer `d`; so layers are disjoint, and their sizes are exact.
//!
//! States are cut into shards by their hash, each with its own table and arena of packed states. A round expands a bounded
//! part of the layer in parallel, sorts the successors by shard (so that each thread then works in a table that fits its
//! cache), and inserts them shard by shard. Work is cut without regard to the number of threads, so the order of the states of
//! a layer, like their number, is the same on every machine. Hash-based duplicate detection by partitions is that of Richard
//! Korf ("Linear-time disk-based implicit graph search", Journal of the ACM 55(6), 2008); ours is in memory only.
//!
//! Time: N |O| insertions for N states in the expanded layers and |O| operators. Memory: the size of a key (most often 4 to 16 bytes) and 6 to
//! 12 bytes of table a stored state, and the successors of one round (at most 128 MiB).

mod counts;
mod round;
mod symmetric;

pub use counts::{layer_counts, layer_counts_reversible};
pub use symmetric::{SymmetricLayer, SymmetricLayers, SymmetryClasses};

use crate::control::{Iteration, Options, Stop, Watch};
use crate::domain::{Cost, Key, Packed, Reversible};
use crate::stored::store::{Budget, Store};
use round::{ROUND, chunks, expand, insert};
use std::fmt;
use std::time::Instant;

/// Log2 of the number of shards. A shard of a search that fills the memory has a table that fits the second-level cache.
const SHARD_BITS: u32 = 10;

/// The shard of a hash: bits between those that the table uses for the slot (lowest) and for its tags (highest).
#[inline(always)]
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize & ((1 << SHARD_BITS) - 1)
}

/// Why a breadth-first search stopped inside a layer. Layers before that one are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The states need more than [`Limits::bytes`](crate::Limits::bytes).
    Memory {
        /// The layer that could not be completed.
        layer: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// [`Limits::nodes`](crate::Limits::nodes) successors were generated.
    Nodes {
        /// The layer that could not be completed.
        layer: usize,
    },
    /// [`Limits::time`](crate::Limits::time) went by.
    Time {
        /// The layer that could not be completed.
        layer: usize,
    },
    /// The caller cancelled.
    Cancelled {
        /// The layer that could not be completed.
        layer: usize,
    },
}

impl Stopped {
    fn in_layer(layer: usize, stop: Stop) -> Self {
        match stop {
            Stop::Nodes => Self::Nodes { layer },
            Stop::Time => Self::Time { layer },
            Stop::Cancelled => Self::Cancelled { layer },
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { layer, limit } => {
                write!(f, "layer {layer} does not fit into {limit} bytes")
            }
            Self::Nodes { layer } => write!(f, "the limit of nodes was reached in layer {layer}"),
            Self::Time { layer } => write!(f, "the limit of time was reached in layer {layer}"),
            Self::Cancelled { layer } => write!(f, "cancelled in layer {layer}"),
        }
    }
}

impl std::error::Error for Stopped {}

/// One shard: its states, and where in it each layer begins.
struct Shard<K> {
    store: Store<K>,
    /// Index of the first state of each layer; one more entry than there are complete layers.
    begins: Vec<usize>,
}

/// A breadth-first search in progress, and the states of its layers.
pub struct Layers<'a, D: Packed> {
    domain: &'a D,
    options: &'a Options<'a>,
    /// A state to be overwritten.
    blank: D::State,
    shards: Vec<Shard<D::Key>>,
    budget: Budget,
    sizes: Vec<u64>,
    /// Forget all but the last two layers.
    forget: bool,
    /// The last complete layer leads to nothing new.
    exhausted: bool,
    started: Instant,
    generated: u64,
    stopped: Option<Stopped>,
}

impl<D: Packed> fmt::Debug for Layers<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layers")
            .field("sizes", &self.sizes)
            .field("bytes", &self.budget.used())
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

impl<'a, D: Packed> Layers<'a, D> {
    /// Layer 0: the starts, without repetitions. Keeps every layer, which a domain needs whose operators cannot all be undone.
    ///
    /// Of the options, `limits.nodes`, `limits.time`, `limits.bytes`, `cancel` and `observer` are looked at, after each round.
    ///
    /// # Panics
    /// If there is no start.
    pub fn new(domain: &'a D, starts: &[D::State], options: &'a Options<'a>) -> Self {
        let blank = starts.first().expect("a breadth-first search needs a start").clone();
        let shards = (0..1 << SHARD_BITS)
            .map(|_| Shard { store: Store::new(), begins: vec![0] })
            .collect::<Vec<_>>();
        let mut layers = Self {
            domain,
            options,
            blank,
            shards,
            budget: Budget::new(options.limits.bytes),
            sizes: Vec::new(),
            forget: false,
            exhausted: false,
            started: Instant::now(),
            generated: 0,
            stopped: None,
        };
        for start in starts {
            let key = domain.pack(start);
            let hash = key.hash();
            let inserted =
                layers.shards[shard_of(hash)].store.insert(key, hash, &layers.budget).is_ok();
            if !inserted {
                layers.stopped = Some(layers.out_of_memory());
                return layers;
            }
        }
        layers.close_layer();
        layers
    }

    /// Goes on after layers of so many states, as [`Layers::last_two`] would, from the keys of the last two, or of the only one.
    ///
    /// # Panics
    /// If there is no layer, or a layer has not as many different keys as was said.
    fn resumed(
        domain: &'a D,
        blank: &D::State,
        sizes: Vec<u64>,
        keys: &mut dyn Iterator<Item = D::Key>,
        options: &'a Options<'a>,
    ) -> Result<Self, Stopped>
    where
        D: Reversible,
    {
        let mut layers = Self::last_two(domain, std::slice::from_ref(blank), options);
        let forgotten = sizes.len().saturating_sub(2);
        layers.sizes = sizes[..forgotten].to_vec();
        (layers.budget, layers.stopped) = (Budget::new(options.limits.bytes), None);
        for shard in &mut layers.shards {
            *shard = Shard { store: Store::new(), begins: vec![0; forgotten + 1] };
        }
        for &size in &sizes[forgotten..] {
            for key in keys.take(usize::try_from(size).unwrap_or(usize::MAX)) {
                let (hash, budget) = (key.hash(), &layers.budget);
                let shard = &mut layers.shards[shard_of(hash)];
                shard.store.insert(key, hash, budget).map_err(|_| Stopped::Memory {
                    layer: sizes.len(),
                    limit: options.limits.bytes.unwrap_or(usize::MAX),
                })?;
            }
            let inserted = layers.close_layer();
            assert_eq!(inserted, size, "keys of layer {}", layers.sizes.len() - 1);
        }
        assert!(!layers.sizes.is_empty(), "no layer to go on with");
        Ok(layers)
    }

    /// As [`Layers::new`], but forgets all layers except the last two. Every operator can be undone, so a successor of a state of
    /// layer `d` is in layer `d - 1`, `d` or `d + 1`: no other layer is needed to know what is new.
    pub fn last_two(domain: &'a D, starts: &[D::State], options: &'a Options<'a>) -> Self
    where
        D: Reversible,
    {
        Self { forget: true, ..Self::new(domain, starts, options) }
    }

    /// Completes the next layer and answers how many states it has; 0: every reachable state is in a layer before, and
    /// nothing changed.
    ///
    /// # Errors
    /// If a limit is reached or the caller cancels: the layer is not complete, and asking again gives the same answer.
    pub fn advance(&mut self) -> Result<u64, Stopped> {
        if let Some(stopped) = self.stopped {
            return Err(stopped);
        }
        if self.exhausted {
            return Ok(0);
        }
        let before = self.generated;
        let result = self.fill_layer();
        self.options.observer.iteration(&Iteration {
            bound: Cost::try_from(self.sizes.len()).unwrap_or(Cost::MAX),
            generated: self.generated - before,
            expanded: self.sizes.last().copied().unwrap_or(0),
            complete: result.is_ok(),
        });
        if let Err(stopped) = result {
            self.stopped = Some(stopped);
            return Err(stopped);
        }
        let size = self.close_layer();
        if size == 0 {
            self.exhausted = true;
            self.reopen_layer();
        } else if self.forget && self.sizes.len() > 2 {
            for shard in &mut self.shards {
                let from = shard.begins[shard.begins.len() - 3];
                shard.store.release_before(from, &self.budget);
            }
        }
        Ok(size)
    }

    /// Inserts the successors of the last layer, in rounds.
    fn fill_layer(&mut self) -> Result<(), Stopped> {
        let depth = self.sizes.len() - 1;
        let work = chunks(&self.shards, depth, self.domain.operators());
        let size = size_of::<D::Key>() * self.domain.operators();
        let round = ROUND.min(self.options.limits.bytes.unwrap_or(usize::MAX) / 8);
        let mut batches = Vec::new();
        let mut done = 0;
        let before = self.generated;
        while done < work.len() {
            let mut end = done + 1;
            let mut bytes = work[done].len() * size;
            while end < work.len() && bytes + work[end].len() * size <= round {
                bytes += work[end].len() * size;
                end += 1;
            }
            self.budget.take(bytes).map_err(|_| self.out_of_memory())?;
            expand(self.domain, &self.shards, &self.blank, &work[done..end], &mut batches);
            self.generated += batches.iter().map(|batch| batch.len() as u64).sum::<u64>();
            let inserted = insert(&mut self.shards, &batches, &self.budget);
            self.budget.give(bytes);
            done = end;
            let watch = Watch {
                options: self.options,
                started: self.started,
                before,
                bound: Cost::try_from(depth + 1).unwrap_or(Cost::MAX),
                lower_bound: Cost::try_from(depth).unwrap_or(Cost::MAX),
                upper_bound: None,
            };
            let stop = watch.look(self.generated - before, (done, work.len()));
            if inserted.is_err() {
                return Err(self.out_of_memory());
            }
            if let Some(stop) = stop {
                return Err(Stopped::in_layer(depth + 1, stop));
            }
        }
        Ok(())
    }

    fn out_of_memory(&self) -> Stopped {
        Stopped::Memory {
            layer: self.sizes.len(),
            limit: self.options.limits.bytes.unwrap_or(usize::MAX),
        }
    }

    /// Makes what was inserted a layer, and answers its size.
    fn close_layer(&mut self) -> u64 {
        let mut size = 0;
        for shard in &mut self.shards {
            let end = shard.store.len();
            size += (end - shard.begins.last().copied().unwrap_or(0)) as u64;
            shard.begins.push(end);
        }
        self.sizes.push(size);
        size
    }

    /// Takes back an empty layer.
    fn reopen_layer(&mut self) {
        self.sizes.pop();
        for shard in &mut self.shards {
            shard.begins.pop();
        }
    }

    /// The sizes of the complete layers: entry `d` counts the states whose shortest string has length `d`.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Successors generated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Bytes of stored states and tables now. While a layer is being completed, the limit also covers the successors of a
    /// round; what it does not cover are 3 MiB and an outgrown table of one shard a thread.
    pub fn bytes(&self) -> usize {
        self.budget.used()
    }

    /// Visits the states of a complete layer, in an order that is the same on every machine.
    ///
    /// # Panics
    /// If the layer is not complete, or is forgotten ([`Layers::last_two`]).
    pub fn for_each(&self, layer: usize, mut visit: impl FnMut(&D::State)) {
        assert!(layer < self.sizes.len(), "layer {layer} is not complete");
        assert!(!self.forget || layer + 2 >= self.sizes.len(), "layer {layer} is forgotten");
        let mut state = self.blank.clone();
        for shard in &self.shards {
            for index in shard.begins[layer]..shard.begins[layer + 1] {
                self.domain.unpack(shard.store.key(index), &mut state);
                visit(&state);
            }
        }
    }

    /// The layer of a state, if it is in a complete layer that is not forgotten. One lookup.
    pub fn layer_of(&self, state: &D::State) -> Option<usize> {
        let key = self.domain.pack(state);
        let hash = key.hash();
        let shard = &self.shards[shard_of(hash)];
        let index = shard.store.find(key, hash)?;
        let layer = shard.begins.partition_point(|&begin| begin <= index) - 1;
        (layer < self.sizes.len()).then_some(layer)
    }
}

#[cfg(test)]
mod tests;
