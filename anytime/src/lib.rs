//! Plans for puzzles that are too large to be solved optimally.
//!
//! Use this crate when a puzzle's moves are permutations and no proof is in reach: a plan is found
//! within a second, and shorter ones follow.
//!
//! ```
//! use fewest_anytime::{Effort, Generators, Pieces, Planner, WordChain};
//! use groups::Permutation;
//!
//! // Six points in a row: swaps of neighbours.
//! let swap = |i| Permutation::from_cycles(6, &[&[i, i + 1]]);
//! let swaps = (0..5).map(|i| Ok((swap(i)?, 1))).collect::<Result<_, groups::GroupError>>()?;
//! let generators = Generators::new(6, swaps, &|| false)?;
//! let chain = WordChain::new(generators, Pieces::of_points(6), Effort::default(), &|| false)?;
//! // Piece 0 lies at point 5, piece 1 at point 4, and so on.
//! let mut best = Vec::new();
//! Planner::new(&chain, 1 << 28).improve(&[5, 4, 3, 2, 1, 0], 1_000, &|| false, &mut |_, plan| {
//!     best = plan.to_vec();
//! });
//! assert_eq!(best.len(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beam;
mod bytes;
mod chain;
mod contents;
mod cycles;
mod frames;
mod gaps;
mod generators;
mod hash;
mod meet;
mod operators;
mod pairs;
mod pieces;
mod planner;
mod shapes;
mod shorten;
mod steps;
#[cfg(test)]
mod tests;
mod words;

pub use beam::{BeamOptions, ChainBeam, Found};
pub use bytes::NotWords;
pub use chain::{Effort, WordChain};
pub use cycles::orbit_plan;
pub use generators::{Generators, NotGenerators};
pub use operators::{BEAM, BeamSearch};
pub use pieces::{PieceHome, Pieces};
pub use planner::{Planner, Technique};
pub use shapes::{SHAPES, Shapes};
pub use shorten::{CommutingRuns, commuting_runs, near_plan, plan_among};
