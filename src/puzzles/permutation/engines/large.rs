//! [`Search`] for puzzles that are too large for states of a fixed size.
//!
//! Such a puzzle has no tables and no group. Each run finds the states near the goals anew. The
//! forbidden strings are duplicate pairs of operators, found from the definition.

use super::search::{Search, walk};
use crate::automata;
use crate::cache::{AutomatonCache, Once};
use crate::puzzle::{Aim, Failure, Result, Tell};
use crate::puzzles::configured::{AllowedPlans, Learned};
use crate::puzzles::permutation::model::PuzzleModel;
use crate::puzzles::permutation::strings::PAIRS;
use crate::run::Run;
use fsm::{Automaton, ForbiddenStrings, Keep};
use permutation::{
    GoalQuotient, LargeOps, LargePuzzle, NearGoals, NearStates, NotSearchable, PuzzleLabels,
    PuzzleState, SlotContents,
};
use search::random::Random;
use search::{
    ConstrainedDomain, Domain, IgnoreRules, LEAST_UNITS, MOST_UNITS, Op, ida_star,
    ida_star_parallel,
};
use std::sync::Arc;

/// Nodes of a first search without known states. It solves states near a goal.
const NEAR_NODES: u64 = 1 << 14;

/// Most states near the goals that are kept.
const MOST_KNOWN: u64 = 1 << 21;

/// Bytes of a state in a breadth-first search.
const STATE_BYTES: u64 = 64;

/// Bytes of a slot of a state.
const SLOT_BYTES: u64 = 4;

/// The searches of a puzzle of any size.
pub(super) struct LargeEngine {
    model: Arc<PuzzleModel>,
    puzzle: LargePuzzle,
    automata: AutomatonCache<LargeOps>,
    near: Once<NearGoals>,
}

impl LargeEngine {
    pub(super) fn new(model: Arc<PuzzleModel>) -> Result<Self, NotSearchable> {
        let puzzle = LargePuzzle::of(Arc::clone(&model.labels))?;
        Ok(Self { model, puzzle, automata: AutomatonCache::default(), near: Once::default() })
    }

    /// The states near the goals, found once.
    fn near(&self, run: &Run<'_>) -> Result<&NearGoals> {
        self.near.get_or_make(run, || {
            run.prepare("the states near the goal", |cancel| {
                let most = MOST_KNOWN.min(self.model.settings.memory / 4 / STATE_BYTES);
                let most = usize::try_from(most).unwrap_or(usize::MAX);
                let near = NearGoals::new(&self.puzzle, most, &|| cancel.is_cancelled());
                near.ok_or(Failure::Cancelled)
            })
        })
    }

    /// An estimate of the bytes of a parallel search's units. `kept`: a keeper gets them.
    fn units_bytes(&self, kept: bool) -> u64 {
        let operators = self.puzzle.operators().max(2);
        let layers = std::iter::successors(Some(1), |&units: &usize| Some(units * operators));
        let layer = layers.into_iter().find(|&units| units >= LEAST_UNITS).unwrap_or(LEAST_UNITS);
        let units = if kept { 4 * MOST_UNITS } else { layer };
        units as u64 * (SLOT_BYTES * self.puzzle.labels().slots() as u64 + STATE_BYTES)
    }

    fn automaton(&self, keep: Keep, run: &Run<'_>) -> Result<&Automaton<LargeOps>> {
        self.automata.automaton(keep, run, &|| self.model.pairs(keep, run))
    }

    /// Searches with the states near the goals as heuristic, from the proven bound on.
    fn search_with(&self, near: &NearGoals, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let model = &*self.model;
        let automaton = self.automaton(model.keep(run), run)?;
        let ruled = ConstrainedDomain::new(&self.puzzle, &model.rules).map_err(Failure::refused)?;
        let from = &ruled.start(self.puzzle.state(start));
        let heuristic = &IgnoreRules(near);
        let (kept, memory) = (run.request.keeper.is_some(), model.settings.memory);
        let needed = 4 * self.units_bytes(kept);
        if kept && needed > memory {
            return Err(Failure::refused(format_args!(
                "a journal of this puzzle needs memory of at least {needed} bytes, and the \
                 settings allow {memory}"
            )));
        }
        model.approach_of(start, |approach| {
            approach.by_operators((&ruled, heuristic, from), (memory / 2, false), run, |run| {
                run.search_by(&|options| {
                    if !kept && (rayon::current_num_threads() == 1 || needed > memory) {
                        ida_star(&ruled, heuristic, automaton, from, options)
                    } else {
                        ida_star_parallel(&ruled, heuristic, automaton, from, options)
                    }
                });
                Ok(())
            })
        })
    }
}

/// The puzzle of a definition.
///
/// # Errors
/// If it depends on the state which strings apply, or the puzzle cannot be searched.
fn unrestricted(model: &PuzzleModel) -> Result<LargePuzzle> {
    if model.definition().rules().restrict_states() {
        return Err(Failure::refused("which strings apply depends on the state"));
    }
    LargePuzzle::of(Arc::clone(&model.labels)).map_err(Failure::refused)
}

/// Counts the strings of 0 to `depth` operators without a duplicate pair.
pub(crate) fn count_sequences(
    model: &PuzzleModel,
    depth: usize,
    run: &Run<'_>,
) -> Result<Vec<u128>> {
    let puzzle = unrestricted(model)?;
    let automaton = automata::automaton(&model.pairs(Keep::OneOptimal, run)?)?;
    Ok(fsm::sequence_counts(&puzzle, &automaton, 0, depth))
}

/// Figures of the duplicate pairs. With `name`, also their automaton as a Graphviz graph.
pub(crate) fn learn(
    model: &PuzzleModel,
    depth: usize,
    name: Option<&dyn Fn(Op) -> String>,
    run: &Run<'_>,
) -> Result<Learned> {
    if depth > PAIRS {
        return Err(Failure::refused(format!(
            "found depth {depth}, expected at most {PAIRS}: pairs are learned of puzzles of \
             this size"
        )));
    }
    let puzzle = unrestricted(model)?;
    let none = || ForbiddenStrings::from_strings(&model.costs(), depth, Keep::OneOptimal, []);
    let strings = match depth {
        PAIRS => model.pairs(Keep::OneOptimal, run)?,
        _ => none().map_err(Failure::limit)?,
    };
    automata::summary_of(&puzzle, &strings, depth, name, &run.request.cancel)
}

impl Search for LargeEngine {
    fn search(&self, start: &PuzzleState, run: &mut Run<'_>) -> Result<()> {
        let is_best = self.model.is_best();
        let quick = |run: &mut Run<'_>| {
            run.reads(if is_best { "best" } else { "none" }, 0);
            self.search_with(&NearGoals::default(), start, run)
        };
        if !is_best {
            return quick(run);
        }
        let full = |run: &mut Run<'_>| {
            self.model.after_shapes(start, run, |run| {
                self.model.approach(
                    || Some(start.clone()),
                    run,
                    |run| {
                        let near = self.near(run)?;
                        run.reads("best", near.bytes() as u64);
                        self.search_with(near, start, run)
                    },
                )
            })
        };
        match run.request.aim {
            Aim::NearOptimal => full(run),
            _ => run.near_first(NEAR_NODES, quick, full),
        }
    }

    fn filter<'a>(&'a self, keep: Keep, run: &Run<'_>) -> Result<AllowedPlans<'a>> {
        let automaton = self.automaton(keep, run)?;
        Ok(Box::new(|plan| automaton.accepts(plan)))
    }

    fn walk(&self, moves: usize, random: &mut Random) -> SlotContents {
        let start = self.puzzle.state(self.puzzle.labels().definition().start());
        walk(&self.puzzle, start, moves, random).contents()
    }

    fn count(
        &self,
        (depth, antipodes): (usize, usize),
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>> {
        count(&self.model, (depth, antipodes), run, tell)
    }
}

/// The puzzle in which the distances from the goals are those to them: the puzzle itself where each
/// move costs as much as the move that undoes it.
///
/// # Errors
/// If some move costs more or less, and there are rules about states: a search backward ignores
/// these.
fn to_goal(model: &PuzzleModel, puzzle: LargePuzzle) -> Result<LargePuzzle> {
    let operators = model.operators();
    let costs = |op: usize| operators.list[op].cost;
    let mut backs = operators.inverses().into_iter().enumerate();
    if backs.all(|(op, back)| back.is_some_and(|back| costs(back) == costs(op))) {
        return Ok(puzzle);
    }
    if model.definition().rules().restrict_states() {
        return Err(Failure::refused(
            "states are not counted under rules about states where a move costs more or less than \
             the one that undoes it",
        ));
    }
    Ok(puzzle.backward())
}

/// Counts the states at each cost up to `depth`. Returns at most `antipodes` states of the greatest
/// cost that has any. For puzzles of any size, whose moves may have costs.
pub(crate) fn count(
    model: &PuzzleModel,
    (depth, antipodes): (usize, usize),
    run: &Run<'_>,
    tell: &mut Tell<'_>,
) -> Result<Vec<SlotContents>> {
    if !model.rules.is_empty() {
        return Err(Failure::refused(
            "states are not counted under rules about moves for puzzles of this size, or where \
             moves have costs",
        ));
    }
    let quotient = GoalQuotient::new(&model.labels);
    let labels = match &quotient {
        Some(quotient) if !quotient.has_whole_goals() || antipodes > 0 => {
            return Err(Failure::refused(
                "the states that the goal ignores are too many to be counted for puzzles of \
                 this size, or where moves have costs",
            ));
        }
        Some(quotient) => {
            let definition = quotient.definition().clone();
            PuzzleLabels::new(definition, model.operators().clone()).into()
        }
        None => Arc::clone(&model.labels),
    };
    let puzzle = LargePuzzle::of(labels).map_err(Failure::refused)?;
    let puzzle = to_goal(model, puzzle)?;
    let bytes = run.request.limits.bytes.map_or(model.settings.memory, |bytes| bytes as u64);
    let most = usize::try_from(bytes / STATE_BYTES).unwrap_or(usize::MAX);
    let mut near = NearStates::new(&puzzle, puzzle.goals());
    tell(0, near.len() as u128);
    let (mut last, mut empty) = (0, 0);
    for layer in 1..=depth {
        let stop = |states: usize| run.request.cancel.is_cancelled() || states > most;
        let Some(states) = near.advance(&stop) else {
            if run.request.cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            return Err(Failure::limit(format!(
                "layer {layer} does not fit into {bytes} bytes: expected more memory"
            )));
        };
        if depth == usize::MAX {
            if near.is_exhausted() {
                break;
            }
            // Costs without a state are told if a greater one has a state.
            if states == 0 {
                empty += 1;
                continue;
            }
            (layer - empty..layer).for_each(|layer| tell(layer, 0));
            empty = 0;
        }
        last = if states > 0 { layer } else { last };
        tell(layer, states as u128);
    }
    Ok(near.layer(last).take(antipodes).map(|state| state.contents()).collect())
}
