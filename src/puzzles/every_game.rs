//! Every [`Game`] is a [`Puzzle`].

use super::between;
use super::configured::{Ability, Game, GameStates, GameTables, Learned, PlainSearch, search};
use super::distances;
use super::insert::insert;
use super::shorten::{Means, Shortening, Solution};
use crate::instances::state_text;
use crate::puzzle::{
    Aim, Answer, Choosing, Counting, Exhaustive, Failure, Inserted, InvalidInput, Learning,
    MoveScrambles, NamedGoal, Predicting, Prediction, Puzzle, PuzzleInfo, Quiet, Replay, Request,
    Result, Scrambler, Shortened, StateFiles, StateInfo, TableCandidate, TableHistogram, Tables,
    Tell,
};
use crate::run::{Results, Run};
use proofs::plain::{PlainHeuristic, PlainProof, PlainPuzzle, StateDistances, StateNumbers};
use proofs::pseudo_boolean::Encoding;
use search::{Cost, Op, Outcome, Plan, plan};

/// Most entries of a table of a plain proof whose search has others. A program that computes them
/// needs a byte for each.
const PLAIN_ENTRIES: u64 = 100_000_000;

/// The replay of a plan, with the rule that it breaks.
fn replay<G: Game>(game: &G, state: &G::State, plan: &[Op]) -> Replay {
    let fault = game.replay(state, plan).err();
    let rule = match fault {
        Some(plan::Invalid::NotApplicable { place, .. }) => {
            game.broken_rule(state, &plan[..=place])
        }
        _ => None,
    };
    Replay { length: plan.len(), cost: game.cost(plan), fault, rule }
}

/// Makes the cheapest of these plans of a state cheaper.
fn shorten<G: Game>(
    game: &G,
    (start, plans): (&G::State, &[Plan]),
    run: &mut Run<'_>,
) -> Result<Shortened> {
    if game.after(start, &[]).is_none() {
        return Err(Failure::refused(
            "plans of a cube with a goal, moves, a cost or a metric other than htm and qtm are not \
             shortened",
        ));
    }
    for (number, plan) in (1..).zip(plans) {
        if let Some(error) = replay(game, start, plan).error() {
            return Err(InvalidInput::new(error).of_plan(number, plans.len()).into());
        }
    }
    let solve_from = |made: &[Op], means: Means<'_>, run: &mut Run<'_>| {
        let Some(from) = game.after(start, made).filter(|_| Game::info(game).has_near_optimal)
        else {
            return Ok(Solution { plan: None, is_cut: false });
        };
        let change = |request: &mut Request<'_>| {
            request.aim = Aim::NearOptimal;
            (request.limits.nodes, request.limits.time) = (Some(means.nodes), None);
            (request.cancel, request.watch) = (means.cancel.clone(), &Quiet);
        };
        let mut results = Results::default();
        run.with_results(&mut results, |run| {
            match run.with(change, |run| game.search(&from, run)) {
                Err(failure) if !failure.is_stop() => Err(failure),
                _ => Ok(()),
            }
        })?;
        let plan = match results.outcome() {
            Some(Outcome::Solved(plans)) => plans.first().cloned(),
            _ => None,
        };
        let cost = plan.as_ref().map(|plan| game.cost(plan));
        Ok(Solution { is_cut: cost != Some(results.lower_bound().into()), plan })
    };
    let shortening = Shortening {
        names: &|plan| game.names(plan),
        cost: &|plan| game.cost(plan),
        replay: &|plan| game.replay(start, plan),
        shorter: &|pass, known, means| game.shorter(pass, start, known, means),
        solve_from: &solve_from,
    };
    shortening.shorten(plans, run)
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

impl<G: Game> Puzzle for G {
    fn info(&self) -> &PuzzleInfo {
        Game::info(self)
    }

    fn read(&self, state: &str) -> Result<StateInfo, InvalidInput> {
        Game::describe(self, &text_of(state)?)
    }

    fn prepare(&self, request: &Request<'_>) -> Result<()> {
        Game::prepare(self, &Run::new(request))
    }

    fn solve(&self, state: &str, request: &Request<'_>) -> Result<Answer> {
        let (text, info) = (&*text_of(state)?, Game::info(self));
        if request.aim == Aim::NearOptimal && !info.has_near_optimal {
            return Err(Failure::refused(format_args!(
                "{} has no near-optimal search with this heuristic, solver and memory: expected the \
                 aim optimal, or best and more memory",
                info.name
            )));
        }
        request.planner.map_or(Ok(()), |planner| info.check_planner(planner))?;
        Run::solve(request, |run| {
            run.reads(self.settings().heuristic.name(), 0);
            let (names, cost) =
                (|plan: &[Op]| Game::names(self, plan), |plan: &[Op]| self.cost(plan));
            if let Err(failure) = Game::prepare(self, run) {
                let request = &run.request;
                let is_free = request.begins.is_none() && request.ends.is_none();
                let solved = is_free && request.min_length == 0 && self.reads_solved(text)?;
                run.stopped_by(Err(failure), || solved)?;
                return run.answer(self.pruning(), &names, &cost, &|_| Ok(()));
            }
            let start = self.parse(text)?;
            match (&run.request.begins, &run.request.ends) {
                (None, None) => search(self, &start, run),
                _ => between::search(self, &start, run),
            }?;
            run.answer(self.pruning(), &names, &cost, &|plan| self.replay(&start, plan))
        })
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replay, InvalidInput> {
        let state = self.parse(&text_of(state)?)?;
        let plan = self.parse_plan(plan).map_err(|error| error.within("plan"))?;
        Ok(replay(self, &state, &plan))
    }

    fn shorten(
        &self,
        state: Option<&str>,
        plans: &[&str],
        request: &Request<'_>,
    ) -> Result<Shortened> {
        let of_plan = |error: InvalidInput, number| error.of_plan(number, plans.len());
        let parse = |(number, plan): (usize, &&str)| {
            self.parse_plan(plan).map_err(|error| of_plan(error, number))
        };
        let own: Vec<Plan> = (1..).zip(plans).map(parse).collect::<Result<_, _>>()?;
        Run::on_threads(request, |run| {
            Game::prepare(self, run)?;
            let start = match state {
                Some(state) => self.parse(&text_of(state)?)?,
                // A plan without moves solves the goal.
                None if own.first().is_none_or(|plan| plan.is_empty()) => self.parse("solved")?,
                None => {
                    let back = Game::invert(self, plans[0]).map_err(|error| of_plan(error, 1))?;
                    let state = self.parse(&back.join(" "));
                    state.map_err(|error| {
                        error.reworded(|error| {
                            format!("the state that the plan solves, as its moves undone: {error}")
                        })
                    })?
                }
            };
            shorten(self, (&start, &own), run)
        })
    }

    fn insert(&self, state: &str, plan: &str, request: &Request<'_>) -> Result<Inserted> {
        let plan = self.parse_plan(plan).map_err(|error| error.within("plan"))?;
        Run::on_threads(request, |run| {
            Game::prepare(self, run)?;
            let start = self.parse(&text_of(state)?)?;
            insert(self, (&start, &plan), run)
        })
    }

    fn encoding(&self, state: &str, request: &Request<'_>) -> Result<Encoding> {
        Game::prepare(self, &Run::new(request))?;
        let encoding = Game::encoding(self, &Game::parse(self, &text_of(state)?)?);
        let refused = |why: String| InvalidInput::without_encoding(&self.info().name, &why).into();
        encoding.map_err(refused)
    }

    fn plain(&self) -> Result<PlainPuzzle> {
        let refused = |why: String| InvalidInput::without_lines(&self.info().name, &why).into();
        Game::plain(self).map_err(refused)
    }

    fn plain_proof(&self, state: &str, request: &Request<'_>) -> Result<PlainProof> {
        let puzzle = Puzzle::plain(self)?;
        let start = Puzzle::plain_state(self, state, request)?;
        let found = Game::plain_search(self, &Run::new(request))?;
        let PlainSearch { twins, heuristic, is_searched } = found;
        let twins = twins.unwrap_or_else(|| puzzle.twins());
        let heuristic = heuristic.unwrap_or_else(|| PlainHeuristic::of(&puzzle, PLAIN_ENTRIES));
        Ok(PlainProof { puzzle, start, twins, heuristic, is_searched })
    }

    fn plain_state(&self, state: &str, request: &Request<'_>) -> Result<Vec<u16>> {
        Game::prepare(self, &Run::new(request))?;
        let refused = |why: String| InvalidInput::without_lines(&self.info().name, &why).into();
        Game::plain_state(self, &Game::parse(self, &text_of(state)?)?).map_err(refused)
    }

    fn invert(&self, moves: &str) -> Result<Vec<String>, InvalidInput> {
        Game::invert(self, moves)
    }

    fn compose(&self, states: &[&str]) -> Result<String, InvalidInput> {
        let text = |(number, state): (usize, &&str)| {
            text_of(state).map_err(|error| error.within(format_args!("state {number}")))
        };
        let texts: Vec<String> = (1..).zip(states).map(text).collect::<Result<_, _>>()?;
        // Moves that turn the whole puzzle name the later moves anew, so moves stay moves.
        let are_moves = texts.iter().all(|text| Game::invert(self, text).is_ok());
        if are_moves && !texts.is_empty() {
            return Ok(Game::describe(self, &texts.join(" "))?.text);
        }
        Game::compose(self, &texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn inverse(&self, state: &str) -> Result<String, InvalidInput> {
        let text = text_of(state)?;
        match Game::invert(self, &text) {
            Ok(moves) if !moves.is_empty() => Ok(Game::describe(self, &moves.join(" "))?.text),
            _ => Game::inverse(self, &text),
        }
    }

    fn goals(&self) -> Vec<NamedGoal> {
        Game::goals(self)
    }

    fn scrambler(&self) -> Option<&dyn Scrambler> {
        Game::has(self, Ability::Scramble).then_some(self)
    }
    fn state_files(&self) -> Option<&dyn StateFiles> {
        Game::state_files(self)
    }
    fn counting(&self) -> Option<&dyn Counting> {
        Some(self)
    }
    fn exhaustive(&self) -> Option<&dyn Exhaustive> {
        Game::has(self, Ability::CountAll).then_some(self)
    }
    fn learning(&self) -> Option<&dyn Learning> {
        Some(self)
    }
    fn tables(&self) -> Option<&dyn Tables> {
        Some(self)
    }
    fn predicting(&self) -> Option<&dyn Predicting> {
        Game::has(self, Ability::Predict).then_some(self)
    }
    fn choosing(&self) -> Option<&dyn Choosing> {
        Game::choosing(self)
    }
}

impl<G: Game> Scrambler for G {
    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        Game::scrambles(self, seed)
    }

    fn move_scrambles<'a>(&'a self, seed: u64, request: &Request<'a>) -> Option<MoveScrambles<'a>> {
        Game::move_scrambles(self, seed, request)
    }
}

impl<G: Game> Counting for G {
    fn count_states(&self, depth: usize, request: &Request<'_>, tell: &mut Tell<'_>) -> Result<()> {
        Game::count_states(self, depth, &Run::new(request), tell)
    }

    fn count_sequences(&self, depth: usize, request: &Request<'_>) -> Result<Vec<u128>> {
        Game::count_sequences(self, depth, &Run::new(request))
    }
}

impl<G: Game> Exhaustive for G {
    fn count_all(
        &self,
        antipodes: usize,
        request: &Request<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        GameStates::count_all(self, antipodes, &Run::new(request), tell)
    }

    fn count_from(&self, from: &str, request: &Request<'_>, tell: &mut Tell<'_>) -> Result<()> {
        GameStates::count_from(self, from, &Run::new(request), tell)
    }

    fn numbers(&self, request: &Request<'_>) -> Result<StateNumbers> {
        distances::numbers(Puzzle::plain(self)?, self.settings().memory, &Run::new(request))
    }

    fn distances(&self, numbers: StateNumbers, request: &Request<'_>) -> Result<StateDistances> {
        distances::find(numbers, &Run::new(request))
    }
}

impl<G: Game> Learning for G {
    fn learn(&self, depth: usize, dot: bool, request: &Request<'_>) -> Result<Learned> {
        Game::learn(self, depth, dot, &Run::new(request))
    }
}

impl<G: Game> Tables for G {
    fn owns(&self, table: &str) -> bool {
        GameTables::owns(self, table)
    }

    fn explain(&self, request: &Request<'_>) -> Result<Vec<TableCandidate>> {
        GameTables::explain(self, &Run::new(request))
    }

    fn build(&self, request: &Request<'_>) -> Result<Vec<(String, u64)>> {
        GameTables::build(self, &Run::new(request))
    }

    fn histograms(&self, request: &Request<'_>) -> Result<Vec<TableHistogram>> {
        GameTables::histograms(self, &Run::new(request))
    }
}

impl<G: Game> Predicting for G {
    fn predict(&self, bound: Cost, request: &Request<'_>) -> Result<Prediction> {
        GameStates::predict(self, bound, &Run::new(request))
    }
}
