//! [`Game`]: what differs from puzzle to puzzle.

use crate::puzzle::{
    Choosing, Failure, InvalidInput, LearnedSummary, MoveScrambles, NamedGoal, Prediction,
    PuzzleInfo, Request, Result, StateFiles, StateInfo, TableCandidate, TableHistogram, Tell,
};
use crate::puzzles::named_goals::named_goals;
use crate::puzzles::pieces::Pieces;
use crate::puzzles::shorten::{Known, Means, Pass};
use crate::run::{Checks, PlanRange, PlanStream, Run};
use crate::settings::{Settings, SolverChoice};
use fsm::Twins;
use proofs::plain::{PlainHeuristic, PlainPuzzle};
use proofs::pseudo_boolean::Encoding;
use search::{Cost, Op, Plan, plan};

/// Whether the pruning allows a plan, as a function.
pub(crate) type AllowedPlans<'a> = Box<dyn Fn(&[Op]) -> bool + Sync + 'a>;

/// Figures of learned strings, and perhaps their automaton as a Graphviz graph.
pub(crate) type Learned = (LearnedSummary, Option<String>);

/// What only some games can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ability {
    /// [`Game::scrambles`] and [`Game::move_scrambles`].
    Scramble,
    /// [`GameStates::count_all`].
    CountAll,
    /// [`GameStates::predict`].
    Predict,
}

/// The tables of a game: see [`Tables`].
pub(crate) trait GameTables: Send + Sync {
    fn owns(&self, table: &str) -> bool;
    fn explain(&self, run: &Run<'_>) -> Result<Vec<TableCandidate>>;
    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>>;
    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>>;
}

/// What is known of all states of a game: see [`Predicting`] and [`Exhaustive`].
pub(crate) trait GameStates {
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction>;
    /// Whether [`GameStates::count_all`] may succeed.
    fn counts_all(&self) -> bool {
        false
    }
    fn count_all(
        &self,
        _antipodes: usize,
        _run: &Run<'_>,
        _tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        Err(Failure::limit("the puzzle has too many states to count them all"))
    }
    fn count_from(&self, _from: &str, _run: &Run<'_>, _tell: &mut Tell<'_>) -> Result<()> {
        Err(Failure::refused("no set of states to count from: expected a cube with a --goal"))
    }
}

/// What a search forbids and reads, as far as the lines of a plain proof can say it.
#[derive(Default)]
pub(crate) struct PlainSearch {
    /// The forbidden strings, each with a smaller one. `None`: those of two moves.
    pub(crate) twins: Option<Vec<Twins>>,
    /// The heuristic. `None`: the usual tables of the puzzle.
    pub(crate) heuristic: Option<PlainHeuristic>,
    /// Whether the search forbids and reads just this, so that it has the same units.
    pub(crate) is_searched: bool,
}

/// What differs from puzzle to puzzle.
pub(crate) trait Game: GameTables + GameStates {
    /// A state that was read, and can be solved.
    type State: Sync;

    fn info(&self) -> &PuzzleInfo;
    fn settings(&self) -> &Settings;
    /// The checks of the tables that are mapped.
    fn checks(&self) -> &Checks;

    // States and plans as text.
    /// Makes what [`Game::parse`] needs, within the limits of a run.
    fn prepare(&self, _: &Run<'_>) -> Result<()> {
        Ok(())
    }
    fn parse(&self, state: &str) -> Result<Self::State, InvalidInput>;
    /// Whether the text is a solved state, as far as this is known before [`Game::prepare`].
    fn reads_solved(&self, state: &str) -> Result<bool, InvalidInput> {
        Ok(self.replay(&self.parse(state)?, &[]).is_ok())
    }
    fn describe(&self, state: &str) -> Result<StateInfo, InvalidInput>;
    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput>;
    fn operator(&self, op: Op) -> String;
    /// The operators of a plan by their names.
    fn names(&self, plan: &[Op]) -> Vec<String> {
        plan.iter().map(|&op| self.operator(op)).collect()
    }
    /// The moves that undo a sequence.
    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput>;
    /// The product of states, as text: see [`Puzzle::compose`].
    fn compose(&self, _states: &[&str]) -> Result<String, InvalidInput> {
        Err(InvalidInput::not_composed(&self.info().name))
    }
    /// The inverse of a state, as text.
    fn inverse(&self, _state: &str) -> Result<String, InvalidInput> {
        Err(InvalidInput::not_composed(&self.info().name))
    }
    /// What the operators of a plan cost together.
    fn cost(&self, plan: &[Op]) -> u64 {
        plan.len() as u64
    }
    /// Replays a plan on a slow reference implementation of the puzzle.
    fn replay(&self, state: &Self::State, plan: &[Op]) -> Result<(), plan::Invalid>;
    /// The rule of the definition that the last operator of a plan breaks.
    fn broken_rule(&self, _state: &Self::State, _plan: &[Op]) -> Option<String> {
        None
    }
    /// The search from a state as places that hold values, or why there is none.
    fn encoding(&self, start: &Self::State) -> Result<Encoding, String>;
    /// The puzzle as lines, or why it has none.
    fn plain(&self) -> Result<PlainPuzzle, String> {
        Err("it has no lines".to_owned())
    }
    /// The stickers or values of a state as the lines number them.
    fn plain_state(&self, _state: &Self::State) -> Result<Vec<u16>, String> {
        self.plain().map(|_| Vec::new())
    }
    /// What the search forbids and reads, as far as lines can say it.
    fn plain_search(&self, _run: &Run<'_>) -> Result<PlainSearch> {
        Ok(PlainSearch::default())
    }

    // Searches.
    /// The name of the pruning of the settings, with its depth.
    fn pruning(&self) -> String;
    /// Searches for the plans of a state, by the solver of the settings.
    fn search(&self, start: &Self::State, run: &mut Run<'_>) -> Result<()>;
    /// Which plans count if several are wanted. `None`: [`Game::search`] itself finds plans above
    /// the least cost, and plans are not told before the answer.
    fn allowed<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>>;
    /// Whether the pruning for several plans allows a plan, whoever searches. `None`: any counts.
    fn reduced<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>> {
        self.allowed(run)
    }
    /// Whether a plan visits no state twice.
    fn is_simple(&self, start: &Self::State, plan: &[Op]) -> bool;
    /// As [`Game::allowed`], for the plans of one state. Above the least cost, a plan counts only
    /// if it is simple.
    fn counted<'s>(
        &'s self,
        start: &'s Self::State,
        run: &Run<'_>,
    ) -> Result<Option<AllowedPlans<'s>>> {
        let above = run.goes_above();
        Ok(self.allowed(run)?.map(|allowed| -> AllowedPlans<'s> {
            Box::new(move |plan| allowed(plan) && (!above || self.is_simple(start, plan)))
        }))
    }

    /// The state after a string of operators, which all apply. `None`: plans are not shortened.
    fn after(&self, _state: &Self::State, _string: &[Op]) -> Option<Self::State> {
        None
    }
    /// The state that the moves between `first` and `last` solve, in plans of `state`. The moves
    /// `first` can be made. `None`: there is none, or it is not known.
    fn between(&self, state: &Self::State, first: &[Op], last: &[Op]) -> Option<Self::State> {
        if last.is_empty() { self.after(state, first) } else { None }
    }
    /// The states as effects on pieces, if the goal is one state of a group.
    fn pieces(&self) -> Option<&dyn Pieces<Self::State>> {
        None
    }
    /// A plan of the state that costs no more than the best known one, by one pass.
    fn shorter(
        &self,
        _pass: Pass,
        _start: &Self::State,
        known: &Known,
        _means: Means<'_>,
    ) -> Result<Plan> {
        Ok(known.best.clone())
    }

    // Everything else: see the traits of the crate's root with these functions.
    fn count_states(&self, depth: usize, run: &Run<'_>, tell: &mut Tell<'_>) -> Result<()>;
    fn count_sequences(&self, depth: usize, run: &Run<'_>) -> Result<Vec<u128>>;
    fn learn(&self, depth: usize, dot: bool, run: &Run<'_>) -> Result<Learned>;

    // What only some games can do.
    /// Whether the game can do this. If not, its function is not called.
    fn has(&self, ability: Ability) -> bool;
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_>;
    fn move_scrambles<'a>(&'a self, seed: u64, request: &Request<'a>) -> Option<MoveScrambles<'a>>;
    /// The goals that have a name.
    fn goals(&self) -> Vec<NamedGoal> {
        named_goals(Game::info(self))
    }
    fn state_files(&self) -> Option<&dyn StateFiles> {
        None
    }
    fn choosing(&self) -> Option<&dyn Choosing> {
        None
    }
}

/// Continues the search for the plans of a state that a run asks for, and tells each to
/// [`Request::on_plan`].
///
/// If a limit ends the work on a table, the bounds proven so far are still the answer.
pub(crate) fn search<G: Game>(game: &G, start: &G::State, run: &mut Run<'_>) -> Result<()> {
    run.beside(game.checks(), |run| {
        let searched = search_checked(game, start, run);
        let empty_counts = run.request.min_length == 0;
        run.stopped_by(searched, || empty_counts && game.replay(start, &[]).is_ok())
    })
}

fn search_checked<G: Game>(game: &G, start: &G::State, run: &mut Run<'_>) -> Result<()> {
    let several = run.goes_above() || run.streams();
    if !several || game.settings().solver != SolverChoice::Optimal {
        return game.search(start, run);
    }
    let Some(counted) = game.counted(start, run)? else { return game.search(start, run) };
    let range = PlanRange {
        solved: game.replay(start, &[]).is_ok(),
        cost: &|plan| game.cost(plan),
        accepts: &counted,
    };
    let search = |run: &mut Run<'_>| match run.goes_above() {
        true => run.range(&range, &mut |run| game.search(start, run)),
        false => game.search(start, run),
    };
    if !run.streams() {
        return search(run);
    }
    let stream = PlanStream {
        accepts: &counted,
        replay: &|plan| game.replay(start, plan),
        names: &|plan| game.names(plan),
        cost: &|plan| game.cost(plan),
    };
    run.stream(&stream, search)
}
