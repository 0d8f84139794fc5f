//! Completes a table by products of known macros, and proves that no macro is missing.

use super::learner::MacroLearner;
use super::order::SerialOrder;
use crate::control::Stop;
use crate::domain::{Op, OpSet, Packed, Reversible};

/// A word, the state to which it leads from the goal, and the first feature that is not at its goal
/// value there.
pub(super) struct OperatorWord<T> {
    pub(super) feature: usize,
    pub(super) ops: Vec<Op>,
    pub(super) state: T,
}

impl<D: Reversible + Packed, S: SerialOrder<D>> MacroLearner<'_, D, S> {
    /// Adds macros until the table is complete.
    ///
    /// The *words* of feature `i` lead from the goal to states with the features before `i` at
    /// their goal values: each macro of feature `i`, undone, and the empty word. The *generators*
    /// of feature 0 are the operators, those of feature `i` the words of the features from `i` on.
    /// Take every word of a feature, then a generator of this feature, then solve by macros. If
    /// this never lacks a macro, the table is complete: by Schreier's lemma, these products
    /// generate all words that keep the features up to `i`. Where a macro is missing, the product
    /// supplies it, and all products are tried again.
    pub(super) fn close(&mut self) -> Result<(), Stop> {
        loop {
            let mut added = false;
            for feature in (0..self.order.features()).rev() {
                added |= self.close_feature(feature)?;
            }
            if !added {
                return Ok(());
            }
        }
    }

    /// Tries the products of a feature. True if it added a macro.
    fn close_feature(&mut self, feature: usize) -> Result<bool, Stop> {
        let generators: Vec<Vec<Op>> = if feature == 0 {
            self.domain_operators().map(|op| vec![op]).collect()
        } else {
            self.words_from(feature).into_iter().map(|word| word.ops).collect()
        };
        let mut words = self.words(feature);
        words.push(OperatorWord { feature, ops: Vec::new(), state: self.goal.clone() });
        let (mut state, mut spare) = (self.goal.clone(), self.goal.clone());
        let (mut added, mut next) = (false, 0);
        // New macros of the feature are words, too.
        while let Some(word) = words.get(next) {
            let (ops, from) = (word.ops.clone(), word.state.clone());
            next += 1;
            for generator in &generators {
                state.clone_from(&from);
                if !self.apply(&mut state, &mut spare, generator.iter().copied()) {
                    continue;
                }
                let path = [&ops[..], generator].concat();
                if let Some(word) = self.sift(path, &mut state, &mut spare, feature)? {
                    added = true;
                    if word.feature == feature {
                        words.push(word);
                    }
                }
            }
        }
        Ok(added)
    }

    /// Solves a state by macros, where `path` leads to the state from the goal. At the first
    /// missing macro, adds the way back to the goal as this macro, and returns the path as a word.
    fn sift(
        &mut self,
        mut path: Vec<Op>,
        state: &mut D::State,
        spare: &mut D::State,
        from: usize,
    ) -> Result<Option<OperatorWord<D::State>>, Stop> {
        let mut feature = from;
        loop {
            let next = self.table.first_unsolved(self.domain, self.order, state, feature);
            let Some((at, value)) = next else { return Ok(None) };
            feature = at;
            let Some(entry) = self.table.get(at, value) else { break };
            let plan = entry.plan.clone();
            self.count(plan.len())?;
            path.extend_from_slice(&plan);
            if !self.apply(state, spare, plan) {
                return Ok(None);
            }
        }
        let plan: Vec<Op> = self.undone(&path).collect();
        let entered = self.enter(state, plan);
        Ok(entered.map(|(feature, _)| OperatorWord { feature, ops: path, state: state.clone() }))
    }

    /// All operators.
    fn domain_operators(&self) -> impl Iterator<Item = Op> + use<D, S> {
        D::Ops::first(self.domain.operators()).members()
    }

    /// The words of the macros of a feature.
    pub(super) fn words(&self, feature: usize) -> Vec<OperatorWord<D::State>> {
        let mut spare = self.goal.clone();
        let entries = self.table.columns[feature].iter().flatten();
        let mut words = Vec::new();
        for entry in entries {
            let ops: Vec<Op> = self.undone(&entry.plan).collect();
            let mut state = self.goal.clone();
            if self.apply(&mut state, &mut spare, ops.iter().copied()) {
                words.push(OperatorWord { feature, ops, state });
            }
        }
        words
    }

    /// The words of the macros of the features from `feature` on.
    pub(super) fn words_from(&self, feature: usize) -> Vec<OperatorWord<D::State>> {
        (feature..self.order.features()).flat_map(|feature| self.words(feature)).collect()
    }
}
