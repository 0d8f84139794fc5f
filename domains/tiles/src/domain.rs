//! Sliding tiles as a domain: states, operators, goals, contexts, features and keys.

use crate::arrangement::{BoardError, ParityError, check, permutation_odd};
use crate::word::{BoardWord, PackedWord, WideWord};
use search::{Contexts, Domain, Op, Packed, Partitioned, Placed, Reversible};

/// A board: labels by square, and where the blank is.
///
/// A label names a tile by its home: it is the square of the tile in the goal, except that the blank is always 0 and the tile that
/// is at home on square 0 has the label of the blank's home. For the default goal a label is the number on the tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<W> {
    pub(crate) squares: W,
    pub(crate) blank: usize,
}

impl<W: BoardWord> Board<W> {
    /// The square of the blank.
    #[inline(always)]
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// The label on a square; 0 is the blank.
    #[inline(always)]
    pub fn label(&self, square: usize) -> usize {
        self.squares.get(square)
    }
}

/// The blank moves up. Operators are tried in the order up, left, right, down, as Richard Korf's programs did (1985).
pub const UP: Op = Op(0);
/// The blank moves left.
pub const LEFT: Op = Op(1);
/// The blank moves right.
pub const RIGHT: Op = Op(2);
/// The blank moves down.
pub const DOWN: Op = Op(3);

/// Sliding tiles on `ROWS` rows of `COLS` squares, 2 to 6 each, in words `W` that have room for them. Use the aliases.
///
/// Operators move the blank and are tried in the order up, left, right, down. Each costs 1 and moves one tile. The default
/// goal is `0 1 2 ...`, row by row, the blank first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles<W, const ROWS: usize, const COLS: usize> {
    goal: Board<W>,
    /// The home of the blank, which is its square in the goal.
    blank_home: usize,
    /// By label: the number on the tile.
    numbers: [u8; 36],
    /// By number on the tile: label.
    labels: [u8; 36],
}

/// Two rows of two squares.
pub type Puzzle3 = Tiles<u64, 2, 2>;
/// Two rows of three squares.
pub type Puzzle5 = Tiles<u64, 2, 3>;
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
    /// How many squares the board has.
    pub const SQUARES: usize = {
        assert!(
            ROWS >= 2 && ROWS <= 6 && COLS >= 2 && COLS <= 6,
            "boards have 2 to 6 rows and columns"
        );
        assert!(ROWS * COLS <= W::SQUARES, "the board does not fit the word");
        assert!(ROWS * COLS <= 1 << W::FIELD, "the labels do not fit the fields");
        ROWS * COLS
    };

    /// By square of the blank: the operators that apply.
    const APPLICABLE: [u32; 64] = {
        let mut table = [0; 64];
        let mut square = 0;
        while square < ROWS * COLS {
            let (row, col) = (square / COLS, square % COLS);
            table[square] = (row > 0) as u32
                | ((col > 0) as u32) << 1
                | ((col + 1 < COLS) as u32) << 2
                | ((row + 1 < ROWS) as u32) << 3;
            square += 1;
        }
        table
    };

    /// By operator: what it adds to the square of the blank, modulo 2^64.
    const OFFSET: [usize; 4] = [0_usize.wrapping_sub(COLS), usize::MAX, 1, COLS];

    /// The puzzle whose goal is `0 1 2 ...`.
    pub fn new() -> Self {
        let identity: [u8; 36] = std::array::from_fn(|square| u8::try_from(square).unwrap_or(0));
        Self::of_permutation(&identity[..Self::SQUARES])
    }

    /// The puzzle with another goal: the numbers on the tiles row by row, 0 the blank.
    ///
    /// # Errors
    /// If these are not the numbers from 0, each once.
    pub fn with_goal(goal: &[u8]) -> Result<Self, BoardError> {
        check(goal, Self::SQUARES)?;
        Ok(Self::of_permutation(goal))
    }

    /// The puzzle with a goal that is known to be a permutation.
    fn of_permutation(goal: &[u8]) -> Self {
        let blank_home = goal.iter().position(|&number| number == 0).unwrap_or(0);
        let (mut numbers, mut labels) = ([0; 36], [0; 36]);
        let mut squares = W::default();
        for (square, &number) in goal.iter().enumerate() {
            let label = swapped(square, blank_home);
            numbers[label] = number;
            labels[usize::from(number)] = u8::try_from(label).unwrap_or(0);
            squares = squares.with(square, label);
        }
        let goal = Board { squares, blank: blank_home };
        Self { goal, blank_home, numbers, labels }
    }

    /// The goal.
    pub fn goal(&self) -> Board<W> {
        self.goal
    }

    /// The square of the blank in the goal.
    pub fn blank_home(&self) -> usize {
        self.blank_home
    }

    /// The square of a label in the goal.
    pub fn home(&self, label: usize) -> usize {
        swapped(label, self.blank_home)
    }

    /// The label that is on a square in the goal; 0 for the blank's home.
    pub fn label_at_home(&self, square: usize) -> usize {
        swapped(square, self.blank_home)
    }

    /// The label of the tile with this number; `None` if there is no such tile.
    pub fn label_of(&self, number: u8) -> Option<usize> {
        (usize::from(number) < Self::SQUARES).then(|| self.labels[usize::from(number)].into())
    }

    /// The number on the tile with this label; `None` if there is no such tile.
    pub fn number_of(&self, label: usize) -> Option<u8> {
        (label < Self::SQUARES).then(|| self.numbers[label])
    }

    /// The board with these numbers row by row, 0 the blank.
    ///
    /// # Errors
    /// If these are not the numbers from 0, each once, or no plan leads from there to the goal.
    pub fn board(&self, numbers: &[u8]) -> Result<Board<W>, BoardError> {
        check(numbers, Self::SQUARES)?;
        let mut board = Board { squares: W::default(), blank: 0 };
        let mut homes = [0; 36];
        for (square, &number) in numbers.iter().enumerate() {
            let label = usize::from(self.labels[usize::from(number)]);
            homes[square] = self.home(label);
            board.squares = board.squares.with(square, label);
            if label == 0 {
                board.blank = square;
            }
        }
        let tiles_odd = permutation_odd(&homes[..Self::SQUARES]);
        let blank_odd = self.blank_odd(board.blank());
        if tiles_odd == blank_odd {
            Ok(board)
        } else {
            Err(ParityError { tiles_odd, blank_odd }.into())
        }
    }

    /// The numbers on a board row by row, 0 the blank.
    pub fn numbers(&self, board: &Board<W>) -> Vec<u8> {
        (0..Self::SQUARES).map(|square| self.numbers[board.label(square)]).collect()
    }

    /// Whether a square is an odd number of moves from the blank's home.
    #[inline(always)]
    fn blank_odd(&self, square: usize) -> bool {
        (square / COLS + square % COLS + self.blank_home / COLS + self.blank_home % COLS) % 2 == 1
    }

    /// The operators that apply where the blank is on a square.
    #[inline(always)]
    pub(crate) fn applicable_at(blank: usize) -> u32 {
        Self::APPLICABLE[blank & 63]
    }

    /// Where the blank goes: the square of the tile that an operator moves.
    #[inline(always)]
    pub(crate) fn target(blank: usize, op: Op) -> usize {
        blank.wrapping_add(Self::OFFSET[op.index() & 3])
    }
}

/// Squares and labels: 0 and the blank's home are exchanged, everything else is the same.
fn swapped(square: usize, blank_home: usize) -> usize {
    match square {
        0 => blank_home,
        _ if square == blank_home => 0,
        _ => square,
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Default for Tiles<W, ROWS, COLS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Domain for Tiles<W, ROWS, COLS> {
    type State = Board<W>;
    type Ops = u32;
    /// For the boards of the 15- and the 24-puzzle; of the others there are many, and the code grows with the operators squared.
    const FEW: bool = matches!((ROWS, COLS), (4, 4) | (5, 5));

    #[inline(always)]
    fn operators(&self) -> usize {
        4
    }
    #[inline(always)]
    fn applicable(&self, board: &Board<W>) -> u32 {
        Self::applicable_at(board.blank())
    }
    #[inline(always)]
    fn apply_into(&self, from: &Board<W>, op: Op, to: &mut Board<W>) {
        let target = Self::target(from.blank(), op);
        *to = Board { squares: from.squares.moved(target, from.blank()), blank: target };
    }
    #[inline(always)]
    fn is_goal(&self, board: &Board<W>) -> bool {
        board.squares == self.goal.squares
    }
    /// Every move takes the blank to a square of the other colour of a chessboard.
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

/// The context is the square of the blank.
impl<W: BoardWord, const ROWS: usize, const COLS: usize> Contexts for Tiles<W, ROWS, COLS> {
    fn contexts(&self) -> usize {
        Self::SQUARES
    }
    #[inline(always)]
    fn context(&self, board: &Board<W>) -> usize {
        board.blank()
    }
    /// The goal with the blank taken along its row, then along the column.
    fn representative(&self, context: usize) -> Board<W> {
        let mut board = self.goal;
        while board.blank() != context {
            let (here, there) = (board.blank(), context);
            let op = match (here % COLS).cmp(&(there % COLS)) {
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

/// The features are the labels of the tiles; feature 0, the blank, is never charged with a move.
impl<W: BoardWord, const ROWS: usize, const COLS: usize> Partitioned for Tiles<W, ROWS, COLS> {
    fn features(&self) -> usize {
        Self::SQUARES
    }
    #[inline(always)]
    fn mover(&self, from: &Board<W>, op: Op) -> usize {
        from.label(Self::target(from.blank(), op))
    }
}

/// The places are the squares. The blank lies nowhere: its square is free.
impl<W: BoardWord, const ROWS: usize, const COLS: usize> Placed for Tiles<W, ROWS, COLS> {
    fn places(&self) -> usize {
        Self::SQUARES
    }
    #[inline(always)]
    fn feature_at(&self, board: &Board<W>, square: usize) -> Option<usize> {
        let label = board.label(square);
        (label != 0).then_some(label)
    }
}

/// 8 bytes for boards of at most 16 squares, 16 bytes for at most 25. Larger boards have none: 36 squares do not fit 16 bytes.
impl<W: PackedWord, const ROWS: usize, const COLS: usize> Packed for Tiles<W, ROWS, COLS> {
    type Key = W::Key;
    #[inline(always)]
    fn pack(&self, board: &Board<W>) -> W::Key {
        board.squares.key()
    }
    #[inline(always)]
    fn unpack(&self, key: W::Key, out: &mut Board<W>) {
        let squares = W::from_key(key);
        *out = Board { squares, blank: squares.blank(Self::SQUARES) };
    }
}
