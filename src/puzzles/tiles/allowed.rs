//! Boards where plans may make only some of the four moves.
//!
//! The automaton forbids the other moves, so every search and every table stays as it is. If a move
//! is missing, and no move may be undone at once, every string ends at a wall. So every search
//! ends, and few states are solved by such plans.

use super::TilesGame;
use crate::automata::PruningRequest;
use crate::puzzle::{Failure, InvalidInput, Place, Result, Tell};
use crate::settings::{ConfigureError, PruningChoice};
use fsm::ForbiddenStrings;
use search::{Domain, Op, Reversible};
use std::collections::HashSet;
use tiles::parse_plan;

/// The number of moves of the blank: up, left, right and down.
pub(super) const WAYS: usize = 4;

/// The moves of a list such as `up,left`, ascending.
pub(super) fn parse(list: &str) -> Result<Vec<Op>, ConfigureError> {
    let wrong = |error: InvalidInput| error.within("the allowed moves");
    let plan = parse_plan(&list.replace(',', " ")).map_err(|error| wrong(error.into()))?;
    if plan.is_empty() {
        let expected = InvalidInput::new("expected some of up, left, right and down");
        return Err(wrong(expected).into());
    }
    let mut moves = plan.to_vec();
    moves.sort_unstable();
    moves.dedup();
    Ok(moves)
}

impl TilesGame {
    /// The forbidden strings: moves that are not allowed and, with any pruning, pairs of a move and
    /// the move that undoes it.
    pub(super) fn strings_of(
        &self,
        allowed: &[Op],
        request: PruningRequest<'_>,
    ) -> Result<ForbiddenStrings> {
        let all = (0..self.domain.operators()).map(Op::new);
        let mut strings: Vec<Vec<Op>> =
            all.filter(|op| !allowed.contains(op)).map(|op| vec![op]).collect();
        if request.pruning != PruningChoice::None {
            let back = |op: &Op| self.domain.inverse_op(*op);
            let pairs = allowed.iter().filter(|op| allowed.contains(&back(op)));
            strings.extend(pairs.map(|op| vec![*op, back(op)]));
        }
        let costs = vec![1; self.domain.operators()];
        let strings = strings.iter().map(Vec::as_slice);
        ForbiddenStrings::from_strings(&costs, 2, request.keep, strings).map_err(Failure::limit)
    }

    /// Counts the states that plans of allowed moves solve, by the length of the shortest.
    pub(super) fn count_with(&self, allowed: &[Op], depth: usize, tell: &mut Tell<'_>) {
        let goal = self.domain.goal();
        let mut seen = HashSet::from([self.domain.numbers(&goal)]);
        let mut layer = vec![goal];
        for depth in 0..=depth {
            tell(depth, layer.len() as u128);
            let mut next = Vec::new();
            for (state, &op) in
                layer.iter().flat_map(|state| allowed.iter().map(move |op| (state, op)))
            {
                // The search goes backward: `op` leads from `from` to `state`.
                let back = self.domain.inverse_op(op);
                if !search::OpSet::contains(self.domain.applicable(state), back) {
                    continue;
                }
                let mut from = *state;
                self.domain.apply_into(state, back, &mut from);
                if seen.insert(self.domain.numbers(&from)) {
                    next.push(from);
                }
            }
            layer = next;
        }
    }

    /// Refuses a plan with a move that is not allowed.
    pub(super) fn check_allowed(&self, plan: &[Op]) -> Result<(), InvalidInput> {
        let Some(allowed) = &self.allowed else { return Ok(()) };
        match (1..).zip(plan).find(|(_, op)| !allowed.contains(op)) {
            Some((word, &op)) => {
                let name = tiles::operator_name(op).unwrap_or_default();
                let wrong = format_args!("{name} is none of the allowed moves");
                Err(InvalidInput::new(wrong).at(Place::word(word)))
            }
            None => Ok(()),
        }
    }
}
