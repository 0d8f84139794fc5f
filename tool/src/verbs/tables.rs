//! The verb `tables` and those below it.

use crate::options::{HeuristicArgs, PuzzleArgs};
use clap::{ArgGroup, Args, Subcommand};
use fewest_terminal::{FolderOptions, OutputOptions};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub(crate) struct Tables {
    #[command(subcommand)]
    pub(crate) verb: TablesVerb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TablesVerb {
    /// Build the tables of a heuristic that are missing
    Build(BuildTables),
    /// List the table files
    List(ListTables),
    /// Check every byte of the table files
    Verify(ListTables),
    /// Remove table files: those of PUZZLE, or all of them
    Remove(RemoveTables),
    /// Search for good partitions of a board of sliding tiles, by predicted nodes
    Choose(ChooseTables),
    /// List the tables that the heuristic can use; a * marks the ones it would read
    Explain(HeuristicArgs),
}

#[derive(Args, Debug)]
pub(crate) struct BuildTables {
    /// Folder for the layers of tables that exceed the memory: twice the distances of all entries
    /// (4 or 8 bits each), and up to eight times for the steps between. A stopped build goes on
    /// from there [default: none, only memory is used]
    #[arg(long, value_name = "DIR")]
    pub(crate) disk: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) guided: HeuristicArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ListTables {
    /// Only the tables of this puzzle
    pub(crate) puzzle: Option<String>,
    #[command(flatten)]
    pub(crate) folder: FolderOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// Write nothing but results and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("which").required(true).args(["puzzle", "all"]))]
pub(crate) struct RemoveTables {
    /// The tables of all puzzles
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) which: ListTables,
}

#[derive(Args, Debug)]
pub(crate) struct ChooseTables {
    #[command(flatten)]
    pub(crate) args: PuzzleArgs,
    /// How many tiles each table of a partition tells apart, such as 6-6-6-6
    #[arg(long, value_name = "A-B-..", value_parser = parse_sizes)]
    pub(crate) sizes: Sizes,
    /// How many partitions; the bound of a search is the greatest of their sums
    #[arg(short = 'n', long, default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=12))]
    pub(crate) count: u8,
    /// Time for all of them; it is checked between two tables
    #[arg(long, value_name = "TIME", default_value = "5m")]
    #[arg(value_parser = humantime::parse_duration)]
    pub(crate) limit_time: Duration,
    /// Seed of the random states and choices
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// The sizes of a partition's patterns.
#[derive(Clone, Debug)]
pub(crate) struct Sizes(pub(crate) Vec<usize>);

fn parse_sizes(text: &str) -> Result<Sizes, String> {
    let sizes: Result<_, _> = text.split('-').map(str::parse).collect();
    sizes.map(Sizes).map_err(|_| format!("{text:?}: expected sizes such as 6-6-6-6"))
}
