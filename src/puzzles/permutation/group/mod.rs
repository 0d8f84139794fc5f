//! Puzzles whose states form a group: their tables, and their searches from both ends of a plan.

mod engine;
mod game;
mod ladder;
mod rotations;
mod rungs;
mod solvers;
mod tables;

pub(crate) use engine::GroupEngine;
pub(crate) use game::GroupGame;
pub(crate) use solvers::{NAMES as SOLVERS, NamedSolver, check};
pub(crate) use tables::GroupTables;
