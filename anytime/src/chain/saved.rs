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
use crate::bytes::{NotWords, Reader, operators, put, put_word, wrong};
use crate::cycles::Cycles;
use crate::frames::Frame;
use crate::pairs::PairBeam;
use crate::{Generators, Pieces};
use groups::orbits;
use rayon::prelude::*;
use search::Op;

/// Raised when a chain of the same puzzle and effort gets other words.
const VERSION: u32 = 2;

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
        let (elements, effort) = (generators.elements(), Effort { bytes, lessons: 0, ..effort });
        format!("{VERSION} {effort:?} {points} {elements:?} {costs:?} {pieces:?}")
    }

    /// As [`WordChain::identity`], of the words for cycles of three places.
    pub fn cycle_identity(puzzle: (&Generators, &Pieces), effort: Effort) -> String {
        let bytes = effort.bytes.min(Cycles::bytes_of_use(puzzle.0.points()));
        format!("cycles {bytes} {}", Self::identity(puzzle, effort))
    }

    /// Gives the chain the words for cycles that [`WordChain::cycle_bytes`] gave for the same
    /// operators, pieces and effort. They are read when they are needed. If they are no such words,
    /// others are found.
    pub fn take_cycles(&self, bytes: Vec<u8>) {
        let _ = self.saved.set(bytes);
    }

    /// The words for cycles of three places as bytes. `None` unless a search needed them and had to
    /// find them.
    pub fn cycle_bytes(&self) -> Option<Vec<u8>> {
        let cycles = self.cycles.get().filter(|_| self.saved.get().is_none());
        cycles?.as_ref().map(Cycles::to_bytes)
    }

    /// As [`WordChain::identity`], of the weights of pairs of places.
    pub fn pair_identity(puzzle: (&Generators, &Pieces), effort: Effort) -> String {
        let Effort { lessons, bytes, .. } = effort;
        let bytes = bytes.min(PairBeam::MOST_BYTES);
        format!("pairs 1 {lessons} {bytes} {}", Self::identity(puzzle, effort))
    }

    /// Gives the chain the weights of pairs of places that [`WordChain::pair_bytes`] gave for the
    /// same operators, pieces and effort. If they are no such weights, others are learned.
    pub fn take_pairs(&self, bytes: Vec<u8>) {
        let _ = self.saved_pairs.set(bytes);
    }

    /// The weights of pairs of places as bytes. `None` unless a search needed them and had to learn
    /// them.
    pub fn pair_bytes(&self) -> Option<Vec<u8>> {
        let pairs = self.pairs.get().filter(|_| self.saved_pairs.get().is_none());
        pairs?.as_ref().map(PairBeam::to_bytes)
    }

    /// The words as bytes. [`WordChain::from_bytes`] makes the same chain of them, if it is given
    /// the same operators, pieces and effort.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
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
                let words = entries.iter().map(|entry| &*entry.word);
                words.for_each(|word| put_word(&mut bytes, &self.generators, word));
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
        Ok(Self { frames, ..Self::of_levels(generators, pieces, levels, effort) })
    }
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
    let points = generators.points();
    let piece = usize::from(reader.number()?);
    let home = pieces.list().get(piece).map(|piece| piece.home);
    let base = home.filter(|_| before.iter().all(|level| level.piece != piece));
    let base = base.ok_or(wrong("with a level of no piece", "a level for each piece"))?;
    let bits = reader.take(points.div_ceil(8))?;
    let in_orbit: Vec<bool> = (0..points).map(|at| bits[at / 8] >> (at % 8) & 1 == 1).collect();
    let mut words = Vec::new();
    for (point, _) in (0..).zip(&in_orbit).filter(|(_, inside)| **inside) {
        let count = reader.byte()?;
        let mut word = || reader.word(generators);
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
            let (word, element) = operators(generators, bytes)?;
            let cost = generators.cost_of(&word);
            let entry = Entry { word: word.into(), cost, element };
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
