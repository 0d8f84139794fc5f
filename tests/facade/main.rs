//! What the crates do together: the library `fewest` and its tool, in one binary.

mod boards;
mod cli;
mod cubes;
mod definitions;
mod explain;
#[cfg(unix)]
mod interrupt;
mod laws;
mod symmetric_starts;
