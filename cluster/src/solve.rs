//! Solves a state of a puzzle by name on all ranks: [`solve`].

use crate::units::{ClusterUnits, RankEnd, RankResult, RankSearch, RunOptions, run};
use crate::{ClusterTeam, Comm, in_team, is_of_one_rank};
use fewest::proofs::{Record, Share};
use fewest::search::{CancelToken, Limits};
use fewest::{
    Aim, Answer, Failure, Loading, Puzzle, PuzzleInfo, Request, RunJournal, Settings, configure,
    run_command, run_identity,
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
    /// The state.
    pub state: String,
    /// What is wanted. Limits and the number of threads are those of each rank; a limit of nodes
    /// counts the nodes that this rank generated and the nodes that other ranks reported to it.
    pub request: Request<'static>,
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

    /// Solve this state with one thread a rank and no limits.
    pub fn new(puzzle: impl Into<String>, settings: Settings, state: impl Into<String>) -> Self {
        let shared_from = RunOptions::default().shared_from;
        Self {
            puzzle: puzzle.into(),
            settings,
            state: state.into(),
            request: Request::default().threads(1),
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
    /// The puzzle or the state is refused, or the search of rank 0 failed.
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
/// Rank 0 begins, and builds missing tables. If ranks own the tables by range, all of them build
/// first. Then all other ranks load the same tables. Ranks of one machine share the memory of
/// mapped tables.
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
        Err(SolveError::Failure(failure)) if comm.rank() > 0 && is_of_one_rank(&failure) => {
            return Err(failure.into());
        }
        _ if comm.rank() > 0 => None,
        built => Some(built.and_then(|()| Prepared::new(request))),
    };
    let journal = first.as_ref().and_then(|first| first.as_ref().ok()).map(|one| &one.journal);
    let options = RunOptions {
        keeper: journal.map(|journal| journal as _),
        threads: request.request.threads.unwrap_or(1),
        shared_from: request.shared_from,
        spread: request.spread,
        units_kept: request.journal.is_some(),
        cancel: cancel.clone(),
    };
    let RankResult { value, ends } = run(comm, &options, |units, heuristic| {
        let found = match &first {
            Some(Ok(prepared)) => search(&*prepared.puzzle, request, units, None),
            // What is wrong is told below.
            Some(Err(_)) => Err(Failure::Cancelled),
            None => configure(&request.puzzle, &request.settings)
                .map_err(Failure::from)
                .and_then(|puzzle| search(&*puzzle, request, units, heuristic)),
        };
        let found = match units.fault() {
            Some(fault) => Err(SolveError::Fault(fault)),
            None => found.map_err(SolveError::from),
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

/// Builds on all ranks the missing tables that the search begins with, so that no rank needs the
/// memory of all layers.
fn build<C: Comm>(
    comm: &C,
    request: &ClusterRequest,
    cancel: &CancelToken,
) -> Result<(), SolveError> {
    if request.settings.tables.is_none() {
        let why = "tables that ranks own by range must be in files: there is no folder for them";
        return Err(SolveError::Fault(why.to_owned()));
    }
    Ok(in_team(comm, cancel, |team| build_in(team, request))?)
}

/// Obtains the tables by a search without nodes. It takes the same tables as the one that follows.
fn build_in(team: &ClusterTeam<'_>, asked: &ClusterRequest) -> Result<(), Failure> {
    let puzzle = configure(&asked.puzzle, &asked.settings)?;
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let mut request = asked.request.clone().aim(Aim::OptimalOnly).limits(limits);
    (request.cancel, request.deadline, request.on_plan) = (CancelToken::new(), None, None);
    puzzle.solve(&asked.state, &request.team(team)).map(drop)
}

/// What rank 0 has before the search.
struct Prepared {
    puzzle: Box<dyn Puzzle>,
    journal: RunJournal,
}

impl Prepared {
    fn new(asked: &ClusterRequest) -> Result<Self, SolveError> {
        let ClusterRequest { puzzle: name, settings, state, request, journal, .. } = asked;
        let puzzle = configure(name, settings).map_err(Failure::from)?;
        let identity = run_identity(&*puzzle, settings, state, request).map_err(Failure::from)?;
        let command = run_command(name, settings, state, request);
        let journal = RunJournal::new(journal.clone(), identity, command, Share::ALL);
        Ok(Self { puzzle, journal })
    }
}

/// The search of one rank. `heuristic` is the one that rank 0 searches with.
fn search(
    puzzle: &dyn Puzzle,
    asked: &ClusterRequest,
    units: &ClusterUnits<'_>,
    heuristic: Option<&str>,
) -> Result<Answer, Failure> {
    let request = asked.request.clone().aim(Aim::OptimalOnly);
    let request = request.cancel(units.cancel_token()).keeper(units);
    let request = units.reader().into_iter().fold(request, Request::reader);
    let table = heuristic.and_then(|name| name.strip_prefix("best/"));
    let request = table.into_iter().fold(request, Request::rung);
    puzzle.solve(&asked.state, &request)
}
