//! Solvers of the 3x3x3 from the literature, beside the optimal search.

use super::coset_tables::{BEHIND, Coset};
use super::tables::CubeTables;
use super::{beliefs, decomposition};
use crate::automata::{self, PruningRequest};
use crate::cache::{AutomatonCache, Once};
use crate::ladder::climb::BoundSource;
use crate::puzzle::{Failure, Result, StageLength, TooLittleMemory};
use crate::puzzles::cubes;
use crate::run::Run;
use crate::settings::Settings;
use crate::solvers::{
    Bayes, Bidirectional, Macros, PerimeterSearch, SchroeppelShamir, Solver, Task,
};
use crate::tables::TableSource;
use cube::macros::CubeOrder;
use cube::stages::Thistlethwaite;
use cube::two_phase::TwoPhase;
use cube::{ByteCube3, Cube3, CubeManhattan};
use fsm::Keep;
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
            Box::new(Bayes::new(beliefs::SETTINGS, move |run| beliefs::learned(metric, run)))
        }
        "thistlethwaite" => Box::new(FourStages { domain, tables: Once::default() }),
        "two-phase" => Box::new(Phases {
            tables: CubeTables::new(domain, TableSource::new(&Settings::default())),
        }),
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
    fn solve(&self, task: &Task<'_, Cube3>, run: &mut Run<'_>) -> Result<()> {
        let metric = self.domain.metric();
        let build = |run: &Run<'_>| {
            run.build("thistlethwaite", |options| Thistlethwaite::build(metric, options))
        };
        let tables = run.tables(|run| self.tables.get_or_make(run, || build(run)))?;
        run.reads("cosets", tables.bytes());
        let (names, each) = (["G1", "G2", "G3", "solved"], Limits::default());
        run.search_stages(&names, true, &|options| tables.solve(task.start, &each, options));
        Ok(())
    }
}

/// Generated nodes for better plans, if the request has no limit of nodes or time.
const NODES: u64 = 4_000_000;

/// Kociemba's two phases with one orientation of the cube ([`TwoPhase::lengthen`]).
struct Phases {
    tables: CubeTables,
}

impl Solver<Cube3> for Phases {
    fn solve(&self, task: &Task<'_, Cube3>, run: &mut Run<'_>) -> Result<()> {
        let start = task.start;
        let tables = run.tables(|run| self.tables.two_phase(run))?;
        run.reads("two-phase", TwoPhase::bytes());
        let names = ["phase 1", "phase 2"];
        // The first plan may be longer than the limit of the request. Longer phases 1 shorten it.
        let bound = run.request.limits.bound;
        let without = |options: &Options<'_>| {
            let limits = Limits { bound: None, ..options.limits.clone() };
            tables.phases(start, &Options { limits, ..options.clone() })
        };
        run.search_stages(&names, true, &without);
        let Some(Outcome::Solved(plans)) = run.results().outcome() else { return Ok(()) };
        let mut best: Plan = plans.iter().flatten().copied().collect();
        let length = Cost::try_from(best.len()).unwrap_or(Cost::MAX);
        let upper = bound.map_or(length, |bound| length.min(bound.saturating_add(1)));
        if run.results().lower_bound() < length {
            let limited = run.request.limits.nodes.is_some() || run.request.limits.time.is_some();
            let change = |options: &mut Options<'_>| {
                options.upper_bound = Some(upper);
                if !limited {
                    options.limits.nodes = Some(NODES);
                }
            };
            let report = run.continue_by(change, &|options| tables.lengthen(start, options));
            best = report.plan().cloned().unwrap_or(best);
        }
        if bound.is_some_and(|bound| best.len() > usize::from(bound)) {
            run.end(Outcome::LimitReached(Limit::Bound), false);
            run.goes_by(Vec::new());
            return Ok(());
        }
        let first = tables.phase_1(start, &best);
        let stages = names.iter().zip([first, best.len() - first]);
        run.goes_by(stages.map(|(name, length)| StageLength::new(*name, length)).collect());
        run.end(Outcome::Solved(vec![best]), true);
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
    fn solve(&self, task: &Task<'_, Cube3>, run: &mut Run<'_>) -> Result<()> {
        let Task { start, settings, .. } = *task;
        let coset = Coset::Axes(BEHIND);
        if coset.bytes() > settings.memory {
            let (needed, limit) = (coset.bytes(), settings.memory);
            return Err(TooLittleMemory::new("the solver reid", needed, limit).into());
        }
        let tables = self.tables.get_or_make(run, || {
            Ok::<_, Failure>(CubeTables::new(self.domain, TableSource::new(settings)))
        })?;
        let reading = run.tables(|run| tables.reading(coset, run))?;
        let (keep, depth) = (Keep::OneOptimal, cubes::depth(self.domain.metric()));
        let (pruning, memory) = (settings.pruning, settings.memory);
        run.prunes(pruning.name(depth));
        run.reads(coset.spec(self.domain.metric()).name, coset.bytes());
        let domain = TwoSided(ByteCube3::new(self.domain));
        let automata = self.automata.ends(&domain.0, keep, &[], run, &|| {
            run.prepare("the forbidden strings", |cancel| {
                let request = PruningRequest { pruning, depth, keep, cancel, memory };
                automata::strings(&self.domain, request)
            })
        })?;
        let start = domain.state(&start.into());
        run.search_by(&|options| reading.search(&domain, &automata, &start, options, None));
        Ok(())
    }
}
