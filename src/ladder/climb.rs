//! Searches with a ladder of tables. A search begins with a table at hand (in memory or on disk),
//! and changes to a larger one if it then ends sooner.
//!
//! A larger table prunes more but must first be built. After each iteration, the times of the later
//! ones are predicted. The search takes the rung (table) with which everything is expected to end
//! first: the build, the bounds until a plan is found, and the later states of the backlog. A
//! table whose file exists is taken at once. Every bound proven on one rung holds on the next, so
//! nothing is searched twice.

use super::payoff::{Ahead, Growth, MANY, Rung, is_worse, next_factor, soonest};
use crate::automata::Automata;
use crate::puzzle::{Failure, Result};
use crate::run::{Run, search_remote};
use crate::timing::Stopwatch;
use crate::words::or;
use pdb::{EntryReader, Lookups};
use search::{Cost, Domain, Group, Options, Report, TwoSided, TwoSidedState, ida_star_parallel};
use std::time::Duration;

/// A table in the form in which a search reads lower bounds from it.
pub(crate) trait BoundSource<D: Group> {
    /// The lower bound of one state, outside of a search.
    fn estimate(&self, domain: &TwoSided<D>, state: &TwoSidedState<D::State>) -> Cost;

    /// Gives the tables to a reader.
    fn open(&self, reader: &dyn EntryReader);

    /// Runs [`ida_star_parallel`] with these bounds. If there is a reader, it reads their values,
    /// and has the tables.
    fn search(
        &self,
        domain: &TwoSided<D>,
        automata: &Automata<D>,
        start: &TwoSidedState<D::State>,
        options: &Options<'_>,
        reader: Option<&dyn EntryReader>,
    ) -> Report;
}

impl<D: Group, H: Lookups<TwoSided<D>>> BoundSource<D> for &H {
    fn estimate(&self, domain: &TwoSided<D>, state: &TwoSidedState<D::State>) -> Cost {
        H::estimate(self, domain, state)
    }

    fn open(&self, reader: &dyn EntryReader) {
        reader.open(self.tables());
    }

    fn search(
        &self,
        domain: &TwoSided<D>,
        automata: &Automata<D>,
        start: &TwoSidedState<D::State>,
        options: &Options<'_>,
        reader: Option<&dyn EntryReader>,
    ) -> Report {
        match reader {
            None => ida_star_parallel(domain, *self, automata, start, options),
            Some(reader) => search_remote(domain, (*self, reader), automata, start, options),
        }
    }
}

/// The ladder of one puzzle: its tables, called rungs, which are numbered from 0, smallest first.
///
/// There is at least one rung. Tables stay in memory, so all rungs together fit in it.
pub(crate) trait Rungs<D: Group> {
    /// The table of a rung, ready to read bounds from.
    type Table<'a>: BoundSource<D>
    where
        Self: 'a;

    /// The number of rungs.
    fn count(&self) -> usize;

    /// Whether the table of a rung is in memory or on disk.
    fn at_hand(&self, rung: usize) -> bool;

    /// The building time of a rung, and its factors against the rung below.
    fn rung(&self, rung: usize) -> Rung;

    /// Name and bytes of a rung's table. The bytes are an estimate until the table is built.
    fn named(&self, rung: usize) -> (String, u64);

    /// The table of a rung. Loads or builds it at the first call.
    fn table(&self, rung: usize, run: &Run<'_>) -> Result<Self::Table<'_>>;

    /// Total bytes of the tables in memory.
    fn bytes(&self) -> u64;

    /// The expected growth of nodes for one more operator, used until iterations show it. The step
    /// is 1.
    fn growth(&self) -> Growth;

    /// Called when a search leaves a rung because it needs more nodes than the rung below.
    /// [default: does nothing]
    fn leave(&self, _rung: usize) {}

    /// Whether any search with this ladder has left the rung. [default: false]
    fn left(&self, _rung: usize) -> bool {
        false
    }

    /// Called before each table is obtained and before each search. [default: does nothing]
    ///
    /// `builds`: the next step builds a table that is not at hand.
    fn before(&self, _builds: bool, _: &mut Run<'_>) -> Result<()> {
        Ok(())
    }

    /// Whether a search on the highest rung also ends after each bound. Then [`Rungs::before`] is
    /// called before the next bound. [default: false]
    fn pauses(&self, _: &Run<'_>) -> bool {
        false
    }
}

/// Solves a state. Begins on the highest rung at hand, or on the lowest if none is.
///
/// After each complete bound it climbs if the search then ends sooner. If a table cannot be built,
/// the search goes on without it and all higher ones. If a rung needs more nodes than the one
/// below, the search goes back, and later searches with this ladder skip that rung.
pub(crate) fn climb<D: Group>(
    ladder: &impl Rungs<D>,
    domain: &TwoSided<D>,
    start: &D::State,
    automata: &Automata<D>,
    run: &mut Run<'_>,
) -> Result<()> {
    let start = domain.state(start);
    // In a domain with a parity, the cost of every plan of a state is even, or that of every plan
    // is odd.
    let step = if domain.parity(&start).is_some() { 2 } else { 1 };
    let growth = Growth { step, ..ladder.growth() };
    let rungs = match run.request.rung {
        Some(name) => vec![rung_of(ladder, name)?],
        None => (0..ladder.count()).filter(|&rung| !ladder.left(rung)).collect(),
    };
    let place = rungs.iter().rposition(|&rung| ladder.at_hand(rung)).unwrap_or(0);
    let (rungs, place) = match run.request.keeper {
        Some(_) => (vec![rungs[place]], 0),
        None => (rungs, place),
    };
    let (below, built) = (place.saturating_sub(1), (0.0, 0.0));
    let mut climber = Climber {
        ladder,
        domain,
        start,
        automata,
        growth,
        rungs,
        place,
        below,
        tried: true,
        built,
    };
    loop {
        let rung = climber.rungs[climber.place];
        // A keeper is for long searches.
        ladder.before(run.request.keeper.is_some() || !ladder.at_hand(rung), run)?;
        if run.ends_proven() {
            return Ok(());
        }
        let Some(table) = climber.table(run)? else { continue };
        match climber.search(&table, run)? {
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

/// The rung whose table has this name.
///
/// # Errors
/// If there is none.
fn rung_of<D: Group>(ladder: &impl Rungs<D>, name: &str) -> Result<usize> {
    let names = || (0..ladder.count()).map(|rung| ladder.named(rung).0);
    names().position(|own| own == name).ok_or_else(|| {
        let names: Vec<String> = names().collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let expected = or(&names);
        Failure::refused(format!("no table {name} with this memory: expected {expected}"))
    })
}

/// The state of a search with a ladder.
struct Climber<'a, D: Group, L> {
    ladder: &'a L,
    domain: &'a TwoSided<D>,
    start: TwoSidedState<D::State>,
    automata: &'a Automata<D>,
    growth: Growth,
    /// The rungs that no search has left.
    rungs: Vec<usize>,
    place: usize,
    /// The index in `rungs` to which the search goes back from the current rung.
    below: usize,
    /// Whether an iteration with this rung has ended.
    tried: bool,
    /// Seconds of the tables built so far: as estimated, and as measured.
    built: (f64, f64),
}

/// Builds that are estimated to be shorter say little about longer ones.
const SAMPLE: f64 = 1.0;

/// What to do after the searches on a rung.
enum Step {
    /// Stop: the search has its outcome.
    Done,
    /// Climb by this number of rungs: the search ends sooner there.
    Up(usize),
    /// Go back to the lower rung from which it climbed, which needs fewer nodes.
    Down,
}

impl<'a, D: Group, L: Rungs<D>> Climber<'a, D, L> {
    /// The table of the current rung. `None` if its build failed: then this rung and all higher
    /// ones are dropped, and a lower rung is the current one.
    fn table(&mut self, run: &mut Run<'_>) -> Result<Option<L::Table<'a>>> {
        let rung = self.rungs[self.place];
        let (estimated, stopwatch) = (self.ladder.rung(rung).build, Stopwatch::start());
        let table = run.tables(|run| self.ladder.table(rung, run));
        if estimated > SAMPLE && table.is_ok() {
            let (before, measured) = self.built;
            self.built = (before + estimated, measured + stopwatch.wall().as_secs_f64());
        }
        match table {
            Err(failure @ Failure::Build { .. }) if self.place > 0 && !failure.is_cancelled() => {
                self.rungs.truncate(self.place);
                (self.place, self.tried) = (self.below, true);
                Ok(None)
            }
            table => table.map(Some),
        }
    }

    /// Searches bound after bound with the table of the current rung, until another rung is better
    /// or the search has its outcome.
    fn search(&mut self, table: &L::Table<'a>, run: &mut Run<'_>) -> Result<Step> {
        let rung = self.rungs[self.place];
        let (name, reader) = (format!("best/{}", self.ladder.named(rung).0), run.request.reader);
        if let Some(reader) = reader {
            table.open(reader);
        }
        let highest = self.place + 1 == self.rungs.len();
        // Only iterations with the same table show how nodes grow.
        let since = run.results().iterations().len();
        run.reads(name, self.ladder.bytes());
        loop {
            self.ladder.before(false, run)?;
            if run.ends_proven() {
                return Ok(Step::Done);
            }
            run.reads_bytes(self.ladder.bytes());
            let pauses = !highest || !self.tried || self.ladder.pauses(run);
            let one_bound = run.request.keeper.is_none() && pauses;
            let searched = run.search_both::<D>(one_bound, self.automata, &|options| {
                table.search(self.domain, self.automata, &self.start, options, reader)
            });
            let Some(report) = searched else { return Ok(Step::Done) };
            let iterations = run.results().iterations();
            let first = !report.iterations.is_empty() && !std::mem::replace(&mut self.tried, true);
            if first && is_worse(iterations, self.growth) {
                self.ladder.leave(rung);
                self.rungs.remove(self.place);
                return Ok(Step::Down);
            }
            // A search that is too short to predict the rest needs no larger table yet.
            if highest || report.iterations.last().is_none_or(|last| last.generated < MANY) {
                continue;
            }
            let ahead = self.ahead(since, report.elapsed, run);
            match soonest(&self.costs(), &ahead) {
                0 => {}
                up => return Ok(Step::Up(up)),
            }
        }
    }

    /// The building time of the current rung and of all above it, and the factors of each against
    /// the one before. If tables were built, their time corrects the estimates.
    fn costs(&self) -> Vec<Rung> {
        let (estimated, measured) = self.built;
        // Another thread may have built a part of the table. Then the measured time is too short.
        let correction = if estimated > 0.0 { measured / estimated } else { 1.0 };
        let correction = correction.clamp(0.25, 4.0);
        let cost = |place: usize| {
            let (rung, rungs) = (self.ladder.rung(self.rungs[place]), &self.rungs);
            let first = place.checked_sub(1).map_or(rungs[place], |before| rungs[before] + 1);
            let between = (first..rungs[place]).map(|rung| self.ladder.rung(rung));
            let rung = between.fold(rung, Rung::across);
            Rung { build: rung.build * correction, ..rung }
        };
        (self.place..self.rungs.len()).map(cost).collect()
    }

    /// The search that is still to come after an iteration that took `last`. Only iterations from
    /// number `since` on show how nodes grow.
    fn ahead(&self, since: usize, last: Duration, run: &Run<'_>) -> Ahead {
        let (request, results) = (&run.request, run.results());
        let iterations = results.iterations();
        let factor = next_factor(&iterations[since..], self.growth);
        let (known, limit) = (results.upper(), request.limits.bound.map(u64::from));
        let known = match run.is_for_one() {
            true => known,
            // That bound is searched, too, and a few above it.
            false => known.map(|cost| cost + u64::from(request.slack) + 1),
        };
        let elapsed = results.elapsed();
        let left = request.limits.seconds_left(results.generated(), elapsed);
        Ahead {
            next: (results.lower_bound(), last.as_secs_f64() * factor),
            growth: self.growth,
            end: known.into_iter().chain(limit.map(|limit| limit + 1)).min(),
            every_plan: !run.is_for_one(),
            backlog: (request.backlog.states() as f64, elapsed.as_secs_f64()),
            left: left.min(run.seconds_left()),
        }
    }
}
