//! `bidirectional`: optimal search from both ends at once, with stored states.

use super::{Solver, Task};
use crate::puzzle::Result;
use crate::run::Run;
use search::stored::{FromStart, bidirectional};
use search::{Group, Heuristic, Packed, Reversible};

/// Makes the bounds on the cost from a start to a state.
type Back<D, S, B> = Box<dyn Fn(&D, &S) -> B + Send + Sync>;

/// Near-optimal bidirectional search ([`bidirectional`]). Its plans are proven optimal.
///
/// It stores the states of both ends in the memory of the settings.
pub(crate) struct Bidirectional<D: Packed, F, B> {
    /// The goal, where the back starts.
    pub(crate) goal: D::State,
    /// Name of the heuristic.
    pub(crate) name: &'static str,
    /// Bounds the cost from a state to the goal.
    pub(crate) front: F,
    pub(crate) back: Back<D, D::State, B>,
}

impl<D, H> Bidirectional<D, H, FromStart<H, D::State>>
where
    D: Group + Packed,
    H: Clone + Send + Sync + 'static,
{
    /// The solver of a group. `heuristic` bounds the cost from a state to the identity.
    pub(crate) fn of_group(domain: &D, name: &'static str, heuristic: H) -> Self {
        let (goal, front) = (domain.identity(), heuristic.clone());
        let back = Box::new(move |_: &D, start: &D::State| FromStart {
            heuristic: heuristic.clone(),
            start: start.clone(),
        });
        Self { goal, name, front, back }
    }
}

impl<D, F, B> Solver<D> for Bidirectional<D, F, B>
where
    D: Reversible + Packed<State: Send + Sync>,
    F: Heuristic<D> + Send + Sync,
    B: Heuristic<D>,
{
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        let Task { domain, start, .. } = *task;
        let back = (self.back)(domain, start);
        run.reads(self.name, 0);
        run.search_by(&|options| {
            bidirectional(domain, &self.front, &back, start, &self.goal, options)
        });
        Ok(())
    }
}
