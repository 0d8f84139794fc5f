//! The locked file of a journal, before a run goes on with it: [`JournalFile`].

use crate::error::{JournalError, JournalErrorKind};
use crate::read::{Reading, is_torn_begin, read_text};
use crate::record::Record;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file of a journal that was read and is locked: while it is open, no other process can open
/// it so. Give it to [`Journal::begin`](crate::Journal::begin).
#[derive(Debug)]
pub struct JournalFile {
    pub(crate) file: File,
    pub(crate) path: PathBuf,
    /// The bytes of the file.
    pub(crate) length: u64,
    /// What the file holds. `None` if a journal is yet to begin in it.
    pub(crate) reading: Option<Reading>,
}

impl JournalFile {
    /// Opens the file of a journal, and reads it. If there is no such file, creates it.
    ///
    /// Time and memory are linear in the file.
    ///
    /// # Errors
    /// If the file cannot be read or written, is in use, is no journal, or is damaged in its
    /// middle. A first line that was not written whole is no error, as no result is behind it.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let failed = |action| JournalError::io(path, action);
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(path).map_err(failed("open it"))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::new(path, JournalErrorKind::Locked),
            TryLockError::Error(error) => failed("lock it")(error),
        })?;
        // Where locks are mandatory, no other handle could read the file.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read it"))?;
        let reading = (!is_torn_begin(&bytes)).then(|| read_text(&bytes)).transpose();
        let reading = reading.map_err(|kind| JournalError::new(path, kind))?;
        Ok(Self { file, path: path.to_owned(), length: bytes.len() as u64, reading })
    }

    /// What the file holds. `None` if a journal is yet to begin in it: it is empty, or its first
    /// line was not written whole.
    pub fn record(&self) -> Option<&Record> {
        self.reading.as_ref().map(|reading| &reading.record)
    }
}
