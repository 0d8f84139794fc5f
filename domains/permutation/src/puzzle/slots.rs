//! The contents of the slots of a puzzle, in a fixed or any size.

use search::{FlatKey, Key};
use std::array;
use std::marker::PhantomData;

/// The piece and the twist in each of `N` slots. Slots of all orbits follow each other. Slots that
/// the puzzle does not have hold zeros. `2 N` bytes.
///
/// `K` says what the number of a piece means: in a [`LabelState`] it is a label, in a
/// [`GroupElement`] a home slot. The type keeps both apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotState<K, const N: usize> {
    pub(crate) piece: [u8; N],
    pub(crate) twist: [u8; N],
    kind: PhantomData<K>,
}

/// The piece and the twist in each slot, for a puzzle of any size.
///
/// A [`SlotState`] holds the same in a fixed size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotContents {
    pub(crate) piece: Vec<u16>,
    pub(crate) twist: Vec<u8>,
}

impl SlotContents {
    /// Contents with zeros in all slots.
    pub(crate) fn empty(slots: usize) -> Self {
        Self { piece: vec![0; slots], twist: vec![0; slots] }
    }

    /// Whether the operator with these steps changes a slot. A step has the slot that a piece comes
    /// from, and by how much it turns.
    pub(crate) fn changes(&self, slot: usize) -> bool {
        usize::from(self.piece[slot]) != slot || self.twist[slot] != 0
    }

    /// For each slot: the piece and its twist.
    ///
    /// # Panics
    /// If a piece has a number above 255.
    pub(crate) fn pairs(&self) -> Vec<(u8, u8)> {
        let pieces = self.piece.iter().map(|&piece| slot_number(piece.into()));
        pieces.zip(self.twist.iter().copied()).collect()
    }
}

/// Marks states whose piece numbers are labels. Pieces that look alike share a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Labels {}

/// Marks states whose piece numbers are home slots: where the pieces lie in the solved state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Homes {}

/// The meaning of piece numbers: [`Labels`] or [`Homes`].
pub trait PieceNumbers: Copy + Ord + std::fmt::Debug + Send + Sync + 'static {}

impl PieceNumbers for Labels {}
impl PieceNumbers for Homes {}

/// A state of a [`GeneralPuzzle`](super::GeneralPuzzle): for each slot the label and the twist of
/// the piece.
pub type LabelState<const N: usize> = SlotState<Labels, N>;

/// A state of a [`GroupPuzzle`](super::GroupPuzzle): for each slot the home slot of the piece, and
/// its twist relative to the solved state.
pub type GroupElement<const N: usize> = SlotState<Homes, N>;

impl<K, const N: usize> SlotState<K, N> {
    /// A state with zeros in all slots.
    pub(crate) const EMPTY: Self = Self { piece: [0; N], twist: [0; N], kind: PhantomData };

    /// For each slot: piece and twist in one number. The twist has the lowest `shift` bits.
    #[inline(always)]
    pub(crate) fn codes(&self, shift: u32) -> [u16; N] {
        array::from_fn(|slot| u16::from(self.piece[slot]) << shift | u16::from(self.twist[slot]))
    }

    /// The state with these contents. Drops slots from `N` on.
    ///
    /// # Panics
    /// If a piece has a number above 255.
    pub fn of(contents: &SlotContents) -> Self {
        let mut state = Self::EMPTY;
        for (to, &piece) in state.piece.iter_mut().zip(&contents.piece) {
            *to = slot_number(piece.into());
        }
        for (to, &twist) in state.twist.iter_mut().zip(&contents.twist) {
            *to = twist;
        }
        state
    }

    /// The contents of the first `slots` slots.
    pub fn contents(&self, slots: usize) -> SlotContents {
        let slots = slots.min(N);
        let piece = self.piece[..slots].iter().map(|&piece| piece.into()).collect();
        SlotContents { piece, twist: self.twist[..slots].to_vec() }
    }
}

/// The number of a slot as a byte. States of a fixed size have at most 256 slots.
#[inline(always)]
pub(crate) fn slot_number(slot: usize) -> u8 {
    u8::try_from(slot).expect("states of a fixed size have at most 256 slots")
}

/// The number of a slot of any puzzle.
pub(crate) fn any_slot(slot: usize) -> u16 {
    u16::try_from(slot).expect("puzzles have at most 65536 slots")
}

impl<K, const N: usize> Default for SlotState<K, N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<K, const N: usize> std::fmt::Debug for SlotState<K, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = (0..N).rev().find(|&i| (self.piece[i], self.twist[i]) != (0, 0));
        let pairs = self.piece.iter().zip(&self.twist).take(last.map_or(0, |last| last + 1));
        f.debug_list().entries(pairs).finish()
    }
}

/// The key is the bytes of the pieces, then those of the twists.
impl<K: PieceNumbers, const N: usize> FlatKey for SlotState<K, N> {
    const BYTES: usize = 2 * N;
    fn write(self, bytes: &mut [u8]) {
        let (piece, twist) = bytes.split_at_mut(N);
        piece.copy_from_slice(&self.piece);
        twist.copy_from_slice(&self.twist);
    }
    fn read(bytes: &[u8]) -> Self {
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        Self {
            piece: array::from_fn(byte),
            twist: array::from_fn(|slot| byte(N + slot)),
            kind: PhantomData,
        }
    }
}

/// A state is its own key: breadth-first searches store it as it is.
impl<K: PieceNumbers, const N: usize> Key for SlotState<K, N> {
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
