//! Solvers of a board other than the optimal search.

use crate::puzzle::Result;
use crate::run::Run;
use crate::solvers::{Bidirectional, Macros, PerimeterSearch, Solver, Task};
use search::{Cost, Estimate};
use tiles::{AnyTiles, Board, BoardWord, PackedWord, TileOrder, TilesManhattan, WideWord};

/// The solver with this name. `None` if boards of this size do not have it.
pub(super) fn named(domain: &AnyTiles, name: &str) -> Option<Box<dyn Solver<AnyTiles>>> {
    // Searches that store boards are compiled for boards of up to 25 squares.
    match domain.to_word::<u64>() {
        Some(domain) => of_word(domain, name),
        None => of_word(domain.to_word::<u128>()?, name),
    }
}

fn of_word<W: PackedWord>(domain: AnyTiles<W>, name: &str) -> Option<Box<dyn Solver<AnyTiles>>>
where
    Board<W>: Send + Sync,
{
    let solver: Box<dyn Solver<AnyTiles<W>>> = match name {
        "bidirectional" => {
            let manhattan = TilesManhattan::new(&domain);
            Box::new(Bidirectional {
                goal: domain.goal(),
                name: "manhattan",
                front: manhattan,
                back: Box::new(from_start),
            })
        }
        "perimeter" => {
            let manhattan = TilesManhattan::new(&domain);
            Box::new(PerimeterSearch::new(domain.goal(), "manhattan", manhattan))
        }
        "macros" => {
            // The features are in the order of the numbers.
            let name = |_: &TileOrder, number| match number {
                0 => "blank".to_owned(),
                tile => format!("tile {tile}"),
            };
            Box::new(Macros::new(domain.goal(), TileOrder::new(&domain), name))
        }
        _ => return None,
    };
    Some(Box::new(OfWord { domain, solver }))
}

/// A solver for boards in a word of the type `W`.
struct OfWord<W: BoardWord> {
    domain: AnyTiles<W>,
    solver: Box<dyn Solver<AnyTiles<W>>>,
}

impl<W: BoardWord> Solver<AnyTiles> for OfWord<W>
where
    Board<W>: Send + Sync,
{
    fn solve(&self, task: &Task<'_, AnyTiles>, run: &mut Run<'_>) -> Result<()> {
        let wide: &Board<WideWord> = task.start;
        let start = &wide.to_word().expect("a word with room for the board");
        let settings = task.settings;
        self.solver.solve(&Task { domain: &self.domain, start, settings }, run)
    }
}

/// A bound on the moves from one board to another.
type FromBoard<W> = Estimate<Box<dyn Fn(&Board<W>) -> Cost + Send + Sync>>;

/// Manhattan distance from `start`: the sum over all tiles of the rows and columns between a tile's
/// square and its square in `start`.
///
/// Admissible and consistent, as the distance from the goal is.
fn from_start<W: BoardWord>(domain: &AnyTiles<W>, start: &Board<W>) -> FromBoard<W> {
    let (domain, squares) = (domain.clone(), domain.squares());
    let mut places = vec![0; squares];
    for square in 0..squares {
        places[start.label(square)] = square;
    }
    Estimate(Box::new(move |board| {
        let tiles = (0..squares).filter(|&square| board.label(square) != 0);
        tiles.map(|square| domain.distance(places[board.label(square)], square)).sum()
    }))
}
