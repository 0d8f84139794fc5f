//! `fewest count`: states or sequences at each depth.

use super::bars;
use super::options::Parts;
use super::plot::by_depth;
use super::verbs::Count;
use fewest::search::CancelToken;
use fewest::{Failure, Request};
use fewest_terminal::{Error, Exit, Output};
use serde_json::json;

pub(super) fn run(verb: &Count, cancel: CancelToken) -> Result<Exit, Error> {
    let parts = Parts { pruning: Some(&verb.pruning), ..verb.args.parts() };
    verb.plot.check()?;
    let puzzle = parts.configure(&verb.args.puzzle)?;
    let mut output = Output::new(verb.args.work.output.format, "count", "depth count");
    let meter = verb.args.work.meter();
    let request = Request::default().cancel(cancel).watch(&meter);
    let counting = puzzle.counting().ok_or_else(|| Error::lacks(&*puzzle, "nothing is counted"))?;
    let (mut written, mut fit) = (Ok(()), true);
    let mut counts = Vec::new();
    let mut tell = |depth: usize, count: u128| {
        meter.clear();
        counts.push(count);
        if written.is_ok() {
            written = output
                .line(|| json!({"depth": depth, "count": count}), || format!("{depth} {count}"));
        }
    };
    if verb.states {
        counting.count_states(verb.depth, &request, &mut tell)?;
    } else {
        let counts = counting.count_sequences(verb.depth, &request)?;
        fit = counts.len() > verb.depth;
        counts.into_iter().enumerate().for_each(|(depth, count)| tell(depth, count));
    }
    written?;
    bars::print(&mut output, &counts)?;
    let counted = if verb.states { "states" } else { "move sequences" };
    verb.plot.draw(|| by_depth(&puzzle.info().name, counted, &counts))?;
    if !fit {
        return Err(Failure::Limit("the counts of further depths pass 128 bits".to_owned()).into());
    }
    Ok(Exit::Done)
}
