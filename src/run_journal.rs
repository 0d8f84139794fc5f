//! The journal of one search: [`RunJournal`], and what its results depend on,
//! [`run_identity`].

use crate::puzzle::{Aim, Answer, Ending, InvalidInput, Keeper, Puzzle, Request};
use crate::settings::{GoalChoice, Settings};
use proofs::{
    Certificate, Claim, Identity, Journal, JournalError, JournalFile, Record, Share, TableMark,
};
use search::{Frontier, KnownUnits, Op, PlanRound, UnitCounts, Units};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The version of the rules by which nodes are counted and bounds are cut into units. A release
/// that changes a count raises it.
const COUNTING: u32 = 1;

/// The fact that names what the rounds of a search for plans depend on.
const PLANNER: &str = "planner";

/// What the units of a search depend on, apart from the heuristic and its tables: these are known
/// when the search begins, and [`RunJournal`] adds them.
///
/// # Errors
/// If the puzzle refuses the state.
pub fn run_identity(
    puzzle: &dyn Puzzle,
    settings: &Settings,
    state: &str,
    request: &Request<'_>,
) -> Result<Identity, InvalidInput> {
    let info = puzzle.info();
    let state = puzzle.read(state)?.text;
    let goal = match &settings.goal {
        GoalChoice::Solved => "solved",
        GoalChoice::State(text) => text,
    };
    let metric = info.metric.map_or_else(String::new, |metric| metric.to_string());
    let identity = Identity::new()
        .with("puzzle", &info.name)
        .with("definition", info.definition.clone().unwrap_or_default())
        .with("state", state)
        .with("metric", metric)
        .with("goal", goal)
        .with("moves", settings.moves.clone().unwrap_or_default())
        .with("pruning", settings.pruning.to_string())
        .with("plans", request.plans.to_string())
        .with("slack", request.slack.to_string())
        .with("min-length", request.min_length.to_string())
        .with("lower-bound", request.lower_bound.to_string())
        .with("counting", COUNTING.to_string());
    // Journals of older releases have no costs.
    let identity = match &settings.cost {
        Some(cost) => identity.with("cost", cost),
        None => identity,
    };
    let near = request.aim == Aim::NearOptimal;
    let identity = if near { identity.with("aim", "near-optimal") } else { identity };
    Ok(match near || request.seed > 0 {
        true => identity.with("seed", request.seed.to_string()),
        false => identity,
    })
}

/// The identity, with the name of the puzzle that `kept` has if both have one definition: its file
/// may lie elsewhere by now, and its hash says what it is.
#[must_use]
pub fn named_as(identity: Identity, kept: &Identity) -> Identity {
    let definition = kept.get("definition").filter(|hash| !hash.is_empty());
    match kept.get("puzzle") {
        Some(name) if definition.is_some() && definition == identity.get("definition") => {
            identity.with("puzzle", name)
        }
        _ => identity,
    }
}

/// The options of `fewest solve`, by their long names, with which a later run goes on with a puzzle
/// of this name, its settings, a state and a request. The path of a definition is made absolute. A
/// lower bound that the request takes over is no option: add the journal that it comes from, as
/// `lower-bound-from`.
pub fn run_command(
    puzzle: &str,
    settings: &Settings,
    state: &str,
    request: &Request<'_>,
) -> Identity {
    // No other name of a puzzle has an ending, and a text has several lines.
    let path = Path::new(puzzle);
    let is_path = path.extension().is_some() && path.is_file();
    let absolute = is_path.then(|| std::path::absolute(path).ok()).flatten();
    let mut command = Identity::new()
        .with("puzzle", absolute.as_deref().and_then(Path::to_str).unwrap_or(puzzle))
        .with("state", state)
        .with("heuristic", settings.heuristic.name())
        .with("pruning", settings.pruning.to_string())
        .with("memory", settings.memory.to_string());
    let goal = match &settings.goal {
        GoalChoice::Solved => None,
        GoalChoice::State(text) => Some(text.clone()),
    };
    // With a slack, all plans are looked for, unless there is a count.
    let (all, slack) = (request.plans == usize::MAX, request.slack > 0);
    let counted = !all && (request.plans > 1 || slack);
    let near = request.aim == Aim::NearOptimal;
    for (name, value) in [
        ("metric", settings.metric.map(|metric| metric.to_string())),
        ("goal", goal),
        ("moves", settings.moves.clone()),
        ("cost", settings.cost.clone()),
        ("count", counted.then(|| request.plans.to_string())),
        ("slack", slack.then(|| request.slack.to_string())),
        ("min-length", (request.min_length > 0).then(|| request.min_length.to_string())),
        ("all", (all && !slack).then(String::new)),
        ("near-optimal", near.then(String::new)),
        ("seed", (near && request.seed > 0).then(|| request.seed.to_string())),
    ] {
        value.into_iter().for_each(|value| command.set(name, value));
    }
    command
}

/// Keeps the results of one optimal search in a [`Journal`], and the rounds of a search for plans
/// that are not proven. Give it to [`Request::keeper`].
///
/// Use it with a puzzle that was configured for this search alone: the tables of earlier searches
/// would count as tables of this one.
#[derive(Debug)]
pub struct RunJournal {
    /// Where the journal is, until the search begins.
    destination: Mutex<Destination>,
    identity: Identity,
    command: Identity,
    share: Share,
    /// The journal. Opened when a search begins.
    opened: OnceLock<Result<Journal, JournalError>>,
    /// Whether it is in a file.
    is_saved: bool,
    /// The heuristic of the search that it keeps.
    heuristic: OnceLock<String>,
    /// The heuristic of a later search, if that is another one.
    other: OnceLock<String>,
    /// The tables of the search. `None` if no certificate is wanted.
    tables: Option<Mutex<Vec<TableMark>>>,
}

/// Where the results of a search are kept.
#[derive(Debug)]
enum Destination {
    Memory,
    Path(PathBuf),
    File(JournalFile),
}

impl RunJournal {
    /// The journal at a path, or in memory alone. The file is opened when the search begins.
    ///
    /// `identity` is that of [`run_identity`], and `command` that of [`run_command`], if `fewest
    /// resume` is to go on with it.
    pub fn new(path: Option<PathBuf>, identity: Identity, command: Identity, share: Share) -> Self {
        Self::at(path.map_or(Destination::Memory, Destination::Path), identity, command, share)
    }

    /// As [`RunJournal::new`], in a file that is open.
    pub fn in_file(file: JournalFile, identity: Identity, command: Identity, share: Share) -> Self {
        Self::at(Destination::File(file), identity, command, share)
    }

    fn at(destination: Destination, identity: Identity, command: Identity, share: Share) -> Self {
        let (opened, heuristic, other) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let is_saved = !matches!(destination, Destination::Memory);
        let (destination, tables) = (Mutex::new(destination), None);
        Self { destination, identity, command, share, opened, is_saved, heuristic, other, tables }
    }

    /// Also notes what a certificate needs.
    #[must_use]
    pub fn certified(self) -> Self {
        Self { tables: Some(Mutex::default()), ..self }
    }

    /// The certificate of the answer: of its first plan, of its lower bound, or that there is no
    /// plan. `None` unless [`RunJournal::certified`], or if nothing is proven.
    pub fn certificate(&self, answer: &Answer) -> Option<Certificate> {
        let tables = self.tables.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let claim = match (answer.ending, answer.plans.first(), answer.upper_bound) {
            (Ending::Solved, Some(plan), Some(cost)) if answer.optimal => {
                Claim::Plan(plan.clone(), cost)
            }
            (Ending::Unsolvable, ..) => Claim::NoPlan,
            // A search that has not begun proves nothing of its own.
            _ if answer.lower_bound == 0 || self.record().is_none() => return None,
            _ => Claim::LowerBound,
        };
        let none = || Record { identity: self.identity.clone(), ..Record::default() };
        // A record that is kept in memory alone has no command.
        let command = self.command.clone();
        let mut record = Record { command, ..self.record().unwrap_or_else(none) };
        // What plans without a proof depend on is no part of the proof.
        let facts = record.identity.facts().filter(|(fact, _)| *fact != PLANNER);
        record.identity = facts.fold(Identity::new(), |all, (fact, value)| all.with(fact, value));
        Some(Certificate::new(&record, claim, answer.lower_bound, tables))
    }

    fn journal(&self) -> Option<&Journal> {
        self.opened.get()?.as_ref().ok()
    }

    /// The results so far. `None` if the search has not begun.
    pub fn record(&self) -> Option<Record> {
        self.journal().map(Journal::record)
    }

    /// Why there is no answer with this journal: it could not be opened, or one of its plans is
    /// none. `None` if neither is so, or the search has not begun.
    pub fn refusal(&self) -> Option<JournalError> {
        match self.opened.get()? {
            Ok(journal) => journal.fault().filter(JournalError::is_wrong_plan),
            Err(error) => Some(error.clone()),
        }
    }

    /// Why the journal takes no more results, as text. `None` if it does.
    pub fn fault(&self) -> Option<String> {
        let other = self.other.get().map(|other| {
            format!("the search changed its heuristic to {other}, and a journal keeps one search")
        });
        let own = || self.journal().and_then(Journal::fault);
        other.or_else(|| own().or_else(|| self.refusal()).map(|error| error.to_string()))
    }

    /// Opens the journal with further facts of its identity, or adds them.
    fn open_with(&self, facts: &Identity) {
        let opened = self.opened.get_or_init(|| {
            let identity = facts
                .facts()
                .fold(self.identity.clone(), |all, (fact, value)| all.with(fact, value));
            let mut destination = self.destination.lock().unwrap_or_else(PoisonError::into_inner);
            match std::mem::replace(&mut *destination, Destination::Memory) {
                Destination::Memory => Ok(Journal::in_memory(&identity, self.share)),
                Destination::Path(path) => {
                    Journal::open(&path, &identity, &self.command, self.share)
                }
                Destination::File(file) => {
                    Journal::begin(file, &identity, &self.command, self.share)
                }
            }
        });
        if let Ok(journal) = opened {
            journal.settle(facts);
        }
    }

    /// Writes everything that waits to the disk.
    ///
    /// # Errors
    /// If that fails, now or before.
    pub fn flush(&self) -> Result<(), JournalError> {
        self.journal().map_or(Ok(()), Journal::flush)
    }
}

/// The fact of an identity that names tables and their fingerprints.
pub(crate) fn tables_fact(tables: &BTreeMap<String, String>) -> String {
    let tables: Vec<String> = tables.iter().map(|(name, mark)| format!("{name}:{mark}")).collect();
    tables.join(" ")
}

impl Keeper for RunJournal {
    fn hashes_tables(&self) -> bool {
        self.tables.is_some()
    }
    fn table(&self, table: TableMark) {
        if let Some(tables) = &self.tables {
            tables.lock().unwrap_or_else(PoisonError::into_inner).push(table);
        }
    }
    fn begin(&self, heuristic: &str, tables: &BTreeMap<String, String>) {
        let own = self.heuristic.get_or_init(|| {
            let facts = Identity::new().with("heuristic", heuristic);
            self.open_with(&facts.with("tables", tables_fact(tables)));
            heuristic.to_owned()
        });
        if own != heuristic {
            let _ = self.other.set(heuristic.to_owned());
        }
    }
    fn keeps_plans(&self) -> bool {
        self.is_saved
    }
    fn begin_plans(&self, planner: &str) {
        self.open_with(&Identity::new().with(PLANNER, planner));
    }
    fn rounds(&self) -> Vec<PlanRound> {
        self.journal().map_or_else(Vec::new, Journal::rounds)
    }
    fn round(&self, round: &PlanRound) {
        if let Some(journal) = self.journal() {
            journal.round(round);
        }
    }
}

impl Units for RunJournal {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        match self.journal() {
            Some(journal) if self.other.get().is_none() => journal.open(frontier),
            _ => KnownUnits { left: (0..frontier.paths.len()).collect(), ..KnownUnits::default() },
        }
    }
    fn claim(&self) -> usize {
        self.journal().map_or(usize::MAX, Journal::claim)
    }
    fn searched(&self, unit: usize, counts: UnitCounts) {
        if let Some(journal) = self.journal() {
            journal.searched(unit, counts);
        }
    }
    fn found(&self, unit: usize, plan: &[Op]) {
        if let Some(journal) = self.journal() {
            journal.found(unit, plan);
        }
    }
    fn refused(&self, plan: &[Op]) {
        if let Some(journal) = self.journal() {
            journal.refused(plan);
        }
    }
    fn is_over(&self) -> bool {
        self.other.get().is_some() || self.journal().is_none_or(Journal::is_over)
    }
    fn close(&self, complete: bool) -> KnownUnits {
        self.journal().map_or_else(KnownUnits::default, |journal| journal.close(complete))
    }
}
