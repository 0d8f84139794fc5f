//! The definition itself as the slow twin that replays plans.

use crate::definition::Definition;
use crate::operators::Operators;
use crate::pattern::Pattern;
use search::Op;
use search::plan::Reference;

/// A definition as it was read, without tables: every operator by [`Definition::after`].
#[derive(Clone, Copy, Debug)]
pub struct Twin<'a> {
    definition: &'a Definition,
    operators: &'a Operators,
}

impl<'a> Twin<'a> {
    /// The definition with these operators.
    pub fn new(definition: &'a Definition, operators: &'a Operators) -> Self {
        Self { definition, operators }
    }
}

impl Reference for Twin<'_> {
    type State = Pattern;

    fn successor(&self, state: &Pattern, op: Op) -> Option<Pattern> {
        let operator = self.operators.list.get(op.index())?;
        self.definition.after(state, operator.turn).ok()
    }
    fn is_solved(&self, state: &Pattern) -> bool {
        self.definition.is_goal(state)
    }
}
