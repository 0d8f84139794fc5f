//! `fewest show`: what a definition means, so that a reversed move or a wrong piece is noticed.

use super::ctrl_c::at_once;
use super::options::Parts;
use super::show_text;
use super::verbs::Show;
use fewest::definition;
use fewest::search::CancelToken;
use fewest_terminal::{Error, Exit, Format, Output};
use serde_json::{Number, json};

pub(super) fn run(verb: &Show, cancel: &CancelToken) -> Result<Exit, Error> {
    let mut output = Output::new(verb.output.format, "show", "name kind order cost changed");
    let Some(found) = at_once(|| definition(&verb.puzzle)) else {
        // The error text has the names that are near.
        let puzzle = Parts::default().configure(&verb.puzzle)?;
        let (name, board) = (&puzzle.info().name, puzzle.info().board);
        let Some((rows, columns)) = board else {
            return Err(Error::lacks(&*puzzle, "it has no definition"));
        };
        let squares = (3..=rows * columns).map(fewest::groups::BigUint::from);
        let states = squares.product::<fewest::groups::BigUint>().to_string();
        let number: Option<Number> = states.parse().ok();
        output.line(
            || {
                json!({"puzzle": name, "rows": rows, "columns": columns, "states": number,
                       "moves": ["up", "left", "right", "down"]})
            },
            || show_text::board(name, (rows, columns), &states),
        )?;
        return Ok(Exit::Done);
    };
    let within = cancel.child_within(Some(verb.limit_time));
    let summary = found?.summary(&within)?;
    if output.format == Format::Csv {
        // A row for each move.
        for one in &summary.moves {
            output.line(|| json!(one), String::new)?;
        }
        return Ok(Exit::Done);
    }
    output.line(|| json!(summary), || show_text::text(&summary))?;
    Ok(Exit::Done)
}
