//! `fewest solve`: optimal plans, one line a state, in order.

use super::ctrl_c::{Interrupt, at_once};
use super::input::InputState;
use super::progress::Meter;
use super::runs::{Kept, ProofLog};
use super::states::{instances, states};
use super::verbs::Solve;
use fewest::{
    Answer, Ending, InvalidInput, Puzzle, Request, answer_object, answer_text, configure,
    effort_text,
};
use fewest_terminal::{Error, Exit, Format, Output, note};
use serde_json::{Value, json};

/// Columns of CSV, one row a state.
const COLUMNS: &str = "request line name puzzle state outcome length cost lower_bound upper_bound \
    optimal plan plans generated expanded seconds cpu_seconds table_seconds heuristic pruning \
    metric threads table_bytes complete error lengths costs goal solver stages";

pub(super) fn run(verb: &Solve, interrupt: &Interrupt) -> Result<Exit, Error> {
    verb.plans.check()?;
    let settings = verb.parts().settings()?;
    let mut output = Output::new(verb.work.output.format, "solve", COLUMNS);
    let configured = at_once(|| configure(&verb.input.puzzle, &settings));
    let puzzle = match &configured {
        Ok(puzzle) => &**puzzle,
        Err(error) => return Err(Error::from(error.clone()).of_puzzle(&verb.input.puzzle, output)),
    };
    let kept = &verb.journal.kept(verb, &settings, puzzle)?;
    let request = verb.request(&fewest::Quiet, <_>::default()).cancel(interrupt.cancel.clone());
    let log = verb.proof.begin(puzzle, verb.input.state(), &request)?;
    let mut states = match &verb.instances {
        Some(named) => instances(named, puzzle)?,
        None => states(verb.input.state(), verb.file.as_deref(), puzzle)?,
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
                let request = kept.request(verb.request(meter, states.backlog()));
                if given.whole {
                    session.whole(&given, request)?
                } else {
                    session.one(&given, request)?
                }
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
    fn whole(&mut self, file: &InputState, request: Request<'_>) -> Result<Exit, Error> {
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
            let mut request = request.clone();
            request.limits.bound = request.limits.bound.into_iter().chain(state.bound).min();
            if self.verb.plans.slack.is_empty() && state.slack > 0 {
                request.slack = state.slack;
                request.plans = self.verb.plans.count.map_or(usize::MAX, |_| request.plans);
            }
            exit = exit.max(self.one(&state.into(), request)?).max(self.meter.exit());
        }
        Ok(exit)
    }

    /// Answers one state, with one result line whatever happens.
    ///
    /// An error ends the run: the state was the only one, or its line could not be written.
    fn one(&mut self, given: &InputState, request: Request<'_>) -> Result<Exit, Error> {
        self.requests += 1;
        self.meter.begin(self.requests, given);
        let request = request.cancel(self.interrupt.token());
        let result = match &given.wrong {
            Some(wrong) => Err(InvalidInput::new(wrong).into()),
            None => self.puzzle.solve(&given.text, &request),
        };
        self.meter.clear();
        match result {
            Ok(mut answer) => {
                self.kept.check()?;
                // A search up to a small bound proves less than the searches before it.
                answer.lower_bound = answer.lower_bound.max(self.kept.proven());
                let (plural, least) =
                    (self.verb.plans.wants_several() || request.plans > 1, request.min_length);
                let costs = self.puzzle.info().has_costs;
                let goal = self.verb.metric.goal.as_deref();
                self.output.line(
                    || {
                        let info = self.puzzle.info();
                        let mut object = answer_object(info, &given.text, &answer, plural);
                        object["threads"] = json!(rayon::current_num_threads());
                        if let Some(source) = self.verb.journal.source() {
                            object["lower_bound_from"] = json!(source.display().to_string());
                        }
                        numbered(object, self.requests, given, goal)
                    },
                    || {
                        let text = answer_text(&answer, &effort_text(&answer), least, costs);
                        format!("{}{text}", given.place())
                    },
                )?;
                tables_note(&answer, &request).iter().for_each(note);
                let done = answer.ending == Ending::Solved && answer.complete;
                let exit = if done { Exit::Done } else { Exit::NotSolved };
                let log = self.log.map_or(Exit::Done, |log| log.write(&answer, &request));
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
        let goal = self.verb.metric.goal.as_deref();
        let object = json!({"puzzle": info.name, "state": given.text, "metric": info.metric});
        let object = numbered(object, self.requests, given, goal);
        refused(object, given, &error, &mut self.output)
    }
}

/// Writes the result line of a state without an answer. `object`: its keys without the error.
pub(super) fn refused(
    mut object: Value,
    given: &InputState,
    error: &Error,
    output: &mut Output,
) -> Result<Exit, Error> {
    let message = format!("{}{}", given.place(), error.message);
    let told = if error.ending == Ending::Defect { "defect" } else { "refused" };
    object["outcome"] = json!(error.ending);
    error.tell(&mut object);
    object["error"] = json!(message);
    output.line(|| object, || format!("{}{told}: {}", given.place(), error.message))?;
    if error.exit != Exit::Refused {
        note(format_args!("fewest: {}", error.message));
    }
    Ok(error.exit)
}

/// A note that tables took time which the limit of time does not count, if that was a second or
/// more.
fn tables_note(answer: &Answer, request: &Request<'_>) -> Option<String> {
    let seconds = answer.tables.as_secs_f64();
    let limited = request.limits.time.is_some() && answer.ending == Ending::LimitReached;
    (limited && seconds >= 1.0).then(|| {
        format!("Tables took {seconds:.1} s, which --limit-time does not count; --deadline does.")
    })
}

/// Adds to an object the number of its state in this run and the goal that was asked for. Also adds
/// the line and the name of the state, if it has them.
pub(super) fn numbered(
    mut object: Value,
    request: u64,
    given: &InputState,
    goal: Option<&str>,
) -> Value {
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

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::Settings;
    use fewest::search::Limits;
    use std::time::Duration;

    #[test]
    fn slow_tables_are_told_beside_a_limit_of_time() {
        let puzzle = configure("8-puzzle", &Settings::default()).expect("a puzzle");
        let answer = puzzle.solve("0 1 2 3 4 5 6 7 8", &Request::default());
        let mut answer = answer.expect("an answer");
        let request = Request::default()
            .limits(Limits { time: Some(Duration::from_secs(1)), ..Limits::default() });
        answer.tables = Duration::from_secs(2);
        assert_eq!(tables_note(&answer, &request), None);
        answer.ending = Ending::LimitReached;
        let note = tables_note(&answer, &request).expect("a note");
        assert!(note.contains("2.0 s") && note.contains("--deadline"), "{note}");
        assert_eq!(tables_note(&answer, &Request::default()), None);
        answer.tables = Duration::from_millis(999);
        assert_eq!(tables_note(&answer, &request), None);
    }
}
