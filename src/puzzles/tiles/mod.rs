//! Sliding tiles as configured puzzles: what each heuristic name means, and text in and out.

mod any;
mod choice;
mod choosing;
mod sizes;
mod solve;
mod stats;
mod tables;

pub(crate) use sizes::configure;

use crate::configure::{ConfigureError, Pruning, Settings};
use crate::prunings;
use crate::puzzle::{
    Answer, Chosen, Explained, Failure, Job, LearnedSummary, Prediction, Puzzle, Refused, Replayed,
    TableHistogram, Wanted,
};
use crate::runs;
use crate::tables::TableSource;
use choice::Choice;
use distances::LearnedDistances;
use fsm::{Automaton, Keep};
use search::random::Random;
use search::{Cost, Op, plan};
use sizes::{Size, own_name};
use std::sync::{Arc, Mutex, PoisonError};
use tables::Shelf;
use tiles::{Board, BoardWord, ReferenceTiles, Tiles, operator_name, parse_plan};

/// A configured board.
pub(crate) struct TilesPuzzle<W, const ROWS: usize, const COLS: usize> {
    name: String,
    domain: Tiles<W, ROWS, COLS>,
    choice: Choice,
    settings: Settings,
    shelf: Shelf,
    /// The heuristics `pairs` and `triples`, once they are learned.
    learned: Mutex<Option<Arc<LearnedDistances>>>,
    /// The automata for one plan and for all, once they are learned.
    automata: Mutex<[Option<Arc<Automaton<u32>>>; 2]>,
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> TilesPuzzle<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    /// The puzzle on a board, with the goal that the settings name.
    fn new(
        name: &str,
        board: Tiles<W, ROWS, COLS>,
        settings: &Settings,
    ) -> Result<Self, ConfigureError> {
        if let Some(metric) = &settings.metric {
            let message = format!(
                "{name} has one metric, every move of a tile, and takes no --metric {metric}"
            );
            return Err(ConfigureError(message));
        }
        let domain = match &settings.goal {
            None => board,
            Some(goal) => board
                .with_goal_text(goal)
                .map_err(|error| ConfigureError(format!("--goal: {error}")))?,
        };
        let shelf = Shelf::new(TableSource::new(settings.tables.clone(), settings.loading));
        let choice = Choice::new(name, &domain, settings)?;
        Ok(Self {
            name: own_name(domain.rows(), domain.columns()),
            domain,
            choice,
            settings: settings.clone(),
            shelf,
            learned: Mutex::new(None),
            automata: Mutex::default(),
        })
    }

    /// Depth of the learned automaton, if no other is asked for.
    fn depth(&self) -> usize {
        14
    }

    /// The automaton of the pruning, learned when it is first needed and then kept.
    fn automaton(&self, keep: Keep, job: &Job<'_>) -> Result<Arc<Automaton<u32>>, Failure> {
        let place = usize::from(keep == Keep::AllOptimal);
        let mut automata = self.automata.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(automaton) = &automata[place] {
            return Ok(automaton.clone());
        }
        let learned =
            self.domain.strings(self.settings.pruning, self.depth(), keep, &job.cancel)?;
        let automaton = Arc::new(prunings::automaton::<Tiles<W, ROWS, COLS>>(&learned)?);
        Ok(automata[place].insert(automaton).clone())
    }

    fn parse(&self, state: &str) -> Result<Board<W>, Refused> {
        self.domain.parse(state).map_err(|error| Refused(error.to_string()))
    }

    /// Replays a plan on a list of numbers.
    fn replay(&self, state: &Board<W>, plan: &[Op]) -> Result<(), plan::Invalid> {
        let twin =
            ReferenceTiles::new(self.domain.columns(), self.domain.numbers(&self.domain.goal()));
        plan::validate(&twin, &self.domain.numbers(state), plan)
    }
}

fn names(plan: &[Op]) -> Vec<String> {
    plan.iter().map(|&op| operator_name(op).unwrap_or_default().to_owned()).collect()
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Puzzle for TilesPuzzle<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn metric(&self) -> Option<&'static str> {
        None
    }

    fn read(&self, state: &str) -> Result<String, Refused> {
        Ok(self.domain.text(&self.parse(state)?))
    }

    fn describe(&self, state: &str) -> Result<Vec<(&'static str, String)>, Refused> {
        let board = self.parse(state)?;
        Ok(vec![
            ("board", self.domain.text(&board)),
            ("manhattan", self.domain.manhattan(&board).to_string()),
        ])
    }

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let state = self.parse(state)?;
        self.solve_board(&state, job)
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replayed, Refused> {
        let state = self.parse(state)?;
        let plan = parse_plan(plan).map_err(|error| Refused(format!("plan: {error}")))?;
        Ok(runs::replayed(&plan, self.replay(&state, &plan).err()))
    }

    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || self.domain.text(&self.domain.random(&mut random))))
    }

    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<(), Failure> {
        self.domain.count_states(depth, job, tell)
    }

    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure> {
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        Ok(fsm::sequence_counts(&self.domain, &automaton, self.domain.blank_home(), depth))
    }

    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let pruning = Pruning::Fsm(u8::try_from(depth).ok());
        let learned = self.domain.strings(pruning, depth, Keep::OneOptimal, &job.cancel)?;
        let name = |op: Op| operator_name(op).unwrap_or_default().to_owned();
        prunings::summary_of(
            &self.domain,
            &learned,
            depth,
            dot.then_some(&name as &dyn Fn(Op) -> String),
        )
    }

    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        self.table_histograms(job)
    }

    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        self.predict_nodes(bound, job).map(Prediction::from)
    }

    fn choose_tables(
        &self,
        wanted: &Wanted,
        job: &Job<'_>,
        tell: &mut dyn FnMut(&Chosen),
    ) -> Result<(), Failure> {
        self.choose(wanted, job, tell)
    }

    fn explain_tables(&self, _: &Job<'_>) -> Result<Vec<Explained>, Failure> {
        self.explain()
    }

    fn build_tables(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        self.obtain_all(job)
    }
}
