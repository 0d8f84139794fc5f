//! A definition, its texts and what it means.

mod group;
mod summary;

use super::texts::{is_json, read_state};
use crate::instances::state_text;
use crate::puzzle::{ConvertedStates, Defined, DefinitionSummary, InvalidInput, Place, TextForm};
use permutation::{
    Commands, Definition, MoveMetric, PuzzleState, ReadLimits, Scramble, ScrambleFile,
    ScrambleState,
};
use search::CancelToken;

/// A state and its name; empty if it has none.
type Named = (String, PuzzleState);

/// A definition, with the name with which the caller asked for it.
pub(super) struct NamedDefinition {
    pub(super) name: String,
    pub(super) definition: Definition,
    pub(super) is_json: bool,
}

impl Defined for NamedDefinition {
    fn is_json(&self) -> bool {
        self.is_json
    }

    fn written(&self, form: TextForm) -> (String, Vec<&'static str>) {
        match form {
            TextForm::Json => (self.definition.to_kpuzzle(), self.definition.kpuzzle_extensions()),
            _ => (self.definition.to_tws(), self.definition.tws_extensions()),
        }
    }

    fn convert(
        &self,
        text: &str,
        whole: bool,
        (form, first): (TextForm, usize),
    ) -> Result<ConvertedStates, InvalidInput> {
        let mut out = ConvertedStates::default();
        for (name, state) in self.states(text, whole, &mut out.notes)? {
            let named = !name.is_empty() && name != "Unnamed";
            let name = if named { name } else { (first + out.states).to_string() };
            out.text += &match form {
                TextForm::Words => self.definition.scramble_text(&name, &state),
                TextForm::Json => self.definition.to_pattern(&state) + "\n",
                TextForm::Line => match self.definition.compact(&state) {
                    Some(text) => format!("CPOS {text}\n"),
                    None => return Err(InvalidInput::new("other pieces than the solved state")),
                },
            };
            out.states += 1;
        }
        Ok(out)
    }

    fn summary(&self, cancel: &CancelToken) -> Result<DefinitionSummary, InvalidInput> {
        let operators = |metric| self.definition.operators(metric).map_err(InvalidInput::new);
        let (all, quarter) = (operators(MoveMetric::Turn)?, operators(MoveMetric::Quarter)?);
        let group = group::summary(&self.definition, &all, cancel);
        Ok(summary::summary(&self.name, &self.definition, (&all, &quarter), group))
    }
}

impl NamedDefinition {
    /// Reads the states of a line or, if `whole`, of a file. Adds to `notes` what the text says
    /// besides the states.
    fn states(
        &self,
        text: &str,
        whole: bool,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Named>, InvalidInput> {
        let (definition, limits) = (&self.definition, ReadLimits::default());
        if is_json(text) {
            let read = definition.patterns(text, &limits)?;
            return Ok(read.into_iter().map(|(_, state)| (String::new(), state)).collect());
        }
        if whole || text.split_whitespace().next() == Some("CPOS") {
            let read = definition.scrambles(text, &limits)?;
            left_out(&read, notes);
            let state = |scramble: Scramble| match scramble.state {
                ScrambleState::Given(state) => Ok((scramble.name, state)),
                ScrambleState::Random => {
                    let found = InvalidInput::new("found RandomScramble, expected a state");
                    let line = scramble.line;
                    Err(found.within(format_args!("line {line}")).at(Place::line(line)))
                }
            };
            return read.scrambles.into_iter().map(state).collect();
        }
        Ok(vec![(String::new(), read_state(definition, &state_text(text))?)])
    }
}

/// Adds a note about what a scramble file asks of a search, since converted states cannot say it.
fn left_out(file: &ScrambleFile, notes: &mut Vec<String>) {
    let asks = |asked: fn(&Commands) -> bool| file.scrambles.iter().any(|one| asked(&one.commands));
    let wishes = [
        ("MaxDepth", asks(|commands| commands.max_depth.is_some())),
        ("Slack", asks(|commands| commands.slack.is_some())),
        ("the metric", asks(|commands| commands.metric.is_some())),
        ("MoveLimits", !file.limits.is_empty()),
    ];
    let lost: Vec<&str> =
        wishes.iter().filter(|(_, asked)| *asked).map(|(word, _)| *word).collect();
    if !lost.is_empty() {
        notes.push(format!("left out, as states do not say it: {}", lost.join(", ")));
    }
    notes.extend(file.notes.iter().map(|told| format!("line {}: {}", told.line, told.text)));
}
