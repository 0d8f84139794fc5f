//! Reads scramble files: states of several lines, and how the file wants them solved.

use super::moves::is_json;
use super::states::StateTexts;
use super::stickers;
use crate::puzzle::{FileState, InvalidInput, Place, StateFile};
use permutation::{MoveMetric, PuzzleState, ReadLimits, ScrambleFile, ScrambleState};
use search::Cost;
use search::random::Random;

/// The first words by which a scramble file is recognized. `CPOS` is not one: it begins a state of
/// one line.
pub(crate) const WORDS: [&str; 11] = [
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
    // A JSON object on several lines.
    "{",
];

impl StateTexts {
    /// The states of a scramble file, and the bound that it sets. `draw` draws a random state.
    pub(crate) fn scramble_file(
        &self,
        text: &str,
        draw: &dyn Fn(&mut Random) -> Option<PuzzleState>,
    ) -> Result<StateFile, InvalidInput> {
        if is_json(text) {
            let state = |(line, pattern): (usize, PuzzleState)| FileState {
                text: self.text(&pattern),
                name: "Unnamed".to_owned(),
                line,
                bound: None,
                slack: 0,
            };
            let states = self.patterns(text)?.into_iter().map(state).collect();
            return Ok(StateFile { states, ..StateFile::default() });
        }
        self.refuse_stickers(text)?;
        let file = self.written_in().scrambles(text, &ReadLimits::default());
        let file = file?;
        self.refuse_wishes(&file)?;
        let state = |scramble: permutation::Scramble| -> Result<FileState, InvalidInput> {
            let pattern = match scramble.state {
                ScrambleState::Given(pattern) => {
                    // Which rotations are undone cannot be seen in the state.
                    let searched = |state| self.searched(state);
                    let back = self.turned_back(self.written_in(), &scramble.turns, &searched);
                    back.unwrap_or_else(|| searched(pattern))
                }
                ScrambleState::Random => {
                    let drawn = draw(&mut Random::new(scramble.line as u64));
                    drawn
                        .ok_or_else(|| InvalidInput::new("no random state: the group is unknown"))?
                }
            };
            let cost = |most: u32| Cost::try_from(most).unwrap_or(Cost::MAX);
            Ok(FileState {
                text: self.text(&pattern),
                name: scramble.name,
                line: scramble.line,
                bound: scramble.commands.max_depth.map(cost),
                slack: scramble.commands.slack.map_or(0, cost),
            })
        };
        let note = |note: permutation::Note| format!("line {}: {}", note.line, note.text);
        Ok(StateFile {
            states: file.scrambles.into_iter().map(state).collect::<Result<_, _>>()?,
            notes: file.notes.into_iter().map(note).collect(),
        })
    }

    /// Refuses stickers where the file should have moves: between `ScrambleAlg` and `End`.
    fn refuse_stickers(&self, text: &str) -> Result<(), InvalidInput> {
        let mut moves: Option<(usize, String)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let refuse = |from: usize, text: &str| {
                let wrong = |why: InvalidInput| {
                    why.within(format_args!("scramble file, line {from}")).at(Place::line(from))
                };
                stickers::refuse(self.model.definition(), text).map_err(wrong)
            };
            match (line.split_whitespace().next(), &mut moves) {
                (Some("End"), Some((from, all))) => {
                    refuse(*from, all)?;
                    moves = None;
                }
                (_, Some((_, all))) => {
                    refuse(number, line)?;
                    all.push_str(line);
                    all.push('\n');
                }
                (Some("ScrambleAlg"), None) => moves = Some((number + 1, String::new())),
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses a file that asks for something that the puzzle cannot do.
    fn refuse_wishes(&self, file: &ScrambleFile) -> Result<(), InvalidInput> {
        let wrong = |what: String| Err(InvalidInput::new(format_args!("scramble file: {what}")));
        let mut metrics = file.scrambles.iter().filter_map(|scramble| scramble.commands.metric);
        if let Some((metric, line)) = metrics.find(|(metric, _)| *metric != self.model.metric) {
            let (found, expected) = match metric {
                MoveMetric::Turn => ("HTM", "QTM"),
                MoveMetric::Quarter => ("QTM", "HTM"),
            };
            let why = format_args!("found {found}, expected {expected}, the metric of this search");
            let found = InvalidInput::new(why);
            let place = format_args!("scramble file, line {line}");
            return Err(found.within(place).at(Place::line(line)));
        }
        let known = &self.model.definition().rules().limits;
        let kept = |(limited, most)| known.get(limited).is_some_and(|known| known <= most);
        if !file.limits.iter().all(kept) {
            let expected = "those of the definition, for which tables and operators are made";
            return wrong(format!("found other MoveLimits, expected {expected}"));
        }
        Ok(())
    }
}
