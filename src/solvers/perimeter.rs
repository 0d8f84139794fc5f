//! `perimeter`: optimal search to the states near the goal, which are known.

use super::{Solver, Task};
use crate::puzzle::Result;
use crate::run::Run;
use crate::settings::PruningChoice;
use search::stored::Perimeter;
use search::{
    Heuristic, InversePruning, Limits, Options, Outcome, Packed, Reversible, ida_star_parallel,
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
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        let Task { domain, start, .. } = *task;
        run.reads(self.name, 0);
        run.prunes(PruningChoice::Inverse.name(0));
        if self.made.get().is_none() {
            let Limits { bytes, time, .. } = run.request.limits;
            let limits = Limits { bytes, time, ..Limits::default() };
            let options =
                Options { limits, cancel: run.request.cancel.clone(), ..Options::default() };
            let goals = std::slice::from_ref(&self.goal);
            let part = bytes.map_or(MOST, |bytes| MOST.min(bytes as u64 / PART));
            let made = run.tables(|_| {
                let heuristic = self.heuristic.clone();
                Ok(Perimeter::within_bytes(domain, goals, heuristic, part, &options))
            })?;
            match made {
                // Another thread may have made the same meanwhile.
                Ok(made) => drop(self.made.set(made)),
                Err(error) => {
                    run.prove(self.heuristic.estimate(domain, start));
                    run.end(Outcome::from(error), false);
                    return Ok(());
                }
            }
        }
        let Some(perimeter) = self.made.get() else { unreachable!("set above") };
        let heuristic = format!("{}, perimeter of {}", self.name, perimeter.radius());
        run.reads(heuristic, perimeter.bytes() as u64);
        run.search_by(&|options| {
            ida_star_parallel(domain, perimeter, &InversePruning, start, options)
        });
        Ok(())
    }
}
