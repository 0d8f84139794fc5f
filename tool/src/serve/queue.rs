//! The jobs that wait, and the threads that run them: [`AT_ONCE`] at a time, in order.

use super::refusal::Refusal;
use axum::http::StatusCode;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How many jobs run at once.
pub(super) const AT_ONCE: usize = 2;
/// How many jobs may wait, those of all pages together.
const MOST_WAITING: usize = 1000;

/// The jobs that wait for a thread, each with its number.
pub(super) struct Queue<J> {
    waiting: Mutex<VecDeque<(u64, Arc<J>)>>,
    more: Condvar,
    /// How many jobs run now, also jobs that their pages have forgotten.
    running: AtomicUsize,
    /// Changes when a job of any page changes, or its place in the queue.
    changes: watch::Sender<u64>,
}

impl<J> Default for Queue<J> {
    fn default() -> Self {
        let (waiting, more, running) = (Mutex::default(), Condvar::new(), AtomicUsize::new(0));
        Self { waiting, more, running, changes: watch::Sender::new(0) }
    }
}

impl<J> Queue<J> {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, Arc<J>)>> {
        // No code that can panic holds the lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job at the end.
    ///
    /// # Errors
    /// If too many jobs wait.
    pub(super) fn add(&self, id: u64, job: Arc<J>) -> Result<(), Refusal> {
        let mut waiting = self.lock();
        if waiting.len() >= MOST_WAITING {
            let message = format_args!("{MOST_WAITING} jobs wait already: try again later");
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        waiting.push_back((id, job));
        drop(waiting);
        self.more.notify_one();
        self.changed();
        Ok(())
    }

    /// Takes a job out of the queue. Returns false if it does not wait.
    pub(super) fn remove(&self, id: u64) -> bool {
        let mut waiting = self.lock();
        let before = waiting.len();
        waiting.retain(|(one, _)| *one != id);
        let removed = waiting.len() < before;
        drop(waiting);
        self.changed();
        removed
    }

    /// The jobs that wait, in order.
    pub(super) fn waiting(&self) -> Vec<u64> {
        self.lock().iter().map(|(id, _)| *id).collect()
    }

    /// The place of a job that waits, from 1.
    pub(super) fn place(&self, id: u64) -> Option<usize> {
        self.lock().iter().position(|(one, _)| *one == id).map(|before| before + 1)
    }

    /// Waits for a job and takes it.
    fn take(&self) -> Arc<J> {
        let mut waiting = self.lock();
        loop {
            if let Some((_, job)) = waiting.pop_front() {
                self.running.fetch_add(1, SeqCst);
                drop(waiting);
                self.changed();
                return job;
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a job runs.
    pub(super) fn is_busy(&self) -> bool {
        self.running.load(SeqCst) > 0
    }

    /// Tells all pages that something changed.
    pub(super) fn changed(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    /// A receiver that hears of every change.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

/// Starts the threads that run jobs by `run`, which does not panic. Each has a pool of its own, so
/// that a short search does not wait for the tasks of a long one.
pub(super) fn start<J: Send + Sync + 'static>(
    queue: &Arc<Queue<J>>,
    run: impl Fn(&J) + Clone + Send + Sync + 'static,
) -> io::Result<()> {
    for number in 0..AT_ONCE {
        let threads = rayon::current_num_threads();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(io::Error::other)?;
        let (queue, run) = (Arc::clone(queue), run.clone());
        std::thread::Builder::new().name(format!("jobs {number}")).spawn(move || {
            loop {
                let job = queue.take();
                pool.install(|| run(&job));
                queue.running.fetch_sub(1, SeqCst);
            }
        })?;
    }
    Ok(())
}
