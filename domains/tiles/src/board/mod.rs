//! Boards: how they are packed, moved, read, written and checked.

mod arrangement;
mod domain;
mod grid;
pub mod instances;
mod notation;
mod random;
mod reference;
#[expect(clippy::cast_possible_truncation, reason = "a board has at most 40 squares")]
mod shape;
mod symmetry;
mod word;

pub use arrangement::{BoardError, ParityError};
pub use domain::{
    AnyTiles, Board, DOWN, LEFT, Puzzle3, Puzzle8, Puzzle11, Puzzle15, Puzzle19, Puzzle24,
    Puzzle35, RIGHT, Tiles, UP,
};
pub use grid::Grid;
pub use notation::{OPERATOR_NAMES, PlanError, operator_name, parse_plan, plan_text};
pub use reference::ReferenceTiles;
pub use word::{BoardWord, LineCodes, PackedWord, WideWord};

pub(crate) use shape::{Shape, place_after};
