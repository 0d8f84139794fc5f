//! `fewest invert`: the moves that undo a sequence of moves.

use super::ctrl_c::Interrupt;
use super::options::Parts;
use super::states::sequences;
use super::verbs::Invert;
use fewest::InvalidInput;
use fewest_terminal::{Error, Exit, Output, note};
use serde_json::json;

pub(super) fn run(verb: &Invert, interrupt: &Interrupt) -> Result<Exit, Error> {
    let puzzle = Parts::default().configure(&verb.puzzle)?;
    let name = &puzzle.info().name;
    let mut output = Output::new(verb.output.format, "invert", "puzzle moves inverse");
    let mut exit = Exit::Done;
    let mut all = sequences(&verb.moves, verb.file.as_deref())?;
    while let Some(given) = interrupt.read(exit, || all.next()) {
        let given = given?;
        let inverse = match &given.wrong {
            Some(wrong) => Err(InvalidInput::new(wrong)),
            None => puzzle.invert(&given.text),
        };
        match inverse {
            Ok(moves) => output.line(
                || json!({"puzzle": name, "moves": given.text, "inverse": moves}),
                || moves.join(" "),
            )?,
            Err(refused) => {
                note(format_args!("fewest: {}{refused}", given.place()));
                exit = Exit::Refused;
            }
        }
    }
    Ok(exit)
}
