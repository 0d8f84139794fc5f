//! Definitions as search domains: [`GeneralPuzzle`] for any definition, [`GroupPuzzle`] if the
//! states form a group, [`LargePuzzle`] if the puzzle is too large for both.

mod compiled;
pub mod cosets;
mod gaps;
mod general;
mod group;
mod group_puzzle;
mod invariants;
mod labels;
mod large;
mod near_goal;
mod parity;
pub mod pattern_spec;
mod points;
mod quotient;
mod reference;
mod relabelling;
mod serial;
mod slots;
mod symmetries;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use gaps::GapBound;
pub use general::GeneralPuzzle;
pub use group::{NotAGroup, PuzzleGroup};
pub use group_puzzle::GroupPuzzle;
pub use invariants::{Invariants, Unsolvable};
pub use labels::PuzzleLabels;
pub use large::{LargeOps, LargePuzzle, LargeState};
pub use near_goal::{NearGoals, NearStates};
pub use points::{HomePoint, PuzzlePoints};
pub use quotient::GoalQuotient;
pub use reference::{ReferencePuzzle, ReferenceState};
pub use serial::SlotOrder;
pub use slots::{GroupElement, Homes, LabelState, Labels, PieceNumbers, SlotContents, SlotState};
pub use tables::{PieceCutter, PieceSet, PieceTable, PieceTables};

use crate::definition::{Definition, MOST_SLOTS, Operators, Orbit};
use crate::error::counted;
use search::OpSet;
use std::fmt;

/// The size of a puzzle. It decides which type of state fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleSize {
    /// Number of slots of all sets.
    pub slots: usize,
    /// Number of operators.
    pub operators: usize,
    /// The most twists (orientations) of a piece.
    pub twists: u8,
}

impl PuzzleSize {
    /// The greatest puzzle for states of a fixed size. A slot number must fit in a byte, and the
    /// sum of two twists must fit too.
    pub const FIXED: Self = Self { slots: 256, operators: <[u64; 16]>::CAPACITY, twists: 128 };

    /// The greatest size of a [`LargePuzzle`].
    pub const MOST: Self =
        Self { slots: MOST_SLOTS, operators: <LargeOps as OpSet>::CAPACITY, twists: u8::MAX };

    /// The size of a definition with these operators.
    pub fn of(definition: &Definition, operators: &Operators) -> Self {
        let orbits = definition.orbits();
        Self {
            slots: orbits.slots(),
            operators: operators.list.len(),
            twists: orbits.iter().map(Orbit::orientations).max().unwrap_or(1),
        }
    }

    /// Checks that a puzzle of this size fits into `room`.
    ///
    /// # Errors
    /// If it has more slots, operators or twists than `room`.
    pub fn fit(self, room: Self) -> Result<(), NotSearchable> {
        let Self { slots, operators, twists } = self;
        if slots > room.slots || operators > room.operators || twists > room.twists {
            return Err(NotSearchable::Large { size: self, room });
        }
        Ok(())
    }
}

impl fmt::Display for PuzzleSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slots, operators, twists } = *self;
        let (slots, operators) = (counted(slots, "slot"), counted(operators, "operator"));
        write!(f, "{slots}, {operators} and {}", counted(twists.into(), "orientation"))
    }
}

/// Why a definition cannot be searched.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotSearchable {
    /// There are more slots, operators or orientations than states and operator sets can hold.
    #[error("the puzzle has {size}; there is room for {room}")]
    Large {
        /// The puzzle's size.
        size: PuzzleSize,
        /// The greatest size that is possible.
        room: PuzzleSize,
    },
}
