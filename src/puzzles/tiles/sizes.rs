//! Every size of board: its name, its type, and how its search is compiled.

use super::TilesPuzzle;
use super::any::Any;
use super::choice::Sums;
use super::solve::{With, families};
use crate::prunings;
use crate::puzzle::{Failure, Job, Puzzle, Tell};
use crate::runs;
use crate::settings::{ConfigureError, PruningChoice, Settings};
use fsm::{ForbiddenStrings, Keep};
use search::{CancelToken, Domain};
use std::sync::Arc;
use tiles::{
    AnyTiles, BoardWord, DirectTables, PatternTable, Puzzle15, Puzzle19, Puzzle24, Tiles, WideWord,
};

/// The boards with a name of their own: rows and columns.
const NAMES: [(&str, usize, usize); 4] =
    [("8-puzzle", 3, 3), ("15-puzzle", 4, 4), ("19-puzzle", 4, 5), ("24-puzzle", 5, 5)];

/// The name of a board: its own, or by its size.
pub(super) fn own_name(rows: usize, columns: usize) -> String {
    let named = NAMES.iter().find(|(_, r, c)| (*r, *c) == (rows, columns));
    named.map_or_else(|| format!("{rows}x{columns}-tiles"), |(name, _, _)| (*name).to_owned())
}

/// What differs from board to board besides the size.
pub(crate) trait Size: Domain + Sized {
    /// A word for its boards.
    type Word: BoardWord;
    /// Whether [`Size::with_direct`] is for this board: the common ones.
    const DIRECT: bool;

    /// The strings that a pruning forbids.
    fn strings(
        &self,
        pruning: PruningChoice,
        depth: usize,
        keep: Keep,
        cancel: &CancelToken,
    ) -> Result<ForbiddenStrings, Failure>;

    /// See [`crate::Counting::count_states`].
    fn count_states(&self, depth: usize, job: &Job<'_>, tell: &mut Tell<'_>)
    -> Result<(), Failure>;

    /// Hands a heuristic on: in its own type on the common boards, else in one type for all.
    fn with<V: With<Self>>(&self, heuristic: Any<Self::Word>, work: V) -> V::Out;

    /// Makes sums of directly numbered tables and hands them on, for common boards only.
    fn with_direct<V: With<Self>>(
        &self,
        tables: &[Arc<PatternTable>],
        sums: &Sums,
        work: V,
    ) -> Result<V::Out, Failure>;
}

/// Boards that pack into a key.
macro_rules! packed {
    () => {
        fn strings(
            &self,
            pruning: PruningChoice,
            depth: usize,
            keep: Keep,
            cancel: &CancelToken,
        ) -> Result<ForbiddenStrings, Failure> {
            prunings::strings(self, pruning, depth, keep, cancel)
        }
        fn count_states(
            &self,
            depth: usize,
            job: &Job<'_>,
            tell: &mut Tell<'_>,
        ) -> Result<(), Failure> {
            runs::count_states(self, self.goal(), depth, job, tell)
        }
    };
}

/// Boards of more than 25 squares.
macro_rules! large {
    () => {
        /// The strings of the board of 5 by 5.
        ///
        /// Whether a string applies depends on its extents only. Where one string covers another
        /// at all walls of that board, its extents are within the other's. So it covers the other
        /// on every larger board.
        fn strings(
            &self,
            pruning: PruningChoice,
            depth: usize,
            keep: Keep,
            cancel: &CancelToken,
        ) -> Result<ForbiddenStrings, Failure> {
            prunings::strings(&Puzzle24::new(), pruning, depth, keep, cancel)
        }
        fn count_states(&self, _: usize, _: &Job<'_>, _: &mut Tell<'_>) -> Result<(), Failure> {
            Err(Failure::refused("states are counted on boards of at most 25 squares"))
        }
    };
}

macro_rules! common {
    ($($word:ty: $rows:literal $cols:literal,)*) => { $(
        impl Size for Tiles<$word, $rows, $cols> {
            type Word = $word;
            const DIRECT: bool = true;
            packed!();
            fn with<V: With<Self>>(&self, heuristic: Any<$word>, work: V) -> V::Out {
                match heuristic {
                    Any::Manhattan(heuristic) => work.with(&*heuristic),
                    Any::LinearConflict(heuristic) => work.with(&*heuristic),
                    Any::KorfTaylor(heuristic) => work.with(&*heuristic),
                    Any::Learned(heuristic) => work.with(&*heuristic),
                    Any::Tables(heuristic) => work.in_place(&*heuristic),
                    Any::ManyTables(heuristic) => work.in_place(&*heuristic),
                }
            }
            fn with_direct<V: With<Self>>(
                &self,
                tables: &[Arc<PatternTable>],
                sums: &Sums,
                work: V,
            ) -> Result<V::Out, Failure> {
                if sums.are_few() {
                    let members = DirectTables::<16>::new(self, tables, sums.reflected, sums.blank);
                    return Ok(work.in_place(&families::<_, _, 8, 32>(self, members, sums)?));
                }
                let members = DirectTables::<64>::new(self, tables, sums.reflected, sums.blank);
                Ok(work.in_place(&families::<_, _, 24, 64>(self, members, sums)?))
            }
        }
    )* };
}

/// Boards whose size is known at run time: one search for all of them and all heuristics.
macro_rules! others {
    ($own:ident; $($word:ty),*) => { $(
        impl Size for AnyTiles<$word> {
            type Word = $word;
            const DIRECT: bool = false;
            $own!();
            fn with<V: With<Self>>(&self, heuristic: Any<$word>, work: V) -> V::Out {
                work.with(&heuristic)
            }
            fn with_direct<V: With<Self>>(
                &self,
                _: &[Arc<PatternTable>],
                _: &Sums,
                _: V,
            ) -> Result<V::Out, Failure> {
                Err(Failure::limit("directly numbered tables are for the common boards"))
            }
        }
    )* };
}

common! { u64: 4 4, u128: 4 5, u128: 5 5, }
others! { packed; u64, u128 }
others! { large; WideWord }

/// The puzzle with this name, if it is one of sliding tiles.
pub(super) fn configure(
    name: &str,
    settings: &Settings,
) -> Option<Result<Box<dyn Puzzle>, ConfigureError>> {
    let named = NAMES.iter().find(|(own, _, _)| *own == name).map(|&(_, rows, cols)| (rows, cols));
    let (rows, columns) = named.or_else(|| {
        let (rows, columns) = name.strip_suffix("-tiles")?.split_once('x')?;
        Some((rows.parse().ok()?, columns.parse().ok()?))
    })?;
    Some(of_size(name, (rows, columns), settings))
}

/// The puzzle of a size: in a type of its own, or in the smallest word that holds the board.
fn of_size(
    name: &str,
    (rows, columns): (usize, usize),
    settings: &Settings,
) -> Result<Box<dyn Puzzle>, ConfigureError> {
    macro_rules! puzzle {
        ($board:expr) => {
            Box::new(TilesPuzzle::configure(name, $board, settings)?)
        };
    }
    Ok(match (rows, columns) {
        (4, 4) => puzzle!(Puzzle15::new()),
        (4, 5) => puzzle!(Puzzle19::new()),
        (5, 5) => puzzle!(Puzzle24::new()),
        _ => {
            if let Some(board) = AnyTiles::<u64>::of_size(rows, columns) {
                puzzle!(board)
            } else if let Some(board) = AnyTiles::<u128>::of_size(rows, columns) {
                puzzle!(board)
            } else if let Some(board) = AnyTiles::<WideWord>::of_size(rows, columns) {
                puzzle!(board)
            } else {
                return Err(ConfigureError::invalid(format!(
                    "{rows}x{columns}-tiles: boards have 2 to 6 rows and 2 to 6 columns"
                )));
            }
        }
    })
}
