//! The 3x3x3 cube: its heuristics by name, and text in and out.

mod beliefs;
mod choose_tables;
mod coset_tables;
mod decomposition;
mod heuristic;
mod ladder;
mod near_optimal;
mod pieces;
mod plain;
mod solvers;
mod stats;
mod tables;

use super::PuzzleKind;
use super::built_in::{BuiltIn, BuiltInGame};
use super::configured::PlainSearch;
use super::cubes;
use super::derived_cube;
use crate::automata::{self, PruningRequest};
use crate::counts;
use crate::instances::InstanceSet;
use crate::puzzle::{Aim, Failure, InvalidInput, PuzzleInfo, Result, Tell};
use crate::puzzles::pieces::Pieces;
use crate::run::Run;
use crate::settings::{ConfigureError, Settings};
use crate::solvers::{Solver, StageLine};
use crate::tables::TableSource;
use cube::notation::{NAMED, named, parse_state};
use cube::{Cube3, CubeManhattan, Cycles, FaceletCube, Facelets};
use fsm::ForbiddenStrings;
use heuristic::CubeHeuristic;
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::random::Random;
use search::{Op, Options, Plan, plan};
use tables::CubeTables;

/// The entry of the 3x3x3 in [`super::PUZZLES`].
pub(super) const KIND: PuzzleKind = PuzzleKind {
    names: &["3x3x3"],
    heuristics: &["best", "korf97", "manhattan"],
    solvers: &[
        "bidirectional",
        "perimeter",
        "schroeppel-shamir",
        "macros",
        "bayes",
        "thistlethwaite",
        "two-phase",
        "reid",
        "stages",
        decomposition::NAMES[0],
        decomposition::NAMES[1],
        decomposition::NAMES[2],
        decomposition::NAMES[3],
        decomposition::NAMES[4],
        decomposition::NAMES[5],
    ],
    states: "moves such as R U' F2, 54 facelets in the order U R F D L B, \
             a KPattern, or a name such as superflip",
    instances: &[
        InstanceSet {
            name: "korf97",
            puzzle: "3x3x3",
            title: "ten cubes of Korf (1997)",
            text: cube::instances::KORF_97,
            most: 10,
        },
        InstanceSet {
            name: "random-cubes",
            puzzle: "3x3x3",
            title: "a hundred random cubes, of docs/RANDOM_CUBES.md",
            text: cube::instances::RANDOM,
            most: 100,
        },
    ],
    titles: || vec![("3x3x3", "3x3x3 cube (Rubik's cube)")],
    configure: |name, settings| {
        (name == "3x3x3").then(|| {
            derived_cube::configure(KIND.names[0], 9, settings, &|settings| {
                Ok(Box::new(Cube::configure(settings)?) as _)
            })
        })
    },
    named: |name, table| {
        let spec = CubeTables::all_specs().find(|spec| spec.fingerprint() == table.fingerprint);
        spec.map(|spec| spec.name == name)
    },
    definition: |_| None,
};

/// The 3x3x3 with a heuristic.
pub(super) struct CubeGame {
    domain: Cube3,
    heuristic: CubeHeuristic,
    tables: CubeTables,
}

/// A configured 3x3x3.
type Cube = BuiltInGame<CubeGame>;

impl Cube {
    fn configure(settings: &Settings) -> Result<Self, ConfigureError> {
        let name = KIND.names[0];
        let Some(heuristic) = CubeHeuristic::named(settings.heuristic.name()) else {
            return Err(KIND.unknown_heuristic(name, settings));
        };
        settings.check_memory(heuristic.bytes_needed())?;
        let domain = Cube3::new(cubes::metric(settings)?);
        let tables = CubeTables::new(domain, TableSource::new(settings));
        let game = CubeGame { domain, heuristic, tables };
        let mut info = PuzzleInfo::new(name, Some(settings.turn_metric()));
        info.face_stickers = Some(9);
        info.has_near_optimal = heuristic == CubeHeuristic::Best
            && near_optimal::bytes(heuristic, settings.memory).is_some();
        Self::new(info, settings, &KIND, game)
    }
}

impl BuiltIn for CubeGame {
    type Domain = Cube3;

    fn parse(&self, state: &str) -> Result<cube::Cube, InvalidInput> {
        cubes::refuse_open(state, 9)?;
        Ok(parse_state(state)?)
    }

    fn product(&self, first: &cube::Cube, then: &cube::Cube) -> Option<cube::Cube> {
        Some(first.compose(then))
    }
    fn inverse(&self, state: &cube::Cube) -> Option<cube::Cube> {
        Some(state.inverse())
    }

    fn pieces(&self) -> Option<&dyn Pieces<cube::Cube>> {
        Some(self)
    }

    fn text(&self, state: &cube::Cube) -> String {
        Facelets::from(state).to_string()
    }

    fn facts(&self, state: &cube::Cube) -> Vec<(&'static str, String)> {
        let name = NAMED.into_iter().find(|(name, _)| named(name) == Some(*state));
        let mut facts = vec![("facelets", self.text(state)), ("cycles", Cycles(state).to_string())];
        facts.extend(name.map(|(name, _)| ("name", name.to_owned())));
        facts
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        Ok(self.domain.plan(&cubes::moves(plan, 9)?))
    }

    fn operator(&self, op: Op) -> String {
        self.domain.name(op)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        cubes::invert(moves, 9)
    }

    /// Replays a plan on the stickers.
    fn replay(&self, state: &cube::Cube, plan: &[Op]) -> Result<(), plan::Invalid> {
        plan::validate(&FaceletCube::new(self.domain.metric()), &Facelets::from(state), plan)
    }

    fn random(&self, seed: u64) -> Box<dyn Iterator<Item = cube::Cube> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || cube::Cube::random(&mut random)))
    }

    fn domain(&self) -> &Cube3 {
        &self.domain
    }

    fn encoding(&self, start: &cube::Cube) -> Result<Encoding, EncodingError> {
        let ends = (start, &cube::Cube::SOLVED);
        cubes::encoding(&self.domain, ends, |op| self.operator(op), (true, cube::Cube::parts))
    }

    fn plain(&self) -> Result<PlainPuzzle, String> {
        let parts = (true, cube::Cube::parts);
        cubes::plain(&self.domain, &cube::Cube::SOLVED, |op| self.operator(op), parts)
    }

    fn plain_state(&self, state: &cube::Cube) -> Option<Vec<u16>> {
        Some(cubes::plain_state(&state.parts(), true))
    }

    fn solver(&self, name: &str) -> Option<Box<dyn Solver<Cube3>>> {
        solvers::named(self.domain, name)
    }

    fn stages(&self, lines: Vec<StageLine>) -> Result<Box<dyn Solver<Cube3>>, String> {
        cubes::stages(self.domain, lines, |domain, op| domain.turn(op))
    }

    fn depth(&self) -> usize {
        cubes::depth(self.domain.metric())
    }

    fn strings(&self, request: PruningRequest<'_>) -> Result<ForbiddenStrings> {
        automata::strings(&self.domain, request)
    }

    fn plain_search(&self, request: PruningRequest<'_>) -> Result<PlainSearch> {
        let puzzle = BuiltIn::plain(self).map_err(Failure::refused)?;
        let memory = request.memory;
        let twins = Some(automata::twins(&self.domain, request)?);
        let heuristic = match self.heuristic {
            CubeHeuristic::Korf97 => Some(plain::korf97(&puzzle)),
            CubeHeuristic::Best if memory >= plain::COSET_BYTES => Some(plain::cosets()),
            _ => None,
        };
        let is_searched = self.heuristic == CubeHeuristic::Korf97;
        Ok(PlainSearch { twins, heuristic, is_searched })
    }

    fn count_states(&self, depth: usize, options: &Options<'_>, tell: &mut Tell<'_>) -> Result<()> {
        counts::count_states(&self.domain, cube::Cube::SOLVED, depth, options, tell)
    }

    fn search(own: &Cube, start: &cube::Cube, run: &mut Run<'_>) -> Result<()> {
        let game = &own.game;
        match game.heuristic {
            CubeHeuristic::Manhattan => {
                let manhattan = CubeManhattan::new(game.domain.metric());
                let automaton = own.automaton(run.keep(), run)?;
                run.search(&game.domain, &manhattan, automaton, start);
                Ok(())
            }
            CubeHeuristic::Korf97 => {
                let korf97 = run.tables(|run| game.tables.korf97(run))?;
                run.reads_bytes(game.heuristic.bytes_needed());
                let automaton = own.automaton(run.keep(), run)?;
                run.search_tables(&game.domain, korf97, automaton, start);
                Ok(())
            }
            CubeHeuristic::Best if run.request.aim == Aim::NearOptimal => own.near(start, run),
            CubeHeuristic::Best => own.climb(start, run),
        }
    }

    /// A near-optimal plan is found at once, and is as good a scramble as an optimal one.
    fn scramble_aim(own: &Cube) -> Option<(Aim, Option<u64>)> {
        own.info.has_near_optimal.then_some((Aim::NearOptimal, None))
    }
}
