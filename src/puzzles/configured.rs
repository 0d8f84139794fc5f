//! [`Configured`] turns a [`Game`] into a [`Puzzle`]. Every puzzle of this program is a game.

use crate::instances::state_text;
use crate::puzzle::{
    Aim, Answer, Choosing, Counting, Exhaustive, Failure, InvalidInput, Learning, Predicting,
    Puzzle, PuzzleInfo, Replay, Request, Scrambler, StateFiles, StateInfo, Tables,
};
use crate::run::{Checks, PlanRange, PlanStream, Run};
use crate::settings::{Settings, SolverChoice};
use proofs::pseudo_boolean::Encoding;
use search::{Op, Plan, plan};

/// Whether the pruning allows a plan, as a function.
pub(crate) type AllowedPlans<'a> = Box<dyn Fn(&[Op]) -> bool + Sync + 'a>;

/// What differs from puzzle to puzzle.
pub(crate) trait Game: Send + Sync {
    /// A state that was read, and can be solved.
    type State: Sync;

    fn info(&self) -> &PuzzleInfo;
    fn settings(&self) -> &Settings;
    /// The checks of the tables that are mapped.
    fn checks(&self) -> &Checks;

    // States and plans as text.
    /// Makes what [`Game::parse`] needs, within the limits of a run.
    fn prepare(&self, _: &Run<'_>) -> Result<(), Failure> {
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
    /// The moves that undo a sequence.
    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput>;
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

    // Searches.
    /// The name of the pruning of the settings, with its depth.
    fn pruning(&self) -> String;
    /// Searches for the plans of a state, by the solver of the settings.
    fn search(&self, start: &Self::State, run: &mut Run<'_>) -> Result<(), Failure>;
    /// Which plans count if several are wanted. `None`: [`Game::search`] itself finds plans above
    /// the least cost, and plans are not told before the answer.
    fn allowed<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>, Failure>;
    /// Whether a plan visits no state twice.
    fn is_simple(&self, start: &Self::State, plan: &[Op]) -> bool;
    /// As [`Game::allowed`], for the plans of one state. Above the least cost, a plan counts only
    /// if it is simple.
    fn counted<'s>(
        &'s self,
        start: &'s Self::State,
        run: &Run<'_>,
    ) -> Result<Option<AllowedPlans<'s>>, Failure> {
        let above = run.goes_above();
        Ok(self.allowed(run)?.map(|allowed| -> AllowedPlans<'s> {
            Box::new(move |plan| allowed(plan) && (!above || self.is_simple(start, plan)))
        }))
    }

    // What only some puzzles can do: see [`Puzzle`].
    fn scrambler(&self) -> Option<&dyn Scrambler>;
    fn counting(&self) -> Option<&dyn Counting>;
    fn learning(&self) -> Option<&dyn Learning>;
    fn tables(&self) -> Option<&dyn Tables>;
    fn exhaustive(&self) -> Option<&dyn Exhaustive>;
    fn predicting(&self) -> Option<&dyn Predicting>;
    fn state_files(&self) -> Option<&dyn StateFiles> {
        None
    }
    fn choosing(&self) -> Option<&dyn Choosing> {
        None
    }
}

/// The operator names of a plan.
pub(crate) fn names<G: Game>(game: &G, plan: &[Op]) -> Vec<String> {
    plan.iter().map(|&op| game.operator(op)).collect()
}

/// Continues the search for the plans of a state that a run asks for, and tells each to
/// [`Request::on_plan`].
///
/// If a limit ends the work on a table, the bounds proven so far are still the answer.
pub(crate) fn search<G: Game>(
    game: &G,
    start: &G::State,
    run: &mut Run<'_>,
) -> Result<(), Failure> {
    run.beside(game.checks(), |run| {
        let searched = search_checked(game, start, run);
        let empty_counts = run.request.min_length == 0;
        run.stopped_by(searched, || empty_counts && game.replay(start, &[]).is_ok())
    })
}

fn search_checked<G: Game>(game: &G, start: &G::State, run: &mut Run<'_>) -> Result<(), Failure> {
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
        names: &|plan| names(game, plan),
        cost: &|plan| game.cost(plan),
    };
    run.stream(&stream, search)
}

/// The text of a state without the number and the comment of its line. A text that is empty then is
/// no state, although it is the empty sequence of moves: a caller that lost the state must not get
/// the plan of the solved puzzle.
fn text_of(state: &str) -> Result<String, InvalidInput> {
    let text = state_text(state);
    match text.trim().is_empty() {
        true => Err(InvalidInput::new("the state is empty: expected one, such as `solved`")),
        false => Ok(text),
    }
}

/// Solves a state: see [`Puzzle::solve`].
pub(crate) fn solve<G: Game>(
    game: &G,
    text: &str,
    request: &Request<'_>,
) -> Result<Answer, Failure> {
    let (text, info) = (&*text_of(text)?, game.info());
    if request.aim == Aim::NearOptimal && !info.has_near_optimal {
        return Err(Failure::refused(format_args!(
            "{} has no near-optimal search with this heuristic and memory: expected the aim \
             optimal; 3x3x3 has one with best",
            info.name
        )));
    }
    Run::solve(request, |run| {
        run.reads(game.settings().heuristic.name(), 0);
        let (names, cost) = (|plan: &[Op]| names(game, plan), |plan: &[Op]| game.cost(plan));
        if let Err(failure) = game.prepare(run) {
            let solved = game.reads_solved(text)?;
            run.stopped_by(Err(failure), || solved)?;
            return run.answer(game.pruning(), &names, &cost, &|_| Ok(()));
        }
        let start = game.parse(text)?;
        search(game, &start, run)?;
        run.answer(game.pruning(), &names, &cost, &|plan| game.replay(&start, plan))
    })
}

/// A game as a puzzle.
pub(crate) struct Configured<G>(pub(crate) G);

impl<G: Game> Puzzle for Configured<G> {
    fn info(&self) -> &PuzzleInfo {
        self.0.info()
    }

    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        self.0.describe(&text_of(state)?)
    }

    fn prepare(&self, request: &Request<'_>) -> Result<(), Failure> {
        self.0.prepare(&Run::new(request))
    }

    fn solve(&self, state: &str, request: &Request<'_>) -> Result<Answer, Failure> {
        solve(&self.0, state, request)
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replay, InvalidInput> {
        let game = &self.0;
        let state = game.parse(&text_of(state)?)?;
        let plan = game.parse_plan(plan).map_err(|error| error.within("plan"))?;
        let fault = game.replay(&state, &plan).err();
        let rule = match fault {
            Some(plan::Invalid::NotApplicable { place, .. }) => {
                game.broken_rule(&state, &plan[..=place])
            }
            _ => None,
        };
        Ok(Replay { length: plan.len(), cost: game.cost(&plan), fault, rule })
    }

    fn encoding(&self, state: &str, request: &Request<'_>) -> Result<Encoding, Failure> {
        self.0.prepare(&Run::new(request))?;
        let encoding = self.0.encoding(&self.0.parse(&text_of(state)?)?);
        let refused = |why: String| InvalidInput::without_encoding(&self.info().name, &why).into();
        encoding.map_err(refused)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        self.0.invert(moves)
    }

    fn scrambler(&self) -> Option<&dyn Scrambler> {
        self.0.scrambler()
    }
    fn state_files(&self) -> Option<&dyn StateFiles> {
        self.0.state_files()
    }
    fn counting(&self) -> Option<&dyn Counting> {
        self.0.counting()
    }
    fn exhaustive(&self) -> Option<&dyn Exhaustive> {
        self.0.exhaustive()
    }
    fn learning(&self) -> Option<&dyn Learning> {
        self.0.learning()
    }
    fn tables(&self) -> Option<&dyn Tables> {
        self.0.tables()
    }
    fn predicting(&self) -> Option<&dyn Predicting> {
        self.0.predicting()
    }
    fn choosing(&self) -> Option<&dyn Choosing> {
        self.0.choosing()
    }
}
