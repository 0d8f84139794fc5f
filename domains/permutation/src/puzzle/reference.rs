//! A simple and slow implementation of a puzzle, to check plans: it works on the definition itself.

use crate::definition::{Definition, LimitedMoves, Operators, PuzzleState, Turn};
use search::Op;
use search::plan::Reference;

/// A definition without any tables, to replay plans with [`search::plan::validate`].
///
/// It applies operators with [`Definition::after`]. It checks rules about moves by the names of
/// moves, not by operators.
#[derive(Clone, Copy, Debug)]
pub struct ReferencePuzzle<'a> {
    definition: &'a Definition,
    operators: &'a Operators,
}

/// A state, and what rules need to know about the moves that led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferenceState {
    /// The state.
    pub pattern: PuzzleState,
    /// The last move. `None` at the start.
    last: Option<Turn>,
    /// For each limit, in the order of the definition: how many moves it has counted so far.
    counted: Vec<u32>,
}

impl<'a> ReferencePuzzle<'a> {
    /// The puzzle of a definition with these operators.
    pub fn new(definition: &'a Definition, operators: &'a Operators) -> Self {
        Self { definition, operators }
    }

    /// A start state, before any move.
    pub fn start(&self, pattern: &PuzzleState) -> ReferenceState {
        let counted = vec![0; self.definition.rules().limits.len()];
        ReferenceState { pattern: pattern.clone(), last: None, counted }
    }

    /// The rule about moves that the last operator of a string breaks, in words. `None` if it keeps
    /// them, or an earlier operator breaks a rule.
    pub fn broken(&self, start: &PuzzleState, string: &[Op]) -> Option<String> {
        let (&op, before) = string.split_last()?;
        let made =
            before.iter().try_fold(self.start(start), |made, &op| self.successor(&made, op))?;
        let turn = self.operators.list.get(op.index())?.turn;
        let text = |turn: Turn| self.definition.moves().turn_text(turn);
        if let Some(last) = made.last
            && self.forbids(last, turn)
        {
            return Some(format!("{} may not follow {} directly", text(turn), text(last)));
        }
        let limits = self.definition.rules().limits.iter().zip(made.counted);
        let reached = |&((&limited, most), count): &((&LimitedMoves, &u32), u32)| {
            count >= *most && self.definition.moves().counts(limited, turn)
        };
        let ((limited, most), _) = limits.into_iter().find(reached)?;
        let limited = match *limited {
            LimitedMoves::Turn(turn) => text(turn),
            LimitedMoves::All(of) => format!("{}*", text(Turn::once(of))),
        };
        Some(format!("{limited} is limited to {most} in a plan"))
    }

    /// Whether a turn may not directly follow another.
    fn forbids(&self, last: Turn, turn: Turn) -> bool {
        let mut pairs = self.definition.rules().forbidden.iter();
        pairs.any(|&(first, second)| self.same(last, first) && self.same(turn, second))
    }

    /// Whether two turns mean the same turn, possibly under different names.
    fn same(&self, one: Turn, other: Turn) -> bool {
        self.definition.moves().meaning(one) == self.definition.moves().meaning(other)
    }
}

impl Reference for ReferencePuzzle<'_> {
    type State = ReferenceState;

    fn successor(&self, made: &ReferenceState, op: Op) -> Option<ReferenceState> {
        let turn = self.operators.list.get(op.index())?.turn;
        let rules = self.definition.rules();
        if made.last.is_some_and(|last| self.forbids(last, turn)) {
            return None;
        }
        let mut counted = made.counted.clone();
        for ((&limited, most), count) in rules.limits.iter().zip(&mut counted) {
            *count += u32::from(self.definition.moves().counts(limited, turn));
            if *count > *most {
                return None;
            }
        }
        let pattern = self.definition.after(&made.pattern, turn).ok()?;
        Some(ReferenceState { pattern, last: Some(turn), counted })
    }
    fn is_solved(&self, made: &ReferenceState) -> bool {
        self.definition.is_goal(&made.pattern)
    }
}
