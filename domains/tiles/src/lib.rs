//! Sliding tiles as a domain of the fewest search engine.
//!
//! ```
//! use search::{InversePruning, Options, ida_star};
//! use fewest_tiles::{TilesManhattan, Puzzle8, plan_text};
//!
//! let domain = Puzzle8::new();
//! let start = domain.parse("1 2 5 3 4 0 6 7 8").unwrap();
//! let pruning = InversePruning;
//! let report = ida_star(&domain, &TilesManhattan::new(&domain), &pruning, &start, &Options::default());
//! assert_eq!(plan_text(report.plan().unwrap()), "up left left");
//! ```

mod arrangement;
mod choose;
mod corner_tiles;
mod domain;
mod facts;
mod korf_taylor;
mod last_moves;
mod linear_conflict;
mod lines;
mod manhattan;
mod notation;
mod partitions;
#[expect(
    clippy::cast_possible_truncation,
    reason = "squares, labels and tiles are below 64, and entries are those of tables in memory"
)]
mod pattern_table;
#[expect(
    clippy::cast_possible_truncation,
    reason = "a board with placements has at most 32 squares, a pattern at most 8 tiles, a table fewer than 2^32 rows"
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
    reason = "squares, labels and tiles are below 64, and entries are those of tables in memory, or below 2^32 modulo which they are counted"
)]
mod tables;
mod word;

pub use arrangement::{BoardError, ParityError};
pub use choose::{Partition, PartitionChooser, PartitionChooserError};
pub use corner_tiles::CornerTiles;
pub use domain::{
    AnyTiles, Board, DOWN, LEFT, Puzzle3, Puzzle5, Puzzle8, Puzzle11, Puzzle15, Puzzle19, Puzzle24,
    Puzzle35, RIGHT, Tiles, UP,
};
pub use korf_taylor::KorfTaylor;
pub use last_moves::{BlankNotInCorner, LastMoves, TileFacts};
pub use linear_conflict::{Conflicts, LinearConflict};
pub use manhattan::TilesManhattan;
pub use notation::{OPERATOR_NAMES, PlanError, operator_name, parse_plan, plan_text};
pub use partitions::{
    PartitionError, known_partition, known_sizes, patterns, strongest_partitions,
};
pub use pattern_table::{PatternTable, TableLayout};
pub use placements::{Placements, TilePattern, TilePatternError};
pub use reference::ReferenceTiles;
pub use tables::{BlankRegion, DirectTables, RankedTables, WorkingBoard};
pub use word::{BoardWord, LineCodes, PackedWord, WideWord};
