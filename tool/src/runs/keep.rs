//! What the search of `solve` keeps, shares or takes over: [`Kept`].

use crate::options::JournalOptions;
use crate::states::joined;
use crate::verbs::Solve;
use fewest::proofs::{Identity, JournalFile, Record, Share};
use fewest::search::Cost;
use fewest::{
    Answer, Ending, Puzzle, Request, RunJournal, Settings, named_as, run_command, run_identity,
};
use fewest_terminal::{Error, Exit, note};
use std::io::Write;
use std::path::Path;

/// What a search keeps and takes over.
pub(crate) struct Kept<'a> {
    options: &'a JournalOptions,
    journal: Option<RunJournal>,
    /// The name of the table that the heuristic `best` reads, as the journal has it. `None`
    /// without a journal, or with another heuristic.
    rung: Option<String>,
    lower_bound: Cost,
}

impl JournalOptions {
    /// Prepares what the options ask for.
    ///
    /// # Errors
    /// If a journal cannot be read, or is of another state.
    pub(crate) fn kept(
        &self,
        verb: &Solve,
        settings: &Settings,
        puzzle: &dyn Puzzle,
    ) -> Result<Kept<'_>, Error> {
        let mut kept = Kept { options: self, journal: None, rung: None, lower_bound: 0 };
        if [&self.journal, &self.certificate, &self.lower_bound_from].iter().all(|it| it.is_none())
        {
            return Ok(kept);
        }
        let (state, quiet) = (joined(verb.input.state())?, &fewest::Quiet);
        let identity = |lower_bound: Cost| {
            let request = verb.request(quiet, <_>::default()).lower_bound(lower_bound);
            run_identity(puzzle, settings, &state, &request)
        };
        let path = self.journal.as_ref();
        let file = path.filter(|path| path.exists());
        let file = file.map(|path| JournalFile::open(path)).transpose()?;
        let begun = file.as_ref().and_then(JournalFile::record);
        if let (Some(path), Some(_), None) = (path, &file, begun) {
            note(format_args!(
                "journal {}: its first line was not written whole, so it holds no result. The \
                 search begins it anew.",
                path.display()
            ));
        }
        if let Some(source) = &self.lower_bound_from {
            // A run goes on with the bound with which it began. Its source may be further by now.
            let own = begun.and_then(|record| record.identity.get("lower-bound"));
            kept.lower_bound = match own.and_then(|bound| bound.parse().ok()) {
                Some(bound) => bound,
                None => lower_bound(source, &identity(0)?)?,
            };
        }
        if let Some(path) = self.certificate.as_ref().filter(|path| path.exists()) {
            let told = path.display();
            return Err(Error::refused(format_args!("--certificate {told}: the file exists")));
        }
        if path.is_some() || self.certificate.is_some() {
            if let Some(record) = begun {
                let heuristic = record.identity.get("heuristic").unwrap_or_default();
                kept.rung = heuristic.strip_prefix("best/").map(str::to_owned);
            }
            let own = identity(kept.lower_bound)?;
            let identity = match begun {
                Some(record) => named_as(own, &record.identity),
                None => own,
            };
            let request = verb.request(quiet, <_>::default());
            let mut command = run_command(&verb.input.puzzle, settings, &state, &request);
            if let Some(source) = &self.lower_bound_from {
                let source = std::path::absolute(source).unwrap_or_else(|_| source.clone());
                command.set("lower-bound-from", source.display().to_string());
            }
            let share = self.shard.unwrap_or(Share::ALL);
            let journal = match file {
                Some(file) => RunJournal::in_file(file, identity, command, share),
                None => RunJournal::new(path.cloned(), identity, command, share),
            };
            let certified = self.certificate.is_some();
            kept.journal = Some(if certified { journal.certified() } else { journal });
        }
        Ok(kept)
    }

    /// The journal from which a lower bound is taken.
    pub(crate) fn source(&self) -> Option<&Path> {
        self.lower_bound_from.as_deref()
    }
}

/// The lower bound that a journal proves for the state of another run.
///
/// # Errors
/// If the journal is of another state, goal, metric or other moves.
fn lower_bound(path: &Path, own: &Identity) -> Result<Cost, Error> {
    let record = super::record(path)?;
    let own = &named_as(own.clone(), &record.identity);
    for fact in ["puzzle", "definition", "state", "metric", "goal", "moves"] {
        let [found, expected] = [&record.identity, own].map(|it| it.get(fact).unwrap_or_default());
        if found != expected {
            return Err(Error::refused(format!(
                "--lower-bound-from {}: its {fact} is {found:?}, expected {expected:?}",
                path.display()
            )));
        }
    }
    if !record.is_whole() {
        return Err(Error::refused(format!(
            "--lower-bound-from {}: a search with --slack or --min-length proves no bound on all \
             plans",
            path.display()
        )));
    }
    let bound = record.lower_bound();
    note(format_args!(
        "No plan costs less than {bound}, says {}: this run takes that for proven.",
        path.display()
    ));
    Ok(bound)
}

impl Kept<'_> {
    /// The request with what is kept and taken over.
    pub(crate) fn request<'a>(&'a self, request: Request<'a>) -> Request<'a> {
        let request = request.lower_bound(self.lower_bound);
        let request = match &self.rung {
            Some(rung) => request.rung(rung),
            None => request,
        };
        match &self.journal {
            Some(journal) => request.keeper(journal),
            None => request,
        }
    }

    /// The lower bound that the journal proves, of this run and earlier ones.
    pub(crate) fn proven(&self) -> Cost {
        let record = self.journal.as_ref().and_then(RunJournal::record);
        record.filter(Record::is_whole).map_or(0, |record| record.lower_bound())
    }

    /// Refuses to answer if the journal could not be opened, or has a plan that is none.
    ///
    /// # Errors
    /// Which of these.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refusal = self.journal.as_ref().and_then(RunJournal::refusal);
        refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    /// Says what became of the journal. Returns the exit code that it asks for.
    pub(crate) fn end(&self, answer: &Answer) -> Exit {
        let Some(journal) = &self.journal else { return Exit::Done };
        let flushed = journal.flush();
        if let Some(fault) = journal.fault() {
            note(format_args!("fewest: {fault}"));
            return Exit::Table;
        }
        let record = journal.record();
        let is_empty = |record: &Record| record.bounds.is_empty() && record.rounds.is_empty();
        if let Some(path) = &self.options.journal
            && record.as_ref().is_none_or(is_empty)
            && answer.ending == Ending::Solved
        {
            note(format_args!(
                "journal {}: no bound of this search had units, so there is nothing to keep. A \
                 search that goes on with it begins anew.",
                path.display()
            ));
        }
        let open = answer.ending == Ending::LimitReached || !answer.complete;
        let shared = self.options.shard.filter(|_| open);
        if let (Some(share), Some(record)) = (shared, journal.record()) {
            let last = record.bounds.last();
            let has = |unit: &usize| share.has(*unit, Share::SHARED_FROM);
            let done = last.is_some_and(|last| {
                (0..last.units.len()).filter(has).all(|unit| last.units[unit].is_some())
            });
            if let (true, Some(last)) = (done, last) {
                note(format_args!(
                    "Share {share} of bound {} is searched; `fewest merge` joins the shares.",
                    last.bound
                ));
            }
        }
        if let Some(path) = &self.options.certificate {
            let Some(certificate) = journal.certificate(answer) else {
                note("fewest: no certificate: nothing is proven");
                return Exit::NotSolved;
            };
            if let Err(error) = write_new(path, &certificate.text()) {
                note(format_args!("fewest: certificate {}: {error}", path.display()));
                return Exit::Table;
            }
        }
        if flushed.is_ok() { Exit::Done } else { Exit::Table }
    }
}

/// Writes a file that did not exist. If that fails, it exists no more.
pub(crate) fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = std::fs::File::create_new(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // What could not be written is of no use; if it cannot be removed either, it stays.
        let _ = std::fs::remove_file(path);
    }
    written
}
