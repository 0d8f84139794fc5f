//! `bayes`: greedy search by what metrics of a state say about its distance.

use super::{Solver, Task};
use crate::cache::Once;
use crate::puzzle::Result;
use crate::run::Run;
use search::bayes::{BayesSettings, Beliefs, Metrics, bayes_greedy};
use search::{Domain, Packed};

/// Metrics, and what their values say.
pub(crate) type BayesModel<S> = (Metrics<S>, Beliefs);

/// Makes [`BayesModel`] within a run.
type Learn<S> = Box<dyn Fn(&Run<'_>) -> Result<BayesModel<S>> + Send + Sync>;

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
        learn: impl Fn(&Run<'_>) -> Result<BayesModel<D::State>> + Send + Sync + 'static,
    ) -> Self {
        Self { settings, learn: Box::new(learn), learned: Once::default() }
    }
}

impl<D: Packed> Solver<D> for Bayes<D> {
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        let Task { domain, start, .. } = *task;
        let learn = |run: &Run<'_>| self.learned.get_or_make(run, || (self.learn)(run));
        let (metrics, beliefs) = run.tables(learn)?;
        run.reads(metrics.names().join("+"), 0);
        run.proves_nothing();
        run.search_by(&|options| {
            bayes_greedy(domain, metrics, beliefs, start, &self.settings, options)
        });
        Ok(())
    }
}
