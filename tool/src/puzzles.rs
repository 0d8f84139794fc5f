//! `fewest puzzles`: the names of all puzzles.

use super::verbs::Puzzles;
use fewest::{NamedPuzzle, named_puzzles};
use fewest_terminal::{Error, Exit, Output};
use serde_json::json;

pub(super) fn run(verb: &Puzzles) -> Result<Exit, Error> {
    let mut output = Output::new(verb.output.format, "puzzles", "puzzle aliases title");
    for puzzle in named_puzzles() {
        output.line(
            || json!(puzzle),
            || {
                let NamedPuzzle { name, aliases, title, .. } = &puzzle;
                match &aliases[..] {
                    [] => format!("{name}: {title}"),
                    aliases => format!("{name} ({}): {title}", aliases.join(", ")),
                }
            },
        )?;
    }
    Ok(Exit::Done)
}
