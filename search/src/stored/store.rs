//! The memory of searches that store states: states in chunks, a hash table of their indices,
//! and a budget of bytes.

use crate::domain::Key;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The binary logarithm of the number of entries of a chunk.
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A budget of bytes for stored states, shared by the threads of a search.
///
/// Within one round, threads return almost no bytes: only the few bytes by which a request for a
/// larger table was too high. So the number of threads does not matter for the limit, except within
/// these few bytes.
#[derive(Debug)]
pub(crate) struct Budget {
    used: AtomicUsize,
    limit: usize,
}

/// The budget cannot cover a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Budget {
    /// A budget of this many bytes; `None` means no limit.
    pub(crate) fn new(limit: Option<usize>) -> Self {
        Self { used: AtomicUsize::new(0), limit: limit.unwrap_or(usize::MAX) }
    }

    /// Takes bytes from the budget, or fails if too few are left. Call it before the allocation.
    pub(crate) fn take(&self, bytes: usize) -> Result<(), Full> {
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > self.limit { Err(Full) } else { Ok(()) }
    }

    /// Returns bytes to the budget. Call it after their memory is freed.
    pub(crate) fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The bytes in use.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

/// A vector in chunks of 4096 entries. Growth copies at most one chunk. The oldest chunks can be
/// released.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Arena<T> {
    pub(crate) const fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    /// The number of entries ever pushed, which is the index of the next one.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The entry with this index. It must not be released.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &T {
        &self.chunks[index >> CHUNK_BITS][index & (CHUNK - 1)]
    }

    /// The entry with this index, to change it.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> CHUNK_BITS][index & (CHUNK - 1)]
    }

    /// Appends an entry.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: T, budget: &Budget) -> Result<(), Full> {
        match self.chunks.last_mut() {
            Some(last) if last.len() < last.capacity() => last.push(entry),
            _ => self.grow(budget)?.push(entry),
        }
        self.len += 1;
        Ok(())
    }

    /// Makes room for the next entry and returns the chunk that receives it. The first chunk starts
    /// small, for small searches.
    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<&mut Vec<T>, Full> {
        let size = size_of::<T>();
        let at = self.len >> CHUNK_BITS;
        if at == self.chunks.len() {
            let room = if at == 0 { 16 } else { CHUNK };
            budget.take(room * size)?;
            self.chunks.push(Vec::with_capacity(room));
        } else {
            let more = self.chunks[at].capacity();
            budget.take(more * size)?;
            self.chunks[at].reserve_exact(more);
        }
        Ok(&mut self.chunks[at])
    }

    /// The number of entries that there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum()
    }

    /// Takes all entries out, chunk by chunk in their order.
    pub(crate) fn take_chunks(&mut self) -> impl Iterator<Item = Vec<T>> + use<T> {
        self.len = 0;
        std::mem::take(&mut self.chunks).into_iter()
    }

    /// Releases the chunks that lie completely below an index.
    pub(crate) fn release_before(&mut self, index: usize, budget: &Budget) {
        for chunk in &mut self.chunks[..index >> CHUNK_BITS] {
            budget.give(chunk.capacity() * size_of::<T>());
            *chunk = Vec::new();
        }
    }
}

/// A state as a [`Store`] holds it.
pub(crate) trait StoreKey: Eq {
    /// A hash whose high *and* low bits depend on every bit of the state.
    fn hash(&self) -> u64;
}

impl<K: Key> StoreKey for K {
    #[inline(always)]
    fn hash(&self) -> u64 {
        Key::hash(*self)
    }
}

/// A state that is not packed, with the hash of its type.
#[derive(PartialEq, Eq)]
pub(crate) struct StateKey<N>(pub(crate) N);

impl<N: Eq + Hash> StoreKey for StateKey<N> {
    #[inline(always)]
    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// A set of states, numbered in the order of their insertion.
///
/// Memory: `size_of::<K>()` bytes a state, and 5 bytes for each slot of a hash table that is 7/16
/// to 7/8 full.
#[derive(Debug)]
pub(crate) struct Store<K> {
    table: HashTable<u32>,
    keys: Arena<K>,
    /// States with a lower index are forgotten.
    first: usize,
}

impl<K: StoreKey> Store<K> {
    pub(crate) const fn new() -> Self {
        Self { table: HashTable::new(), keys: Arena::new(), first: 0 }
    }

    /// The number of states ever inserted, which is the index of the next one.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The key with this index. It must not be released.
    #[inline(always)]
    pub(crate) fn key(&self, index: usize) -> &K {
        self.keys.get(index)
    }

    /// The index of a key, if it is stored.
    #[inline(always)]
    pub(crate) fn find(&self, key: &K, hash: u64) -> Option<usize> {
        self.table
            .find(hash, |&index| self.keys.get(index as usize) == key)
            .map(|&index| index as usize)
    }

    /// Inserts a key unless it is stored. Returns its index, and whether it is new.
    #[inline(always)]
    pub(crate) fn insert(
        &mut self,
        key: K,
        hash: u64,
        budget: &Budget,
    ) -> Result<(usize, bool), Full> {
        if let Some(index) = self.find(&key, hash) {
            return Ok((index, false));
        }
        if self.table.len() == self.table.capacity() {
            self.grow_table(budget)?;
        }
        let index = self.keys.len();
        let short = u32::try_from(index).map_err(|_| Full)?;
        self.keys.push(key, budget)?;
        let keys = &self.keys;
        self.table.insert_unique(hash, short, |&index| keys.get(index as usize).hash());
        Ok((index, true))
    }

    /// Doubles the table. Frees the old one first, since the keys are all that the new one needs.
    /// So no two tables are there at once, and the keys are hashed in the order in which they lie.
    #[cold]
    fn grow_table(&mut self, budget: &Budget) -> Result<(), Full> {
        let (before, room) = (self.table.allocation_size(), self.table.capacity() + 1);
        budget.take(before)?;
        self.table = HashTable::new();
        self.table.reserve(room, |_| 0);
        let keys = &self.keys;
        for index in self.first..keys.len() {
            let short = u32::try_from(index).map_err(|_| Full)?;
            let hash = |&index: &u32| keys.get(index as usize).hash();
            self.table.insert_unique(hash(&short), short, hash);
        }
        let after = self.table.allocation_size();
        if after >= 2 * before {
            budget.take(after - 2 * before)
        } else {
            budget.give(2 * before - after);
            Ok(())
        }
    }

    /// Forgets the states below an index.
    pub(crate) fn release_before(&mut self, index: usize, budget: &Budget) {
        self.first = self.first.max(index);
        self.table.retain(|&mut stored| stored as usize >= index);
        self.keys.release_before(index, budget);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_numbers_keys_in_order_and_forgets_the_oldest() {
        let budget = Budget::new(None);
        let mut store = Store::<u64>::new();
        for round in 0..2 {
            for key in 0..20_000u64 {
                let (index, new) = store.insert(key * key, (key * key).hash(), &budget).unwrap();
                assert_eq!((index as u64, new), (key, round == 0));
            }
        }
        let full = budget.used();
        assert!((13 * 20_000..19 * 20_000 + 4096 * 8).contains(&full), "{full}");
        store.release_before(10_000, &budget);
        assert_eq!(full - budget.used(), 2 * 4096 * 8);
        assert_eq!(store.find(&100, 100u64.hash()), None);
        assert_eq!(store.find(&(10_000 * 10_000), (10_000u64 * 10_000).hash()), Some(10_000));
        assert_eq!(store.insert(100, 100u64.hash(), &budget), Ok((20_000, true)));
        assert_eq!(*store.key(20_000), 100);
    }

    #[test]
    fn a_full_budget_refuses() {
        let budget = Budget::new(Some(1 << 16));
        let mut store = Store::<u128>::new();
        let stored = (0..1u128 << 20)
            .take_while(|&key| store.insert(key, key.hash(), &budget).is_ok())
            .count();
        assert!((1000..4096).contains(&stored), "{stored}");
        assert_eq!(stored, store.len());
    }
}
