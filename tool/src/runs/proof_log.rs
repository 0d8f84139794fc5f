//! The proof log that `solve` writes: [`ProofLog`].

use crate::options::ProofLogOptions;
use crate::states::joined;
use fewest::proofs::pseudo_boolean::{Encoding, LogError, LogSize, write_log};
use fewest::search::CancelToken;
use fewest::{Answer, Ending, Event, Failure, Puzzle, Request, grouped, moves};
use fewest_terminal::{Error, Exit, note};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A log to write once the state is solved.
pub(crate) struct ProofLog<'a> {
    path: &'a Path,
    most: u64,
    encoding: Encoding,
}

impl ProofLogOptions {
    /// Prepares the log that the options ask for.
    ///
    /// # Errors
    /// If a file exists, or the puzzle has no such logs.
    pub(crate) fn begin(
        &self,
        puzzle: &dyn Puzzle,
        state: &[String],
        request: &Request<'_>,
    ) -> Result<Option<ProofLog<'_>>, Error> {
        let Some(path) = self.proof_log.as_deref() else { return Ok(None) };
        for path in ["opb", "pbp"].map(|kind| with_ending(path, kind)) {
            if path.exists() {
                let told = path.display();
                return Err(Error::refused(format_args!("--proof-log: {told} exists")));
            }
        }
        let encoding = puzzle.encoding(&joined(state)?, request)?;
        Ok(Some(ProofLog { path, most: self.proof_log_nodes, encoding }))
    }
}

impl ProofLog<'_> {
    /// Writes the log of an answer, if that is an optimal plan. Returns the exit code that it asks
    /// for.
    pub(crate) fn write(&self, answer: &Answer, request: &Request<'_>) -> Exit {
        let cost = answer.upper_bound.filter(|_| answer.ending == Ending::Solved && answer.optimal);
        let Some(bound) = cost.map(|cost| usize::try_from(cost).unwrap_or(usize::MAX)) else {
            note("fewest: no proof log: the search did not end");
            return Exit::NotSolved;
        };
        let Some(bound) = bound.checked_sub(1) else {
            note("No proof log: the state is solved, so there is nothing to prove.");
            return Exit::Done;
        };
        request.watch.event(&Event::Preparing { what: "the proof log" });
        let told = self.path.display();
        match self.files(bound, &request.cancel) {
            Ok(size) => {
                note(format_args!(
                    "Proof log: no plan has fewer than {}: {told}.opb ({} bytes: claims about {} \
                     states and {} parts of states), {told}.pbp ({} bytes, {} of them for parts; \
                     {} nodes). `veripb {told}.opb {told}.pbp` checks it.",
                    moves(bound + 1),
                    grouped(size.formula_bytes),
                    grouped(size.states),
                    grouped(size.partial),
                    grouped(size.bytes),
                    grouped(size.partial_bytes),
                    grouped(size.generated),
                ));
                Exit::Done
            }
            Err(error) => {
                note(format_args!("fewest: --proof-log {told}: {}", told_error(&error)));
                match error {
                    LogError::Io(_) => Exit::Table,
                    LogError::Plan => Exit::Defect,
                    _ => Exit::NotSolved,
                }
            }
        }
    }

    /// Writes both files under other names, then gives them their own.
    fn files(&self, bound: usize, cancel: &CancelToken) -> Result<LogSize, LogError> {
        let [formula, proof] = ["opb", "pbp"].map(|kind| with_ending(self.path, kind));
        let [new_formula, new_proof] = [&formula, &proof].map(|path| with_ending(path, "part"));
        let write = || -> Result<LogSize, LogError> {
            let open = |path: &Path| File::create(path).map(BufWriter::new);
            let (mut out, mut lines) = (open(&new_formula)?, open(&new_proof)?);
            let outs = (&mut out as &mut dyn Write, &mut lines as &mut dyn Write);
            let size = write_log(&self.encoding, bound, self.most, cancel, outs)?;
            [out, lines].into_iter().try_for_each(|mut out| {
                out.flush()?;
                out.get_ref().sync_all()
            })?;
            std::fs::rename(&new_formula, &formula)?;
            std::fs::rename(&new_proof, &proof)?;
            Ok(size)
        };
        let size = write();
        if size.is_err() {
            // What could not be written is of no use; if it cannot be removed either, it stays.
            let _ = [new_formula, new_proof].map(std::fs::remove_file);
        }
        size
    }
}

/// The error, with what to do about it.
fn told_error(error: &LogError) -> String {
    match error {
        LogError::TooMany { most } => format!(
            "{error} (up to {} MB); --proof-log-nodes N allows more",
            grouped(most.div_ceil(4_000))
        ),
        LogError::Cancelled => Failure::Cancelled.to_string(),
        error => error.to_string(),
    }
}

/// The path with an ending after its name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
