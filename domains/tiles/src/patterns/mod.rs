//! Pattern databases: sets of tiles, their tables, and the bounds that a search reads there.

/// Calls a method with the number of tiles of a pattern as a constant. A pattern has at most eight.
macro_rules! by_tiles {
    ($tiles:expr, $own:ident.$method:ident($($argument:expr),*)) => {
        match $tiles {
            1 => $own.$method::<1>($($argument),*),
            2 => $own.$method::<2>($($argument),*),
            3 => $own.$method::<3>($($argument),*),
            4 => $own.$method::<4>($($argument),*),
            5 => $own.$method::<5>($($argument),*),
            6 => $own.$method::<6>($($argument),*),
            7 => $own.$method::<7>($($argument),*),
            _ => $own.$method::<8>($($argument),*),
        }
    };
}
pub(crate) use by_tiles;

mod choose_partitions;
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "squares and labels are below 64; entries fit memory, or count modulo 2^32"
)]
mod lookups;
mod partitions;
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 32 squares, 8 tiles of a pattern and 2^32 rows"
)]
mod placements;
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 32 squares and 8 tiles of a pattern, and entries are those of tables in memory"
)]
mod proof;
#[expect(
    clippy::cast_possible_truncation,
    reason = "squares, labels and tiles are below 64, and entries are those of tables in memory"
)]
mod table;

pub use choose_partitions::{Partition, PartitionChooser, PartitionChooserError};
pub use lookups::{DirectLookup, DirectSums, DirectTables, RankedSums, RankedTables, TileIndex};
pub use partitions::{
    PartitionError, known_partition, known_sizes, patterns, strongest_partitions,
};
pub use placements::{Placements, TilePattern, TilePatternError};
pub use table::{BlankRegion, PatternTable, TableLayout};
