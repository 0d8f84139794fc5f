//! Files of work on its way that may be lost: the newest is kept once in a while, and found again.

use super::Checkpoint;
use crate::builder::BuildObserver;
use crate::file::{TableError, TableInfo, TableSpec};
use std::io::{self, Write};
use std::time::Instant;

/// The files of one work, and when the next is due. If one cannot be written or removed, that is
/// told, and no more are written.
pub(crate) struct CheckpointWriter<'a> {
    checkpoint: Option<&'a Checkpoint>,
    observer: Option<&'a dyn BuildObserver>,
    newest: Option<TableSpec>,
    since: Instant,
    /// A file could not be written or removed.
    failed: bool,
}

impl Checkpoint {
    /// The file after a layer: `description` tells the work from others.
    pub(crate) fn spec(
        &self,
        mut description: serde_json::Value,
        layer: usize,
        encoding: &str,
        (entries, payload_bytes): (u64, u64),
    ) -> TableSpec {
        description["layer"] = layer.into();
        TableSpec {
            name: format!("{}-layer-{layer}", self.name),
            description,
            encoding: encoding.to_owned(),
            entries,
            payload_bytes,
        }
    }

    /// The files of a work with their layers: those that are, by name and description, what `spec`
    /// says of a layer and so many entries. Files that cannot be read are none.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(crate) fn files(
        &self,
        spec: impl Fn(usize, u64) -> TableSpec,
    ) -> Result<Vec<(usize, TableSpec)>, TableError> {
        let own = |info: TableInfo| {
            let layer = usize::try_from(info.description["layer"].as_u64()?).ok()?;
            let spec = spec(layer, info.entries);
            let own =
                spec.fingerprint() == info.fingerprint && self.store.path(&spec.name) == info.path;
            own.then_some((layer, spec))
        };
        Ok(self.store.list()?.into_iter().flatten().filter_map(own).collect())
    }
}

impl<'a> CheckpointWriter<'a> {
    pub(crate) fn new(
        checkpoint: Option<&'a Checkpoint>,
        observer: Option<&'a dyn BuildObserver>,
    ) -> Self {
        Self { checkpoint, observer, newest: None, since: Instant::now(), failed: false }
    }

    /// Where files lie, if there are any.
    pub(crate) fn checkpoint(&self) -> Option<&'a Checkpoint> {
        self.checkpoint
    }

    /// Where files lie, if it is time for the next.
    pub(crate) fn due(&self) -> Option<&'a Checkpoint> {
        let due =
            |checkpoint: &&Checkpoint| !self.failed && self.since.elapsed() >= checkpoint.every;
        self.checkpoint.filter(due)
    }

    /// The work goes on from this file.
    pub(crate) fn found(&mut self, file: TableSpec) {
        self.newest = Some(file);
    }

    /// Saves a file, and removes the one before.
    pub(crate) fn save(
        &mut self,
        spec: TableSpec,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) {
        let Some(checkpoint) = self.checkpoint else { return };
        // Another process may have saved the same, or left it behind damaged.
        let store = &checkpoint.store;
        match store.remove(&spec).and_then(|_| store.save_with(&spec, fill)) {
            Ok(_) => {
                let older = self.newest.replace(spec);
                self.remove(older);
            }
            Err(error) => self.tell(&error),
        }
        self.since = Instant::now();
    }

    /// Removes the newest file.
    pub(crate) fn remove_newest(&mut self) {
        let newest = self.newest.take();
        self.remove(newest);
    }

    /// Removes files.
    pub(crate) fn remove(&mut self, files: impl IntoIterator<Item = TableSpec>) {
        let Some(checkpoint) = self.checkpoint else { return };
        for file in files {
            if let Err(error) = checkpoint.store.remove(&file) {
                self.tell(&error);
            }
        }
    }

    fn tell(&mut self, error: &TableError) {
        self.failed = true;
        if let Some(observer) = self.observer {
            observer.not_kept(error);
        }
    }
}
