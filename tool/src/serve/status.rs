//! What is known of a job while it runs: [`Status`].

use crate::progress::expected;
use fewest::Event;
use fewest::search::{Cost, Iteration};
use fewest_terminal::event_text;
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Least time between two reports of nodes.
const INTERVAL: Duration = Duration::from_millis(100);

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Phase {
    /// It waits for a thread.
    #[default]
    Queued,
    /// Work comes before tables and searches, such as learning forbidden strings.
    Preparing,
    /// A table is built.
    Building,
    /// It searches or counts.
    Searching,
    /// It has what was asked for, or it is proven that there is no plan.
    Done,
    /// It was stopped, or a limit was reached. What is proven by then is told.
    Stopped,
    /// It was refused, or a table is damaged.
    Failed,
}

impl Phase {
    /// Whether nothing more will happen.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Stopped | Self::Failed)
    }
}

/// The lower bound and the best plan's cost from a moment on.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Bounds {
    /// Seconds since the job began.
    seconds: f64,
    lower: Cost,
    /// `None` if no plan is known.
    upper: Option<u64>,
}

/// The number of states at a distance.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Layer {
    pub(super) depth: usize,
    pub(super) count: u128,
}

/// What is known of a job. Everything a page shows comes from its last status.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Status {
    pub(super) job: u64,
    pub(super) kind: &'static str,
    pub(super) phase: Phase,
    /// What is being prepared, or the table that is being built.
    pub(super) activity: Option<String>,
    /// The finished part of the table, from 0 to 1.
    pub(super) fraction: Option<f64>,
    /// Whether some moves of the puzzle cost other than 1, so that a cost is no number of moves.
    pub(super) has_costs: bool,
    /// The proven lower bound: no plan costs less.
    pub(super) lower_bound: Cost,
    /// The cost of the best known plan.
    pub(super) upper_bound: Option<u64>,
    pub(super) plan: Option<Vec<String>>,
    /// How both bounds moved.
    pub(super) bounds: Vec<Bounds>,
    /// The bound of the running iteration.
    pub(super) bound: Option<Cost>,
    pub(super) generated: u64,
    pub(super) nodes_per_second: Option<f64>,
    /// Predicted seconds until the running iteration ends.
    pub(super) bound_seconds: Option<f64>,
    /// Predicted seconds until the lower bound meets the best known plan.
    pub(super) remaining_seconds: Option<f64>,
    /// Seconds since the job began.
    pub(super) seconds: f64,
    pub(super) iterations: Vec<Iteration>,
    /// The layers of a count.
    pub(super) layers: Vec<Layer>,
    /// Remarks, such as that a table could not be saved.
    pub(super) notes: Vec<String>,
    #[serde(skip)]
    last: Sample,
    /// What `fewest` prints for this work: also that it was refused, and why.
    pub(super) answer: Option<Value>,
}

impl Status {
    pub(super) fn new(job: u64, kind: &'static str) -> Self {
        Self { job, kind, ..Self::default() }
    }

    /// Begins another part of the work.
    pub(super) fn enter(&mut self, phase: Phase, activity: Option<&str>) {
        self.phase = phase;
        self.activity = activity.map(str::to_owned);
        self.fraction = None;
        if phase != Phase::Searching {
            (self.bound_seconds, self.remaining_seconds) = (None, None);
        }
    }

    /// Notes bounds. Both only ever get closer.
    pub(super) fn narrow(&mut self, lower: Cost, upper: Option<u64>) {
        let lower = self.lower_bound.max(lower);
        let upper = self.upper_bound.into_iter().chain(upper).min();
        if (lower, upper) == (self.lower_bound, self.upper_bound) {
            return;
        }
        (self.lower_bound, self.upper_bound) = (lower, upper);
        self.bounds.push(Bounds { seconds: self.seconds, lower, upper });
    }

    /// Whether an event is to be noted now: nodes at most once in each [`INTERVAL`].
    pub(super) fn is_due(&self, event: &Event<'_>) -> bool {
        !matches!(event, Event::Search { .. }) || self.last.at.elapsed() >= INTERVAL
    }

    /// Notes an event.
    pub(super) fn take(&mut self, event: &Event<'_>) {
        match *event {
            Event::Search {
                bound,
                generated,
                generated_in_iteration,
                lower_bound,
                upper_bound,
                ..
            } => {
                self.rate(generated);
                self.bound = Some(bound);
                self.narrow(lower_bound, upper_bound.map(u64::from));
                self.predict(generated_in_iteration);
            }
            Event::Iteration { iteration } => self.iterations.push(iteration),
            Event::Improved { cost } => self.narrow(0, Some(cost.into())),
            Event::Layer { seen, total, .. } => {
                self.fraction = Some(seen as f64 / total.max(1) as f64);
            }
            Event::NotKept { .. } | Event::NotSaved { .. } => self.notes.extend(event_text(event)),
            Event::Preparing { what } => self.enter(Phase::Preparing, Some(what)),
            Event::Building { table, .. } => self.enter(Phase::Building, Some(table)),
            Event::Waiting { table } => {
                let activity = format!("{table}, which another process builds");
                self.enter(Phase::Building, Some(&activity));
            }
            Event::Ready { .. } => {
                self.last.at = Instant::now();
                self.enter(Phase::Searching, None);
            }
            Event::Plan { plan, lower_bound, upper_bound, .. } => {
                if self.upper_bound.is_none_or(|known| upper_bound < known) {
                    self.plan = Some(plan.to_vec());
                }
                self.narrow(lower_bound, Some(upper_bound));
            }
            _ => {}
        }
    }

    /// Notes the nodes of a search, and their rate since the last report.
    fn rate(&mut self, generated: u64) {
        self.enter(Phase::Searching, None);
        self.generated = generated;
        let seconds = self.last.at.elapsed().as_secs_f64();
        // Another search of the same job counts anew.
        if let Some(nodes) = generated.checked_sub(self.last.generated) {
            let rate = nodes as f64 / seconds.max(f64::MIN_POSITIVE);
            let smooth = |before: f64| 0.7 * before + 0.3 * rate;
            self.nodes_per_second = Some(self.nodes_per_second.map_or(rate, smooth));
        }
        self.last = Sample { at: Instant::now(), generated };
    }

    /// Predicts times from the nodes of the last iterations.
    fn predict(&mut self, in_iteration: u64) {
        (self.bound_seconds, self.remaining_seconds) = (None, None);
        let (Some(rate), Some(bound)) = (self.nodes_per_second, self.bound) else { return };
        let [.., before, last] = &self.iterations[..] else { return };
        let nodes = |bound| expected(&self.iterations, bound);
        let Some(whole) = nodes(bound) else { return };
        let left = (whole - in_iteration as f64).max(0.0);
        let seconds = |nodes: f64| Some(nodes / rate).filter(|seconds| seconds.is_finite());
        self.bound_seconds = seconds(left);
        if let Some(upper) = self.upper_bound {
            let step = usize::from(last.bound.saturating_sub(before.bound).max(1));
            let bounds = usize::from(bound)..usize::try_from(upper).unwrap_or(usize::MAX);
            let later = bounds.step_by(step).skip(1).filter_map(|bound| Cost::try_from(bound).ok());
            self.remaining_seconds = seconds(left + later.filter_map(nodes).sum::<f64>());
        }
    }
}

/// The moment and the nodes of the last report.
#[derive(Clone, Debug)]
struct Sample {
    at: Instant,
    generated: u64,
}

impl Default for Sample {
    fn default() -> Self {
        Self { at: Instant::now(), generated: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some moves may cost more than 1, so the length of a plan is no bound on the cost.
    #[test]
    fn a_plan_bounds_the_cost_by_its_own_cost() {
        let mut status = Status::new(1, "search");
        let (long, short) = (["U"; 4].map(str::to_owned), ["R2"; 3].map(str::to_owned));
        status.take(&Event::plan(&long, 4, 2));
        status.take(&Event::plan(&short, 6, 3));
        assert_eq!((status.lower_bound, status.upper_bound), (3, Some(4)));
        assert_eq!(status.plan.as_deref(), Some(&long[..]));
    }
}
