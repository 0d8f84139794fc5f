//! The searches of a [`Run`]: their options, their times, and what they leave for the next.

use super::{Run, search_remote};
use crate::puzzle::{Aim, Events, Failure, Result};
use crate::timing::Stopwatch;
use fsm::{Automaton, Keep};
use pdb::Lookups;
use search::{
    Cost, Domain, Group, Heuristic, Limit, Limits, Op, Options, Outcome, PlanFilter, Report,
    TwoSided, TwoSidedPruning, TwoSidedState, ida_star, ida_star_parallel,
};
use std::time::Duration;

/// The automata of a search that adds operators at both ends of a plan.
pub(crate) type Automata<D> =
    TwoSidedPruning<Automaton<<D as Domain>::Ops>, Automaton<<D as Domain>::Ops>>;

/// A search with the options of a run.
pub(crate) type Search<'s> = dyn Fn(&Options<'_>) -> Report + 's;

impl<'a> Run<'a> {
    /// Whether the request asks for plans above the least cost.
    pub(crate) fn goes_above(&self) -> bool {
        if self.request.aim == Aim::NearOptimal {
            return false;
        }
        self.request.min_length > 0 || self.request.slack > 0 && self.request.plans > 1
    }

    /// Whether one optimal plan is all that is wanted.
    pub(crate) fn is_for_one(&self) -> bool {
        self.request.plans == 1 && self.filter.is_none()
    }

    /// Whether nodes are limited, or told as those of the proof alone. Then they are for the search
    /// with tables.
    pub(crate) fn counts_nodes(&self) -> bool {
        self.request.limits.nodes.is_some() || self.request.aim != Aim::Optimal
    }

    /// Whether plans above the least cost are wanted of this part of the work, too.
    pub(crate) fn is_above(&self) -> bool {
        !self.is_for_one() && (self.request.min_length > 0 || self.request.slack > 0)
    }

    /// Whether the search counts only some plans.
    pub(crate) fn is_filtered(&self) -> bool {
        self.filter.is_some()
    }

    /// Runs a search that counts only the plans that `filter` accepts.
    pub(crate) fn filtered(
        &mut self,
        filter: &PlanFilter<'_>,
        search: impl FnOnce(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        self.part(|run| run.filter = Some(filter), search)
    }

    /// Which duplicate strings the pruning must allow: those of all optimal plans if several plans
    /// are wanted, otherwise those of one.
    pub(crate) fn keep(&self) -> Keep {
        if self.is_for_one() { Keep::OneOptimal } else { Keep::AllOptimal }
    }

    /// The number of plans that a two-sided search looks for.
    ///
    /// Both ends may meet inside a string that the front automaton forbids. Without a filter, the
    /// search counts such a plan too, and it is dropped later. So if several plans are wanted, the
    /// search looks for all.
    fn plans_of_ends(&self) -> usize {
        let several = self.request.plans > 1 && self.filter.is_none();
        if several { usize::MAX } else { self.request.plans }
    }

    /// The options of the next search for the state.
    ///
    /// The search starts at the proven lower bound. Nodes and time spent so far are subtracted from
    /// the limits.
    pub(crate) fn options<'s>(&self, events: &'s Events<'s>) -> Options<'s>
    where
        'a: 's,
    {
        let (request, results) = (&self.request, &self.results);
        let limits = Limits {
            nodes: request.limits.nodes.map(|nodes| nodes.saturating_sub(results.generated())),
            time: self.time_left(),
            ..request.limits.clone()
        };
        Options {
            limits,
            cancel: request.cancel.clone(),
            observer: events,
            plans: request.plans,
            lower_bound: results.lower_bound.max(request.lower_bound),
            upper_bound: results.upper_bound(),
            pause: self.pause.map(|nodes| nodes.saturating_sub(results.generated())),
            filter: self.filter,
            on_plan: self.listener,
            units: self.units(),
        }
    }

    /// What is left of the limit of time.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let spent = self.results.elapsed + self.preparation();
        self.request.limits.time.map(|time| time.saturating_sub(spent))
    }

    /// The keeper of the search that begins now, after it was told of it.
    fn units(&self) -> Option<&'a dyn search::Units> {
        self.begin_keeping();
        self.request.keeper.map(|keeper| keeper as &dyn search::Units)
    }

    /// Tells the keeper what the search reads that begins now.
    pub(crate) fn begin_keeping(&self) {
        let Some(keeper) = self.request.keeper else { return };
        let tables = self.tables.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        keeper.begin(&self.results.heuristic, &tables);
    }

    /// The options of work that stores states in `bytes` of memory.
    pub(crate) fn storing<'s>(&self, bytes: u64, events: &'s Events<'s>) -> Options<'s> {
        let request = &self.request;
        let bytes = usize::try_from(bytes).ok();
        Options {
            limits: Limits { bytes: bytes.or(request.limits.bytes), ..request.limits.clone() },
            cancel: request.cancel.clone(),
            observer: events,
            ..Options::default()
        }
    }

    /// Runs a search and adds its wall time and processor time.
    pub(crate) fn timed<T>(&mut self, search: impl FnOnce(&Self) -> T) -> T {
        let stopwatch = Stopwatch::start();
        let report = search(self);
        self.results.elapsed += stopwatch.wall();
        self.results.cpu += stopwatch.cpu();
        report
    }

    /// Adds the iterations and the lower bound of a search.
    fn add(&mut self, report: &Report) {
        self.results.iterations.extend(&report.iterations);
        self.prove(report.lower_bound);
    }

    /// Adds the iterations and the lower bound of a search for the plans that are wanted.
    ///
    /// Returns true if another search must follow: no optimal plan is proven, and this search ended
    /// at a bound that is not the caller's limit.
    fn absorb(&mut self, report: &Report) -> bool {
        if report.plan().is_some() && !report.optimal {
            // A bound that was held for proven is wrong, or a limit came before the proof.
            (self.results.unproven, self.results.lower_bound) = (true, report.lower_bound);
        }
        self.add(report);
        let (results, request) = (&self.results, &self.request);
        let own = request.limits.bound.is_none_or(|limit| results.lower_bound <= limit);
        let proven = request.plans == 1 && results.meets();
        report.outcome == Outcome::LimitReached(Limit::Bound) && own && !proven
    }

    /// Runs one search with the options that `change` makes of the usual ones. Adds its iterations
    /// and its lower bound, but leaves the outcome as it was.
    pub(crate) fn continue_by(
        &mut self,
        change: impl FnOnce(&mut Options<'_>),
        search: &Search<'_>,
    ) -> Report {
        let events = self.events();
        let mut options = self.options(&events);
        change(&mut options);
        let report = self.timed(|_| search(&options));
        self.add(&report);
        report
    }

    /// Runs one search, whatever it is, and takes its outcome.
    pub(crate) fn search_by(&mut self, search: &Search<'_>) {
        let events = self.events();
        let options = self.options(&events);
        let report = self.timed(|_| search(&options));
        self.absorb(&report);
        self.results.finish(report, self.request.plans, &|_| true);
    }

    /// Runs one search from both ends of a plan. With `one_bound`, the search ends after one bound.
    ///
    /// Both ends can meet inside a forbidden string. Such a plan is not accepted by the front
    /// automaton, and is dropped.
    ///
    /// Returns the report if another search must follow. `None`: the outcome is set.
    pub(crate) fn search_both<D: Group>(
        &mut self,
        one_bound: bool,
        automata: &Automata<D>,
        search: &Search<'_>,
    ) -> Option<Report> {
        let events = self.events();
        let mut options = Options { plans: self.plans_of_ends(), ..self.options(&events) };
        if one_bound {
            // If the estimate of the start is above the proven bound, the search ends with that
            // estimate and generates no node.
            let limit = options.limits.bound.unwrap_or(Cost::MAX);
            options.limits.bound = Some(limit.min(self.results.lower_bound));
        }
        let report = self.timed(|_| search(&options));
        if self.absorb(&report) && one_bound {
            return Some(report);
        }
        let accepts = |plan: &[Op]| automata.front.accepts(plan);
        self.results.finish(report, self.request.plans, &accepts);
        None
    }

    /// [`Run::search_both`] to the end, on any number of threads.
    pub(crate) fn search_ends<D: Group, H: Heuristic<TwoSided<D>>>(
        &mut self,
        domain: &TwoSided<D>,
        heuristic: &H,
        automata: &Automata<D>,
        start: &TwoSidedState<D::State>,
    ) {
        let search =
            |options: &Options<'_>| ida_star_parallel(domain, heuristic, automata, start, options);
        self.search_both::<D>(false, automata, &search);
    }

    /// Runs one search to its end, with a heuristic and an automaton.
    pub(crate) fn search<D: Domain, H: Heuristic<D>>(
        &mut self,
        domain: &D,
        heuristic: &H,
        automaton: &Automaton<D::Ops>,
        start: &D::State,
    ) {
        // On one thread the search goes strictly in operator order. A staged heuristic, which
        // prefetches, searches several nodes at a time even then. So no serial search is compiled
        // for it. A keeper gets units from the parallel search alone.
        self.search_by(&|options| {
            if const { H::EVALUATION.is_staged() } {
                ida_star_parallel(domain, heuristic, automaton, start, options)
            } else if rayon::current_num_threads() == 1 && options.units.is_none() {
                ida_star(domain, heuristic, automaton, start, options)
            } else {
                ida_star_parallel(domain, heuristic, automaton, start, options)
            }
        });
    }

    /// [`Run::search`] with tables, whose entries the reader of the request reads if there is one.
    pub(crate) fn search_tables<D: Domain, H: Lookups<D>>(
        &mut self,
        domain: &D,
        heuristic: &H,
        automaton: &Automaton<D::Ops>,
        start: &D::State,
    ) {
        match self.request.reader {
            None => self.search(domain, heuristic, automaton, start),
            Some(reader) => {
                reader.open(heuristic.tables());
                self.search_by(&|options| {
                    search_remote(domain, (heuristic, reader), automaton, start, options)
                });
            }
        }
    }

    /// Searches until an iteration has ended and the run has generated `nodes` nodes in all.
    /// Returns whether that ended the search: then it may go on from the bound that is proven. The
    /// request must have no limit of nodes.
    ///
    /// # Errors
    /// Those of `search`.
    pub(crate) fn pauses(
        &mut self,
        nodes: u64,
        search: &dyn Fn(&mut Run<'_>) -> Result<()>,
    ) -> Result<bool> {
        self.part(|run| run.pause = Some(nodes), search)?;
        let is_pause = |outcome: &mut Outcome| *outcome == Outcome::LimitReached(Limit::Nodes);
        Ok(self.results.outcome.take_if(is_pause).is_some())
    }

    /// Searches at most `nodes` nodes with `quick`, which builds no large table. If these are too
    /// few, goes on with `full`, from the bound that is proven by then.
    ///
    /// A keeper takes the results of one search with one heuristic, so it gets those of `full`. A
    /// team makes the tables of `full`.
    ///
    /// # Errors
    /// Those of `quick` and `full`, unless there are plans by then and a limit ended `full`.
    pub(crate) fn near_first(
        &mut self,
        nodes: u64,
        quick: impl FnOnce(&mut Run<'_>) -> Result<()>,
        full: impl FnOnce(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let (mut quick, mut full) = (Some(quick), Some(full));
        self.first_and_full(
            nodes,
            &mut |run| quick.take().map_or(Ok(()), |quick| quick(run)),
            &mut |run| full.take().map_or(Ok(()), |full| full(run)),
        )
    }

    /// [`Run::near_first`], compiled once. Calls each search at most once.
    fn first_and_full(
        &mut self,
        nodes: u64,
        quick: &mut dyn FnMut(&mut Run<'_>) -> Result<()>,
        full: &mut dyn FnMut(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        if self.request.keeper.is_some() || self.request.team.is_some() {
            return full(self);
        }
        let most = self.request.limits.nodes.unwrap_or(u64::MAX);
        self.with(|request| request.limits.nodes = Some(most.min(nodes)), quick)?;
        let short = match &self.results.outcome {
            Some(Outcome::Solved(_)) => !self.results.complete,
            outcome => *outcome == Some(Outcome::LimitReached(Limit::Nodes)),
        };
        if nodes >= most || !short {
            return Ok(());
        }
        let found = self.results.outcome.take();
        let ended = full(self);
        let is_solved = |outcome: &Option<_>| matches!(outcome, Some(Outcome::Solved(_)));
        let stopped = ended.as_ref().err().is_none_or(Failure::is_stop);
        if !stopped || !is_solved(&found) || is_solved(&self.results.outcome) {
            return ended;
        }
        (self.results.outcome, self.results.complete) = (found, false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{InvalidInput, Request};

    /// Plans that are known when the tables come too late are the answer.
    #[test]
    fn plans_found_before_the_tables_stay() {
        let plans = || Outcome::Solved(vec![search::Plan::new()]);
        let near_first = |ended: Result<()>| {
            let mut run = Run::new(&Request::default().plans(2));
            let quick = |run: &mut Run<'_>| {
                run.end(plans(), false);
                Ok(())
            };
            let ended = run.near_first(1, quick, |_| ended);
            (ended.is_ok(), run.results().outcome().cloned())
        };
        assert_eq!(near_first(Err(Failure::Time)), (true, Some(plans())));
        assert_eq!(near_first(Err(Failure::Cancelled)), (true, Some(plans())));
        assert_eq!(near_first(Ok(())), (true, Some(plans())));
        assert!(!near_first(Err(InvalidInput::new("refused").into())).0);
    }
}
