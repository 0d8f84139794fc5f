//! Words as bytes.
//!
//! Numbers have two bytes, the lowest first. An operator has one byte if there are at most 256.

use crate::Generators;
use groups::Permutation;
use search::Op;

/// Why bytes are no chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotWords {
    /// The bytes are not those of a chain of these operators and pieces.
    #[error("the words are {found}, expected {expected}")]
    Wrong {
        /// What the bytes are.
        found: &'static str,
        /// What they should be.
        expected: &'static str,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

/// The error that bytes are `found`.
pub(crate) fn wrong(found: &'static str, expected: &'static str) -> NotWords {
    NotWords::Wrong { found, expected }
}

/// The bytes of an operator, if there are so many.
fn op_bytes(operators: usize) -> usize {
    if operators <= 256 { 1 } else { 2 }
}

/// The bytes that are left to read.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], NotWords> {
        let (now, later) = self.0.split_at_checked(len).ok_or(wrong("cut off", "more bytes"))?;
        self.0 = later;
        Ok(now)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, NotWords> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub(crate) fn number(&mut self) -> Result<u16, NotWords> {
        self.take(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn numbers(&mut self, count: usize) -> Result<Vec<u16>, NotWords> {
        let bytes = self.take(2 * count)?.as_chunks::<2>().0;
        Ok(bytes.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect())
    }

    /// The operators of a word, as they are stored. Its length stands before it.
    pub(crate) fn word(&mut self, generators: &Generators) -> Result<&'a [u8], NotWords> {
        let length = usize::from(self.number()?);
        self.take(length * op_bytes(generators.len()))
    }
}

/// Appends a number. None is larger than two bytes: points, operators and lengths of words are not.
pub(crate) fn put(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend(u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes());
}

/// Appends a word: its length, then its operators.
pub(crate) fn put_word(bytes: &mut Vec<u8>, generators: &Generators, word: &[Op]) {
    let wide = op_bytes(generators.len());
    put(bytes, word.len());
    word.iter().for_each(|op| bytes.extend_from_slice(&op.0.to_le_bytes()[..wide]));
}

/// A word from the bytes of its operators, with its element.
pub(crate) fn operators(
    generators: &Generators,
    bytes: &[u8],
) -> Result<(Vec<Op>, Permutation), NotWords> {
    let op = |bytes: &[u8]| {
        let op = u16::from_le_bytes([bytes[0], bytes.get(1).copied().unwrap_or(0)]);
        let known = usize::from(op) < generators.len();
        known.then_some(Op(op)).ok_or(wrong("with an unknown operator", "operators"))
    };
    let operators = bytes.chunks(op_bytes(generators.len()));
    let word: Vec<Op> = operators.map(op).collect::<Result<_, _>>()?;
    let points: Vec<u16> = (0..=u16::MAX).take(generators.points()).collect();
    let images = generators.after(&points, &word);
    let element = Permutation::new(images).map_err(|_| wrong("no permutations", "words"))?;
    Ok((word, element))
}
