//! Sliding tiles as a domain: states, operators and goals, and what tables and learned distances
//! need of a domain.

use crate::board::arrangement::{BoardError, ParityError, check, permutation_odd};
use crate::board::grid::Grid;
use crate::board::shape::Shape;
use crate::board::word::{BoardWord, PackedWord, WideWord};
use search::{Contexts, Domain, Op, Packed, Partitioned, Placed, Reversible};

/// A board: the label on each square, and the square of the blank.
///
/// A label is the tile's home, that is its square in the goal. The one exception: the blank always
/// has label 0, so the tile at home on square 0 gets the number of the blank's home square. With
/// the default goal a tile's label is the number on the tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board<W> {
    pub(crate) squares: W,
    pub(crate) blank: usize,
}

impl<W: BoardWord> Board<W> {
    /// The same board in another word type. `None` if that type has too few squares, or too few
    /// bits for a label.
    pub fn to_word<V: BoardWord>(&self) -> Option<Board<V>> {
        let mut squares = V::default();
        for square in 0..W::SQUARES {
            let label = self.label(square);
            if label > 0 && (square >= V::SQUARES || label >> V::FIELD > 0) {
                return None;
            }
            squares = squares.with(square, label);
        }
        (self.blank < V::SQUARES).then_some(Board { squares, blank: self.blank })
    }

    /// The square of the blank.
    #[inline(always)]
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// The label of the tile on a square; 0 for the blank.
    #[inline(always)]
    pub fn label(&self, square: usize) -> usize {
        self.squares.get(square)
    }
}

/// The blank moves up. Operators are tried in the order up, left, right, down, as in Richard Korf's
/// programs (1985).
pub const UP: Op = Op(0);
/// The blank moves left.
pub const LEFT: Op = Op(1);
/// The blank moves right.
pub const RIGHT: Op = Op(2);
/// The blank moves down.
pub const DOWN: Op = Op(3);

/// Sliding tiles on `ROWS` rows of `COLS` squares (2 to 7 each). Boards are packed in words of type
/// `W` (see [`BoardWord`]), which must have room for all squares.
///
/// Use the aliases, such as [`Puzzle15`]. If `ROWS` and `COLS` are 0, the size is known at run
/// time: see [`AnyTiles`].
///
/// An operator moves the blank: up, left, right, down, in this order. Each costs 1 and moves one
/// tile. The default goal is `0 1 2 ...`, row by row, with the blank first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles<W, const ROWS: usize, const COLS: usize> {
    shape: Shape,
    goal: Board<W>,
    /// The blank's square in the goal.
    blank_home: usize,
    /// For each label: the number on the tile.
    numbers: [u8; 40],
    /// For each number on a tile: its label.
    labels: [u8; 40],
}

/// A puzzle whose rows and columns are known at run time, so that one compiled search serves every
/// size. A type with a fixed size, such as [`Puzzle15`], generates the same nodes faster. The
/// default word has room for boards of all sizes.
pub type AnyTiles<W = WideWord> = Tiles<W, 0, 0>;
/// Two rows of two squares.
pub type Puzzle3 = Tiles<u64, 2, 2>;
/// Three rows of three squares.
pub type Puzzle8 = Tiles<u64, 3, 3>;
/// Three rows of four squares.
pub type Puzzle11 = Tiles<u64, 3, 4>;
/// Four rows of four squares.
pub type Puzzle15 = Tiles<u64, 4, 4>;
/// Four rows of five squares.
pub type Puzzle19 = Tiles<u128, 4, 5>;
/// Five rows of five squares.
pub type Puzzle24 = Tiles<u128, 5, 5>;
/// Six rows of six squares.
pub type Puzzle35 = Tiles<WideWord, 6, 6>;

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// The size of the type. Its use does not compile if `ROWS` and `COLS` are 0.
    const SHAPE: Shape = {
        assert!(fits::<W>(ROWS, COLS), "a size with 2 to 7 rows and columns that fits the word");
        Shape::new(ROWS, COLS)
    };

    /// The puzzle with the goal `0 1 2 ...`.
    pub fn new() -> Self {
        Self::of_shape(Self::SHAPE)
    }

    /// The puzzle with another goal, given as the numbers on the squares row by row, 0 the blank.
    ///
    /// # Errors
    /// If the numbers are not those from 0 to the number of squares minus 1, each once.
    pub fn with_goal(goal: &[u8]) -> Result<Self, BoardError> {
        check(goal, ROWS * COLS)?;
        Ok(Self::of_permutation(Self::SHAPE, goal))
    }

    /// A puzzle of the same size with another goal: see [`Tiles::with_goal`].
    ///
    /// # Errors
    /// As [`Tiles::with_goal`].
    pub(crate) fn to_goal(&self, goal: &[u8]) -> Result<Self, BoardError> {
        check(goal, self.squares())?;
        Ok(Self::of_permutation(self.shape, goal))
    }

    /// The puzzle with the goal `0 1 2 ...`.
    fn of_shape(shape: Shape) -> Self {
        let identity: [u8; 40] =
            std::array::from_fn(|square| u8::try_from(square).expect("40 squares"));
        Self::of_permutation(shape, &identity[..shape.rows * shape.columns])
    }

    /// The puzzle with a goal, whose numbers are known to be a permutation.
    fn of_permutation(shape: Shape, goal: &[u8]) -> Self {
        let blank_home = goal.iter().position(|&number| number == 0).expect("a permutation");
        let grid = Grid { rows: shape.rows, columns: shape.columns, blank_home };
        let (mut numbers, mut labels) = ([0; 40], [0; 40]);
        let mut squares = W::default();
        for (square, &number) in goal.iter().enumerate() {
            let label = grid.label_at_home(square);
            numbers[label] = number;
            labels[usize::from(number)] = u8::try_from(label).expect("40 labels");
            squares = squares.with(square, label);
        }
        let goal = Board { squares, blank: blank_home };
        Self { shape, goal, blank_home, numbers, labels }
    }

    /// How many rows the board has.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        if ROWS == 0 { self.shape.rows } else { ROWS }
    }

    /// How many columns the board has.
    #[inline(always)]
    pub fn columns(&self) -> usize {
        self.shape.columns::<COLS>()
    }

    /// How many squares the board has.
    #[inline(always)]
    pub fn squares(&self) -> usize {
        self.rows() * self.columns()
    }

    /// Rows, columns and the blank's home, as a value that does not depend on the type of the
    /// board.
    pub fn grid(&self) -> Grid {
        let (rows, columns) = (self.rows(), self.columns());
        Grid { rows, columns, blank_home: self.blank_home }
    }

    /// The tables that depend on the size alone.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Turns the number of a square, counted row by row, into its number counted column by column.
    #[inline(always)]
    pub(crate) fn by_columns(&self, square: usize) -> usize {
        match COLS {
            0 => self.shape.by_columns[square & 63].into(),
            _ => square % COLS * ROWS + square / COLS,
        }
    }

    /// The goal.
    pub fn goal(&self) -> Board<W> {
        self.goal
    }

    /// The square of the blank in the goal.
    pub fn blank_home(&self) -> usize {
        self.blank_home
    }

    /// The square where a label is in the goal.
    pub fn home(&self, label: usize) -> usize {
        self.grid().home(label)
    }

    /// The label of the tile that is on a square in the goal; 0 for the blank's home.
    pub fn label_at_home(&self, square: usize) -> usize {
        self.grid().label_at_home(square)
    }

    /// The label of the tile with this number; `None` if there is no such tile.
    pub fn label_of(&self, number: u8) -> Option<usize> {
        (usize::from(number) < self.squares()).then(|| self.labels[usize::from(number)].into())
    }

    /// The number on the tile with this label; `None` if there is no such tile.
    pub fn number_of(&self, label: usize) -> Option<u8> {
        (label < self.squares()).then(|| self.numbers[label])
    }

    /// The board with these numbers on its squares, row by row, 0 the blank.
    ///
    /// # Errors
    /// If the numbers are not those from 0 to the number of squares minus 1, each once, or the
    /// board cannot be solved.
    pub fn board(&self, numbers: &[u8]) -> Result<Board<W>, BoardError> {
        check(numbers, self.squares())?;
        let mut board = Board { squares: W::default(), blank: 0 };
        let mut homes = [0; 40];
        for (square, &number) in numbers.iter().enumerate() {
            let label = usize::from(self.labels[usize::from(number)]);
            homes[square] = self.home(label);
            board.squares = board.squares.with(square, label);
            if label == 0 {
                board.blank = square;
            }
        }
        let tiles_odd = permutation_odd(&homes[..self.squares()]);
        let blank_odd = self.blank_odd(board.blank());
        if tiles_odd == blank_odd {
            Ok(board)
        } else {
            Err(ParityError { tiles_odd, blank_odd }.into())
        }
    }

    /// The numbers on the squares of a board, row by row, 0 the blank.
    pub fn numbers(&self, board: &Board<W>) -> Vec<u8> {
        (0..self.squares()).map(|square| self.numbers[board.label(square)]).collect()
    }

    /// Whether a square is an odd number of moves from the blank's home.
    #[inline(always)]
    fn blank_odd(&self, square: usize) -> bool {
        let way = |square| square / self.columns() + square % self.columns();
        (way(square) + way(self.blank_home)) % 2 == 1
    }

    /// The square that the blank moves to. Before the move it holds the tile that the operator
    /// moves.
    #[inline(always)]
    pub(crate) fn target(&self, blank: usize, op: Op) -> usize {
        self.shape.target::<COLS>(blank, op)
    }
}

impl<W: BoardWord> AnyTiles<W> {
    /// The puzzle of a size with the goal `0 1 2 ...`. `None` if the boards do not fit in `W`, or
    /// rows or columns are not 2 to 7.
    pub fn of_size(rows: usize, columns: usize) -> Option<Self> {
        fits::<W>(rows, columns).then(|| Self::of_shape(Shape::new(rows, columns)))
    }

    /// The same puzzle with boards in another word type. `None` if they do not fit in it.
    pub fn to_word<V: BoardWord>(&self) -> Option<AnyTiles<V>> {
        let Self { shape, blank_home, numbers, labels, .. } = *self;
        let goal = self.goal.to_word().filter(|_| fits::<V>(shape.rows, shape.columns))?;
        Some(Tiles { shape, goal, blank_home, numbers, labels })
    }

    /// The same puzzle with its size in the type. `None` if it has another size.
    pub fn to_size<const ROWS: usize, const COLS: usize>(&self) -> Option<Tiles<W, ROWS, COLS>> {
        let Self { goal, blank_home, numbers, labels, .. } = *self;
        let same = (self.rows(), self.columns()) == (ROWS, COLS);
        same.then_some(Tiles {
            shape: Tiles::<W, ROWS, COLS>::SHAPE,
            goal,
            blank_home,
            numbers,
            labels,
        })
    }
}

/// Whether boards of a size fit in the word `W`.
const fn fits<W: BoardWord>(rows: usize, columns: usize) -> bool {
    let sides = 2 <= rows && rows <= 7 && 2 <= columns && columns <= 7;
    sides && rows * columns <= W::SQUARES && rows * columns <= 1 << W::FIELD
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Default for Tiles<W, ROWS, COLS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Domain for Tiles<W, ROWS, COLS> {
    type State = Board<W>;
    type Ops = u32;
    /// True only for the 15- and the 24-puzzle, because the unrolled code grows with the square of
    /// the number of operators.
    const UNROLL: bool = matches!((ROWS, COLS), (4, 4) | (5, 5));

    #[inline(always)]
    fn operators(&self) -> usize {
        4
    }
    #[inline(always)]
    fn applicable(&self, board: &Board<W>) -> u32 {
        self.shape.applicable::<ROWS, COLS>(board.blank())
    }
    #[inline(always)]
    fn apply_into(&self, from: &Board<W>, op: Op, to: &mut Board<W>) {
        let target = self.target(from.blank(), op);
        *to = Board { squares: from.squares.moved(target, from.blank()), blank: target };
    }
    #[inline(always)]
    fn is_goal(&self, board: &Board<W>) -> bool {
        board.squares == self.goal.squares
    }
    /// Every move takes the blank from a black to a white square of a chessboard, or back.
    #[inline(always)]
    fn parity(&self, board: &Board<W>) -> Option<bool> {
        Some(self.blank_odd(board.blank()))
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Reversible for Tiles<W, ROWS, COLS> {
    #[inline(always)]
    fn inverse_op(&self, op: Op) -> Op {
        Op(3 - op.0)
    }
}

/// The context, which decides the applicable operators, is the square of the blank.
impl<W: BoardWord, const ROWS: usize, const COLS: usize> Contexts for Tiles<W, ROWS, COLS> {
    fn contexts(&self) -> usize {
        self.squares()
    }
    #[inline(always)]
    fn context(&self, board: &Board<W>) -> usize {
        board.blank()
    }
    /// The goal with the blank moved along its row, then along the column, to the square `context`.
    fn representative(&self, context: usize) -> Board<W> {
        let mut board = self.goal;
        while board.blank() != context {
            let (here, there) = (board.blank(), context);
            let op = match (here % self.columns()).cmp(&(there % self.columns())) {
                std::cmp::Ordering::Less => RIGHT,
                std::cmp::Ordering::Greater => LEFT,
                std::cmp::Ordering::Equal if here < there => DOWN,
                std::cmp::Ordering::Equal => UP,
            };
            let from = board;
            self.apply_into(&from, op, &mut board);
        }
        board
    }
}

/// The features are the labels. Each operator is charged to the tile that it moves. No operator is
/// charged to feature 0, the blank.
impl<W: BoardWord, const ROWS: usize, const COLS: usize> Partitioned for Tiles<W, ROWS, COLS> {
    fn features(&self) -> usize {
        self.squares()
    }
    #[inline(always)]
    fn mover(&self, from: &Board<W>, op: Op) -> usize {
        from.label(self.target(from.blank(), op))
    }
}

/// The places are the squares. The blank has no place: its square counts as free.
impl<W: BoardWord, const ROWS: usize, const COLS: usize> Placed for Tiles<W, ROWS, COLS> {
    fn places(&self) -> usize {
        self.squares()
    }
    #[inline(always)]
    fn feature_at(&self, board: &Board<W>, square: usize) -> Option<usize> {
        let label = board.label(square);
        (label != 0).then_some(label)
    }
}

/// The key is the word of the board: 8 bytes for up to 16 squares, 16 bytes for up to 25. Larger
/// boards cannot be packed: 26 squares of 5 bits do not fit in 16 bytes.
impl<W: PackedWord, const ROWS: usize, const COLS: usize> Packed for Tiles<W, ROWS, COLS> {
    type Key = W::Key;
    #[inline(always)]
    fn pack(&self, board: &Board<W>) -> W::Key {
        board.squares.key()
    }
    #[inline(always)]
    fn unpack(&self, key: W::Key, out: &mut Board<W>) {
        let squares = W::from_key(key);
        *out = Board { squares, blank: squares.blank(self.squares()) };
    }
}
