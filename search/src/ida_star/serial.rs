//! The serial driver: one search from the root in operator order. Its counts are the same on every
//! machine.

use super::{ErasedExpander, Expansion, deepen, space};
use crate::Plan;
use crate::control::{BoundResult, LOOK, Options, Outcome, Report, SearchState, Stop};
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Expander, OnePhase, Pause, Problem, Staged};
use crate::pruning::Pruning;

/// Finds a cheapest plan by iterative-deepening A* on one thread.
///
/// Expands nodes strictly in operator order. Stops at the first goal, or after [`Options::plans`]
/// plans if more are wanted. So its counts are those of published programs (Richard Korf, 1985).
/// Optimal if the heuristic is admissible.
pub fn ida_star<D, H, P>(
    domain: &D,
    heuristic: &H,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report
where
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    const { H::CLAIMS.assert_admissible() };
    ida_star_unproven(domain, heuristic, pruning, start, options)
}

/// [`ida_star`] with a heuristic that may be inadmissible: then its report proves nothing.
pub(crate) fn ida_star_unproven<D, H, P>(
    domain: &D,
    heuristic: &H,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report
where
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let space = space(domain, heuristic, pruning, start);
    if const { H::EVALUATION.is_staged() } {
        drive(space, Staged::<D, H, P, 1>::new, start, options)
    } else {
        drive(space, OnePhase::new, start, options)
    }
}

fn drive<'a, M, D, H, P>(
    space: Problem<'a, D, H, P>,
    new: fn(Problem<'a, D, H, P>) -> M,
    start: &D::State,
    options: &Options,
) -> Report
where
    M: Expander<D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    deepen(space, start, options, &mut |root, state| {
        let (expander, nodes) = (new(space), &[root]);
        sweep(&mut ErasedExpander { expander, nodes, domain: space.domain }, state)
    })
}

/// Searches everything below node 0. Checks the limits after about every [`LOOK`] expanded nodes.
fn sweep(search: &mut dyn Expansion, state: &SearchState) -> BoundResult {
    search.load(0);
    let mut plans: Vec<Plan> = Vec::new();
    let mut look_at = LOOK;
    let mut stop: Option<Stop> = None;
    loop {
        match search.run(LOOK) {
            Pause::Exhausted => break,
            Pause::Goal => {
                let plan = search.plan(&[]);
                if state.accept_plan(&plan) {
                    plans.push(plan);
                }
                if plans.len() >= state.options.wanted() {
                    break;
                }
            }
            Pause::Fuel => {}
        }
        let counts = search.counts();
        if counts.expanded >= look_at {
            look_at = counts.expanded + LOOK;
            stop = state.look(counts.generated, (0, 1));
            if stop.is_some() {
                break;
            }
        }
    }
    BoundResult { counts: search.counts(), plans, stop: stop.map(Outcome::from) }
}
