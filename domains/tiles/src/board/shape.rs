//! Tables that depend on the size of a board alone.

use search::Op;

/// Rows and columns, and tables derived from them.
///
/// Every method takes the `ROWS` and `COLS` of the board's type. If these are 0, the method reads
/// the tables of this value. Else the compiler uses constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// For each square of the blank: the operators that apply, as bits.
    applicable: [u8; 64],
    /// For each operator: what it adds to the square of the blank, modulo 2^64.
    offsets: [usize; 4],
    /// For each square, numbered row by row: its number column by column.
    pub(crate) by_columns: [u8; 64],
}

impl Shape {
    pub(crate) const fn new(rows: usize, columns: usize) -> Self {
        let (mut applicable, mut by_columns) = ([0; 64], [0; 64]);
        let mut square = 0;
        while square < rows * columns {
            let (row, column) = (square / columns, square % columns);
            applicable[square] = (row > 0) as u8
                | ((column > 0) as u8) << 1
                | ((column + 1 < columns) as u8) << 2
                | ((row + 1 < rows) as u8) << 3;
            by_columns[square] = (column * rows + row) as u8;
            square += 1;
        }
        Self { rows, columns, applicable, offsets: offsets(columns), by_columns }
    }

    #[inline(always)]
    pub(crate) fn columns<const COLS: usize>(&self) -> usize {
        if COLS == 0 { self.columns } else { COLS }
    }

    /// The operators that apply when the blank is on square `blank`, as bits.
    #[inline(always)]
    pub(crate) fn applicable<const ROWS: usize, const COLS: usize>(&self, blank: usize) -> u32 {
        match COLS {
            0 => self.applicable[blank & 63].into(),
            _ => const { Self::new(ROWS, COLS) }.applicable[blank & 63].into(),
        }
    }

    /// The square that the blank moves to. Before the move it holds the tile that the operator
    /// moves.
    #[inline(always)]
    pub(crate) fn target<const COLS: usize>(&self, blank: usize, op: Op) -> usize {
        let offsets = if COLS == 0 { &self.offsets } else { const { &offsets(COLS) } };
        blank.wrapping_add(offsets[op.index() & 3])
    }

    /// The squares on which the blank is after one move in a direction, after two, and so on to the
    /// edge of the board.
    pub(crate) fn squares_ahead(&self, blank: usize, way: Op) -> impl Iterator<Item = usize> + '_ {
        let next = move |blank: &usize| {
            let applies = self.applicable::<0, 0>(*blank) >> (way.index() & 3) & 1 == 1;
            applies.then(|| self.target::<0>(*blank, way))
        };
        std::iter::successors(next(&blank), next)
    }
}

/// Where a tile is in the sequence of all tiles, row by row without the blank, after a vertical
/// move of the blank. `place` is its place before.
///
/// The tile that moves goes past all others between both squares of the blank. A horizontal move
/// changes no place.
pub(crate) fn place_after(place: usize, blank: usize, to: usize) -> usize {
    let (low, high) = (blank.min(to), blank.max(to) - 1);
    match place {
        place if place < low || place > high => place,
        place if to > blank && place == high => low,
        place if to > blank => place + 1,
        place if place == low => high,
        place => place - 1,
    }
}

/// For each operator: what it adds to the square of the blank, modulo 2^64.
const fn offsets(columns: usize) -> [usize; 4] {
    [0_usize.wrapping_sub(columns), usize::MAX, 1, columns]
}

#[cfg(test)]
mod tests {
    use crate::board::domain::{AnyTiles, Board, Puzzle8, Puzzle11, Puzzle24, Puzzle35, Tiles};
    use crate::board::word::{BoardWord, WideWord};
    use crate::{KorfTaylor, LinearConflict, ManhattanPlus, TilesManhattan};
    use search::random::Random;
    use search::{
        Domain, Heuristic, InversePruning, Limits, Options, Report, Reversible, ida_star,
    };

    /// Searches with a limit of about ten thousand nodes.
    fn search<D: Reversible, H: Heuristic<D>>(domain: &D, h: &H, start: &D::State) -> Report {
        let options = Options::from(Limits { nodes: Some(20_000), ..Limits::default() });
        ida_star(domain, h, &InversePruning, start, &options)
    }

    /// Checks that a search generates the same nodes and finds the same plan, whether the size is
    /// known at compile time or at run time.
    fn agree<W, const R: usize, const C: usize, A, B>(
        (own, a): (&Tiles<W, R, C>, &A),
        (any, b): (&AnyTiles<W>, &B),
        start: &Board<W>,
    ) where
        W: BoardWord,
        A: Heuristic<Tiles<W, R, C>>,
        B: Heuristic<AnyTiles<W>>,
    {
        let (a, b) = (search(own, a, start), search(any, b, start));
        assert_eq!(a.iterations, b.iterations);
        assert_eq!(a.plan(), b.plan());
    }

    fn check<W: BoardWord, const R: usize, const C: usize>(own: &Tiles<W, R, C>) {
        let any = AnyTiles::<W>::of_size(R, C).unwrap();
        let goal: Vec<String> = own.numbers(&own.goal()).iter().map(u8::to_string).collect();
        let any = any.with_goal_text(&goal.join(" ")).unwrap();
        assert_eq!(any.to_size::<R, C>().as_ref(), Some(own));
        let mut random = Random::new(1);
        for _ in 0..4 {
            let start = own.random(&mut random);
            assert_eq!(own.applicable(&start), any.applicable(&start));
            assert_eq!(own.reflected(&start), any.reflected(&start));
            let (a, b) = (TilesManhattan::new(own), TilesManhattan::new(&any));
            agree((own, &a), (&any, &b), &start);
            let (a, b) = (LinearConflict::new(own), LinearConflict::new(&any));
            agree((own, &a), (&any, &b), &start);
            let (a, b) = (ManhattanPlus::corner_tiles(own), ManhattanPlus::corner_tiles(&any));
            agree((own, &a), (&any, &b), &start);
            if let (Ok(a), Ok(b)) =
                (ManhattanPlus::last_two_moves(own), ManhattanPlus::last_two_moves(&any))
            {
                agree((own, &a), (&any, &b), &start);
            }
            if let (Ok(a), Ok(b)) = (KorfTaylor::new(own), KorfTaylor::new(&any)) {
                agree((own, &a), (&any, &b), &start);
            }
        }
    }

    #[test]
    fn boards_sized_at_run_time_search_the_same_nodes() {
        check(&Puzzle8::new());
        check(&Puzzle8::parse_goal("1 2 3 8 0 4 7 6 5").unwrap());
        check(&Puzzle11::new());
        check(&Tiles::<u64, 6, 2>::parse_goal("1 2 3 4 5 6 7 8 9 10 11 0").unwrap());
        check(&Tiles::<u128, 4, 6>::new());
        check(&Puzzle24::new());
        check(&Puzzle35::new());
        check(&Tiles::<u128, 3, 7>::new());
        check(&Tiles::<WideWord, 7, 5>::new());
    }

    #[test]
    fn a_puzzle_keeps_its_boards_in_another_word() {
        let wide = <AnyTiles>::of_size(3, 5).unwrap();
        let wide = wide.with_goal_text("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0").unwrap();
        let small = wide.to_word::<u64>().unwrap();
        let mut random = Random::new(2);
        for _ in 0..20 {
            let board = wide.random(&mut random);
            let packed = board.to_word().unwrap();
            assert_eq!(small.numbers(&packed), wide.numbers(&board));
            assert_eq!(small.applicable(&packed), wide.applicable(&board));
            assert_eq!(packed.to_word(), Some(board));
        }
        assert_eq!(small.to_word::<u128>().unwrap().to_word(), Some(wide));
    }

    #[test]
    fn a_word_without_room_takes_no_board() {
        let boards = |rows, columns| {
            let domain = <AnyTiles>::of_size(rows, columns).unwrap();
            let goal = domain.goal();
            let puzzle = (domain.to_word::<u64>().is_some(), domain.to_word::<u128>().is_some());
            let board = (goal.to_word::<u64>().is_some(), goal.to_word::<u128>().is_some());
            assert_eq!(puzzle, board);
            board
        };
        assert_eq!(boards(4, 4), (true, true));
        assert_eq!(boards(3, 6), (false, true));
        assert_eq!(boards(5, 5), (false, true));
        assert_eq!(boards(5, 6), (false, false));
    }

    #[test]
    fn a_size_fits_its_word() {
        let offers = |rows, columns| {
            [
                AnyTiles::<u64>::of_size(rows, columns).is_some(),
                AnyTiles::<u128>::of_size(rows, columns).is_some(),
                AnyTiles::<WideWord>::of_size(rows, columns).is_some(),
            ]
        };
        assert_eq!(offers(4, 4), [true, true, true]);
        assert_eq!(offers(3, 6), [false, true, true]);
        assert_eq!(offers(5, 6), [false, false, true]);
        assert_eq!(offers(1, 4), [false; 3]);
        assert_eq!(offers(2, 7), [true; 3]);
        assert_eq!(offers(5, 7), [false, false, true]);
        assert_eq!(offers(6, 7), [false; 3]);
        assert_eq!(offers(8, 2), [false; 3]);
        assert!(AnyTiles::<u64>::of_size(3, 3).unwrap().to_size::<3, 4>().is_none());
    }
}
