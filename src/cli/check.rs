//! `fewest check`: is a state solvable, and does a plan solve it.

use super::args::{Check, Format, Parts};
use super::output::{Output, moves};
use super::{Error, Exit};
use fewest::{Puzzle, Refused};
use serde_json::{Map, Value, json};

pub(super) fn run(verb: &Check) -> Result<Exit, Error> {
    let puzzle =
        Parts { metric: Some(&verb.metric), ..Parts::default() }.configure(&verb.input.puzzle)?;
    let state = verb.input.state.join(" ");
    if state.is_empty() {
        return Err(Error::refused("no state given: expected words after the puzzle"));
    }
    let mut output = Output::new(verb.output.format);
    match check(verb, &*puzzle, &state) {
        Ok((facts, length)) => {
            output.line(
                || {
                    let facts: Map<String, Value> = facts
                        .iter()
                        .map(|(name, value)| ((*name).to_owned(), json!(value)))
                        .collect();
                    json!({"puzzle": puzzle.name(), "state": state, "solvable": true,
                           "facts": facts, "plan_length": length})
                },
                || {
                    let mut lines = vec!["solvable".to_owned()];
                    lines.extend(facts.iter().map(|(name, value)| format!("{name}: {value}")));
                    lines.extend(
                        length.map(|length| format!("the plan solves it in {}", moves(length))),
                    );
                    lines.join("\n")
                },
            )?;
            Ok(Exit::Done)
        }
        Err(refused) if output.format == Format::Json => {
            output.line(
                || json!({"puzzle": puzzle.name(), "state": state, "outcome": "refused", "error": refused.to_string()}),
                String::new,
            )?;
            Ok(Exit::Refused)
        }
        Err(refused) => Err(refused.into()),
    }
}

type Facts = Vec<(&'static str, String)>;

fn check(
    verb: &Check,
    puzzle: &dyn Puzzle,
    state: &str,
) -> Result<(Facts, Option<usize>), Refused> {
    let facts = puzzle.describe(state)?;
    let length = verb.plan.as_ref().map(|plan| puzzle.check_plan(state, plan)).transpose()?;
    Ok((facts, length))
}
