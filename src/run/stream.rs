//! Tells the plans of a search for several as soon as they are found: [`PlanStream`].

use super::{Checks, Run};
use crate::puzzle::{PlanTeller, Result};
use search::{Op, Plan, PlanListener, plan};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// The functions that plans of one state go through on their way to [`Request::on_plan`].
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

impl Run<'_> {
    /// Whether the caller wants plans as soon as they are found.
    pub(crate) fn streams(&self) -> bool {
        self.request.on_plan.is_some() && self.request.plans > 1
    }

    /// Runs a search whose plans are told.
    pub(crate) fn stream(
        &mut self,
        stream: &PlanStream<'_>,
        search: impl FnOnce(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let (Some(tell), most) = (self.request.on_plan, self.request.plans) else {
            return search(self);
        };
        let (told, checks) = (Mutex::default(), self.checks.clone());
        let passed = || checks.as_ref().is_none_or(Checks::passed);
        let listener = |_, plan: &[Op]| stream.take(plan, &told, most, tell, &passed);
        let listener: &PlanListener<'_> = &listener;
        self.part(|run| run.listener = Some(listener), search)
    }
}

impl PlanStream<'_> {
    /// Tells a plan, unless it was told before. A plan that fails its replay is left to the answer,
    /// which is an error then.
    fn take(
        &self,
        plan: &[Op],
        stream: &Mutex<Stream>,
        most: usize,
        tell: &PlanTeller<'_>,
        passed: &dyn Fn() -> bool,
    ) {
        if !(self.accepts)(plan) || (self.replay)(plan).is_err() {
            return;
        }
        let plan: Plan = plan.iter().copied().collect();
        let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
        if stream.found.len() >= most || !stream.found.insert(plan.clone()) {
            return;
        }
        stream.held.push(plan);
        if passed() {
            // Threads that find plans meanwhile wait here, so plans are told one by one.
            for plan in std::mem::take(&mut stream.held) {
                tell(&(self.names)(&plan), (self.cost)(&plan));
            }
        }
    }
}
