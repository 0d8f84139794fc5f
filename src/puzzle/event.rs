//! Progress: [`Event`], the [`Watch`] that receives it, and [`Events`], which makes it of what
//! searches and builds report.

use pdb::BuildObserver;
use pdb::file::TableError;
use search::{Cost, Iteration, Observer, Plan, Progress};
use serde::{Serialize, Serializer};
use std::path::Path;

/// One step of progress. As JSON it is what `--progress json` prints.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "progress", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event<'a> {
    /// Work that comes ahead of tables and searches begins, such as learning forbidden strings.
    Preparing {
        /// The work, for people.
        what: &'a str,
    },
    /// A table is built, because its file does not exist.
    Building {
        /// Its name.
        table: &'a str,
        /// Its bytes.
        bytes: u64,
    },
    /// Another process builds the table, and this process waits for it. Told once.
    Waiting {
        /// Its name.
        table: &'a str,
    },
    /// A table is ready to be read: built or loaded.
    Ready {
        /// Its name.
        table: &'a str,
        /// Its bytes.
        bytes: u64,
    },
    /// A table was built but could not be saved. The search uses it. The next run must build it
    /// again.
    NotSaved {
        /// Its name.
        table: &'a str,
        /// Why.
        #[serde(serialize_with = "as_text")]
        error: &'a TableError,
    },
    /// The files of the work so far could not be saved or removed. A stopped run may begin anew.
    NotKept {
        /// Why.
        #[serde(serialize_with = "as_text")]
        error: &'a TableError,
    },
    /// A layer of a build is complete: see [`BuildObserver::layer`].
    #[serde(rename = "build")]
    Layer {
        /// The distance of the layer.
        depth: Cost,
        /// Entries of the layer.
        entries: u64,
        /// Entries that have a distance by now.
        seen: u64,
        /// All entries.
        total: u64,
    },
    /// Rows of the layer in hand are processed: see [`BuildObserver::rows`].
    Rows {
        /// The distance of the layer.
        depth: Cost,
        /// Rows that are processed.
        rows: u64,
        /// All rows.
        total: u64,
    },
    /// The layers go to files, because they exceed the memory.
    OnDisk {
        /// The folder of the files.
        folder: &'a Path,
        /// Their bytes.
        bytes: u64,
    },
    /// A table is made from the layers on disk.
    Saving {
        /// Parts that are made.
        done: u64,
        /// All parts.
        total: u64,
    },
    /// A search on disk has ended.
    Moved {
        /// Bytes that it read.
        read: u64,
        /// Bytes that it wrote.
        written: u64,
    },
    /// A search has expanded some thousand more nodes.
    Search {
        /// The bound of the running iteration.
        bound: Cost,
        /// Generated nodes of this search.
        generated: u64,
        /// Generated nodes of the running iteration.
        generated_in_iteration: u64,
        /// No plan costs less.
        lower_bound: Cost,
        /// The cost of the best known plan.
        upper_bound: Option<Cost>,
        /// Parts of the iteration that are done.
        tasks_done: usize,
        /// All parts of the iteration.
        tasks: usize,
    },
    /// An iteration has ended, completely or not.
    Iteration {
        /// Its bound and its nodes.
        iteration: Iteration,
    },
    /// A search that improves its plans has found one of this cost.
    Improved {
        /// The cost.
        cost: Cost,
    },
    /// A near-optimal search has found a plan shorter than all before. The plan passed its replay,
    /// but is not proven optimal.
    Plan {
        /// The names of its operators.
        plan: &'a [String],
        /// The number of its operators.
        length: usize,
        /// No plan costs less.
        lower_bound: Cost,
        /// The cost of the plan.
        upper_bound: u64,
    },
}

impl<'a> Event<'a> {
    /// [`Event::Plan`] for a plan of this cost.
    pub fn plan(plan: &'a [String], cost: u64, lower_bound: Cost) -> Self {
        Self::Plan { plan, length: plan.len(), lower_bound, upper_bound: cost }
    }
}

fn as_text<S: Serializer>(error: &TableError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// Receives progress. Threads of a search call it at the same time.
pub trait Watch: Sync {
    /// Called for each step.
    fn event(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + Sync> Watch for F {
    fn event(&self, event: &Event<'_>) {
        self(event);
    }
}

/// A [`Watch`] that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Watch for Quiet {
    fn event(&self, _: &Event<'_>) {}
}

/// Turns what searches and builds report into events.
#[derive(Clone, Copy)]
pub struct Events<'a>(pub &'a dyn Watch);

impl std::fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}

impl Observer for Events<'_> {
    fn progress(&self, progress: &Progress) {
        self.0.event(&Event::Search {
            bound: progress.bound,
            generated: progress.generated,
            generated_in_iteration: progress.generated_in_iteration,
            lower_bound: progress.lower_bound,
            upper_bound: progress.upper_bound,
            tasks_done: progress.tasks.0,
            tasks: progress.tasks.1,
        });
    }
    fn iteration(&self, iteration: &Iteration) {
        self.0.event(&Event::Iteration { iteration: *iteration });
    }
    fn improved(&self, _: &Plan, cost: Cost) {
        self.0.event(&Event::Improved { cost });
    }
}

impl BuildObserver for Events<'_> {
    fn layer(&self, depth: Cost, entries: u64, seen: u64, total: u64) {
        self.0.event(&Event::Layer { depth, entries, seen, total });
    }
    fn rows(&self, depth: Cost, rows: u64, total: u64) {
        self.0.event(&Event::Rows { depth, rows, total });
    }
    fn on_disk(&self, folder: &Path, bytes: u64) {
        self.0.event(&Event::OnDisk { folder, bytes });
    }
    fn saving(&self, done: u64, total: u64) {
        self.0.event(&Event::Saving { done, total });
    }
    fn moved(&self, read: u64, written: u64) {
        self.0.event(&Event::Moved { read, written });
    }
    fn not_kept(&self, error: &TableError) {
        self.0.event(&Event::NotKept { error });
    }
}
