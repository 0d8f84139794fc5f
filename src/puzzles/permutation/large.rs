//! [`Search`] for puzzles that are too large for states of a fixed size.
//!
//! Such a puzzle has no tables and no group. Each run finds the states near the goals anew. The
//! forbidden strings are duplicate pairs of operators, found from the definition.

use super::file_puzzle::FilePuzzle;
use super::searches::Search;
use super::with_rules::DEPTH;
use crate::automata;
use crate::cache::{AutomatonCache, Once};
use crate::puzzle::{Failure, LearnedSummary, Tell};
use crate::puzzles::configured::AllowedPlans;
use crate::run::Run;
use fsm::{ForbiddenStrings, Keep};
use permutation::{
    GoalQuotient, LargeOps, LargePuzzle, NearGoals, NearStates, NotSearchable, PuzzleLabels,
    PuzzleState, SlotContents,
};
use search::random::Random;
use search::{
    ConstrainedDomain, Domain, IgnoreRules, LEAST_UNITS, MOST_UNITS, Op, OpSet, ida_star,
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
    puzzle: LargePuzzle,
    automata: AutomatonCache<LargeOps>,
    near: Once<NearGoals>,
}

impl LargeEngine {
    pub(super) fn new(labels: &Arc<PuzzleLabels>) -> Result<Self, NotSearchable> {
        let puzzle = LargePuzzle::of(Arc::clone(labels))?;
        Ok(Self { puzzle, automata: AutomatonCache::default(), near: Once::default() })
    }

    /// The states near the goals, found once.
    fn near(&self, own: &FilePuzzle, run: &Run<'_>) -> Result<&NearGoals, Failure> {
        self.near.get_or_make(run, || {
            run.prepare("the states near the goal", |cancel| {
                let most = MOST_KNOWN.min(own.settings.memory / 4 / STATE_BYTES);
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

    /// Searches with the states near the goals as heuristic, from the proven bound on.
    fn search_with(
        &self,
        own: &FilePuzzle,
        near: &NearGoals,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let keep = own.keep(run);
        let automaton = self.automata.automaton(keep, run, &|| strings(own, keep, run))?;
        let ruled = ConstrainedDomain::new(&self.puzzle, &own.rules).map_err(Failure::refused)?;
        let start = ruled.start(self.puzzle.state(pattern));
        let heuristic = IgnoreRules(near);
        let (kept, memory) = (run.request.keeper.is_some(), own.settings.memory);
        let needed = 4 * self.units_bytes(kept);
        if kept && needed > memory {
            return Err(Failure::refused(format_args!(
                "a journal of this puzzle needs memory of at least {needed} bytes, and the \
                 settings allow {memory}"
            )));
        }
        run.search_by(&|options| {
            if !kept && (rayon::current_num_threads() == 1 || needed > memory) {
                ida_star(&ruled, &heuristic, automaton, &start, options)
            } else {
                ida_star_parallel(&ruled, &heuristic, automaton, &start, options)
            }
        });
        Ok(())
    }
}

/// The forbidden strings: pairs that a rule forbids, and duplicate pairs.
fn strings(own: &FilePuzzle, keep: Keep, run: &Run<'_>) -> Result<ForbiddenStrings, Failure> {
    if own.rules.is_empty() {
        return own.duplicate_strings(keep, run);
    }
    own.strings_under_rules(&own.costs(), own.settings.pruning, keep, run)
}

/// The puzzle of a definition.
///
/// # Errors
/// If it depends on the state which strings apply, or the puzzle cannot be searched.
fn unrestricted(own: &FilePuzzle) -> Result<LargePuzzle, Failure> {
    if own.definition().rules().restrict_states() {
        return Err(Failure::refused("which strings apply depends on the state"));
    }
    LargePuzzle::of(Arc::clone(&own.labels)).map_err(Failure::refused)
}

/// Counts the strings of 0 to `depth` operators without a duplicate pair.
pub(super) fn count_sequences(
    own: &FilePuzzle,
    depth: usize,
    run: &Run<'_>,
) -> Result<Vec<u128>, Failure> {
    let puzzle = unrestricted(own)?;
    let automaton = automata::automaton(&strings(own, Keep::OneOptimal, run)?)?;
    Ok(fsm::sequence_counts(&puzzle, &automaton, 0, depth))
}

/// Figures of the duplicate pairs. With `name`, also their automaton as a Graphviz graph.
pub(super) fn learn(
    own: &FilePuzzle,
    depth: usize,
    name: Option<&dyn Fn(Op) -> String>,
    run: &Run<'_>,
) -> Result<(LearnedSummary, Option<String>), Failure> {
    if depth > DEPTH {
        return Err(Failure::refused(format!(
            "found depth {depth}, expected at most {DEPTH}: pairs are learned of puzzles of \
             this size"
        )));
    }
    let puzzle = unrestricted(own)?;
    let none = || ForbiddenStrings::from_strings(&own.costs(), depth, Keep::OneOptimal, []);
    let strings = match depth {
        DEPTH => strings(own, Keep::OneOptimal, run)?,
        _ => none().map_err(Failure::limit)?,
    };
    automata::summary_of(&puzzle, &strings, depth, name, &run.request.cancel)
}

impl Search for LargeEngine {
    fn filter<'a>(
        &'a self,
        own: &FilePuzzle,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<AllowedPlans<'a>, Failure> {
        let automaton = self.automata.automaton(keep, run, &|| strings(own, keep, run))?;
        Ok(Box::new(|plan| automaton.accepts(plan)))
    }

    fn search(
        &self,
        own: &FilePuzzle,
        pattern: &PuzzleState,
        run: &mut Run<'_>,
    ) -> Result<(), Failure> {
        let quick = |run: &mut Run<'_>| {
            run.reads(if own.is_best() { "best" } else { "none" }, 0);
            self.search_with(own, &NearGoals::default(), pattern, run)
        };
        if !own.is_best() {
            return quick(run);
        }
        run.near_first(NEAR_NODES, quick, |run| {
            let near = self.near(own, run)?;
            run.reads("best", near.bytes() as u64);
            self.search_with(own, near, pattern, run)
        })
    }

    fn walk(&self, moves: usize, random: &mut Random) -> SlotContents {
        let mut state = self.puzzle.state(self.puzzle.labels().definition().start());
        let mut to = state.clone();
        for _ in 0..moves {
            let ops: Vec<Op> = self.puzzle.applicable(&state).members().collect();
            let Some(last) = ops.len().checked_sub(1) else { break };
            let at = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
            self.puzzle.apply_into(&state, ops[at], &mut to);
            std::mem::swap(&mut state, &mut to);
        }
        state.contents()
    }

    fn count_states(
        &self,
        own: &FilePuzzle,
        depth: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        self.count(own, (depth, 0), run, tell).map(drop)
    }

    fn exhaust(
        &self,
        own: &FilePuzzle,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        self.count(own, (usize::MAX, antipodes), run, tell)
    }
}

impl FilePuzzle {
    /// Counts the states at each cost, up to the cost `to`. Returns at most `antipodes` states of
    /// the greatest one. For puzzles of any size whose moves have costs.
    pub(super) fn layers_by_cost(
        &self,
        (to, antipodes): (usize, usize),
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        let engine = LargeEngine::new(&self.labels).map_err(Failure::refused)?;
        engine.count(self, (to, antipodes), run, tell)
    }
}

impl LargeEngine {
    /// Counts the states at each distance up to `depth`. Returns at most `antipodes` states of the
    /// last layer that has any.
    fn count(
        &self,
        own: &FilePuzzle,
        (depth, antipodes): (usize, usize),
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        if !own.rules.is_empty() {
            return Err(Failure::refused(
                "states are not counted under rules about moves for puzzles of this size, or where \
                 moves have costs",
            ));
        }
        let quotient = GoalQuotient::new(&own.labels);
        let classes = match &quotient {
            Some(quotient) if !quotient.has_whole_goals() || antipodes > 0 => {
                return Err(Failure::refused(
                    "the states that the goal ignores are too many to be counted for puzzles of \
                     this size, or where moves have costs",
                ));
            }
            Some(quotient) => {
                let definition = quotient.definition().clone();
                let labels = PuzzleLabels::new(definition, own.operators().clone());
                Some(LargePuzzle::of(labels.into()).map_err(Failure::refused)?)
            }
            None => None,
        };
        let puzzle = classes.as_ref().unwrap_or(&self.puzzle);
        let bytes = run.request.limits.bytes.map_or(own.settings.memory, |bytes| bytes as u64);
        let most = usize::try_from(bytes / STATE_BYTES).unwrap_or(usize::MAX);
        let mut near = NearStates::new(puzzle, puzzle.goals());
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
}
