//! Sliding tiles: their heuristics by name, and text in and out.

mod any;
mod choice;
mod choosing;
mod sizes;
mod solve;
mod stats;
mod tables;

use super::PuzzleKind;
use super::configured::{Configured, Game};
use crate::cache::Once;
use crate::puzzle::{
    Choosing, Explained, Failure, InvalidInput, Job, Prediction, PuzzleInfo, TableHistogram, Tell,
};
use crate::runs::Found;
use crate::settings::{ConfigureError, GoalChoice, PruningChoice, Settings};
use crate::tables::TableSource;
use choice::Choice;
use distances::LearnedDistances;
use fsm::Keep;
use search::random::Random;
use search::{CancelToken, Cost, Op, Plan, plan};
use sizes::{Size, own_name};
use std::sync::Arc;
use tables::Shelf;
use tiles::{Board, BoardWord, ReferenceTiles, Tiles, operator_name, parse_plan};

/// The boards in the list of puzzles.
pub(super) const KIND: PuzzleKind = PuzzleKind {
    names: &["8-puzzle", "15-puzzle", "19-puzzle", "24-puzzle", "ROWSxCOLS-tiles"],
    heuristics: &[
        "best",
        "manhattan",
        "linear-conflict",
        "korf-taylor",
        "pairs",
        "triples",
        "pdb:A-B-..",
        "tables:PARTITIONS",
    ],
    states: "numbers row by row, 0 the blank",
    configure: sizes::configure,
};

/// A board with a heuristic.
pub(super) struct TilesGame<W, const ROWS: usize, const COLS: usize> {
    domain: Tiles<W, ROWS, COLS>,
    choice: Choice,
    shelf: Shelf,
    /// The heuristics `pairs` and `triples`, learned when they are first needed.
    learned: Once<Arc<LearnedDistances>>,
}

/// A configured board.
type TilesPuzzle<W, const ROWS: usize, const COLS: usize> = Configured<TilesGame<W, ROWS, COLS>>;

impl<W: BoardWord, const ROWS: usize, const COLS: usize> TilesPuzzle<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    /// The puzzle on a board, with the goal that the settings name.
    fn configure(
        name: &str,
        board: Tiles<W, ROWS, COLS>,
        settings: &Settings,
    ) -> Result<Self, ConfigureError> {
        if let Some(metric) = settings.metric {
            return Err(ConfigureError::invalid(format!(
                "{name} takes no metric, here {metric}: every move of a tile counts as one"
            )));
        }
        let domain = match &settings.goal {
            GoalChoice::Solved => board,
            GoalChoice::State(goal) => board
                .with_goal_text(goal)
                .map_err(|error| ConfigureError::invalid(format!("goal: {error}")))?,
        };
        let info = PuzzleInfo::new(own_name(domain.rows(), domain.columns()), None);
        let choice = Choice::new(name, &domain, settings)?;
        let shelf = Shelf::new(TableSource::new(settings), &choice);
        let game = TilesGame { domain, choice, shelf, learned: Once::default() };
        Ok(Self::new(info, settings, game))
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Game for TilesGame<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    type Domain = Tiles<W, ROWS, COLS>;

    fn parse(&self, state: &str) -> Result<Board<W>, InvalidInput> {
        self.domain.parse(state).map_err(|error| InvalidInput(error.to_string()))
    }

    fn text(&self, state: &Board<W>) -> String {
        self.domain.text(state)
    }

    fn facts(&self, state: &Board<W>) -> Vec<(&'static str, String)> {
        let manhattan = self.domain.manhattan(state).to_string();
        vec![("board", self.text(state)), ("manhattan", manhattan)]
    }

    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        parse_plan(plan).map_err(|error| InvalidInput(error.to_string()))
    }

    fn operator(&self, op: Op) -> String {
        operator_name(op).unwrap_or_default().to_owned()
    }

    /// Replays a plan on a list of numbers.
    fn replay(&self, state: &Board<W>, plan: &[Op]) -> Result<(), plan::Invalid> {
        let twin =
            ReferenceTiles::new(self.domain.columns(), self.domain.numbers(&self.domain.goal()));
        plan::validate(&twin, &self.domain.numbers(state), plan)
    }

    fn random(&self, seed: u64) -> Box<dyn Iterator<Item = Board<W>> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || self.domain.random(&mut random)))
    }

    fn domain(&self) -> &Self::Domain {
        &self.domain
    }

    fn depth(&self) -> usize {
        14
    }

    fn strings(
        &self,
        pruning: PruningChoice,
        depth: usize,
        keep: Keep,
        cancel: &CancelToken,
    ) -> Result<fsm::ForbiddenStrings, Failure> {
        self.domain.strings(pruning, depth, keep, cancel)
    }

    fn context(&self) -> usize {
        self.domain.blank_home()
    }

    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        self.domain.count_states(depth, job, tell)
    }

    fn search(
        own: &Configured<Self>,
        start: &Board<W>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        own.search_board(start, job, found)
    }

    fn predict(own: &Configured<Self>, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        own.predict_nodes(bound, job).map(Prediction::from)
    }

    fn owns(&self, table: &str) -> bool {
        let rest = table.strip_prefix(&own_name(self.domain.rows(), self.domain.columns()));
        rest.is_some_and(|rest| rest.starts_with("-b"))
    }

    fn explain(own: &Configured<Self>) -> Result<Vec<Explained>, Failure> {
        own.explain_tables()
    }

    fn build(own: &Configured<Self>, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        own.obtain_all(job)
    }

    fn histograms(own: &Configured<Self>, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        own.table_histograms(job)
    }

    fn choosing(own: &Configured<Self>) -> Option<&dyn Choosing> {
        Some(own)
    }
}
