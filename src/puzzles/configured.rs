//! [`ConfiguredGame`] turns a [`Game`] into a [`Puzzle`]. All built-in puzzles with one text form
//! for states use it.

use super::{PuzzleKind, without_encoding};
use crate::automata::{self, Automata, PruningRequest};
use crate::cache::AutomatonCache;
use crate::longer_plans::{PlanRange, is_simple};
use crate::plan_stream::PlanStream;
use crate::puzzle::{
    Aim, Answer, Choosing, Counting, Exhaustive, Failure, InvalidInput, Job, LearnedSummary,
    Learning, MoveScrambles, Predicting, Prediction, Puzzle, PuzzleInfo, Replay, Scrambler,
    StateInfo, TableCandidate, TableHistogram, Tables, Tell,
};
use crate::runs::{self, Found};
use crate::scrambles::by_solving;
use crate::settings::{ConfigureError, PruningChoice, Settings, SolverChoice};
use crate::solvers::{Solver, StageLine, Task, stage_lines};
use crate::table_checks::Checks;
use fsm::{Automaton, ForbiddenStrings, Keep};
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::{Contexts, Cost, Domain, Op, Plan, Reversible, plan};
use std::sync::Arc;

/// The parts of a built-in puzzle that differ from puzzle to puzzle. Functions that also need
/// settings or automata take the configured game as `own`.
pub(crate) trait Game: Send + Sync + Sized {
    /// The domain that is searched.
    type Domain: Contexts<State: Send + Sync> + Send + Sync;

    // States and plans as text.
    fn parse(&self, state: &str) -> Result<State<Self>, InvalidInput>;
    fn text(&self, state: &State<Self>) -> String;
    /// Facts about a state to show to people, as pairs of name and value. The first value is the
    /// state's text.
    fn facts(&self, state: &State<Self>) -> Vec<(&'static str, String)>;
    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput>;
    fn operator(&self, op: Op) -> String;
    /// The moves that undo a sequence.
    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput>;
    /// Replays a plan on a slow reference implementation of the puzzle.
    fn replay(&self, state: &State<Self>, plan: &[Op]) -> Result<(), plan::Invalid>;
    /// An endless sequence of uniformly random states. A seed gives the same states in every
    /// release.
    fn random(&self, seed: u64) -> Box<dyn Iterator<Item = State<Self>> + '_>;

    /// The search from a state as places that hold values.
    ///
    /// # Errors
    /// If the puzzle is too large.
    fn encoding(&self, start: &State<Self>) -> Result<Encoding, EncodingError>;

    // The domain, and the forbidden strings.
    fn domain(&self) -> &Self::Domain;
    /// The state from which a solver starts. Its plans also solve `state`.
    fn start(&self, state: &State<Self>) -> State<Self> {
        state.clone()
    }
    /// The greatest number of operators of a learned string, if the settings set no depth.
    fn depth(&self) -> usize;
    fn strings(&self, request: PruningRequest<'_>) -> Result<ForbiddenStrings, Failure>;
    /// The context ([`Contexts`]) in which operator sequences are counted.
    fn context(&self) -> usize {
        0
    }
    fn count_states(&self, depth: usize, job: &Job<'_>, tell: &mut Tell<'_>)
    -> Result<(), Failure>;

    // Searches and tables.
    fn search(
        own: &ConfiguredGame<Self>,
        start: &State<Self>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure>;
    fn predict(
        own: &ConfiguredGame<Self>,
        bound: Cost,
        job: &Job<'_>,
    ) -> Result<Prediction, Failure>;
    /// Whether a table file of this name belongs to the puzzle, in any metric.
    fn owns(&self, table: &str) -> bool;
    fn explain(own: &ConfiguredGame<Self>) -> Result<Vec<TableCandidate>, Failure>;
    fn build(own: &ConfiguredGame<Self>, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure>;
    fn histograms(
        own: &ConfiguredGame<Self>,
        job: &Job<'_>,
    ) -> Result<Vec<TableHistogram>, Failure>;

    // Capabilities that only some puzzles have.
    /// The solver with this name. `None` if the puzzle does not have it.
    fn solver(&self, _name: &str) -> Option<Box<dyn Solver<Self::Domain>>> {
        None
    }
    /// The solver `stages`, for a puzzle whose kind has it.
    ///
    /// # Errors
    /// If a line names no moves of the search.
    fn stages(&self, _lines: Vec<StageLine>) -> Result<Box<dyn Solver<Self::Domain>>, String> {
        Err("its states form no group".to_owned())
    }
    /// The aim of the search that solves a random state. Its inverted plan is the scramble. `None`
    /// if the puzzle has no scrambles as moves.
    fn scramble_aim(_: &ConfiguredGame<Self>) -> Option<Aim> {
        None
    }
    fn exhaustive(_: &ConfiguredGame<Self>) -> Option<&dyn Exhaustive> {
        None
    }
    fn choosing(_: &ConfiguredGame<Self>) -> Option<&dyn Choosing> {
        None
    }
}

/// A state of a game.
pub(crate) type State<G> = <<G as Game>::Domain as Domain>::State;

/// A game with its settings, learned automata and table checks. It implements [`Puzzle`].
pub(crate) struct ConfiguredGame<G: Game> {
    pub(crate) info: PuzzleInfo,
    pub(crate) settings: Settings,
    pub(crate) game: G,
    /// What solves states in place of the optimal search.
    solver: Option<Box<dyn Solver<G::Domain>>>,
    automata: AutomatonCache<<G::Domain as Domain>::Ops>,
    checks: Checks,
}

impl<G: Game> ConfiguredGame<G> {
    /// `kind` is the entry of the game in [`super::PUZZLES`].
    ///
    /// # Errors
    /// If the game does not have the solver of the settings.
    pub(crate) fn new(
        info: PuzzleInfo,
        settings: &Settings,
        kind: &PuzzleKind,
        game: G,
    ) -> Result<Self, ConfigureError> {
        let solver = match &settings.solver {
            SolverChoice::Optimal => None,
            SolverChoice::Named(_) if settings.moves.is_some() => {
                return Err(settings.solver.refused_with("moves"));
            }
            SolverChoice::Named(name) if name == "stages" && kind.solvers.contains(&"stages") => {
                let solver = stage_lines(settings).and_then(|lines| game.stages(lines));
                let wrong = |error| ConfigureError::invalid(format!("{}: {error}", info.name));
                Some(solver.map_err(wrong)?)
            }
            SolverChoice::Named(name) => Some(game.solver(name).ok_or_else(|| {
                match kind.solvers.contains(&name.as_str()) {
                    true => ConfigureError::invalid(format!(
                        "{}: the solver {name} is for smaller boards: expected the solver optimal",
                        info.name
                    )),
                    false => settings.solver.unknown(&info.name, kind.solvers),
                }
            })?),
        };
        let (automata, checks) = (AutomatonCache::default(), Checks::default());
        Ok(Self { info, settings: settings.clone(), game, solver, automata, checks })
    }

    fn learn_strings(&self, keep: Keep, job: &Job<'_>) -> Result<ForbiddenStrings, Failure> {
        let (pruning, depth) = (self.settings.pruning, self.game.depth());
        let memory = self.settings.memory;
        job.prepare("the forbidden strings", |cancel| {
            self.game.strings(PruningRequest { pruning, depth, keep, cancel, memory })
        })
    }

    /// The automaton of the pruning. It is learned at the first call.
    pub(crate) fn automaton(
        &self,
        keep: Keep,
        job: &Job<'_>,
    ) -> Result<&Automaton<<G::Domain as Domain>::Ops>, Failure> {
        self.automata.automaton(keep, &|| self.learn_strings(keep, job))
    }

    /// The automata of a two-sided search. [`automata::ends`] says what `relabellings` are.
    pub(crate) fn ends<D>(
        &self,
        domain: &D,
        keep: Keep,
        relabellings: &[Vec<Op>],
        job: &Job<'_>,
    ) -> Result<Arc<Automata<D>>, Failure>
    where
        D: Reversible<Ops = <G::Domain as Domain>::Ops>,
    {
        self.automata.ends(domain, keep, relabellings, &|| self.learn_strings(keep, job))
    }

    /// The puzzle, or `None` if some moves are forbidden: then random states may have no plan.
    fn with_all_moves(&self) -> Option<&Self> {
        self.settings.moves.is_none().then_some(self)
    }

    /// Searches for the plans that a job asks for, and tells each to [`Job::on_plan`].
    fn search(&self, start: &State<G>, job: &Job<'_>, found: &mut Found) -> Result<(), Failure> {
        let mut search = |job: &Job<'_>| match job.goes_above() {
            true => self.search_range(start, job, found),
            false => G::search(self, start, job, found),
        };
        if !PlanStream::is_wanted(job) {
            return search(job);
        }
        let allowed = self.automaton(Keep::AllOptimal, job)?;
        let stream = PlanStream {
            accepts: &|plan| allowed.accepts(plan),
            replay: &|plan| self.game.replay(start, plan),
            names: &|plan| self.names(plan),
            cost: &|plan| plan.len() as u64,
        };
        stream.run(job, search)
    }

    /// Searches for plans above the least cost.
    fn search_range(
        &self,
        start: &State<G>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let (domain, allowed) = (self.game.domain(), self.automaton(Keep::AllOptimal, job)?);
        let step = |from: &State<G>, op: Op| {
            let mut to = from.clone();
            domain.apply_into(from, op, &mut to);
            to
        };
        let range = PlanRange {
            solved: domain.is_goal(start),
            cost: &|plan| plan.len() as u64,
            accepts: &|plan| {
                allowed.accepts(plan) && is_simple(start, plan, &step, &State::<G>::clone)
            },
        };
        range.search(job, found, &mut |job, found| G::search(self, start, job, found))
    }

    /// The operator names of a plan.
    pub(crate) fn names(&self, plan: &[Op]) -> Vec<String> {
        plan.iter().map(|&op| self.game.operator(op)).collect()
    }
}

impl<G: Game> Puzzle for ConfiguredGame<G> {
    fn info(&self) -> &PuzzleInfo {
        &self.info
    }

    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        Ok(StateInfo::new(self.game.facts(&self.game.parse(state)?)))
    }

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let start = self.game.parse(state)?;
        let mut found =
            Found { heuristic: self.settings.heuristic.to_string(), ..Found::default() };
        // If a limit ends a preparation or a build, the bounds proven so far are still the answer.
        job.run(|job| {
            let checked = self.checks.beside(job, |job| {
                let solved = self.game.domain().is_goal(&start) && job.min_length == 0;
                let searched = if let Some(solver) = &self.solver {
                    let (domain, settings) = (self.game.domain(), &self.settings);
                    let task = Task { domain, start: &self.game.start(&start), settings, job };
                    task.solve_by(&**solver, &mut found)
                } else {
                    self.search(&start, job, &mut found)
                };
                searched.or_else(|failure| found.stopped_by(job.reason(failure), solved))
            });
            found.unproven(checked)?;
            let pruning = self.settings.pruning.name(self.game.depth());
            let (names, cost) = (|plan: &Plan| self.names(plan), |plan: &[Op]| plan.len() as u64);
            found.answer(pruning, &names, &cost, &|plan| self.game.replay(&start, plan))
        })
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replay, InvalidInput> {
        let state = self.game.parse(state)?;
        let plan = self.game.parse_plan(plan);
        let plan = plan.map_err(|error| error.within("plan"))?;
        Ok(runs::replayed(&plan, self.game.replay(&state, &plan).err()))
    }

    fn encoding(&self, state: &str, _: &Job<'_>) -> Result<Encoding, Failure> {
        let start = self.game.start(&self.game.parse(state)?);
        let encoding = self.game.encoding(&start);
        encoding.map_err(|error| without_encoding(&self.info.name, &error.to_string()).into())
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        self.game.invert(moves)
    }

    fn scrambler(&self) -> Option<&dyn Scrambler> {
        self.with_all_moves().map(|own| own as _)
    }
    fn counting(&self) -> Option<&dyn Counting> {
        Some(self)
    }
    fn exhaustive(&self) -> Option<&dyn Exhaustive> {
        G::exhaustive(self)
    }
    fn learning(&self) -> Option<&dyn Learning> {
        Some(self)
    }
    fn tables(&self) -> Option<&dyn Tables> {
        Some(self)
    }
    fn predicting(&self) -> Option<&dyn Predicting> {
        self.with_all_moves().map(|own| own as _)
    }
    fn choosing(&self) -> Option<&dyn Choosing> {
        G::choosing(self)
    }
}

impl<G: Game> Scrambler for ConfiguredGame<G> {
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        Box::new(self.game.random(seed).map(|state| self.game.text(&state)))
    }

    fn move_scrambles<'a>(&'a self, seed: u64, job: &Job<'a>) -> Option<MoveScrambles<'a>> {
        let aim = G::scramble_aim(self)?;
        Some(by_solving(self, self.scrambles(seed), job.clone().aim(aim)))
    }
}

impl<G: Game> Counting for ConfiguredGame<G> {
    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        let bytes = usize::try_from(self.settings.memory).ok();
        let limits = search::Limits { bytes, ..job.limits.clone() };
        self.game.count_states(depth, &job.clone().limits(limits), tell)
    }

    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure> {
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        Ok(fsm::sequence_counts(self.game.domain(), automaton, self.game.context(), depth))
    }
}

impl<G: Game> Learning for ConfiguredGame<G> {
    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let (pruning, keep) = (PruningChoice::Fsm(None), Keep::OneOptimal);
        let memory = self.settings.memory;
        let learned = job.prepare("the forbidden strings", |cancel| {
            self.game.strings(PruningRequest { pruning, depth, keep, cancel, memory })
        })?;
        let name = |op: Op| self.game.operator(op);
        let name = dot.then_some(&name as &dyn Fn(Op) -> String);
        automata::summary_of(self.game.domain(), &learned, depth, name, &job.cancel)
    }
}

impl<G: Game> Tables for ConfiguredGame<G> {
    fn owns(&self, table: &str) -> bool {
        self.game.owns(table)
    }
    fn explain(&self, _: &Job<'_>) -> Result<Vec<TableCandidate>, Failure> {
        G::explain(self)
    }
    fn build(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        G::build(self, job)
    }
    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        G::histograms(self, job)
    }
}

impl<G: Game> Predicting for ConfiguredGame<G> {
    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        G::predict(self, bound, job)
    }
}
