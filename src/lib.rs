//! Fewest moves, found and proven: a heuristic-search engine and the puzzles that prove it.
//!
//! This crate is the facade. [`configure`] turns the name of a puzzle and [`Settings`] into a
//! [`Puzzle`], which reads states, solves them and checks plans. The facade re-exports the crates
//! below it, so it can be the only dependency.
//!
//! ```
//! use fewest::{Request, Settings, configure};
//!
//! let cube = configure("3x3x3", &Settings::default().heuristic("manhattan"))?;
//! let answer = cube.solve("R U F' L2", &Request::default())?;
//! assert_eq!(answer.plans[0], ["L2", "F", "U'", "R'"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod automata;
mod cache;
mod certify;
mod chart;
mod counts;
mod csv;
mod instances;
mod ladder;
mod memory;
mod plain;
mod puzzle;
mod puzzles;
mod report;
mod run;
mod run_journal;
mod setters;
mod settings;
mod solvers;
mod statistics;
mod steps;
mod tables;
mod timing;
mod words;

pub use anytime;
pub use certify::{CertificateReport, ProvedTable, certify};
pub use chart::Chart;
pub use closures;
pub use csv::csv_row;
pub use cube;
pub use distances;
pub use fsm;
pub use groups;
pub use instances::{Instance, InstanceReader, InstanceSet, goal_text, state_text};
pub use pdb;
pub use permutation;
pub use plain::{PlainCertificate, plain_certificate};
pub use proofs;
pub use puzzle::{
    Aim, Answer, Backlog, Choosing, ConvertedStates, Counting, Defined, DefinitionSummary, Ending,
    Event, Events, Exhaustive, Failure, FileState, GroupSummary, Inserted, Insertion, InvalidInput,
    Keeper, LearnedSummary, Learning, MoveScrambles, MoveSummary, NameSummary, NamedGoal, Near,
    OrbitSummary, PLANNERS, PartitionChoice, PartitionOptions, PassGain, Place, PlanTeller,
    Predicting, Prediction, Puzzle, PuzzleInfo, Quiet, Replay, Request, RuleSummary, Scrambler,
    Shortened, SlotCycles, StageLength, StateFile, StateFiles, StateInfo, TableCandidate,
    TableHistogram, TablePrediction, TableStep, TableTeam, Tables, Tell, TextForm, TooLittleMemory,
    Watch,
};
pub use puzzles::{
    NamedPuzzle, PUZZLES, PuzzleKind, configure, definition, instance_sets, is_named_right,
    named_puzzles,
};
pub use report::{
    answer_object, answer_text, effort_text, grouped, grouped_digits, moves, moves_at_cost,
    puzzle_object,
};
pub use run_journal::{RunJournal, named_as, run_command, run_identity};
pub use search;
pub use settings::{
    ConfigureError, GoalChoice, HeuristicChoice, Loading, MetricChoice, PruningChoice, Settings,
    SolverChoice,
};
pub use statistics::{Spread, Statistics, statistics};
pub use steps::{STATES_PER_PLAN, Sides, StepChain, StepOptions, StepPlan, Steps, StepsAnswer};
pub use tiles;

/// Runs the code blocks of the page for users of the crate `pathfinding` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/FROM_PATHFINDING.md")]
struct FromPathfinding;

/// Runs the code blocks of the book's page about the library as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/book/library.md")]
struct LibraryPage;
