//! Counts of labelled states and of their successors: what the probabilities are learned from.

use super::metrics::Metrics;
use crate::domain::{Domain, OpSet};

/// Something for a fall, for no change, and for a rise.
pub(super) type Three<T> = [T; 3];

/// Counts of states whose distance is known, and of steps between such states.
///
/// All counts are exact integers, so observations of several threads can be
/// [merged](Observations::merge) in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Observations {
    /// By distance: the number of states.
    pub(super) states: Vec<u64>,
    /// By distance: the number of steps by which the distance falls, stays and rises.
    pub(super) steps: Vec<Three<u64>>,
    /// By metric, value and distance: the number of states.
    pub(super) values: Vec<Vec<Vec<u64>>>,
    /// By metric, distance and change of the distance: the number of steps by which the metric
    /// falls, stays and rises.
    pub(super) changes: Vec<Vec<Three<Three<u64>>>>,
}

/// A step between two states whose distances differ by more than 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a step from distance {from} to distance {to}: expected a difference of at most 1")]
pub struct StepError {
    /// The distance before the step.
    pub from: usize,
    /// The distance after the step.
    pub to: usize,
}

impl Observations {
    /// No observations, for these metrics and the distances `0 .. distances`. A greater distance
    /// counts as `distances - 1`.
    ///
    /// # Panics
    /// If `distances` is below 2.
    pub fn new<S>(metrics: &Metrics<S>, distances: usize) -> Self {
        assert!(distances > 1, "only the goal has the distance 0");
        let by_size = |&size: &usize| vec![vec![0; distances]; size];
        Self {
            states: vec![0; distances],
            steps: vec![[0; 3]; distances],
            values: metrics.sizes().iter().map(by_size).collect(),
            changes: vec![vec![[[0; 3]; 3]; distances]; metrics.sizes().len()],
        }
    }

    /// The number of states at each distance.
    pub fn states(&self) -> &[u64] {
        &self.states
    }

    /// The number of states for each value of a metric, by value and distance.
    ///
    /// # Panics
    /// If there is no metric with this number.
    pub fn values(&self, metric: usize) -> &[Vec<u64>] {
        &self.values[metric]
    }

    /// Counts a state at this distance with these values of the metrics.
    pub fn state(&mut self, distance: usize, values: &[u8]) {
        let at = distance.min(self.states.len() - 1);
        self.states[at] += 1;
        for (by_value, &value) in self.values.iter_mut().zip(values) {
            by_value[usize::from(value)][at] += 1;
        }
    }

    /// Counts a step. Each end is given by its distance and its values of the metrics.
    ///
    /// # Errors
    /// If the distances differ by more than 1. This happens if operators cannot be undone or do not
    /// all cost 1.
    pub fn step(
        &mut self,
        (from, before): (usize, &[u8]),
        (to, after): (usize, &[u8]),
    ) -> Result<(), StepError> {
        if from.abs_diff(to) > 1 {
            return Err(StepError { from, to });
        }
        let x = change(from, to);
        let at = from.min(self.states.len() - 1);
        self.steps[at][x] += 1;
        for (by_distance, (before, after)) in self.changes.iter_mut().zip(before.iter().zip(after))
        {
            by_distance[at][x][change(before, after)] += 1;
        }
        Ok(())
    }

    /// Counts a state and the steps by all of its operators. `distance` gives the distance of a
    /// state. A state for which it is `None` does not count, nor do steps to it.
    ///
    /// # Errors
    /// As [`Observations::step`].
    pub fn observe<D: Domain>(
        &mut self,
        domain: &D,
        metrics: &Metrics<D::State>,
        state: &D::State,
        distance: impl Fn(&D::State) -> Option<usize>,
    ) -> Result<(), StepError> {
        let Some(from) = distance(state) else { return Ok(()) };
        let before = metrics.read(state);
        self.state(from, &before);
        let mut child = state.clone();
        for op in domain.applicable(state).members() {
            domain.apply_into(state, op, &mut child);
            if let Some(to) = distance(&child) {
                self.step((from, &before), (to, &metrics.read(&child)))?;
            }
        }
        Ok(())
    }

    /// Adds the counts of other observations of the same metrics and distances.
    ///
    /// # Panics
    /// If the metrics or distances differ.
    pub fn merge(&mut self, other: &Self) {
        let add = |to: &mut [u64], from: &[u64]| {
            assert_eq!(to.len(), from.len(), "the same metrics and distances");
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.states, &other.states);
        add(self.steps.as_flattened_mut(), other.steps.as_flattened());
        assert_eq!(self.values.len(), other.values.len(), "the same metrics");
        for (to, from) in self.values.iter_mut().zip(&other.values) {
            assert_eq!(to.len(), from.len(), "the same metrics");
            to.iter_mut().zip(from).for_each(|(to, from)| add(to, from));
        }
        for (to, from) in self.changes.iter_mut().zip(&other.changes) {
            add(to.as_flattened_mut().as_flattened_mut(), from.as_flattened().as_flattened());
        }
    }
}

/// The index of a change in a [`Three`]: 0 for a fall, 1 for none, 2 for a rise.
#[inline(always)]
pub(super) fn change<T: Ord>(before: T, after: T) -> usize {
    match after.cmp(&before) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}
