//! `fewest solve --steps`: plans that go from goal to goal.

use super::ctrl_c::{Interrupt, at_once};
use super::input::InputState;
use super::progress::Meter;
use super::solve::{numbered, refused};
use super::states::states;
use super::verbs::Solve;
use fewest::{
    Ending, Request, Sides, StepChain, StepOptions, StepPlan, Steps, StepsAnswer, grouped, moves,
};
use fewest_terminal::{Error, Exit, Format, Output, note};
use serde_json::{Value, json};

const COLUMNS: &str = "request line name puzzle state outcome length cost plan goals complete \
    stopped generated seconds metric error";

pub(super) fn run(verb: &Solve, interrupt: &Interrupt) -> Result<Exit, Error> {
    let settings = verb.parts().settings()?;
    let mut output = Output::new(verb.work.output.format, "solve", COLUMNS);
    let goals = &verb.steps.goals(&settings.goal)[..];
    if verb.plans.slack.len() > goals.len() {
        let (found, most) = (verb.plans.slack.len(), goals.len());
        let message =
            format!("--slack: found {found} numbers, expected one for each of {most} steps");
        return Err(Error::refused(message));
    }
    let steps = match at_once(|| Steps::configure(&verb.input.puzzle, &settings, goals)) {
        Ok(steps) => steps,
        Err(error) => return Err(Error::from(error).of_puzzle(&verb.input.puzzle, output)),
    };
    let mut states = states(verb.input.state(), verb.file.as_deref(), steps.puzzle())?;
    interrupt.only_state(states.are_piped());
    output.header()?;
    let meter = &verb.work.meter();
    let asked = Asked { verb, goals, steps: &steps, interrupt, meter };
    let (mut exit, mut requests) = (Exit::Done, 0);
    while let Some(given) = interrupt.read(exit, || states.next()) {
        let ended = match given {
            Ok(given) => {
                requests += 1;
                asked.one(requests, &given, &mut output)?
            }
            Err(error) => {
                note(format_args!("fewest: {}", error.message));
                error.exit
            }
        };
        exit = exit.max(ended).max(meter.exit());
    }
    Ok(if interrupt.cancel.is_cancelled() { exit.max(Exit::NotSolved) } else { exit })
}

/// What all states of a run share.
struct Asked<'a> {
    verb: &'a Solve,
    goals: &'a [&'a str],
    steps: &'a Steps,
    interrupt: &'a Interrupt,
    meter: &'a Meter,
}

impl Asked<'_> {
    fn options(&self) -> StepOptions {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (plans, steps) = (&self.verb.plans, &self.verb.steps);
        let mut options = StepOptions::default();
        options.slack.clone_from(&plans.slack);
        options.keep = steps.keep.map_or(options.keep, size);
        options.chains = plans.count.map_or(options.chains, size);
        options.sides = match (steps.niss, steps.inverse) {
            (true, _) => Sides::Both,
            (false, true) => Sides::Inverse,
            (false, false) => Sides::Normal,
        };
        options
    }

    /// Answers one state, with one result whatever happens.
    fn one(&self, number: u64, given: &InputState, output: &mut Output) -> Result<Exit, Error> {
        let Self { verb, steps, meter, .. } = *self;
        meter.begin(number, given);
        let request: Request<'_> =
            verb.limits.request().watch(meter).cancel(self.interrupt.token());
        let result = match &given.wrong {
            Some(wrong) => Err(Error::refused(wrong)),
            None if given.whole => Err(Error::refused(
                "a file of scrambles is not solved step by step: expected one state a line",
            )),
            None => steps.solve(&given.text, &self.options(), &request).map_err(Error::from),
        };
        meter.clear();
        let info = steps.puzzle().info();
        let object = json!({"puzzle": info.name, "state": given.text, "metric": info.metric,
                            "goals": self.goals});
        let object = numbered(object, number, given, None);
        match result {
            Ok(answer) => {
                let costs = info.has_costs;
                output.line(
                    || with(object, &answer, verb.plans.count.is_some()),
                    || format!("{}{}", given.place(), text(&answer, costs)),
                )?;
                let done = answer.ending == Ending::Solved && answer.stopped.is_none();
                Ok(if done { Exit::Done } else { Exit::NotSolved })
            }
            Err(error) if output.format == Format::Text && given.line.is_none() => Err(error),
            Err(error) => refused(object, given, &error, output),
        }
    }
}

/// An object with the keys of the answer, and the first chain as its plan. `several`: with all
/// chains.
fn with(mut object: Value, answer: &StepsAnswer, several: bool) -> Value {
    let first = answer.chains.first();
    if let (Some(object), Value::Object(mut keys)) = (object.as_object_mut(), json!(answer)) {
        if !several {
            keys.remove("chains");
        }
        object.extend(keys);
        if let Value::Object(keys) = json!(first) {
            object.extend(keys);
        }
    }
    if let Some(first) = first {
        object["length"] = first.steps.iter().map(|step| step.moves.len()).sum::<usize>().into();
    }
    object
}

/// A line for each step of each chain, and a line for its plan.
fn text(answer: &StepsAnswer, costs: bool) -> String {
    let effort =
        format!("{} nodes, {:.2} s", grouped(answer.generated), answer.elapsed.as_secs_f64());
    let amount = |cost: u64| match (costs, usize::try_from(cost)) {
        (false, Ok(length)) => moves(length),
        _ => format!("cost {cost}"),
    };
    let step = |step: &StepPlan| {
        let StepPlan { goal, inverse, cost, least, .. } = step;
        let made = step.moves.join(" ");
        // Turns of one axis are a move without parentheses, too.
        let made = if *inverse { format!("({})", made.replace(['(', ')'], "")) } else { made };
        let side = if *inverse { " on the inverse" } else { "" };
        let above = match cost - least {
            0 => String::new(),
            more => format!(", {more} more than the least"),
        };
        format!("{made}  ({goal}{side}: {}{above})\n", amount(*cost))
    };
    let proof = match (answer.complete, answer.stopped) {
        (true, _) => "no such steps cost less",
        (false, None) => "the best of those that were kept",
        (false, Some(Ending::Cancelled)) => "cancelled",
        (false, Some(_)) => "limit reached",
    };
    let chain = |chain: &StepChain| {
        let steps: String = chain.steps.iter().map(step).collect();
        let plan = chain.plan.as_ref().map(|plan| plan.join(" ") + "  ");
        format!("{steps}{}({}, {proof}; {effort})", plan.unwrap_or_default(), amount(chain.cost))
    };
    match answer.ending {
        Ending::Solved => answer.chains.iter().map(chain).collect::<Vec<_>>().join("\n"),
        Ending::Unsolvable => format!("no plan with these steps ({effort})"),
        Ending::Cancelled => format!("cancelled; {effort}"),
        _ => format!("no plan within the limits; {effort}"),
    }
}
