//! Searching with a ladder of tables: on the rung at hand first, and on a higher one when that pays.

use super::rungs;
use crate::prunings::Automata;
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use pdb::{Rung, soonest};
use search::{Cost, Group, Heuristic, Options, Report, TwoSided, TwoSidedState, ida_star_parallel};

/// Something that bounds are read from in a search.
pub(crate) trait Searched<D: Group> {
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

impl<D: Group, H: Heuristic<TwoSided<D>>> Searched<D> for &H {
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
    type Table<'a>: Searched<D>
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

    /// Growth of an iteration from the one before, where there is only one yet.
    fn growth(&self) -> f64;

    /// A rung turned out to need more nodes than the one below. [default: nothing]
    fn leave(&self, _rung: usize) {}

    /// Whether a rung was left, by any search with this ladder. [default: no]
    fn left(&self, _rung: usize) -> bool {
        false
    }

    /// What comes before a table is obtained, which `builds` it or not, and before every search. [default: nothing]
    fn before(&self, _builds: bool, _: &Job<'_>, _: &mut Found) -> Result<(), Failure> {
        Ok(())
    }

    /// Whether the searches on the highest rung, too, end with each bound, for something may come before the next. [default: no]
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

/// Solves a state. Begins on the highest rung at hand, or the lowest. After each bound that the search has completed, it climbs if that is sooner done; a table that cannot be
/// had is done without, and all above it. A rung that turns out to need more nodes than the one below, which what is known of the tables did not say, is left again, and in the searches that follow with this ladder not taken.
pub(crate) fn climb<D: Group>(
    ladder: &impl Rungs<D>,
    domain: &TwoSided<D>,
    start: &D::State,
    automata: &Automata<D>,
    job: &Job<'_>,
    found: &mut Found,
) -> Result<(), Failure> {
    let both = domain.state(start);
    // Those that are left, and the place among them.
    let mut rungs: Vec<usize> = (0..ladder.count()).filter(|&rung| !ladder.left(rung)).collect();
    let mut place = rungs.iter().rposition(|&rung| ladder.at_hand(rung)).unwrap_or(0);
    let (mut below, mut tried) = (place.saturating_sub(1), true);
    loop {
        let rung = rungs[place];
        ladder.before(!ladder.at_hand(rung), job, found)?;
        let stopwatch = Stopwatch::start();
        let table = ladder.table(rung, job);
        found.tables += stopwatch.wall();
        let table = match table {
            Ok(table) => table,
            Err(failure @ Failure::Build { .. }) if place > 0 && !failure.is_cancelled() => {
                rungs.truncate(place);
                (place, tried) = (below, true);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        found.heuristic = format!("best/{}", ladder.named(rung).0);
        let highest = place + 1 == rungs.len();
        // Iterations with another table do not tell how those with this one grow.
        let since = found.iterations.len();
        let up = loop {
            ladder.before(false, job, found)?;
            found.table_bytes = ladder.bytes();
            let one_bound = !highest || !tried || ladder.pauses(job, found);
            let options = rungs::options(job, found, one_bound);
            let stopwatch = Stopwatch::start();
            let report = table.search(domain, automata, &both, &options);
            found.elapsed += stopwatch.wall();
            found.cpu += stopwatch.cpu();
            if !found.absorb(&report, job) || !one_bound {
                found.finish(report, job.plans, |plan| automata.front.accepts(plan));
                return Ok(());
            }
            let searched = !report.iterations.is_empty();
            if searched
                && !std::mem::replace(&mut tried, true)
                && rungs::is_worse(&found.iterations, ladder.growth())
            {
                ladder.leave(rung);
                rungs.remove(place);
                break None;
            }
            if highest {
                continue;
            }
            let ahead = rungs::ahead(found, since, report.elapsed, ladder.growth(), job);
            let costs: Vec<Rung> = costs(ladder, &rungs[place..]);
            match soonest(&costs, ahead) {
                0 => {}
                up => break Some(up),
            }
        };
        match up {
            Some(up) => (below, place, tried) = (place, place + up, false),
            None => place = below,
        }
    }
}
