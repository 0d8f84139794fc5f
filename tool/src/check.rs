//! `fewest check`: is a state solvable, and does a plan solve it.

use super::options::Parts;
use super::states::joined;
use super::verbs::Check;
use fewest::{InvalidInput, Puzzle, Replay, StateInfo, moves_at_cost};
use fewest_terminal::{Error, Exit, Format, Output, note};
use serde_json::{Number, Value, json};

const COLUMNS: &str = "puzzle state solvable facts valid plan_length plan_cost solves error";

pub(super) fn run(verb: &Check) -> Result<Exit, Error> {
    let mut output = Output::new(verb.output.format, "check", COLUMNS);
    let parts = Parts { metric: Some(&verb.metric), ..Parts::default() };
    let puzzle = match parts.configure(&verb.input.puzzle) {
        Ok(puzzle) => puzzle,
        Err(error) => return Err(error.of_puzzle(&verb.input.puzzle, output)),
    };
    let state = joined(verb.input.state())?;
    puzzle.info().notes.iter().for_each(note);
    let mut info = match puzzle.read(&state) {
        Ok(info) => info,
        Err(refused) if output.format != Format::Text => {
            output.line(
                || {
                    let name = &puzzle.info().name;
                    let mut object = json!({"puzzle": name, "state": state, "outcome": "refused"});
                    Error::from(refused).tell(&mut object);
                    object
                },
                String::new,
            )?;
            return Ok(Exit::Refused);
        }
        Err(refused) => return Err(refused.into()),
    };
    let plan = verb.plan.as_ref().map(|plan| puzzle.check_plan(&state, plan));
    let wrong = plan.as_ref().and_then(|plan| fault(plan.as_ref()));
    if plan.is_some() && wrong.is_none() {
        info.solvable = Some(true);
    }
    // A plan that can be read, but does not solve the state, is an answer.
    let exit = if matches!(plan, Some(Ok(_))) { Exit::NotSolved } else { Exit::Refused };
    output.line(
        || as_json(&*puzzle, &state, &info, plan.as_ref(), wrong.as_ref()),
        || as_text(&info, plan.as_ref().filter(|_| wrong.is_none()), puzzle.info().has_costs),
    )?;
    match wrong {
        None => Ok(Exit::Done),
        Some(_) if output.format != Format::Text => Ok(exit),
        Some(wrong) => Err(Error { exit, ..wrong }),
    }
}

/// Why a plan is refused: it cannot be read, or it does not solve the state. `None` if it does.
fn fault(plan: Result<&Replay, &InvalidInput>) -> Option<Error> {
    match plan {
        Ok(replay) => replay.error().map(|error| Error::refused(format_args!("plan: {error}"))),
        Err(refused) => Some(refused.clone().into()),
    }
}

fn as_json(
    puzzle: &dyn Puzzle,
    state: &str,
    info: &StateInfo,
    plan: Option<&Result<Replay, InvalidInput>>,
    wrong: Option<&Error>,
) -> Value {
    let mut object = json!(info);
    object["puzzle"] = json!(puzzle.info().name);
    object["state"] = json!(state);
    // A fact that is a number is one in JSON, of any size: the count of states, say.
    for value in object["facts"].as_object_mut().into_iter().flat_map(|facts| facts.values_mut()) {
        let text = value.as_str();
        if let Some(number) = text.and_then(|text| serde_json::from_str::<Number>(text).ok()) {
            *value = number.into();
        }
    }
    let replay = plan.and_then(|plan| plan.as_ref().ok());
    object["plan_length"] = json!(replay.map(|replay| replay.length));
    if let Some(plan) = plan {
        object["valid"] = json!(plan.is_ok());
        object["plan_cost"] = json!(replay.map(|replay| replay.cost));
        object["solves"] = json!(wrong.is_none());
    }
    if let Some(wrong) = wrong {
        wrong.tell(&mut object);
    }
    object
}

/// The result as text. `costs`: some moves cost other than 1.
fn as_text(info: &StateInfo, solves: Option<&Result<Replay, InvalidInput>>, costs: bool) -> String {
    let solvable = match info.solvable {
        Some(true) => "solvable",
        Some(false) => "not solvable",
        None => "not known to be solvable: the states form no group",
    };
    let mut lines = vec![solvable.to_owned()];
    lines.extend(info.facts.iter().map(|(name, value)| format!("{name}: {value}")));
    if let Some(Ok(replayed)) = solves {
        let cost = costs.then_some(replayed.cost);
        lines.push(format!("the plan solves it in {}", moves_at_cost(replayed.length, cost)));
    }
    lines.join("\n")
}
