//! One round of a breadth-first search: expands a part of a layer, sorts the successors by shard,
//! and inserts them.

use super::{SHARD_BITS, shard_of};
use crate::domain::{Key, OpSet, Packed};
use crate::stored::store::{Budget, Full, Store};
use crate::threads::{self, Task, run_all};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The most bytes of successors of a round. A limit of memory may allow less.
pub(super) const ROUND: usize = 1 << 27;
/// The most successors of a chunk: 1 MiB of the largest keys, so that the cache can hold them while
/// they are sorted.
const CHUNK: usize = 1 << 16;
const SHARDS: usize = 1 << SHARD_BITS;

/// The states of one shard, and the start of each layer in it.
pub(super) struct Shard<K> {
    pub(super) store: Store<K>,
    /// The index of the first state of each layer, and the end of the last complete layer.
    pub(super) begins: Vec<usize>,
}

/// States of one layer that a task expands together: ranges of indices in one or more shards.
pub(super) struct Chunk {
    parts: Vec<(usize, Range<usize>)>,
    len: usize,
}

impl Chunk {
    /// The number of states in the chunk.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// Cuts a layer into chunks, shard by shard.
pub(super) fn chunks<K: Key>(shards: &[Shard<K>], layer: usize, operators: usize) -> Vec<Chunk> {
    let most = (CHUNK / operators.max(1)).max(1);
    let mut chunks = Vec::new();
    let mut open = Chunk { parts: Vec::new(), len: 0 };
    for (number, shard) in shards.iter().enumerate() {
        let mut at = shard.begins[layer];
        while at < shard.begins[layer + 1] {
            let end = shard.begins[layer + 1].min(at + most - open.len);
            open.parts.push((number, at..end));
            open.len += end - at;
            at = end;
            if open.len == most {
                chunks.push(std::mem::replace(&mut open, Chunk { parts: Vec::new(), len: 0 }));
            }
        }
    }
    if open.len > 0 {
        chunks.push(open);
    }
    chunks
}

/// The keys of a chunk's successors, sorted by shard. Keys of one shard are in the order of their
/// generation.
pub(super) struct KeyBatch<K> {
    keys: Vec<K>,
    /// For each shard, the end of its keys. They start at the end of the shard before.
    ends: Vec<u32>,
}

impl<K: Key> KeyBatch<K> {
    /// The number of successors.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    fn of_shard(&self, shard: usize) -> &[K] {
        let begin = if shard == 0 { 0 } else { self.ends[shard - 1] };
        &self.keys[begin as usize..self.ends[shard] as usize]
    }

    /// Overwrites the batch with these keys, sorted by their shards with a counting sort.
    fn sort(&mut self, keys: &[K], shards: &[u16]) {
        // For each shard, this is first the number of its keys. Then it is the place of its next
        // key, and at last the end of its keys.
        self.ends.clear();
        self.ends.resize(SHARDS, 0);
        for &shard in shards {
            self.ends[usize::from(shard)] += 1;
        }
        let mut sum = 0;
        for count in &mut self.ends {
            sum += std::mem::replace(count, sum);
        }
        self.keys.resize(keys.len(), K::default());
        for (&key, &shard) in keys.iter().zip(shards) {
            let at = &mut self.ends[usize::from(shard)];
            self.keys[*at as usize] = key;
            *at += 1;
        }
    }
}

/// Returns true if the round has to stop early. The batches and states of the round are then
/// incomplete.
pub(super) type StopCheck<'a> = &'a (dyn Fn() -> bool + Sync);

/// The number of stored states between two checks whether to stop.
pub(super) const LOOK: usize = 1 << 4;

/// Expands chunks in parallel, and fills one batch for each. Overwrites the batches of the round
/// before, to reuse their memory.
pub(super) fn expand<D: Packed>(
    domain: &D,
    shards: &[Shard<D::Key>],
    blank: &D::State,
    work: &[Chunk],
    batches: &mut Vec<KeyBatch<D::Key>>,
    stop: StopCheck<'_>,
) {
    batches.resize_with(work.len(), || KeyBatch { keys: Vec::new(), ends: Vec::new() });
    let some = a_share(work.len());
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (work, batches) in work.chunks(some).zip(batches.chunks_mut(some)) {
        tasks.push(Box::new(move || expand_some(domain, shards, blank, (work, stop), batches)));
    }
    run_all(tasks);
}

/// Expands chunks one after another, until `stop` says so.
fn expand_some<D: Packed>(
    domain: &D,
    shards: &[Shard<D::Key>],
    blank: &D::State,
    (work, stop): (&[Chunk], StopCheck<'_>),
    batches: &mut [KeyBatch<D::Key>],
) {
    let (mut keys, mut places) = (Vec::new(), Vec::new());
    let (mut state, mut successor, mut looked) = (blank.clone(), blank.clone(), 0_usize);
    for (chunk, batch) in work.iter().zip(batches) {
        keys.clear();
        places.clear();
        for (shard, range) in &chunk.parts {
            for index in range.clone() {
                if looked % LOOK == 0 && stop() {
                    return;
                }
                looked += 1;
                domain.unpack(*shards[*shard].store.key(index), &mut state);
                for op in domain.applicable(&state).members() {
                    domain.apply_into(&state, op, &mut successor);
                    let key = domain.pack(&successor);
                    keys.push(key);
                    #[expect(clippy::cast_possible_truncation, reason = "10 bits")]
                    places.push(shard_of(key.hash()) as u16);
                }
            }
        }
        batch.sort(&keys, &places);
    }
}

/// Inserts the keys of all batches. Threads share the shards; each shard takes the batches in
/// order.
pub(super) fn insert<K: Key>(
    shards: &mut [Shard<K>],
    batches: &[KeyBatch<K>],
    budget: &Budget,
    stop: StopCheck<'_>,
) -> Result<(), Full> {
    let (some, full) = (a_share(shards.len()), AtomicBool::new(false));
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (share, shards) in shards.chunks_mut(some).enumerate() {
        let full = &full;
        tasks.push(Box::new(move || {
            if insert_some(shards, share * some, batches, budget, (full, stop)).is_err() {
                full.store(true, Relaxed);
            }
        }));
    }
    run_all(tasks);
    if full.into_inner() { Err(Full) } else { Ok(()) }
}

/// Inserts the keys that belong to `shards`, the first of which has the number `first`. Stops early
/// if `full` says that another thread has exceeded the budget.
fn insert_some<K: Key>(
    shards: &mut [Shard<K>],
    first: usize,
    batches: &[KeyBatch<K>],
    budget: &Budget,
    (full, stop): (&AtomicBool, StopCheck<'_>),
) -> Result<(), Full> {
    for (number, shard) in shards.iter_mut().enumerate() {
        if full.load(Relaxed) {
            return Err(Full);
        }
        if stop() {
            return Ok(());
        }
        for batch in batches {
            for &key in batch.of_shard(first + number) {
                shard.store.insert(key, key.hash(), budget)?;
            }
        }
    }
    Ok(())
}

/// How many of `all` items one task takes. There are more tasks than threads, so that the threads
/// share the work evenly.
pub(super) fn a_share(all: usize) -> usize {
    all.div_ceil(16 * threads::count()).max(1)
}
