//! Progress of builds and counts, on standard error: [`Progress`].

use super::output::print_note;
use fewest::{Event, Watch};
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

impl Watch for Progress {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Layer { depth, entries, seen, total } => {
                self.tell(format_args!(
                    "layer {depth}: {entries} entries, {seen} of {total} so far"
                ));
            }
            Event::Building { table, bytes } => {
                self.tell(format_args!("building {table}: {bytes} bytes"));
            }
            Event::Waiting { table } => {
                self.tell(format_args!("waiting for another job that builds {table}"));
            }
            Event::NotSaved { error, .. } => {
                self.unsaved.store(true, Relaxed);
                self.tell(format_args!("{error}"));
            }
            _ => {}
        }
    }
}
