//! Searches on many machines: all ranks of a job search one instance together.
//!
//! | to | use |
//! |---|---|
//! | let ranks send bytes to each other | [`Comm`]: [`ThreadComm`], or `MpiComm` (feature `mpi`) |
//! | run one optimal search on all ranks | [`run`], with [`ClusterUnits`] |
//! | solve a state of a puzzle by name | [`solve`] |
//! | build tables of a puzzle, or count its states | [`in_team`], as [`fewest::Request::team`] |
//! | count the entries of an abstraction by distance | [`count_layers`] |
//!
//! The ranks agree on the units of a bound without a message ([`fewest::search::Units`]). Rank 0
//! hands out units on request, largest first, and keeps a journal.

mod comm;
mod layers;
#[cfg(feature = "mpi")]
mod mpi_comm;
mod ranges;
mod relay;
mod solve;
mod team;
mod threads;
mod units;

pub use comm::Comm;
pub use layers::{LayerOptions, LayersError, count_layers};
#[cfg(feature = "mpi")]
pub use mpi_comm::MpiComm;
pub use solve::{ClusterAnswer, ClusterRequest, SolveError, solve};
pub use team::{ClusterTeam, in_team, is_of_one_rank};
pub use threads::ThreadComm;
pub use units::{ClusterUnits, RankEnd, RankResult, RankSearch, RunOptions, run};
