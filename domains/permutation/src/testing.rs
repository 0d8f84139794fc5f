//! Puzzles for the unit tests of this crate.

use crate::{Definition, GroupPuzzle, MoveMetric, Operators, PuzzleLabels, ReadLimits, shipped};
use search::OpSet;

/// The definition in a text.
pub(crate) fn read(text: &str) -> Definition {
    let read = Definition::from_tws(text, &ReadLimits::default());
    read.unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The shipped definition with this name, and its operators.
pub(crate) fn puzzle(name: &str, metric: MoveMetric) -> (Definition, Operators) {
    let definition = read(shipped::text(name).expect("a shipped puzzle"));
    let operators = definition.operators(metric).expect("operators");
    (definition, operators)
}

/// The shipped group with this name.
pub(crate) fn group<const N: usize, O: OpSet>(name: &str, metric: MoveMetric) -> GroupPuzzle<N, O> {
    let (definition, operators) = puzzle(name, metric);
    GroupPuzzle::new(&definition, operators).expect("a group")
}

/// The labels of a definition.
pub(crate) fn labels(definition: Definition) -> PuzzleLabels {
    let operators = definition.operators(MoveMetric::Turn).expect("operators");
    PuzzleLabels::new(definition, operators)
}
