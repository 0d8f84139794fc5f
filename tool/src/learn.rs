//! `fewest learn`: the duplicate-pruning automaton of a puzzle.

use super::files::write_file;
use super::verbs::Learn;
use fewest::search::CancelToken;
use fewest::{Request, grouped};
use fewest_terminal::{Error, Exit, Output};
use serde_json::json;

const COLUMNS: &str = "depth strings states minimized_states branching_factor";

pub(super) fn run(verb: &Learn, cancel: CancelToken) -> Result<Exit, Error> {
    verb.plot.check()?;
    let puzzle = verb.args.parts().configure(&verb.args.puzzle)?;
    let meter = verb.args.work.meter();
    let request = Request::default().cancel(cancel).watch(&meter);
    let learning = puzzle.learning().ok_or_else(|| Error::lacks(&*puzzle, "nothing is learned"))?;
    let drawn = verb.dot.is_some() || verb.plot.plot.is_some();
    let (learned, dot) = learning.learn(usize::from(verb.depth), drawn, &request)?;
    meter.clear();
    if let (Some(path), Some(dot)) = (&verb.dot, &dot) {
        write_file(path, dot)?;
    }
    Output::new(verb.args.work.output.format, "learn", COLUMNS).line(
        || json!(learned),
        || {
            format!(
                "depth {}: {} forbidden strings, {} states, {} minimised, branching factor {:.7}",
                learned.depth,
                grouped(learned.strings as u128),
                grouped(learned.states as u128),
                grouped(learned.minimized_states as u128),
                learned.branching_factor
            )
        },
    )?;
    if let Some(dot) = &dot {
        verb.plot.draw_graph(dot)?;
    }
    Ok(Exit::Done)
}
