//! `fewest shorten`: plans that solve the same and cost no more.

use super::ctrl_c::Interrupt;
use super::input::InputState;
use super::options::Parts;
use super::states::sequences;
use super::verbs::Shorten;
use fewest::search::Limits;
use fewest::{MetricChoice, Puzzle, Request, Shortened};
use fewest_terminal::{Error, Exit, Format, Output, note};
use serde_json::{Value, json};

const COLUMNS: &str =
    "puzzle line name moves plans plan length cost length_before cost_before passes complete error";

pub(super) fn run(verb: &Shorten, interrupt: &Interrupt) -> Result<Exit, Error> {
    let parts =
        Parts { metric: Some(&verb.metric), engine: Some(&verb.work.engine), ..Parts::default() };
    let mut output = Output::new(verb.work.output.format, "shorten", COLUMNS);
    let puzzle = match parts.configure(&verb.puzzle) {
        Ok(puzzle) => puzzle,
        Err(error) => return Err(error.of_puzzle(&verb.puzzle, output)),
    };
    if !verb.plan.is_empty() && verb.plan.iter().all(|word| word.trim().is_empty()) {
        return Err(Error::refused("the plan is empty: expected moves after the puzzle"));
    }
    let mut plans = sequences(&verb.plan, verb.file.as_deref())?;
    output.header()?;
    let mut exit = Exit::Done;
    let mut together = Vec::new();
    while let Some(given) = interrupt.read(exit, || plans.next()) {
        let given = given?;
        if Row::of(&given.text).is_header() {
            if output.format == Format::Text && !verb.together {
                output.line(|| Value::Null, || given.text.clone())?;
            }
        } else if verb.together {
            together.push(given);
        } else {
            exit = exit.max(shorten(verb, &*puzzle, &[given], interrupt, &mut output)?);
        }
    }
    match verb.together {
        true => shorten(verb, &*puzzle, &together, interrupt, &mut output),
        false => Ok(exit),
    }
}

/// Prints a cheaper plan for one plan, or for several of one state.
fn shorten(
    verb: &Shorten,
    puzzle: &dyn Puzzle,
    given: &[InputState],
    interrupt: &Interrupt,
    output: &mut Output,
) -> Result<Exit, Error> {
    let rows: Vec<Row<'_>> = given.iter().map(|given| Row::of(&given.text)).collect();
    if rows.is_empty() {
        return Err(Error::refused("there is no plan: expected one a line"));
    }
    let meter = verb.work.meter();
    let limits = Limits { nodes: verb.limit_nodes, time: verb.limit_time, ..Limits::default() };
    let request = Request::default().limits(limits);
    let request = request.cancel(interrupt.cancel.clone()).watch(&meter);
    let half_turns = puzzle.info().metric == Some(MetricChoice::HalfTurn);
    let mut refused =
        given.iter().zip(&rows).map(|(given, row)| refusal(given, row, half_turns)).enumerate();
    let shortened = match refused.find_map(|(plan, error)| Some((plan, error?))) {
        Some(refused) => Err(refused),
        None => {
            let plans: Vec<&str> = rows.iter().map(|row| &*row.moves).collect();
            let shortened = puzzle.shorten(verb.state.as_deref(), &plans, &request);
            shortened.map_err(|error| {
                let number = error.place().and_then(|place| place.plan).unwrap_or(1);
                (number - 1, error.into())
            })
        }
    };
    meter.clear();
    // The plan that is wrong, or the first.
    let about = shortened.as_ref().map_or_else(|(plan, _)| *plan, |_| 0);
    let (given, row) = (&given[about], &rows[about]);
    let mut object = json!({"puzzle": puzzle.info().name, "moves": given.text});
    if let Some(line) = given.line {
        object["line"] = json!(line);
    }
    if let Some(name) = row.id {
        object["name"] = json!(name);
    }
    if verb.together {
        object["plans"] = json!(rows.len());
    }
    match shortened {
        Ok(shortened) => {
            if !verb.work.progress.quiet && output.format == Format::Text {
                let summary = shortened.summary(puzzle.info().has_costs);
                let place = if verb.together { String::new() } else { given.place() };
                note(format_args!("{place}{summary}"));
            }
            output.line(|| with(object, &shortened), || row.written(&shortened.plan))?;
            // The caller ended the work before all was tried.
            let cancelled = interrupt.cancel.is_cancelled();
            Ok(if cancelled { Exit::NotSolved } else { Exit::Done })
        }
        Err((_, error)) if output.format == Format::Text && given.line.is_none() => Err(error),
        Err((_, error)) => {
            let exit = error.exit;
            if output.format == Format::Text {
                note(format_args!("fewest: {}{}", given.place(), error.message));
            } else {
                error.tell(&mut object);
                output.line(|| object, String::new)?;
            }
            Ok(exit)
        }
    }
}

/// Why a plan is refused before the puzzle reads it.
fn refusal(given: &InputState, row: &Row<'_>, half_turns: bool) -> Option<Error> {
    match &given.wrong {
        Some(wrong) => Some(Error::refused(wrong)),
        None if row.id.is_some() && half_turns => Some(Error::refused(
            "a row of a submission counts a double turn as two moves: expected --metric qtm",
        )),
        None => None,
    }
}

/// An object with the keys of the answer.
fn with(mut object: Value, shortened: &Shortened) -> Value {
    if let (Some(object), Value::Object(answer)) = (object.as_object_mut(), json!(shortened)) {
        object.extend(answer);
    }
    object
}

/// A plan as it is given: as moves, or as a row of a submission to Kaggle's Santa 2023, with a
/// number, a comma, and moves with `.` between them and `-` before inverse ones.
struct Row<'a> {
    id: Option<&'a str>,
    /// The plan as moves with blanks between them.
    moves: String,
}

impl<'a> Row<'a> {
    fn of(text: &'a str) -> Self {
        let row = text.split_once(',').filter(|(id, moves)| {
            let is_number = id.bytes().all(|byte| byte.is_ascii_digit()) && !id.is_empty();
            let are_words = moves.is_empty() || !moves.split('.').any(str::is_empty);
            (is_number || *id == "id") && are_words && !moves.contains([' ', ','])
        });
        let Some((id, moves)) = row else { return Self { id: None, moves: text.to_owned() } };
        let word = |word: &str| match word.strip_prefix('-') {
            Some(word) => format!("{word}'"),
            None => word.to_owned(),
        };
        let words: Vec<String> = moves.split('.').map(word).collect();
        Self { id: Some(id), moves: words.join(" ") }
    }

    fn is_header(&self) -> bool {
        self.id == Some("id")
    }

    /// A plan in the form in which this one was given.
    fn written(&self, plan: &[String]) -> String {
        let Some(id) = self.id else { return plan.join(" ") };
        let word = |word: &String| match word.strip_suffix('\'') {
            Some(word) => format!("-{word}"),
            None => word.clone(),
        };
        format!("{id},{}", plan.iter().map(word).collect::<Vec<_>>().join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_submissions_are_read_and_written() {
        let row = Row::of("12,r1.-f1.d0");
        assert_eq!((row.id, &*row.moves), (Some("12"), "r1 f1' d0"));
        assert_eq!(row.written(&["d0'".to_owned(), "r1".to_owned()]), "12,-d0.r1");
        let row = Row::of("R U R'");
        assert_eq!((row.id, &*row.moves), (None, "R U R'"));
        assert_eq!(row.written(&["U'".to_owned()]), "U'");
        assert!(Row::of("id,moves").is_header());
        assert_eq!(Row::of("12,r0..r1").id, None);
        assert_eq!((Row::of("12,").id, &*Row::of("12,").moves), (Some("12"), ""));
    }
}
