//! Depth-first iterative deepening without a heuristic: the baseline for every heuristic.
//!
//! A plain recursion over preallocated states. It shares the loop over bounds and the rule of a
//! child with [`ida_star`](crate::ida_star()), but not the expansion. With the
//! [`Zero`](crate::Zero) heuristic both have the same counts, so each is an oracle for the other.
//!
//! Source: Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search",
//! Artificial Intelligence 27, 1985, section 3. Korf counts the root of each iteration; we do not.
//!
//! Time: the sum over the bounds of the operator strings within them, O(b^d) for a branching factor
//! b and a plan of d operators. Memory: d + 1 states.

use crate::Plan;
use crate::control::{
    BoundResult, Counts, Options, Report, SearchState, Start, Stop, deepen_domain, step,
};
use crate::domain::{Cost, Domain, OpSet};
use crate::heuristic::Zero;
use crate::ida_star::expansion::Problem;
use crate::pruning::Pruning;

/// The search checks its limits when the count of expanded nodes has all these bits set: every 2^14
/// nodes.
const LOOK: u64 = (1 << 14) - 1;

/// Searches depth-first with a rising bound on the cost. Optimal with any [`Pruning`] that keeps
/// its contract.
///
/// Returns one plan and ignores [`Options::plans`].
pub fn depth_first<D: Domain, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report {
    let options = &Options { plans: 1, ..options.clone() };
    let step = step(domain, start);
    let mut states = Vec::new();
    let mut first = || if domain.is_goal(start) { Start::Goal } else { Start::Bound(0) };
    deepen_domain(domain, start, &mut first, options, &mut |state| {
        // Costs are at least 1, so no path is longer than the bound.
        states.resize(usize::from(state.bound) + 2, start.clone());
        let (counts, path) = (Counts::ZERO, Plan::new());
        let problem = Problem { domain, heuristic: &Zero, pruning, step };
        let mut search = Deepening { problem, search: state, counts, path };
        let end = search.expand(&mut states, pruning.start(domain, start), state.bound);
        search.path.reverse();
        let (plans, stop) = match end {
            Ok(()) => (Vec::new(), None),
            Err(Halt::Goal) => (vec![domain.to_plan(&search.path)], None),
            Err(Halt::Stop(stop)) => (Vec::new(), Some(stop.into())),
        };
        BoundResult { counts: search.counts, plans, stop }
    })
}

/// Why a recursion ended early.
enum Halt {
    Goal,
    Stop(Stop),
}

struct Deepening<'a, D, P> {
    problem: Problem<'a, D, Zero, P>,
    search: &'a SearchState<'a>,
    counts: Counts,
    /// When a goal is found: the operators from the start to it, the last one first.
    path: Plan,
}

impl<D: Domain, P: Pruning<D>> Deepening<'_, D, P> {
    /// Searches below the first of the states, and overwrites the others. `Err` says why the search
    /// ended early.
    fn expand(
        &mut self,
        states: &mut [D::State],
        at: P::State,
        remaining: Cost,
    ) -> Result<(), Halt> {
        if self.counts.expanded & LOOK == LOOK
            && let Some(stop) = self.search.look(self.counts.generated, (0, 1))
        {
            return Err(Halt::Stop(stop));
        }
        self.counts.expanded += 1;
        let Some((state, below)) = states.split_first_mut() else { unreachable!("costs are >= 1") };
        let domain = self.problem.domain;
        let todo = self.problem.todo(state, at, D::Ops::NONE, &mut self.counts);
        for op in todo.members() {
            let entered = self.problem.enter(at, op, remaining, &mut self.counts);
            let Some((remaining, at)) = entered else { continue };
            domain.apply_into(state, op, &mut below[0]);
            self.counts.generated += 1;
            let result = match self.problem.judge(0, &below[0], remaining, &mut self.counts) {
                None => Ok(()),
                Some(true) => Err(Halt::Goal),
                Some(false) => self.expand(below, at, remaining),
            };
            if matches!(result, Err(Halt::Goal)) {
                self.path.push(op);
            }
            result?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Limit, Limits, Outcome};
    use crate::stored::uniform_cost;
    use crate::testing::Pancake;
    use crate::{Contexts, InversePruning, NoPruning, ida_star};

    #[test]
    fn counts_are_those_of_iterative_deepening_with_no_heuristic() {
        let domain = Pancake::new(7);
        let options = Options::default();
        let pruning = InversePruning;
        for pancakes in [[3, 1, 5, 0, 6, 2, 4], [6, 4, 2, 0, 1, 3, 5], [0, 1, 2, 3, 4, 6, 5]] {
            let start = domain.state(&pancakes);
            let ida = ida_star(&domain, &Zero, &pruning, &start, &options);
            let report = depth_first(&domain, &pruning, &start, &options);
            assert_eq!(report.iterations, ida.iterations);
            assert_eq!(report.outcome, ida.outcome);
            assert_eq!(report.lower_bound, ida.lower_bound);
            assert_eq!(report.lower_bound, uniform_cost(&domain, &start, &options).lower_bound);
            let free = depth_first(&domain, &NoPruning, &start, &options);
            assert_eq!(free.plan().unwrap().len(), report.plan().unwrap().len());
            assert!(free.generated() > report.generated());
        }
    }

    #[test]
    fn complete_iterations_generate_all_strings() {
        let domain = Pancake::new(6);
        let start = domain.state(&[4, 2, 0, 5, 1, 3]);
        let report = depth_first(&domain, &NoPruning, &start, &Options::default());
        let last = report.iterations.len() - 1;
        for (bound, iteration) in report.iterations[..last].iter().enumerate() {
            let strings: u64 = (1..=u32::try_from(bound).unwrap()).map(|i| 5u64.pow(i)).sum();
            assert_eq!((usize::from(iteration.bound), iteration.generated), (bound, strings));
        }
    }

    #[test]
    fn limits_leave_the_proven_bound() {
        let domain = Pancake::new(10);
        let start = domain.state(&[1, 7, 3, 9, 0, 5, 8, 2, 6, 4]);
        let ask = |limits| {
            let options = Options { limits, ..Options::default() };
            depth_first(&domain, &NoPruning, &start, &options)
        };
        let bounded = ask(Limits { bound: Some(4), ..Limits::default() });
        assert_eq!(bounded.outcome, Outcome::LimitReached(Limit::Bound));
        assert_eq!((bounded.lower_bound, bounded.iterations.len()), (5, 5));
        let counted = ask(Limits { nodes: Some(20_000), ..Limits::default() });
        assert_eq!(counted.outcome, Outcome::LimitReached(Limit::Nodes));
        assert_eq!(counted.lower_bound, 6);
        for (nodes, iterations) in [(0, 0), (1, 2), (10, 3)] {
            let between = ask(Limits { nodes: Some(nodes), ..Limits::default() });
            assert_eq!(between.outcome, Outcome::LimitReached(Limit::Nodes));
            assert_eq!(between.iterations, counted.iterations[..iterations]);
        }
        let solved =
            depth_first(&domain, &NoPruning, &domain.representative(0), &Options::default());
        assert_eq!(solved.plan().map(|plan| plan.len()), Some(0));
    }
}
