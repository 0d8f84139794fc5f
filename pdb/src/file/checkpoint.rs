//! Complete layers of a long build or search, in a folder of tables: [`Checkpoint`].

use super::{Load, TableError, TableInfo, TableSpec, TableStore};
use crate::builder::BuildObserver;
use crate::memory::Bytes;
use serde_json::Value;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Where a build or an exhaustive search saves its complete layers.
///
/// The same work goes on from the newest saved layer. When it is done, it removes its files. A
/// checkpoint file is a table file (see [`file`](crate::file)): it is there whole or not at all,
/// and it is checked before it is used.
///
/// A checkpoint never makes the work fail. [`BuildObserver::not_kept`] hears of a file that cannot
/// be read, written or removed. Then the work begins anew, or goes on without saving.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The folder.
    pub store: TableStore,
    /// Name of the files, before `-layer-N`.
    pub name: String,
    /// The description of the work. It must hold everything that changes an entry. At most about
    /// 3,700 bytes of JSON.
    pub description: Value,
    /// The least time from one file to the next. Zero saves each layer.
    pub every: Duration,
}

/// The newest saved layer of a work.
pub(crate) struct SavedLayer {
    pub(crate) layer: usize,
    pub(crate) bytes: Bytes,
}

/// Finds, writes and removes the files of one work.
pub(crate) struct CheckpointWriter<'a> {
    checkpoint: Option<&'a Checkpoint>,
    observer: Option<&'a dyn BuildObserver>,
    /// Tells this kind of work and its files from others.
    description: Value,
    encoding: &'static str,
    newest: Option<TableSpec>,
    since: Instant,
    /// A file could not be written or removed: none is written any more.
    failed: bool,
}

impl<'a> CheckpointWriter<'a> {
    /// `describe` adds everything else that changes the bytes of a file to the description.
    pub(crate) fn new(
        checkpoint: Option<&'a Checkpoint>,
        observer: Option<&'a dyn BuildObserver>,
        encoding: &'static str,
        describe: &dyn Fn(&Value) -> Value,
    ) -> Self {
        let description = checkpoint.map_or(Value::Null, |one| describe(&one.description));
        let since = Instant::now();
        Self { checkpoint, observer, description, encoding, newest: None, since, failed: false }
    }

    /// The file after a layer.
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

    /// The files of this work with their layers. Other files, and files with damaged headers or of
    /// another version, are passed over.
    fn files(&self, checkpoint: &Checkpoint) -> Result<Vec<(usize, TableSpec)>, TableError> {
        let own = |info: TableInfo| {
            let layer = usize::try_from(info.description["layer"].as_u64()?).ok()?;
            let spec = self.spec(checkpoint, layer, (info.entries, info.payload_bytes));
            let path = checkpoint.store.path(&spec.name);
            (spec.fingerprint() == info.fingerprint && path == info.path).then_some((layer, spec))
        };
        Ok(checkpoint.store.list()?.into_iter().flatten().filter_map(own).collect())
    }

    /// The newest saved layer that `fits`, which receives layer, entries and bytes of a file.
    /// `None` if there is none, or its file is damaged.
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
                self.tell(&error);
                None
            }
        }
    }

    /// Whether there is a folder to save in.
    pub(crate) fn is_on(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Whether it is time to save a layer.
    pub(crate) fn is_due(&self) -> bool {
        !self.failed && self.checkpoint.is_some_and(|one| self.since.elapsed() >= one.every)
    }

    /// Saves a layer and removes the file before it. `fill` writes as many bytes as `shape` says
    /// (entries, bytes).
    pub(crate) fn save(
        &mut self,
        layer: usize,
        shape: (u64, u64),
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) {
        let Some(checkpoint) = self.checkpoint else { return };
        let (spec, store) = (self.spec(checkpoint, layer, shape), &checkpoint.store);
        // Another process may have saved the same layer, or left a damaged file of this name.
        let saved = store.remove(&spec).and_then(|_| {
            // Held so that nobody takes the unfinished file for that of a killed process.
            let _lock = store.try_lock(&spec);
            store.save_with(&spec, fill)
        });
        match saved {
            Ok(_) => {
                let older = self.newest.replace(spec);
                self.remove(older);
            }
            Err(error) => self.give_up(&error),
        }
        self.since = Instant::now();
    }

    /// The work is done up to layer `last`: removes its files, also those of other processes.
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
            self.tell(error);
        }
        self.failed = true;
    }

    fn tell(&self, error: &TableError) {
        if let Some(observer) = self.observer {
            observer.not_kept(error);
        }
    }
}
