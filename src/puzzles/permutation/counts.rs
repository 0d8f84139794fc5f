//! Counts of states and sequences of a puzzle from a definition.

use super::engine::Engine;
use crate::puzzle::{Counting, Exhaustive, Failure, Job, Tell};
use crate::runs;
use fsm::Keep;
use permutation::LabelState;
use search::OpSet;

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// The goals as states.
    fn goals(&self) -> Vec<LabelState<N>> {
        self.definition().goals().iter().map(|goal| self.puzzle.state(goal)).collect()
    }
}

impl<const N: usize, O: OpSet> Counting for Engine<N, O> {
    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        let options = runs::within(job, None);
        if !self.rules.is_empty() {
            return self.layers_under_rules(0, &options, depth, tell).map(drop);
        }
        if let Ok(group) = &self.group {
            return group.count_states(depth, job, tell);
        }
        let goals = self.goals();
        let mut layers = search::Layers::new(&self.puzzle, &goals, &options);
        runs::tell_layers(&mut layers, goals.len(), depth, tell)
    }

    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure> {
        if !self.rules.limits.is_empty() {
            return Err(Failure::refused(
                "sequences are counted by an automaton, which cannot count uses of a move: \
                 expected a definition without MoveLimits",
            ));
        }
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        match &self.group {
            Ok(group) => Ok(group.sequences(automaton, depth)),
            Err(error) => Err(Failure::limit(format!("sequences depend on the state: {error}"))),
        }
    }
}

impl<const N: usize, O: OpSet> Exhaustive for Engine<N, O> {
    fn count_all(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>, Failure> {
        if let Some(op) = self.operators().list.iter().find(|op| op.cost != 1) {
            return Err(Failure::refused(format!(
                "move {} costs {}: layers are counted where every move costs 1; \
                 histogram tells how often each cost occurs",
                op.name, op.cost
            )));
        }
        if let (Ok(group), true) = (&self.group, self.rules.is_empty()) {
            let elements = group.exhaust(antipodes, job, tell)?;
            let pattern = |element| group.domain().0.pattern_of(self.definition(), element).ok();
            return Ok(elements.iter().filter_map(pattern).map(|p| self.text(&p)).collect());
        }
        let options = runs::within(job, Some(self.settings.memory));
        let texts = |states: &[LabelState<N>]| {
            states.iter().map(|state| self.text(&self.puzzle.pattern(state))).collect()
        };
        if !self.rules.is_empty() {
            let farthest = self.layers_under_rules(antipodes, &options, usize::MAX, tell)?;
            return Ok(texts(&farthest));
        }
        let goals = self.goals();
        let mut layers = search::Layers::new(&self.puzzle, &goals, &options);
        runs::tell_layers(&mut layers, goals.len(), usize::MAX, tell)?;
        let mut farthest = Vec::new();
        layers.for_each(layers.sizes().len() - 1, |&state| {
            if farthest.len() < antipodes {
                farthest.push(state);
            }
        });
        Ok(texts(&farthest))
    }
}
