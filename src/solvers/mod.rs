//! Ways to solve a state other than the optimal search, a file each. [`SolverChoice`] names them.
//!
//! A [`Solver`] works on a domain, so one implementation serves every puzzle with that domain's
//! traits. A puzzle makes its solver once, when it is configured. What a solver learns at the first
//! state stays for the next.
//!
//! [`SolverChoice`]: crate::SolverChoice

mod bayes;
mod bidirectional;
mod decomposition;
mod macros;
mod perimeter;
mod schroeppel_shamir;
mod staged;

pub(crate) use bayes::{Bayes, BayesModel};
pub(crate) use bidirectional::Bidirectional;
pub(crate) use decomposition::{Decomposition, built};
pub(crate) use macros::Macros;
pub(crate) use perimeter::PerimeterSearch;
pub(crate) use schroeppel_shamir::SchroeppelShamir;
pub(crate) use staged::{NamedStage, StageLine, SubgroupStages, stage_lines};

use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::settings::Settings;
use search::Domain;

/// A way to solve a state other than the optimal search.
pub(crate) trait Solver<D: Domain>: Send + Sync {
    /// Solves a state within the limits of the run, which always limit the bytes of stored states.
    ///
    /// It calls [`Run::reads`]. If it prunes, it calls [`Run::prunes`]. If it goes from subgoal to
    /// subgoal, it calls [`Run::search_stages`] or [`Run::goes_by`]. If it proves nothing, it calls
    /// [`Run::proves_nothing`]: then a plan counts as optimal only if it meets the lower bound.
    ///
    /// # Errors
    /// If a table cannot be made. Limits and cancellations are no error.
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()>;
}

/// A state to solve, and what the solver may use.
pub(crate) struct Task<'a, D: Domain> {
    pub(crate) domain: &'a D,
    pub(crate) start: &'a D::State,
    pub(crate) settings: &'a Settings,
}

impl<D: Domain> Task<'_, D> {
    /// Refuses what only the optimal search can do, else solves the state. Stored states may take
    /// the memory of the settings, unless the request limits their bytes.
    pub(crate) fn solve_by(&self, solver: &dyn Solver<D>, run: &mut Run<'_>) -> Result<()> {
        if run.request.plans > 1 || run.goes_above() {
            return Err(Failure::refused(format_args!(
                "the solver {} finds one plan: expected the solver optimal for several plans, or \
                 for plans of another length",
                self.settings.solver
            )));
        }
        run.solves_by(&self.settings.solver);
        let memory = usize::try_from(self.settings.memory).ok();
        run.with(
            |request| {
                request.limits.bytes = request.limits.bytes.or(memory);
                // A keeper is for the units of the optimal search.
                request.keeper = None;
            },
            |run| solver.solve(self, run),
        )
    }
}
