//! Plans for states whose proof is out of reach: [`FirstPlans`].

use crate::cache::Once;
use crate::puzzle::{Aim, Event, Failure, Near, Result};
use crate::run::Run;
use crate::timing::Stopwatch;
use anytime::{Effort, Generators, NotGenerators, PieceHome, Pieces, Planner, WordChain};
use permutation::{HomePoint, PuzzleLabels, PuzzlePoints, PuzzleState, ReferencePuzzle};
use search::{Limit, Op, OperatorRules, Outcome, Plan, plan};
use std::sync::Arc;
use std::time::Duration;

/// Nodes of a search for plans that no limit ends: about a second.
const NODES: u64 = 10_000_000;

/// The part of the memory that words may take: one eighth.
const SHARE: u64 = 8;

/// The least number of states, as a logarithm, of a puzzle for which plans come before tables:
/// 10^12. Smaller puzzles are solved in less time.
const WIDE: f64 = 27.6;

/// The number of states, as a logarithm, above which no proof is expected: 10^27.
const HOPELESS: f64 = 62.2;

/// The time for a state of such a puzzle, if the request has no limit.
const PATIENCE: Duration = Duration::from_secs(60);

/// The words of a puzzle whose operators can be undone and apply in every state. They give plans
/// that are not proven.
pub(super) struct FirstPlans {
    labels: Arc<PuzzleLabels>,
    /// The most bytes of tables.
    memory: u64,
    points: PuzzlePoints,
    chain: Once<WordChain>,
}

impl FirstPlans {
    /// The plans of a puzzle.
    ///
    /// `None` if which moves apply depends on the state or on the moves before. Also if some move
    /// cannot be undone, there are several goals, or one word for each place does not fit into an
    /// eighth of the memory.
    pub(super) fn new(
        labels: &Arc<PuzzleLabels>,
        rules: &OperatorRules,
        memory: u64,
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
        if WordChain::least_bytes(labels.slots(), points.points(), places) > memory / SHARE {
            return None;
        }
        Some(Self { labels: Arc::clone(labels), memory, points, chain: Once::default() })
    }

    /// Whether the puzzle is large enough that a plan is looked for before tables are.
    pub(super) fn come_first(&self) -> bool {
        self.points.log_states() > WIDE
    }

    /// Whether no proof is to be expected.
    pub(super) fn is_hopeless(&self) -> bool {
        self.points.log_states() > HOPELESS
    }

    /// The words, found once. They take at most half of the time that is left. Words that this cut
    /// short stay as they are.
    fn chain(&self, run: &Run<'_>) -> Result<&WordChain> {
        self.chain.get_or_make(run, || {
            let half = self.time_left(run).map(|left| left / 2);
            run.prepare("short words for every piece", |cancel| {
                let cancel = cancel.child_within(half);
                let piece = |home: HomePoint| PieceHome {
                    home: home.point,
                    class: home.class,
                    step: home.step,
                };
                let pieces = self.points.homes().into_iter().map(piece).collect();
                let pieces = Pieces::new(pieces, &self.points.twists());
                let effort = Effort { bytes: self.memory / SHARE, ..Effort::default() };
                let stop = || cancel.is_cancelled();
                let generators = self.points.generators().map_err(Failure::of_group)?;
                let points = self.points.points();
                let generators = Generators::new(points, generators, &stop);
                let generators = generators.map_err(|error| match error {
                    NotGenerators::Stopped => Failure::Cancelled,
                    error => Failure::refused(error),
                })?;
                WordChain::new(generators, pieces, effort, &stop).map_err(Failure::of_group)
            })
        })
    }

    /// Looks for plans of a state. The best is known from then on; if no proof is wanted, it is
    /// the answer.
    ///
    /// # Errors
    /// If the run is cancelled before there are words, or a plan does not solve the state.
    pub(super) fn find(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let aims = run.request.aim == Aim::NearOptimal;
        if let Some(images) = self.points.images(start) {
            match self.chain(run) {
                Ok(chain) => {
                    let improved = run.timed(|run| self.improve(chain, &images, start, run));
                    run.approach(improved.0?, improved.1);
                }
                // A proof has what is left of the time.
                Err(Failure::Time) => run.approach(None, Near::default()),
                Err(failure) => return Err(failure),
            }
        } else {
            run.approach(None, Near::default());
        }
        let limits = &run.request.limits;
        if aims {
            let outcome = match self.time_left(run) {
                _ if run.request.cancel.is_cancelled() => Outcome::Cancelled,
                Some(Duration::ZERO) => Outcome::LimitReached(Limit::Time),
                _ => Outcome::LimitReached(Limit::Nodes),
            };
            run.reads("words", 0);
            run.end_with_known(outcome);
        } else if limits.time.is_none() && run.request.deadline.is_none() && self.is_hopeless() {
            run.request.limits.time = Some(PATIENCE);
        }
        Ok(())
    }

    /// What is left of the limits of time. `None` without one.
    fn time_left(&self, run: &Run<'_>) -> Option<Duration> {
        let due = Duration::try_from_secs_f64(run.seconds_left()).ok();
        [run.time_left(), due].into_iter().flatten().min()
    }

    /// The most nodes of a search for plans, and the most time.
    ///
    /// If no proof is wanted, it has all that the request allows. Where a proof is hopeless, it has
    /// half.
    fn budget(&self, run: &Run<'_>) -> (u64, Option<Duration>) {
        let (limits, left) = (&run.request.limits, self.time_left(run));
        let own = limits.nodes.unwrap_or(NODES);
        match run.request.aim {
            Aim::NearOptimal if left.is_some() => (limits.nodes.unwrap_or(u64::MAX), left),
            Aim::NearOptimal => (own, None),
            _ if self.is_hopeless() => (u64::MAX, Some(left.unwrap_or(PATIENCE) / 2)),
            _ => (NODES, left.map(|left| left / 2)),
        }
    }

    /// The best plan with its cost, or the error of a plan that does not solve the state.
    fn improve(
        &self,
        chain: &WordChain,
        images: &[u16],
        start: &PuzzleState,
        run: &Run<'_>,
    ) -> (Result<Option<(Plan, u64)>>, Near) {
        let stopwatch = Stopwatch::start();
        let (nodes, time) = self.budget(run);
        let cancel = run.request.cancel.child_within(time);
        let list = &self.labels.list().list;
        let reference = ReferencePuzzle::new(self.labels.definition(), self.labels.list());
        let from = reference.start(start);
        let mut best = Ok(None);
        let mut tell = |plan: &[Op]| {
            let names: Vec<_> = plan.iter().map(|&op| list[op.index()].name.clone()).collect();
            let cost = chain.generators().cost_of(plan).into();
            if run.request.limits.bound.is_some_and(|bound| cost > u64::from(bound)) {
                return;
            }
            if let Err(error) = plan::validate(&reference, &from, plan) {
                best = Err(Failure::Defect { plan: names.join(" "), error });
            } else if best.is_ok() {
                run.tell(&Event::plan(&names, cost, run.results().lower_bound()));
                best = Ok(Some((Plan::from(plan), cost)));
            }
        };
        let stop = || cancel.is_cancelled();
        let generated =
            Planner::new(chain, self.memory / 4).improve(images, nodes, &stop, &mut tell);
        let length = best.as_ref().ok().and_then(|best| Some(best.as_ref()?.0.len()));
        (best, Near { length, generated, expanded: 0, elapsed: stopwatch.wall() })
    }
}
