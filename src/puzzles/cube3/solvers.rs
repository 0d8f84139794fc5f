//! Solvers of the 3x3x3 from the literature, beside the optimal search.

use super::coset_tables::{BEHIND, Coset};
use super::tables::CubeTables;
use super::{beliefs, decomposition};
use crate::automata::{self, PruningRequest};
use crate::cache::{AutomatonCache, Once};
use crate::ladder::climb::BoundSource;
use crate::puzzle::{Failure, StageLength, TooLittleMemory};
use crate::puzzles::cubes;
use crate::runs::Found;
use crate::solvers::{
    Bayes, Bidirectional, Macros, PerimeterSearch, SchroeppelShamir, Solver, Task,
};
use crate::tables::TableSource;
use crate::timing::Stopwatch;
use cube::macros::CubeOrder;
use cube::stages::Thistlethwaite;
use cube::two_phase::TwoPhase;
use cube::{ByteCube3, Cube3, CubeManhattan};
use fsm::Keep;
use pdb::BuildOptions;
use search::{Cost, Domain, Limit, Limits, Options, Outcome, Plan, TwoSided};

/// The solver with this name. `None` if there is none.
pub(super) fn named(domain: Cube3, name: &str) -> Option<Box<dyn Solver<Cube3>>> {
    let manhattan = || CubeManhattan::new(domain.metric());
    Some(match name {
        "bidirectional" => Box::new(Bidirectional::of_group(&domain, "manhattan", manhattan())),
        "perimeter" => Box::new(PerimeterSearch::new(cube::Cube::SOLVED, "manhattan", manhattan())),
        "schroeppel-shamir" => Box::new(SchroeppelShamir),
        "macros" => {
            let name = |order: &CubeOrder, feature| order.name(feature).to_owned();
            Box::new(Macros::new(cube::Cube::SOLVED, CubeOrder::default(), name))
        }
        "bayes" => {
            let metric = domain.metric();
            Box::new(Bayes::new(beliefs::SETTINGS, move |job| beliefs::learned(metric, job)))
        }
        "thistlethwaite" => Box::new(FourStages { domain, tables: Once::default() }),
        "two-phase" => Box::new(Phases { domain, tables: Once::default() }),
        "reid" => Box::new(Reid::new(domain)),
        _ => return decomposition::named(domain, name),
    })
}

/// Thistlethwaite's four stages ([`Thistlethwaite`]).
struct FourStages {
    domain: Cube3,
    tables: Once<Thistlethwaite>,
}

impl Solver<Cube3> for FourStages {
    fn solve(&self, task: &Task<'_, Cube3>, found: &mut Found) -> Result<(), Failure> {
        let (stopwatch, job) = (Stopwatch::start(), task.job);
        let tables = self.tables.get_or_make(|| {
            let options = BuildOptions { cancel: Some(&job.cancel), ..BuildOptions::default() };
            let table = "thistlethwaite".to_owned();
            Thistlethwaite::build(self.domain.metric(), &options)
                .map_err(|error| Failure::Build { table, error })
        });
        found.tables += stopwatch.wall();
        let tables = tables?;
        (found.heuristic, found.table_bytes) = ("cosets".to_owned(), tables.bytes());
        let (names, each) = (["G1", "G2", "G3", "solved"], Limits::default());
        found.run_stages(job, &names, &|options| tables.solve(task.start, &each, options));
        Ok(())
    }
}

/// Generated nodes for better plans, if the job has no limit of nodes or time.
const NODES: u64 = 4_000_000;

/// Kociemba's two phases with one orientation of the cube ([`TwoPhase::lengthen`]).
struct Phases {
    domain: Cube3,
    tables: Once<TwoPhase>,
}

impl Solver<Cube3> for Phases {
    fn solve(&self, task: &Task<'_, Cube3>, found: &mut Found) -> Result<(), Failure> {
        let (stopwatch, start, job) = (Stopwatch::start(), task.start, task.job);
        let tables = self.tables.get_or_make(|| {
            let options = BuildOptions { cancel: Some(&job.cancel), ..BuildOptions::default() };
            let table = "two-phase".to_owned();
            TwoPhase::build(self.domain.metric(), &options)
                .map_err(|error| Failure::Build { table, error })
        });
        found.tables += stopwatch.wall();
        let tables = tables?;
        (found.heuristic, found.table_bytes) = ("two-phase".to_owned(), TwoPhase::bytes());
        let names = ["phase 1", "phase 2"];
        // The first plan may be longer than the limit of the job. Longer phases 1 shorten it.
        let bound = job.limits.bound;
        let without = |options: &Options<'_>| {
            let limits = Limits { bound: None, ..options.limits.clone() };
            tables.phases(start, &Options { limits, ..options.clone() })
        };
        found.run_stages(job, &names, &without);
        let Some(Outcome::Solved(plans)) = &found.outcome else { return Ok(()) };
        let mut best: Plan = plans.iter().flatten().copied().collect();
        let length = Cost::try_from(best.len()).unwrap_or(Cost::MAX);
        let upper = bound.map_or(length, |bound| length.min(bound.saturating_add(1)));
        if found.lower_bound < length {
            let mut options = Options { upper_bound: Some(upper), ..found.options(job) };
            if job.limits.nodes.is_none() && job.limits.time.is_none() {
                options.limits.nodes = Some(NODES);
            }
            let report = found.timed(&|| tables.lengthen(start, &options));
            found.iterations.extend(&report.iterations);
            found.lower_bound = found.lower_bound.max(report.lower_bound);
            best = report.plan().cloned().unwrap_or(best);
        }
        if bound.is_some_and(|bound| best.len() > usize::from(bound)) {
            (found.complete, found.outcome) = (false, Some(Outcome::LimitReached(Limit::Bound)));
            found.stages.clear();
            return Ok(());
        }
        let first = tables.phase_1(start, &best);
        let lengths = [first, best.len() - first];
        found.stages = names
            .iter()
            .zip(lengths)
            .map(|(name, length)| StageLength::new(*name, length))
            .collect();
        found.outcome = Some(Outcome::Solved(vec![best]));
        Ok(())
    }
}

/// Reid's optimal search: bounds from one coset table, that of phase 1, seen from three axes.
struct Reid {
    domain: Cube3,
    tables: Once<CubeTables>,
    automata: AutomatonCache<<Cube3 as Domain>::Ops>,
}

impl Reid {
    fn new(domain: Cube3) -> Self {
        Self { domain, tables: Once::default(), automata: AutomatonCache::default() }
    }
}

impl Solver<Cube3> for Reid {
    fn solve(&self, task: &Task<'_, Cube3>, found: &mut Found) -> Result<(), Failure> {
        let Task { start, settings, job, .. } = *task;
        let coset = Coset::Axes(BEHIND);
        if coset.bytes() > settings.memory {
            let (needed, limit) = (coset.bytes(), settings.memory);
            return Err(TooLittleMemory::new("the solver reid", needed, limit).into());
        }
        let tables = self.tables.get_or_make(|| {
            Ok::<_, Failure>(CubeTables::new(self.domain, TableSource::new(settings)))
        })?;
        let stopwatch = Stopwatch::start();
        let reading = tables.reading(coset, job);
        found.tables += stopwatch.wall();
        let reading = reading?;
        let (keep, depth) = (Keep::OneOptimal, cubes::depth(self.domain.metric()));
        let (pruning, memory) = (settings.pruning, settings.memory);
        found.pruning = Some(pruning.name(depth));
        found.heuristic = coset.spec(self.domain.metric()).name;
        found.table_bytes = coset.bytes();
        let domain = TwoSided(ByteCube3::new(self.domain));
        let automata = self.automata.ends(&domain.0, keep, &[], &|| {
            job.prepare("the forbidden strings", |cancel| {
                let request = PruningRequest { pruning, depth, keep, cancel, memory };
                automata::strings(&self.domain, request)
            })
        })?;
        let start = domain.state(&start.into());
        found.run(job, &|options| reading.search(&domain, &automata, &start, options, None));
        Ok(())
    }
}
