//! Sliding tiles: their heuristics by name, and text in and out.

mod allowed;
mod any_heuristic;
mod encoding;
mod exhaust;
mod heuristic;
mod names;
mod partition_search;
mod partitions;
mod plain;
mod slides;
mod solve;
mod solvers;
mod stats;
mod strings;
mod tables;
mod text;

use super::PuzzleKind;
use super::approach::FEW_NODES;
use super::built_in::{BuiltIn, BuiltInGame};
use super::configured::PlainSearch;
use crate::automata::{self, PruningRequest};
use crate::cache::Once;
use crate::counts;
use crate::instances::InstanceSet;
use crate::puzzle::{Aim, Choosing, Failure, InvalidInput, Puzzle, PuzzleInfo, Result, Tell};
use crate::run::Run;
use crate::settings::{
    ConfigureError, HeuristicChoice, MetricChoice, PruningChoice, Settings, SolverChoice,
};
use crate::solvers::Solver;
use crate::tables::TableSource;
use anytime::BEAM;
use distances::LearnedDistances;
use fsm::ForbiddenStrings;
use heuristic::{Sums, TilesHeuristic, steps};
use names::{own_name, size_of};
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::random::Random;
use search::{Op, Options, Plan, Reversible, plan};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tables::TableShelf;
use text::{MoveText, read_board, with_goal};
use tiles::{AnyTiles, Board, ReferenceTiles, TableLayout, WideWord, operator_name, parse_plan};

/// The entry of the sliding tiles in [`super::PUZZLES`].
pub(super) const KIND: PuzzleKind = PuzzleKind {
    names: &["8-puzzle", "15-puzzle", "19-puzzle", "24-puzzle", "ROWSxCOLS-tiles"],
    heuristics: &heuristic::NAMES,
    solvers: &["bidirectional", "perimeter", "macros"],
    states: "numbers row by row, 0 the blank, or its moves from the goal",
    instances: &[
        InstanceSet {
            name: "korf100",
            puzzle: "15-puzzle",
            title: "a hundred boards of Korf (1985)",
            text: tiles::instances::KORF_100,
            most: 100,
        },
        InstanceSet {
            name: "korf-taylor",
            puzzle: "24-puzzle",
            title: "ten boards of Korf and Taylor (1996)",
            text: tiles::instances::KORF_FELNER_50,
            most: 10,
        },
        InstanceSet {
            name: "korf-felner50",
            puzzle: "24-puzzle",
            title: "fifty boards of Korf and Felner (2002)",
            text: tiles::instances::KORF_FELNER_50,
            most: 50,
        },
        InstanceSet {
            name: "random-19",
            puzzle: "19-puzzle",
            title: "a hundred random boards, of docs/RANDOM_19.md",
            text: tiles::instances::RANDOM_19,
            most: 100,
        },
    ],
    titles: || {
        vec![
            ("8-puzzle", "sliding tiles, 3 rows of 3"),
            ("15-puzzle", "sliding tiles, 4 rows of 4"),
            ("19-puzzle", "sliding tiles, 4 rows of 5"),
            ("24-puzzle", "sliding tiles, 5 rows of 5"),
            ("ROWSxCOLS-tiles", "sliding tiles, 2 to 7 rows and columns, at most 40 squares"),
        ]
    },
    configure,
    named: tables::named,
    definition: |_| None,
};

/// A board with a heuristic.
///
/// Its code takes boards of any size, so it is compiled once. Only searches and counts of states
/// convert boards to the type with which they are fastest.
pub(super) struct TilesGame {
    domain: AnyTiles,
    source: TableSource,
    memory: u64,
    /// The moves that plans may make, if not all.
    allowed: Option<Vec<Op>>,
    heuristic: TilesHeuristic,
    shelf: TableShelf,
    /// What `best` searches with while its tables are not at hand, smallest first.
    steps: Vec<Step>,
    /// The heuristics `pairs` and `triples`, learned when they are first needed.
    learned: Once<Arc<LearnedDistances>>,
}

/// Smaller tables that a search begins with.
struct Step {
    heuristic: TilesHeuristic,
    shelf: TableShelf,
    /// The nodes of all searches with them.
    nodes: AtomicU64,
}

/// A configured board.
type TilesPuzzle = BuiltInGame<TilesGame>;

/// The puzzle with this name, if it is one of sliding tiles.
fn configure(name: &str, settings: &Settings) -> Option<Result<Box<dyn Puzzle>, ConfigureError>> {
    let (rows, columns) = size_of(name)?;
    let board = <AnyTiles>::of_size(rows, columns).ok_or_else(|| {
        ConfigureError::invalid(format!(
            "{rows}x{columns}-tiles: boards have 2 to 7 rows and columns, and at most 40 squares"
        ))
    });
    if settings.cost.is_some() {
        let wrong = format!("{name} takes no cost: every move of a tile costs 1");
        return Some(Err(ConfigureError::invalid(wrong)));
    }
    Some(board.and_then(|board| -> Result<Box<dyn Puzzle>, _> {
        match settings.metric {
            None => Ok(Box::new(TilesGame::configure(name, board, settings)?)),
            Some(MetricChoice::MultiTile) => {
                Ok(Box::new(slides::configure(name, board, settings)?))
            }
            Some(metric) => Err(ConfigureError::invalid(format!(
                "{name} takes no metric {metric}: expected mtm (a slide of several tiles is one \
                 move), or no metric (every move of a tile is one)"
            ))),
        }
    }))
}

impl TilesGame {
    /// The puzzle on a board, with the goal that the settings name.
    fn configure(
        name: &str,
        board: AnyTiles,
        settings: &Settings,
    ) -> Result<TilesPuzzle, ConfigureError> {
        let domain = with_goal(board, &settings.goal)?;
        let mut info = PuzzleInfo::new(own_name(domain.rows(), domain.columns()), None);
        info.squares = Some(domain.rows() * domain.columns());
        info.board = Some((domain.rows(), domain.columns()));
        info.has_near_optimal = settings.solver == SolverChoice::Optimal;
        info.planners = info.has_near_optimal.then_some(BEAM).into_iter().collect();
        let heuristic = TilesHeuristic::new(name, domain.grid(), settings)?;
        let (source, memory) = (TableSource::new(settings), settings.memory);
        let none = (&[][..], TableLayout::Ranked);
        let (patterns, layout) =
            heuristic.sums().map_or(none, |sums| (&sums.patterns[..], sums.layout));
        let shelf = TableShelf::new(source.clone(), patterns, layout);
        let allowed = settings.moves.as_deref().map(allowed::parse).transpose()?;
        let allowed = allowed.filter(|allowed| allowed.len() < allowed::WAYS);
        let learned = Once::default();
        let step = |sums: Sums| {
            let shelf = TableShelf::new(source.clone(), &sums.patterns, sums.layout);
            let heuristic = TilesHeuristic::Tables(sums);
            Step { heuristic, shelf, nodes: AtomicU64::new(0) }
        };
        let is_best = settings.heuristic == HeuristicChoice::Best;
        let full = heuristic.sums().filter(|_| is_best);
        let steps = full.map_or_else(Vec::new, |full| steps(domain.grid(), settings, full));
        let steps = steps.into_iter().map(step).collect();
        let game = Self { domain, source, memory, allowed, heuristic, shelf, steps, learned };
        BuiltInGame::new(info, settings, &KIND, game)
    }
}

impl TilesGame {
    /// The forbidden strings of a request, if the program keeps them.
    fn known_strings(&self, request: &PruningRequest<'_>) -> Option<ForbiddenStrings> {
        let PruningChoice::Fsm(own) = request.pruning else { return None };
        // Larger boards have the strings of the board of 5 by 5: see [`Game::strings`].
        let small = self.domain.to_word::<u128>();
        let (rows, columns) = small.map_or((5, 5), |domain| (domain.rows(), domain.columns()));
        let depth = own.map_or(request.depth, usize::from);
        (depth == strings::DEPTH).then(|| strings::known(rows, columns, request.keep)).flatten()
    }
}

impl TilesGame {
    /// The board on which the strings of a board of more than 16 squares are learned.
    ///
    /// Strings are learned on boards whose states have keys, so of at most 25 squares. A larger
    /// board uses the strings of the 5 by 5 board. Whether a string applies depends only on how far
    /// the blank goes in each direction. If one string can replace another at all walls of the 5 by
    /// 5 board, its blank goes no farther in any direction. So it can replace the other on every
    /// larger board.
    fn board_of_strings(&self) -> AnyTiles<u128> {
        let domain = self.domain.to_word().or_else(|| AnyTiles::<u128>::of_size(5, 5));
        domain.expect("a word of 128 bits has room for 5 by 5 squares")
    }
}

impl BuiltIn for TilesGame {
    type Domain = AnyTiles;

    /// Reads the numbers of a board, or moves of the blank from the goal.
    fn parse(&self, state: &str) -> Result<Board<WideWord>, InvalidInput> {
        let moves = MoveText { parse: &parse_plan, name: &|op| self.operator(op) };
        read_board((&self.domain, &self.domain), state, &moves)
    }

    fn text(&self, state: &Board<WideWord>) -> String {
        self.domain.text(state)
    }

    fn facts(&self, state: &Board<WideWord>) -> Vec<(&'static str, String)> {
        let manhattan = self.domain.manhattan(state).to_string();
        vec![("board", self.text(state)), ("manhattan", manhattan)]
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        let plan = parse_plan(plan)?;
        self.check_allowed(&plan)?;
        Ok(plan)
    }

    fn operator(&self, op: Op) -> String {
        operator_name(op).unwrap_or_default().to_owned()
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        let plan = self.parse_plan(moves)?;
        Ok(plan.iter().rev().map(|&op| self.operator(self.domain.inverse_op(op))).collect())
    }

    /// Replays a plan on a list of numbers.
    fn replay(&self, state: &Board<WideWord>, plan: &[Op]) -> Result<(), plan::Invalid> {
        let reference =
            ReferenceTiles::new(self.domain.columns(), self.domain.numbers(&self.domain.goal()));
        plan::validate(&reference, &self.domain.numbers(state), plan)
    }

    fn random(&self, seed: u64) -> Box<dyn Iterator<Item = Board<WideWord>> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || self.domain.random(&mut random)))
    }

    fn domain(&self) -> &Self::Domain {
        &self.domain
    }

    fn encoding(&self, start: &Board<WideWord>) -> Result<Encoding, EncodingError> {
        encoding::of_board(&self.domain, (self.allowed.as_deref(), 1), start)
    }

    fn plain(&self) -> Result<PlainPuzzle, String> {
        plain::of_board(&self.domain, self.allowed.as_deref()).map_err(|error| error.to_string())
    }

    fn plain_state(&self, state: &Board<WideWord>) -> Option<Vec<u16>> {
        Some(plain::values(&self.domain, state))
    }

    fn solver(&self, name: &str) -> Option<Box<dyn Solver<AnyTiles>>> {
        solvers::named(&self.domain, name)
    }

    fn depth(&self) -> usize {
        if self.allowed.is_some() { 2 } else { strings::DEPTH }
    }

    fn strings(&self, request: PruningRequest<'_>) -> Result<ForbiddenStrings> {
        if let Some(allowed) = &self.allowed {
            return self.strings_of(allowed, request);
        }
        if request.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if let Some(known) = self.known_strings(&request) {
            return Ok(known);
        }
        match self.domain.to_word::<u64>() {
            Some(domain) => automata::strings(&domain, request),
            None => automata::strings(&self.board_of_strings(), request),
        }
    }

    fn plain_search(&self, request: PruningRequest<'_>) -> Result<PlainSearch> {
        let usual = || Some(plain::manhattan(&self.domain));
        if self.allowed.is_some() {
            return Ok(PlainSearch { heuristic: usual(), ..PlainSearch::default() });
        }
        let twins = match self.domain.to_word::<u64>() {
            Some(domain) => automata::twins(&domain, request),
            None => automata::twins(&self.board_of_strings(), request),
        };
        let heuristic = plain::heuristic(&self.domain, &self.heuristic);
        let is_searched = heuristic.is_some();
        Ok(PlainSearch { twins: Some(twins?), heuristic: heuristic.or_else(usual), is_searched })
    }

    fn context(&self) -> usize {
        self.domain.blank_home()
    }

    fn count_states(&self, depth: usize, options: &Options<'_>, tell: &mut Tell<'_>) -> Result<()> {
        if let Some(allowed) = &self.allowed {
            self.count_with(allowed, depth, tell);
            Ok(())
        } else if let Some(domain) = self.domain.to_word::<u64>() {
            counts::count_states(&domain, domain.goal(), depth, options, tell)
        } else if let Some(domain) = self.domain.to_word::<u128>() {
            counts::count_states(&domain, domain.goal(), depth, options, tell)
        } else {
            Err(Failure::refused("states are counted on boards of at most 25 squares"))
        }
    }

    fn search(own: &BuiltInGame<Self>, start: &Board<WideWord>, run: &mut Run<'_>) -> Result<()> {
        own.search_board(start, run)
    }

    fn scramble_aim(own: &BuiltInGame<Self>) -> Option<(Aim, Option<u64>)> {
        let is_small = own.game.domain.rows() * own.game.domain.columns() <= 10;
        let near = own.info.has_near_optimal.then_some((Aim::NearOptimal, Some(FEW_NODES)));
        if is_small { Some((Aim::Optimal, None)) } else { near }
    }

    fn choosing(own: &BuiltInGame<Self>) -> Option<&dyn Choosing> {
        Some(own)
    }
}
