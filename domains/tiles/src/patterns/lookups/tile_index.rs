//! The data that table lookups need of a board. The search updates it with each move.

/// Number of labels in a [`TileIndex`]: at least the 40 of the largest board, rounded up to whole
/// vector registers.
const SQUARES: usize = 64;

/// The square of each tile, and the entry numbers of the tables, stored in type `E`. A *member* is
/// one table that is read for the board or for its reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileIndex<E> {
    /// For each label: its square. The blank is label 0.
    squares: [u8; SQUARES],
    /// One bit for each member: set if the distances of its tiles from home have an even sum.
    even: u64,
    pub(super) entries: E,
}

impl<E> TileIndex<E> {
    /// An index from its parts. `squares` has the square of each label.
    pub(super) fn new(squares: [u8; 64], odd: u64, entries: E) -> Self {
        let squares = std::array::from_fn(|label| squares[label]);
        Self { squares, even: !odd, entries }
    }

    /// The square of a label, below 64.
    #[inline(always)]
    pub(super) fn square(&self, label: usize) -> u8 {
        self.squares[label % SQUARES] & 63
    }

    /// 1 if the distances of a member's tiles from home have an even sum, else 0.
    #[inline(always)]
    pub(super) fn is_even(&self, member: usize) -> u8 {
        (self.even >> (member & 63) & 1) as u8
    }

    /// Sets all fields but `entries` to those of `from` after tile `label` and the blank have
    /// changed places. `charged` are the members that count this tile.
    #[inline(always)]
    pub(super) fn follow(&mut self, from: &Self, label: usize, charged: u64) {
        let (blank, tile) = (from.squares[0], from.squares[label % SQUARES]);
        self.squares = from.squares;
        self.squares[label % SQUARES] = blank;
        self.squares[0] = tile;
        // A tile moves by one square, so the sum of distances changes its parity.
        self.even = from.even ^ charged;
    }
}
