//! The board that table lookups read. The search moves on it and takes the moves back.

use crate::domain::{Board, Tiles};
use crate::word::BoardWord;

/// A board with the square of each tile, and the entries of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingBoard<E> {
    /// By square.
    labels: [u8; 64],
    /// By label.
    squares: [u8; 64],
    blank: usize,
    /// Members whose tiles have an odd sum of distances.
    odd: u64,
    pub(super) entries: E,
}

impl<E> WorkingBoard<E> {
    pub(super) fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
        odd: u64,
        entries: E,
    ) -> Self {
        let (mut labels, mut squares) = ([0; 64], [0; 64]);
        for (square, here) in labels.iter_mut().enumerate().take(domain.squares()) {
            let label = board.label(square);
            *here = label as u8;
            squares[label & 63] = square as u8;
        }
        Self { labels, squares, blank: board.blank(), odd, entries }
    }

    pub(super) fn board<W: BoardWord>(&self, squares: usize) -> Board<W> {
        let labels = self.labels.iter().take(squares).enumerate();
        let squares =
            labels.fold(W::default(), |word, (square, &label)| word.with(square, label.into()));
        Board { squares, blank: self.blank }
    }

    /// Whether this is `board`.
    #[inline(always)]
    pub(super) fn is<W: BoardWord>(&self, board: &Board<W>, squares: usize) -> bool {
        // The blank's square decides most boards.
        self.blank == board.blank() && self.board::<W>(squares).squares == board.squares
    }

    #[inline(always)]
    pub(super) fn blank(&self) -> usize {
        self.blank
    }
    #[inline(always)]
    pub(super) fn odd(&self) -> u64 {
        self.odd
    }
    #[inline(always)]
    pub(super) fn label(&self, square: usize) -> usize {
        self.labels[square & 63].into()
    }
    #[inline(always)]
    pub(super) fn square(&self, label: usize) -> usize {
        self.squares[label & 63].into()
    }

    /// Exchanges the tile on `target` with the blank. `charged` members have the tile.
    #[inline(always)]
    pub(super) fn step(&mut self, target: usize, label: usize, charged: u64) {
        self.labels[self.blank & 63] = label as u8;
        self.squares[label & 63] = self.blank as u8;
        self.labels[target & 63] = 0;
        self.squares[0] = target as u8;
        self.blank = target;
        self.odd ^= charged;
    }
}
