//! [`Slides`]: boards on which a slide of several tiles is one move.

use crate::board::{AnyTiles, Board, BoardWord, PackedWord, WideWord};
use search::{Contexts, Domain, Op, Packed, Reversible, Symmetric};

/// Directions of the blank: up, left, right, down, as the operators of [`AnyTiles`].
const WAYS: usize = 4;

/// The operator that moves the blank `count` squares in a direction: up, left, right or down, as an
/// operator of [`AnyTiles`]. `count` is at least 1.
pub fn slide(way: Op, count: usize) -> Op {
    Op::new(WAYS * (count - 1) + way.index())
}

/// The direction and the number of squares of an operator: the inverse of [`slide`].
pub fn direction_and_count(op: Op) -> (Op, usize) {
    (Op::new(op.index() % WAYS), op.index() / WAYS + 1)
}

/// Sliding tiles where a slide of one or more tiles in one row or column costs 1: the multi-tile
/// metric.
///
/// An operator moves the blank by `count` squares in one direction. So `count` tiles move by one
/// square each. The operators with `count` 1 come first, in the order of [`AnyTiles`]. Then come
/// those with `count` 2, and so on.
///
/// A move changes the parity of the board as often as it moves a tile. So plans have both parities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slides<W: BoardWord = WideWord> {
    tiles: AnyTiles<W>,
    /// For each square of the blank: the operators that apply, as bits.
    applicable: [u32; 40],
}

impl<W: BoardWord> Slides<W> {
    /// The puzzle with the size and the goal of `tiles`.
    pub fn new(tiles: AnyTiles<W>) -> Self {
        let mut applicable = [0; 40];
        for (blank, ops) in applicable.iter_mut().enumerate().take(tiles.squares()) {
            for way in 0..WAYS {
                let way = Op::new(way);
                let count = tiles.shape().squares_ahead(blank, way).count();
                *ops = (1..=count).fold(*ops, |ops, count| ops | 1 << slide(way, count).index());
            }
        }
        Self { tiles, applicable }
    }

    /// The puzzle in which each moved tile counts as one move.
    pub fn tiles(&self) -> &AnyTiles<W> {
        &self.tiles
    }

    /// The same puzzle with boards in another word type. `None` if they do not fit in it.
    pub fn to_word<V: BoardWord>(&self) -> Option<Slides<V>> {
        Some(Slides { tiles: self.tiles.to_word()?, applicable: self.applicable })
    }
}

impl<W: BoardWord> Domain for Slides<W> {
    type State = Board<W>;
    type Ops = u32;
    const UNIT_COSTS: bool = true;

    fn operators(&self) -> usize {
        WAYS * (self.tiles.rows().max(self.tiles.columns()) - 1)
    }
    #[inline(always)]
    fn applicable(&self, board: &Board<W>) -> u32 {
        self.applicable[board.blank()]
    }
    #[inline(always)]
    fn apply_into(&self, from: &Board<W>, op: Op, to: &mut Board<W>) {
        let (way, count) = direction_and_count(op);
        *to = *from;
        for _ in 0..count {
            let blank = self.tiles.target(to.blank, way);
            *to = Board { squares: to.squares.moved(blank, to.blank), blank };
        }
    }
    #[inline(always)]
    fn is_goal(&self, board: &Board<W>) -> bool {
        self.tiles.is_goal(board)
    }
}

impl<W: BoardWord> Reversible for Slides<W> {
    #[inline(always)]
    fn inverse_op(&self, op: Op) -> Op {
        let (way, count) = direction_and_count(op);
        slide(self.tiles.inverse_op(way), count)
    }
}

/// The context is the square of the blank.
impl<W: BoardWord> Contexts for Slides<W> {
    fn contexts(&self) -> usize {
        self.tiles.contexts()
    }
    #[inline(always)]
    fn context(&self, board: &Board<W>) -> usize {
        self.tiles.context(board)
    }
    fn representative(&self, context: usize) -> Board<W> {
        self.tiles.representative(context)
    }
}

/// The reflections of [`AnyTiles`].
impl<W: BoardWord> Symmetric for Slides<W> {
    fn symmetries(&self) -> usize {
        self.tiles.symmetries()
    }
    fn conjugate(&self, symmetry: usize, board: &Board<W>, out: &mut Board<W>) {
        self.tiles.conjugate(symmetry, board, out);
    }
    fn relabel(&self, symmetry: usize, op: Op) -> Op {
        let (way, count) = direction_and_count(op);
        slide(self.tiles.relabel(symmetry, way), count)
    }
}

impl<W: PackedWord> Packed for Slides<W> {
    type Key = W::Key;
    #[inline(always)]
    fn pack(&self, board: &Board<W>) -> W::Key {
        self.tiles.pack(board)
    }
    #[inline(always)]
    fn unpack(&self, key: W::Key, out: &mut Board<W>) {
        self.tiles.unpack(key, out);
    }
}
