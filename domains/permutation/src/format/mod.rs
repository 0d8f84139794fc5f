//! Texts in and out: definitions of lines and words, KPuzzle JSON, and scramble files.

mod input;
mod kpuzzle;
mod read;
mod scramble;
mod tws;

pub use input::{ReadLimits, read_text};
pub use scramble::{Scramble, ScrambleFile, ScrambleState};

pub(crate) use input::position;
