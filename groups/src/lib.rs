//! Permutation groups: stabilizer chains, exact orders, membership, random elements, dense ranks
//! and symmetries of generators.
//!
//! Use this crate when a puzzle's moves are permutations and you need facts about the whole group.
//! Such facts are the number of states, whether a state can be reached, and a number for every
//! state.
//!
//! ```
//! use fewest_groups::{Permutation, Ranking, StabilizerChain};
//!
//! // A cycle of all 6 points and a swap of two neighbours generate all 720 orders.
//! let cycle = Permutation::from_cycles(6, &[&[0, 1, 2, 3, 4, 5]])?;
//! let swap = Permutation::from_cycles(6, &[&[0, 1]])?;
//! let chain = StabilizerChain::new(6, &[cycle, swap.clone()], &[])?;
//! assert_eq!(chain.order(), 720_u32.into());
//! assert!(chain.contains(&swap));
//! // Number where the first three points can go.
//! let ranking = Ranking::new(&chain, 3)?;
//! assert_eq!(ranking.size(), 6 * 5 * 4);
//! # Ok::<(), fewest_groups::GroupError>(())
//! ```
//!
//! Look first at
//! - [`Permutation`]: the images of up to 65,535 points;
//! - [`StabilizerChain`]: order, membership, elements by number, random elements;
//! - [`Ranking`]: a dense number for every tuple of images of base points.
//!
//! [`orbits()`] lists the orbits of points, and [`symmetries()`] finds the permutations of points
//! that map every generator to a generator. The feature `testing` adds toy groups.

mod adjacency;
mod blocks;
mod chain;
mod commuting;
mod cosets;
mod error;
mod fused;
mod orbits;
mod permutation;
mod product_replacement;
mod ranking;
mod stop;
mod stream;
mod symmetries;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use adjacency::{Adjacency, NeighbourChange, PlacePair};
pub use chain::{StabilizerChain, StabilizerLevel, check_generators};
pub use commuting::{CommutingGroup, FewestWords};
pub use cosets::CosetGraph;
pub use error::GroupError;
pub use fused::FusedRanking;
pub use num_bigint::BigUint;
pub use orbits::orbits;
pub use permutation::Permutation;
pub use ranking::Ranking;
pub use symmetries::{Symmetry, symmetries, symmetries_until};
