//! Puzzles with rules about moves: searches and layers.
//!
//! Searches add operators at one end of the plan only. With both ends, the rules would also have to
//! hold where the ends meet. The tables know no rules, so their bounds are admissible under any.

use super::counts::CountedStates;
use super::engine::Engine;
use crate::puzzle::{Aim, Failure, Result, Tell};
use crate::run::Run;
use permutation::pattern_spec::SpecTables;
use permutation::{GeneralPuzzle, LabelState, Operator, Operators, PuzzleState};
use search::{ConstrainedDomain, FlatKey, IgnoreRules, OpSet, Options, Zero};
use std::collections::HashSet;

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// Searches for plans that keep the rules, if there are any. Adds operators at one end only.
    ///
    /// With tables, one compiled search serves puzzles with and without rules. Without tables there
    /// are two: a search with an empty set of rules would take up to 1.1 times as long.
    pub(super) fn search_forward(
        &self,
        start: &PuzzleState,
        tables: Option<&SpecTables>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let from = self.puzzle.state(start);
        let automaton = self.automaton(self.model.keep(run), run)?;
        let name = if tables.is_some() { "best" } else { "none" };
        run.names(name);
        let proves = run.request.aim != Aim::NearOptimal;
        if proves && tables.is_none() && self.model.rules.is_empty() {
            run.search(&self.puzzle, &Zero, automaton, &from);
            return Ok(());
        }
        let ruled =
            ConstrainedDomain::new(&self.puzzle, &self.model.rules).map_err(Failure::refused)?;
        let (from, memory) = (&ruled.start(from), self.model.settings.memory);
        self.model.approach_of(start, |approach| match tables {
            Some(tables) => {
                let heuristic = &IgnoreRules(tables);
                approach.by_operators((&ruled, heuristic, from), (memory, false), run, |run| {
                    run.search_tables(&ruled, heuristic, automaton, from);
                    Ok(())
                })
            }
            None if proves => {
                run.search(&ruled, &Zero, automaton, from);
                Ok(())
            }
            None => approach.by_operators((&ruled, &Zero, from), (memory, false), run, |_| Ok(())),
        })
    }

    /// For each length 0 to `to`, passes to `tell` the number of states whose shortest plan under
    /// the rules has that length.
    ///
    /// If `to` is `usize::MAX`, ends with the last length that has states. Returns at most
    /// `antipodes` states of that length.
    ///
    /// The search starts at the goals, with inverse operators and reversed rules. A rule looks at
    /// the operators before, so two ways to a state can allow different operators next. So the
    /// search keeps a state once for each such history, and counts it when it is met first.
    pub(super) fn layers_under_rules(
        &self,
        counted: &CountedStates<N, O>,
        antipodes: usize,
        options: &Options<'_>,
        to: usize,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<LabelState<N>>> {
        let bytes = options.limits.bytes;
        let limits = search::Limits { bytes: bytes.map(|all| all / 2), ..options.limits.clone() };
        let options = Options {
            limits,
            cancel: options.cancel.clone(),
            observer: options.observer,
            ..Options::default()
        };
        let definition = counted.puzzle.labels().definition().clone();
        let puzzle = GeneralPuzzle::<N, O>::new(definition, backward(self.model.operators()));
        let puzzle = puzzle.map_err(Failure::refused)?;
        let ruled = ConstrainedDomain::new(&puzzle, &self.model.rules.reversed())
            .map_err(Failure::refused)?;
        let goals: Vec<_> = counted.goals.iter().map(|&goal| ruled.start(goal)).collect();
        let mut layers = search::stored::Layers::new(&ruled, &goals, &options);
        let (mut seen, mut farthest) = (HashSet::<Box<[u8]>>::new(), Vec::new());
        let mut key = vec![0; LabelState::<N>::BYTES].into_boxed_slice();
        let is_cancelled = || options.cancel.is_cancelled();
        let one = key.len() + OVERHEAD;
        let is_full = |states: usize| bytes.is_some_and(|all| all / 2 < states.saturating_mul(one));
        // The number of latest layers without a new state. They are reported if a later layer has
        // one.
        let mut empty = 0;
        for depth in 0..=to {
            if depth > 0 {
                let histories = layers.advance()?;
                if histories == 0 {
                    if to != usize::MAX {
                        (depth - empty..=to).for_each(|depth| tell(depth, 0));
                    }
                    return Ok(farthest);
                }
            }
            let before = seen.len();
            let (mut first, mut visited, mut ended) = (Vec::new(), 0_u32, false);
            layers.for_each(depth, |traced| {
                visited = visited.wrapping_add(1);
                ended |= visited.is_multiple_of(LOOK) && (is_cancelled() || is_full(seen.len()));
                if ended {
                    return;
                }
                traced.state.write(&mut key);
                if !seen.contains(&key[..]) {
                    seen.insert(key.clone());
                    if first.len() < antipodes {
                        first.push(traced.state);
                    }
                }
            });
            if is_cancelled() {
                return Err(Failure::Cancelled);
            }
            if is_full(seen.len()) {
                return Err(Failure::Limit(format!(
                    "layer {depth} does not fit into {} bytes",
                    bytes.unwrap_or(usize::MAX)
                )));
            }
            match seen.len() - before {
                0 => empty += 1,
                new => {
                    (depth - empty..depth).for_each(|depth| tell(depth, 0));
                    tell(depth, new as u128);
                    (empty, farthest) = (0, first);
                }
            }
        }
        (to + 1 - empty..=to).for_each(|depth| tell(depth, 0));
        Ok(farthest)
    }
}

/// Number of states between two checks of the cancellation and the memory.
const LOOK: u32 = 1 << 10;

/// Bytes that the set needs for each state besides its key: the slot of the set, and the
/// allocator's overhead.
const OVERHEAD: usize = 48;

/// The inverse of every operator, in the same order.
fn backward(operators: &Operators) -> Operators {
    let back = |operator: &Operator| Operator {
        turn: operator.turn.inverse(),
        transformation: operator.transformation.inverse(),
        ..operator.clone()
    };
    Operators { list: operators.list.iter().map(back).collect(), notes: Vec::new() }
}
