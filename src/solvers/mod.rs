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

use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::settings::{PruningChoice, Settings};
use search::{Domain, Limits};

/// A way to solve a state other than the optimal search.
pub(crate) trait Solver<D: Domain>: Send + Sync {
    /// Solves a state within the limits of the job, and collects the results in `found`. The job
    /// always limits the bytes of stored states.
    ///
    /// It sets [`Found::heuristic`]. If it prunes, it sets [`Found::pruning`]. If it goes from
    /// subgoal to subgoal, it sets [`Found::stages`]. If it proves nothing, it sets
    /// [`Found::near_only`]: then a plan counts as optimal only if it meets the lower bound.
    ///
    /// # Errors
    /// If a table cannot be made. Limits and cancellations are no error.
    fn solve(&self, task: &Task<'_, D>, found: &mut Found) -> Result<(), Failure>;
}

/// A state to solve, and what the solver may use.
pub(crate) struct Task<'a, D: Domain> {
    pub(crate) domain: &'a D,
    pub(crate) start: &'a D::State,
    pub(crate) settings: &'a Settings,
    pub(crate) job: &'a Job<'a>,
}

impl<D: Domain> Task<'_, D> {
    /// Refuses what only the optimal search can do, else solves the state. Stored states may take
    /// the memory of the settings, unless the job limits their bytes.
    pub(crate) fn solve_by(
        &self,
        solver: &dyn Solver<D>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        if self.job.plans > 1 || self.job.goes_above() {
            return Err(Failure::refused(format_args!(
                "the solver {} finds one plan: expected the solver optimal for several plans, or \
                 for plans of another length",
                self.settings.solver
            )));
        }
        found.solver = self.settings.solver.clone();
        found.pruning = Some(PruningChoice::None.name(0));
        let bytes = self.job.limits.bytes.or(usize::try_from(self.settings.memory).ok());
        let limits = Limits { bytes, ..self.job.limits.clone() };
        // A keeper is for the units of the optimal search.
        let job = &Job { keeper: None, limits, ..self.job.clone() };
        solver.solve(&Task { job, ..*self }, found)
    }
}
