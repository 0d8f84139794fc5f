//! One round of a breadth-first search: expand a part of a layer, sort the successors by shard, insert them.

use super::{SHARD_BITS, Shard, shard_of};
use crate::domain::{Key, OpSet, Packed};
use crate::stored::store::{Budget, Full};
use rayon::prelude::*;
use std::ops::Range;

/// Most bytes of successors of a round, unless the limit of memory asks for less.
pub(super) const ROUND: usize = 1 << 27;
/// Most successors of a chunk: 1 MiB of the largest keys, so that sorting them stays in the cache.
const CHUNK: usize = 1 << 16;
const SHARDS: usize = 1 << SHARD_BITS;

/// States of one shard that are expanded together.
pub(super) struct Chunk {
    parts: Vec<(usize, Range<usize>)>,
    len: usize,
}

impl Chunk {
    /// How many states.
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

/// The successors of a chunk, sorted by shard, otherwise in the order of their generation.
pub(super) struct Batch<K> {
    keys: Vec<K>,
    /// Where each shard ends; where the one before ends, it begins.
    ends: Vec<u32>,
}

impl<K: Key> Batch<K> {
    /// How many successors.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    fn of_shard(&self, shard: usize) -> &[K] {
        let begin = if shard == 0 { 0 } else { self.ends[shard - 1] };
        &self.keys[begin as usize..self.ends[shard] as usize]
    }

    /// Overwrites the batch with keys sorted by their places, counting.
    fn sort(&mut self, keys: &[K], places: &[u16]) {
        // First how many, then where the next one goes, at last where each shard ends.
        self.ends.clear();
        self.ends.resize(SHARDS, 0);
        for &place in places {
            self.ends[usize::from(place)] += 1;
        }
        let mut sum = 0;
        for count in &mut self.ends {
            sum += std::mem::replace(count, sum);
        }
        self.keys.resize(keys.len(), K::default());
        for (&key, &place) in keys.iter().zip(places) {
            let at = &mut self.ends[usize::from(place)];
            self.keys[*at as usize] = key;
            *at += 1;
        }
    }
}

/// Expands chunks in parallel, one batch a chunk. The batches of a round before are overwritten, so that their memory is
/// not asked for again.
pub(super) fn expand<D: Packed>(
    domain: &D,
    shards: &[Shard<D::Key>],
    blank: &D::State,
    work: &[Chunk],
    batches: &mut Vec<Batch<D::Key>>,
) {
    batches.resize_with(work.len(), || Batch { keys: Vec::new(), ends: Vec::new() });
    work.par_iter().zip(batches).for_each_init(
        || (Vec::new(), Vec::new(), blank.clone(), blank.clone()),
        |(keys, places, state, successor), (chunk, batch)| {
            keys.clear();
            places.clear();
            for (shard, range) in &chunk.parts {
                for index in range.clone() {
                    domain.unpack(shards[*shard].store.key(index), state);
                    for op in domain.applicable(state).members() {
                        domain.apply_into(state, op, successor);
                        let key = domain.pack(successor);
                        keys.push(key);
                        #[expect(clippy::cast_possible_truncation, reason = "10 bits")]
                        places.push(shard_of(key.hash()) as u16);
                    }
                }
            }
            batch.sort(keys, places);
        },
    );
}

/// Inserts batches, shards in parallel, each shard in the order of the batches.
pub(super) fn insert<K: Key>(
    shards: &mut [Shard<K>],
    batches: &[Batch<K>],
    budget: &Budget,
) -> Result<(), Full> {
    shards.par_iter_mut().enumerate().try_for_each(|(number, shard)| {
        for batch in batches {
            for &key in batch.of_shard(number) {
                shard.store.insert(key, key.hash(), budget)?;
            }
        }
        Ok(())
    })
}
