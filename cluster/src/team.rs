//! Tables that all ranks build together: [`ClusterTeam`].

use crate::Comm;
use crate::layers::{self, LayerOptions, LayersError, Rounds};
use crate::relay::{Relay, with_relay};
use fewest::pdb::layers::{ExhaustError, ExhaustReport};
use fewest::pdb::memory::Bytes;
use fewest::pdb::{Abstraction, BuildError, BuildOptions, Team, TeamDistances};
use fewest::search::{CancelToken, Cost};
use fewest::{Failure, TableStep, TableTeam};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All ranks of a job as a [`TableTeam`]. Rank 0 leads.
///
/// Each rank stores a range of the entries: 4 or 8 bits each for a table, 2 for a count. Rank 0
/// also needs the memory of the whole table when its layers are made.
#[derive(Debug)]
pub struct ClusterTeam<'c> {
    rounds: Mutex<Rounds<'c, Relay>>,
    relay: &'c Relay,
    rank: usize,
    /// Ends the work of all ranks.
    cancel: CancelToken,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    /// The folder of the checkpoints of a table that is not saved yet.
    folder: Option<PathBuf>,
    /// What failed on this rank alone.
    fault: Option<String>,
    /// Whether the work is over for all ranks: one is cancelled, at another table, or gone.
    is_over: bool,
    /// The ranks whose last message, which has no bytes, has arrived.
    gone: Vec<usize>,
}

/// Runs `work` on all ranks, with all ranks as its team. Call it on all ranks. The work runs on a
/// thread of its own.
///
/// `cancel` of any rank ends the layers of all. All ranks hear it before their next table, too, but
/// not while one of them loads, checks or saves a table. Give the work no other token and no
/// deadline: a rank that ends alone would let the others wait for it.
///
/// Rank 0 returns when no other rank receives for the team any more, so that it may send what
/// belongs to no team.
///
/// # Panics
/// If the work panics.
pub fn in_team<C: Comm, T: Send>(
    comm: &C,
    cancel: &CancelToken,
    work: impl FnOnce(&ClusterTeam<'_>) -> T + Send,
) -> T {
    let found = with_relay(comm, |relay| {
        let (rounds, cancel) = (Mutex::new(Rounds::new(relay)), cancel.clone());
        let rank = relay.rank();
        let team = ClusterTeam { rounds, relay, rank, cancel, notes: Mutex::default() };
        let found = work(&team);
        if rank == 0 {
            team.wait_for_others();
        }
        found
    });
    if comm.rank() > 0 {
        comm.send(0, &[]);
    }
    found
}

/// Whether a failure is that of one rank alone: it cannot use its files, or has no file of a table
/// that is there for rank 0.
pub fn is_of_one_rank(failure: &Failure) -> bool {
    matches!(failure, Failure::File(_) | Failure::Build { error: BuildError::Elsewhere, .. })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ClusterTeam<'_> {
    /// What failed on this rank alone, so that no other rank can tell it.
    pub fn fault(&self) -> Option<String> {
        lock(&self.notes).fault.clone()
    }

    /// The number of messages that all ranks sent so far, and their bytes. Call it on all ranks.
    pub fn sent(&self) -> [u64; 2] {
        lock(&self.rounds).sum(self.relay.sent())
    }

    /// Waits for the last message of each other rank, which it sends when it receives no more.
    fn wait_for_others(&self) {
        let (mut rounds, gone) = (lock(&self.rounds), lock(&self.notes).gone.clone());
        for rank in (1..self.relay.size()).filter(|rank| !gone.contains(rank)) {
            rounds.next_from(rank);
        }
    }

    /// The options of the layers. The checkpoints are in a folder beside the table files.
    fn layer_options(&self, options: &BuildOptions<'_>) -> LayerOptions {
        let cancel = self.cancel.clone();
        let Some(checkpoint) = options.checkpoint else {
            return LayerOptions { cancel, ..LayerOptions::default() };
        };
        let description = checkpoint.description.clone();
        let folder = checkpoint.store.folder.join(format!("layers-{}", checkpoint.name));
        LayerOptions { folder: Some(folder), description, cancel }
    }

    fn failure(&self, error: LayersError) -> BuildError {
        match error {
            LayersError::Weighted => BuildError::Costs,
            LayersError::Cancelled => BuildError::Cancelled,
            LayersError::TooDeep { depth, bits } => {
                BuildError::TooDeep { depth, bits: bits.try_into().unwrap_or(8) }
            }
            LayersError::Checkpoint(why) => {
                lock(&self.notes).fault = Some(why.clone());
                BuildError::Refused(why)
            }
            other => BuildError::Refused(other.to_string()),
        }
    }

    /// Removes checkpoints that nobody needs. What remains is only bytes.
    fn remove(&self, folder: Option<PathBuf>) {
        if let (Some(folder), true) = (folder, self.rank == 0) {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Tells the observer the size of each layer.
fn tell(options: &BuildOptions<'_>, entries: u64) -> impl FnMut(usize, u64) {
    let (observer, mut seen) = (options.observer, 0);
    move |depth, count| {
        seen += count;
        if let (Some(observer), Ok(depth)) = (observer, Cost::try_from(depth)) {
            observer.layer(depth, count, seen, entries);
        }
    }
}

fn entries(abstraction: &dyn Abstraction) -> u64 {
    abstraction.rows() * abstraction.columns() as u64
}

impl Team for ClusterTeam<'_> {
    fn distances(
        &self,
        abstraction: &dyn Abstraction,
        wanted: TeamDistances,
        options: &BuildOptions<'_>,
    ) -> Result<Bytes, BuildError> {
        let own = self.layer_options(options);
        let tell = &mut tell(options, entries(abstraction));
        let table = layers::table(&mut lock(&self.rounds), abstraction, wanted, &own, tell);
        match table {
            Ok(table) => {
                lock(&self.notes).folder = own.folder;
                table.ok_or(BuildError::Elsewhere)
            }
            Err(error) => {
                if matches!(error, LayersError::TooDeep { .. } | LayersError::Weighted) {
                    self.remove(own.folder);
                }
                Err(self.failure(error))
            }
        }
    }

    fn count(
        &self,
        abstraction: &dyn Abstraction,
        antipodes: usize,
        options: &BuildOptions<'_>,
    ) -> Result<ExhaustReport, ExhaustError> {
        let (own, all) = (self.layer_options(options), entries(abstraction));
        let tell = &mut tell(options, all);
        let count = layers::count(&mut lock(&self.rounds), abstraction, antipodes, &own, tell);
        let (layers, antipodes) = count.map_err(|error| self.failure(error))?;
        self.remove(own.folder);
        let unreached = all - layers.iter().sum::<u64>();
        Ok(ExhaustReport { layers, unreached, antipodes, watched: Vec::new() })
    }
}

impl TableTeam for ClusterTeam<'_> {
    fn leads(&self) -> bool {
        self.rank == 0
    }

    fn agree(&self, table: &str, step: TableStep) -> Result<TableStep, Failure> {
        if lock(&self.notes).is_over {
            // Rank 0 tells how its table ended, and returns its own failure after that.
            return if step == TableStep::Build { Err(Failure::Cancelled) } else { Ok(step) };
        }
        let mut own = vec![step as u8, self.cancel.is_cancelled().into()];
        own.extend(table.as_bytes());
        let all = lock(&self.rounds).share(own);
        let mut notes = lock(&self.notes);
        notes.gone.extend((0..).zip(&all).filter(|(_, one)| one.is_empty()).map(|(rank, _)| rank));
        let mut tables = all.iter().map(|one| one.get(2..).unwrap_or_default());
        if let Some(other) = tables.find(|other| *other != table.as_bytes()) {
            notes.is_over = true;
            // A rank that has left sends nothing.
            let name =
                if other.is_empty() { "none".into() } else { String::from_utf8_lossy(other) };
            let why = format!(
                "one rank needs the table {table}, another one {name}: \
                 does another job change the folder of the tables?"
            );
            return Err(Failure::Limit(why));
        }
        if all.iter().any(|one| one[1] != 0) {
            notes.is_over = true;
            self.cancel.cancel();
            return Err(Failure::Cancelled);
        }
        let steps = [TableStep::Build, TableStep::Done, TableStep::Failed];
        let step = steps.into_iter().find(|step| *step as u8 == all[0][0]);
        let step = step.unwrap_or_else(|| unreachable!("a rank sends a step"));
        if step == TableStep::Done {
            self.remove(notes.folder.take());
        }
        Ok(step)
    }
}
