//! `fewest gods-algorithm`: how many states lie at each distance, to the last.

use super::bars;
use super::ctrl_c::at_once;
use super::files::write_whole_by;
use super::plot::by_depth;
use super::verbs::GodsAlgorithm;
use fewest::proofs::plain::StateNumbers;
use fewest::search::CancelToken;
use fewest::{Exhaustive, Failure, Request, configure, grouped};
use fewest_terminal::{Error, Exit, Output, note};
use serde_json::json;
use std::fmt::Display;
use std::path::Path;

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
    let certificate = verb.certificate.as_deref();
    let certificate = certificate.map(|path| Certificate::begin(path, exhaustive, &request));
    let certificate = certificate.transpose()?;
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
    if let Some(certificate) = certificate {
        let info = puzzle.info();
        let metric = info.metric.map(|metric| format!("metric {metric}"));
        let about = [format!("puzzle {}", info.name)].into_iter().chain(metric).collect();
        let written = certificate.write(about, &layers, &request);
        meter.clear();
        note(written?);
    }
    verb.plot.draw(|| by_depth(&puzzle.info().name, "states", &layers))?;
    Ok(meter.exit())
}

/// A file to write once all states are counted.
struct Certificate<'a> {
    path: &'a Path,
    exhaustive: &'a dyn Exhaustive,
    numbers: StateNumbers,
}

impl<'a> Certificate<'a> {
    /// Prepares the file.
    ///
    /// # Errors
    /// If it exists, the puzzle has no such files, or the memory does not suffice.
    fn begin(
        path: &'a Path,
        exhaustive: &'a dyn Exhaustive,
        request: &Request<'_>,
    ) -> Result<Self, Error> {
        if path.exists() {
            let told = path.display();
            return Err(Error::refused(format_args!("--certificate {told}: the file exists")));
        }
        Ok(Self { path, exhaustive, numbers: exhaustive.numbers(request)? })
    }

    /// Writes the distance of every state. They are found anew, so the counts must be those of the
    /// verb. Returns a line for people.
    fn write(
        self,
        about: Vec<String>,
        layers: &[u128],
        request: &Request<'_>,
    ) -> Result<String, Error> {
        let (told, cancel) = (self.path.display(), &request.cancel);
        let wrong = |exit, why: &dyn Display| Error {
            exit,
            ..Error::refused(format_args!("--certificate {told}: {why}"))
        };
        let found = self.exhaustive.distances(self.numbers, request)?;
        if !found.counts().iter().copied().map(u128::from).eq(layers.iter().copied()) {
            let counts = format!("found {:?} states, expected those above", found.counts());
            return Err(wrong(Exit::Defect, &counts));
        }
        match write_whole_by(self.path, &mut |out| found.write(&about, out, cancel)) {
            Err(_) if cancel.is_cancelled() => Err(Failure::Cancelled.into()),
            Err(error) => Err(wrong(Exit::Table, &error)),
            Ok(()) => Ok(format!(
                "Certificate: {told}, a byte for each of {} numbers. `fewest-check {told}` checks \
                 it.",
                grouped(found.entries())
            )),
        }
    }
}
