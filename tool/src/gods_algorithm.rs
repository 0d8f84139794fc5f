//! `fewest gods-algorithm`: how many states lie at each distance, to the last.

use super::bars;
use super::ctrl_c::at_once;
use super::plot::by_depth;
use super::verbs::GodsAlgorithm;
use fewest::search::CancelToken;
use fewest::{Request, configure, grouped};
use fewest_terminal::{Error, Exit, Output};
use serde_json::json;

pub(super) fn run(verb: &GodsAlgorithm, cancel: CancelToken) -> Result<Exit, Error> {
    verb.plot.check()?;
    let mut settings = verb.args.parts().settings()?;
    settings.disk.clone_from(&verb.disk);
    let puzzle = at_once(|| configure(&verb.args.puzzle, &settings))?;
    let mut output = Output::new(verb.args.work.output.format, "gods-algorithm", "depth count");
    let meter = verb.args.work.meter();
    let request = Request::default().cancel(cancel).watch(&meter);
    let exhaustive = puzzle.exhaustive().ok_or_else(|| {
        let name = &puzzle.info().name;
        let expected = "expected 2x2x2, a definition (a path, or a name that `fewest puzzles` \
                        lists), 3x3x3 with a --goal, or sliding tiles on up to 16 squares whose \
                        boards fit --memory or a folder --disk";
        Error::refused(format_args!("no such search for {name}: {expected}"))
    })?;
    let mut layers: Vec<u128> = Vec::new();
    let mut written = Ok(());
    let mut tell = |depth, count| {
        meter.clear();
        layers.push(count);
        if written.is_ok() {
            written = output
                .line(|| json!({"depth": depth, "count": count}), || format!("{depth} {count}"));
        }
    };
    let antipodes = match &verb.from {
        Some(from) => exhaustive.count_from(from, &request, &mut tell).map(|()| Vec::new()),
        None => exhaustive.count_all(verb.antipodes, &request, &mut tell),
    }?;
    written?;
    bars::print(&mut output, &layers)?;
    let states: u128 = layers.iter().sum();
    let sum: f64 = (0..).zip(&layers).map(|(depth, &count)| f64::from(depth) * count as f64).sum();
    let (mean, diameter) = (sum / states as f64, layers.len() - 1);
    output.summary(
        || json!({"states": states, "diameter": diameter, "mean": mean, "antipodes": antipodes}),
        || {
            let sum =
                format!("{} states, none farther than {diameter}, mean {mean:.6}", grouped(states));
            let farthest = antipodes.iter().map(|state| format!("\nfarthest: {state}"));
            farthest.fold(sum, |text, line| text + &line)
        },
    )?;
    verb.plot.draw(|| by_depth(&puzzle.info().name, "states", &layers))?;
    Ok(meter.exit())
}
