//! Ranks: bijections between arrangements of a few pieces and `0 .. n`, without allocation.
//!
//! | type | ranks | order |
//! |---|---|---|
//! | [`Arrangements`] | `k` different numbers below `n`, nibbles of a word (`k = n`: permutations) | lexicographic, nibble 0 first |
//! | [`octet`] | permutations of 8, packed in 24 bits, by two table reads | lexicographic, the same as [`Arrangements`] |
//! | [`Combinations`] | masks of `k` bits among `n` | colex (as the masks are ordered as numbers) or lex |
//! | [`Places`] | `k` different numbers below `n <= 255`, bytes | lexicographic, the same as [`Arrangements`] |
//! | [`ClassWords`] | pieces of a few classes, with their turns, by slot | lexicographic, slot 0 first |
//! | [`Orientations`] | digits of a base, with or without the constraint on their sum | digit 0 lowest |
//!
//! All constructors but that of [`ClassWords`] are `const`: a rank whose parameters are constants
//! is unrolled by the compiler.

mod arrangement;
mod class_words;
mod combination;
pub mod octet;
mod orientation;
mod places;

pub use arrangement::Arrangements;
pub use class_words::{ClassWords, PieceClass};
pub use combination::Combinations;
pub use orientation::Orientations;
pub use places::{Places, digits};
