//! `fewest-cluster gods-algorithm`: how many states lie at each distance, by all ranks.

use super::build::{TeamResult, together};
use super::options::{PlaceOptions, ThreadOptions};
use super::progress::Progress;
use clap::Args;
use fewest::search::CancelToken;
use fewest::{Failure, Request, Settings, configure};
use fewest_cluster::{Comm, MpiComm};
use fewest_terminal::{Error, Exit, Output, OutputOptions};
use serde_json::json;

#[derive(Args, Debug)]
pub(super) struct GodsAlgorithm {
    /// The puzzle: 2x2x2, or a definition by its name or path
    puzzle: String,
    /// How many of the farthest states to list, in a form that solve takes
    #[arg(long, value_name = "N", default_value_t = 3)]
    antipodes: usize,
    #[command(flatten)]
    options: PlaceOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

pub(super) fn run(
    verb: &GodsAlgorithm,
    comm: &MpiComm,
    cancel: &CancelToken,
) -> Result<Exit, Error> {
    verb.threads.start(comm)?;
    let first = comm.rank() == 0;
    let settings = verb.options.apply(Settings::default())?;
    let progress = Progress::new(first);
    let mut layers: Vec<u128> = Vec::new();
    let found = together(comm, cancel, |team| {
        let puzzle = configure(&verb.puzzle, &settings)?;
        let request = Request::default().watch(&progress).team(team);
        let counting = puzzle.exhaustive().ok_or_else(|| {
            let name = &puzzle.info().name;
            let expected = "expected 2x2x2, or a definition by name or path";
            Failure::refused(format_args!("no such search for {name}: {expected}"))
        })?;
        counting.count_all(verb.antipodes, &request, &mut |_, count| layers.push(count))
    })?;
    let Some(TeamResult { value: antipodes, messages, bytes }) = found.filter(|_| first) else {
        return Ok(Exit::Done);
    };
    let mut output = Output::new(verb.output.format, "gods-algorithm", "depth count");
    for (depth, count) in layers.iter().enumerate() {
        output.line(|| json!({"depth": depth, "count": count}), || format!("{depth} {count}"))?;
    }
    let (states, diameter) = (layers.iter().sum::<u128>(), layers.len().saturating_sub(1));
    let sum: f64 = (0..).zip(&layers).map(|(at, &count)| f64::from(at) * count as f64).sum();
    let mean = sum / states as f64;
    output.summary(
        || {
            json!({"states": states, "diameter": diameter, "mean": mean, "antipodes": antipodes,
                   "ranks": comm.size(), "messages": messages, "message_bytes": bytes})
        },
        || {
            let line = format!("{states} states, none farther than {diameter}, mean {mean:.6}");
            antipodes.iter().fold(line, |text, state| format!("{text}\nfarthest: {state}"))
        },
    )?;
    Ok(Exit::Done)
}
