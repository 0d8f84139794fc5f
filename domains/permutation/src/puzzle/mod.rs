//! Definitions as search domains: any puzzle as a [`Puzzle`], and those whose states form a group as a [`GroupPuzzle`].

mod compiled;
pub mod cosets;
mod group;
mod parity;
mod plain;
pub mod sketch;
mod slots;
mod symmetries;
mod tables;
mod twin;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use group::{GroupPuzzle, NotAGroup};
pub use plain::Puzzle;
pub use slots::Slots;
pub use tables::{PieceSet, PieceTable, PieceTables, Values};
pub use twin::{Made, Twin};

use crate::definition::Definition;
use crate::operators::Operators;
use std::fmt;

/// How large a puzzle is, which decides the fixed size of its states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Slots of all sets.
    pub slots: usize,
    /// Operators.
    pub operators: usize,
}

impl Size {
    /// The size of a definition with these operators.
    pub fn of(definition: &Definition, operators: &Operators) -> Self {
        Self { slots: definition.orbits().slots(), operators: operators.list.len() }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} slots and {} operators", self.slots, self.operators)
    }
}

/// Why a definition cannot be searched.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotSearchable {
    /// More than the states and sets of operators hold.
    #[error("the puzzle has {0}; a search takes at most 256 slots and 512 operators")]
    Large(Size),
    /// Pieces with more twists than a byte can add.
    #[error("pieces of {set} have {twists} orientations; a search takes at most 128")]
    Twists {
        /// The set.
        set: String,
        /// Their orientations.
        twists: u8,
    },
}
