//! Checkpoints of a long build or search: files with its complete layers, in a folder of tables.

use super::{Load, TableError, TableErrorKind, TableInfo, TableSpec, TableStore};
use crate::builder::BuildObserver;
use crate::memory::Bytes;
use search::CancelToken;
use serde_json::Value;
use std::io::{self, Write};
use std::time::Duration;
use web_time::Instant;

/// Where a build or an exhaustive search saves its complete layers.
///
/// If the same build or search starts again, it resumes from the newest saved layer. When it is
/// done, it removes its files. A checkpoint file is a table file (see [`file`](crate::file)): it
/// exists either whole or not at all, and it is checked before it is used.
///
/// A checkpoint never makes a build or search in memory fail. If a file cannot be read, written or
/// removed, [`BuildObserver::not_kept`] is called. Then the work starts from the beginning, or
/// continues without saving. So it is if a file has a newer version of the format. A search on disk
/// would overwrite the files beside it, so it fails.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The folder of the files.
    pub store: TableStore,
    /// Name of the files, to which `-layer-N` is appended.
    pub name: String,
    /// The description of the build or search. It must contain everything that changes an entry. At
    /// most about 3,700 bytes of JSON.
    pub description: Value,
    /// The least time between two files. With zero, each layer is saved.
    pub every: Duration,
}

/// The newest saved layer of a build or search.
pub(crate) struct SavedLayer {
    pub(crate) layer: usize,
    pub(crate) bytes: Bytes,
}

/// Finds, writes and removes the files of one build or search.
pub(crate) struct CheckpointWriter<'a> {
    checkpoint: Option<&'a Checkpoint>,
    observer: Option<&'a dyn BuildObserver>,
    /// The description that distinguishes these files from others.
    description: Value,
    encoding: &'static str,
    newest: Option<TableSpec>,
    since: Instant,
    /// The time that the last file took.
    took: Duration,
    /// The token with which the caller stops the work, and a file that is being written.
    cancel: Option<&'a CancelToken>,
    /// Whether a file could not be written or removed. If true, no more files are written.
    failed: bool,
}

impl<'a> CheckpointWriter<'a> {
    /// The files of a build or search. `describe` adds everything to the description that changes
    /// the bytes of a file.
    pub(crate) fn new(
        checkpoint: Option<&'a Checkpoint>,
        observer: Option<&'a dyn BuildObserver>,
        encoding: &'static str,
        describe: &dyn Fn(&Value) -> Value,
    ) -> Self {
        let description = checkpoint.map_or(Value::Null, |one| describe(&one.description));
        let since = Instant::now();
        let (newest, took, cancel, failed) = (None, Duration::ZERO, None, false);
        Self { checkpoint, observer, description, encoding, newest, since, took, cancel, failed }
    }

    /// The same files. A large file is given up if this token is cancelled while it is written.
    pub(crate) fn stopped_by(self, cancel: Option<&'a CancelToken>) -> Self {
        Self { cancel, ..self }
    }

    /// The specification of the file after a layer.
    fn spec(
        &self,
        checkpoint: &Checkpoint,
        layer: usize,
        (entries, payload_bytes): (u64, u64),
    ) -> TableSpec {
        let mut description = self.description.clone();
        description["layer"] = layer.into();
        TableSpec {
            name: format!("{}-layer-{layer}", checkpoint.name),
            description,
            encoding: self.encoding.to_owned(),
            entries,
            payload_bytes,
        }
    }

    /// Refuses a file that a newer version of this program left under the name of this build or
    /// search.
    ///
    /// # Errors
    /// The first such file.
    pub(crate) fn refuse_newer(&self) -> Result<(), TableError> {
        self.checkpoint.map_or(Ok(()), |checkpoint| self.files(checkpoint).map(|_| ()))
    }

    /// The files of this build or search, each with its layer. Skips other files, files of an older
    /// version, and files with a damaged header.
    ///
    /// # Errors
    /// If the folder cannot be read, or a file of this name has a newer version.
    fn files(&self, checkpoint: &Checkpoint) -> Result<Vec<(usize, TableSpec)>, TableError> {
        let begin = format!("{}-layer-", checkpoint.name);
        let newer = |error: &TableError| {
            let kind = error.kind();
            let name = error.path().file_name().map(|name| name.to_string_lossy());
            matches!(kind, TableErrorKind::Version { expected, found } if found > expected)
                && name.is_some_and(|name| name.starts_with(&begin))
        };
        let own = |info: TableInfo| {
            let layer = usize::try_from(info.description["layer"].as_u64()?).ok()?;
            let spec = self.spec(checkpoint, layer, (info.entries, info.payload_bytes));
            let path = checkpoint.store.path(&spec.name);
            (spec.fingerprint() == info.fingerprint && path == info.path).then_some((layer, spec))
        };
        let mut files = Vec::new();
        for file in checkpoint.store.list()? {
            match file {
                Ok(info) => files.extend(own(info)),
                Err(error) if newer(&error) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(files)
    }

    /// Loads the newest saved layer for which `fits` returns true. `fits` receives the layer, the
    /// number of entries and the number of bytes of a file. `None` if there is no such layer, or
    /// its file is damaged.
    pub(crate) fn load(&mut self, fits: &dyn Fn(usize, u64, u64) -> bool) -> Option<SavedLayer> {
        let checkpoint = self.checkpoint?;
        let files = match self.files(checkpoint) {
            Ok(files) => files,
            Err(error) => {
                self.give_up(&error);
                return None;
            }
        };
        let fits =
            |(layer, spec): &(usize, TableSpec)| fits(*layer, spec.entries, spec.payload_bytes);
        let files = files.into_iter().filter(fits);
        let (layer, spec) = files.max_by_key(|(layer, _)| *layer)?;
        match checkpoint.store.load(&spec, Load::Mmap) {
            Ok(bytes) => {
                self.newest = Some(spec);
                Some(SavedLayer { layer, bytes })
            }
            Err(error) => {
                self.report(&error);
                None
            }
        }
    }

    /// Reports that no program of this project writes the payload of the newest file. The work
    /// begins anew.
    pub(crate) fn refuse(&mut self) {
        let (Some(checkpoint), Some(spec)) = (self.checkpoint, self.newest.take()) else { return };
        let found = "that of no layer";
        let kind = TableErrorKind::Contents { found, expected: "the entries of a complete layer" };
        self.report(&TableError::new(&checkpoint.store.path(&spec.name), kind));
    }

    /// Whether layers are saved at all.
    pub(crate) fn is_on(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Whether enough time has passed to save a layer. It is at least four times what the last file
    /// took, unless all layers are saved.
    pub(crate) fn is_due(&self) -> bool {
        let all = |one: &Checkpoint| one.every.is_zero();
        let rested = |one: &Checkpoint| self.since.elapsed() >= one.every.max(4 * self.took);
        !self.failed && self.checkpoint.is_some_and(|one| all(one) || rested(one))
    }

    /// Saves a layer and removes the file before it. `shape` has the numbers of entries and bytes,
    /// and `fill` writes that many bytes.
    pub(crate) fn save(
        &mut self,
        layer: usize,
        shape: (u64, u64),
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) {
        match self.try_save(layer, shape, fill) {
            Err(error) if matches!(error.kind(), TableErrorKind::Cancelled) => {}
            Err(error) => self.give_up(&error),
            Ok(()) => {}
        }
    }

    /// As [`CheckpointWriter::save`], and returns the error if the layer is not saved. Then the
    /// file before it is still there.
    pub(crate) fn try_save(
        &mut self,
        layer: usize,
        shape: (u64, u64),
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), TableError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(()) };
        let (spec, store) = (self.spec(checkpoint, layer, shape), &checkpoint.store);
        let (started, cancel) = (Instant::now(), self.cancel);
        // Another process may have saved the same layer, or left a damaged file of this name.
        let saved = store.remove(&spec).and_then(|_| {
            // Held so that nobody takes the unfinished file for that of a killed process.
            let _lock = store.try_lock(&spec);
            store.save_until(&spec, fill, cancel)
        });
        (self.since, self.took) = (Instant::now(), started.elapsed());
        saved?;
        let older = self.newest.replace(spec);
        self.remove(older);
        Ok(())
    }

    /// Removes all files up to the layer `last`, also those of other processes. Call it when the
    /// work is done.
    pub(crate) fn done(mut self, last: usize) {
        let Some(checkpoint) = self.checkpoint else { return };
        match self.files(checkpoint) {
            Ok(files) => {
                let files = files.into_iter().filter(|(layer, _)| *layer <= last);
                self.remove(files.map(|(_, spec)| spec));
            }
            Err(error) => self.give_up(&error),
        }
    }

    fn remove(&mut self, files: impl IntoIterator<Item = TableSpec>) {
        let Some(checkpoint) = self.checkpoint else { return };
        for file in files {
            if let Err(error) = checkpoint.store.remove(&file) {
                self.give_up(&error);
            }
        }
    }

    fn give_up(&mut self, error: &TableError) {
        if !self.failed {
            self.report(error);
        }
        self.failed = true;
    }

    fn report(&self, error: &TableError) {
        if let Some(observer) = self.observer {
            observer.not_kept(error);
        }
    }
}
