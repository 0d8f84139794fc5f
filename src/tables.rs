//! Gets the tables of a configuration: loads them from their folder, or builds and saves them.

use crate::memory::room_beside;
use crate::puzzle::{Event, Events, Failure, Result, TableStep, TableTeam, TooLittleMemory};
use crate::run::Run;
use crate::settings::{Loading, Settings};
use pdb::file::{Checkpoint, Load, ObtainError, TableSpec, TableStore};
use pdb::layers::{
    DiskOptions, ExhaustError, ExhaustOptions, ExhaustReport, build_on_disk,
    build_remainders_on_disk, build_stripes_on_disk, exhaust, exhaust_on_disk, remove_layers,
};
use pdb::memory::Bytes;
use pdb::table::{Modulo3, StripeCode, StripeTable};
use pdb::{Abstraction, BuildError, BuildObserver, BuildOptions, PackedTable, build};
use search::CancelToken;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of the table files and the way to load them. Without a folder, every table is built.
#[derive(Clone)]
pub(crate) struct TableSource {
    store: Option<TableStore>,
    loading: Loading,
    /// Where the layers of tables go that exceed `memory` bytes.
    disk: Option<PathBuf>,
    memory: u64,
}

/// Builds a table with its layers on disk, and saves its file in the store.
pub(crate) type DiskBuild<'a> =
    dyn Fn(&Checkpoint, &DiskOptions<'_>, &TableStore) -> Result<(), ExhaustError> + 'a;

/// The description of a table as JSON.
pub(crate) fn described(description: impl Serialize) -> Value {
    serde_json::to_value(description)
        .unwrap_or_else(|error| unreachable!("names and numbers are JSON: {error}"))
}

/// Least time between two checkpoints of a build.
const EVERY: Duration = Duration::from_secs(60);

/// The checkpoint of a build or a search, in a folder.
pub(crate) fn checkpoint_in(folder: &Path, name: String, description: &Value) -> Checkpoint {
    let (store, description) = (TableStore::new(folder), description.clone());
    Checkpoint { store, name, description, every: EVERY }
}

/// Where a build on disk keeps its layers.
fn layers_in(folder: &Path, spec: &TableSpec) -> Checkpoint {
    checkpoint_in(folder, format!("{}-disk", spec.name), &spec.description)
}

/// The [`Failure`] of a build on disk.
fn of_build(spec: &TableSpec, error: ExhaustError) -> Failure {
    of_layers(&spec.name, "the build on disk", error)
}

/// The [`Failure`] for layers that could not be made. `what` is the work that made them.
fn of_layers(table: &str, what: &str, error: ExhaustError) -> Failure {
    match error {
        ExhaustError::Build(error) => Failure::Build { table: table.to_owned(), error },
        ExhaustError::File(error) => Failure::of_table(error),
        ExhaustError::Limit { needed, limit, .. } => {
            TooLittleMemory::new(what, needed, limit).into()
        }
        other => Failure::refused(format_args!("{what}: {other}")),
    }
}

impl TableSource {
    /// The folder and the way of loading that the settings name.
    pub(crate) fn new(settings: &Settings) -> Self {
        let store = settings.tables.clone().map(TableStore::new);
        let (disk, memory) = (settings.disk.clone(), settings.memory);
        Self { store, loading: settings.loading, disk, memory }
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

    /// Whether the folder has a file with a name that `is_own` takes.
    pub(crate) fn has_any(&self, is_own: impl Fn(&str) -> bool) -> bool {
        let files = self.store.as_ref().and_then(|store| store.folder.read_dir().ok());
        let mut names = files.into_iter().flatten().flatten().map(|file| file.file_name());
        names.any(|name| name.to_str().is_some_and(&is_own))
    }

    /// Loads or builds the payload of a table. A damaged or wrong file is an error; it is not
    /// replaced. `on_disk` builds the table if there is a folder for layers, and the table exceeds
    /// the memory, or `bytes_to_build` exceed what work may take.
    ///
    /// If a built table cannot be saved, the table is still returned, and [`Event::NotSaved`] is
    /// told.
    pub(crate) fn obtain(
        &self,
        (spec, bytes_to_build): (&TableSpec, u64),
        run: &Run<'_>,
        in_memory: &dyn Fn(&BuildOptions<'_>) -> Result<Bytes, BuildError>,
        on_disk: &DiskBuild<'_>,
    ) -> Result<Bytes> {
        if let (Some(folder), true) = (&self.disk, self.has(&spec.name)) {
            // A build may have been killed between its table and the end. The table is there
            // whether or not the layers can be removed.
            match remove_layers(&layers_in(folder, spec)) {
                Err(ExhaustError::File(error)) => run.tell(&Event::NotKept { error: &error }),
                removed => removed.map_err(|error| of_build(spec, error))?,
            }
        }
        let build = || {
            run.tell(&Event::Building { table: &spec.name, bytes: spec.payload_bytes });
            match self.disk_for(spec, bytes_to_build) {
                Some(folder) => self.build_on_disk(spec, folder, run, on_disk).map(|()| None),
                None => self.build_in_memory(spec, run, in_memory).map(Some),
            }
        };
        match run.request.team {
            Some(team) => self.obtain_with(team, spec, run, &build),
            None => self.load_or_build(spec, run, &build),
        }
    }

    /// Builds a table in memory. It is kept from time to time, so that a later run goes on.
    fn build_in_memory(
        &self,
        spec: &TableSpec,
        run: &Run<'_>,
        build: &dyn Fn(&BuildOptions<'_>) -> Result<Bytes, BuildError>,
    ) -> Result<Bytes> {
        let mut checkpoint = self.checkpoint(spec.name.clone(), &spec.description);
        if let (Some(checkpoint), Some(time)) = (&mut checkpoint, run.request.deadline) {
            // A later run with the same deadline continues from the last checkpoint.
            checkpoint.every = checkpoint.every.min(time / 8);
        }
        let events = run.events();
        build(&run.build_options(checkpoint.as_ref(), &events))
            .map_err(|error| Failure::Build { table: spec.name.clone(), error })
    }

    /// The folder of the layers, if the table must be built on disk.
    fn disk_for(&self, spec: &TableSpec, bytes_to_build: u64) -> Option<&Path> {
        let work = self.memory.saturating_add(room_beside(self.memory));
        let large = spec.payload_bytes > self.memory || bytes_to_build > work;
        self.disk.as_deref().filter(|_| large)
    }

    /// As [`TableSource::load_or_build`], together with other processes: the leader saves the
    /// table, and the others load it.
    fn obtain_with(
        &self,
        team: &dyn TableTeam,
        spec: &TableSpec,
        run: &Run<'_>,
        build: &dyn Fn() -> Result<Option<Bytes>>,
    ) -> Result<Bytes> {
        let agree = |step| team.agree(&spec.name, step);
        if team.leads() {
            let build = || agree(TableStep::Build).and_then(|_| build());
            let obtained = self.load_or_build(spec, run, &build);
            agree(if obtained.is_ok() { TableStep::Done } else { TableStep::Failed })?;
            return obtained;
        }
        let (mut step, mut built) = (agree(TableStep::Done)?, None);
        if step == TableStep::Build {
            built = build().err();
            step = agree(TableStep::Done)?;
        }
        let elsewhere =
            || Failure::Build { table: spec.name.clone(), error: BuildError::Elsewhere };
        match (step, built) {
            (TableStep::Done, _) => self.load_or_build(spec, run, &|| Err(elsewhere())),
            // The leader tells what failed, unless this process knows it.
            (_, Some(Failure::Build { error: BuildError::Elsewhere, .. }) | None) => {
                Err(Failure::Cancelled)
            }
            (_, Some(failure)) => Err(failure),
        }
    }

    /// Loads the payload of a table. If there is no file, calls `build`, which returns `None` if it
    /// has saved the file.
    fn load_or_build(
        &self,
        spec: &TableSpec,
        run: &Run<'_>,
        build: &dyn Fn() -> Result<Option<Bytes>>,
    ) -> Result<Bytes> {
        let bytes = self.obtain_sized(&|_| spec.clone(), &run.request.cancel, run, build)?;
        run.note_table(spec, &bytes);
        run.tell(&Event::Ready { table: &spec.name, bytes: spec.payload_bytes });
        Ok(bytes)
    }

    /// As [`TableSource::obtain`], for a payload whose length its build decides: see
    /// [`TableStore::obtain_sized`]. `cancel` ends the work.
    pub(crate) fn obtain_sized(
        &self,
        spec_of: &dyn Fn(u64) -> TableSpec,
        cancel: &CancelToken,
        run: &Run<'_>,
        build: impl FnOnce() -> Result<Option<Bytes>>,
    ) -> Result<Bytes> {
        let spec = &spec_of(1);
        let mut told = false;
        let mut wait = || {
            if !told {
                run.tell(&Event::Waiting { table: &spec.name });
            }
            told = true;
            !cancel.is_cancelled()
        };
        match &self.store {
            None => build()?.ok_or_else(|| self.without_folder(spec)),
            Some(store) => {
                let load = if self.loading == Loading::Ram { Load::Ram } else { Load::Mmap };
                let obtained = store.obtain_sized(spec_of, (load, cancel), &mut wait, build);
                let obtained = obtained.map_err(|error| match error {
                    ObtainError::Table(error) => Failure::File(error),
                    ObtainError::Build(failure) => failure,
                    ObtainError::Cancelled => Failure::Cancelled,
                })?;
                if let Some(Err(error)) = &obtained.saved {
                    run.tell(&Event::NotSaved { table: &spec.name, error });
                }
                if let Some(check) = obtained.check {
                    run.check(check)?;
                }
                let whole = self.disk.is_none() && fits(obtained.bytes.len() as u64);
                if self.loading == Loading::Auto && whole {
                    // Many states read most pages, so that nothing is gained by a later start.
                    let quick =
                        if run.request.backlog.states() < MANY { QUICK } else { Duration::ZERO };
                    populate(obtained.bytes.clone(), quick);
                }
                Ok(obtained.bytes)
            }
        }
    }

    /// The error that the payload of a table's file is wrong, though its checksums are right.
    pub(crate) fn wrong_contents(
        &self,
        name: &str,
        found: &'static str,
        expected: &'static str,
    ) -> Failure {
        match &self.store {
            Some(store) => Failure::File(store.wrong_contents(name, found, expected)),
            None => Failure::refused(format_args!("{name} is {found}, expected {expected}")),
        }
    }

    /// The table of exact distances of an abstraction, with `BITS` (4 or 8) bits for each entry.
    pub(crate) fn exact<const BITS: usize>(
        &self,
        spec: &TableSpec,
        abstraction: &dyn Abstraction,
        run: &Run<'_>,
    ) -> Result<PackedTable> {
        let in_memory =
            |options: &BuildOptions<'_>| Ok(build::<BITS>(abstraction, options)?.into_bytes());
        let on_disk = |checkpoint: &Checkpoint, options: &DiskOptions<'_>, store: &TableStore| {
            build_on_disk::<BITS>(abstraction, checkpoint, options, (store, spec))
        };
        let bytes = self.obtain((spec, spec.payload_bytes), run, &in_memory, &on_disk)?;
        let table = PackedTable::new(bytes, if BITS == 4 { 4 } else { 8 }, spec.entries);
        let table = table.expect("the store checks the length of a payload");
        let value = |entry| table.get(entry);
        let mut goals = Vec::new();
        abstraction.goals(&mut goals);
        if self.saves() && goals.iter().any(|&goal| value(goal) > 0) {
            // With such a table, no bound would reach a goal.
            return Err(self.wrong_contents(&spec.name, "above 0 at a goal", "0 at all goals"));
        }
        run.prove_table(&spec.name, |cancel| pdb::prove_values(abstraction, &value, cancel));
        Ok(table)
    }

    /// Builds a table with its layers on disk, and saves its file.
    fn build_on_disk(
        &self,
        spec: &TableSpec,
        folder: &Path,
        run: &Run<'_>,
        build: &DiskBuild<'_>,
    ) -> Result<()> {
        let store = self.store.as_ref().ok_or_else(|| self.without_folder(spec))?;
        let events = run.events();
        let options = self.disk_options(0, run, &events);
        build(&layers_in(folder, spec), &options, store).map_err(|error| of_build(spec, error))
    }

    fn disk_options<'a>(
        &self,
        antipodes: usize,
        run: &'a Run<'_>,
        events: &'a Events<'a>,
    ) -> DiskOptions<'a> {
        let (cancel, observer) = (Some(&run.request.cancel), Some::<&dyn BuildObserver>(events));
        DiskOptions { cancel, observer, memory: self.memory, spill: None, antipodes }
    }

    /// Whether layers that exceed the memory may go to the disk.
    pub(crate) fn has_disk(&self) -> bool {
        self.disk.is_some()
    }

    /// Counts the entries of an abstraction at each distance, with two bits for each: in memory, or
    /// else on disk. `None` if they do not fit the memory, and there is no folder for them. Files
    /// get the name and the description of `of`.
    pub(crate) fn exhaust(
        &self,
        pattern: &dyn Abstraction,
        (name, description): (&str, &Value),
        antipodes: usize,
        run: &Run<'_>,
    ) -> Result<Option<ExhaustReport>> {
        let checkpoint = self.checkpoint(format!("{name}-layers"), description);
        let events = run.events();
        let build = run.build_options(checkpoint.as_ref(), &events);
        // In a team, each process has only a part.
        let limit = run.request.team.is_none().then_some(self.memory);
        let found =
            match exhaust(pattern, &ExhaustOptions { build, limit, antipodes, watched: &[] }) {
                Err(ExhaustError::Limit { .. }) => {
                    let Some(folder) = &self.disk else { return Ok(None) };
                    let checkpoint = checkpoint_in(folder, format!("{name}-disk"), description);
                    exhaust_on_disk(
                        pattern,
                        &checkpoint,
                        &self.disk_options(antipodes, run, &events),
                    )
                }
                found => found,
            };
        found.map(Some).map_err(|error| of_layers(name, "the search on disk", error))
    }

    /// Counts watched entries of an abstraction at each distance, in memory. `None` if it does not
    /// fit. The entries ascend.
    pub(crate) fn reach(
        &self,
        pattern: &dyn Abstraction,
        watched: &[u64],
        run: &Run<'_>,
    ) -> Result<Option<ExhaustReport>> {
        run.alone("states are counted from a goal")?;
        let events = run.events();
        let build = run.build_options(None, &events);
        let options = ExhaustOptions { build, limit: Some(self.memory), antipodes: 0, watched };
        match exhaust(pattern, &options) {
            Err(ExhaustError::Limit { .. }) => Ok(None),
            found => found.map(Some).map_err(|error| of_layers("layers", "the count", error)),
        }
    }

    /// The error that a table on disk has no file.
    fn without_folder(&self, spec: &TableSpec) -> Failure {
        let (name, memory) = (&spec.name, self.memory);
        Failure::refused(format_args!(
            "table {name} exceeds the memory of {memory} bytes: expected a folder for its file"
        ))
    }

    /// The table of an abstraction with one or two bits for each entry, as `code` says.
    pub(crate) fn stripe_table(
        &self,
        spec: &TableSpec,
        abstraction: &dyn Abstraction,
        code: impl Into<StripeCode>,
        run: &Run<'_>,
    ) -> Result<StripeTable> {
        let code = code.into();
        let in_memory = |options: &BuildOptions<'_>| {
            Ok(StripeTable::build(abstraction, code, options)?.into_bytes())
        };
        let on_disk = |checkpoint: &Checkpoint, options: &DiskOptions<'_>, store: &TableStore| {
            build_stripes_on_disk(abstraction, code, checkpoint, options, (store, spec))
        };
        let bytes = self.obtain((spec, spec.payload_bytes), run, &in_memory, &on_disk)?;
        let table = StripeTable::new(bytes, abstraction.rows(), abstraction.columns(), code);
        let table =
            table.unwrap_or_else(|| unreachable!("the store checks the length of a payload"));
        run.prove_table(&spec.name, |cancel| table.prove(abstraction, cancel));
        Ok(table)
    }

    /// The table of the distances of an abstraction modulo 3.
    pub(crate) fn remainders(
        &self,
        spec: &TableSpec,
        abstraction: &dyn Abstraction,
        run: &Run<'_>,
    ) -> Result<Modulo3> {
        let in_memory =
            |options: &BuildOptions<'_>| Ok(Modulo3::build(abstraction, options)?.into_bytes());
        let on_disk = |checkpoint: &Checkpoint, options: &DiskOptions<'_>, store: &TableStore| {
            build_remainders_on_disk(abstraction, checkpoint, options, (store, spec))
        };
        let bytes = self.obtain((spec, spec.payload_bytes), run, &in_memory, &on_disk)?;
        let table = Modulo3::new(bytes, spec.entries)
            .unwrap_or_else(|| unreachable!("the store checks the length of a payload"));
        run.prove_table(&spec.name, |cancel| table.prove(abstraction, cancel));
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
