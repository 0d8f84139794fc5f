//! The jobs that wait, and the threads that run them: [`AT_ONCE`] at a time, in order.

use super::Server;
use super::jobs::Job;
use super::refusal::Refusal;
use axum::http::StatusCode;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How many jobs run at once.
pub(super) const AT_ONCE: usize = 2;
/// How many jobs may wait, those of all pages together.
const MOST_WAITING: usize = 1000;

/// The jobs that wait for a thread.
pub(super) struct Queue {
    waiting: Mutex<VecDeque<Arc<Job>>>,
    more: Condvar,
    /// How many jobs run now, also jobs that their pages have forgotten.
    running: AtomicUsize,
    /// Changes when a job of any page changes, or its place in the queue.
    changes: watch::Sender<u64>,
}

impl Default for Queue {
    fn default() -> Self {
        let (waiting, more, running) = (Mutex::default(), Condvar::new(), AtomicUsize::new(0));
        Self { waiting, more, running, changes: watch::Sender::new(0) }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Job>>> {
        // No code that can panic holds the lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job at the end.
    ///
    /// # Errors
    /// If too many jobs wait.
    pub(super) fn add(&self, job: Arc<Job>) -> Result<(), Refusal> {
        let mut waiting = self.lock();
        if waiting.len() >= MOST_WAITING {
            let message = format_args!("{MOST_WAITING} jobs wait already: try again later");
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        waiting.push_back(job);
        drop(waiting);
        self.more.notify_one();
        self.changed();
        Ok(())
    }

    /// Takes a job out of the queue. Returns false if it does not wait.
    pub(super) fn remove(&self, job: &Job) -> bool {
        let mut waiting = self.lock();
        let before = waiting.len();
        waiting.retain(|one| one.id() != job.id());
        let removed = waiting.len() < before;
        drop(waiting);
        self.changed();
        removed
    }

    /// The jobs that wait, in order.
    pub(super) fn waiting(&self) -> Vec<u64> {
        self.lock().iter().map(|job| job.id()).collect()
    }

    /// The place of a job that waits, from 1.
    pub(super) fn place(&self, id: u64) -> Option<usize> {
        self.lock().iter().position(|job| job.id() == id).map(|before| before + 1)
    }

    /// Waits for a job and takes it.
    fn take(&self) -> Arc<Job> {
        let mut waiting = self.lock();
        loop {
            if let Some(job) = waiting.pop_front() {
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

/// Starts the threads that run jobs. Each has a pool of its own, so that a short search does not
/// wait for the tasks of a long one.
pub(super) fn start(server: &Arc<Server>) -> io::Result<()> {
    for number in 0..AT_ONCE {
        let threads = rayon::current_num_threads();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(io::Error::other)?;
        let server = Arc::clone(server);
        std::thread::Builder::new().name(format!("jobs {number}")).spawn(move || {
            loop {
                let job = server.queue.take();
                // A defect ends this job and no other.
                let ended = catch_unwind(AssertUnwindSafe(|| pool.install(|| job.run(&server))));
                if ended.is_err() {
                    job.fail_by_defect();
                }
                server.queue.running.fetch_sub(1, SeqCst);
            }
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::puzzles::PuzzleChoice;
    use crate::serve::tasks::{Halt, Task};
    use crate::serve::watch::Phase;
    use fewest::Settings;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    /// Work that goes on for a while after it is cancelled.
    struct Slow {
        puzzle: PuzzleChoice,
        began: Sender<()>,
        ended: Arc<AtomicBool>,
    }

    impl Task for Slow {
        fn kind(&self) -> &'static str {
            "slow"
        }
        fn puzzle(&self) -> &PuzzleChoice {
            &self.puzzle
        }
        fn run(
            &self,
            _: &dyn fewest::Puzzle,
            engine: fewest::Request<'_>,
            _: &Job,
        ) -> Result<Phase, Halt> {
            self.began.send(()).expect("somebody waits");
            while !engine.cancel.is_cancelled() {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(200));
            self.ended.store(true, SeqCst);
            Err(Halt::Cancelled)
        }
    }

    /// The end of the server waits for a running job that its page has deleted.
    #[test]
    fn a_forgotten_job_is_waited_for() {
        let server =
            Arc::new(Server::new(0, None, Duration::ZERO, Settings::default()).expect("a server"));
        start(&server).expect("threads");
        let (began, begun) = channel();
        let puzzle = serde_json::from_str(r#"{"name": "2x2x2"}"#).expect("a puzzle");
        let ended = Arc::new(AtomicBool::new(false));
        let task = Slow { puzzle, began, ended: Arc::clone(&ended) };
        let job = Arc::new(Job::new(1, Box::new(task), Arc::clone(&server.queue)));
        assert!(server.queue.add(Arc::clone(&job)).is_ok());
        begun.recv().expect("it begins");
        job.stop();
        server.end();
        assert!(ended.load(SeqCst));
    }
}
