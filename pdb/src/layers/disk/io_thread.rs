//! A thread that reads or writes files beside the work: [`with_io_thread`].

use crate::file::{TableError, TableErrorKind};
use crate::layers::ExhaustError;
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

/// Runs `work`, and beside it `thread` on a thread of its own. Waits for both. The error of the
/// thread counts before that of the work.
///
/// The two pass something through a bounded channel. If one of them ends, the other finds the
/// channel closed and must end, too.
///
/// # Errors
/// Those of the two. Also if the operating system starts no thread for the files of `folder`.
pub(super) fn with_io_thread<T>(
    folder: &Path,
    thread: impl FnOnce() -> Result<(), ExhaustError> + Send,
    work: impl FnOnce() -> Result<T, ExhaustError>,
) -> Result<T, ExhaustError> {
    thread::scope(|scope| {
        let named = thread::Builder::new().name("layers on disk".to_owned());
        let started = named.spawn_scoped(scope, thread);
        let started = started.map_err(|source| failed_to_start(folder, source))?;
        let worked = work();
        started.join().unwrap_or_else(|panic| resume_unwind(panic)).and(worked)
    })
}

/// The error when the operating system cannot start a thread for files.
fn failed_to_start(folder: &Path, source: io::Error) -> ExhaustError {
    let kind = TableErrorKind::Io { action: "start a thread for its files", source: source.into() };
    ExhaustError::File(TableError::layers(folder, kind))
}
