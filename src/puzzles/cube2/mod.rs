//! The 2x2x2 cube: its heuristics by name, and text in and out.

mod tables;

use super::PuzzleKind;
use super::built_in::{BuiltIn, BuiltInGame};
use super::configured::{GameStates, GameTables};
use super::cubes;
use super::derived_cube::{self, is_for_goal};
use crate::automata::{self, PruningRequest};
use crate::counts;
use crate::ladder::outlook::{formula, sampled};
use crate::puzzle::{
    Failure, InvalidInput, Prediction, PuzzleInfo, Result, TableCandidate, TableHistogram, Tell,
};
use crate::run::Run;
use crate::settings::{ConfigureError, Settings, SolverChoice};
use crate::solvers::{
    Bayes, Bidirectional, Decomposition, Macros, PerimeterSearch, SchroeppelShamir, Solver,
    StageLine, built,
};
use crate::tables::TableSource;
use cube::cube2::{Cube2, FaceletPocket, Pocket, PocketFacelets, PocketManhattan, parse_state};
use cube::macros::PocketOrder;
use cube::{CORNER_NAMES, CubeMetric, Cycles};
use fsm::{ForbiddenStrings, Keep};
use pdb::Modulo3;
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::predict::Distribution;
use search::random::Random;
use search::{Cost, Heuristic, Op, Options, Plan, ida_star, plan};
use tables::DistanceTable;

/// The entry of the 2x2x2 in [`super::PUZZLES`].
pub(super) const KIND: PuzzleKind = PuzzleKind {
    names: &["2x2x2"],
    heuristics: &["best", "table", "manhattan"],
    solvers: &[
        "bidirectional",
        "perimeter",
        "schroeppel-shamir",
        "macros",
        "bayes",
        "stages",
        "decomposition",
    ],
    states: "moves such as R U' F2, 24 facelets in the order U R F D L B, or a KPattern",
    instances: &[],
    titles: || vec![("2x2x2", "2x2x2 cube (pocket cube)")],
    configure: |name, settings| {
        (name == "2x2x2").then(|| {
            derived_cube::configure(KIND.names[0], 4, settings, &|settings| {
                Ok(Box::new(TwoByTwo::configure(settings)?) as _)
            })
        })
    },
    named: |name, table| {
        let mut specs = METRICS.map(tables::spec).into_iter();
        let spec = specs.find(|spec| spec.fingerprint() == table.fingerprint);
        spec.map(|spec| spec.name == name)
    },
    definition: |_| None,
};

const METRICS: [CubeMetric; 2] = [CubeMetric::HalfTurn, CubeMetric::QuarterTurn];

/// The heuristics by name. All but `Best` are published configurations, which never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PocketHeuristic {
    /// [`PocketManhattan`]: a quarter of the sum of the single corners' distances.
    Manhattan,
    /// A table of all distances modulo 3. Walking down to the goal gives the true distance of a
    /// state (Fowler 2002).
    Table,
    /// The same table as `Table`, since no heuristic is faster.
    Best,
}

/// The 2x2x2 with a heuristic.
pub(super) struct PocketGame {
    domain: Cube2,
    heuristic: PocketHeuristic,
    table: DistanceTable,
}

/// A configured 2x2x2.
type TwoByTwo = BuiltInGame<PocketGame>;

impl TwoByTwo {
    fn configure(settings: &Settings) -> Result<Self, ConfigureError> {
        let name = KIND.names[0];
        let (heuristic, needed) = match settings.heuristic.name() {
            "manhattan" => (PocketHeuristic::Manhattan, 0),
            "table" => (PocketHeuristic::Table, Modulo3::bytes_for(Pocket::COUNT.into())),
            "best" => (PocketHeuristic::Best, Modulo3::bytes_for(Pocket::COUNT.into())),
            _ => return Err(KIND.unknown_heuristic(name, settings)),
        };
        settings.check_memory(needed)?;
        let metric = cubes::metric(settings)?;
        let domain = Cube2::new(metric);
        let table = DistanceTable::new(domain, TableSource::new(settings));
        let game = PocketGame { domain, heuristic, table };
        let mut info = PuzzleInfo::new(name, Some(settings.turn_metric()));
        info.face_stickers = Some(4);
        // An optimal plan is found at once.
        info.has_near_optimal = settings.solver == SolverChoice::Optimal;
        Self::new(info, settings, &KIND, game)
    }
}

impl BuiltIn for PocketGame {
    type Domain = Cube2;

    fn parse(&self, state: &str) -> Result<Pocket, InvalidInput> {
        cubes::refuse_open(state, 4)?;
        Ok(parse_state(state)?)
    }

    fn product(&self, first: &Pocket, then: &Pocket) -> Option<Pocket> {
        Some(first.compose(then))
    }
    fn inverse(&self, state: &Pocket) -> Option<Pocket> {
        Some(state.inverse())
    }

    fn text(&self, state: &Pocket) -> String {
        PocketFacelets::from(state).to_string()
    }

    fn facts(&self, state: &Pocket) -> Vec<(&'static str, String)> {
        vec![("facelets", self.text(state)), ("cycles", Cycles(&state.cube()).to_string())]
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        Ok(self.domain.plan(&cubes::moves(plan, 4)?))
    }

    fn operator(&self, op: Op) -> String {
        self.domain.name(op)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        cubes::invert(moves, 4)
    }

    /// Replays a plan on the stickers of the puzzle as it is held.
    fn replay(&self, state: &Pocket, plan: &[Op]) -> Result<(), plan::Invalid> {
        plan::validate(
            &FaceletPocket::new(self.domain.metric()),
            &PocketFacelets::from(state),
            plan,
        )
    }

    fn random(&self, seed: u64) -> Box<dyn Iterator<Item = Pocket> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || Pocket::random(&mut random)))
    }

    fn domain(&self) -> &Cube2 {
        &self.domain
    }

    fn encoding(&self, start: &Pocket) -> Result<Encoding, EncodingError> {
        let (ends, parts) = ((start, &Pocket::SOLVED), |state: &Pocket| state.cube().parts());
        cubes::encoding(&self.domain, ends, |op| self.operator(op), (false, parts))
    }

    fn plain(&self) -> Result<PlainPuzzle, String> {
        let parts = (false, |state: &Pocket| state.cube().parts());
        cubes::plain(&self.domain, &Pocket::SOLVED, |op| self.operator(op), parts)
    }

    fn plain_state(&self, state: &Pocket) -> Option<Vec<u16>> {
        Some(cubes::plain_state(&state.cube().parts(), false))
    }

    /// The state turned as a whole until the corner DBL is home.
    fn start(&self, held: &Pocket) -> Pocket {
        held.normalised()
    }

    fn solver(&self, name: &str) -> Option<Box<dyn Solver<Cube2>>> {
        let manhattan = || PocketManhattan::new(self.domain.metric());
        Some(match name {
            "bidirectional" => {
                Box::new(Bidirectional::of_group(&self.domain, "manhattan", manhattan()))
            }
            "perimeter" => Box::new(PerimeterSearch::new(Pocket::SOLVED, "manhattan", manhattan())),
            "schroeppel-shamir" => Box::new(SchroeppelShamir),
            "macros" => {
                let name = |order: &PocketOrder, feature| order.name(feature).to_owned();
                Box::new(Macros::new(Pocket::SOLVED, PocketOrder, name))
            }
            "bayes" => {
                let domain = self.domain;
                Box::new(Bayes::new(tables::bayes_settings(&domain), move |run| {
                    tables::beliefs(&domain, run)
                }))
            }
            "decomposition" => {
                let corner = |point: &u16| CORNER_NAMES[usize::from(point / 3)];
                let name =
                    move |points: &[u16]| points.iter().map(corner).collect::<Vec<_>>().join(" ");
                Box::new(Decomposition::new(self.depth(), name, Box::new(built)))
            }
            _ => return None,
        })
    }

    fn stages(&self, lines: Vec<StageLine>) -> Result<Box<dyn Solver<Cube2>>, String> {
        cubes::stages(self.domain, lines, |domain, op| domain.turn(op))
    }

    fn depth(&self) -> usize {
        cubes::depth(self.domain.metric())
    }

    fn strings(&self, request: PruningRequest<'_>) -> Result<ForbiddenStrings> {
        automata::strings(&self.domain, request)
    }

    fn count_states(&self, depth: usize, options: &Options<'_>, tell: &mut Tell<'_>) -> Result<()> {
        counts::count_states(&self.domain, Pocket::SOLVED, depth, options, tell)
    }

    fn search(own: &TwoByTwo, held: &Pocket, run: &mut Run<'_>) -> Result<()> {
        let (game, start) = (&own.game, own.game.start(held));
        let automaton = own.automaton(run.keep(), run)?;
        if game.heuristic == PocketHeuristic::Manhattan {
            let manhattan = PocketManhattan::new(game.domain.metric());
            run.search(&game.domain, &manhattan, automaton, &start);
            return Ok(());
        }
        let walk = run.tables(|run| game.table.walk(run))?;
        let name = match game.heuristic {
            PocketHeuristic::Best => format!("best/{}", game.table.spec().name),
            _ => own.settings.heuristic.to_string(),
        };
        run.reads(name, walk.table().bytes().len() as u64);
        // The bound is the true cost, so there is nothing to share among threads.
        run.search_by(&|options| ida_star(&game.domain, walk, automaton, &start, options));
        Ok(())
    }
}

impl GameTables for TwoByTwo {
    fn owns(&self, table: &str) -> bool {
        METRICS.into_iter().any(|metric| tables::spec(metric).name == table)
            || is_for_goal(KIND.names[0], table)
    }

    fn explain(&self, _: &Run<'_>) -> Result<Vec<TableCandidate>> {
        self.game.with_table().map(|table| vec![TableCandidate::whole(table.spec())])
    }

    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        let Ok(table) = self.game.with_table() else { return Ok(Vec::new()) };
        table.walk(run)?;
        let spec = table.spec();
        Ok(vec![(spec.name, spec.payload_bytes)])
    }

    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        self.game.with_table()?.histogram(run).map(|table| vec![table])
    }
}

impl GameStates for TwoByTwo {
    fn counts_all(&self) -> bool {
        true
    }

    fn count_all(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        let table = self.game.with_table()?;
        let histogram = table.histogram(run)?;
        let counts = histogram.counts.iter().enumerate();
        counts.for_each(|(depth, &count)| tell(depth, count.into()));
        let walk = table.walk(run)?;
        let entries = walk.table().at_distance(walk.indexer(), histogram.max.into());
        // Ranks fit 32 bits: there are 3,674,160.
        let states = entries.take(antipodes).filter_map(|entry| u32::try_from(entry).ok());
        Ok(states.map(|rank| self.game.text(&Pocket::unrank(rank))).collect())
    }

    /// Predicts by the formula of Korf, Reid and Edelkamp, with the heuristic's values of all
    /// states.
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        let game = &self.game;
        let distribution = match game.heuristic {
            PocketHeuristic::Manhattan => {
                let manhattan = PocketManhattan::new(game.domain.metric());
                let states = (0..Pocket::COUNT).map(Pocket::unrank);
                sampled(states.map(|state| manhattan.estimate(&game.domain, &state)))
            }
            PocketHeuristic::Table | PocketHeuristic::Best => {
                Distribution::from_counts(&game.table.histogram(run)?.counts)
            }
        };
        let automaton = self.automaton(Keep::OneOptimal, run)?;
        let depth = usize::from(bound) + 1;
        let counts = fsm::sequence_counts(&game.domain, automaton, 0, depth);
        Ok(formula(&counts, distribution).into())
    }
}

impl PocketGame {
    /// The table of the heuristic. An error if the heuristic has none.
    fn with_table(&self) -> Result<&DistanceTable> {
        if self.heuristic == PocketHeuristic::Manhattan {
            let message = "manhattan has no tables: expected the heuristic table or best";
            return Err(Failure::refused(message));
        }
        Ok(&self.table)
    }
}
