//! The words of one level of a chain: [`Level`].

use groups::Permutation;
use search::Op;

/// Bytes for each level and point, without words.
pub(super) const LEVEL_BYTES: u64 = 36;

/// Bytes of a word with its element. The word is guessed at 100 bytes: 20 operators, with headers.
pub(super) fn word_bytes(points: usize) -> u64 {
    2 * points as u64 + 100
}

/// A word that takes a point to the base point of its level, and fixes the base points before.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) word: Box<[Op]>,
    pub(crate) cost: u32,
    pub(crate) element: Permutation,
}

/// The words of one base point.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The number of the piece whose home is the base point.
    pub(crate) piece: usize,
    pub(crate) base: u16,
    /// For each point: whether the stabilizer takes it to the base point.
    pub(crate) in_orbit: Vec<bool>,
    /// For each point: words that take it to the base point, cheapest first. The base point itself
    /// has none.
    pub(crate) entries: Vec<Vec<Entry>>,
}

impl Level {
    /// The points that the stabilizer takes to the base point, ascending.
    pub(super) fn orbit(&self) -> impl Iterator<Item = u16> {
        (0..).zip(&self.in_orbit).filter_map(|(point, inside)| inside.then_some(point))
    }

    /// Whether there is a word for every point of the orbit.
    pub(super) fn is_filled(&self) -> bool {
        let mut points = self.in_orbit.iter().zip(&self.entries).zip(0_u16..);
        points
            .all(|((&inside, entries), point)| !inside || point == self.base || !entries.is_empty())
    }
}
