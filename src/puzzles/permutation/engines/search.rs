//! [`Search`]: the searches of a definition, as an object-safe trait.

use crate::puzzle::{Result, Tell};
use crate::puzzles::configured::AllowedPlans;
use crate::run::Run;
use fsm::Keep;
use permutation::{PuzzleState, SlotContents};
use search::random::Random;
use search::{Domain, Op, OpSet};

/// The searches of a definition, compiled for states of one size.
pub(crate) trait Search: Send + Sync {
    /// Searches for the plans of a state, whose results are those of the run. The kind of search
    /// depends on the rules, the group and the heuristic.
    fn search(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()>;

    /// A function that says whether the pruning that keeps certain plans allows a plan.
    fn filter<'a>(&'a self, keep: Keep, run: &Run<'_>) -> Result<AllowedPlans<'a>>;

    /// The end of a random walk of so many moves from the solved state.
    fn walk(&self, moves: usize, random: &mut Random) -> SlotContents;

    /// Counts the states at each distance up to the first of `limits`. If that is `usize::MAX`,
    /// counts all states one by one. Returns some states of the last layer that has any, at most
    /// the second of `limits`.
    fn count(
        &self,
        limits: (usize, usize),
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>>;
}

/// The end of a random walk of at most `moves` operators. It ends early where none is applicable.
pub(super) fn walk<D: Domain>(
    domain: &D,
    start: D::State,
    moves: usize,
    random: &mut Random,
) -> D::State {
    let mut state = start;
    let mut to = state.clone();
    for _ in 0..moves {
        let ops: Vec<Op> = domain.applicable(&state).members().collect();
        let Some(last) = ops.len().checked_sub(1) else { break };
        let at = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
        domain.apply_into(&state, ops[at], &mut to);
        std::mem::swap(&mut state, &mut to);
    }
    state
}
