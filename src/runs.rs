//! Code that all puzzles share. [`Found`] collects the results of all searches for one state, and
//! makes the answer. The functions count states layer by layer.

use crate::automata::Automata;
use crate::puzzle::{Answer, Ending, Failure, Job, Near, Replay, StageLength, Tell};
use crate::settings::SolverChoice;
use crate::timing::Stopwatch;
use fsm::Automaton;
use pdb::layers::{ClassLayerOptions, exhaust_classes};
use pdb::{RemoteTables, TableBounds};
use search::{
    Cost, Domain, FlatKey, Group, Heuristic, Iteration, Limit, Limits, Op, Options, Outcome,
    Packed, Plan, Report, Reversible, Symmetric, TwoSided, TwoSidedState, ida_star,
    ida_star_parallel, plan,
};
use std::time::Duration;

/// The results so far of all searches for one state. The next search continues from them.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) outcome: Option<Outcome>,
    /// If true: the outcome has as many plans as the job wants, or all that exist.
    pub(crate) complete: bool,
    pub(crate) lower_bound: Cost,
    /// The best plan that is known, not necessarily optimal.
    pub(crate) known: Option<Plan>,
    /// What the near-optimal search did. `None` if there was no such search.
    pub(crate) near: Option<Near>,
    /// If true: the answer is a plan that may not be proven, that of a near-optimal search say.
    pub(crate) near_only: bool,
    pub(crate) iterations: Vec<Iteration>,
    pub(crate) elapsed: Duration,
    pub(crate) cpu: Duration,
    pub(crate) tables: Duration,
    pub(crate) solver: SolverChoice,
    pub(crate) heuristic: String,
    /// Name of the pruning. `None`: the pruning of the settings.
    pub(crate) pruning: Option<String>,
    /// The parts of the plan, from subgoal to subgoal. Empty unless a solver sets them.
    pub(crate) stages: Vec<StageLength>,
    pub(crate) table_bytes: u64,
}

impl Found {
    /// Sets the outcome after a limit or a cancellation stopped the work. The bound proven so far
    /// remains the answer.
    ///
    /// `solved`: the start is a goal. Then the empty plan is the answer even after a limit of time.
    ///
    /// # Errors
    /// The failure itself, if it is neither a limit of time nor a cancellation.
    pub(crate) fn stopped_by(&mut self, failure: Failure, solved: bool) -> Result<(), Failure> {
        self.outcome = Some(match failure {
            Failure::Time if solved => {
                self.complete = true;
                Outcome::Solved(vec![Plan::new()])
            }
            Failure::Time => Outcome::LimitReached(Limit::Time),
            failure if failure.is_cancelled() => Outcome::Cancelled,
            failure => return Err(failure),
        });
        Ok(())
    }

    /// Drops the bounds and the outcome if the caller cancelled before the tables had passed their
    /// checks. `checked` is the result of the checks.
    ///
    /// The best plan stays, since every plan is replayed.
    pub(crate) fn unproven(&mut self, checked: Result<(), Failure>) -> Result<(), Failure> {
        match checked {
            Err(Failure::Cancelled) => {
                if let Some(Outcome::Solved(plans)) = self.outcome.replace(Outcome::Cancelled) {
                    self.known = plans.into_iter().next();
                }
                (self.complete, self.lower_bound) = (false, 0);
                self.iterations.clear();
                Ok(())
            }
            checked => checked,
        }
    }

    /// The generated nodes of all iterations so far, without those of the near-optimal search.
    pub(crate) fn generated(&self) -> u64 {
        Iteration::generated_in(&self.iterations)
    }

    /// Number of operators of the best known plan: an upper bound. `None` if no plan is known.
    pub(crate) fn upper_bound(&self) -> Option<Cost> {
        self.known.as_ref().and_then(|plan| Cost::try_from(plan.len()).ok())
    }

    /// Whether the best known plan is proven optimal.
    fn meets(&self) -> bool {
        self.upper_bound().is_some_and(|upper| self.lower_bound >= upper)
    }

    /// Adds the iterations and the lower bound of a search.
    ///
    /// Returns true if another search must follow: no optimal plan is proven, and this search ended
    /// at a bound that is not the caller's limit.
    pub(crate) fn absorb(&mut self, report: &Report, job: &Job<'_>) -> bool {
        self.iterations.extend(&report.iterations);
        if report.plan().is_some() && !report.optimal {
            // A bound that was held for proven is wrong, or a limit came before the proof.
            (self.near_only, self.lower_bound) = (true, report.lower_bound);
        }
        self.lower_bound = self.lower_bound.max(report.lower_bound);
        let own = job.limits.bound.is_none_or(|limit| self.lower_bound <= limit);
        let proven = job.plans == 1 && self.meets();
        report.outcome == Outcome::LimitReached(Limit::Bound) && own && !proven
    }

    /// Sets the outcome from the last search.
    ///
    /// If several plans are wanted, keeps those for which `accepts` is true, at most `plans`.
    pub(crate) fn finish(&mut self, report: Report, plans: usize, accepts: &dyn Fn(&[Op]) -> bool) {
        self.complete = report.complete;
        self.outcome = Some(match report.outcome {
            Outcome::Solved(mut all) if plans > 1 => {
                all.sort_unstable();
                all.dedup();
                let first = all.first().cloned();
                all.retain(|plan| accepts(plan));
                if all.is_empty() {
                    // Every plan found is refused. Each equals an accepted plan up to swaps, but
                    // the search ended before it found that plan. So one of them is the answer.
                    all.extend(first);
                }
                self.complete |= all.len() >= plans;
                all.truncate(plans);
                Outcome::Solved(all)
            }
            Outcome::LimitReached(Limit::Bound) if plans == 1 && self.meets() => {
                self.complete = true;
                Outcome::Solved(self.known.iter().cloned().collect())
            }
            other => other,
        });
    }

    /// Runs one search to its end, with a heuristic and an automaton.
    pub(crate) fn search<D: Domain, H: Heuristic<D>>(
        &mut self,
        domain: &D,
        heuristic: &H,
        automaton: &Automaton<D::Ops>,
        start: &D::State,
        job: &Job<'_>,
    ) {
        // On one thread the search goes strictly in operator order. A staged heuristic, which
        // prefetches, searches several nodes at a time even then. So no serial search is compiled
        // for it. A keeper gets units from the parallel search alone.
        self.run(job, &|options| {
            if const { H::EVALUATION.staged } {
                ida_star_parallel(domain, heuristic, automaton, start, options)
            } else if rayon::current_num_threads() == 1 && options.units.is_none() {
                ida_star(domain, heuristic, automaton, start, options)
            } else {
                ida_star_parallel(domain, heuristic, automaton, start, options)
            }
        });
    }

    /// [`Found::search`] with tables, whose entries the job's reader reads if there is one.
    pub(crate) fn search_tables<D: Domain, H: Heuristic<D> + TableBounds<D>>(
        &mut self,
        domain: &D,
        heuristic: &H,
        automaton: &Automaton<D::Ops>,
        start: &D::State,
        job: &Job<'_>,
    ) {
        match job.reader {
            None => self.search(domain, heuristic, automaton, start, job),
            Some(reader) => {
                let remote = RemoteTables::new(domain, heuristic, reader);
                self.search(domain, &remote, automaton, start, job);
            }
        }
    }

    /// [`Found::search`] from both ends of a plan, on any number of threads.
    ///
    /// Both ends can meet inside a forbidden string. Such a plan is not accepted by the front
    /// automaton, and is dropped.
    pub(crate) fn search_ends<D: Group, H: Heuristic<TwoSided<D>>>(
        &mut self,
        domain: &TwoSided<D>,
        heuristic: &H,
        automata: &Automata<D>,
        start: &TwoSidedState<D::State>,
        job: &Job<'_>,
    ) {
        let options = Options { plans: job.plans_of_ends(), ..self.options(job) };
        let report =
            self.timed(&|| ida_star_parallel(domain, heuristic, automata, start, &options));
        self.absorb(&report, job);
        self.finish(report, job.plans, &|plan| automata.front.accepts(plan));
    }

    /// Runs one search with the options of a job, and measures its time.
    pub(crate) fn run(&mut self, job: &Job<'_>, search: &dyn Fn(&Options<'_>) -> Report) {
        let options = self.options(job);
        let report = self.timed(&|| search(&options));
        self.absorb(&report, job);
        self.finish(report, job.plans, &|_| true);
    }

    /// Runs a search and adds its wall time and processor time.
    pub(crate) fn timed<T>(&mut self, search: &dyn Fn() -> T) -> T {
        let stopwatch = Stopwatch::start();
        let report = search();
        self.elapsed += stopwatch.wall();
        self.cpu += stopwatch.cpu();
        report
    }

    /// The options of the next search for a state.
    ///
    /// The search starts at the proven lower bound. Nodes and time spent so far are subtracted from
    /// the limits.
    pub(crate) fn options<'a>(&self, job: &'a Job<'_>) -> Options<'a> {
        let units = job.begin(&self.heuristic);
        let spent = self.generated();
        let limits = Limits {
            nodes: job.limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
            time: job.limits.time.map(|time| time.saturating_sub(self.elapsed + job.prepared())),
            ..job.limits.clone()
        };
        Options {
            limits,
            cancel: job.cancel.clone(),
            observer: job.watch,
            plans: job.plans,
            lower_bound: self.lower_bound.max(job.lower_bound),
            upper_bound: self.upper_bound(),
            filter: job.filter,
            on_plan: job.found,
            units,
        }
    }

    /// Makes the answer, after `replay` has checked each plan. `names` returns the operator names
    /// of a plan, `cost` what they cost together.
    pub(crate) fn answer(
        self,
        pruning: String,
        names: &dyn Fn(&Plan) -> Vec<String>,
        cost: &dyn Fn(&[Op]) -> u64,
        replay: &dyn Fn(&[Op]) -> Result<(), plan::Invalid>,
    ) -> Result<Answer, Failure> {
        let known = self.known.iter().cloned().collect();
        let (ending, plans): (Ending, Vec<Plan>) = match self.outcome {
            Some(Outcome::Solved(plans)) => (Ending::Solved, plans),
            Some(Outcome::Unsolvable) => (Ending::Unsolvable, Vec::new()),
            Some(Outcome::Cancelled) => (Ending::Cancelled, known),
            Some(Outcome::LimitReached(_)) | None => (Ending::LimitReached, known),
        };
        let proven = |plan: &Plan| cost(plan) <= u64::from(self.lower_bound);
        let optimal = ending == Ending::Solved && (!self.near_only || plans.iter().all(proven));
        for plan in &plans {
            replay(plan).map_err(|error| Failure::Defect { plan: names(plan).join(" "), error })?;
        }
        Ok(Answer {
            ending,
            upper_bound: plans.first().map(|plan| cost(plan)),
            plans: plans.iter().map(names).collect(),
            costs: plans.iter().map(|plan| cost(plan)).collect(),
            optimal,
            complete: self.complete,
            lower_bound: self.lower_bound,
            near: self.near,
            iterations: self.iterations,
            elapsed: self.elapsed,
            cpu: self.cpu,
            tables: self.tables,
            solver: self.solver.name().to_owned(),
            stages: self.stages,
            heuristic: self.heuristic,
            pruning: self.pruning.unwrap_or(pruning),
            table_bytes: self.table_bytes,
        })
    }
}

/// The result of a replay for a puzzle whose operators all cost 1.
pub(crate) fn replayed(plan: &[Op], fault: Option<plan::Invalid>) -> Replay {
    Replay { length: plan.len(), cost: plan.len() as u64, fault, rule: None }
}

/// The options of a job. `bytes`, if given, replaces the job's limit on memory.
pub(crate) fn within<'a>(job: &Job<'a>, bytes: Option<u64>) -> Options<'a> {
    Options {
        limits: Limits {
            bytes: bytes.and_then(|bytes| usize::try_from(bytes).ok()).or(job.limits.bytes),
            ..job.limits.clone()
        },
        cancel: job.cancel.clone(),
        observer: job.watch,
        ..Options::default()
    }
}

/// Calls `tell` with the number of states at each distance from `goal`, 0 to `depth`. Stores one
/// state for each class of symmetric states.
pub(crate) fn count_states<D: Packed<Key: FlatKey> + Reversible + Symmetric>(
    domain: &D,
    goal: D::State,
    depth: usize,
    job: &Job<'_>,
    tell: &mut Tell<'_>,
) -> Result<(), Failure> {
    let mut told = 0;
    let wanted = ClassLayerOptions { depth, farthest: 0, checkpoint: None, observer: None };
    tell_classes(domain, &[goal], &wanted, &within(job, None), &mut |depth, states| {
        told = depth + 1;
        tell(depth, states);
    })?;
    (told..=depth).for_each(|depth| tell(depth, 0));
    Ok(())
}

/// Calls `tell` with the number of states of each layer, until a layer is empty. Returns some
/// states of the last layer.
pub(crate) fn tell_classes<D: Packed<Key: FlatKey> + Reversible + Symmetric>(
    domain: &D,
    goals: &[D::State],
    wanted: &ClassLayerOptions<'_>,
    options: &Options<'_>,
    tell: &mut Tell<'_>,
) -> Result<Vec<D::State>, Failure> {
    let mut tell = |layer: search::SymmetricLayer| tell(layer.depth, layer.states);
    exhaust_classes(domain, goals, wanted, options, &mut tell).map_err(Failure::from)
}

/// Calls `tell` with the number of states of each layer, from layer 0 to layer `to`. Layer 0 has
/// `goals` states.
///
/// If `to` is `usize::MAX`, stops after the last layer that has states.
pub(crate) fn tell_layers<D: Packed>(
    layers: &mut search::Layers<'_, D>,
    goals: usize,
    to: usize,
    tell: &mut Tell<'_>,
) -> Result<(), Failure> {
    tell(0, goals as u128);
    for depth in 1..=to {
        let states = layers.advance()?;
        if states == 0 && to == usize::MAX {
            break;
        }
        tell(depth, u128::from(states));
    }
    Ok(())
}
