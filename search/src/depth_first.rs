//! Depth-first iterative deepening without a heuristic: the baseline that every heuristic must beat.
//!
//! Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27, 1985, section
//! 3. A plain recursion over preallocated states that shares no code with [`ida_star`](crate::ida_star()), whose twin it is: with
//! the [`Zero`](crate::Zero) heuristic both have the same counts. Korf counts the root of each iteration; we do not.
//!
//! Time: the sum over the bounds of the operator strings within them, O(b^d) for a branching factor b and a plan of d
//! operators. Memory: d + 1 states.

use crate::Plan;
use crate::control::{Iteration, Limit, Options, Outcome, Progress, Report};
use crate::domain::{Cost, Domain, OpSet};
use crate::pruning::Pruning;
use std::time::Instant;

/// Expanded nodes between two looks at the limits, less one.
const LOOK: u64 = (1 << 14) - 1;

/// Depth-first searches with a rising bound on the cost. Optimal, with any pruning that keeps its contract.
///
/// Of the options, `plans` is not looked at: one plan is answered.
pub fn depth_first<D: Domain, P: Pruning<D>>(
    domain: &D,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report {
    let mut search = Deepening {
        domain,
        pruning,
        options,
        step: if domain.parity(start).is_some() { 2 } else { 1 },
        bound: options.lower_bound,
        iteration: Counts::default(),
        before: 0,
        path: Plan::new(),
        started: Instant::now(),
    };
    if domain.parity(start).is_some_and(|odd| odd != (search.bound % 2 == 1)) {
        search.bound = search.bound.saturating_add(1);
    }
    let mut report = Report {
        outcome: Outcome::Unsolvable,
        lower_bound: 0,
        optimal: true,
        complete: true,
        iterations: Vec::new(),
        elapsed: search.started.elapsed(),
    };
    report.outcome = if domain.is_goal(start) {
        Outcome::Solved(vec![Plan::new()])
    } else {
        search.deepen(start, &mut report)
    };
    report.complete = matches!(report.outcome, Outcome::Solved(_) | Outcome::Unsolvable);
    report.elapsed = search.started.elapsed();
    report
}

/// Why a recursion ended early.
enum Stop {
    Goal,
    Limit(Limit),
    Cancelled,
}

/// The counts of the running iteration.
#[derive(Default)]
struct Counts {
    generated: u64,
    expanded: u64,
    /// By how much the cheapest cut operator passed the bound.
    over: Option<Cost>,
}

struct Deepening<'a, D, P> {
    domain: &'a D,
    pruning: &'a P,
    options: &'a Options<'a>,
    step: Cost,
    bound: Cost,
    iteration: Counts,
    /// Generated in earlier iterations.
    before: u64,
    /// After a goal: the operators to it, the last one first.
    path: Plan,
    started: Instant,
}

impl<D: Domain, P: Pruning<D>> Deepening<'_, D, P> {
    fn deepen(&mut self, start: &D::State, report: &mut Report) -> Outcome {
        let mut states = vec![start.clone()];
        loop {
            report.lower_bound = self.bound;
            if self.options.limits.bound.is_some_and(|limit| self.bound > limit) {
                return Outcome::LimitReached(Limit::Bound);
            }
            // Costs are at least 1, so no path is longer than the bound.
            states.resize(usize::from(self.bound) + 2, start.clone());
            if let Err(stop) = self.stop() {
                return self.ended(stop);
            }
            let at = self.pruning.start(self.domain, start);
            let result = self.expand(&mut states, at, self.bound);
            let Counts { generated, expanded, over } = std::mem::take(&mut self.iteration);
            let iteration =
                Iteration { bound: self.bound, generated, expanded, complete: result.is_ok() };
            self.before += generated;
            report.iterations.push(iteration);
            self.options.observer.iteration(&iteration);
            match (result, over) {
                (Err(stop), _) => return self.ended(stop),
                (Ok(()), None) => return Outcome::Unsolvable,
                (Ok(()), Some(over)) => match self.bound.checked_add(over.max(self.step)) {
                    Some(bound) => self.bound = bound,
                    None => return Outcome::LimitReached(Limit::Bound),
                },
            }
        }
    }

    fn ended(&mut self, stop: Stop) -> Outcome {
        match stop {
            Stop::Goal => {
                self.path.reverse();
                Outcome::Solved(vec![self.domain.to_plan(&self.path)])
            }
            Stop::Limit(limit) => Outcome::LimitReached(limit),
            Stop::Cancelled => Outcome::Cancelled,
        }
    }

    /// Searches below the first of the states; the others are overwritten.
    fn expand(
        &mut self,
        states: &mut [D::State],
        at: P::State,
        remaining: Cost,
    ) -> Result<(), Stop> {
        if self.iteration.expanded & LOOK == LOOK {
            self.look()?;
        }
        self.iteration.expanded += 1;
        let Some((state, below)) = states.split_first_mut() else { unreachable!("costs are >= 1") };
        let allowed = self.domain.applicable(state).and(self.pruning.allowed(self.domain, at));
        for op in self.domain.restrict(allowed).members() {
            let cost = self.domain.cost(op);
            let Some(remaining) = remaining.checked_sub(cost) else {
                self.cut(cost - remaining);
                continue;
            };
            let at = self.pruning.next(self.domain, at, op);
            if self.pruning.dead_end(self.domain, at, remaining) {
                continue;
            }
            self.domain.apply_into(state, op, &mut below[0]);
            self.iteration.generated += 1;
            let result = if self.domain.is_goal(&below[0]) {
                Err(Stop::Goal)
            } else if remaining == 0 {
                self.cut(self.step);
                Ok(())
            } else {
                self.expand(below, at, remaining)
            };
            if matches!(result, Err(Stop::Goal)) {
                self.path.push(op);
            }
            result?;
        }
        Ok(())
    }

    fn cut(&mut self, over: Cost) {
        self.iteration.over = Some(self.iteration.over.map_or(over, |least| least.min(over)));
    }

    #[cold]
    fn look(&self) -> Result<(), Stop> {
        self.options.observer.progress(&Progress {
            bound: self.bound,
            generated: self.generated(),
            generated_in_iteration: self.iteration.generated,
            lower_bound: self.bound,
            upper_bound: None,
            tasks: (0, 1),
        });
        self.stop()
    }

    /// Generated nodes over all iterations.
    fn generated(&self) -> u64 {
        self.before + self.iteration.generated
    }

    /// Whether to stop.
    fn stop(&self) -> Result<(), Stop> {
        let limits = &self.options.limits;
        if self.options.cancel.is_cancelled() {
            Err(Stop::Cancelled)
        } else if limits.nodes.is_some_and(|nodes| self.generated() >= nodes) {
            Err(Stop::Limit(Limit::Nodes))
        } else if limits.time.is_some_and(|time| self.started.elapsed() >= time) {
            Err(Stop::Limit(Limit::Time))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Limits;
    use crate::testing::Pancake;
    use crate::{Contexts, InversePruning, NoPruning, Zero, ida_star, uniform_cost};

    #[test]
    fn counts_are_those_of_iterative_deepening_with_no_heuristic() {
        let domain = Pancake::new(7);
        let options = Options::default();
        let pruning = InversePruning;
        for pancakes in [[3, 1, 5, 0, 6, 2, 4], [6, 4, 2, 0, 1, 3, 5], [0, 1, 2, 3, 4, 6, 5]] {
            let start = domain.state(&pancakes);
            let twin = ida_star(&domain, &Zero, &pruning, &start, &options);
            let report = depth_first(&domain, &pruning, &start, &options);
            assert_eq!(report.iterations, twin.iterations);
            assert_eq!(report.outcome, twin.outcome);
            assert_eq!(report.lower_bound, twin.lower_bound);
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
