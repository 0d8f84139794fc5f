//! Pattern databases: ranking, parallel builders, packed tables, table files.
//!
//! An [`Abstraction`] says what is stored, [`build()`] fills a [`Nibbles`] table with its exact distances, an [`Indexer`] says where a
//! state finds its entry, and [`PatternDatabase`] of the two is a [`Heuristic`](search::Heuristic).

mod abstraction;
pub mod builder;
pub mod coset;
mod database;
pub mod file;
mod group_pattern;
pub mod layers;
pub mod memory;
mod modulo;
mod nibbles;
pub mod rank;
mod rungs;
pub mod testing;

pub use abstraction::{Abstraction, ColumnMap, Edge, Indexer};
pub use builder::{BuildError, BuildObserver, BuildOptions, build, build_octets};
pub use database::{Lazy, PatternDatabase};
pub use group_pattern::GroupPattern;
pub use modulo::{DescentPosition, DescentWalk, Modulo3};
pub use nibbles::{Histogram, Nibbles, UNREACHED};
pub use rungs::{Rung, soonest};
