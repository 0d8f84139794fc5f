//! `bayes`: greedy search by what metrics of a state say about its distance.

use super::{Solver, Task};
use crate::cache::Once;
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use search::bayes::{BayesSettings, Beliefs, Metrics, bayes_greedy};
use search::{Domain, Packed};

/// Metrics, and what their values say.
pub(crate) type BayesModel<S> = (Metrics<S>, Beliefs);

/// Makes [`BayesModel`] within a job.
type Learn<S> = Box<dyn Fn(&Job<'_>) -> Result<BayesModel<S>, Failure> + Send + Sync>;

/// Bayesian greedy search ([`search::bayes`]). It proves nothing.
pub(crate) struct Bayes<D: Domain> {
    settings: BayesSettings,
    learn: Learn<D::State>,
    learned: Once<BayesModel<D::State>>,
}

impl<D: Domain> Bayes<D> {
    /// The solver that searches with these settings, and calls `learn` at its first state.
    pub(crate) fn new(
        settings: BayesSettings,
        learn: impl Fn(&Job<'_>) -> Result<BayesModel<D::State>, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { settings, learn: Box::new(learn), learned: Once::default() }
    }
}

impl<D: Packed> Solver<D> for Bayes<D> {
    fn solve(&self, task: &Task<'_, D>, found: &mut Found) -> Result<(), Failure> {
        let Task { domain, start, job, .. } = *task;
        let stopwatch = Stopwatch::start();
        let learned = self.learned.get_or_make(|| (self.learn)(job));
        found.tables += stopwatch.wall();
        let (metrics, beliefs) = learned?;
        found.heuristic = metrics.names().join("+");
        found.near_only = true;
        found.run(job, &|options| {
            bayes_greedy(domain, metrics, beliefs, start, &self.settings, options)
        });
        Ok(())
    }
}
