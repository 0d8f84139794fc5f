//! Plans for states whose proof is out of reach: [`FirstPlans`].

use super::tables::WordFile;
use crate::cache::Once;
use crate::puzzle::{Aim, Event, Failure, Near, Request, Result};
use crate::puzzles::approach::{self, Approach, PlanSearch};
use crate::run::Run;
use crate::timing::Stopwatch;
use anytime::{
    Effort, Generators, NotGenerators, PieceHome, Pieces, Planner, Technique, WordChain, orbit_plan,
};
use permutation::{HomePoint, PuzzleLabels, PuzzlePoints, PuzzleState};
use search::{CancelToken, Cost, Limits, OperatorRules, Plan, PlanRound};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The part of the memory that words may take: one eighth.
const SHARE: u64 = 8;

/// The least number of states, as a logarithm, of a puzzle for which plans come before tables:
/// 10^12. Smaller puzzles are solved in less time.
const WIDE: f64 = 27.6;

/// The number of states, as a logarithm, below which a proof takes seconds: 2^32.
const SMALL: f64 = 22.2;

/// The number of states, as a logarithm, above which no proof is expected: 10^27.
pub(super) const HOPELESS: f64 = 62.2;

/// The number of points above which words for all pieces take minutes: orbits are solved one by
/// one.
const MANY: usize = 500;

/// The time that must be left before a search without a proof learns estimates.
const TIME_TO_LEARN: Duration = Duration::from_secs(25);

/// Words that were read or found.
#[derive(Clone)]
struct Words {
    chain: Arc<WordChain>,
    /// What they depend on. `None`: on the time that they had.
    identity: Option<String>,
}

/// Finds a plan of a state in a way of its own, for a request. Returns the nodes, too.
pub(crate) type OwnPlans =
    Box<dyn Fn(&PuzzleState, &Request<'_>) -> Option<(Plan, u64)> + Send + Sync>;

/// The words of a puzzle whose operators can be undone and apply in every state. They give plans
/// that are not proven.
pub(super) struct FirstPlans {
    /// The most bytes of tables.
    memory: u64,
    points: PuzzlePoints,
    /// Whether one word for each place fits into its share of the memory.
    words_fit: bool,
    file: WordFile,
    words: Once<Words>,
    /// A better way to find a first plan, and its name. It is known for few puzzles.
    own: OnceLock<(&'static str, OwnPlans)>,
}

/// About the bytes of a search orbit by orbit. It has a place for each piece and each class, for
/// each piece and operator, and for each pair of operators.
fn bytes_of_orbits(labels: &PuzzleLabels) -> u64 {
    let (pieces, operators) = (labels.slots() as u64, labels.list().list.len() as u64);
    pieces * pieces + 12 * pieces * operators + 4 * operators * operators
}

/// The pieces of a puzzle, as planners know them.
pub(super) fn pieces_of(points: &PuzzlePoints) -> Pieces {
    let piece =
        |home: HomePoint| PieceHome { home: home.point, class: home.class, step: home.step };
    Pieces::new(points.homes().into_iter().map(piece).collect(), &points.twists())
}

impl FirstPlans {
    /// The plans of a puzzle.
    ///
    /// `None` if which moves apply depends on the state or on the moves before. Also if some move
    /// cannot be undone, there are several goals, or one word for each place of few pieces does not
    /// fit into an eighth of the memory.
    pub(super) fn new(
        labels: &Arc<PuzzleLabels>,
        rules: &OperatorRules,
        memory: u64,
        file: WordFile,
    ) -> Option<Self> {
        let operators = labels.list();
        let undone = operators
            .list
            .iter()
            .zip(operators.inverses())
            .all(|(op, back)| back.is_some_and(|back| operators.list[back].cost == op.cost));
        if !rules.is_empty() || !undone {
            return None;
        }
        let points = PuzzlePoints::new(labels)?;
        let places = points.orbit_points();
        let least = WordChain::least_bytes(labels.slots(), points.points(), places);
        let words_fit = least <= memory / SHARE;
        if !words_fit && (points.points() <= MANY || bytes_of_orbits(labels) > memory / SHARE) {
            return None;
        }
        let (words, own) = (Once::default(), OnceLock::new());
        Some(Self { memory, points, words_fit, file, words, own })
    }

    /// Whether the puzzle is large enough that a plan is looked for before tables are.
    pub(super) fn come_first(&self) -> bool {
        self.points.log_states() > WIDE
    }

    /// Whether a proof takes seconds: fewer than 2^32 states.
    pub(super) fn is_small(&self) -> bool {
        self.points.log_states() < SMALL
    }

    /// Whether plans are found by words, of some hundred moves at the most.
    pub(super) fn has_words(&self) -> bool {
        self.words_fit
    }

    /// Whether no proof is to be expected.
    pub(super) fn is_hopeless(&self) -> bool {
        self.points.log_states() > HOPELESS
    }

    /// The words, read or found once. They take at most three quarters of the time that is left. If
    /// that is too short, only this search has those found by then.
    fn words(&self, run: &Run<'_>) -> Result<Words> {
        let mut cut = None;
        let whole = self.words.get_or_make(run, || {
            let most = approach::time_left(run).map(|left| left * 3 / 4);
            run.prepare("short words for every piece", |cancel| {
                let cancel = cancel.child_within(most);
                let words = self.found_words(&cancel, run)?;
                if words.identity.is_none() {
                    cut = Some(words);
                    return Err(Failure::Time);
                }
                Ok(words)
            })
        });
        match (whole, cut) {
            (Err(_), Some(cut)) => Ok(cut),
            (whole, _) => whole.cloned(),
        }
    }

    /// The operators as permutations of the points.
    fn generators(&self, stop: &dyn Fn() -> bool) -> Result<Generators> {
        let generators = self.points.generators().map_err(Failure::of_group)?;
        let generators = Generators::new(self.points.points(), generators, stop);
        generators.map_err(|error| match error {
            NotGenerators::Stopped => Failure::Cancelled,
            error => Failure::refused(error),
        })
    }

    fn effort(&self) -> Effort {
        Effort { bytes: self.memory / SHARE, ..Effort::default() }
    }

    /// The words of the file, or those found until `cancel` ends the work.
    fn found_words(&self, cancel: &CancelToken, run: &Run<'_>) -> Result<Words> {
        let effort = self.effort();
        let generators = self.generators(&|| cancel.is_cancelled())?;
        let pieces = pieces_of(&self.points);
        let chain = Arc::new(self.file.chain((&generators, &pieces), effort, cancel, run)?);
        if !cancel.is_cancelled() {
            self.file.read_more(&chain, effort, cancel, run)?;
        }
        let identity = self.file.identity((&generators, &pieces), effort);
        Ok(Words { chain, identity: (!cancel.is_cancelled()).then_some(identity) })
    }

    /// Looks for plans of a state. The best is known from then on; if no proof is wanted, it is
    /// the answer. `nodes`: the most nodes, if nothing allows more.
    ///
    /// # Errors
    /// If the run is cancelled before there are words, or a plan does not solve the state.
    pub(super) fn find(
        &self,
        (approach, start): (&Approach<'_>, &PuzzleState),
        nodes: u64,
        run: &mut Run<'_>,
    ) -> Result<()> {
        if run.request.planner.is_none() && run.request.keeper.is_none() {
            self.find_own((approach, start), run)?;
            if run.request.aim == Aim::Optimal && run.has_approached() {
                return Ok(());
            }
        }
        // A solved state needs no words.
        if !approach.is_solved(run)
            && let Some(images) = self.points.images(start)
        {
            let is_wanted =
                |way: Technique| run.request.planner.is_none_or(|name| name == way.name());
            if self.points.points() > MANY && is_wanted(Technique::Cycles) {
                self.find_by_orbits((approach, &images), nodes, run)?;
            }
            if self.words_fit {
                self.find_by_words((approach, &images), nodes, run)?;
            }
        }
        if !run.has_approached() {
            run.approach(None, Near::default());
        }
        if run.request.aim == Aim::NearOptimal {
            run.reads("words", 0);
            approach.end(run);
        } else {
            approach.lose_patience(run);
        }
        Ok(())
    }

    /// Sets a better way to find a first plan, and its name. The first one that is set stays.
    pub(crate) fn set_own(&self, name: &'static str, own: OwnPlans) {
        self.own.get_or_init(|| (name, own));
    }

    /// Looks for a plan in the puzzle's own way, for a quarter of the time that is left.
    fn find_own(
        &self,
        (approach, start): (&Approach<'_>, &PuzzleState),
        run: &mut Run<'_>,
    ) -> Result<()> {
        let Some((name, own)) = self.own.get() else { return Ok(()) };
        let (time, stopwatch) = (approach::time_left(run).map(|left| left / 4), Stopwatch::start());
        let nodes = run.request.limits.nodes.map(|nodes| nodes / 4);
        let request = Request::default().seed(run.request.seed).cancel(run.request.cancel.clone());
        let request = request.aim(Aim::NearOptimal);
        let request = request.limits(Limits { time, nodes, ..Limits::default() });
        let Some((plan, generated)) = own(start, &request) else { return Ok(()) };
        let (names, cost) = ((approach.names)(&plan), (approach.cost)(&plan));
        if let Err(error) = (approach.replay)(&plan) {
            return Err(Failure::Defect { plan: names.join(" "), error });
        }
        run.tell(&Event::plan(&names, cost, run.results().lower_bound()));
        let (by, length) = ((*name).to_owned(), Some(plan.len()));
        let near = Near { by, length, generated, elapsed: stopwatch.wall(), ..Near::default() };
        run.approach(Some((plan, cost)), near);
        Ok(())
    }

    /// Looks for plans by words for all pieces.
    fn find_by_words(
        &self,
        (approach, images): (&Approach<'_>, &[u16]),
        nodes: u64,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let Words { chain, identity } = match self.words(run) {
            Ok(words) => words,
            // A proof has what is left of the time.
            Err(Failure::Time) => return Ok(()),
            Err(failure) => return Err(failure),
        };
        let only = Technique::ALL.into_iter().find(|way| run.request.planner == Some(way.name()));
        let planner = Planner::new(&chain, self.memory / 4).with_seed(run.request.seed);
        // To learn takes up to half a minute, which pays where no proof is near.
        let (left, stopwatch) = (approach::time_left(run), Stopwatch::start());
        let is_near = run.request.aim == Aim::NearOptimal;
        let watch = run.request.watch;
        let may_learn = || {
            let left = left.map(|left| left.saturating_sub(stopwatch.wall()));
            let may = is_near && left.is_none_or(|left| left >= TIME_TO_LEARN);
            if may {
                watch.event(&Event::Preparing { what: "estimates for pairs of places" });
            }
            may
        };
        let planner = planner.with_only(only).with_learning(&may_learn);
        let search: &mut PlanSearch<'_> =
            &mut |known, stop, tell| planner.resume(images, known, stop, tell);
        if let (Some(keeper), Some(identity)) = (run.request.keeper, &identity) {
            keeper.begin_plans(identity);
        }
        // Without the time for all words, another run would have other rounds.
        let is_kept = identity.is_some();
        let keeper = run.request.keeper.filter(|_| is_kept);
        run.with(|request| request.keeper = keeper, |run| approach.look(nodes, search, run))?;
        let bound = planner.bound(images, &|| run.request.cancel.is_cancelled());
        // A proof that is kept begins at the same bound in each run, if it begins at all.
        if run.request.keeper.is_none() || run.results().upper() == Some(bound.into()) {
            run.prove(Cost::try_from(bound).unwrap_or(Cost::MAX));
        }
        if is_kept {
            self.file.save_more(&chain, self.effort(), run);
        }
        Ok(())
    }

    /// Looks for a plan of a puzzle of many pieces, orbit by orbit. A journal keeps none of it: it
    /// is one short round.
    fn find_by_orbits(
        &self,
        (approach, images): (&Approach<'_>, &[u16]),
        nodes: u64,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let search: &mut PlanSearch<'_> = &mut |_, stop, tell| {
            let (pieces, bytes) = (pieces_of(&self.points), self.memory / SHARE);
            let Ok(generators) = self.generators(stop) else { return 0 };
            let Some(plan) = orbit_plan(&generators, &pieces, images, bytes, stop) else {
                return 0;
            };
            let (nodes, cost) = (plan.len() as u64, Some(generators.cost_of(&plan)));
            let plan = Some(plan.into_iter().collect());
            tell(&PlanRound { by: "cycles".into(), nodes, cost, plan }, true);
            nodes
        };
        run.with(|request| request.keeper = None, |run| approach.look(nodes, search, run))
    }
}
