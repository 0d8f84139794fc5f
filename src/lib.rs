//! Fewest moves, found and proven: a heuristic-search engine and the puzzles that prove it.
//!
//! This crate is the facade: [`configure`] turns the name of a puzzle and a memory budget into something that solves, and the
//! crates below are re-exported for those who want one dependency. The command-line tool, the examples and
//! later bindings all go through it.
//!
//! ```
//! use fewest::{Job, Settings, configure};
//!
//! let settings = Settings { heuristic: "manhattan".to_owned(), ..Settings::default() };
//! let cube = configure("3x3x3", &settings)?;
//! let answer = cube.solve("R U F' L2", &Job::default())?;
//! assert_eq!(answer.plans[0], ["L2", "F", "U'", "R'"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod configure;
mod ladder;
mod prunings;
mod puzzle;
mod puzzles;
mod runs;
mod tables;
mod timing;

pub use closures;
pub use configure::{ConfigureError, Loading, PUZZLES, Pruning, Settings, configure};
pub use cube;
pub use distances;
pub use fsm;
pub use pdb;
pub use permutation;
pub use puzzle::{
    Aim, Answer, Chosen, Ending, Explained, Failure, FileState, Job, LearnedSummary, Near,
    Prediction, Puzzle, Quiet, Refused, Replayed, StateFile, TableHistogram, TablePrediction,
    Wanted, Watch,
};
pub use search;
pub use tiles;

/// The code of a page of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../docs/FROM_PATHFINDING.md")]
struct FromPathfinding;
