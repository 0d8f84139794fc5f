//! Puzzles with rules about moves, forbidden pairs and limits: searches, layers, and the strings that are cut.
//!
//! Searches go on from the given state only, guided by tables that know no rules: from both ends the rules would have to hold where the ends meet.
//! What is cut are the forbidden pairs and the duplicate pairs of [`permutation::Definition::duplicate_pairs`], where the proof is; learned strings are not
//! cut, since what a search keeps in their place may be forbidden.

use super::engine::Engine;
use crate::configure::Pruning;
use crate::prunings;
use crate::puzzle::{Failure, Job, LearnedSummary, Refused};
use crate::runs::{self, Found};
use crate::timing::Stopwatch;
use fsm::{Automaton, ForbiddenStrings, Keep};
use permutation::{GeneralPuzzle, LabelState, Operator, Operators, PieceTable, PuzzleState};
use search::{Constrained, Cost, Domain, IgnoreRules, Op, OpSet, Options, Packed, Zero};
use std::collections::BTreeSet;

/// Longest strings that are looked at under rules.
pub(super) const DEPTH: usize = 2;

fn refused(error: impl std::fmt::Display) -> Failure {
    Refused(error.to_string()).into()
}

impl<const N: usize, O: OpSet> Engine<N, O> {
    /// What a pruning cuts under the rules, for a domain whose first operators are those of the definition.
    fn strings_under_rules<D: Domain>(
        &self,
        domain: &D,
        pruning: Pruning,
        keep: Keep,
    ) -> Result<ForbiddenStrings, Failure> {
        let costs: Vec<Cost> = (0..domain.operators()).map(|op| domain.cost(Op::new(op))).collect();
        let mut pairs = self.rules.forbidden.clone();
        if pruning != Pruning::None {
            let all = keep == Keep::AllOptimal;
            let cuts = self.definition().duplicate_pairs(self.operators(), &self.rules, all);
            let cuts = cuts.iter().filter(|cut| cut.undone || pruning != Pruning::Inverse);
            pairs.extend(cuts.map(|cut| cut.pair));
        }
        let strings = pairs.iter().map(|pair| &pair[..]);
        ForbiddenStrings::from_strings(&costs, DEPTH, keep, strings).map_err(prunings::malformed)
    }

    /// The automaton of these.
    pub(super) fn automaton_under_rules<D: Domain>(
        &self,
        domain: &D,
        keep: Keep,
    ) -> Result<Automaton<D::Ops>, Failure> {
        let strings = self.strings_under_rules(domain, self.settings.pruning, keep)?;
        prunings::automaton::<D>(&strings)
    }

    /// Searches for a plan that keeps the rules.
    pub(super) fn solve_under_rules(
        &self,
        pattern: &PuzzleState,
        keep: Keep,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let group = match &self.group {
            Ok(group) if self.settings.heuristic == "best" => group,
            _ => {
                let ruled = Constrained::new(&self.puzzle, &self.rules).map_err(refused)?;
                let start = ruled.start(self.puzzle.state(pattern));
                let automaton = self.automaton_under_rules(&ruled, keep)?;
                let tables = match &self.group {
                    Err(_) => self.sketches(job, found)?,
                    Ok(_) => None,
                };
                match tables {
                    Some(tables) => {
                        found.search(&ruled, &IgnoreRules(tables), &automaton, &start, job);
                    }
                    None => {
                        found.heuristic = "none".to_owned();
                        found.search(&ruled, &Zero, &automaton, &start, job);
                    }
                }
                return Ok(());
            }
        };
        let stopwatch = Stopwatch::start();
        let tables = group.tables(job);
        found.tables = stopwatch.wall();
        let tables = tables?;
        found.table_bytes = tables.0.iter().map(PieceTable::bytes).sum();
        // The tables read a state and its inverse; operators of the other end are not used.
        let (both, mut rules) = (group.domain(), self.rules.clone());
        let back = (self.operators().list.len()..both.operators()).map(Op::new);
        rules.limits.push((back.collect(), 0));
        let ruled = Constrained::new(both, &rules).map_err(refused)?;
        let other = || Refused("other pieces than the solved state".to_owned());
        let start = both.0.element(pattern).ok_or_else(other)?;
        let start = ruled.start(both.state(&start));
        let automaton = self.automaton_under_rules(&ruled, keep)?;
        found.search(&ruled, &IgnoreRules(tables), &automaton, &start, job);
        Ok(())
    }

    /// What is cut, summed up: pairs, whatever depth is asked for.
    pub(super) fn learn_under_rules(
        &self,
        name: Option<&dyn Fn(Op) -> String>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let group = self.group.as_ref();
        let group = group.map_err(|error| refused(format!("nothing is learned: {error}")))?;
        let domain = &group.domain().0;
        let strings = self.strings_under_rules(domain, Pruning::Fsm(None), Keep::OneOptimal)?;
        prunings::summary_of(domain, &strings, DEPTH, name)
    }

    /// Tells how many states lie at each cost of plans that keep the rules, counted in moves: to a depth, or to the last layer if that is the greatest
    /// number. Plans are made from their ends: with all operators backward, and the rules read backward.
    ///
    /// A state may be met again with another history, which may lead where the first did not. So the search keeps states with their histories, as
    /// far as they matter, and what is counted are states that are met for the first time. Answers at most `antipodes` states of the last layer that has some.
    pub(super) fn layers_under_rules(
        &self,
        antipodes: usize,
        options: &Options<'_>,
        to: usize,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<Vec<LabelState<N>>, Failure> {
        let (definition, bytes) = (self.definition(), options.limits.bytes);
        let limits = search::Limits { bytes: bytes.map(|all| all / 2), ..options.limits.clone() };
        let options = Options {
            limits,
            cancel: options.cancel.clone(),
            observer: options.observer,
            ..Options::default()
        };
        let puzzle = GeneralPuzzle::<N, O>::new(definition.clone(), backward(self.operators()));
        let puzzle = puzzle.map_err(refused)?;
        let ruled = Constrained::new(&puzzle, &self.rules.reversed()).map_err(refused)?;
        let goals = definition.goals().iter().map(|goal| ruled.start(puzzle.state(goal)));
        let goals: Vec<_> = goals.collect();
        let mut layers = search::Layers::new(&ruled, &goals, &options);
        let (mut seen, mut farthest) = (BTreeSet::new(), Vec::new());
        // Layers without a new state that are followed by none with one are not told.
        let mut empty = 0;
        for depth in 0..=to {
            if depth > 0 {
                let histories = layers.advance().map_err(runs::stopped)?;
                if histories == 0 {
                    if to != usize::MAX {
                        (depth - empty..=to).for_each(|depth| tell(depth, 0));
                    }
                    return Ok(farthest);
                }
            }
            let before = seen.len();
            let mut first = Vec::new();
            layers.for_each(depth, |traced| {
                if seen.insert(puzzle.pack(&traced.state)) && first.len() < antipodes {
                    first.push(traced.state);
                }
            });
            let size = size_of::<<GeneralPuzzle<N, O> as Packed>::Key>();
            if bytes.is_some_and(|all| all / 2 < seen.len().saturating_mul(size)) {
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

/// Every operator as what undoes it, in the same order.
fn backward(operators: &Operators) -> Operators {
    let back = |operator: &Operator| Operator {
        turn: operator.turn.inverse(),
        transformation: operator.transformation.inverse(),
        ..operator.clone()
    };
    Operators { list: operators.list.iter().map(back).collect(), notes: Vec::new() }
}
