//! Tells the plans of a search for several as soon as they are found: [`PlanStream`].

use crate::puzzle::{Failure, Job};
use search::{Op, Plan, plan};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// The functions that plans of one state go through on their way to [`Job::on_plan`].
pub(crate) struct PlanStream<'a> {
    /// Whether the pruning allows a plan. A two-sided search also finds others.
    pub(crate) accepts: &'a (dyn Fn(&[Op]) -> bool + Sync),
    pub(crate) replay: &'a (dyn Fn(&[Op]) -> Result<(), plan::Invalid> + Sync),
    pub(crate) names: &'a (dyn Fn(&[Op]) -> Vec<String> + Sync),
    pub(crate) cost: &'a (dyn Fn(&[Op]) -> u64 + Sync),
}

/// The plans found so far.
#[derive(Default)]
struct Stream {
    found: HashSet<Plan>,
    /// Plans that are not told yet, because tables are still under a check.
    held: Vec<Plan>,
}

impl PlanStream<'_> {
    /// Whether the caller of a job wants plans as soon as they are found.
    pub(crate) fn is_wanted(job: &Job<'_>) -> bool {
        job.on_plan.is_some() && job.plans > 1
    }

    /// Runs a search with a job whose plans are told.
    pub(crate) fn run(
        &self,
        job: &Job<'_>,
        search: impl FnOnce(&Job<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let stream = Mutex::default();
        let found = |_, plan: &[Op]| self.take(job, &stream, plan);
        search(&Job { found: Some(&found), ..job.clone() })
    }

    /// Tells a plan, unless it was told before. A plan that fails its replay is left to the answer,
    /// which is an error then.
    fn take(&self, job: &Job<'_>, stream: &Mutex<Stream>, plan: &[Op]) {
        let Some(tell) = job.on_plan else { return };
        if !(self.accepts)(plan) || (self.replay)(plan).is_err() {
            return;
        }
        let plan: Plan = plan.iter().copied().collect();
        let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
        if stream.found.len() >= job.plans || !stream.found.insert(plan.clone()) {
            return;
        }
        stream.held.push(plan);
        if job.checks.as_ref().is_none_or(|checks| checks.passed()) {
            // Threads that find plans meanwhile wait here, so plans are told one by one.
            for plan in std::mem::take(&mut stream.held) {
                tell(&(self.names)(&plan), (self.cost)(&plan));
            }
        }
    }
}
