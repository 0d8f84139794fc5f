//! Options that verbs share, and their way into [`Settings`].

use clap::Args;
use fewest::{Loading, MetricChoice, PruningChoice, Settings, goal_text};
use fewest_cluster::MpiComm;
use fewest_terminal::{Error, FolderOptions, parse_bytes};

/// The threads of each rank.
#[derive(Args, Debug)]
pub(super) struct ThreadOptions {
    /// Threads of each rank [default: the cores that the rank may use, shared by the ranks of its
    /// machine]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadOptions {
    /// The number of threads. All ranks must call it together.
    pub(super) fn count(&self, comm: &MpiComm) -> usize {
        // All ranks ask for their cores, whatever the command line says.
        let cores = comm.cores();
        self.threads.map_or(cores, usize::from)
    }

    /// Starts the threads of builds and counts. All ranks must call it together.
    pub(super) fn start(&self, comm: &MpiComm) -> Result<(), Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count(comm)).build_global();
        pool.map_err(|error| Error::refused(format_args!("cannot start the threads: {error}")))
    }
}

/// The metric, and where files are.
#[derive(Args, Debug)]
pub(super) struct PlaceOptions {
    /// What counts as one move. Cubes: htm or qtm, the 3x3x3 also stm or atm; tiles: mtm [default:
    /// htm; each moved tile]
    #[arg(long)]
    metric: Option<MetricChoice>,
    #[command(flatten)]
    folder: FolderOptions,
}

/// What configures a puzzle.
#[derive(Args, Debug)]
pub(super) struct PuzzleOptions {
    #[command(flatten)]
    place: PlaceOptions,
    /// The state to reach, as `fewest` takes it, or a file with one [default: solved]
    #[arg(long)]
    pub(super) goal: Option<String>,
    /// The moves that plans may make, such as U,R,F [default: all]
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// What moves cost, such as R=2,R2=3 [default: 1]
    #[arg(long, value_name = "COSTS")]
    cost: Option<String>,
    /// Bytes that tables of one rank may take, such as 512MiB or 2GiB. Ranks of one machine share
    /// the memory of tables in files
    #[arg(short, long, value_name = "BYTES", default_value = "1GiB", value_parser = parse_bytes)]
    memory: u64,
    /// How table files get into memory: auto, mmap or ram
    #[arg(long, default_value = "auto")]
    load: Loading,
}

impl PlaceOptions {
    /// The settings with the metric and the folder.
    pub(super) fn apply(&self, mut settings: Settings) -> Result<Settings, Error> {
        settings.metric = self.metric;
        Ok(settings.tables(self.folder.folder()?))
    }
}

impl PuzzleOptions {
    /// The settings, without a heuristic.
    pub(super) fn settings(&self) -> Result<Settings, Error> {
        let mut settings = Settings::default().memory(self.memory).loading(self.load);
        settings.moves.clone_from(&self.moves);
        settings.cost.clone_from(&self.cost);
        if let Some(goal) = &self.goal {
            settings = settings.goal(&*goal_text(goal).map_err(Error::refused)?);
        }
        self.place.apply(settings)
    }
}

/// What has tables.
#[derive(Args, Debug)]
pub(super) struct HeuristicOptions {
    /// Lower bound that guides the search, by name, as `fewest` takes it
    #[arg(short = 'H', long, default_value = "best")]
    heuristic: String,
}

impl HeuristicOptions {
    pub(super) fn apply(&self, settings: Settings) -> Settings {
        settings.heuristic(self.heuristic.as_str())
    }
}

/// What guides a search.
#[derive(Args, Debug)]
pub(super) struct SearchOptions {
    #[command(flatten)]
    heuristic: HeuristicOptions,
    /// Which duplicate move sequences are cut: none, inverse, fsm or fsm:D
    #[arg(long, default_value = "fsm")]
    pruning: PruningChoice,
}

impl SearchOptions {
    pub(super) fn apply(&self, settings: Settings) -> Settings {
        self.heuristic.apply(settings).pruning(self.pruning)
    }
}
