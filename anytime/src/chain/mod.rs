//! Short words for every level of a stabilizer chain: [`WordChain`].

mod base;
mod first;
mod last;
mod level;
mod saved;
mod sift;
#[cfg(test)]
mod tests;

pub(crate) use first::FirstLevels;
pub(crate) use last::LastLevels;
pub use sift::Effort;
pub(crate) use sift::MOST;

use crate::cycles::Cycles;
use crate::frames::Frame;
use crate::gaps::GapBeam;
use crate::meet::Meet;
use crate::pairs::{PairBeam, Scope};
use crate::shorten::Shorten;
use crate::{Generators, Pieces};
use groups::{GroupError, StabilizerChain};
use level::{LEVEL_BYTES, Level, word_bytes};
use sift::Sifter;
use std::sync::OnceLock;

/// For each level of a stabilizer chain and each point of its orbit: several short words that take
/// the point to the base point and fix the base points before.
///
/// Torsten Minkwitz, "An algorithm for solving the factorization problem in permutation groups",
/// Journal of Symbolic Computation 26 (1998), keeps the shortest word he finds. This chain keeps
/// others that are little longer, for a beam to choose from.
#[derive(Clone, Debug)]
pub struct WordChain {
    generators: Generators,
    pieces: Pieces,
    pub(crate) levels: Vec<Level>,
    /// The symmetries of the operators, the identity first, or none.
    pub(crate) frames: Vec<Frame>,
    /// The cycles of three places, when they were looked for.
    cycles: OnceLock<Option<Cycles>>,
    /// The words of cycles from an earlier run, as bytes.
    saved: OnceLock<Vec<u8>>,
    /// The beams by pairs of places, when they were looked for.
    pairs: OnceLock<Option<PairBeam>>,
    /// The weights of pairs from an earlier run, as bytes.
    saved_pairs: OnceLock<Vec<u8>>,
    /// The beams by gaps, when they were looked for.
    gaps: OnceLock<Option<GapBeam>>,
    /// The searches from both ends, when they were asked for.
    meet: OnceLock<Option<Meet>>,
    /// The costs of the first levels, when they were asked for. Indexed by their number.
    first: [OnceLock<Option<FirstLevels>>; FirstLevels::MOST + 1],
    /// The products of the last levels, when they were asked for. Indexed by their number.
    last: [OnceLock<Option<LastLevels>>; LastLevels::MOST + 1],
    /// What shortens plans, when it was asked for.
    shorten: OnceLock<Option<Shorten>>,
    effort: Effort,
}

impl WordChain {
    /// The chain of the group that the operators generate. Each piece's home is a base point.
    ///
    /// `stop` is asked before every word. Once there are levels, it leaves the chain with the words
    /// found so far: it may not be whole.
    ///
    /// # Errors
    /// If the pieces do not fit the points, or `stop` is true.
    pub fn new(
        generators: Generators,
        pieces: Pieces,
        effort: Effort,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, GroupError> {
        let mut chain = Self::of_base(generators, pieces, effort, 0, stop)?;
        // Without time for symmetries there is none but the identity.
        chain.frames = Frame::all(&chain.generators, &chain.pieces, stop).unwrap_or_default();
        Ok(chain)
    }

    /// The chain with another order of the base points and other words, without symmetries. `base`:
    /// the number of the order, 0 for that of this chain. `None` if some place has no word then, or
    /// `stop` is true.
    pub(crate) fn with_base(
        &self,
        base: u64,
        bytes: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let effort = Effort { bytes, ..self.effort };
        let chain =
            Self::of_base(self.generators.clone(), self.pieces.clone(), effort, base, stop).ok()?;
        chain.is_whole().then_some(chain).filter(|_| !stop())
    }

    /// The chain whose base points have an order of this number, without symmetries.
    fn of_base(
        generators: Generators,
        pieces: Pieces,
        effort: Effort,
        base: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, GroupError> {
        let points = generators.points();
        let most = effort.bytes / word_bytes(points);
        let most = usize::try_from(most).map_or(effort.words, |most| most.min(effort.words));
        let words = crate::words::short_words(&generators, most, stop);
        let order = base::order(&pieces, &words, base, stop);
        if stop() {
            return Err(GroupError::Stopped);
        }
        let homes: Vec<u16> = order.iter().map(|&piece| pieces.list()[piece].home).collect();
        let chain = StabilizerChain::new_until(points, generators.elements(), &homes, stop)?;
        let level = |(&piece, level): (&usize, &groups::StabilizerLevel)| {
            let mut in_orbit = vec![false; points];
            level.orbit().iter().for_each(|&point| in_orbit[usize::from(point)] = true);
            Level { piece, base: level.base(), in_orbit, entries: vec![Vec::new(); points] }
        };
        let levels = order.iter().zip(chain.levels()).map(level);
        let levels: Vec<Level> = levels.collect();
        let mut sifter = Sifter::new(&generators, levels, effort, stop);
        for (word, element) in words.iter().take_while(|_| !stop()) {
            sifter.sift(0, element.clone(), word.clone());
        }
        sifter.improve(&words, base);
        let levels = sifter.into_levels();
        Ok(Self::of_levels(generators, pieces, levels, effort))
    }

    /// The chain with these words, without symmetries.
    fn of_levels(
        generators: Generators,
        pieces: Pieces,
        levels: Vec<Level>,
        effort: Effort,
    ) -> Self {
        Self {
            generators,
            pieces,
            levels,
            frames: Vec::new(),
            cycles: OnceLock::new(),
            saved: OnceLock::new(),
            pairs: OnceLock::new(),
            saved_pairs: OnceLock::new(),
            gaps: OnceLock::new(),
            meet: OnceLock::new(),
            first: <[_; _]>::default(),
            last: <[_; _]>::default(),
            shorten: OnceLock::new(),
            effort,
        }
    }

    /// An estimate of the least bytes of a chain with so many levels. `places` is the number of
    /// pairs of a level and a point of its orbit.
    pub fn least_bytes(levels: usize, points: usize, places: u64) -> u64 {
        (levels * points) as u64 * LEVEL_BYTES + places * word_bytes(points)
    }

    /// The cycles of three places that are cheap, looked for once, in as many bytes as the words.
    /// `None` if there are none, they do not fit, or `stop` is true.
    pub(crate) fn cycles(&self, stop: &(dyn Fn() -> bool + Sync)) -> Option<&Cycles> {
        let (generators, pieces, bytes) = (&self.generators, &self.pieces, self.effort.bytes);
        found_once(&self.cycles, stop, || {
            let read = |saved: &Vec<u8>| {
                Cycles::of_bytes(generators, pieces, saved, bytes, stop).ok().flatten()
            };
            let entries = self.levels.iter().flat_map(|level| level.entries.iter().flatten());
            let known = entries.map(|entry| (&*entry.word, &entry.element));
            let read = self.saved.get().and_then(read);
            read.or_else(|| Cycles::new(generators, pieces, known, bytes, stop))
        })
    }

    /// The beams by gaps between neighbours, made once. `None` if gaps say nothing, or `stop` is
    /// true.
    pub(crate) fn gaps(&self, stop: &dyn Fn() -> bool) -> Option<&GapBeam> {
        found_once(&self.gaps, stop, || GapBeam::new(&self.generators, &self.pieces, stop))
    }

    /// The searches from both ends, made once. `None` if there are none.
    pub(crate) fn meet(&self) -> Option<&Meet> {
        let make = || Meet::new(&self.generators, &self.pieces, self.log_elements());
        found_once(&self.meet, &|| false, make)
    }

    /// What shortens plans, made once. `None` if it does not suit the puzzle.
    pub(crate) fn shorten(&self) -> Option<&Shorten> {
        let make = || Shorten::new(&self.generators, &self.pieces);
        found_once(&self.shorten, &|| false, make)
    }

    /// The number of first levels whose costs a beam of this width uses. 0: none.
    pub(crate) fn first_count(&self, width: usize) -> usize {
        let means = (width, self.effort.bytes);
        FirstLevels::count((&self.generators, &self.pieces), &self.levels, means)
    }

    /// The costs of so many first levels, computed once. `None` for none, if a cost is too great,
    /// or if `stop` is true.
    pub(crate) fn first(
        &self,
        count: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<&FirstLevels> {
        let (puzzle, levels) = ((&self.generators, &self.pieces), &self.levels[..count]);
        let cell = self.first.get(count).filter(|_| count > 0)?;
        found_once(cell, stop, || FirstLevels::new(puzzle, levels, stop))
    }

    /// The number of last levels whose products a beam of this width uses: of those behind its
    /// first levels. 0: none.
    pub(crate) fn last_count(&self, width: usize) -> usize {
        let behind = &self.levels[self.first_count(width)..];
        let means = (width, self.effort.bytes);
        LastLevels::count((&self.generators, &self.pieces), behind, means)
    }

    /// The products of so many last levels, computed once. `None` for none, if a product costs too
    /// much, or if `stop` is true.
    pub(crate) fn last(
        &self,
        count: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<&LastLevels> {
        let cell = self.last.get(count).filter(|_| count > 0)?;
        found_once(cell, stop, || LastLevels::new(&self.generators, &self.levels, count, stop))
    }

    /// The beams by pairs of places, read or learned once. `None` if there are none, they had to be
    /// learned and may not, or `stop` is true.
    pub(crate) fn pairs(
        &self,
        may_learn: &dyn Fn() -> bool,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<&PairBeam> {
        let (elements, Effort { bytes, lessons: nodes, .. }) = (self.log_elements(), self.effort);
        let scope = Scope { elements, bytes, nodes };
        let of = |saved| PairBeam::new((&self.generators, &self.pieces), scope, saved, stop);
        if self.pairs.get().is_none() {
            let read = self.saved_pairs.get().and_then(|saved| of(Some(saved)));
            if read.is_some() {
                // Another thread may have been faster. Both have the same.
                let _ = self.pairs.set(read);
            } else if !may_learn() {
                return None;
            }
        }
        found_once(&self.pairs, stop, || of(None))
    }

    /// The work that went into the words.
    pub(crate) fn effort(&self) -> Effort {
        self.effort
    }

    /// The number of elements, as a logarithm.
    fn log_elements(&self) -> f64 {
        let inside = |level: &Level| level.in_orbit.iter().filter(|inside| **inside).count();
        self.levels.iter().map(|level| (inside(level) as f64).ln()).sum()
    }

    /// The operators.
    pub fn generators(&self) -> &Generators {
        &self.generators
    }

    /// The pieces.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Whether every element of the group is a product of the words.
    pub fn is_whole(&self) -> bool {
        self.levels.iter().all(Level::is_filled)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.levels.iter().flat_map(|level| &level.entries).map(Vec::len).sum()
    }

    /// Whether there are no words: no operator moves a piece.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is looked for once, and is the same whoever finds it. `None` if there is none, or `stop`
/// ended the work: then the next call looks again.
fn found_once<'a, T>(
    cell: &'a OnceLock<Option<T>>,
    stop: &dyn Fn() -> bool,
    find: impl FnOnce() -> Option<T>,
) -> Option<&'a T> {
    if cell.get().is_none() {
        let found = find();
        if found.is_none() && stop() {
            return None;
        }
        // Another thread may have been faster. Both found the same.
        let _ = cell.set(found);
    }
    cell.get()?.as_ref()
}
