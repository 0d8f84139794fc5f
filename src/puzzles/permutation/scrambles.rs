//! Scramble files: states in several lines each, and what the file says of how they are to be solved.

use super::engine::Engine;
use crate::puzzle::{FileState, Refused, StateFile};
use permutation::{MoveMetric, ReadLimits, ScrambleFile, ScrambleState};
use search::random::Random;
use search::{Cost, OpSet};

/// The words with which such a file begins. `CPOS` is not among them: those are states of one line.
pub(super) const WORDS: [&str; 10] = [
    "Scramble",
    "ScrambleState",
    "StartState",
    "ScrambleAlg",
    "RandomScramble",
    "MaxDepth",
    "Slack",
    "QTM",
    "HTM",
    "MoveLimits",
];

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// The states of a scramble file, and the bound that it sets.
    pub(super) fn scramble_file(&self, text: &str) -> Result<StateFile, Refused> {
        let file = self.definition().scrambles(text, &ReadLimits::default());
        let file = file.map_err(|error| Refused(error.to_string()))?;
        self.refuse_wishes(&file)?;
        let state = |scramble: permutation::Scramble| {
            let pattern = match scramble.state {
                ScrambleState::Given(pattern) => pattern,
                ScrambleState::Random => self.scramble(&mut Random::new(scramble.line as u64)),
            };
            FileState { text: self.text(&pattern), name: scramble.name, line: scramble.line }
        };
        let note = |note: permutation::Note| format!("line {}: {}", note.line, note.text);
        Ok(StateFile {
            states: file.scrambles.into_iter().map(state).collect(),
            bound: file.max_depth.map(|most| Cost::try_from(most).unwrap_or(Cost::MAX)),
            notes: file.notes.into_iter().map(note).collect(),
        })
    }

    /// Refuses what the file asks for and the configured puzzle does not do.
    fn refuse_wishes(&self, file: &ScrambleFile) -> Result<(), Refused> {
        let wrong = |what: String| Err(Refused(format!("scramble file: {what}")));
        match file.metric {
            Some(metric) if metric != self.metric => {
                let (word, name) = match metric {
                    MoveMetric::Turn => ("HTM", "htm"),
                    MoveMetric::Quarter => ("QTM", "qtm"),
                };
                return wrong(format!("found {word}, expected --metric {name}"));
            }
            _ => {}
        }
        if let Some(slack) = file.slack.filter(|&slack| slack > 0) {
            let expected = "shortest plans only, all of them with --all";
            return wrong(format!("found Slack {slack}, expected {expected}"));
        }
        let known = &self.definition().rules().limits;
        let kept = |(limited, most)| known.get(limited).is_some_and(|known| known <= most);
        if !file.limits.iter().all(kept) {
            let expected = "those of the definition, for which tables and operators are made";
            return wrong(format!("found other MoveLimits, expected {expected}"));
        }
        Ok(())
    }
}
