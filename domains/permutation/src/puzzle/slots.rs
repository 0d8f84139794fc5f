//! What lies in the slots of a puzzle, as a state of fixed size.

use search::{FlatKey, Key};
use std::array;

/// Pieces and twists by slot, the slots of all orbits one after another; those beyond the last are 0. `2 N` bytes.
///
/// In a [`GeneralPuzzle`](super::GeneralPuzzle) a piece is a label: pieces that look alike share one. In a [`GroupPuzzle`](super::GroupPuzzle) it is the slot
/// where the piece is at home, and a twist is that against home.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slots<const N: usize> {
    pub(crate) piece: [u8; N],
    pub(crate) twist: [u8; N],
}

impl<const N: usize> Slots<N> {
    /// Nothing but zeros.
    pub(crate) const EMPTY: Self = Self { piece: [0; N], twist: [0; N] };

    /// By slot: piece and twist in one number, the twist in so many bits.
    #[inline(always)]
    pub(crate) fn codes(&self, shift: u32) -> [u16; N] {
        array::from_fn(|slot| u16::from(self.piece[slot]) << shift | u16::from(self.twist[slot]))
    }
}

impl<const N: usize> Default for Slots<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> std::fmt::Debug for Slots<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = (0..N).rev().find(|&i| (self.piece[i], self.twist[i]) != (0, 0));
        let pairs = self.piece.iter().zip(&self.twist).take(last.map_or(0, |last| last + 1));
        f.debug_list().entries(pairs).finish()
    }
}

/// The pieces, then their twists.
impl<const N: usize> FlatKey for Slots<N> {
    const BYTES: usize = 2 * N;
    fn write(self, bytes: &mut [u8]) {
        let (piece, twist) = bytes.split_at_mut(N);
        piece.copy_from_slice(&self.piece);
        twist.copy_from_slice(&self.twist);
    }
    fn read(bytes: &[u8]) -> Self {
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        Self { piece: array::from_fn(byte), twist: array::from_fn(|slot| byte(N + slot)) }
    }
}

/// A state is its own key: breadth-first search and the learner store it as it is.
impl<const N: usize> Key for Slots<N> {
    fn hash(self) -> u64 {
        let words = self.piece.chunks(8).chain(self.twist.chunks(8));
        words.fold(0x9e37_79b9_7f4a_7c15, |hash: u64, bytes| {
            let word = array::from_fn(|i| bytes.get(i).copied().unwrap_or(0));
            let product = u128::from(hash ^ u64::from_le_bytes(word)) * 0xa076_1d64_78bd_642f;
            #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
            let folded = product as u64 ^ (product >> 64) as u64;
            folded
        })
    }
}
