//! Definitions as search domains: [`GeneralPuzzle`] for any definition, [`GroupPuzzle`] if the
//! states form a group.

mod compiled;
pub mod cosets;
mod general;
mod group;
mod group_puzzle;
mod labels;
mod parity;
mod quotient;
mod reference;
mod slots;
pub mod spec;
mod symmetries;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use general::GeneralPuzzle;
pub use group::{NotAGroup, PuzzleGroup};
pub use group_puzzle::GroupPuzzle;
pub use labels::PuzzleLabels;
pub use quotient::GoalQuotient;
pub use reference::{ReferencePuzzle, ReferenceState};
pub use slots::{GroupElement, Homes, LabelState, Labels, PieceNumbers, SlotContents, SlotState};
pub use tables::{PieceCutter, PieceSet, PieceTable, PieceTables};

use crate::definition::{Definition, Operators};
use search::OpSet;
use std::fmt;

/// The size of a puzzle. It decides which type of state fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleSize {
    /// Number of slots of all sets.
    pub slots: usize,
    /// Number of operators.
    pub operators: usize,
}

impl PuzzleSize {
    /// The greatest size: the number of a slot must fit in a byte, and the operators must fit in
    /// the largest type of operator sets.
    pub const MOST: Self = Self { slots: 256, operators: <[u64; 16]>::CAPACITY };

    /// The size of a definition with these operators.
    pub fn of(definition: &Definition, operators: &Operators) -> Self {
        Self { slots: definition.orbits().slots(), operators: operators.list.len() }
    }
}

impl fmt::Display for PuzzleSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} slots and {} operators", self.slots, self.operators)
    }
}

/// Why a definition cannot be searched.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotSearchable {
    /// There are more slots or operators than states and operator sets can hold.
    #[error("the puzzle has {size}; there is room for {room}")]
    Large {
        /// The puzzle's size.
        size: PuzzleSize,
        /// The greatest size that is possible.
        room: PuzzleSize,
    },
    /// A piece has too many orientations. The sum of two must fit in a byte.
    #[error("pieces of {set} have {twists} orientations; a search takes at most 128")]
    Twists {
        /// The name of the set.
        set: String,
        /// The number of orientations of its pieces.
        twists: u8,
    },
}
