//! The search through the steps: [`Steps::solve`].

use super::answer::{STATES_PER_PLAN, Sides, StepChain, StepOptions, StepPlan, StepsAnswer};
use super::goals::Steps;
use crate::puzzle::{Aim, Answer, Backlog, Ending, Failure, Request, Result};
use search::{Cost, Limits};
use std::collections::HashSet;
use std::time::Duration;
use web_time::Instant;

impl Steps {
    /// Searches for the cheapest chain from a state: breadth-first over the steps, with the
    /// cheapest plans of each. Of the request, limits of time and nodes, the deadline, threads,
    /// cancellation and watcher count, for all steps together. Where a state is not given as moves,
    /// or its inverse is wanted, a plan of it is searched first, beyond the limit of nodes.
    ///
    /// # Errors
    /// As [`Puzzle::solve`](crate::Puzzle::solve). If a step ends in a state that an earlier goal
    /// does not have: then the goals do not lie within each other. If a side other than
    /// [`Sides::Normal`] is asked for, and the puzzle cannot undo moves, or no plan for the state
    /// is found.
    pub fn solve(
        &self,
        state: &str,
        options: &StepOptions,
        request: &Request<'_>,
    ) -> Result<StepsAnswer, Failure> {
        Work::new(self, options, request).solve(state)
    }
}

/// The steps from the start so far.
#[derive(Clone, Default)]
struct Chain {
    steps: Vec<StepPlan>,
    cost: u64,
    /// The state after them, as [`Puzzle::read`](crate::Puzzle::read) writes it.
    text: String,
}

impl Chain {
    /// The moves of one side, in order.
    fn moves(&self, inverse: bool) -> Vec<String> {
        let steps = self.steps.iter().filter(|step| step.inverse == inverse);
        steps.flat_map(|step| step.moves.iter().cloned()).collect()
    }
}

struct Work<'a> {
    steps: &'a Steps,
    options: &'a StepOptions,
    request: &'a Request<'a>,
    begun: Instant,
    /// The time of searches so far, without tables.
    spent: Duration,
    generated: u64,
    /// Whether nothing was left out so far.
    complete: bool,
    /// How the search that a limit or the caller ended did so.
    stopped: Option<Ending>,
}

impl<'a> Work<'a> {
    fn new(steps: &'a Steps, options: &'a StepOptions, request: &'a Request<'a>) -> Self {
        let begun = Instant::now();
        let (spent, stopped) = (Duration::ZERO, None);
        Self { steps, options, request, begun, spent, generated: 0, complete: true, stopped }
    }

    fn solve(mut self, state: &str) -> Result<StepsAnswer> {
        self.steps.plain.read(state)?;
        let start = self.as_moves(state)?;
        let mut chains = match &start {
            Some(_) => vec![Chain::default()],
            None => Vec::new(),
        };
        let start = start.unwrap_or_default();
        for step in 0..self.steps.goals.len() {
            chains = self.step(step, &start, &chains)?;
            chains.iter().try_for_each(|chain| self.check(step, &chain.text))?;
        }
        let ending = match (chains.is_empty(), self.stopped) {
            (false, _) => Ending::Solved,
            (true, Some(stopped)) => stopped,
            (true, None) if self.complete => Ending::Unsolvable,
            // States that were left out may have a plan.
            (true, None) => Ending::LimitReached,
        };
        let chains = chains.into_iter().map(|chain| self.whole(state, chain));
        Ok(StepsAnswer {
            ending,
            chains: chains.collect::<Result<_>>()?,
            complete: self.complete && self.stopped.is_none(),
            stopped: self.stopped,
            generated: self.generated,
            elapsed: self.spent,
        })
    }

    /// The chain with its plan, which is replayed.
    fn whole(&self, state: &str, chain: Chain) -> Result<StepChain> {
        let (cost, inverse) = (chain.cost, chain.moves(true));
        if !inverse.is_empty() && !self.is_whole(self.steps.goals.len() - 1) {
            return Ok(StepChain { steps: chain.steps, plan: None, cost });
        }
        let plan = [chain.moves(false), self.undone(&inverse)?].concat();
        let last = self.steps.puzzles.last().unwrap_or(&self.steps.plain);
        match last.check_plan(state, &plan.join(" "))?.fault {
            Some(error) => Err(Failure::Defect { plan: plan.join(" "), error }),
            None => Ok(StepChain { steps: chain.steps, plan: Some(plan), cost }),
        }
    }

    /// The state as moves from the solved one, or as it is given where no side needs more. `None`
    /// if a limit came first.
    ///
    /// A plan is for the puzzle as it is held after moves that turn the whole puzzle, and the
    /// inverse of these moves is held another way. The moves that undo a plan turn no whole puzzle.
    fn as_moves(&mut self, state: &str) -> Result<Option<String>> {
        let plain = &self.steps.plain;
        if self.options.sides == Sides::Normal && plain.invert(state).is_ok() {
            return Ok(Some(state.to_owned()));
        }
        let mut request = self.rest();
        request.limits.nodes = None;
        if plain.info().has_near_optimal {
            request = request.aim(Aim::NearOptimal);
        }
        let answer = plain.solve(state, &request)?;
        self.spent += answer.elapsed;
        match answer.plans.first() {
            Some(plan) => Ok(Some(self.undone(plan)?.join(" "))),
            None => {
                self.stopped = Some(answer.ending);
                Ok(None)
            }
        }
    }

    /// The moves that undo a sequence.
    fn undone(&self, moves: &[String]) -> Result<Vec<String>> {
        match moves.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(self.steps.plain.invert(&moves.join(" "))?),
        }
    }

    /// The state after a chain, as moves: what undoes the moves on the inverse, the start, and the
    /// moves on the state. `inverse`: the inverse of that state.
    fn state(&self, start: &str, chain: &Chain, inverse: bool) -> Result<String> {
        let first = self.undone(&chain.moves(true))?;
        let moves = [&first.join(" "), start, &chain.moves(false).join(" ")];
        let words = moves.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>();
        let text = match (&words[..], inverse) {
            (words, false) => words.join(" "),
            ([], true) => String::new(),
            (words, true) => self.steps.plain.invert(&words.join(" "))?.join(" "),
        };
        Ok(if text.is_empty() { "solved".to_owned() } else { text })
    }

    /// A step from all chains. Returns the chains that go on, the cheapest first.
    fn step(&mut self, step: usize, start: &str, chains: &[Chain]) -> Result<Vec<Chain>> {
        let last = step + 1 == self.steps.goals.len();
        let sides = match self.options.sides {
            Sides::Normal => &[false][..],
            Sides::Inverse => &[true],
            // A plan of the inverse is a plan, backwards.
            Sides::Both if self.is_whole(step) => &[false],
            Sides::Both => &[false, true],
        };
        let most =
            if last { self.options.chains } else { STATES_PER_PLAN * self.options.keep }.max(1);
        let mut next: Vec<Chain> = Vec::new();
        // A larger table may pay where many states use it.
        let backlog = Backlog::new();
        (1..chains.len() * sides.len()).for_each(|_| backlog.add());
        'chains: for chain in chains {
            for &inverse in sides {
                // Only cheaper chains than the last that goes on do.
                let worst = next.get(most - 1).map(|chain| chain.cost);
                if worst.is_some_and(|worst| chain.cost >= worst) {
                    self.complete &= last;
                    break 'chains;
                }
                let bound = worst.map(|worst| worst - 1 - chain.cost);
                next.extend(self.plans((step, &backlog), start, (chain, inverse), bound)?);
                next.sort_by_key(|chain| chain.cost);
                if !last {
                    let mut seen = HashSet::new();
                    next.retain(|chain| seen.insert(chain.text.clone()));
                }
                self.complete &= last || next.len() <= most;
                next.truncate(most);
                if backlog.states() > 0 {
                    backlog.take();
                }
                if self.stopped.is_some() {
                    break 'chains;
                }
            }
        }
        Ok(next)
    }

    /// The chains that a step adds to one of them, on one side.
    fn plans(
        &mut self,
        (step, backlog): (usize, &Backlog),
        start: &str,
        (chain, inverse): (&Chain, bool),
        bound: Option<u64>,
    ) -> Result<Vec<Chain>> {
        let state = self.state(start, chain, inverse)?;
        let last = step + 1 == self.steps.goals.len();
        let slack = self.options.slack.get(step).or(self.options.slack.last());
        let slack = slack.copied().filter(|_| !last || self.options.chains > 1).unwrap_or(0);
        let wanted =
            if last { self.options.chains.min(self.options.keep) } else { self.options.keep };
        let wanted = wanted.max(1);
        let mut request = self.rest().plans(wanted).slack(slack);
        request.backlog = backlog.clone();
        let most = bound.map(|most| Cost::try_from(most).unwrap_or(Cost::MAX));
        request.limits.bound = most;
        let answer = self.steps.puzzles[step].solve(&state, &request)?;
        self.count(&answer);
        // A search that the bound ended found all that counts.
        let bounded = answer.plans.is_empty()
            && most.is_some_and(|most| u16::from(answer.lower_bound) > u16::from(most));
        let ended = matches!(answer.ending, Ending::LimitReached | Ending::Cancelled);
        if ended && !bounded {
            self.stopped = Some(answer.ending);
        }
        let all = answer.complete && answer.plans.len() < wanted;
        // The cheapest plan of the last step is enough.
        self.complete &= last || all && !bounded && slack == 0;
        let least = answer.costs.first().copied().unwrap_or(0);
        let plans = answer.plans.into_iter().zip(answer.costs).map(|(moves, cost)| {
            let goal = self.steps.goals[step].clone();
            let mut chain = chain.clone();
            chain.steps.push(StepPlan { goal, moves, inverse, cost, least });
            chain.cost += cost;
            chain.text = self.steps.plain.read(&self.state(start, &chain, false)?)?.text;
            Ok(chain)
        });
        plans.collect()
    }

    /// Checks that a state is in the goal of a step and of all before it.
    fn check(&self, step: usize, state: &str) -> Result<()> {
        let goals = &self.steps.goals;
        for (goal, puzzle) in goals.iter().zip(&self.steps.puzzles).take(step + 1) {
            if puzzle.check_plan(state, "")?.fault.is_some() {
                return Err(Failure::refused(format_args!(
                    "the step {} ends in a state that {goal} does not have: expected steps whose \
                     goals lie within those before, and on the inverse, too",
                    goals[step]
                )));
            }
        }
        Ok(())
    }

    /// Whether the goal of a step is the solved puzzle.
    fn is_whole(&self, step: usize) -> bool {
        self.steps.goals[step].eq_ignore_ascii_case("solved")
    }

    /// The request of a search, with the limits that are left.
    fn rest(&self) -> Request<'a> {
        let mut request = self.request.clone();
        let limits = Limits {
            time: request.limits.time.map(|all| all.saturating_sub(self.spent)),
            nodes: request.limits.nodes.map(|all| all.saturating_sub(self.generated)),
            bound: None,
            ..request.limits
        };
        request.deadline = request.deadline.map(|all| all.saturating_sub(self.begun.elapsed()));
        (request.on_plan, request.keeper, request.planner) = (None, None, None);
        (request.rung, request.reader) = (None, None);
        request.limits(limits).min_length(0).lower_bound(0).aim(Aim::Optimal)
    }

    fn count(&mut self, answer: &Answer) {
        self.spent += answer.elapsed;
        self.generated += answer.generated();
        self.generated += answer.near.as_ref().map_or(0, |near| near.generated);
    }
}
