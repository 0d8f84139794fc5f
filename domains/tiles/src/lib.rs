//! Sliding tiles, 2 to 7 rows and columns and at most 40 squares, as a domain for the search engine
//! of `search`.
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
mod board;
mod heuristics;
mod macros;
mod patterns;
mod slides;

pub use all_boards::AllBoards;
pub use board::{
    AnyTiles, Board, BoardError, BoardWord, DOWN, Grid, LEFT, LineCodes, OPERATOR_NAMES,
    PackedWord, ParityError, PlanError, Puzzle3, Puzzle8, Puzzle11, Puzzle15, Puzzle19, Puzzle24,
    Puzzle35, RIGHT, ReferenceTiles, Tiles, UP, WideWord, instances, operator_name, parse_plan,
    plan_text,
};
pub use heuristics::{Conflicts, KorfTaylor, LinearConflict, ManhattanPlus, TilesManhattan};
pub use macros::TileOrder;
pub use patterns::{
    BlankRegion, DirectLookup, DirectSums, DirectTables, Partition, PartitionChooser,
    PartitionChooserError, PartitionError, PatternTable, Placements, RankedSums, RankedTables,
    TableLayout, TileIndex, TilePattern, TilePatternError, known_partition, known_sizes, patterns,
    strongest_partitions,
};
pub use slides::{
    ReferenceSlides, SlideIndex, SlideLines, SlidePlacements, SlideTables, Slides,
    direction_and_count, parse_slides, slide, slide_name,
};
