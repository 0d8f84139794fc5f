//! [`BuiltInGame`] makes a [`Game`] of a [`BuiltIn`]: a puzzle with a domain of its own.

use super::PuzzleKind;
use super::configured::{
    Ability, AllowedPlans, Game, GameStates, GameTables, Learned, PlainSearch,
};
use super::pieces::Pieces;
use super::scrambles::by_solving;
use super::shorten::{Known, Means, Pass, most_states};
use crate::automata::{self, Automata, PruningRequest};
use crate::cache::AutomatonCache;
use crate::puzzle::{
    Aim, Choosing, InvalidInput, MoveScrambles, PuzzleInfo, Request, Result, StateInfo, Tell,
};
use crate::run::{Checks, Run, is_simple};
use crate::settings::{ConfigureError, PruningChoice, Settings, SolverChoice};
use crate::solvers::{Solver, StageLine, Task, stage_lines};
use fsm::{Automaton, ForbiddenStrings, Keep};
use proofs::plain::PlainPuzzle;
use proofs::pseudo_boolean::{Encoding, EncodingError};
use search::{Contexts, Domain, Limits, Op, Options, Plan, Reversible, plan};
use std::hash::Hash;
use std::sync::Arc;

/// The parts of a built-in puzzle that differ from puzzle to puzzle. Functions that also need
/// settings or automata take the whole game as `own`.
pub(crate) trait BuiltIn: Send + Sync + Sized {
    /// The domain that is searched.
    type Domain: Contexts<State: Hash + Send + Sync> + Send + Sync;

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
    fn strings(&self, request: PruningRequest<'_>) -> Result<ForbiddenStrings>;
    /// The context ([`Contexts`]) in which operator sequences are counted.
    fn context(&self) -> usize {
        0
    }
    fn count_states(&self, depth: usize, options: &Options<'_>, tell: &mut Tell<'_>) -> Result<()>;

    // Searches.
    fn search(own: &BuiltInGame<Self>, start: &State<Self>, run: &mut Run<'_>) -> Result<()>;

    // Capabilities that only some puzzles have.
    /// A state, and then another, if they are elements of a group.
    fn product(&self, _first: &State<Self>, _then: &State<Self>) -> Option<State<Self>> {
        None
    }
    fn inverse(&self, _state: &State<Self>) -> Option<State<Self>> {
        None
    }
    /// The puzzle as lines, or why it has none.
    fn plain(&self) -> Result<PlainPuzzle, String> {
        Err("it has no lines".to_owned())
    }
    /// The stickers or values of a state as the lines number them. `None` if it has no lines.
    fn plain_state(&self, _state: &State<Self>) -> Option<Vec<u16>> {
        None
    }
    /// What the search forbids and reads, as far as lines can say it.
    fn plain_search(&self, _request: PruningRequest<'_>) -> Result<PlainSearch> {
        Ok(PlainSearch::default())
    }
    /// The states as effects on pieces.
    fn pieces(&self) -> Option<&dyn Pieces<State<Self>>> {
        None
    }
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
    /// The aim of the search that solves a random state, and its most nodes. Its inverted plan is
    /// the scramble. `None` if the puzzle has no scrambles as moves.
    fn scramble_aim(_: &BuiltInGame<Self>) -> Option<(Aim, Option<u64>)> {
        Some((Aim::Optimal, None))
    }
    fn choosing(_: &BuiltInGame<Self>) -> Option<&dyn Choosing> {
        None
    }
}

/// A state of a built-in puzzle.
pub(crate) type State<B> = <<B as BuiltIn>::Domain as Domain>::State;

/// The set of operators of a built-in puzzle.
type Ops<B> = <<B as BuiltIn>::Domain as Domain>::Ops;

/// A built-in puzzle with its settings, learned automata and table checks.
pub(crate) struct BuiltInGame<B: BuiltIn> {
    pub(crate) info: PuzzleInfo,
    pub(crate) settings: Settings,
    pub(crate) game: B,
    /// What solves states in place of the optimal search.
    solver: Option<Box<dyn Solver<B::Domain>>>,
    automata: AutomatonCache<Ops<B>>,
    checks: Checks,
}

impl<B: BuiltIn> BuiltInGame<B> {
    /// `kind` is the entry of the puzzle in [`super::PUZZLES`].
    ///
    /// # Errors
    /// If the puzzle does not have the solver of the settings.
    pub(crate) fn new(
        info: PuzzleInfo,
        settings: &Settings,
        kind: &PuzzleKind,
        game: B,
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

    /// The strings that a pruning forbids.
    fn strings(
        &self,
        (pruning, depth): (PruningChoice, usize),
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<ForbiddenStrings> {
        let memory = self.settings.memory;
        run.prepare("the forbidden strings", |cancel| {
            self.game.strings(PruningRequest { pruning, depth, keep, cancel, memory })
        })
    }

    /// The automaton of the pruning. It is learned at the first call.
    pub(crate) fn automaton(&self, keep: Keep, run: &Run<'_>) -> Result<&Automaton<Ops<B>>> {
        let pruning = (self.settings.pruning, self.game.depth());
        self.automata.automaton(keep, run, &|| self.strings(pruning, keep, run))
    }

    /// The automata of a two-sided search. [`automata::ends`] says what `relabellings` are.
    pub(crate) fn ends<D: Reversible<Ops = Ops<B>>>(
        &self,
        domain: &D,
        keep: Keep,
        relabellings: &[Vec<Op>],
        run: &Run<'_>,
    ) -> Result<Arc<Automata<D>>> {
        let pruning = (self.settings.pruning, self.game.depth());
        let learn = || self.strings(pruning, keep, run);
        self.automata.ends(domain, keep, relabellings, run, &learn)
    }
}

impl<B: BuiltIn> Game for BuiltInGame<B>
where
    Self: GameTables + GameStates,
{
    type State = State<B>;

    fn info(&self) -> &PuzzleInfo {
        &self.info
    }
    fn settings(&self) -> &Settings {
        &self.settings
    }
    fn checks(&self) -> &Checks {
        &self.checks
    }

    fn parse(&self, state: &str) -> Result<State<B>, InvalidInput> {
        self.game.parse(state)
    }
    fn describe(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        Ok(StateInfo::new(self.game.facts(&self.game.parse(state)?)))
    }
    fn parse_plan(&self, plan: &str) -> Result<Plan, InvalidInput> {
        self.game.parse_plan(plan)
    }
    fn operator(&self, op: Op) -> String {
        self.game.operator(op)
    }
    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        self.game.invert(moves)
    }
    fn compose(&self, states: &[&str]) -> Result<String, InvalidInput> {
        let mut product: Option<State<B>> = None;
        for (number, state) in (1..).zip(states) {
            let next = self.game.parse(state);
            let next = next.map_err(|error| error.within(format_args!("state {number}")))?;
            product = Some(match product {
                None => next,
                Some(before) => {
                    let made = self.game.product(&before, &next);
                    made.ok_or_else(|| InvalidInput::not_composed(&self.info.name))?
                }
            });
        }
        let product = product.map_or_else(|| self.game.parse("solved"), Ok)?;
        Ok(self.game.text(&product))
    }
    fn inverse(&self, state: &str) -> Result<String, InvalidInput> {
        let inverse = self.game.inverse(&self.game.parse(state)?);
        let inverse = inverse.ok_or_else(|| InvalidInput::not_composed(&self.info.name))?;
        Ok(self.game.text(&inverse))
    }
    fn replay(&self, state: &State<B>, plan: &[Op]) -> Result<(), plan::Invalid> {
        self.game.replay(state, plan)
    }
    fn encoding(&self, start: &State<B>) -> Result<Encoding, String> {
        self.game.encoding(&self.game.start(start)).map_err(|error| error.to_string())
    }
    fn plain(&self) -> Result<PlainPuzzle, String> {
        self.game.plain()
    }
    fn plain_state(&self, state: &State<B>) -> Result<Vec<u16>, String> {
        let stickers = self.game.plain_state(&self.game.start(state));
        stickers.ok_or_else(|| "it has no lines".to_owned())
    }
    fn plain_search(&self, run: &Run<'_>) -> Result<PlainSearch> {
        let (pruning, depth) = (self.settings.pruning, self.game.depth());
        let (keep, memory) = (Keep::OneOptimal, self.settings.memory);
        run.prepare("the forbidden strings", |cancel| {
            self.game.plain_search(PruningRequest { pruning, depth, keep, cancel, memory })
        })
    }

    fn pruning(&self) -> String {
        self.settings.pruning.name(self.game.depth())
    }

    fn search(&self, start: &State<B>, run: &mut Run<'_>) -> Result<()> {
        let Some(solver) = &self.solver else { return B::search(self, start, run) };
        let (domain, settings) = (self.game.domain(), &self.settings);
        Task { domain, start: &self.game.start(start), settings }.solve_by(&**solver, run)
    }

    fn allowed<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>> {
        let automaton = self.automaton(Keep::AllOptimal, run)?;
        Ok(Some(Box::new(|plan| automaton.accepts(plan))))
    }

    /// A plan may have moves that the search has not: the 2x2x2 is solved by three faces.
    fn reduced<'s>(&'s self, run: &Run<'_>) -> Result<Option<AllowedPlans<'s>>> {
        let automaton = self.automaton(Keep::AllOptimal, run)?;
        let others = |op: &Op| op.index() >= self.game.domain().operators();
        Ok(Some(Box::new(move |plan| plan.split(others).all(|part| automaton.accepts(part)))))
    }

    fn after(&self, state: &State<B>, string: &[Op]) -> Option<State<B>> {
        let mut state = state.clone();
        for &op in string {
            let from = state.clone();
            self.game.domain().apply_into(&from, op, &mut state);
        }
        Some(state)
    }
    fn between(&self, state: &State<B>, first: &[Op], last: &[Op]) -> Option<State<B>> {
        let after = self.after(state, first)?;
        match last.is_empty() {
            true => Some(after),
            // A cube that may be held in any way has several solved states.
            false => {
                self.game.pieces()?;
                let end = self.after(&self.game.parse("solved").ok()?, last)?;
                self.game.product(&end, &after)
            }
        }
    }
    fn pieces(&self) -> Option<&dyn Pieces<State<B>>> {
        self.game.pieces()
    }
    fn shorter(
        &self,
        pass: Pass,
        start: &State<B>,
        known: &Known,
        means: Means<'_>,
    ) -> Result<Plan> {
        let start = self.game.start(start);
        let states = most_states(self.settings.memory, size_of::<State<B>>());
        Ok(known.near(pass, (self.game.domain(), &start), (means, states)))
    }

    fn is_simple(&self, start: &State<B>, plan: &[Op]) -> bool {
        let step = |from: &State<B>, op: Op| {
            let mut to = from.clone();
            self.game.domain().apply_into(from, op, &mut to);
            to
        };
        is_simple(start, plan, &step, &State::<B>::clone)
    }

    fn count_states(&self, depth: usize, run: &Run<'_>, tell: &mut Tell<'_>) -> Result<()> {
        let events = run.events();
        let options = run.storing(self.settings.memory, &events);
        self.game.count_states(depth, &options, tell)
    }
    fn count_sequences(&self, depth: usize, run: &Run<'_>) -> Result<Vec<u128>> {
        let automaton = self.automaton(Keep::OneOptimal, run)?;
        Ok(fsm::sequence_counts(self.game.domain(), automaton, self.game.context(), depth))
    }
    fn learn(&self, depth: usize, dot: bool, run: &Run<'_>) -> Result<Learned> {
        let pruning = (PruningChoice::Fsm(None), depth);
        let learned = self.strings(pruning, Keep::OneOptimal, run)?;
        let name = |op: Op| self.game.operator(op);
        let name = dot.then_some(&name as &dyn Fn(Op) -> String);
        automata::summary_of(self.game.domain(), &learned, depth, name, &run.request.cancel)
    }

    /// If some moves are forbidden, random states may have no plan.
    fn has(&self, ability: Ability) -> bool {
        match ability {
            Ability::Scramble | Ability::Predict => self.settings.moves.is_none(),
            Ability::CountAll => self.counts_all(),
        }
    }
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        Box::new(self.game.random(seed).map(|state| self.game.text(&state)))
    }
    fn move_scrambles<'a>(&'a self, seed: u64, request: &Request<'a>) -> Option<MoveScrambles<'a>> {
        let (aim, nodes) = B::scramble_aim(self)?;
        let nodes = request.limits.nodes.into_iter().chain(nodes).min();
        let limits = Limits { nodes, ..request.limits.clone() };
        let request = request.clone().aim(aim).limits(limits);
        Some(by_solving(self, self.scrambles(seed), request))
    }
    fn choosing(&self) -> Option<&dyn Choosing> {
        B::choosing(self)
    }
}
