//! Options that the programs share.

use crate::{Error, Format};
use clap::Args;
use etcetera::BaseStrategy;
use fewest::Request;
use fewest::search::Cost;
use std::path::PathBuf;

/// How results are written.
#[derive(Args, Debug)]
pub struct OutputOptions {
    /// Form of the results on standard output
    #[arg(short, long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Which plans of a state are looked for.
#[derive(Args, Debug)]
pub struct PlanOptions {
    /// All optimal plans; plans that differ only in the order of commuting neighbours count once
    #[arg(long)]
    pub all: bool,
    /// At most COUNT plans: optimal ones or, with --slack, the cheapest
    #[arg(short = 'n', long, conflicts_with = "all")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// All plans of at most K moves more than the shortest, the shortest first; with --count the
    /// first of them. Plans that visit a state twice do not count. With --steps: a number for each
    /// step, the last one also for all further steps
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub slack: Vec<Cost>,
    /// Only plans of at least N moves: the shortest of them
    #[arg(long, value_name = "N")]
    pub min_length: Option<Cost>,
    /// Only plans that begin with one of these sequences, such as "R U,F'". Plans in which moves
    /// join, such as R R', do not count
    #[arg(long, value_name = "MOVES")]
    pub begins: Option<String>,
    /// Only plans that end with one of these sequences
    #[arg(long, value_name = "MOVES")]
    pub ends: Option<String>,
}

impl PlanOptions {
    /// Whether an answer may have several plans.
    pub fn wants_several(&self) -> bool {
        self.all || self.count.is_some() || !self.slack.is_empty()
    }

    /// Checks that there is one slack, for a search without steps.
    ///
    /// # Errors
    /// If there are several.
    pub fn check(&self) -> Result<(), Error> {
        match &self.slack[..] {
            [] | [_] => Ok(()),
            all => Err(Error::refused(format_args!(
                "--slack: found {} numbers, expected one",
                all.len()
            ))),
        }
    }

    /// The request for these plans.
    pub fn apply<'a>(&self, request: Request<'a>) -> Request<'a> {
        let plans = match self.count {
            Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
            None if self.wants_several() => usize::MAX,
            None => 1,
        };
        let slack = self.slack.first().copied().unwrap_or(0);
        let least = self.min_length.unwrap_or(0);
        let mut request = request.plans(plans).slack(slack).min_length(least);
        request.begins.clone_from(&self.begins);
        request.ends.clone_from(&self.ends);
        request
    }
}

/// Where table files are.
#[derive(Args, Debug)]
pub struct FolderOptions {
    // clap does not read the variable: it would refuse an empty one.
    /// Folder of the table files [default: $FEWEST_TABLES, or the user's cache folder]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl FolderOptions {
    /// The folder of the option, else of `$FEWEST_TABLES`, else in the user's cache folder.
    ///
    /// # Errors
    /// If the user has no cache folder.
    pub fn folder(&self) -> Result<PathBuf, Error> {
        let variable = || std::env::var_os("FEWEST_TABLES").filter(|folder| !folder.is_empty());
        if let Some(folder) = self.tables.clone().or_else(|| variable().map(PathBuf::from)) {
            return Ok(folder);
        }
        let base = etcetera::choose_base_strategy().map_err(|error| {
            Error::refused(format_args!(
                "no cache folder for tables ({error}): give one with --tables"
            ))
        })?;
        Ok(base.cache_dir().join("fewest"))
    }
}

/// Reads a number of bytes, such as `512MiB`.
///
/// # Errors
/// If the text is no number of bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let size = text.parse::<bytesize::ByteSize>().map(|size| size.as_u64());
    size.map_err(|error| format!("{error}; expected a size such as 512MiB or 2GiB"))
}
