//! The options of `fewest statistics`.

use crate::options::{HeuristicArgs, LimitOptions, PlotOptions};
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
