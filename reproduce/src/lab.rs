//! What every experiment works with ([`Lab`]), and where it puts its results ([`Findings`]).

use super::Row;
use fewest::pdb::layers::ExhaustError;
use fewest::pdb::{BuildError, BuildOptions};
use fewest::search::{Cost, Limits, Options};
use fewest::{
    Answer, Chart, Ending, Event, Events, Failure, InstanceReader, InstanceSet, Puzzle, Request,
    Settings, configure,
};

/// The means of an experiment: limits, cancellation and progress, memory and table files.
#[derive(Clone, Debug)]
pub struct Lab<'a> {
    /// Limits of each search, cancellation and progress.
    pub request: Request<'a>,
    /// Memory, and the folder of the table files. Experiments choose everything else.
    pub settings: Settings,
    /// Turns the progress of searches and builds into events.
    pub(super) events: Events<'a>,
}

impl<'a> Lab<'a> {
    /// The means of an experiment.
    pub fn new(request: Request<'a>, settings: Settings) -> Self {
        let events = Events(request.watch);
        Self { request, settings, events }
    }
}

/// Receives the results of an experiment, as soon as they are known.
pub trait Findings {
    /// A row of the table.
    fn row(&mut self, row: Row);
    /// A figure.
    fn chart(&mut self, _chart: Chart) {}
}

impl Findings for Vec<Row> {
    fn row(&mut self, row: Row) {
        self.push(row);
    }
}

impl<'a> Lab<'a> {
    /// A puzzle. `choose` makes its settings from those of the lab.
    pub(super) fn puzzle(
        &self,
        name: &str,
        choose: impl FnOnce(Settings) -> Settings,
    ) -> Result<Box<dyn Puzzle>, Failure> {
        Ok(configure(name, &choose(self.settings.clone()))?)
    }

    /// An error if the caller cancelled. Loops call it every few milliseconds.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.request.cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
    }

    /// Tells the watcher what comes next.
    ///
    /// # Errors
    /// If the caller cancelled.
    pub(super) fn begin(&self, what: &str) -> Result<(), Failure> {
        self.check()?;
        self.request.watch.event(&Event::Preparing { what });
        Ok(())
    }

    /// The request with one thread, with which all nodes are exact.
    pub(super) fn exact_request(&self) -> Request<'a> {
        self.request.clone().threads(1)
    }

    /// The request up to a bound.
    pub(super) fn request_to(&self, bound: Cost) -> Request<'a> {
        let limits = Limits { bound: Some(bound), ..self.request.limits.clone() };
        self.exact_request().limits(limits)
    }

    /// Options of a breadth-first search.
    pub(super) fn options(&self) -> Options<'_> {
        Options {
            limits: self.request.limits.clone(),
            cancel: self.request.cancel.clone(),
            observer: &self.events,
            ..Options::default()
        }
    }

    /// Options of a table build.
    pub(super) fn build(&self) -> BuildOptions<'_> {
        BuildOptions {
            cancel: Some(&self.request.cancel),
            observer: Some(&self.events),
            checkpoint: None,
            team: None,
        }
    }
}

/// The instances of a set, each as its number in the paper and its state.
pub(super) fn instances(set: &str, puzzle: &dyn Puzzle) -> Result<Vec<(String, String)>, Failure> {
    let lines = InstanceSet::named(set).into_iter().flat_map(InstanceSet::lines);
    let mut reader = InstanceReader::new(puzzle.info());
    let numbered = (1..).zip(lines).map(|(number, line): (usize, _)| {
        let read = reader.read(line)?;
        Ok(match read {
            Some(read) => (read.name.unwrap_or_else(|| number.to_string()), read.state),
            None => (number.to_string(), line.to_owned()),
        })
    });
    numbered.collect()
}

/// The length of an optimal plan. `Err` has how far the search came.
pub(super) fn length(answer: &Answer) -> Result<usize, String> {
    match (&answer.ending, answer.plans.first()) {
        (Ending::Solved, Some(plan)) => Ok(plan.len()),
        _ => Err(format!(
            "the search ended after {} nodes; no plan is shorter than {}",
            answer.generated(),
            answer.lower_bound
        )),
    }
}

/// The rows of numbers in a text; lines that begin with `#` are comments.
pub(super) fn numbers(text: &str) -> Vec<Vec<u64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().flat_map(str::parse).collect()).collect()
}

/// The [`Failure`] of a build.
pub(super) fn build_failure(table: &str) -> impl Fn(BuildError) -> Failure {
    let table = table.to_owned();
    move |error| Failure::Build { table: table.clone(), error }
}

/// The [`Failure`] of counting the entries of an abstraction.
pub(super) fn exhaust_failure(table: &str) -> impl Fn(ExhaustError) -> Failure {
    let of_build = build_failure(table);
    move |error| match error {
        ExhaustError::Build(error) => of_build(error),
        error => Failure::limit(error),
    }
}
