//! Ranks: bijections between arrangements of a few pieces and `0 .. n`, without allocation.
//!
//! | type | ranks | order |
//! |---|---|---|
//! | [`Arrangements`] | `k` different numbers below `n <= 16`, nibbles of a word | lexicographic |
//! | [`octet`] | permutations of 8, packed in 24 bits, by two table reads | lexicographic |
//! | [`Combinations`] | masks of `k` bits among `n` | colex: the masks as numbers |
//! | [`Places`] | `k` different numbers below `n <= 255`, bytes | lexicographic |
//! | [`ClassWords`] | pieces of a few classes, with orientations, by slot | lexicographic |
//! | [`Orientations`] | digits in a base; their sum may be constrained | digit 0 counts least |
//!
//! In lexicographic order, nibble, byte or slot 0 comes first. The constructors are `const`, except
//! that of [`ClassWords`]: if the parameters are constants, the compiler unrolls the rank.

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
