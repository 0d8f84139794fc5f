//! All boards of a puzzle as an abstraction, for counts of every board: [`AllBoards`].

use crate::board::{AnyTiles, Board, LEFT, RIGHT, WideWord, place_after};
use crate::slides::Slides;
use pdb::rank::Arrangements;
use pdb::{Abstraction, ColumnMap, Edge};
use search::Op;

/// Most tiles whose order is the column. Their column maps fit in the second cache level.
const MOST_ORDERED: u32 = 6;
/// Most squares of a board: its tiles are ranked in nibbles.
const MOST_SQUARES: usize = 16;

/// The abstraction whose entries are the boards that reach the goal, each once.
///
/// Read the tiles row by row, without the blank. A horizontal move leaves this sequence as it is,
/// and a vertical move cycles a few neighbouring labels. The *row* of a board is the square of the
/// blank, and the places of all labels but the last 6. The *column* is the order of these 6 on the
/// remaining places. So a move permutes all columns of a row alike.
///
/// The parity of the sequence follows from the row of squares in which the blank is. So the order
/// of the last two tiles follows from the others, and is left out of the column's number.
///
/// Time of a row's edges: one unranking, and one ranking for each edge. Memory: 1 MB for
/// the column maps.
#[derive(Clone, Debug)]
pub struct AllBoards {
    puzzle: AnyTiles,
    /// The most tiles that one edge moves.
    longest: usize,
    /// The labels in the order of their numbers, without the blank's.
    labels: Vec<usize>,
    /// The places of the first labels.
    first: Arrangements,
    /// The orders of the last labels.
    last: Arrangements,
    /// The orders without their last two tiles, which are the numbers of columns.
    column: Arrangements,
    /// Whether the sequence of the goal is odd.
    odd_goal: bool,
    /// For each order by which places change, and each parity of the order before: the column map.
    maps: Vec<u16>,
}

impl AllBoards {
    /// The boards that reach the goal of `puzzle`. `None` if it has more than 16 squares.
    pub fn new(puzzle: &AnyTiles) -> Option<Self> {
        let squares = puzzle.squares();
        if squares > MOST_SQUARES {
            return None;
        }
        let tiles = u32::try_from(squares - 1).expect("at most 16 squares");
        let ordered = tiles.min(MOST_ORDERED);
        let blank_label = 0;
        let labels = (0..squares).map(|square| puzzle.goal().label(square));
        let mut labels: Vec<usize> = labels.filter(|&label| label != blank_label).collect();
        labels.sort_unstable();
        let mut boards = Self {
            puzzle: puzzle.clone(),
            longest: 1,
            labels,
            first: Arrangements::new(tiles, tiles - ordered),
            last: Arrangements::permutations(ordered),
            column: Arrangements::new(ordered, ordered - 2),
            odd_goal: false,
            maps: Vec::new(),
        };
        let (row, order) = boards.split(&puzzle.goal());
        boards.odd_goal = is_odd(row.places, boards.first_tiles(), tiles) ^ boards.odd_order(order);
        boards.maps = boards.column_maps();
        Some(boards)
    }

    /// As [`AllBoards::new`], but an edge is a slide of one or more tiles in a row or column.
    pub fn of_slides(puzzle: &Slides) -> Option<Self> {
        Some(Self { longest: usize::MAX, ..Self::new(puzzle.tiles())? })
    }

    /// The number of boards that reach the goal of `puzzle`. `None` if it has more than 16 squares.
    pub fn entries_of(puzzle: &AnyTiles) -> Option<u64> {
        let squares = puzzle.squares();
        (squares <= MOST_SQUARES).then(|| (3..=squares as u64).product())
    }

    /// The entry of a board. `None` if the board does not reach the goal.
    pub fn rank(&self, board: &Board<WideWord>) -> Option<u64> {
        let (row, order) = self.split(board);
        let column = self.column.rank(order);
        (self.odd_order(order) == self.is_odd_row(row))
            .then(|| self.number(row) * self.columns() as u64 + column)
    }

    /// The board of an entry: the inverse of [`AllBoards::rank`].
    ///
    /// # Panics
    /// If the entry does not exist.
    pub fn board(&self, entry: u64) -> Board<WideWord> {
        let columns = self.columns() as u64;
        let row = self.row(entry / columns);
        let order = self.order(entry % columns, self.is_odd_row(row));
        let free = self.free(row.places);
        let squares = self.puzzle.squares();
        let mut numbers = vec![0; squares];
        for (tile, &label) in self.labels.iter().enumerate() {
            let place = match tile.checked_sub(self.first_tiles() as usize) {
                None => nibble(row.places, tile),
                Some(last) => nibble(free, nibble(order, last)),
            };
            let square = place + usize::from(place >= row.blank);
            numbers[square] = self.puzzle.number_of(label).expect("a label");
        }
        self.puzzle.board(&numbers).expect("a permutation that reaches the goal")
    }

    /// Number of labels whose places are in the row.
    fn first_tiles(&self) -> u32 {
        self.tiles() - self.ordered()
    }

    fn tiles(&self) -> u32 {
        u32::try_from(self.labels.len()).expect("at most 15 tiles")
    }

    fn ordered(&self) -> u32 {
        self.tiles().min(MOST_ORDERED)
    }

    /// The row of a board, and the order of the last labels: for each, the number of its place
    /// among the remaining ones.
    fn split(&self, board: &Board<WideWord>) -> (Row, u64) {
        let (blank, first) = (board.blank(), self.first_tiles() as usize);
        let mut place_of = [0_usize; MOST_SQUARES + 1];
        let squares = (0..self.puzzle.squares()).filter(|&square| square != blank);
        for (place, square) in squares.enumerate() {
            let label = board.label(square);
            let tile = self.labels.binary_search(&label).expect("a label of this puzzle");
            place_of[tile] = place;
        }
        let places = packed((0..first).map(|tile| place_of[tile]));
        let free = self.free(places);
        let rank_of = |place: usize| {
            (0..self.ordered() as usize).find(|&at| nibble(free, at) == place).expect("it is left")
        };
        let order = packed((first..self.labels.len()).map(|tile| rank_of(place_of[tile])));
        (Row { blank, places }, order)
    }

    /// The places that the first labels leave, ascending.
    fn free(&self, places: u64) -> u64 {
        let first = self.first_tiles() as usize;
        let used = (0..first).fold(0_u32, |used, tile| used | 1 << nibble(places, tile));
        packed((0..self.labels.len()).filter(|place| used >> place & 1 == 0))
    }

    /// The number of a row.
    fn number(&self, Row { blank, places }: Row) -> u64 {
        blank as u64 * self.first.size() + self.first.rank(places)
    }

    fn row(&self, number: u64) -> Row {
        let blank = usize::try_from(number / self.first.size()).expect("a square");
        Row { blank, places: self.first.unrank(number % self.first.size()) }
    }

    /// Whether the orders of a row are odd.
    fn is_odd_row(&self, Row { blank, places }: Row) -> bool {
        let (rows, home) = (blank / self.puzzle.columns(), self.puzzle.blank_home());
        let vertical = rows.abs_diff(home / self.puzzle.columns());
        // A vertical move takes a tile past all others of a row of squares.
        let moved = vertical * (self.puzzle.columns() - 1) % 2 == 1;
        self.odd_goal ^ moved ^ is_odd(places, self.first_tiles(), self.tiles())
    }

    fn odd_order(&self, order: u64) -> bool {
        is_odd(order, self.ordered(), self.ordered())
    }

    /// The order in a column of a row with odd or even orders.
    fn order(&self, column: u64, odd: bool) -> u64 {
        let ordered = self.ordered() as usize;
        let begin = self.column.unrank(column);
        let used = (0..ordered - 2).fold(0_u32, |used, at| used | 1 << nibble(begin, at));
        let mut rest = (0..ordered).filter(|place| used >> place & 1 == 0);
        let (low, high) = (rest.next().unwrap_or(0) as u64, rest.next().unwrap_or(0) as u64);
        let at = 4 * (ordered - 2);
        let order = begin | low << at | high << (at + 4);
        if self.odd_order(order) == odd { order } else { begin | high << at | low << (at + 4) }
    }

    /// The column maps: by the rank of the order that is applied, then by the parity of the orders
    /// of the row.
    fn column_maps(&self) -> Vec<u16> {
        let mut maps = Vec::new();
        for change in (0..self.last.size()).map(|rank| self.last.unrank(rank)) {
            for odd in [false, true] {
                for column in 0..self.column.size() {
                    let order = self.order(column, odd);
                    let places = (0..self.ordered() as usize).map(|tile| nibble(order, tile));
                    let moved = packed(places.map(|place| nibble(change, place)));
                    maps.push(u16::try_from(self.column.rank(moved)).expect("few columns"));
                }
            }
        }
        maps
    }

    /// The row to which a vertical move leads, and the order by which it changes the last labels.
    fn shifted(&self, row: Row, to: usize) -> (Row, u64) {
        let shift = |place: usize| place_after(place, row.blank, to);
        let first = self.first_tiles() as usize;
        let places = packed((0..first).map(|tile| shift(nibble(row.places, tile))));
        let (before, after) = (self.free(row.places), self.free(places));
        let ordered = self.ordered() as usize;
        let change = packed((0..ordered).map(|at| {
            let place = shift(nibble(before, at));
            (0..ordered).find(|&at| nibble(after, at) == place).expect("it is left")
        }));
        (Row { blank: to, places }, change)
    }
}

/// The square of the blank, and the places of the first labels, one a nibble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    blank: usize,
    places: u64,
}

fn nibble(nibbles: u64, at: usize) -> usize {
    usize::try_from(nibbles >> (4 * at) & 15).expect("a nibble")
}

fn packed(numbers: impl Iterator<Item = usize>) -> u64 {
    numbers.enumerate().fold(0, |packed, (at, number)| packed | (number as u64) << (4 * at))
}

/// Whether the permutation is odd that begins with `k` numbers below `n`, and goes on with the
/// others, ascending.
fn is_odd(nibbles: u64, k: u32, n: u32) -> bool {
    let (mut used, mut inversions) = (0_u32, 0);
    for number in (0..k as usize).map(|at| nibble(nibbles, at)) {
        debug_assert!(number < n as usize, "a number below {n}");
        // The numbers below it that come later.
        inversions += number - (used & ((1 << number) - 1)).count_ones() as usize;
        used |= 1 << number;
    }
    inversions % 2 == 1
}

impl Abstraction for AllBoards {
    fn shape(&self) -> (u64, usize) {
        let rows = self.puzzle.squares() as u64 * self.first.size();
        (rows, usize::try_from(self.column.size()).expect("at most 360 columns"))
    }

    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(self.rank(&self.puzzle.goal()));
    }

    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let row = self.row(row);
        let odd = u32::from(self.is_odd_row(row));
        let ordered = self.ordered() as usize;
        for way in (0..4).map(Op) {
            let ahead = self.puzzle.shape().squares_ahead(row.blank, way).take(self.longest);
            // The order by which the moves so far change the last labels. The first changes none.
            let (mut at, mut changed) = (row, self.last.unrank(0));
            for to in ahead {
                at = match way {
                    LEFT | RIGHT => Row { blank: to, ..at },
                    _ => {
                        let (to, change) = self.shifted(at, to);
                        changed = packed((0..ordered).map(|o| nibble(change, nibble(changed, o))));
                        to
                    }
                };
                let change = u32::try_from(self.last.rank(changed)).expect("at most 720 orders");
                out.push(Edge { row: self.number(at), map: 2 * change + odd, cost: 1 });
            }
        }
    }

    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        let columns = self.columns();
        ColumnMap::by(&self.maps[map as usize * columns..][..columns])
    }

    fn inverse_map(&self, map: u32) -> Option<u32> {
        let change = self.last.unrank((map / 2).into());
        let ordered = self.ordered() as usize;
        let back =
            packed((0..ordered).map(|place| {
                (0..ordered).find(|&at| nibble(change, at) == place).unwrap_or(place)
            }));
        let odd = (map % 2) ^ u32::from(self.odd_order(change));
        Some(2 * u32::try_from(self.last.rank(back)).ok()? + odd)
    }

    fn undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
