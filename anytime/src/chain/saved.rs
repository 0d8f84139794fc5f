//! A chain of words as bytes: [`WordChain::to_bytes`] and [`WordChain::from_bytes`].
//!
//! Numbers have two bytes, the lowest first. An operator has one byte if there are at most 256.
//!
//! | bytes | what |
//! |---|---|
//! | 2 | levels |
//! | for each level | the number of its piece; a bit for each point: whether it is in the orbit |
//! | for each point of the orbit | a byte: the number of its words |
//! | for each word | its number of operators, and the operators |
//! | 2 | symmetries |
//! | for each symmetry | the image of each point, and of each operator |

use super::level::{Entry, Level};
use super::sift::{bytes_of_use, most_words};
use super::{Effort, WordChain};
use crate::frames::Frame;
use crate::{Generators, Pieces};
use groups::{Permutation, orbits};
use rayon::prelude::*;
use search::Op;
use std::sync::OnceLock;

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
fn wrong(found: &'static str, expected: &'static str) -> NotWords {
    NotWords::Wrong { found, expected }
}

/// Raised when a chain of the same puzzle and effort gets other words.
const VERSION: u32 = 1;

/// The bytes of an operator, if there are so many.
fn op_bytes(operators: usize) -> usize {
    if operators <= 256 { 1 } else { 2 }
}

/// The bytes that are left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], NotWords> {
        let (now, later) = self.0.split_at_checked(len).ok_or(wrong("cut off", "more bytes"))?;
        self.0 = later;
        Ok(now)
    }

    fn byte(&mut self) -> Result<u8, NotWords> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Result<u16, NotWords> {
        self.take(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<u16>, NotWords> {
        let bytes = self.take(2 * count)?.as_chunks::<2>().0;
        Ok(bytes.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect())
    }
}

impl WordChain {
    /// A text that tells all that the words of these operators and pieces depend on. More memory
    /// than they need is no part of it.
    pub fn identity((generators, pieces): (&Generators, &Pieces), effort: Effort) -> String {
        let points = generators.points();
        let orbits = orbits(points, generators.elements());
        let orbit_of = |home| orbits.iter().find(|orbit| orbit.contains(&home));
        let homes = pieces.list().iter().map(|piece| piece.home);
        let places: usize = homes.map(|home| orbit_of(home).map_or(1, Vec::len)).sum();
        let bytes = effort.bytes.min(bytes_of_use(&effort, points, places));
        let costs: Vec<_> = (0..generators.len()).map(|op| generators.cost(Op::new(op))).collect();
        let (elements, effort) = (generators.elements(), Effort { bytes, ..effort });
        format!("{VERSION} {effort:?} {points} {elements:?} {costs:?} {pieces:?}")
    }

    /// The words as bytes. [`WordChain::from_bytes`] makes the same chain of them, if it is given
    /// the same operators, pieces and effort.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let wide = op_bytes(self.generators.len());
        put(&mut bytes, self.levels.len());
        for level in &self.levels {
            put(&mut bytes, level.piece);
            let byte = |points: &[bool]| {
                points.iter().rev().fold(0, |byte, &inside| byte << 1 | u8::from(inside))
            };
            bytes.extend(level.in_orbit.chunks(8).map(byte));
            let points = level.entries.iter().zip(&level.in_orbit);
            for (entries, _) in points.filter(|(_, inside)| **inside) {
                bytes.push(u8::try_from(entries.len()).unwrap_or(u8::MAX));
                for Entry { word, .. } in entries {
                    put(&mut bytes, word.len());
                    let operators = word.iter().flat_map(|op| op.0.to_le_bytes()[..wide].to_vec());
                    bytes.extend(operators);
                }
            }
        }
        put(&mut bytes, self.frames.len());
        for frame in &self.frames {
            let (points, operators) = frame.images();
            points.iter().for_each(|&image| put(&mut bytes, image.into()));
            operators.into_iter().for_each(|image| put(&mut bytes, image));
        }
        bytes
    }

    /// The chain of [`WordChain::to_bytes`] for these operators, pieces and effort.
    ///
    /// Every word is multiplied out: it takes its point to the base point and fixes those before.
    /// Time: a lookup for each point and operator of a word, on all threads. `stop` is asked every
    /// millisecond or so.
    ///
    /// # Errors
    /// If the bytes are no chain of these operators and pieces, or `stop` is true.
    pub fn from_bytes(
        generators: Generators,
        pieces: Pieces,
        effort: Effort,
        bytes: &[u8],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, NotWords> {
        let mut reader = Reader(bytes);
        let levels = usize::from(reader.number()?);
        if levels != pieces.list().len() {
            return Err(wrong("those of other pieces", "a level for each piece"));
        }
        let mut read: Vec<ReadLevel<'_>> = Vec::new();
        for _ in 0..levels {
            read.push(read_level(&mut reader, &generators, &pieces, &read)?);
        }
        let places = read.iter().map(|level| level.words.len()).sum();
        let most = most_words(&effort, generators.points(), places);
        if read.iter().flat_map(|level| &level.words).any(|(_, words)| words.len() > most) {
            return Err(wrong("too many for a point", "as many as fit the memory"));
        }
        let bases: Vec<u16> = read.iter().map(|level| level.base).collect();
        let fill = |(number, level): (usize, ReadLevel<'_>)| {
            level.fill(&generators, &bases[..number], stop)
        };
        let levels = read.into_par_iter().enumerate().map(fill).collect::<Result<_, _>>()?;
        let count = usize::from(reader.number()?);
        let mut frames = Vec::new();
        for _ in 0..count {
            if stop() {
                return Err(NotWords::Stopped);
            }
            let points = reader.numbers(generators.points())?;
            let operators = reader.numbers(generators.len())?;
            let frame = Frame::of_images(&generators, &pieces, points, &operators);
            frames.push(frame.ok_or(wrong("with a map that is no symmetry", "symmetries"))?);
        }
        if !reader.0.is_empty() {
            return Err(wrong("longer than its words", "no more bytes"));
        }
        let (cycles, bytes) = (OnceLock::new(), effort.bytes);
        Ok(Self { generators, pieces, levels, frames, cycles, bytes })
    }
}

/// Appends a number. None is larger than two bytes: points, operators and lengths of words are not.
fn put(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend(u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes());
}

/// A level whose words are not yet multiplied out.
struct ReadLevel<'a> {
    piece: usize,
    base: u16,
    in_orbit: Vec<bool>,
    /// The points of the orbit with their words.
    words: Vec<(u16, Vec<&'a [u8]>)>,
}

/// The next level. `before` are those before it.
fn read_level<'a>(
    reader: &mut Reader<'a>,
    generators: &Generators,
    pieces: &Pieces,
    before: &[ReadLevel<'_>],
) -> Result<ReadLevel<'a>, NotWords> {
    let (points, wide) = (generators.points(), op_bytes(generators.len()));
    let piece = usize::from(reader.number()?);
    let home = pieces.list().get(piece).map(|piece| piece.home);
    let base = home.filter(|_| before.iter().all(|level| level.piece != piece));
    let base = base.ok_or(wrong("with a level of no piece", "a level for each piece"))?;
    let bits = reader.take(points.div_ceil(8))?;
    let in_orbit: Vec<bool> = (0..points).map(|at| bits[at / 8] >> (at % 8) & 1 == 1).collect();
    let mut words = Vec::new();
    for (point, _) in (0..).zip(&in_orbit).filter(|(_, inside)| **inside) {
        let count = reader.byte()?;
        let mut word = || {
            let length = usize::from(reader.number()?);
            reader.take(length * wide)
        };
        words.push((point, (0..count).map(|_| word()).collect::<Result<_, _>>()?));
    }
    Ok(ReadLevel { piece, base, in_orbit, words })
}

impl ReadLevel<'_> {
    /// The level with the elements of its words. `before` are the base points that they fix.
    fn fill(
        self,
        generators: &Generators,
        before: &[u16],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Level, NotWords> {
        let Self { piece, base, in_orbit, words } = self;
        let entry = |point: u16, bytes: &[u8]| {
            if stop() {
                return Err(NotWords::Stopped);
            }
            let entry = read_entry(generators, bytes)?;
            let image = |point: &u16| entry.element.image(*point);
            let fits = image(&point) == base && before.iter().all(|base| image(base) == *base);
            fits.then_some(entry).ok_or(wrong("with one that misses its point", "words"))
        };
        let fill = |(point, words): (u16, Vec<&[u8]>)| {
            let all = words.into_iter().map(|word| entry(point, word));
            let all: Vec<Entry> = all.collect::<Result<_, _>>()?;
            if !all.is_sorted_by_key(|entry| entry.cost) {
                return Err(wrong("in another order", "the cheapest first"));
            }
            Ok((point, all))
        };
        let filled: Vec<_> = words.into_par_iter().map(fill).collect::<Result<_, _>>()?;
        let mut entries = vec![Vec::new(); in_orbit.len()];
        for (point, all) in filled {
            entries[usize::from(point)] = all;
        }
        Ok(Level { piece, base, in_orbit, entries })
    }
}

/// A word with its cost and its element.
fn read_entry(generators: &Generators, bytes: &[u8]) -> Result<Entry, NotWords> {
    let op = |bytes: &[u8]| {
        let op = u16::from_le_bytes([bytes[0], bytes.get(1).copied().unwrap_or(0)]);
        let known = usize::from(op) < generators.len();
        known.then_some(Op(op)).ok_or(wrong("with an unknown operator", "operators"))
    };
    let word: Vec<Op> =
        bytes.chunks(op_bytes(generators.len())).map(op).collect::<Result<_, _>>()?;
    let mut images: Vec<u16> = (0..=u16::MAX).take(generators.points()).collect();
    for op in &word {
        let moves = generators.elements()[op.index()].images();
        images.iter_mut().for_each(|image| *image = moves[usize::from(*image)]);
    }
    let element = Permutation::new(images).map_err(|_| wrong("no permutations", "words"))?;
    let cost = generators.cost_of(&word);
    Ok(Entry { word: word.into(), cost, element })
}
