//! The layers of a breadth-first search in progress.

use super::round::{ROUND, Shard, chunks, expand, insert};
use super::{LayersError, SHARD_BITS, shard_of};
use crate::control::{Iteration, Options, SearchState, Stop};
use crate::domain::{Cost, Key, Packed, Reversible};
use crate::stored::store::{Budget, Store};
use std::convert::Infallible;
use std::fmt;

/// A breadth-first search in progress, and the states of its layers.
pub struct Layers<'a, D: Packed> {
    domain: &'a D,
    search: SearchState<'a>,
    /// Any state. Copies of it are overwritten.
    pub(super) blank: D::State,
    pub(super) shards: Vec<Shard<D::Key>>,
    budget: Budget,
    sizes: Vec<u64>,
    /// Whether to forget all layers but the last two.
    forget: bool,
    /// Whether the last complete layer leads to no new state.
    exhausted: bool,
    generated: u64,
    stopped: Option<LayersError>,
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
    /// A search whose layer 0 is complete: the starts, without repetitions. Keeps every layer.
    ///
    /// If every operator has an inverse, [`Layers::last_two`] takes less memory. The search checks
    /// the limit of bytes before each allocation, and the limit of nodes after each round. It
    /// checks the limit of time and the cancel token every few states. It calls the observer, and
    /// ignores all other limits and options.
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
            search: SearchState::new(options),
            blank,
            shards,
            budget: Budget::new(options.limits.bytes),
            sizes: Vec::new(),
            forget: false,
            exhausted: false,
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

    /// Continues an earlier search by [`Layers::last_two`], whose complete layers have these sizes.
    /// `keys` are the keys of its last two layers, or of its only layer.
    ///
    /// # Errors
    /// If the keys do not fit the memory, or a layer has another number of different keys than its
    /// size.
    ///
    /// # Panics
    /// If there is no layer.
    pub(super) fn resumed(
        domain: &'a D,
        blank: &D::State,
        sizes: Vec<u64>,
        keys: &mut dyn Iterator<Item = D::Key>,
        options: &'a Options<'a>,
    ) -> Result<Self, LayersError>
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
                shard.store.insert(key, hash, budget).map_err(|_| LayersError::Memory {
                    layer: sizes.len(),
                    limit: options.limits.bytes.unwrap_or(usize::MAX),
                })?;
            }
            if layers.close_layer() != size {
                return Err(LayersError::Keys { layer: layers.sizes.len() - 1 });
            }
        }
        assert!(!layers.sizes.is_empty(), "no layer to go on with");
        Ok(layers)
    }

    /// As [`Layers::new`], but forgets all layers except the last two.
    ///
    /// Every operator has an inverse. So all successors of a state of layer `d` are in the layers
    /// `d - 1` to `d + 1`. These layers suffice to tell which states are new.
    pub fn last_two(domain: &'a D, starts: &[D::State], options: &'a Options<'a>) -> Self
    where
        D: Reversible,
    {
        Self { forget: true, ..Self::new(domain, starts, options) }
    }

    /// Completes the next layer and returns its size. 0 means that every reachable state is already
    /// in a layer.
    ///
    /// # Errors
    /// If the search reaches a limit or the caller cancels. Then the layer is not complete, and
    /// every further call returns the same error.
    pub fn advance(&mut self) -> Result<u64, LayersError> {
        if let Some(stopped) = self.stopped {
            return Err(stopped);
        }
        if self.exhausted {
            return Ok(0);
        }
        let before = self.generated;
        let result = self.fill_layer();
        self.search.options.observer.iteration(&Iteration {
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
            let cancel = &self.search.options.cancel;
            for shard in &mut self.shards {
                // A cancelled search ends here, so that the caller does not wait until memory is
                // released.
                if cancel.is_cancelled() {
                    self.stopped = Some(LayersError::Cancelled { layer: self.sizes.len() });
                    break;
                }
                let from = shard.begins[shard.begins.len() - 3];
                shard.store.release_before(from, &self.budget);
            }
        }
        Ok(size)
    }

    /// Inserts the successors of the last layer, in rounds.
    fn fill_layer(&mut self) -> Result<(), LayersError> {
        let depth = self.sizes.len() - 1;
        let work = chunks(&self.shards, depth, self.domain.operators());
        let size = size_of::<D::Key>() * self.domain.operators();
        let round = ROUND.min(self.search.options.limits.bytes.unwrap_or(usize::MAX) / 8);
        let mut batches = Vec::new();
        let mut done = 0;
        let before = self.generated;
        let cost = |depth| Cost::try_from(depth).unwrap_or(Cost::MAX);
        let SearchState { bound, lower_bound, .. } = &mut self.search;
        (*bound, *lower_bound) = (cost(depth + 1), cost(depth));
        self.search.before = before;
        while done < work.len() {
            let mut end = done + 1;
            let mut bytes = work[done].len() * size;
            while end < work.len() && bytes + work[end].len() * size <= round {
                bytes += work[end].len() * size;
                end += 1;
            }
            self.budget.take(bytes).map_err(|_| self.out_of_memory())?;
            let (search, generated) = (&self.search, self.generated);
            let stop = || search.stop(generated).is_some();
            let part = &work[done..end];
            expand(self.domain, &self.shards, &self.blank, part, &mut batches, &stop);
            self.generated += batches.iter().map(|batch| batch.len() as u64).sum::<u64>();
            let inserted = insert(&mut self.shards, &batches, &self.budget, &stop);
            self.budget.give(bytes);
            done = end;
            let stop = self.search.look(self.generated - before, (done, work.len()));
            if inserted.is_err() {
                return Err(self.out_of_memory());
            }
            if let Some(stop) = stop {
                return Err(LayersError::in_layer(depth + 1, stop));
            }
        }
        Ok(())
    }

    /// The error to return if the caller has cancelled or the time is over; `None` otherwise.
    pub(crate) fn stop(&self) -> Option<LayersError> {
        let stop = self.search.stop(0).filter(|stop| *stop != Stop::Nodes)?;
        Some(LayersError::in_layer(self.sizes.len(), stop))
    }

    fn out_of_memory(&self) -> LayersError {
        LayersError::Memory {
            layer: self.sizes.len(),
            limit: self.search.options.limits.bytes.unwrap_or(usize::MAX),
        }
    }

    /// Makes the states inserted since the last layer a new layer, and returns its size.
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

    /// Removes an empty last layer.
    fn reopen_layer(&mut self) {
        self.sizes.pop();
        for shard in &mut self.shards {
            shard.begins.pop();
        }
    }

    /// The sizes of the complete layers, from layer 0 on.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The number of successors generated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// The bytes of stored states and tables.
    ///
    /// During [`Layers::advance`], the limit of bytes also covers the successors of a round. It
    /// does not cover 3 MiB of data of fixed size. Nor does it cover one old table for each thread,
    /// while a larger table replaces it.
    pub fn bytes(&self) -> usize {
        self.budget.used()
    }

    /// Visits the states of a complete layer. The order is the same on every machine.
    ///
    /// # Panics
    /// If the layer is not complete, or if [`Layers::last_two`] has forgotten it.
    pub fn for_each(&self, layer: usize, mut visit: impl FnMut(&D::State)) {
        let Ok(()) = self.try_for_each(layer, |state| {
            visit(state);
            Ok::<(), Infallible>(())
        });
    }

    /// [`Layers::for_each`] until `visit` fails.
    pub(crate) fn try_for_each<E>(
        &self,
        layer: usize,
        mut visit: impl FnMut(&D::State) -> Result<(), E>,
    ) -> Result<(), E> {
        assert!(layer < self.sizes.len(), "layer {layer} is not complete");
        assert!(!self.forget || layer + 2 >= self.sizes.len(), "layer {layer} is forgotten");
        let mut state = self.blank.clone();
        for shard in &self.shards {
            for index in shard.begins[layer]..shard.begins[layer + 1] {
                self.domain.unpack(*shard.store.key(index), &mut state);
                visit(&state)?;
            }
        }
        Ok(())
    }

    /// The layer of a state; `None` if the state is in no complete layer that the search still
    /// keeps. One lookup.
    pub fn layer_of(&self, state: &D::State) -> Option<usize> {
        let key = self.domain.pack(state);
        let hash = key.hash();
        let shard = &self.shards[shard_of(hash)];
        let index = shard.store.find(&key, hash)?;
        let layer = shard.begins.partition_point(|&begin| begin <= index) - 1;
        (layer < self.sizes.len()).then_some(layer)
    }
}
