//! Gets the tables of a configuration: loads them from their folder, or builds and saves them.

use crate::puzzle::{Failure, Job};
use crate::settings::{Loading, Settings};
use pdb::file::{Checkpoint, Load, ObtainError, TableSpec, TableStore};
use pdb::memory::Bytes;
use pdb::table::{StripeCode, StripeTable};
use pdb::{Abstraction, BuildError, BuildObserver, BuildOptions, PackedTable, build};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The folder of the table files and the way to load them. Without a folder, every table is built.
#[derive(Clone)]
pub(crate) struct TableSource {
    store: Option<TableStore>,
    loading: Loading,
}

/// Bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Least time between two checkpoints of a build.
const EVERY: Duration = Duration::from_secs(60);

/// The checkpoint of a build or a search, in a folder.
pub(crate) fn checkpoint_in(folder: &Path, name: String, description: &Value) -> Checkpoint {
    let (store, description) = (TableStore::new(folder), description.clone());
    Checkpoint { store, name, description, every: EVERY }
}

impl TableSource {
    /// The folder and the way of loading that the settings name.
    pub(crate) fn new(settings: &Settings) -> Self {
        let store = settings.tables.clone().map(TableStore::new);
        Self { store, loading: settings.loading }
    }

    /// The checkpoint from which a later run continues a build. `None` without a folder.
    pub(crate) fn checkpoint(&self, name: String, description: &Value) -> Option<Checkpoint> {
        Some(checkpoint_in(&self.store.as_ref()?.folder, name, description))
    }

    /// Whether tables are saved in a folder.
    pub(crate) fn saves(&self) -> bool {
        self.store.is_some()
    }

    /// Whether the folder has a file for the table of this name, damaged or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.store.as_ref().is_some_and(|store| store.path(name).symlink_metadata().is_ok())
    }

    /// Loads or builds the payload of a table. A damaged or wrong file is an error; it is not
    /// replaced.
    ///
    /// If a built table cannot be saved, the table is still returned, and
    /// [`crate::Watch::not_saved`] is called.
    pub(crate) fn obtain(
        &self,
        spec: &TableSpec,
        job: &Job<'_>,
        build: &dyn Fn(&BuildOptions<'_>) -> Result<Bytes, BuildError>,
    ) -> Result<Bytes, Failure> {
        let build = || {
            job.watch.building(&spec.name, spec.payload_bytes);
            let mut checkpoint = self.checkpoint(spec.name.clone(), &spec.description);
            if let (Some(checkpoint), Some(time)) = (&mut checkpoint, job.deadline) {
                // A later run with the same deadline continues from the last checkpoint.
                checkpoint.every = checkpoint.every.min(time / 8);
            }
            let (cancel, observer) = (Some(&job.cancel), Some::<&dyn BuildObserver>(job.watch));
            build(&BuildOptions { cancel, observer, checkpoint: checkpoint.as_ref() })
        };
        let mut told = false;
        let mut wait = || {
            if !told {
                job.watch.waiting(&spec.name);
            }
            told = true;
            !job.cancel.is_cancelled()
        };
        let failed = |error| Failure::Build { table: spec.name.clone(), error };
        let bytes = match &self.store {
            None => build().map_err(failed)?,
            Some(store) => {
                let load = if self.loading == Loading::Ram { Load::Ram } else { Load::Mmap };
                let obtained = store.obtain(spec, (load, &job.cancel), &mut wait, build);
                let obtained = obtained.map_err(|error| match error {
                    ObtainError::Table(error) => Failure::File(error),
                    ObtainError::Build(error) => failed(error),
                    ObtainError::Cancelled => Failure::Cancelled,
                })?;
                if let Some(Err(error)) = &obtained.saved {
                    job.watch.not_saved(&spec.name, error);
                }
                if let Some(check) = obtained.check {
                    match &job.checks {
                        Some(checks) => checks.start(check),
                        None => check.run(&job.cancel).map_err(Failure::of_table)?,
                    }
                }
                if self.loading == Loading::Auto && fits(spec.payload_bytes) {
                    // Many states read most pages, so that nothing is gained by a later start.
                    let quick = if job.backlog.states() < MANY { QUICK } else { Duration::ZERO };
                    populate(obtained.bytes.clone(), quick);
                }
                obtained.bytes
            }
        };
        job.note_table(spec, &bytes);
        job.watch.ready(&spec.name, spec.payload_bytes);
        Ok(bytes)
    }

    /// The table of exact distances of an abstraction, with `BITS` (4 or 8) bits for each entry.
    pub(crate) fn exact<const BITS: usize>(
        &self,
        spec: &TableSpec,
        abstraction: &dyn Abstraction,
        job: &Job<'_>,
    ) -> Result<PackedTable, Failure> {
        let built =
            |options: &BuildOptions<'_>| Ok(build::<BITS>(abstraction, options)?.into_bytes());
        let bits = if BITS == 4 { 4 } else { 8 };
        let table = PackedTable::new(self.obtain(spec, job, &built)?, bits, spec.entries);
        let table = table.expect("the store checks the length of a payload");
        let value = |entry| table.get(entry);
        job.prove(&spec.name, |cancel| pdb::prove_values(abstraction, &value, cancel));
        Ok(table)
    }

    /// The table of an abstraction with one or two bits for each entry, as `code` says.
    pub(crate) fn stripe_table(
        &self,
        spec: &TableSpec,
        abstraction: &dyn Abstraction,
        code: impl Into<StripeCode>,
        job: &Job<'_>,
    ) -> Result<StripeTable, Failure> {
        let code = code.into();
        let bytes = self.obtain(spec, job, &|options| {
            Ok(StripeTable::build(abstraction, code, options)?.into_bytes())
        })?;
        let table = StripeTable::new(bytes, abstraction.rows(), abstraction.columns(), code);
        let table =
            table.unwrap_or_else(|| unreachable!("the store checks the length of a payload"));
        job.prove(&spec.name, |cancel| table.prove(abstraction, cancel));
        Ok(table)
    }
}

/// The pages of a table are mapped after this time. A search that ends sooner reads only a few of
/// them.
const QUICK: Duration = Duration::from_millis(20);
/// If so many further states wait for the table, its pages are mapped at once.
const MANY: usize = 8;
/// Bytes whose pages are mapped at once.
const PART: usize = 8 << 20;

/// Maps the pages of a table after some time, ahead of the search that reads it, on a thread of its
/// own.
fn populate(bytes: Bytes, after: Duration) {
    let work = move || {
        std::thread::sleep(after);
        for at in (0..bytes.len()).step_by(PART) {
            bytes.populate(at, PART.min(bytes.len() - at));
        }
    };
    // Without a thread each page is mapped when it is read.
    let _ = std::thread::Builder::new().name("table pages".to_owned()).spawn(work);
}

/// Whether so many bytes fit in the memory that is free, or would be after dropping cached files.
/// True where the operating system does not say.
///
/// The pages of a larger table would push each other out.
fn fits(bytes: u64) -> bool {
    let told = std::fs::read_to_string("/proc/meminfo").ok();
    told.as_deref().and_then(available).is_none_or(|available| bytes <= available)
}

/// The available bytes in `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn available_memory_is_read_in_bytes() {
        let meminfo = "MemTotal:       24683520 kB\nMemAvailable:    1024 kB\n";
        assert_eq!(super::available(meminfo), Some(1 << 20));
        assert_eq!(super::available("MemTotal: 1 kB\n"), None);
    }
}
