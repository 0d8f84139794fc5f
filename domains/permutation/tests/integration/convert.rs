//! Definitions are written and read again, in both forms, and stay the same.

use crate::puzzles::{EVERYTHING, POCKET, SHAPES, cube, kpuzzle, stickers, tws};
use fewest_permutation::{Definition, Hint, ReadLimits, TextFormat};
