//! The errors of this crate: strings or tables that are refused, and a cancelled learner.

/// Why forbidden strings, or the table of an automaton, are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AutomatonError {
    /// The number of operators is 0 or too large for the operator set.
    #[error("{found} operators; there must be 1 to {most}")]
    Operators {
        /// The number of operators.
        found: usize,
        /// The most operators that are possible.
        most: usize,
    },
    /// An operator costs 0.
    #[error("operator {op} costs 0; the least cost is 1")]
    FreeOperator {
        /// The index of the operator.
        op: usize,
    },
    /// A string is empty or longer than the depth.
    #[error("string {string} has length {length}, not 1 to {depth}")]
    Length {
        /// The index of the string in the list.
        string: usize,
        /// The number of its operators.
        length: usize,
        /// The most operators that a string may have.
        depth: usize,
    },
    /// A string names an operator that does not exist.
    #[error("string {string} names operator {op}, there are {operators}")]
    UnknownOperator {
        /// The index of the string in the list.
        string: usize,
        /// The operator that it names.
        op: u16,
        /// The number of operators.
        operators: usize,
    },
    /// The table does not consist of whole rows.
    #[error("{entries} entries are not rows of {operators}")]
    Rows {
        /// The number of entries of the table.
        entries: usize,
        /// The number of entries of a row.
        operators: usize,
    },
    /// A transition leads to a state that does not exist.
    #[error("state {state}, operator {op}: next state {next}, there are {states}")]
    NextState {
        /// The state that the transition leaves.
        state: usize,
        /// The operator of the transition.
        op: usize,
        /// The state that the table names.
        next: u32,
        /// The number of states.
        states: usize,
    },
    /// The automaton has 2^24 states or more.
    #[error("{states} states; there must be fewer than 2^24")]
    TooManyStates {
        /// The number of states.
        states: usize,
    },
}

/// Why the learner ended before it had finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The caller cancelled.
    #[error("learning was cancelled")]
    Cancelled,
    /// The strings need more memory than the caller allows.
    #[error(
        "learning strings of up to {depth} operators needs more than {limit} bytes, \
         those of {length} operators alone: expected a smaller depth"
    )]
    Memory {
        /// The length up to which strings were to be learned.
        depth: usize,
        /// The length of the strings that did not fit.
        length: usize,
        /// The bytes that the caller allows.
        limit: usize,
    },
}
