//! Sliding tiles in the metric `mtm`: a slide of several tiles in a row or column is one move.

mod heuristic;
mod stats;
mod tables;

use super::names::own_name;
use super::tables::slide_spec;
use super::text::{MoveText, read_board, with_goal};
use super::{KIND, encoding};
use crate::automata::{self, PruningRequest};
use crate::counts;
use crate::puzzle::{Aim, Failure, InvalidInput, PuzzleInfo, Result, Tell};
use crate::puzzles::approach::{Approach, FEW_NODES};
use crate::puzzles::built_in::{BuiltIn, BuiltInGame};
use crate::puzzles::configured::Game;
use crate::run::Run;
use crate::settings::{ConfigureError, MetricChoice, PruningChoice, Settings, SolverChoice};
use crate::tables::TableSource;
use anytime::BEAM;
use fsm::{Automaton, ForbiddenStrings};
use heuristic::SlideHeuristic;
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::random::Random;
use search::{Domain, Heuristic, Op, Options, Plan, Reversible, plan};
use tables::SlideShelf;
use tiles::{
    AnyTiles, Board, BoardWord, ReferenceSlides, SlideLines, SlideTables, Slides, WideWord,
    direction_and_count, parse_slides, slide_name,
};

/// The greatest number of moves of a learned string, if the user names no depth.
const DEPTH: usize = 6;

/// A board with a heuristic.
pub(super) struct SlidesGame {
    domain: Slides,
    source: TableSource,
    memory: u64,
    heuristic: SlideHeuristic,
    shelf: SlideShelf,
}

/// A configured board.
type SlidesPuzzle = BuiltInGame<SlidesGame>;

/// The puzzle on a board, with the goal that the settings name.
pub(super) fn configure(
    name: &str,
    board: AnyTiles,
    settings: &Settings,
) -> Result<SlidesPuzzle, ConfigureError> {
    if settings.moves.is_some() {
        let error = format!("{name}: --moves names single moves: leave it out in the metric mtm");
        return Err(ConfigureError::invalid(error));
    }
    if let SolverChoice::Named(solver) = &settings.solver {
        let error = format!("{name} has no solver {solver} in the metric mtm: expected optimal");
        return Err(ConfigureError::invalid(error));
    }
    let domain = Slides::new(with_goal(board, &settings.goal)?);
    let (rows, columns) = (domain.tiles().rows(), domain.tiles().columns());
    let mut info = PuzzleInfo::new(own_name(rows, columns), Some(MetricChoice::MultiTile));
    (info.squares, info.board) = (Some(rows * columns), Some((rows, columns)));
    (info.has_near_optimal, info.planners) = (true, vec![BEAM]);
    let heuristic = SlideHeuristic::new(domain.tiles().grid(), settings)?;
    let (source, memory) = (TableSource::new(settings), settings.memory);
    let shelf = SlideShelf::new(source.clone(), heuristic.patterns());
    let game = SlidesGame { domain, source, memory, heuristic, shelf };
    BuiltInGame::new(info, settings, &KIND, game)
}

impl SlidesGame {
    /// The puzzle in which each moved tile counts.
    fn tiles(&self) -> &AnyTiles {
        self.domain.tiles()
    }

    /// The longer side of the board, in squares.
    fn side(&self) -> usize {
        self.tiles().rows().max(self.tiles().columns())
    }

    /// The tables of the heuristic, loaded or built.
    fn tables_of<W: BoardWord>(&self, domain: &Slides<W>, run: &Run<'_>) -> Result<SlideTables> {
        Ok(SlideTables::new(domain, self.shelf.obtain(run)?.into_iter()))
    }
}

impl SlidesPuzzle {
    /// Searches a board that is one word of type `W`.
    fn search_in<W: BoardWord>(&self, start: &Board<WideWord>, run: &mut Run<'_>) -> Result<()> {
        let game = &self.game;
        let domain = game.domain.to_word::<W>().expect("a word with room for the board");
        // Learning takes memory of its own, which is free again before the tables come.
        let automaton = self.automaton(run.keep(), run)?;
        let tables = run.tables(|run| game.tables_of(&domain, run))?;
        let patterns = game.heuristic.patterns().iter();
        let bytes = patterns.map(|pattern| slide_spec(pattern).payload_bytes).sum();
        run.reads(self.settings.heuristic.name(), bytes);
        let board = start.to_word().expect("a word with room for the board");
        match game.heuristic {
            SlideHeuristic::Lines => {
                self.approach((&domain, &SlideLines, &board), start, automaton, run)
            }
            SlideHeuristic::Tables(_) => {
                self.approach((&domain, &tables, &board), start, automaton, run)
            }
        }
    }

    /// Looks for a proof, and for plans in place of it or within it.
    fn approach<W: BoardWord, H: Heuristic<Slides<W>>>(
        &self,
        (domain, heuristic, board): (&Slides<W>, &H, &Board<W>),
        start: &Board<WideWord>,
        automaton: &Automaton<u32>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let search = |run: &mut Run<'_>| {
            run.search(domain, heuristic, automaton, board);
            Ok(())
        };
        // Small boards are solved soon, so that a plan is of no use before the proof.
        if run.request.aim != Aim::NearOptimal && self.game.tiles().grid().squares() <= 16 {
            return search(run);
        }
        let approach = Approach {
            names: &|plan| Game::names(self, plan),
            cost: &|plan| plan.len() as u64,
            replay: &|plan| self.game.replay(start, plan),
            is_hopeless: false,
        };
        approach.by_operators((domain, heuristic, board), (self.game.memory, false), run, search)
    }
}

impl BuiltIn for SlidesGame {
    type Domain = Slides;

    /// Reads the numbers of a board, or moves of the blank from the goal.
    fn parse(&self, state: &str) -> Result<Board<WideWord>, InvalidInput> {
        let parse = |text: &str| parse_slides(text, self.side());
        let moves = MoveText { parse: &parse, name: &slide_name };
        read_board((self.tiles(), &self.domain), state, &moves)
    }

    fn text(&self, state: &Board<WideWord>) -> String {
        self.tiles().text(state)
    }

    fn facts(&self, state: &Board<WideWord>) -> Vec<(&'static str, String)> {
        let bound = SlideLines.estimate(&self.domain, state).to_string();
        vec![("board", self.text(state)), ("manhattan", bound)]
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        Ok(parse_slides(plan, self.side())?)
    }

    fn operator(&self, op: Op) -> String {
        slide_name(op)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        let plan = self.parse_plan(moves)?;
        Ok(plan.iter().rev().map(|&op| slide_name(self.domain.inverse_op(op))).collect())
    }

    /// Replays a plan on a list of numbers.
    fn replay(&self, state: &Board<WideWord>, plan: &[Op]) -> Result<(), plan::Invalid> {
        let goal = self.tiles().numbers(&self.tiles().goal());
        let reference = ReferenceSlides::new(self.tiles().columns(), goal);
        plan::validate(&reference, &self.tiles().numbers(state), plan)
    }

    /// The states of the metric of single tiles.
    fn random(&self, seed: u64) -> Box<dyn Iterator<Item = Board<WideWord>> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || self.tiles().random(&mut random)))
    }

    fn domain(&self) -> &Slides {
        &self.domain
    }

    fn encoding(&self, start: &Board<WideWord>) -> Result<Encoding, EncodingError> {
        encoding::of_board(self.tiles(), (None, usize::MAX), start)
    }

    fn plain(&self) -> Result<PlainPuzzle, String> {
        Err("a move of several tiles is no move of the blank to its neighbour".to_owned())
    }

    fn depth(&self) -> usize {
        if self.tiles().grid().squares() <= 25 { DEPTH } else { 2 }
    }

    fn strings(&self, request: PruningRequest<'_>) -> Result<ForbiddenStrings> {
        if let Some(domain) = self.domain.to_word::<u64>() {
            return automata::strings(&domain, request);
        }
        if let Some(domain) = self.domain.to_word::<u128>() {
            return automata::strings(&domain, request);
        }
        // Boards without keys: two slides in one direction or in opposite ones are one, or none.
        let all = (0..self.domain.operators()).map(Op::new);
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| [a, b]));
        let way = |op: Op| direction_and_count(op).0;
        let is_forbidden = |[a, b]: &[Op; 2]| match request.pruning {
            PruningChoice::None => false,
            PruningChoice::Inverse => *b == self.domain.inverse_op(*a),
            PruningChoice::Fsm(_) => {
                way(*b) == way(*a) || way(*b) == way(self.domain.inverse_op(*a))
            }
        };
        let pairs: Vec<[Op; 2]> = pairs.filter(is_forbidden).collect();
        let costs = vec![1; self.domain.operators()];
        let strings = pairs.iter().map(|pair| &pair[..]);
        ForbiddenStrings::from_strings(&costs, 2, request.keep, strings).map_err(Failure::limit)
    }

    fn context(&self) -> usize {
        self.tiles().blank_home()
    }

    fn count_states(&self, depth: usize, options: &Options<'_>, tell: &mut Tell<'_>) -> Result<()> {
        let goal = self.tiles().goal();
        let fits = "a word with room for the board";
        if let Some(domain) = self.domain.to_word::<u64>() {
            counts::count_states(&domain, goal.to_word().expect(fits), depth, options, tell)
        } else if let Some(domain) = self.domain.to_word::<u128>() {
            counts::count_states(&domain, goal.to_word().expect(fits), depth, options, tell)
        } else {
            Err(Failure::refused("states are counted on boards of at most 25 squares"))
        }
    }

    fn search(own: &SlidesPuzzle, start: &Board<WideWord>, run: &mut Run<'_>) -> Result<()> {
        match own.game.tiles().grid().squares() {
            ..=16 => own.search_in::<u64>(start, run),
            17..=25 => own.search_in::<u128>(start, run),
            _ => own.search_in::<WideWord>(start, run),
        }
    }

    fn scramble_aim(own: &SlidesPuzzle) -> Option<(Aim, Option<u64>)> {
        let is_small = own.game.tiles().grid().squares() <= 10;
        Some(if is_small { (Aim::Optimal, None) } else { (Aim::NearOptimal, Some(FEW_NODES)) })
    }
}
