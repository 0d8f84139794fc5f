//! The verbs of runs that outlive a process: `resume`, `merge`, `status` and `certify`.

use crate::options::{LimitOptions, PlotOptions, WorkOptions};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use fewest::proofs::Share;
use fewest_terminal::OutputOptions;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct Resume {
    /// The journal
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Search only share K of N of each long bound, as `solve --shard` does
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Share>,
    /// Write what proves the answer to this file, as `solve --certificate` does
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    #[command(flatten)]
    pub(crate) work: WorkOptions,
}

#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// The journals of all shares, in any order
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write the joined journal to this file, which must not exist. Each share of the next bound
    /// begins with a copy of it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: OutputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct Status {
    /// The journal. A search may be writing to it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) plot: PlotOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Args, Debug)]
pub(crate) struct Certify {
    /// The certificate
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Search so many units again, drawn at random
    #[arg(long, value_name = "N", default_value_t = 3000)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) units: usize,
    /// Search all units again
    #[arg(long, conflicts_with = "units")]
    pub(crate) all: bool,
    /// Draw other units
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Check nothing here: write a plain certificate, for fewest-check
    #[arg(long, value_name = "FILE", conflicts_with_all = ["units", "all", "seed"])]
    pub(crate) plain: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) work: WorkOptions,
}
