//! The states of one end of a bidirectional search, and its two queues.

use crate::domain::{Cost, Key};
use crate::stored::open::Open;
use crate::stored::reached::{NodeRecord, StateRecords};
use crate::stored::store::{Budget, Full};

pub(super) struct Side<K> {
    pub(super) reached: StateRecords<K>,
    /// Open states by `f`, then `g`.
    waiting: Open,
    /// Open states whose `f` is at most the lower bound, by `g`, then `h`.
    ready: Open,
    /// The least `f` of a state that was cut; `None` if no state was cut.
    cut: Option<u16>,
}

impl<K: Key> Side<K> {
    pub(super) fn new() -> Self {
        Self { reached: StateRecords::new(), waiting: Open::new(), ready: Open::new(), cut: None }
    }

    /// Stores a new state and opens it. Returns its index.
    pub(super) fn insert(
        &mut self,
        key: K,
        record: NodeRecord,
        budget: &Budget,
    ) -> Result<u32, Full> {
        let index = self.reached.insert(key, record, budget)?;
        self.open(index, budget)?;
        Ok(index)
    }

    /// Opens a state that is new, or was reached more cheaply. This outdates its other entries:
    /// they have another `g`.
    pub(super) fn open(&mut self, index: u32, budget: &Budget) -> Result<(), Full> {
        let NodeRecord { g, h, .. } = self.reached.record(index);
        let (g, h) = (usize::from(g), usize::from(h));
        self.waiting.push(g + h, g, index, budget)
    }

    /// Remembers a new state with this `f` that is not stored.
    pub(super) fn cut(&mut self, f: u16) {
        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
    }

    /// Makes all states ready whose `f` is below the bound.
    pub(super) fn ready_below(&mut self, bound: Cost, budget: &Budget) -> Result<(), Full> {
        if let Some(last) = bound.checked_sub(1) {
            while self.ready_one(last, budget)? {}
        }
        Ok(())
    }

    /// Makes one state ready whose `f` is at most the bound. False if there is none.
    pub(super) fn ready_one(&mut self, bound: Cost, budget: &Budget) -> Result<bool, Full> {
        match self.top_waiting() {
            Some((f, g, index)) if f <= usize::from(bound) => {
                self.waiting.pop();
                self.ready.push(g, f - g, index, budget)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn top_waiting(&mut self) -> Option<(usize, usize, u32)> {
        let reached = &self.reached;
        self.waiting.peek(|_, g, index| usize::from(reached.record(index).g) == g)
    }

    fn top_ready(&mut self) -> Option<(usize, usize, u32)> {
        let reached = &self.reached;
        self.ready.peek(|g, _, index| usize::from(reached.record(index).g) == g)
    }

    /// The least `f` of a waiting state, or of one that was cut.
    pub(super) fn least_waiting(&mut self) -> Option<u16> {
        let waiting = self.top_waiting().and_then(|(f, ..)| u16::try_from(f).ok());
        waiting.into_iter().chain(self.cut).min()
    }

    /// The least `g` of a ready state.
    pub(super) fn least_ready(&mut self) -> Option<Cost> {
        self.top_ready().map(|(.., index)| self.reached.record(index).g)
    }

    /// Removes a ready state with the least `g`, to expand it.
    pub(super) fn take(&mut self) -> Option<u32> {
        let (.., index) = self.top_ready()?;
        self.ready.pop();
        Some(index)
    }

    /// Whether no state is open, and none was cut.
    pub(super) fn is_exhausted(&mut self) -> bool {
        self.least_ready().is_none() && self.least_waiting().is_none()
    }
}
