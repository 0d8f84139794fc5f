//! Options that verbs share, and their way into [`Settings`].

use super::Error;
use clap::{Args, ValueEnum};
use fewest::{Loading, MetricChoice, PruningChoice, Settings};
use std::path::PathBuf;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Format {
    Text,
    Json,
}

/// The metric, and where files are.
#[derive(Args, Debug)]
pub(super) struct PlaceOptions {
    /// What counts as one move of a cube: htm or qtm [default: htm]
    #[arg(long)]
    metric: Option<MetricChoice>,
    /// Folder of the table files, the best one that all machines see [default: $FEWEST_TABLES, or
    /// the user's cache folder]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

/// What configures a puzzle.
#[derive(Args, Debug)]
pub(super) struct PuzzleOptions {
    #[command(flatten)]
    place: PlaceOptions,
    /// The state to reach, as `fewest` takes it [default: solved]
    #[arg(long)]
    goal: Option<String>,
    /// The moves that plans may make, such as U,R,F [default: all]
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Bytes that tables of one rank may take, such as 512MiB or 2GiB. Ranks of one machine share
    /// the memory of tables in files
    #[arg(short, long, value_name = "BYTES", default_value = "1GiB", value_parser = parse_bytes)]
    memory: u64,
    /// How table files get into memory: auto, mmap or ram
    #[arg(long, default_value = "auto")]
    load: Loading,
}

impl PlaceOptions {
    /// The metric, half turns if none was given.
    pub(super) fn turns(&self) -> MetricChoice {
        self.metric.unwrap_or(MetricChoice::HalfTurn)
    }

    /// The folder of the option, else of `$FEWEST_TABLES`, else in the user's cache folder.
    pub(super) fn folder(&self) -> Result<PathBuf, Error> {
        use etcetera::BaseStrategy;
        let variable = || std::env::var_os("FEWEST_TABLES").filter(|folder| !folder.is_empty());
        if let Some(folder) = self.tables.clone().or_else(|| variable().map(PathBuf::from)) {
            return Ok(folder);
        }
        let base = etcetera::choose_base_strategy().map_err(|error| {
            Error::refused(format_args!("no cache folder ({error}): give one with --tables"))
        })?;
        Ok(base.cache_dir().join("fewest"))
    }
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    text.parse::<bytesize::ByteSize>().map(|size| size.as_u64())
}

impl PuzzleOptions {
    /// The settings, without a heuristic.
    pub(super) fn settings(&self) -> Result<Settings, Error> {
        let mut settings = Settings::default().memory(self.memory).loading(self.load);
        settings.metric = self.place.metric;
        settings.moves.clone_from(&self.moves);
        if let Some(goal) = &self.goal {
            settings = settings.goal(goal.as_str());
        }
        Ok(settings.tables(self.place.folder()?))
    }

    /// The options as a later run needs them, beside what the results depend on.
    pub(super) fn command(&self) -> fewest::proofs::Identity {
        let identity = fewest::proofs::Identity::new().with("memory", self.memory.to_string());
        match &self.place.tables {
            Some(folder) => identity.with("tables", folder.display().to_string()),
            None => identity,
        }
    }
}

/// What guides a search.
#[derive(Args, Debug)]
pub(super) struct SearchOptions {
    /// Lower bound that guides the search, by name, as `fewest` takes it
    #[arg(short = 'H', long, default_value = "best")]
    heuristic: String,
    /// Which duplicate move sequences are cut: none, inverse, fsm or fsm:D
    #[arg(long, default_value = "fsm")]
    pruning: PruningChoice,
}

impl SearchOptions {
    pub(super) fn apply(&self, settings: Settings) -> Settings {
        settings.heuristic(self.heuristic.as_str()).pruning(self.pruning)
    }
}
