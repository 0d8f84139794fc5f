//! Progress of builds and counts, on standard error: [`Progress`].

use fewest::{Event, Watch};
use fewest_terminal::{event_text, note};
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
}

impl Watch for Progress {
    fn event(&self, event: &Event<'_>) {
        if let Event::NotSaved { .. } = event {
            self.unsaved.store(true, Relaxed);
        }
        let layer = || match event {
            Event::Layer { depth, entries, seen, total } => {
                Some(format!("layer {depth}: {entries} entries, {seen} of {total} so far"))
            }
            _ => None,
        };
        if let Some(text) = event_text(event).or_else(layer).filter(|_| self.tells) {
            note(format_args!("fewest-cluster: {text}"));
        }
    }
}
