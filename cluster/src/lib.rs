//! Searches on many machines: all ranks of a job search one instance together.
//!
//! | to | use |
//! |---|---|
//! | let ranks send bytes to each other | [`Comm`]: [`ThreadComm`], or `MpiComm` (feature `mpi`) |
//! | run one optimal search on all ranks | [`run`], with [`ClusterUnits`] |
//! | solve a state of a puzzle by name | [`solve`] |
//! | count all states of a puzzle by distance | [`count_layers`], of a [`Space`] |
//!
//! The ranks agree on the units of a bound without a message ([`fewest::search::Units`]). Rank 0
//! hands out units on request, largest first, and keeps a journal.

mod comm;
mod layers;
#[cfg(feature = "mpi")]
mod mpi_comm;
mod solve;
mod threads;
mod units;

pub use comm::Comm;
pub use layers::{LayerOptions, LayersError, Space, count_layers};
#[cfg(feature = "mpi")]
pub use mpi_comm::MpiComm;
pub use solve::{ClusterAnswer, Request, SolveError, solve};
pub use threads::ThreadComm;
pub use units::{ClusterUnits, Ran, RankEnd, RunOptions, Searched, run};
