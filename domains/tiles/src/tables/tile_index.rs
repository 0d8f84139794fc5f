//! The data with which tables are read, carried from board to board.

/// Squares of a [`TileIndex`]: those of the largest board, rounded up to whole registers.
const SQUARES: usize = 48;

/// Where each tile lies, and the numbers of the tables' entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileIndex<E> {
    /// By label, that of the blank first.
    squares: [u8; SQUARES],
    /// Members whose tiles have an odd sum of distances, a bit each.
    odd: u64,
    pub(super) entries: E,
}

impl<E> TileIndex<E> {
    /// `squares` has the square of each label.
    pub(super) fn new(squares: [u8; 64], odd: u64, entries: E) -> Self {
        let squares = std::array::from_fn(|label| squares[label]);
        Self { squares, odd, entries }
    }

    #[inline(always)]
    pub(super) fn blank(&self) -> u8 {
        self.squares[0]
    }

    /// The square of a label, below 64.
    #[inline(always)]
    pub(super) fn square(&self, label: usize) -> u8 {
        self.squares[label % SQUARES] & 63
    }

    /// 1 if a member's tiles have an odd sum of distances, else 0.
    #[inline(always)]
    pub(super) fn is_odd(&self, member: usize) -> u8 {
        (self.odd >> (member & 63) & 1) as u8
    }

    /// Overwrites all but the entries: as in `from`, with the tile `label` and the blank exchanged.
    /// `charged` members have the tile.
    #[inline(always)]
    pub(super) fn follow(&mut self, from: &Self, label: usize, charged: u64) {
        self.squares = from.squares;
        self.squares[label % SQUARES] = from.squares[0];
        self.squares[0] = from.squares[label % SQUARES];
        // A tile moves by one square, so the sum of distances changes its parity.
        self.odd = from.odd ^ charged;
    }
}
