//! The states that a best-first search has reached, with the last step of the way to each.

use crate::domain::{Cost, Op};
use crate::stored::store::{Arena, Budget, Full, Store, StoreKey};

/// The cheapest known path to a stored state: its last step. 8 bytes.
#[derive(Clone, Copy)]
pub(crate) struct NodeRecord {
    /// The index of the state before the last step. Of the first state, its own.
    pub(crate) parent: u32,
    /// The operator of the last step.
    pub(crate) op: Op,
    pub(crate) g: Cost,
    pub(crate) h: Cost,
}

/// States and their records, numbered in the order of their insertion. The path to a state ends at
/// state 0.
pub(crate) struct StateRecords<K> {
    store: Store<K>,
    records: Arena<NodeRecord>,
}

impl<K: StoreKey> StateRecords<K> {
    pub(crate) fn new() -> Self {
        Self { store: Store::new(), records: Arena::new() }
    }

    /// Stores a new state, and returns its index. After an error, the state may be known without a
    /// record, so that nothing more may be asked.
    pub(crate) fn insert(
        &mut self,
        key: K,
        record: NodeRecord,
        budget: &Budget,
    ) -> Result<u32, Full> {
        let hash = key.hash();
        let (index, _) = self.store.insert(key, hash, budget)?;
        self.records.push(record, budget)?;
        #[expect(clippy::cast_possible_truncation, reason = "the store has 32-bit indices")]
        Ok(index as u32)
    }

    /// The index of a state, if it is stored.
    #[inline(always)]
    pub(crate) fn find(&self, key: &K) -> Option<u32> {
        #[expect(clippy::cast_possible_truncation, reason = "the store has 32-bit indices")]
        self.store.find(key, key.hash()).map(|index| index as u32)
    }

    #[inline(always)]
    pub(crate) fn key(&self, index: u32) -> &K {
        self.store.key(index as usize)
    }

    #[inline(always)]
    pub(crate) fn record(&self, index: u32) -> NodeRecord {
        *self.records.get(index as usize)
    }

    #[inline(always)]
    pub(crate) fn record_mut(&mut self, index: u32) -> &mut NodeRecord {
        self.records.get_mut(index as usize)
    }

    /// The operators of the known path to a state, last one first.
    pub(crate) fn steps_back(&self, index: u32) -> impl Iterator<Item = Op> {
        let next = |&index: &u32| (index != 0).then(|| self.record(index).parent);
        std::iter::successors(Some(index), next)
            .take_while(|&index| index != 0)
            .map(|index| self.record(index).op)
    }
}
