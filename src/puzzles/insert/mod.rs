//! Puts cycles of three pieces into a plan that leaves them: [`insert`].

mod slots;

use super::configured::{self, Game};
use super::encodings::Effect;
use super::pieces::Pieces;
use crate::puzzle::{Aim, Failure, Inserted, Insertion, InvalidInput, Request, Result};
use crate::run::{Results, Run};
use anytime::{CommutingRuns, Generators, commuting_runs};
use rayon::prelude::*;
use search::{Cost, Limits, Op, Outcome, Plan};
use slots::Slots;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use web_time::Instant;

/// Puts a cycle of three pieces, or two, into a plan such that it solves the state: the cheapest of
/// all places and all cheapest plans of each cycle, after operators that meet are joined. Two
/// cycles are put in one after the other, the second into each plan that the first one makes.
///
/// # Errors
/// If the states are not known as effects on pieces, or the plan leaves anything else. If a search
/// fails, or a limit or the caller ends the work before there is a plan.
pub(super) fn insert<G: Game>(
    game: &G,
    (start, plan): (&G::State, &Plan),
    run: &mut Run<'_>,
) -> Result<Inserted> {
    let begun = Instant::now();
    let mut work = Work::new(game, run)?;
    let mut words = vec![work.word(start, plan)?];
    let is_solved = words[0].rest == work.slots.identity();
    if !is_solved {
        let after_first = work.after_first(&words[0].rest, run)?;
        if let Some(rests) = after_first {
            words = work.put_first(&words[0], &rests, run)?;
        }
        words = work.put_last(&words, run)?.into_iter().collect();
    }
    let Some(word) = words.pop() else {
        return Err(work.stopped(run));
    };
    let plan = Plan::from_vec(commuting_runs(&work.generators, &word.plan, &|| false));
    game.replay(start, &plan)
        .map_err(|error| Failure::Defect { plan: game.names(&plan).join(" "), error })?;
    let insertion = |(into, at, moves): (Plan, usize, Plan)| Insertion {
        into: game.names(&into),
        at,
        moves: game.names(&moves),
    };
    Ok(Inserted {
        length: plan.len(),
        cost: game.cost(&plan),
        plan: game.names(&plan),
        insertions: word.made.into_iter().map(insertion).collect(),
        complete: work.complete,
        generated: work.generated,
        elapsed: begun.elapsed(),
    })
}

/// A plan into which cycles are put.
#[derive(Clone)]
struct Word {
    plan: Plan,
    /// What it leaves: the start, and then the plan.
    rest: Effect,
    /// What was put in so far: the plan, the place, the operators.
    made: Vec<(Plan, usize, Plan)>,
}

struct Work<'g, G: Game> {
    game: &'g G,
    pieces: &'g dyn Pieces<G::State>,
    slots: Slots,
    operators: Vec<Effect>,
    generators: Generators,
    /// The cheapest plans of each state that was searched. Empty: it has none, or a limit came.
    plans: HashMap<Effect, Vec<Plan>>,
    /// The time of the searches.
    spent: Duration,
    generated: u64,
    complete: bool,
}

impl<'g, G: Game> Work<'g, G> {
    fn new(game: &'g G, run: &Run<'_>) -> Result<Self> {
        let name = &Game::info(game).name;
        let pieces = game.pieces().ok_or_else(|| {
            InvalidInput::new(format_args!(
                "{name}: nothing is inserted: expected the 3x3x3 in htm or qtm, or a definition whose \
                 states form a group, with all pieces different and no other goal"
            ))
        })?;
        let slots = Slots::new(pieces.orbits());
        let operators = pieces.operators();
        let cost = |op: usize| Cost::try_from(game.cost(&[Op::new(op)])).unwrap_or(Cost::MAX);
        let points = operators.iter().map(|effect| slots.on_points(effect));
        let points: Vec<_> = points.collect::<Result<_>>()?;
        let count = points.first().map_or(0, |one| one.points());
        let points = points.into_iter().enumerate().map(|(op, one)| (one, cost(op))).collect();
        let stop = || run.request.cancel.is_cancelled();
        let generators = Generators::new(count, points, &stop);
        let generators = generators.map_err(|error| match stop() {
            true => Failure::Cancelled,
            false => Failure::refused(error),
        })?;
        let (plans, spent) = (HashMap::new(), Duration::ZERO);
        let (generated, complete) = (0, true);
        Ok(Self { game, pieces, slots, operators, generators, plans, spent, generated, complete })
    }

    fn word(&self, start: &G::State, plan: &Plan) -> Result<Word> {
        let start = self.pieces.effect(start).ok_or_else(|| {
            InvalidInput::new("nothing is inserted: expected a state in which all pieces differ")
        })?;
        let step = |rest: Effect, op: &Op| self.slots.product(&rest, &self.operators[op.index()]);
        let rest = plan.iter().fold(start, step);
        Ok(Word { plan: plan.clone(), rest, made: Vec::new() })
    }

    /// What may be left after the first of two cycles. `None` if there is one cycle.
    fn after_first(&self, rest: &Effect, run: &Run<'_>) -> Result<Option<Vec<Effect>>> {
        if self.slots.is_cycle(rest) {
            return Ok(None);
        }
        let moved = self.slots.moved_slots(rest);
        let stop = || run.request.cancel.is_cancelled();
        // Both cycles together move what is moved. So the second moves at least half of it.
        let few = moved.len() <= 6;
        let cycles = self.slots.cycles(&moved, moved.len().div_ceil(2), &stop).filter(|_| few);
        let rests = cycles.filter(|left| {
            let first = self.slots.product(&self.slots.inverse(left), rest);
            let known = |effect: &Effect| self.pieces.state(effect).is_some();
            self.slots.is_cycle(&first) && known(left) && known(&first)
        });
        let rests: Vec<Effect> = if few { rests.collect() } else { Vec::new() };
        match rests.is_empty() {
            false => Ok(Some(rests)),
            true if stop() => Err(self.stopped(run)),
            true => Err(Failure::refused(format_args!(
                "plan: it leaves {} pieces that are no cycle of three and no two such cycles: \
                 expected a plan that leaves one or two",
                moved.len()
            ))),
        }
    }

    /// The error of work that ended before there was a plan.
    fn stopped(&self, run: &Run<'_>) -> Failure {
        match run.request.cancel.is_cancelled() && run.seconds_left() > 0.0 {
            true => Failure::Cancelled,
            false => Failure::limit("no plan of the cycles within the limits"),
        }
    }

    /// The time that is left. `None` without a limit.
    fn time_left(&self, run: &Run<'_>) -> Option<Duration> {
        let limit = run.time_left().map(|time| time.saturating_sub(self.spent));
        let due = Duration::try_from_secs_f64(run.seconds_left()).ok();
        limit.into_iter().chain(due).min()
    }

    /// For each number of operators done: the state that is solved by what may stand there, so that
    /// the plan takes `cycle` home.
    fn states(&self, plan: &[Op], cycle: &Effect) -> Vec<Effect> {
        let mut suffix = self.slots.identity();
        let mut states = vec![cycle.clone()];
        for op in plan.iter().rev() {
            suffix = self.slots.product(&self.operators[op.index()], &suffix);
            let moved = self.slots.product(&suffix, cycle);
            states.push(self.slots.product(&moved, &self.slots.inverse(&suffix)));
        }
        states.reverse();
        states
    }

    /// Searches for all cheapest plans of states that are cycles. `keep`: the time to leave.
    fn search(
        &mut self,
        states: impl Iterator<Item = Effect>,
        keep: Option<Duration>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let game = self.game;
        for effect in states {
            let left = self.time_left(run);
            let left = left.map(|left| left.saturating_sub(keep.unwrap_or_default()));
            let nodes = run.request.limits.nodes.map(|nodes| nodes.saturating_sub(self.generated));
            let is_over = left == Some(Duration::ZERO) || nodes == Some(0);
            if is_over || run.request.cancel.is_cancelled() {
                self.complete = false;
                return Ok(());
            }
            if self.plans.contains_key(&effect) {
                continue;
            }
            let Some(state) = self.pieces.state(&effect) else {
                self.plans.insert(effect, Vec::new());
                continue;
            };
            let mut results = Results::reading(game.settings().heuristic.name());
            // A search counts all preparation so far.
            let time = left.map(|left| left + run.preparation());
            let slack = run.request.slack;
            let searched = run.with(
                |request| {
                    let (cancel, threads) = (request.cancel.clone(), request.threads);
                    *request = Request { threads, ..Request::default().cancel(cancel) };
                    (request.plans, request.slack) = (usize::MAX, slack);
                    request.aim = Aim::OptimalOnly;
                    request.limits = Limits { time, nodes, ..Limits::default() };
                },
                |run| run.with_results(&mut results, |run| configured::search(game, &state, run)),
            );
            self.spent += results.elapsed();
            self.generated += results.generated();
            match searched {
                Err(failure) if !failure.is_stop() => return Err(failure),
                _ => {}
            }
            let found = match results.outcome() {
                Some(Outcome::Solved(plans)) => plans.clone(),
                _ => Vec::new(),
            };
            self.complete &= !found.is_empty() && results.is_complete();
            self.plans.insert(effect, found);
        }
        Ok(())
    }

    /// The distinct states of all places of some words.
    fn places<'w>(&self, words: impl Iterator<Item = (&'w Word, &'w Effect)>) -> Vec<Effect> {
        let mut seen = HashSet::new();
        let states = words.flat_map(|(word, cycle)| self.states(&word.plan, cycle));
        states.filter(|state| seen.insert(state.clone())).collect()
    }

    /// A plan with another put in, after operators that meet are joined.
    fn joined(runs: &mut CommutingRuns<'_>, plan: &[Op], at: usize, inserted: &[Op]) -> Plan {
        let joined = [&plan[..at], inserted, &plan[at..]].concat();
        Plan::from_vec(runs.shorten(&joined, &|| false))
    }

    /// Puts the first of two cycles into a plan, in every way that leaves one of `rests`.
    fn put_first(&mut self, word: &Word, rests: &[Effect], run: &mut Run<'_>) -> Result<Vec<Word>> {
        let firsts: Vec<Effect> = rests
            .iter()
            .map(|rest| self.slots.product(&self.slots.inverse(rest), &word.rest))
            .collect();
        let states = self.places(firsts.iter().map(|first| (word, first)));
        // Half of the time is for the second.
        let keep = self.time_left(run).map(|time| time / 2);
        self.search(states.into_iter(), keep, run)?;
        let mut runs = CommutingRuns::new(&self.generators);
        let (mut words, mut seen) = (Vec::new(), HashSet::new());
        for (rest, first) in rests.iter().zip(&firsts) {
            for (at, state) in self.states(&word.plan, first).iter().enumerate() {
                for moves in self.plans.get(state).into_iter().flatten() {
                    let plan = Self::joined(&mut runs, &word.plan, at, moves);
                    if seen.insert((plan.clone(), rest.clone())) {
                        let made = vec![(word.plan.clone(), at, moves.clone())];
                        words.push(Word { plan, rest: rest.clone(), made });
                    }
                }
            }
        }
        Ok(words)
    }

    /// Puts the cycle that each of some words leaves into it. Returns the cheapest.
    fn put_last(&mut self, words: &[Word], run: &mut Run<'_>) -> Result<Option<Word>> {
        let states = self.places(words.iter().map(|word| (word, &word.rest)));
        self.search(states.into_iter(), None, run)?;
        // The cheapest way is the first of the least cost, on any number of threads.
        let (this, cancel) = (&*self, &run.request.cancel);
        let best = |runs: &mut CommutingRuns<'_>, (number, word): (usize, &Word)| {
            let states = this.states(&word.plan, &word.rest);
            let mut best: Option<(u64, usize, usize, &Plan, Plan)> = None;
            for (at, state) in states.iter().enumerate() {
                if best.is_some() && cancel.is_cancelled() {
                    break;
                }
                for moves in this.plans.get(state).into_iter().flatten() {
                    let plan = Self::joined(runs, &word.plan, at, moves);
                    let cost = this.game.cost(&plan);
                    if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                        best = Some((cost, number, at, moves, plan));
                    }
                }
            }
            best
        };
        let runs = || CommutingRuns::new(&this.generators);
        let found = words.par_iter().enumerate().map_init(runs, best).flatten();
        let found = found.min_by_key(|&(cost, number, ..)| (cost, number));
        let cancelled = cancel.is_cancelled();
        let made = found.map(|(_, number, at, moves, plan)| {
            let word = &words[number];
            let mut made = word.made.clone();
            made.push((word.plan.clone(), at, moves.clone()));
            Word { plan, rest: this.slots.identity(), made }
        });
        self.complete &= !cancelled;
        Ok(made)
    }
}
