//! `fewest solve`: optimal plans, one line a state, in order.

use super::ctrl_c::{Interrupt, at_once};
use super::output::{Output, grouped, moves, moves_at_cost, note};
use super::progress::Meter;
use super::runs::{Kept, ProofLog};
use super::shared_options::{Format, Parts};
use super::states::{InputState, instances, states};
use super::verbs::Solve;
use super::{Error, Exit};
use fewest::search::Cost;
use fewest::{Answer, Ending, InvalidInput, Job, Puzzle, configure};
use serde_json::{Value, json};

/// Columns of CSV, one row a state.
const COLUMNS: &str = "request line name puzzle state outcome length cost lower_bound upper_bound \
    optimal plan plans generated expanded seconds cpu_seconds table_seconds heuristic pruning \
    metric threads table_bytes complete error lengths costs goal solver stages";

pub(super) fn run(verb: &Solve, interrupt: &Interrupt) -> Result<Exit, Error> {
    let parts = Parts {
        metric: Some(&verb.metric),
        solver: Some(&verb.solver),
        heuristic: Some(&verb.heuristic),
        pruning: Some(&verb.pruning),
        engine: Some(&verb.work.engine),
    };
    let settings = parts.settings()?;
    let mut output = Output::new(verb.work.output.format, "solve", COLUMNS);
    let configured = at_once(|| configure(&verb.input.puzzle, &settings));
    let puzzle = match &configured {
        Ok(puzzle) => &**puzzle,
        Err(error) => return Err(Error::from(error.clone()).of_puzzle(&verb.input.puzzle, output)),
    };
    let kept = &verb.journal.kept(verb, &settings, puzzle)?;
    if verb.near_optimal && !puzzle.info().has_near_optimal {
        return Err(Error::refused(format_args!(
            "--near-optimal: {} has no such search with this heuristic and --memory; \
             3x3x3 has one with best",
            puzzle.info().name
        )));
    }
    let state = verb.input.state.join(" ");
    let job = verb.job(&fewest::Quiet, <_>::default()).cancel(interrupt.cancel.clone());
    let log = verb.proof.begin(puzzle, &state, &job)?;
    let mut states = match &verb.instances {
        Some(named) => instances(named, puzzle)?,
        None => states(&verb.input, verb.file.as_deref(), puzzle)?,
    };
    interrupt.only_state(states.are_piped());
    output.header()?;
    let meter = &verb.work.meter();
    let log = log.as_ref();
    let mut session = Session { verb, puzzle, kept, log, interrupt, meter, output, requests: 0 };
    let mut exit = Exit::Done;
    while let Some(given) = interrupt.read(exit, || states.next()) {
        let ended = match given {
            Ok(given) => {
                let job = kept.job(verb.job(meter, states.backlog()));
                if given.whole { session.whole(&given, job)? } else { session.one(&given, job)? }
            }
            Err(error) => {
                note(format_args!("fewest: {}", error.message));
                error.exit
            }
        };
        exit = exit.max(ended).max(meter.exit());
    }
    // A Ctrl-C between two states leaves the rest unanswered.
    Ok(if interrupt.cancel.is_cancelled() { exit.max(Exit::NotSolved) } else { exit })
}

/// What all states of a run share.
struct Session<'a> {
    verb: &'a Solve,
    puzzle: &'a dyn Puzzle,
    kept: &'a Kept<'a>,
    /// The proof log to write.
    log: Option<&'a ProofLog<'a>>,
    interrupt: &'a Interrupt,
    meter: &'a Meter,
    output: Output,
    /// Number of the states that were taken up so far.
    requests: u64,
}

impl Session<'_> {
    /// Answers the states of a file in the puzzle's own format, in order.
    ///
    /// A file that the puzzle refuses has no states, so it gets no result line.
    fn whole(&mut self, file: &InputState, job: Job<'_>) -> Result<Exit, Error> {
        let read = match (&file.wrong, self.puzzle.state_files()) {
            (Some(wrong), _) => Err(InvalidInput::new(wrong)),
            (None, Some(files)) => files.read_file(&file.text),
            (None, None) => Err(InvalidInput::new("expected one state a line")),
        };
        let read = match read {
            Ok(read) => read,
            Err(refused) => {
                note(format_args!("fewest: {refused}"));
                return Ok(Exit::Refused);
            }
        };
        if !self.verb.work.progress.quiet {
            read.notes.iter().for_each(note);
        }
        let mut exit = Exit::Done;
        for state in read.states {
            if self.interrupt.cancel.is_cancelled() {
                break;
            }
            let mut job = job.clone();
            job.limits.bound = job.limits.bound.into_iter().chain(state.bound).min();
            if self.verb.slack.is_none() && state.slack > 0 {
                job.slack = state.slack;
                job.plans = self.verb.count.map_or(usize::MAX, |_| job.plans);
            }
            exit = exit.max(self.one(&state.into(), job)?).max(self.meter.exit());
        }
        Ok(exit)
    }

    /// Answers one state, with one result line whatever happens.
    ///
    /// An error ends the run: the state was the only one, or its line could not be written.
    fn one(&mut self, given: &InputState, job: Job<'_>) -> Result<Exit, Error> {
        self.requests += 1;
        self.meter.begin(self.requests, given);
        let job = job.cancel(self.interrupt.token());
        let result = match &given.wrong {
            Some(wrong) => Err(InvalidInput::new(wrong).into()),
            None => self.puzzle.solve(&given.text, &job),
        };
        self.meter.clear();
        match result {
            Ok(answer) => {
                self.kept.check()?;
                let (plural, least) = (self.verb.wants_several() || job.plans > 1, job.min_length);
                let costs = self.puzzle.info().has_costs;
                let goal = self.verb.metric.goal.as_deref();
                self.output.line(
                    || {
                        let mut object = as_json(self.puzzle, given, &answer, plural);
                        if let Some(source) = self.verb.journal.source() {
                            object["lower_bound_from"] = json!(source.display().to_string());
                        }
                        numbered(object, self.requests, given, goal)
                    },
                    || format!("{}{}", given.place(), as_text(&answer, least, costs)),
                )?;
                let done = answer.ending == Ending::Solved && answer.complete;
                let exit = if done { Exit::Done } else { Exit::NotSolved };
                let log = self.log.map_or(Exit::Done, |log| log.write(&answer, &job));
                Ok(exit.max(self.kept.end(&answer)).max(log))
            }
            Err(failure) => self.failed(given, failure.into()),
        }
    }

    /// Writes the result line of a state without an answer: the state or a table is refused, or the
    /// plan failed its replay.
    fn failed(&mut self, given: &InputState, error: Error) -> Result<Exit, Error> {
        if given.line.is_none() && self.output.format == Format::Text {
            return Err(error);
        }
        let info = self.puzzle.info();
        let message = format!("{}{}", given.place(), error.message);
        let goal = self.verb.metric.goal.as_deref();
        let told = if error.ending == Ending::Defect { "defect" } else { "refused" };
        self.output.line(
            || {
                let mut object = json!({"puzzle": info.name, "state": given.text,
                                        "outcome": error.ending, "metric": info.metric});
                error.tell(&mut object);
                object["error"] = json!(message);
                numbered(object, self.requests, given, goal)
            },
            || format!("{}{told}: {}", given.place(), error.message),
        )?;
        if error.exit != Exit::Refused {
            note(format_args!("fewest: {}", error.message));
        }
        Ok(error.exit)
    }
}

/// Adds to an object the number of its state in this run and the goal that was asked for. Also adds
/// the line and the name of the state, if it has them.
fn numbered(mut object: Value, request: u64, given: &InputState, goal: Option<&str>) -> Value {
    object["request"] = json!(request);
    if let Some(goal) = goal {
        object["goal"] = json!(goal);
    }
    if let Some(line) = given.line {
        object["line"] = json!(line);
    }
    if let Some(name) = &given.name {
        object["name"] = json!(name);
    }
    object
}

fn as_json(puzzle: &dyn Puzzle, given: &InputState, answer: &Answer, plural: bool) -> Value {
    let mut object = json!(answer);
    object["puzzle"] = json!(puzzle.info().name);
    object["state"] = json!(given.text);
    object["metric"] = json!(puzzle.info().metric);
    object["threads"] = json!(rayon::current_num_threads());
    object["generated"] = json!(answer.generated());
    object["expanded"] = json!(answer.expanded());
    let plan = answer.plans.first();
    if plan.is_some() && plural {
        object["lengths"] = answer.plans.iter().map(Vec::len).collect();
    }
    if let Some(plan) = plan {
        object["plan"] = json!(plan);
        object["length"] = json!(plan.len());
        object["cost"] = json!(answer.upper_bound);
    }
    // Some keys are for answers with plans only.
    let drop: &[&str] = match plan {
        None => &["plans", "costs", "complete", "optimal"],
        Some(_) if !plural => &["plans", "costs", "complete"],
        Some(_) => &[],
    };
    if let Value::Object(keys) = &mut object {
        keys.retain(|key, _| !drop.contains(&key.as_str()));
    }
    object
}

/// The greatest cost of a plan that searches find.
const MOST_COST: usize = 250;

/// The answer as text. `costs`: some moves cost other than 1.
fn as_text(answer: &Answer, min_length: Cost, costs: bool) -> String {
    let nodes = match &answer.near {
        Some(near) if answer.iterations.is_empty() => near.generated,
        _ => answer.generated(),
    };
    let plural = if nodes == 1 { "" } else { "s" };
    let seconds = answer.elapsed.as_secs_f64();
    let effort = format!("{} node{plural}, {seconds:.2} s", grouped(nodes));
    let least = usize::from(answer.lower_bound);
    let at_least = if costs { format!("cost {least}") } else { moves(least) };
    let at_least = format!("at least {at_least} (proven)");
    let length_of =
        |plan: &Vec<String>| moves_at_cost(plan.len(), answer.upper_bound.filter(|_| costs));
    match answer.ending {
        Ending::Solved => {
            let plans: Vec<String> = answer.plans.iter().map(|plan| plan.join(" ")).collect();
            let first = answer.plans.first();
            let mut length = first.map_or_else(|| moves(0), length_of);
            let most = answer.costs.last().filter(|&most| answer.costs.first() < Some(most));
            if let (Some(most), Some(first)) = (most, answer.costs.first()) {
                let (before, after) = if costs { ("cost ", "") } else { ("", " moves") };
                length = format!("{before}{first} to {most}{after}");
            }
            let proof = match (answer.optimal, min_length) {
                (false, _) => "not proven optimal".to_owned(),
                (true, 0) if most.is_some() => "the first optimal".to_owned(),
                (true, 0) => "optimal".to_owned(),
                (true, least) => format!("no shorter one of at least {least}"),
            };
            let number = match (plans.len(), answer.complete) {
                (1, true) => String::new(),
                (n, true) => format!("{n} plans, "),
                (n, false) => {
                    format!("{n} plan{}, not all: cut short, ", if n == 1 { "" } else { "s" })
                }
            };
            let stages: Vec<String> = answer
                .stages
                .iter()
                .map(|stage| format!("{} {}", stage.name, stage.length))
                .collect();
            let length = match stages.is_empty() {
                true => length,
                false => format!("{length}: {}", stages.join(", ")),
            };
            let gap = if first.is_none_or(Vec::is_empty) { "" } else { "  " };
            format!("{}{gap}({number}{length}, {proof}; {effort})", plans.join("\n"))
        }
        Ending::Unsolvable => format!("no plan exists ({effort})"),
        Ending::LimitReached | Ending::Cancelled => {
            let cancelled = answer.ending == Ending::Cancelled;
            match answer.plans.first() {
                Some(plan) => {
                    let why = if cancelled { "cancelled" } else { "limit reached" };
                    let length = length_of(plan);
                    format!(
                        "{}  ({length}, not proven optimal: {why}; {at_least}; {effort})",
                        plan.join(" ")
                    )
                }
                None if cancelled => format!("cancelled: {at_least}; {effort}"),
                // No search goes higher, whatever the limits are.
                None if least > MOST_COST => {
                    format!("no plan of a cost up to {MOST_COST}: {at_least}; {effort}")
                }
                None => format!("no plan within the limits: {at_least}; {effort}"),
            }
        }
        _ => "refused".to_owned(),
    }
}
