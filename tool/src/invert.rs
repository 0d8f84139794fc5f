//! `fewest invert`: the moves that undo a sequence of moves, or the inverse of a state. `fewest
//! compose`: the product of states.

use super::ctrl_c::Interrupt;
use super::options::Parts;
use super::states::sequences;
use super::verbs::{Compose, Invert};
use fewest::InvalidInput;
use fewest_terminal::{Error, Exit, Output, note};
use serde_json::json;

pub(super) fn run(verb: &Invert, interrupt: &Interrupt) -> Result<Exit, Error> {
    let puzzle = Parts::default().configure(&verb.puzzle)?;
    let name = &puzzle.info().name;
    let mut output =
        Output::new(verb.output.format, "invert", "puzzle moves inverse state inverse_state");
    let has_states = puzzle.compose(&[]).is_ok();
    let mut exit = Exit::Done;
    let mut all = sequences(&verb.moves, verb.file.as_deref())?;
    while let Some(given) = interrupt.read(exit, || all.next()) {
        let given = given?;
        let inverse = match &given.wrong {
            Some(wrong) => Err(InvalidInput::new(wrong)),
            None => puzzle.invert(&given.text),
        };
        // Texts that are no moves may be states in another form.
        let inverse = match inverse {
            Err(_) if given.wrong.is_none() && has_states => {
                puzzle.inverse(&given.text).map(|state| (Vec::new(), Some(state)))
            }
            inverse => inverse.map(|moves| (moves, None)),
        };
        match inverse {
            Ok((moves, None)) => output.line(
                || json!({"puzzle": name, "moves": given.text, "inverse": moves}),
                || moves.join(" "),
            )?,
            Ok((_, Some(state))) => output.line(
                || json!({"puzzle": name, "state": given.text, "inverse_state": state}),
                || state.clone(),
            )?,
            Err(refused) => {
                note(format_args!("fewest: {}{refused}", given.place()));
                exit = Exit::Refused;
            }
        }
    }
    Ok(exit)
}

pub(super) fn compose(verb: &Compose) -> Result<Exit, Error> {
    let puzzle = Parts::default().configure(&verb.puzzle)?;
    let states: Vec<&str> = verb.states.iter().map(String::as_str).collect();
    let state = puzzle.compose(&states)?;
    let mut output = Output::new(verb.output.format, "compose", "puzzle states state");
    let name = &puzzle.info().name;
    output.line(|| json!({"puzzle": name, "states": states, "state": state}), || state.clone())?;
    Ok(Exit::Done)
}
