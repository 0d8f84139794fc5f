//! Replaces macros by cheaper products.

use super::learner::MacroLearner;
use super::order::SerialOrder;
use crate::control::Stop;
use crate::domain::{Op, Packed, Reversible};

/// The number of stored states whose paths are taken around macros: those nearest to the goal.
const AROUND: u32 = 300;

impl<D: Reversible + Packed, S: SerialOrder<D>> MacroLearner<'_, D, S> {
    /// Replaces macros by cheaper products of macros, until no product tried is cheaper.
    pub(super) fn improve(&mut self) -> Result<(), Stop> {
        loop {
            let mut better = self.conjugate()?;
            for feature in (0..self.order.features()).rev() {
                better |= self.multiply(feature)?;
            }
            if !better {
                return Ok(());
            }
        }
    }

    /// Tries each word of a feature, followed by each word of the features from this one on.
    fn multiply(&mut self, feature: usize) -> Result<bool, Stop> {
        let (words, mut second) = (self.words(feature), self.words_from(feature));
        for word in &mut second {
            word.state.clone_from(self.goal);
        }
        let mut better = false;
        for first in &words {
            for second in &second {
                for ops in [second.ops.clone(), self.undone(&second.ops).collect()] {
                    let word = [&first.ops[..], &ops].concat();
                    better |= self.offer(&word, feature)?;
                }
            }
        }
        Ok(better)
    }

    /// Tries each word between a short path and its way back.
    fn conjugate(&mut self) -> Result<bool, Stop> {
        let mut better = false;
        let states = u32::try_from(self.states).unwrap_or(u32::MAX).min(AROUND);
        for second in self.words_from(0) {
            for index in 1..states {
                let mut way: Vec<Op> = self.reached.steps_back(index).collect();
                way.reverse();
                let back: Vec<Op> = self.undone(&way).collect();
                better |= self.offer(&[&way[..], &second.ops, &back].concat(), 0)?;
            }
        }
        Ok(better)
    }

    /// Takes a word from the goal as a macro, if this is cheaper. The word keeps the features
    /// before `from`.
    fn offer(&mut self, word: &[Op], from: usize) -> Result<bool, Stop> {
        let plan: Vec<Op> = self.undone(word).collect();
        if self.cost(&plan) >= self.worst(from..self.order.features()) {
            return Ok(false);
        }
        self.count(word.len())?;
        let (mut state, mut spare) = (self.goal.clone(), self.goal.clone());
        if !self.apply(&mut state, &mut spare, word.iter().copied()) {
            return Ok(false);
        }
        Ok(self.enter(&state, plan).is_some())
    }
}
