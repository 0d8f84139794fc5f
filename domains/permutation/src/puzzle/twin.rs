//! The definition itself as the slow twin that replays plans.

use crate::definition::Definition;
use crate::names::Turn;
use crate::operators::Operators;
use crate::pattern::Pattern;
use crate::rules::Limited;
use search::Op;
use search::plan::Reference;

/// A definition as it was read, without tables: every operator by [`Definition::after`], every rule about moves by what its names mean.
#[derive(Clone, Copy, Debug)]
pub struct Twin<'a> {
    definition: &'a Definition,
    operators: &'a Operators,
}

/// A state, and what the rules ask of the moves that led there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The state.
    pub pattern: Pattern,
    /// The last move; none at the start.
    last: Option<Turn>,
    /// For each limit in the order of the definition's: how many moves it counted.
    counted: Vec<u32>,
}

impl<'a> Twin<'a> {
    /// The definition with these operators.
    pub fn new(definition: &'a Definition, operators: &'a Operators) -> Self {
        Self { definition, operators }
    }

    /// A state before any move.
    pub fn start(&self, pattern: &Pattern) -> Made {
        let counted = vec![0; self.definition.rules().limits.len()];
        Made { pattern: pattern.clone(), last: None, counted }
    }

    /// The rule that the last operator of a string breaks, in words; `None` if it breaks none, or one before it does.
    pub fn broken(&self, start: &Pattern, string: &[Op]) -> Option<String> {
        let (&op, before) = string.split_last()?;
        let made =
            before.iter().try_fold(self.start(start), |made, &op| self.successor(&made, op))?;
        let turn = self.operators.list.get(op.index())?.turn;
        let text = |turn: Turn| self.definition.turn_text(turn);
        if let Some(last) = made.last
            && self.forbids(last, turn)
        {
            return Some(format!("{} may not follow {} directly", text(turn), text(last)));
        }
        let limits = self.definition.rules().limits.iter().zip(made.counted);
        let reached = |&((&limited, most), count): &((&Limited, &u32), u32)| {
            count >= *most && self.definition.counts(limited, turn)
        };
        let ((limited, most), _) = limits.into_iter().find(reached)?;
        let limited = match *limited {
            Limited::Turn(turn) => text(turn),
            Limited::All(of) => format!("{}*", text(Turn::once(of))),
        };
        Some(format!("{limited} is limited to {most} in a plan"))
    }

    /// Whether a turn may not directly follow another.
    fn forbids(&self, last: Turn, turn: Turn) -> bool {
        let mut pairs = self.definition.rules().forbidden.iter();
        pairs.any(|&(first, second)| self.same(last, first) && self.same(turn, second))
    }

    /// Whether two turns are the same turn under other names.
    fn same(&self, one: Turn, other: Turn) -> bool {
        self.definition.meaning(one) == self.definition.meaning(other)
    }
}

impl Reference for Twin<'_> {
    type State = Made;

    fn successor(&self, made: &Made, op: Op) -> Option<Made> {
        let turn = self.operators.list.get(op.index())?.turn;
        let rules = self.definition.rules();
        if made.last.is_some_and(|last| self.forbids(last, turn)) {
            return None;
        }
        let mut counted = made.counted.clone();
        for ((&limited, most), count) in rules.limits.iter().zip(&mut counted) {
            *count += u32::from(self.definition.counts(limited, turn));
            if *count > *most {
                return None;
            }
        }
        let pattern = self.definition.after(&made.pattern, turn).ok()?;
        Some(Made { pattern, last: Some(turn), counted })
    }
    fn is_solved(&self, made: &Made) -> bool {
        self.definition.is_goal(&made.pattern)
    }
}
