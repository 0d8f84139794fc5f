//! Bidirectional heuristic search from a start and a goal at once, with a proven lower bound.
//!
//! The front searches from the start, the back from the goal. Each stores its own states. `g` is
//! the least known cost between its end and a state, `h` a lower bound on the cost between the
//! state and the other end, and `f = g + h`. A state is *open* until it is expanded. A *pair* is an
//! open state `u` of the front and an open state `v` of the back. A plan through both costs at
//! least `lb(u, v) = max(f(u), f(v), g(u) + g(v) + epsilon)`, where `epsilon` is the least cost of
//! an operator. The search expands both states of a pair with the least `lb`. This least `lb` is
//! the proven lower bound: a plan that is cheaper than all known ones passes some pair. When no
//! pair is below the cost of the best known plan, this plan is optimal.
//!
//! **Invariant.** Take a cheapest plan. From its start, take the first state that the front has not
//! expanded at the least `g`, and from its end the first such state of the back. These two are an
//! open pair as above, unless the sides have met on this plan: then its cost is known. States are
//! opened again when they are reached more cheaply, so this needs no consistent heuristic.
//!
//! Each side keeps its open states in two queues. Those with an `f` above the lower bound wait, by
//! `f`. The others are ready, by `g`. So the next pair is on top of the two ready queues, or the
//! lower bound rises.
//!
//! Source: Jingwei Chen, Robert Holte, Sandra Zilles and Nathan Sturtevant, "Front-to-end
//! bidirectional heuristic search with near-optimal node expansions", IJCAI 2017. They prove: if
//! both heuristics are consistent, the pairs below the least cost take at most twice the expansions
//! that any admissible search needs that knows no more than these bounds.
//!
//! The search is deterministic. It takes the state with the least `h` of those with equal `g`, and
//! of these the one that got ready last.

mod from_start;
mod search_end;
mod side;
#[cfg(test)]
mod tests;

pub use from_start::FromStart;

use crate::Plan;
use crate::control::{Limit, Options, Outcome, Report, raise_to_parity};
use crate::domain::{Cost, MAX_COST, OpSet, Packed, Reversible};
use crate::heuristic::Heuristic;
use crate::stored::best_first_state::{BestFirstState, Halt, replay};
use crate::stored::store::Full;
use search_end::{EndDirection, Meeting, SearchEnd};

/// Near-optimal bidirectional search (NBS): finds a cheapest plan from `start` to `goal`. Optimal
/// if both heuristics are admissible.
///
/// `front` bounds the cost from a state to `goal`, as in other searches. `back` bounds the cost
/// from `start` to a state. In a group, [`FromStart`] makes such a heuristic from one for the
/// identity. Without a heuristic, take [`Zero`](crate::Zero) for a side; with `Zero` for both, this
/// is bidirectional uniform-cost search. The back takes a step from a state `t` by an operator that
/// applies to `t`. The plan takes the step the other way, by its inverse. `back` is called with the
/// operator that applies to `t`.
///
/// The plan leads to `goal`, even if the domain has other goals. For a [`Group`](crate::Group), the
/// goal is its identity. If the start is the goal, the empty plan is found, whatever the limits.
///
/// [`Report::lower_bound`] is proven however the search ends. If a limit or the caller ends it when
/// it knows a plan, the outcome is [`Outcome::Solved`], and [`Report::optimal`] and
/// [`Report::complete`] are false. See [`a_star`](crate::stored::a_star) for the other options, and
/// for time and memory: each side needs them for its own states.
///
/// ```
/// use fewest_search::testing::{GapHeuristic, Pancake};
/// use fewest_search::{Group, Options};
/// use fewest_search::stored::{FromStart, bidirectional};
///
/// let domain = Pancake::new(8);
/// let start = domain.state(&[3, 6, 0, 5, 1, 7, 4, 2]);
/// let back = FromStart { heuristic: GapHeuristic, start };
/// let goal = domain.identity();
/// let options = Options::default();
/// let report = bidirectional(&domain, &GapHeuristic, &back, &start, &goal, &options);
/// assert!(report.optimal && report.plan().is_some());
/// ```
///
/// # Panics
/// If `goal` is not a goal of the domain, or the domain breaks a law
/// ([`a_star`](crate::stored::a_star)).
pub fn bidirectional<D: Reversible + Packed, F: Heuristic<D>, B: Heuristic<D>>(
    domain: &D,
    front: &F,
    back: &B,
    start: &D::State,
    goal: &D::State,
    options: &Options,
) -> Report {
    const { F::CLAIMS.and(B::CLAIMS).assert_admissible() };
    // Plans of a two-sided domain lead to its own goal only, and so does the parity.
    assert!(domain.is_goal(goal), "the state is no goal of the domain");
    let ops = D::Ops::first(domain.operators());
    let search = Bidirectional {
        domain,
        front: SearchEnd::new(domain, front, EndDirection::Forward, start),
        back: SearchEnd::new(domain, back, EndDirection::Backward, goal),
        epsilon: ops.members().map(|op| domain.cost(op)).min().unwrap_or(1),
        exhausted: false,
        run: BestFirstState::new(options, 0, MAX_COST),
    };
    search.run(start, goal)
}

struct Bidirectional<'a, D: Packed, F, B> {
    domain: &'a D,
    front: SearchEnd<'a, D, F>,
    back: SearchEnd<'a, D, B>,
    /// The least cost of an operator.
    epsilon: Cost,
    /// Whether an end has no open state left, and none was cut.
    exhausted: bool,
    run: BestFirstState<'a>,
}

impl<D: Reversible + Packed, F: Heuristic<D>, B: Heuristic<D>> Bidirectional<'_, D, F, B> {
    fn run(mut self, start: &D::State, goal: &D::State) -> Report {
        if self.domain.pack(start) == self.domain.pack(goal) {
            self.run.lower_bound = 0;
            return self.run.report(Outcome::Solved(vec![Plan::new()]), Some(0));
        }
        let Some(most) = self.run.most else {
            return self.run.report(Outcome::LimitReached(Limit::Bound), None);
        };
        let mut meeting = Meeting::new(most);
        let end = self.search(start, &mut meeting);
        let Some((front, back)) = meeting.states() else {
            let outcome = match (end, meeting.cut()) {
                (Ok(()), None) if self.exhausted => Outcome::Unsolvable,
                (Ok(()), cut) => {
                    // The ends may have met on plans that are too costly: these left no open pair.
                    let bound = if self.exhausted { Cost::MAX } else { self.run.lower_bound };
                    self.run.lower_bound = cut.map_or(bound, |cut| cut.min(bound));
                    Outcome::LimitReached(Limit::Bound)
                }
                (Err(halt), _) => halt.into(),
            };
            return self.run.report(outcome, None);
        };
        let mut path: Plan = self.front.side.reached.steps_back(front).collect();
        path.reverse();
        path.extend(self.back.side.reached.steps_back(back));
        let goal = self.domain.pack(goal);
        replay(self.domain, start, &path, |state| self.domain.pack(state) == goal);
        let cost: u16 = path.iter().map(|&op| u16::from(self.domain.cost(op))).sum();
        let cost = Cost::try_from(cost).unwrap_or(Cost::MAX);
        // Until the plan was known, no plan was proven to cost more. After that, the bound may rise
        // above its cost, because no pair is left.
        self.run.lower_bound = match meeting.proven() {
            proven if cost < proven => proven,
            _ if end.is_ok() => cost,
            _ => self.run.lower_bound.min(cost),
        };
        let plans = vec![self.domain.to_plan(&path)];
        let mut report = self.run.report(Outcome::Solved(plans), Some(cost));
        report.complete = report.optimal;
        report
    }

    /// Expands pairs until no plan can be cheaper than the best known one and cheap enough.
    fn search(&mut self, start: &D::State, meeting: &mut Meeting) -> Result<(), Halt> {
        self.front.open_first(&self.run.budget)?;
        self.back.open_first(&self.run.budget)?;
        while self.prepare(start, meeting)? {
            if self.run.is_due() {
                self.run.look(meeting.cost())?;
            }
            let (Some(front), Some(back)) = (self.front.side.take(), self.back.side.take()) else {
                unreachable!("a pair is ready");
            };
            self.front.expand(front, &self.back.side.reached, meeting, &mut self.run)?;
            // Once no better plan is possible, the back's state of the pair is not expanded.
            if !meeting.is_proven(self.run.lower_bound) {
                self.back.expand(back, &self.front.side.reached, meeting, &mut self.run)?;
            }
        }
        Ok(())
    }

    /// Raises the lower bound to the least of a pair, and moves states to the ready queues until
    /// such a pair is on top of them. False if no pair is left below the best known plan and cheap
    /// enough.
    fn prepare(&mut self, start: &D::State, meeting: &Meeting) -> Result<bool, Full> {
        let (front, back, budget) = (&mut self.front.side, &mut self.back.side, &self.run.budget);
        loop {
            let bound = self.run.lower_bound;
            if meeting.is_proven(bound) {
                return Ok(false);
            }
            front.ready_below(bound, budget)?;
            back.ready_below(bound, budget)?;
            let pair = match (front.least_ready(), back.least_ready()) {
                (Some(u), Some(v)) => Some(u16::from(u) + u16::from(v) + u16::from(self.epsilon)),
                _ => None,
            };
            if pair.is_some_and(|pair| pair <= u16::from(bound)) {
                return Ok(true);
            }
            if front.ready_one(bound, budget)? | back.ready_one(bound, budget)? {
                continue;
            }
            if front.is_exhausted() || back.is_exhausted() {
                self.exhausted = true;
                return Ok(false);
            }
            let waiting = [front.least_waiting(), back.least_waiting(), pair];
            let next = waiting.into_iter().flatten().min().unwrap_or(u16::MAX);
            let next = Cost::try_from(next).unwrap_or(Cost::MAX);
            self.run.lower_bound = raise_to_parity(self.domain, start, next);
        }
    }
}
