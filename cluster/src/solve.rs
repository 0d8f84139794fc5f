//! Solves a state of a puzzle by name on all ranks: [`solve`].

use crate::units::{ClusterUnits, RankEnd, RankResult, RankSearch, RunOptions, run};
use crate::{ClusterTeam, Comm, in_team};
use fewest::proofs::{Record, Share};
use fewest::search::{CancelToken, Cost, Limits};
use fewest::{
    Aim, Answer, ConfigureError, Failure, InvalidInput, Loading, Puzzle, PuzzleInfo, Request,
    RunJournal, Settings, configure, run_command, run_identity,
};
use std::path::PathBuf;
use std::time::Duration;

/// What to solve, and how. The same on all ranks.
#[derive(Clone, Debug)]
pub struct ClusterRequest {
    /// The name of the puzzle, or the text of a definition, as [`configure`] takes it.
    pub puzzle: String,
    /// The configuration of the puzzle.
    pub settings: Settings,
    /// The state. It is not empty: a solved puzzle has a text, too.
    pub state: String,
    /// Number of plans to look for. [default: 1]
    pub plans: usize,
    /// How much more than the cheapest plan a plan may cost, as [`Request::slack`]. [default: 0]
    pub slack: Cost,
    /// The least cost of a plan, as [`Request::min_length`]. [default: 0]
    pub min_length: Cost,
    /// Limits of each rank's search. A limit of nodes counts the nodes that this rank generated and
    /// the nodes that other ranks reported to it. [default: none]
    pub limits: Limits,
    /// The number of threads of each rank. [default: 1]
    pub threads: usize,
    /// The file of the journal, which rank 0 writes. [default: none]
    pub journal: Option<PathBuf>,
    /// Whether ranks own the entries of tables by range, and ask each other for the others. Then
    /// the limit of memory in `settings` is that of one rank's share, and the tables are mapped.
    /// Only for heuristics that [`Request::reader`] can read. [default: false]
    pub spread: bool,
    /// A bound is shared if the bound before it generated so many nodes.
    /// [default: as [`RunOptions::shared_from`]]
    pub shared_from: u64,
}

impl ClusterRequest {
    /// The request with the tables of so many ranks.
    fn on(&self, ranks: usize) -> Self {
        let mut request = self.clone();
        if request.spread {
            let settings = request.settings;
            let memory = settings.memory.saturating_mul(ranks as u64);
            request.settings = settings.memory(memory).loading(Loading::Mmap);
        }
        request
    }

    /// What is wanted, without what differs between ranks.
    fn job(&self) -> Request<'static> {
        Request::default().plans(self.plans).slack(self.slack).min_length(self.min_length)
    }

    /// Solve this state with one thread a rank and no limits.
    pub fn new(puzzle: impl Into<String>, settings: Settings, state: impl Into<String>) -> Self {
        let shared_from = RunOptions::default().shared_from;
        Self {
            puzzle: puzzle.into(),
            settings,
            state: state.into(),
            plans: 1,
            slack: 0,
            min_length: 0,
            limits: Limits::default(),
            threads: 1,
            journal: None,
            spread: false,
            shared_from,
        }
    }
}

/// What all ranks found together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClusterAnswer {
    /// The answer. Its processor time is that of all ranks. Its last iteration lacks the nodes of
    /// units that other ranks did not finish.
    pub answer: Answer,
    /// The puzzle.
    pub info: PuzzleInfo,
    /// How the search of each rank ended.
    pub ranks: Vec<RankEnd>,
    /// The results of all units. `None` if no search was needed.
    pub record: Option<Record>,
}

/// Why a state was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The name of the puzzle or its settings are refused.
    #[error(transparent)]
    Configure(#[from] ConfigureError),
    /// The state is refused.
    #[error(transparent)]
    Refused(#[from] InvalidInput),
    /// The search of rank 0 failed.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// The journal cannot be opened or written.
    #[error("{0}")]
    Journal(String),
    /// The rank left the search: it has other units or tables than rank 0, or ranks cannot own the
    /// tables of the heuristic by range.
    #[error("{0}")]
    Fault(String),
    /// Another rank could not search.
    #[error("rank {rank}: {error}")]
    Rank {
        /// The number of the rank.
        rank: usize,
        /// Why it could not.
        error: String,
    },
}

/// Solves a state optimally on all ranks. Call it on all ranks. Returns the answer on rank 0, and
/// `None` on all others.
///
/// Rank 0 begins, and builds missing tables. Then all other ranks load the same tables. Ranks of
/// one machine share the memory of mapped tables.
///
/// # Errors
/// On rank 0: if the request is refused, the journal cannot be used, or a rank fails. On other
/// ranks only if they cannot use their files while tables are built.
///
/// # Panics
/// If the search panics.
pub fn solve<C: Comm>(
    comm: &C,
    request: &ClusterRequest,
    cancel: &CancelToken,
) -> Result<Option<ClusterAnswer>, SolveError> {
    let request = &request.on(comm.size());
    let built = if request.spread { build(comm, request, cancel) } else { Ok(()) };
    let first = match built {
        // The files of this rank alone cannot be used.
        Err(error @ SolveError::Failure(Failure::File(_))) if comm.rank() > 0 => return Err(error),
        _ if comm.rank() > 0 => None,
        built => Some(built.and_then(|()| Prepared::new(request))),
    };
    let journal = first.as_ref().and_then(|first| first.as_ref().ok()).map(|one| &one.journal);
    let options = RunOptions {
        keeper: journal.map(|journal| journal as _),
        threads: request.threads,
        shared_from: request.shared_from,
        spread: request.spread,
        cancel: cancel.clone(),
    };
    let RankResult { value, ends } = run(comm, &options, |units, heuristic| {
        let found = match &first {
            Some(Ok(prepared)) => search(&*prepared.puzzle, request, units, None),
            // What is wrong is told below.
            Some(Err(_)) => Err(Failure::Cancelled.into()),
            None => configure(&request.puzzle, &request.settings)
                .map_err(SolveError::from)
                .and_then(|puzzle| search(&*puzzle, request, units, heuristic)),
        };
        let found = match units.fault() {
            Some(fault) => Err(SolveError::Fault(fault)),
            None => found,
        };
        let cpu = found.as_ref().map_or(Duration::ZERO, |answer| answer.cpu);
        // A search that was ended from elsewhere is no error.
        let told = |error: &SolveError| {
            let ended = matches!(error, SolveError::Failure(why) if why.is_cancelled());
            (!ended).then(|| error.to_string())
        };
        let error = found.as_ref().err().and_then(told);
        RankSearch { value: found, cpu, error }
    });
    let Some(prepared) = first else { return Ok(None) };
    let Prepared { puzzle, journal } = prepared?;
    if let Some(refusal) = journal.fault() {
        return Err(SolveError::Journal(refusal));
    }
    if let Some((rank, error)) =
        (1..).zip(&ends[1..]).find_map(|(rank, end)| Some((rank, end.error.clone()?)))
    {
        return Err(SolveError::Rank { rank, error });
    }
    let mut answer = value.unwrap_or_else(|| unreachable!("rank 0 searches"))?;
    answer.cpu = ends.iter().map(|end| Duration::from_secs_f64(end.cpu_seconds)).sum();
    journal.flush().map_err(|error| SolveError::Journal(error.to_string()))?;
    let (info, record) = (puzzle.info().clone(), journal.record());
    Ok(Some(ClusterAnswer { answer, info, ranks: ends, record }))
}

/// Builds the missing tables of a heuristic on all ranks, so that no rank needs the memory of all
/// layers. `best` chooses its tables when it searches: rank 0 builds them.
fn build<C: Comm>(
    comm: &C,
    request: &ClusterRequest,
    cancel: &CancelToken,
) -> Result<(), SolveError> {
    if request.settings.tables.is_none() {
        let why = "tables that ranks own by range must be in files: there is no folder for them";
        return Err(SolveError::Fault(why.to_owned()));
    }
    if request.settings.heuristic.name() == "best" {
        return Ok(());
    }
    in_team(comm, |team| build_in(team, request, cancel))
}

fn build_in(
    team: &ClusterTeam<'_>,
    request: &ClusterRequest,
    cancel: &CancelToken,
) -> Result<(), SolveError> {
    let puzzle = configure(&request.puzzle, &request.settings)?;
    let job = Request::default().cancel(cancel.clone()).team(team);
    let Some(tables) = puzzle.tables() else { return Ok(()) };
    Ok(tables.build(&job).map(drop)?)
}

/// What rank 0 has before the search.
struct Prepared {
    puzzle: Box<dyn Puzzle>,
    journal: RunJournal,
}

impl Prepared {
    fn new(request: &ClusterRequest) -> Result<Self, SolveError> {
        let ClusterRequest { settings, state, .. } = request;
        if state.trim().is_empty() {
            return Err(InvalidInput::new("the state is empty").into());
        }
        let puzzle = configure(&request.puzzle, settings)?;
        let identity = run_identity(&*puzzle, settings, state, &request.job())?;
        let command = run_command(&request.puzzle, settings, state, &request.job());
        let path = request.journal.clone();
        let journal = RunJournal::new(path, identity, command, Share::ALL);
        Ok(Self { puzzle, journal })
    }
}

/// The search of one rank. `heuristic` is the one that rank 0 searches with.
fn search(
    puzzle: &dyn Puzzle,
    request: &ClusterRequest,
    units: &ClusterUnits<'_>,
    heuristic: Option<&str>,
) -> Result<Answer, SolveError> {
    let job = request
        .job()
        .limits(request.limits.clone())
        .aim(Aim::OptimalOnly)
        .cancel(units.cancel_token())
        .threads(request.threads)
        .keeper(units);
    let job = units.reader().into_iter().fold(job, Request::reader);
    let job = match heuristic.and_then(|name| name.strip_prefix("best/")) {
        Some(table) => job.rung(table),
        None => job,
    };
    Ok(puzzle.solve(&request.state, &job)?)
}
