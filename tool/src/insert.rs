//! `fewest solve --insert`: cycles of three pieces put into a plan that leaves them.

use super::ctrl_c::{Interrupt, at_once};
use super::input::InputState;
use super::solve::{numbered, refused};
use super::states::states;
use super::verbs::Solve;
use fewest::{Ending, Inserted, Puzzle, configure, grouped, moves};
use fewest_terminal::{Error, Exit, Format, Output, note};
use serde_json::{Value, json};

const COLUMNS: &str = "request line name puzzle state outcome length cost plan complete generated seconds metric error";

pub(super) fn run(verb: &Solve, interrupt: &Interrupt) -> Result<Exit, Error> {
    verb.plans.check()?;
    let settings = verb.parts().settings()?;
    let mut output = Output::new(verb.work.output.format, "solve", COLUMNS);
    let puzzle = match at_once(|| configure(&verb.input.puzzle, &settings)) {
        Ok(puzzle) => puzzle,
        Err(error) => return Err(Error::from(error).of_puzzle(&verb.input.puzzle, output)),
    };
    let mut states = states(verb.input.state(), verb.file.as_deref(), &*puzzle)?;
    interrupt.only_state(states.are_piped());
    output.header()?;
    let (mut exit, mut requests) = (Exit::Done, 0);
    while let Some(given) = interrupt.read(exit, || states.next()) {
        let ended = match given {
            Ok(given) => {
                requests += 1;
                one(verb, (requests, &given), &*puzzle, interrupt, &mut output)?
            }
            Err(error) => {
                note(format_args!("fewest: {}", error.message));
                error.exit
            }
        };
        exit = exit.max(ended);
    }
    Ok(if interrupt.cancel.is_cancelled() { exit.max(Exit::NotSolved) } else { exit })
}

/// Answers one state, with one result whatever happens.
fn one(
    verb: &Solve,
    (number, given): (u64, &InputState),
    puzzle: &dyn Puzzle,
    interrupt: &Interrupt,
    output: &mut Output,
) -> Result<Exit, Error> {
    let meter = verb.work.meter();
    meter.begin(number, given);
    let request = verb.request(&meter, <_>::default()).cancel(interrupt.token());
    let plan = verb.steps.insert.as_deref().unwrap_or_default();
    let result = match &given.wrong {
        Some(wrong) => Err(Error::refused(wrong)),
        None if given.whole => {
            Err(Error::refused("nothing is inserted for a file of scrambles: one state a line"))
        }
        None => puzzle.insert(&given.text, plan, &request).map_err(Error::from),
    };
    meter.clear();
    let info = puzzle.info();
    let object = json!({"puzzle": info.name, "state": given.text, "metric": info.metric});
    let mut object = numbered(object, number, given, None);
    match result {
        Ok(inserted) => {
            object["outcome"] = json!(Ending::Solved);
            output.line(
                || with(object, &inserted),
                || format!("{}{}", given.place(), text(&inserted, info.has_costs)),
            )?;
            Ok(if inserted.complete { Exit::Done } else { Exit::NotSolved })
        }
        Err(error) if output.format == Format::Text && given.line.is_none() => Err(error),
        Err(error) => refused(object, given, &error, output),
    }
}

fn with(mut object: Value, inserted: &Inserted) -> Value {
    if let (Some(object), Value::Object(keys)) = (object.as_object_mut(), json!(inserted)) {
        object.extend(keys);
    }
    object
}

/// A line for each cycle that was put in, and a line for the plan.
fn text(inserted: &Inserted, costs: bool) -> String {
    let lines = inserted.insertions.iter().map(|insertion| insertion.in_brackets() + "\n");
    let amount = match costs {
        false => moves(inserted.length),
        true => format!("cost {}", inserted.cost),
    };
    let proof = match (inserted.complete, inserted.insertions.is_empty()) {
        (_, true) => "nothing is left",
        (true, false) => "no cheapest plan of a cycle fits better",
        (false, false) => "ended early",
    };
    let plan = inserted.plan.join(" ");
    let (nodes, seconds) = (grouped(inserted.generated), inserted.elapsed.as_secs_f64());
    format!(
        "{}{plan}  ({amount}, {proof}; {nodes} nodes, {seconds:.2} s)",
        lines.collect::<String>()
    )
}
