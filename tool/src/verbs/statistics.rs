//! The options of `fewest statistics` and of `fewest gods-algorithm`.

use crate::options::{HeuristicArgs, LimitOptions, PlotOptions, PuzzleArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct Statistics {
    #[command(flatten)]
    pub(crate) guided: HeuristicArgs,
    /// How many random states
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: u64,
    /// Draws the states: the same seed gives the same ones [default: a new one, which is printed]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// The states of a file, or of a set by its name, in place of random ones
    #[arg(long, value_name = "SET|FILE", conflicts_with_all = ["count", "seed"])]
    pub(crate) file: Option<String>,
    /// All states, by a breadth-first search
    #[arg(long, conflicts_with_all = ["count", "seed", "file", "journal"])]
    pub(crate) all_states: bool,
    /// Keep in this file what is counted so far, and go on from there if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    #[command(flatten)]
    pub(crate) plot: PlotOptions,
}

#[derive(Args, Debug)]
pub(crate) struct GodsAlgorithm {
    #[command(flatten)]
    pub(crate) args: PuzzleArgs,
    /// How many of the farthest states to list, in a form that solve takes
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) antipodes: usize,
    /// Count only states that have reached this goal, such as `cross` with --goal xcross:FR: how
    /// far one step is from the next. The goal must lie within it
    #[arg(long, value_name = "GOAL", conflicts_with_all = ["antipodes", "disk"])]
    pub(crate) from: Option<String>,
    /// Folder for the layers if two bits for each state exceed the memory: twice this table, and up
    /// to eight times for the steps between. A stopped count goes on from there. For sliding tiles,
    /// definitions, and goals of the cube [default: none, only memory is used]
    #[arg(long, value_name = "DIR")]
    pub(crate) disk: Option<PathBuf>,
    /// Write the distance of every state to this file, which must not exist: a byte for each, in
    /// memory too. `fewest-check FILE` checks it without this program
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) plot: PlotOptions,
}
