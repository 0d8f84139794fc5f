//! Boards as machine words: each square has a field of bits. Shifts and exclusive or move tiles.

use search::Key;
use std::fmt::Debug;
use std::hash::Hash;

/// A word with one field for each square. The field holds the label on the square; 0 is the blank.
///
/// Squares are numbered row by row. For a square from [`BoardWord::SQUARES`] on, a method returns
/// an unspecified value and does not panic.
pub trait BoardWord: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// A word with 3 bits a square, for the lines of [`LinearConflict`](crate::LinearConflict).
    type LineCodes: LineCodes;
    /// Bits of a field. Tables that are indexed by square and label give a label this many bits.
    const FIELD: u32;
    /// Number of squares that fit in the word.
    const SQUARES: usize;
    /// The label on a square.
    fn get(self, square: usize) -> usize;
    /// The word with a label put on a square whose field is 0.
    #[must_use]
    fn with(self, square: usize, label: usize) -> Self;
    /// The word with the label of `from` moved to `to`, whose field is 0.
    #[must_use]
    fn moved(self, from: usize, to: usize) -> Self;
}

/// A word of digits, 3 bits each.
pub trait LineCodes: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// The word with a digit put into a place that holds 0. If the place holds this digit, it is
    /// removed.
    #[must_use]
    fn toggled(self, place: usize, digit: usize) -> Self;
    /// The `count` digits from `place` on, as one number with the first digit lowest.
    fn digits(self, place: usize, count: usize) -> usize;
}

/// A board word that serves as the key of a packed state.
pub trait PackedWord: BoardWord {
    /// The type of the key.
    type Key: Key;
    /// The word as a key.
    fn key(self) -> Self::Key;
    /// The word of a key.
    fn from_key(key: Self::Key) -> Self;
    /// The first of `squares` squares whose field is 0, or `squares` if no field is 0.
    fn blank(self, squares: usize) -> usize;
}

macro_rules! word {
    ($word:ty, $field:literal, $ones:literal) => {
        impl BoardWord for $word {
            type LineCodes = $word;
            const FIELD: u32 = $field;
            const SQUARES: usize = (<$word>::BITS / $field) as usize;
            #[inline(always)]
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a shift is below 128, a label is one field"
            )]
            fn get(self, square: usize) -> usize {
                (self.wrapping_shr($field * square as u32) & ((1 << $field) - 1)) as usize
            }
            #[inline(always)]
            #[expect(clippy::cast_possible_truncation, reason = "a shift is below 128")]
            fn with(self, square: usize, label: usize) -> Self {
                self | (label as $word).wrapping_shl($field * square as u32)
            }
            #[inline(always)]
            #[expect(clippy::cast_possible_truncation, reason = "a shift is below 128")]
            fn moved(self, from: usize, to: usize) -> Self {
                // In a search `to - from` is a constant for each operator, so that only `from`
                // needs variable shifts.
                let tile = (self.get(from) as $word).wrapping_shl($field * from as u32);
                let way = (to.wrapping_sub(from) as u32).wrapping_mul($field);
                self ^ (tile | tile.rotate_left(way))
            }
        }

        impl LineCodes for $word {
            #[inline(always)]
            #[expect(clippy::cast_possible_truncation, reason = "a shift is below 128")]
            fn toggled(self, place: usize, digit: usize) -> Self {
                self ^ (digit as $word).wrapping_shl(3 * place as u32)
            }
            #[inline(always)]
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a shift is below 128, a line is 21 bits"
            )]
            fn digits(self, place: usize, count: usize) -> usize {
                self.wrapping_shr(3 * place as u32) as usize & ((1 << (3 * count)) - 1)
            }
        }

        impl PackedWord for $word {
            type Key = $word;
            #[inline(always)]
            fn key(self) -> $word {
                self
            }
            #[inline(always)]
            fn from_key(key: $word) -> Self {
                key
            }
            #[inline(always)]
            fn blank(self, squares: usize) -> usize {
                let folded = (1..$field).fold(self, |folded, bit| folded | self >> bit);
                let zeros = !folded & $ones;
                squares.min((zeros.trailing_zeros() / $field) as usize)
            }
        }
    };
}

word!(u64, 4, 0x1111_1111_1111_1111);
word!(u128, 5, 0x0108_4210_8421_0842_1084_2108_4210_8421);

/// A word with fields of 6 bits, for boards of every size. Square `s` is field `s / 4` of word `s %
/// 4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WideWord([u64; 4]);

/// Where the field of a square begins in its word.
#[inline(always)]
fn shift(square: usize) -> usize {
    (square / 4 * 6) & 63
}

impl BoardWord for WideWord {
    type LineCodes = u128;
    const FIELD: u32 = 6;
    const SQUARES: usize = 40;
    #[inline(always)]
    fn get(self, square: usize) -> usize {
        (self.0[square & 3] >> shift(square) & 63) as usize
    }
    #[inline(always)]
    fn with(mut self, square: usize, label: usize) -> Self {
        self.0[square & 3] |= (label as u64) << shift(square);
        self
    }
    #[inline(always)]
    fn moved(mut self, from: usize, to: usize) -> Self {
        let label = self.get(from);
        self.0[from & 3] ^= (label as u64) << shift(from);
        self.with(to, label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<W: BoardWord>() {
        let squares = W::SQUARES.min(1 << W::FIELD);
        let full =
            (0..squares).fold(W::default(), |word, square| word.with(square, squares - 1 - square));
        assert!((0..squares).all(|square| full.get(square) == squares - 1 - square));
        let blank = squares - 1;
        for from in 0..blank {
            let moved = full.moved(from, blank);
            let expected = |square| match square {
                _ if square == from => 0,
                _ if square == blank => squares - 1 - from,
                _ => squares - 1 - square,
            };
            assert!((0..squares).all(|square| moved.get(square) == expected(square)));
        }
    }

    #[test]
    fn fields_are_independent() {
        check::<u64>();
        check::<u128>();
        check::<WideWord>();
    }

    #[test]
    fn the_blank_is_found() {
        for blank in 0..16 {
            let word =
                (0..16).fold(0_u64, |word, s| word.with(s, usize::from(s != blank) * (s % 15 + 1)));
            assert_eq!(word.blank(16), blank);
        }
        for blank in 0..25 {
            let word =
                (0..25).fold(0_u128, |word, s| word.with(s, usize::from(s != blank) * (31 - s)));
            assert_eq!(word.blank(25), blank);
        }
        assert_eq!(0x123_u64.blank(3), 3);
    }
}
