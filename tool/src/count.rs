//! `fewest count`: states or sequences at each depth.

use super::output::Output;
use super::plot::by_depth;
use super::shared_options::Parts;
use super::verbs::Count;
use super::{Error, Exit};
use fewest::search::CancelToken;
use fewest::{Failure, Request};
use serde_json::json;

pub(super) fn run(verb: &Count, cancel: CancelToken) -> Result<Exit, Error> {
    let parts = Parts {
        metric: Some(&verb.metric),
        pruning: Some(&verb.pruning),
        engine: Some(&verb.work.engine),
        ..Parts::default()
    };
    verb.plot.check()?;
    let puzzle = parts.configure(&verb.puzzle)?;
    let mut output = Output::new(verb.work.output.format, "count", "depth count");
    let meter = verb.work.meter();
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
    output.bars(&counts)?;
    let counted = if verb.states { "states" } else { "move sequences" };
    verb.plot.draw(|| by_depth(&puzzle.info().name, counted, &counts))?;
    if !fit {
        return Err(Failure::Limit("the counts of further depths pass 128 bits".to_owned()).into());
    }
    Ok(Exit::Done)
}
