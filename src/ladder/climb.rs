//! Searches with a ladder of tables: on the rung at hand first, on a higher one when that pays.

use super::pace::{Growth, Rung, is_worse, next_seconds, soonest};
use crate::prunings::Automata;
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use search::{
    Cost, Domain, Group, Heuristic, Options, Report, TwoSided, TwoSidedState, ida_star_parallel,
};

/// Something that bounds are read from in a search.
pub(crate) trait BoundSource<D: Group> {
    /// The bound of a state on its own.
    fn estimate(&self, domain: &TwoSided<D>, state: &TwoSidedState<D::State>) -> Cost;

    /// A search with these bounds: [`ida_star_parallel`].
    fn search(
        &self,
        domain: &TwoSided<D>,
        automata: &Automata<D>,
        start: &TwoSidedState<D::State>,
        options: &Options<'_>,
    ) -> Report;
}

impl<D: Group, H: Heuristic<TwoSided<D>>> BoundSource<D> for &H {
    fn estimate(&self, domain: &TwoSided<D>, state: &TwoSidedState<D::State>) -> Cost {
        H::estimate(self, domain, state)
    }

    fn search(
        &self,
        domain: &TwoSided<D>,
        automata: &Automata<D>,
        start: &TwoSidedState<D::State>,
        options: &Options<'_>,
    ) -> Report {
        ida_star_parallel(domain, *self, automata, start, options)
    }
}

/// Tables for one search, smallest first. There is at least one, and the first can be had.
pub(crate) trait Rungs<D: Group> {
    /// What is read from a table.
    type Table<'a>: BoundSource<D>
    where
        Self: 'a;

    /// How many there are.
    fn count(&self) -> usize;

    /// Whether the table of a rung is in memory or on disk.
    fn at_hand(&self, rung: usize) -> bool;

    /// What a rung costs, and gains against the one below.
    fn rung(&self, rung: usize) -> Rung;

    /// Name and bytes of a rung's table; the bytes nearly, as long as it is not built.
    fn named(&self, rung: usize) -> (String, u64);

    /// A rung's table, built or loaded once.
    fn table(&self, rung: usize, job: &Job<'_>) -> Result<Self::Table<'_>, Failure>;

    /// Bytes of the tables in memory.
    fn bytes(&self) -> u64;

    /// How many times more nodes an iteration has for one more operator of its bound, where none
    /// was seen yet.
    fn growth(&self) -> f64;

    /// Notes that a rung needs more nodes than the one below. [default: nothing]
    fn leave(&self, _rung: usize) {}

    /// Whether any search with this ladder left the rung. [default: no]
    fn left(&self, _rung: usize) -> bool {
        false
    }

    /// Does what comes before a table is obtained, and before every search. [default: nothing]
    ///
    /// `builds`: the table is not at hand.
    fn before(&self, _builds: bool, _: &Job<'_>, _: &mut Found) -> Result<(), Failure> {
        Ok(())
    }

    /// Whether searches end with each bound on the highest rung too. [default: no]
    ///
    /// Something may come before the next one.
    fn pauses(&self, _: &Job<'_>, _: &Found) -> bool {
        false
    }
}

/// What some rungs cost, and gain each against the one before.
fn costs<D: Group>(ladder: &impl Rungs<D>, rungs: &[usize]) -> Vec<Rung> {
    let cost = |place: usize| {
        let first = place.checked_sub(1).map_or(rungs[place], |before| rungs[before] + 1);
        let gain = (first..=rungs[place]).map(|rung| ladder.rung(rung).gain).product();
        Rung { gain, ..ladder.rung(rungs[place]) }
    };
    (0..rungs.len()).map(cost).collect()
}

/// Solves a state. Begins on the highest rung at hand, or the lowest.
///
/// After each complete bound it climbs if that ends sooner. A table that cannot be had is done
/// without, and all above it. A rung that needs more nodes than the one below is left again. The
/// searches that follow with this ladder do not take it.
pub(crate) fn climb<D: Group>(
    ladder: &impl Rungs<D>,
    domain: &TwoSided<D>,
    start: &D::State,
    automata: &Automata<D>,
    job: &Job<'_>,
    found: &mut Found,
) -> Result<(), Failure> {
    let start = domain.state(start);
    // A domain with a parity passes over every other bound.
    let step = if domain.parity(&start).is_some() { 2 } else { 1 };
    let growth = Growth { factor: ladder.growth(), step };
    let rungs: Vec<usize> = (0..ladder.count()).filter(|&rung| !ladder.left(rung)).collect();
    let place = rungs.iter().rposition(|&rung| ladder.at_hand(rung)).unwrap_or(0);
    let below = place.saturating_sub(1);
    let mut climber =
        Climber { ladder, domain, start, automata, growth, rungs, place, below, tried: true };
    loop {
        let Some(table) = climber.table(job, found)? else { continue };
        match climber.search(&table, job, found)? {
            Step::Done => return Ok(()),
            Step::Up(rungs) => {
                climber.below = climber.place;
                climber.place += rungs;
                climber.tried = false;
            }
            Step::Down => climber.place = climber.below,
        }
    }
}

/// Where a search with a ladder stands.
struct Climber<'a, D: Group, L> {
    ladder: &'a L,
    domain: &'a TwoSided<D>,
    start: TwoSidedState<D::State>,
    automata: &'a Automata<D>,
    growth: Growth,
    /// The rungs that are not left, and the place among them.
    rungs: Vec<usize>,
    place: usize,
    /// The place from which it climbed.
    below: usize,
    /// Whether an iteration with this rung was seen.
    tried: bool,
}

/// What comes after the searches on a rung.
enum Step {
    /// The search has its outcome.
    Done,
    /// So many rungs higher the search ends sooner.
    Up(usize),
    /// The rung is worse than the one below.
    Down,
}

impl<'a, D: Group, L: Rungs<D>> Climber<'a, D, L> {
    /// The table of the rung; `None` if it cannot be had and the search goes on below.
    fn table(&mut self, job: &Job<'_>, found: &mut Found) -> Result<Option<L::Table<'a>>, Failure> {
        let rung = self.rungs[self.place];
        self.ladder.before(!self.ladder.at_hand(rung), job, found)?;
        let stopwatch = Stopwatch::start();
        let table = self.ladder.table(rung, job);
        found.tables += stopwatch.wall();
        match table {
            Err(failure @ Failure::Build { .. }) if self.place > 0 && !failure.is_cancelled() => {
                self.rungs.truncate(self.place);
                (self.place, self.tried) = (self.below, true);
                Ok(None)
            }
            table => table.map(Some),
        }
    }

    /// Searches bound after bound with the table of the rung.
    fn search(
        &mut self,
        table: &L::Table<'a>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<Step, Failure> {
        let rung = self.rungs[self.place];
        found.heuristic = format!("best/{}", self.ladder.named(rung).0);
        let highest = self.place + 1 == self.rungs.len();
        // Iterations with another table do not tell how those with this one grow.
        let since = found.iterations.len();
        loop {
            self.ladder.before(false, job, found)?;
            found.table_bytes = self.ladder.bytes();
            let one_bound = !highest || !self.tried || self.ladder.pauses(job, found);
            let options = options(job, found, one_bound);
            let report =
                found.timed(&|| table.search(self.domain, self.automata, &self.start, &options));
            if !found.absorb(&report, job) || !one_bound {
                found.finish(report, job.plans, &|plan| self.automata.front.accepts(plan));
                return Ok(Step::Done);
            }
            let first = !report.iterations.is_empty() && !std::mem::replace(&mut self.tried, true);
            if first && is_worse(&found.iterations, self.growth) {
                self.ladder.leave(rung);
                self.rungs.remove(self.place);
                return Ok(Step::Down);
            }
            if highest {
                continue;
            }
            let next = next_seconds(&found.iterations[since..], report.elapsed, self.growth);
            match soonest(&costs(self.ladder, &self.rungs[self.place..]), ahead(found, next, job)) {
                0 => {}
                up => return Ok(Step::Up(up)),
            }
        }
    }
}

/// Seconds of search that lie ahead, for this state and all later ones.
///
/// `next`: seconds of the next iteration, if limits allow it. Each later state is taken to
/// need as long as this one.
fn ahead(found: &Found, next: f64, job: &Job<'_>) -> f64 {
    let ahead = next.min(job.limits.seconds_left(found.generated(), found.elapsed));
    ahead + job.backlog.states() as f64 * (found.elapsed.as_secs_f64() + ahead)
}

/// The options of the next search of a ladder; with `one_bound` it ends with the next bound.
pub(super) fn options<'a>(job: &'a Job<'_>, found: &Found, one_bound: bool) -> Options<'a> {
    let mut options = found.options(job);
    if one_bound {
        // If the estimate is above what is proven, the search says so and searches nothing.
        let limit = job.limits.bound.unwrap_or(Cost::MAX);
        options.limits.bound = Some(limit.min(found.lower_bound));
    }
    // Both ends may meet inside a string that the automaton forbids, so a plan can turn up twice.
    // So the search looks for all plans, and drops each that the front automaton does not accept.
    options.plans = if job.plans > 1 { usize::MAX } else { 1 };
    options
}
