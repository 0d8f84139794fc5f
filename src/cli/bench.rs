//! `fewest bench`: a fixed list of instances; the total of generated nodes is the signature.

use super::args::Bench;
use super::output::{Output, grouped};
use super::progress::Meter;
use super::{Error, Exit};
use fewest::{Aim, Job, Settings, configure};
use search::{CancelToken, Cost, Limits};
use serde_json::json;

/// One configuration and its states. Only complete iterations count, so the signature is the same for any number of threads.
struct Case {
    puzzle: &'static str,
    /// Of puzzles that have several.
    metric: Option<&'static str>,
    heuristic: &'static str,
    /// Bytes of tables that `best` may take: pins the table.
    memory: u64,
    /// The last bound; no state of the case has a plan within it.
    bound: Cost,
    seed: u64,
    states: usize,
}

const CASES: [Case; 10] = [
    Case {
        puzzle: "3x3x3",
        metric: Some("htm"),
        heuristic: "manhattan",
        memory: 0,
        bound: 9,
        seed: 1,
        states: 3,
    },
    Case {
        puzzle: "3x3x3",
        metric: Some("htm"),
        heuristic: "korf97",
        memory: 1 << 30,
        bound: 13,
        seed: 2,
        states: 5,
    },
    Case {
        puzzle: "3x3x3",
        metric: Some("qtm"),
        heuristic: "korf97",
        memory: 1 << 30,
        bound: 14,
        seed: 3,
        states: 3,
    },
    Case {
        puzzle: "3x3x3",
        metric: Some("htm"),
        heuristic: "best",
        memory: 8 << 20,
        bound: 14,
        seed: 4,
        states: 3,
    },
    Case {
        puzzle: "3x3x3",
        metric: Some("htm"),
        heuristic: "best",
        memory: 64 << 20,
        bound: 15,
        seed: 5,
        states: 3,
    },
    Case {
        puzzle: "15-puzzle",
        metric: None,
        heuristic: "manhattan",
        memory: 0,
        bound: 47,
        seed: 6,
        states: 3,
    },
    Case {
        puzzle: "15-puzzle",
        metric: None,
        heuristic: "korf-taylor",
        memory: 0,
        bound: 50,
        seed: 7,
        states: 3,
    },
    Case {
        puzzle: "15-puzzle",
        metric: None,
        heuristic: "triples",
        memory: 0,
        bound: 47,
        seed: 8,
        states: 3,
    },
    Case {
        puzzle: "15-puzzle",
        metric: None,
        heuristic: "best",
        memory: 16 << 20,
        bound: 50,
        seed: 7,
        states: 3,
    },
    Case {
        puzzle: "24-puzzle",
        metric: None,
        heuristic: "best",
        memory: 64 << 20,
        bound: 82,
        seed: 10,
        states: 4,
    },
];

pub(super) fn run(verb: &Bench, cancel: CancelToken) -> Result<Exit, Error> {
    let mut settings = Settings::default();
    verb.engine.apply(&mut settings)?;
    let mut output = Output::new(verb.output.format);
    let meter = Meter::new(&verb.progress);
    let (mut signature, mut total) = (0_u64, 0.0);
    for case in &CASES {
        settings.metric = case.metric.map(str::to_owned);
        case.heuristic.clone_into(&mut settings.heuristic);
        settings.memory = case.memory;
        let puzzle = configure(case.puzzle, &settings)?;
        // Tables first, so that the ladder of `best` stands on its highest rung and seconds are those of searches alone.
        puzzle.build_tables(&Job { cancel: cancel.clone(), watch: &meter, ..Job::default() })?;
        let (mut generated, mut seconds, mut cpu, mut bytes) = (0, 0.0, 0.0, 0);
        for state in puzzle.scrambles(case.seed).take(case.states) {
            let limits = Limits { bound: Some(case.bound), ..Limits::default() };
            let answer = puzzle.solve(
                &state,
                &Job {
                    limits,
                    cancel: cancel.clone(),
                    watch: &meter,
                    aim: Aim::OptimalOnly,
                    ..Job::default()
                },
            )?;
            if cancel.is_cancelled() {
                meter.clear();
                return Ok(Exit::NotSolved);
            }
            generated +=
                answer.iterations.iter().filter(|i| i.complete).map(|i| i.generated).sum::<u64>();
            seconds += answer.elapsed.as_secs_f64();
            cpu += answer.cpu.as_secs_f64();
            bytes = answer.table_bytes;
        }
        meter.clear();
        let rate = generated as f64 / seconds;
        output.line(
            || json!({"puzzle": case.puzzle, "metric": case.metric, "heuristic": case.heuristic, "bound": case.bound,
                      "states": case.states, "table_bytes": bytes, "generated": generated, "seconds": seconds,
                      "cpu_seconds": cpu, "nodes_per_second": rate}),
            || {
                format!(
                    "{:<9} {:<3} {:<11} bound {:>2}: {:>13} nodes, {:>6.2} s, {:>6.2} million a second",
                    case.puzzle,
                    case.metric.unwrap_or_default(),
                    case.heuristic,
                    case.bound,
                    grouped(generated),
                    seconds,
                    rate / 1e6
                )
            },
        )?;
        signature += generated;
        total += seconds;
    }
    output.line(
        || json!({"signature": signature, "nodes_per_second": signature as f64 / total, "seconds": total}),
        || format!("Nodes: {signature}\n{:.2} million a second, {total:.2} s", signature as f64 / total / 1e6),
    )?;
    Ok(meter.exit())
}
