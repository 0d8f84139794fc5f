//! `perimeter`: optimal search to the states near the goal, which are known.

use super::{Solver, Task};
use crate::puzzle::Failure;
use crate::runs::Found;
use crate::settings::PruningChoice;
use crate::timing::Stopwatch;
use search::{
    Heuristic, InversePruning, Limits, Options, Outcome, Packed, Perimeter, Reversible,
    ida_star_parallel,
};
use std::sync::OnceLock;

/// The sets of the perimeter take at most this part of the memory. The search that makes them needs
/// the rest.
const PART: u64 = 32;
/// Most bytes of the sets: about a second of work.
const MOST: u64 = 12 << 20;

/// IDA* with a [`Perimeter`] around the goal. Its plans are proven optimal.
///
/// The radius is the greatest that fits. The perimeter is made at the first state.
pub(crate) struct PerimeterSearch<D: Packed, H> {
    goal: D::State,
    /// Name of the heuristic.
    name: &'static str,
    heuristic: H,
    made: OnceLock<Perimeter<H>>,
}

impl<D: Packed, H> PerimeterSearch<D, H> {
    /// `heuristic` bounds the cost to `goal`, the only goal.
    pub(crate) fn new(goal: D::State, name: &'static str, heuristic: H) -> Self {
        Self { goal, name, heuristic, made: OnceLock::new() }
    }
}

impl<D, H> Solver<D> for PerimeterSearch<D, H>
where
    D: Reversible + Packed<State: Send + Sync>,
    H: Heuristic<D> + Clone + Send + Sync,
{
    fn solve(&self, task: &Task<'_, D>, found: &mut Found) -> Result<(), Failure> {
        let Task { domain, start, job, .. } = *task;
        (found.heuristic, found.pruning) =
            (self.name.to_owned(), Some(PruningChoice::Inverse.name(0)));
        if self.made.get().is_none() {
            let Limits { bytes, time, .. } = job.limits;
            let limits = Limits { bytes, time, ..Limits::default() };
            let options = Options { limits, cancel: job.cancel.clone(), ..Options::default() };
            let goals = std::slice::from_ref(&self.goal);
            let part = bytes.map_or(MOST, |bytes| MOST.min(bytes as u64 / PART));
            let stopwatch = Stopwatch::start();
            let made =
                Perimeter::within_bytes(domain, goals, self.heuristic.clone(), part, &options);
            found.tables += stopwatch.wall();
            match made {
                // Another thread may have made the same meanwhile.
                Ok(made) => drop(self.made.set(made)),
                Err(error) => {
                    found.lower_bound = self.heuristic.estimate(domain, start);
                    found.outcome = Some(Outcome::from(error));
                    return Ok(());
                }
            }
        }
        let Some(perimeter) = self.made.get() else { unreachable!("set above") };
        found.heuristic = format!("{}, perimeter of {}", self.name, perimeter.radius());
        found.table_bytes = perimeter.bytes() as u64;
        found.run(job, &|options| {
            ida_star_parallel(domain, perimeter, &InversePruning, start, options)
        });
        Ok(())
    }
}
