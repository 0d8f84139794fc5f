//! Toy domains: an endless grid, boards with one hole, a row of beads, and a ring whose steps have
//! different costs.

use search::{Contexts, Cost, Domain, Group, Op, OpSet, Packed, Reversible};

/// The endless grid of Taylor and Korf. A state is a row and a column, and each operator moves one
/// step.
pub(super) struct Grid;

/// The steps up, down, left and right, as changes of row and column.
const STEPS: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

impl Domain for Grid {
    type State = (i32, i32);
    type Ops = u32;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, _: &(i32, i32)) -> u32 {
        u32::first(4)
    }
    fn apply_into(&self, from: &(i32, i32), op: Op, to: &mut (i32, i32)) {
        let (row, column) = STEPS[op.index()];
        *to = (from.0 + row, from.1 + column);
    }
    fn is_goal(&self, state: &(i32, i32)) -> bool {
        *state == (0, 0)
    }
}

impl Contexts for Grid {
    search::one_context! { |_: &Self| (0, 0) }
}

impl Packed for Grid {
    type Key = u64;
    fn pack(&self, &(row, column): &(i32, i32)) -> u64 {
        u64::from(row.cast_unsigned()) << 32 | u64::from(column.cast_unsigned())
    }
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    fn unpack(&self, key: u64, out: &mut (i32, i32)) {
        *out = (((key >> 32) as u32).cast_signed(), (key as u32).cast_signed());
    }
}

/// A board of at most 5 x 5 squares with a piece on each square except one, the hole. An operator
/// swaps the hole with a neighbour.
#[derive(Clone, Copy)]
pub(super) struct Board {
    rows: usize,
    columns: usize,
    steps: [(i32, i32); 4],
}

/// The piece on each square, 0 for the hole, and the square of the hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares {
    pieces: [u8; 25],
    hole: u8,
}

impl Board {
    /// A board of this size. Its operators move the hole up, left, right and down, in this order.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let [up, down, left, right] = STEPS;
        Self { rows, columns, steps: [up, left, right, down] }
    }
    /// A board of this size. Its operators move the hole up, down, left and right, in this order.
    pub(super) fn vertical_first(rows: usize, columns: usize) -> Self {
        Self { steps: STEPS, ..Self::new(rows, columns) }
    }
    fn target(&self, hole: u8, op: Op) -> Option<usize> {
        let (row, column) = (usize::from(hole) / self.columns, usize::from(hole) % self.columns);
        let (down, right) = self.steps[op.index()];
        let row = row.checked_add_signed(down as isize).filter(|&row| row < self.rows)?;
        let column =
            column.checked_add_signed(right as isize).filter(|&column| column < self.columns)?;
        Some(row * self.columns + column)
    }
}

impl Domain for Board {
    type State = Squares;
    type Ops = u32;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, state: &Squares) -> u32 {
        let ops = (0..4).map(Op).filter(|&op| self.target(state.hole, op).is_some());
        ops.fold(u32::NONE, OpSet::with)
    }
    fn apply_into(&self, from: &Squares, op: Op, to: &mut Squares) {
        let target = self.target(from.hole, op).unwrap();
        *to = *from;
        to.pieces.swap(target, usize::from(from.hole));
        to.hole = u8::try_from(target).unwrap();
    }
    fn is_goal(&self, state: &Squares) -> bool {
        *state == self.representative(0)
    }
}

impl Reversible for Board {
    fn inverse_op(&self, op: Op) -> Op {
        let (row, column) = self.steps[op.index()];
        Op::new(self.steps.iter().position(|&step| step == (-row, -column)).unwrap())
    }
}

impl Contexts for Board {
    fn contexts(&self) -> usize {
        self.rows * self.columns
    }
    fn context(&self, state: &Squares) -> usize {
        usize::from(state.hole)
    }
    fn representative(&self, context: usize) -> Squares {
        let hole = u8::try_from(context).unwrap();
        let mut pieces = std::array::from_fn(|square| u8::try_from(square).unwrap());
        pieces[0] = hole;
        pieces[context] = 0;
        Squares { pieces, hole }
    }
}

/// A key has five bits for each square.
impl Packed for Board {
    type Key = u128;
    fn pack(&self, state: &Squares) -> u128 {
        state.pieces.iter().rev().fold(0, |key, &piece| key << 5 | u128::from(piece))
    }
    #[expect(clippy::cast_possible_truncation, reason = "the low five bits are meant")]
    fn unpack(&self, key: u128, out: &mut Squares) {
        for square in 0..25 {
            out.pieces[square] = (key >> (5 * square)) as u8 & 31;
            if out.pieces[square] == 0 {
                out.hole = square as u8;
            }
        }
    }
}

/// Beads at six places. Operator `i` puts at each place `p` the bead from place `self.0[i][p]`. The
/// inverse of each operator is an operator, too.
pub(super) struct Beads(pub(super) Vec<[u8; 6]>);

impl Beads {
    /// A row of this many beads. Operator `i` swaps the beads at places `i` and `i + 1`, so distant
    /// swaps commute.
    pub(super) fn in_a_row(beads: usize) -> Self {
        let swap = |place: usize| {
            let mut swapped = [0, 1, 2, 3, 4, 5];
            swapped.swap(place, place + 1);
            swapped
        };
        Self((0..beads - 1).map(swap).collect())
    }
}

impl Domain for Beads {
    type State = [u8; 6];
    type Ops = u32;
    fn operators(&self) -> usize {
        self.0.len()
    }
    fn applicable(&self, _: &[u8; 6]) -> u32 {
        u32::first(self.operators())
    }
    fn apply_into(&self, from: &[u8; 6], op: Op, to: &mut [u8; 6]) {
        self.compose(from, &self.0[op.index()], to);
    }
    fn is_goal(&self, state: &[u8; 6]) -> bool {
        *state == self.identity()
    }
}

impl Reversible for Beads {
    fn inverse_op(&self, op: Op) -> Op {
        let mut inverse = self.identity();
        self.invert(&self.0[op.index()], &mut inverse);
        Op::new(self.0.iter().position(|turn| *turn == inverse).unwrap())
    }
}

impl Group for Beads {
    fn identity(&self) -> [u8; 6] {
        [0, 1, 2, 3, 4, 5]
    }
    fn compose(&self, a: &[u8; 6], b: &[u8; 6], out: &mut [u8; 6]) {
        *out = b.map(|place| a[usize::from(place)]);
    }
    fn invert(&self, a: &[u8; 6], out: &mut [u8; 6]) {
        for (place, &bead) in (0..).zip(a) {
            out[usize::from(bead)] = place;
        }
    }
}

impl Contexts for Beads {
    search::one_context! {}
}

impl Packed for Beads {
    type Key = u64;
    fn pack(&self, state: &[u8; 6]) -> u64 {
        state.iter().fold(0, |key, &bead| key << 8 | u64::from(bead))
    }
    fn unpack(&self, key: u64, out: &mut [u8; 6]) {
        out.copy_from_slice(&key.to_be_bytes()[2..]);
    }
}

/// A ring of places. Operator `i` with `steps[i] == (n, cost, b)` steps `n` places on at this cost.
/// If `b` is true, it does not apply at place 0.
pub(super) struct Ring {
    pub(super) places: u32,
    pub(super) steps: &'static [(u32, Cost, bool)],
}

impl Domain for Ring {
    type State = u32;
    type Ops = u32;
    fn operators(&self) -> usize {
        self.steps.len()
    }
    fn applicable(&self, state: &u32) -> u32 {
        let ops = (0..self.steps.len()).filter(|&op| *state != 0 || !self.steps[op].2);
        ops.fold(u32::NONE, |set, op| set.with(Op::new(op)))
    }
    fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
        *to = (from + self.steps[op.index()].0) % self.places;
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }
    fn cost(&self, op: Op) -> Cost {
        self.steps[op.index()].1
    }
}

impl Contexts for Ring {
    fn contexts(&self) -> usize {
        self.places as usize
    }
    fn context(&self, state: &u32) -> usize {
        *state as usize
    }
    fn representative(&self, context: usize) -> u32 {
        u32::try_from(context).unwrap()
    }
}

impl Packed for Ring {
    type Key = u32;
    search::state_is_key! {}
}
