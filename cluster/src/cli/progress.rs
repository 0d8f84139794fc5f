//! Progress of builds and counts, on standard error: [`Progress`].

use super::output::print_note;
use fewest::Watch;
use fewest::pdb::BuildObserver;
use fewest::pdb::file::TableError;
use fewest::search::{Cost, Observer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Tells what the job does: rank 0 alone.
#[derive(Debug)]
pub(super) struct Progress {
    tells: bool,
    unsaved: AtomicBool,
}

impl Progress {
    pub(super) fn new(tells: bool) -> Self {
        Self { tells, unsaved: AtomicBool::new(false) }
    }

    /// Whether a table was built, but not saved.
    pub(super) fn is_unsaved(&self) -> bool {
        self.unsaved.load(Relaxed)
    }

    fn tell(&self, text: std::fmt::Arguments<'_>) {
        if self.tells {
            print_note(text);
        }
    }
}

impl Observer for Progress {}

impl BuildObserver for Progress {
    fn layer(&self, depth: Cost, entries: u64, seen: u64, total: u64) {
        self.tell(format_args!("layer {depth}: {entries} entries, {seen} of {total} so far"));
    }
}

impl Watch for Progress {
    fn building(&self, table: &str, bytes: u64) {
        self.tell(format_args!("building {table}: {bytes} bytes"));
    }
    fn waiting(&self, table: &str) {
        self.tell(format_args!("waiting for another job that builds {table}"));
    }
    fn not_saved(&self, _: &str, error: &TableError) {
        self.unsaved.store(true, Relaxed);
        self.tell(format_args!("{error}"));
    }
}
