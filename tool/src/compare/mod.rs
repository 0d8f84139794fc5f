//! `fewest compare`: the same instances with several heuristics or solvers.

mod measure;
mod text;

use super::ctrl_c::{Interrupt, at_once};
use super::input::InputState;
use super::options::Parts;
use super::progress::Meter;
use super::states::all_instances;
use super::verbs::Compare;
use fewest::{
    Aim, Answer, Backlog, Chart, Ending, HeuristicChoice, InvalidInput, PLANNERS, Puzzle, Request,
    SolverChoice, configure,
};
use fewest_terminal::{Error, Exit, Format, Output, note};
use measure::{ByBound, Forecast, Measure, Sums};
use serde_json::{Value, json};

/// Columns of CSV. A row is an iteration, a search (`compare`) or a method (`summary`).
const COLUMNS: &str = "type heuristic solver instance line outcome root_h length lower_bound bound \
    generated expanded complete searched predicted ratio seconds cpu_seconds table_seconds \
    table_bytes instances solved root_h_error length_error generated_error ratio_error \
    seconds_error error";

pub(super) fn run(verb: &Compare, interrupt: &Interrupt) -> Result<Exit, Error> {
    let parts = Parts { pruning: Some(&verb.pruning), ..verb.args.parts() };
    verb.plot.check()?;
    let settings = parts.settings()?;
    // Configures all methods first, so that an error is reported before any search.
    let mut puzzles = Vec::new();
    let methods = methods(verb);
    for method in &methods {
        let settings = settings.clone().heuristic(method.heuristic).solver(match method.aim() {
            Aim::NearOptimal => SolverChoice::Optimal.name(),
            _ => method.solver,
        });
        let puzzle = at_once(|| configure(&verb.args.puzzle, &settings))?;
        method.planner().map_or(Ok(()), |planner| puzzle.info().check_planner(planner))?;
        puzzles.push(puzzle);
    }
    // Standard input can be read only once.
    let instances = match puzzles.first() {
        Some(puzzle) => all_instances(&verb.instances, &**puzzle, verb.count)?,
        None => Vec::new(),
    };
    let mut output = Output::new(verb.args.work.output.format, "compare", COLUMNS);
    output.header()?;
    let mut exit = Exit::Done;
    let only_optimal = methods.iter().all(|method| method.is_optimal());
    let chart = Chart::new("Complete iterations", "bound", "nodes, mean").logarithmic();
    let mut comparison =
        Comparison { verb, instances, interrupt, output, requests: 0, chart, lengths: Vec::new() };
    // A puzzle keeps its tables, so each is dropped after its searches.
    for (method, puzzle) in methods.into_iter().zip(puzzles) {
        exit = exit.max(comparison.method(method, &*puzzle)?);
        if interrupt.cancel.is_cancelled() {
            return Ok(exit.max(Exit::NotSolved));
        }
    }
    let Comparison { chart, lengths, .. } = comparison;
    verb.plot.draw(|| match only_optimal {
        true => chart,
        false => {
            let (names, lengths): (Vec<String>, Vec<f64>) = lengths.into_iter().unzip();
            Chart::new("Plans", "", "moves, mean").named(names).with_heights("moves", lengths)
        }
    })?;
    Ok(exit)
}

/// The search for plans without a proof, by the name that it has among solvers.
const NEAR_OPTIMAL: &str = "near-optimal";

/// What all searches share.
struct Comparison<'a> {
    verb: &'a Compare,
    instances: Vec<InputState>,
    interrupt: &'a Interrupt,
    output: Output,
    /// Number of the searches so far.
    requests: u64,
    /// The nodes of all methods so far, by bound.
    chart: Chart,
    /// The mean length of each method that solved an instance.
    lengths: Vec<(String, f64)>,
}

/// What is compared: a solver with a heuristic.
#[derive(Clone, Copy)]
struct Method<'a> {
    heuristic: &'a str,
    solver: &'a str,
}

impl Method<'_> {
    fn is_optimal(self) -> bool {
        self.solver == SolverChoice::Optimal.name()
    }

    /// What is asked of a puzzle.
    fn aim(self) -> Aim {
        let is_near = self.solver == NEAR_OPTIMAL || self.planner().is_some();
        if is_near { Aim::NearOptimal } else { Aim::OptimalOnly }
    }

    /// The only planner of a search for plans without a proof.
    fn planner(self) -> Option<&'static str> {
        PLANNERS.into_iter().find(|planner| *planner == self.solver)
    }

    /// Its name for people.
    fn name(self) -> String {
        let Self { heuristic, solver } = self;
        match self.is_optimal() {
            true => heuristic.to_owned(),
            false => format!("{solver} ({heuristic})"),
        }
    }

    fn as_json(self) -> Value {
        json!({"heuristic": self.heuristic, "solver": self.solver})
    }
}

/// Each solver with each heuristic.
fn methods(verb: &Compare) -> Vec<Method<'_>> {
    let heuristics: Vec<&str> = match verb.heuristics.is_empty() {
        true => vec![HeuristicChoice::Best.name()],
        false => verb.heuristics.iter().map(String::as_str).collect(),
    };
    let of = |solver| heuristics.iter().map(move |&heuristic| Method { heuristic, solver });
    verb.solvers.iter().flat_map(|solver| of(solver.as_str())).collect()
}

/// A method at work.
struct Trial<'a> {
    method: Method<'a>,
    forecast: Forecast<'a>,
    request: Request<'a>,
    sums: Sums,
    by_bound: ByBound,
}

impl Comparison<'_> {
    /// Solves all instances with one method.
    fn method(&mut self, method: Method<'_>, puzzle: &dyn Puzzle) -> Result<Exit, Error> {
        let meter = &self.verb.args.work.meter();
        let all = std::mem::take(&mut self.instances);
        let backlog = Backlog::new();
        all.iter().for_each(|_| backlog.add());
        let request = self.verb.limits.request().watch(meter).cancel(self.interrupt.cancel.clone());
        let mut request = request.aim(method.aim()).backlog(backlog.clone());
        request.planner = method.planner();
        let predicts = method.is_optimal() && !self.verb.no_predict;
        let (forecast, sums) = (Forecast::new(puzzle, predicts), Sums::default());
        let by_bound = ByBound::default();
        let mut trial = Trial { method, forecast, request, sums, by_bound };
        let mut exit = Exit::Done;
        for given in &all {
            backlog.take();
            self.requests += 1;
            meter.begin(self.requests, given);
            exit = exit.max(self.instance(given, &mut trial, meter)?).max(meter.exit());
            if self.interrupt.cancel.is_cancelled() {
                break;
            }
        }
        self.instances = all;
        if method.is_optimal() {
            let chart = std::mem::take(&mut self.chart);
            self.chart = trial.by_bound.draw(chart, &method.name());
        }
        let sums = &trial.sums;
        self.lengths.extend(sums.length.mean().map(|mean| (method.name(), mean)));
        let told = || text::summary(&method.name(), sums);
        self.output.line(|| merged(&method.as_json(), sums.as_json()), told)?;
        Ok(exit)
    }

    /// Searches one instance, with one line whatever happens.
    fn instance(
        &mut self,
        given: &InputState,
        trial: &mut Trial<'_>,
        meter: &Meter,
    ) -> Result<Exit, Error> {
        let answer = match &given.wrong {
            Some(wrong) => Err(InvalidInput::new(wrong).into()),
            None => trial.forecast.puzzle.solve(&given.text, &trial.request),
        };
        trial.sums.instances += 1;
        let method = trial.method;
        let mut key = method.as_json();
        key["instance"] = json!(instance(given));
        if let Some(line) = given.line {
            key["line"] = json!(line);
        }
        let answer = match answer.map_err(Error::from) {
            Ok(answer) => answer,
            Err(error) => {
                meter.clear();
                let what = &error.message;
                let mut with = json!({"outcome": error.ending});
                error.tell(&mut with);
                let told = || format!("{}, {}: {what}", method.name(), instance(given));
                self.output.line(|| merged(&key, with), told)?;
                if error.exit != Exit::Refused {
                    note(format_args!("fewest: {what}"));
                }
                return Ok(error.exit);
            }
        };
        let last = answer.iterations.last().map_or(0, |iteration| iteration.bound);
        trial.forecast.reach(last, &trial.request)?;
        meter.clear();
        let measure = Measure::new(&answer, &trial.forecast, method.is_optimal());
        trial.sums.add(&answer, &measure);
        trial.by_bound.add(&measure);
        if self.output.format == Format::Csv {
            for row in measure.iterations() {
                let mut row = merged(&key, row);
                row["type"] = json!("iteration");
                self.output.line(|| row, String::new)?;
            }
        }
        let (puzzle, state) = (&trial.forecast.puzzle.info().name, &given.text);
        self.output.line(
            || {
                let mut line = merged(&key, as_json(&answer, &measure));
                line["puzzle"] = json!(puzzle);
                line["state"] = json!(state);
                line
            },
            || text::search(&method.name(), &instance(given), &answer, &measure),
        )?;
        let done = answer.ending == Ending::Solved && answer.complete;
        Ok(if done { Exit::Done } else { Exit::NotSolved })
    }
}

/// Its name, or else the number of its line.
fn instance(given: &InputState) -> String {
    let line = || given.line.map(|line| line.to_string());
    given.name.clone().or_else(line).unwrap_or_default()
}

/// The keys of both objects.
fn merged(one: &Value, mut other: Value) -> Value {
    for (key, value) in one.as_object().into_iter().flatten() {
        other[key] = value.clone();
    }
    other
}

fn as_json(answer: &Answer, measure: &Measure) -> Value {
    let mut line = json!(measure);
    let plan = answer.plans.first().filter(|_| answer.ending == Ending::Solved);
    line["outcome"] = json!(answer.ending);
    line["length"] = json!(plan.map(Vec::len));
    line["lower_bound"] = json!(answer.lower_bound);
    line["generated"] = json!(answer.generated());
    line["expanded"] = json!(answer.expanded());
    line["seconds"] = json!(answer.elapsed.as_secs_f64());
    line["cpu_seconds"] = json!(answer.cpu.as_secs_f64());
    line["table_seconds"] = json!(answer.tables.as_secs_f64());
    line["table_bytes"] = json!(answer.table_bytes);
    line["pruning"] = json!(answer.pruning);
    line["threads"] = json!(rayon::current_num_threads());
    line
}
