//! Pattern databases: exact distances of an abstraction, in a packed table that a search reads as a
//! lower bound.
//!
//! Use this crate when a state space is too large for a table, but an abstraction of it is not.
//! Define what is stored ([`Abstraction`]) and where a state finds its entry ([`Indexer`]). The
//! builder fills the table on all cores, and the table is saved in a file.
//!
//! ```
//! use fewest_pdb::testing::{DiscPattern, Ring};
//! use fewest_pdb::{BuildOptions, PatternDatabase, build};
//! use fewest_pdb::search::Heuristic;
//!
//! // The toy domain has 8 discs. The abstraction tracks three of them.
//! let ring = Ring::new(8, 2, 5);
//! let pattern = DiscPattern::new(ring, 3);
//! let table = build::<4>(&pattern, &BuildOptions::default())?;
//! assert_eq!(table.histogram().max(), 5);
//! let database = PatternDatabase::new(pattern, table);
//! assert_eq!(database.estimate(&ring, &ring.sorted()), 0);
//! # Ok::<(), fewest_pdb::BuildError>(())
//! ```
//!
//! Look first at
//! - [`Abstraction`]: the graph whose distances are stored, as rows and columns;
//! - [`PackedTable`]: the distances, in 2, 4 or 8 bits an entry;
//! - [`PatternDatabase`]: indexer and table as a [`Heuristic`](search::Heuristic);
//! - [`Remote`]: such a heuristic whose entries other processes read.
//!
//! For tables of up to some million entries there is a shorter way. [`Projection`] needs only a
//! function that forgets a part of a state.
//!
//! Further modules:
//! - [`coset`]: coset tables, which a search reads from several views;
//! - [`layers`]: how many states are at each distance;
//! - [`rank`]: bijections between arrangements of pieces and `0 .. n`;
//! - [`mod@file`]: checked table files and checkpoints;
//! - `GroupPattern`: abstractions of permutation groups;
//! - `SubgroupChain`: a chain of subgroups, solved stage by stage;
//! - `PointDecomposition`: subgoals that fix more and more points.
//!
//! | feature | what it adds |
//! |---|---|
//! | `rayon` (default) | builds on all threads of the current rayon pool |
//! | `groups` | `GroupPattern` and what builds on it, with the crate `fewest-groups` |
//! | `serde` | [`Histogram`] can be stored |
//! | `testing` | `testing`: the laws of abstractions, a slow builder, a toy domain |

mod abstraction;
pub mod builder;
pub mod coset;
mod database;
mod descent;
pub mod file;
#[cfg(feature = "groups")]
mod group_tables;
pub mod layers;
pub mod memory;
mod projection;
mod prove;
pub mod rank;
mod remote;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use abstraction::{Abstraction, ColumnMap, Edge, Indexer};
pub use builder::{BuildError, BuildObserver, BuildOptions, Team, TeamDistances, build};
pub use database::PatternDatabase;
pub use descent::{DescentPosition, DescentWalk, NotUnitCost};
#[cfg(feature = "groups")]
pub use group_tables::{
    GroupPattern, PointDecomposition, PointSubgoal, SubgroupActions, SubgroupChain, SubgroupError,
    SubgroupPattern, SubgroupStage, point_permutation, point_subgoals,
};
pub use projection::{ProjectedDatabase, Projection, ProjectionFile};
pub use prove::{Unproved, prove_layers, prove_values};
pub use remote::{
    EntryReader, EntryTable, Lookups, Remote, RemoteCarry, Source, TableEntry, TableMembers,
};
pub use search;
pub use table::{Histogram, Modulo3, PackedTable, StripeTable};
