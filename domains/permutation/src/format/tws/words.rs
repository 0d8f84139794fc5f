//! The words of definitions: those of twsearch, of ksolve+, and of this project.

/// All words that a line outside of blocks can begin with.
///
/// The last five are extensions of this project: costs and kinds of moves, names for sequences, and
/// further goals. A goal may have a name.
pub(crate) const WORDS: [&str; 22] = [
    "Name",
    "Set",
    "Solved",
    "StartState",
    "Move",
    "MoveTransformation",
    "MoveAlias",
    "MoveSequence",
    "Illegal",
    "Ignore",
    "Block",
    "ForbiddenPairs",
    "ForbiddenGroups",
    "MoveLimits",
    "ParallelMoves",
    "Multiplicators",
    "End",
    "MoveCost",
    "MoveKind",
    "NamedSequence",
    "Goal",
    "GoalState",
];

/// Whether a line can begin with this word.
pub(crate) fn is_word(text: &str) -> bool {
    WORDS.contains(&text)
}
