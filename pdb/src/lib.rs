//! Pattern databases: ranking, parallel builders, packed tables, table files.
//!
//! An [`Abstraction`] says what is stored, [`build()`] fills a [`PackedTable`] with its exact
//! distances, an [`Indexer`] says where a state finds its entry, and [`PatternDatabase`] of the two
//! is a [`Heuristic`](search::Heuristic).

mod abstraction;
pub mod builder;
pub mod coset;
mod database;
mod descent;
pub mod file;
mod group_pattern;
pub mod layers;
pub mod memory;
pub mod rank;
pub mod table;
pub mod testing;

pub use abstraction::{Abstraction, ColumnMap, Edge, Indexer};
pub use builder::{BuildError, BuildObserver, BuildOptions, build};
pub use database::{Lazy, PatternDatabase};
pub use descent::{DescentPosition, DescentWalk, NotUnitCost};
pub use group_pattern::GroupPattern;
pub use table::{Histogram, Modulo3, PackedTable, StripeTable};
