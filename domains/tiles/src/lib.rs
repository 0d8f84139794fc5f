//! Sliding tiles, from 2x2 to 6x6 squares, as a domain for the search engine of `search`.
//!
//! Use it to solve boards optimally or to build additive pattern databases for them. It is also a
//! model for a domain of your own whose moves each change one feature.
//!
//! ```
//! use fewest_tiles::{LinearConflict, Puzzle8, plan_text};
//! use search::{InversePruning, Options, ida_star};
//!
//! let puzzle = Puzzle8::new();
//! let start = puzzle.parse("1 2 5 3 4 0 6 7 8").unwrap();
//! let (h, pruning) = (LinearConflict::new(&puzzle), InversePruning);
//! let report = ida_star(&puzzle, &h, &pruning, &start, &Options::default());
//! assert_eq!(plan_text(report.plan().unwrap()), "up left left");
//! ```
//!
//! Look first at
//! - [`Tiles`]: the domain, with an alias for each common size and [`AnyTiles`] for the others;
//! - [`KorfTaylor`]: the strongest heuristic without a table, for a blank at home in a corner;
//! - [`PatternTable`] and [`RankedTables`]: a pattern's table, and several tables whose values are
//!   added to bounds.

mod all_boards;
mod arrangement;
mod choose_partitions;
mod corner_tiles;
mod domain;
mod facts;
mod grid;
pub mod instances;
mod korf_taylor;
mod last_moves;
mod linear_conflict;
mod lines;
mod macros;
mod manhattan;
mod notation;
mod partitions;
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 32 squares and 8 tiles of a pattern, and entries are those of tables in memory"
)]
mod pattern_proof;
#[expect(
    clippy::cast_possible_truncation,
    reason = "squares, labels and tiles are below 64, and entries are those of tables in memory"
)]
mod pattern_table;
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 32 squares, 8 tiles of a pattern and 2^32 rows"
)]
mod placements;
mod random;
mod reference;
#[expect(clippy::cast_possible_truncation, reason = "a board has at most 36 squares")]
mod shape;
mod symmetry;
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "squares and labels are below 64; entries fit memory, or count modulo 2^32"
)]
mod tables;
mod word;

pub use all_boards::AllBoards;
pub use arrangement::{BoardError, ParityError};
pub use choose_partitions::{Partition, PartitionChooser, PartitionChooserError};
pub use corner_tiles::CornerTiles;
pub use domain::{
    AnyTiles, Board, DOWN, LEFT, Puzzle3, Puzzle8, Puzzle11, Puzzle15, Puzzle19, Puzzle24,
    Puzzle35, RIGHT, Tiles, UP,
};
pub use grid::Grid;
pub use korf_taylor::KorfTaylor;
pub use last_moves::LastMoves;
pub use linear_conflict::{Conflicts, LinearConflict};
pub use macros::TileOrder;
pub use manhattan::TilesManhattan;
pub use notation::{OPERATOR_NAMES, PlanError, operator_name, parse_plan, plan_text};
pub use partitions::{
    PartitionError, known_partition, known_sizes, patterns, strongest_partitions,
};
pub use pattern_table::{BlankRegion, PatternTable, TableLayout};
pub use placements::{Placements, TilePattern, TilePatternError};
pub use reference::ReferenceTiles;
pub use tables::{DirectTables, RankedTables, RemotePatterns, TileIndex};
pub use word::{BoardWord, LineCodes, PackedWord, WideWord};
