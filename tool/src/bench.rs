//! `fewest bench`: a fixed list of instances; the total of generated nodes is the signature.

use super::progress::Meter;
use super::tables::tables_of;
use super::verbs::Bench;
use fewest::search::{CancelToken, Cost, Limits};
use fewest::{Aim, Chart, MetricChoice, Request, Settings, configure, grouped};
use fewest_terminal::{Error, Exit, Output};
use serde_json::{Value, json};

/// One configuration and its states.
///
/// Only complete iterations count, so the signature is the same for any number of threads.
struct Case {
    puzzle: &'static str,
    /// The metric. `None` for puzzles without a choice of metrics.
    metric: Option<MetricChoice>,
    heuristic: &'static str,
    /// The memory setting in bytes. It decides which tables `best` reads.
    memory: u64,
    /// The last bound that is searched. No state of the case has a plan within it.
    bound: Cost,
    seed: u64,
    states: usize,
}

/// A case of puzzle, metric, heuristic, mebibytes, bound, seed and states.
const fn case(
    puzzle: &'static str,
    metric: Option<MetricChoice>,
    heuristic: &'static str,
    (mebibytes, bound, seed, states): (u64, Cost, u64, usize),
) -> Case {
    Case { puzzle, metric, heuristic, memory: mebibytes << 20, bound, seed, states }
}

const HTM: Option<MetricChoice> = Some(MetricChoice::HalfTurn);
const QTM: Option<MetricChoice> = Some(MetricChoice::QuarterTurn);

const CASES: [Case; 10] = [
    case("3x3x3", HTM, "manhattan", (0, 9, 1, 3)),
    case("3x3x3", HTM, "korf97", (1024, 13, 2, 5)),
    case("3x3x3", QTM, "korf97", (1024, 14, 3, 3)),
    case("3x3x3", HTM, "best", (8, 14, 4, 3)),
    case("3x3x3", HTM, "best", (64, 15, 5, 3)),
    case("15-puzzle", None, "manhattan", (0, 47, 6, 3)),
    case("15-puzzle", None, "korf-taylor", (0, 50, 7, 3)),
    case("15-puzzle", None, "triples", (0, 47, 8, 3)),
    case("15-puzzle", None, "best", (16, 50, 7, 3)),
    case("24-puzzle", None, "best", (64, 82, 10, 4)),
];

/// Totals of the searches of a case, and bytes of its tables.
#[derive(Default)]
struct Work {
    generated: u64,
    seconds: f64,
    cpu: f64,
    bytes: u64,
}

impl Case {
    /// Searches the states; `None` if the caller cancelled.
    fn run(
        &self,
        settings: &Settings,
        cancel: &CancelToken,
        meter: &Meter,
    ) -> Result<Option<Work>, Error> {
        let mut settings = settings.clone().heuristic(self.heuristic).memory(self.memory);
        settings.metric = self.metric;
        let puzzle = configure(self.puzzle, &settings)?;
        let request = Request::default().cancel(cancel.clone()).watch(meter);
        // With all tables built, `best` starts on its highest rung, and seconds are those of
        // searches alone.
        tables_of(&*puzzle)?.build(&request)?;
        let limits = Limits { bound: Some(self.bound), ..Limits::default() };
        let request = request.limits(limits).aim(Aim::OptimalOnly);
        let states = puzzle.scrambler().map(|scrambler| scrambler.scrambles(self.seed));
        let mut work = Work::default();
        for state in states.into_iter().flatten().take(self.states) {
            let answer = puzzle.solve(&state, &request)?;
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let complete = answer.iterations.iter().filter(|iteration| iteration.complete);
            work.generated += complete.map(|iteration| iteration.generated).sum::<u64>();
            work.seconds += answer.elapsed.as_secs_f64();
            work.cpu += answer.cpu.as_secs_f64();
            work.bytes = answer.table_bytes;
        }
        Ok(Some(work))
    }

    /// Puzzle, metric and heuristic.
    fn name(&self) -> String {
        let metric = self.metric.map_or("", MetricChoice::name);
        [self.puzzle, metric, self.heuristic].join(" ").replace("  ", " ")
    }

    fn as_json(&self, work: &Work) -> Value {
        json!({"puzzle": self.puzzle, "metric": self.metric, "heuristic": self.heuristic,
               "bound": self.bound, "states": self.states, "table_bytes": work.bytes,
               "generated": work.generated, "seconds": work.seconds, "cpu_seconds": work.cpu,
               "nodes_per_second": work.generated as f64 / work.seconds})
    }

    fn as_text(&self, work: &Work) -> String {
        format!(
            "{:<9} {:<3} {:<11} bound {:>2}: {:>13} nodes, {:>6.2} s, {:>6.2} million a second",
            self.puzzle,
            self.metric.map_or("", MetricChoice::name),
            self.heuristic,
            self.bound,
            grouped(work.generated),
            work.seconds,
            work.generated as f64 / work.seconds / 1e6
        )
    }
}

const COLUMNS: &str = "puzzle metric heuristic bound states table_bytes generated seconds \
    cpu_seconds nodes_per_second";

pub(super) fn run(verb: &Bench, cancel: &CancelToken) -> Result<Exit, Error> {
    verb.plot.check()?;
    let mut settings = Settings::default();
    verb.work.engine.apply(&mut settings)?;
    let most = CASES.iter().map(|case| case.memory).max().unwrap_or(0);
    if verb.work.engine.memory.is_some_and(|memory| memory < most) {
        let most = most >> 20;
        return Err(Error::refused(format!(
            "the cases take tables of up to {most}MiB: expected --memory {most}MiB or more"
        )));
    }
    let mut output = Output::new(verb.work.output.format, "bench", COLUMNS);
    let meter = verb.work.meter();
    let (mut signature, mut total, mut speeds) = (0_u64, 0.0, Vec::new());
    for case in &CASES {
        let work = case.run(&settings, cancel, &meter)?;
        meter.clear();
        let Some(work) = work else { return Ok(Exit::NotSolved) };
        output.line(|| case.as_json(&work), || case.as_text(&work))?;
        signature += work.generated;
        total += work.seconds;
        speeds.push((case.name(), work.generated as f64 / work.seconds / 1e6));
    }
    let rate = signature as f64 / total;
    output.summary(
        || json!({"signature": signature, "nodes_per_second": rate, "seconds": total}),
        || format!("Nodes: {signature}\n{:.2} million a second, {total:.2} s", rate / 1e6),
    )?;
    verb.plot.draw(|| {
        let (names, speeds): (Vec<String>, Vec<f64>) = speeds.into_iter().unzip();
        let nodes = "million nodes a second";
        Chart::new("Searches of the bench", "", nodes).named(names).with_heights(nodes, speeds)
    })?;
    Ok(meter.exit())
}
