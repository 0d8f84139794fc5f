//! What all requests share: [`Server`].

use super::jobs::Job;
use super::pages::Pages;
use super::puzzles::Puzzles;
use super::queue::{self, Queue};
use fewest::Settings;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// What all requests share.
pub(super) struct Server {
    /// The folder of table files, memory and loading: the choice of the command line.
    pub(super) settings: Settings,
    pub(super) puzzles: Arc<Puzzles>,
    pub(super) pages: Pages,
    pub(super) queue: Arc<Queue<Job>>,
}

impl Server {
    /// Starts the threads that run jobs.
    ///
    /// # Errors
    /// If the system starts no threads.
    pub(super) fn start(gone_after: Duration, settings: Settings) -> io::Result<Self> {
        let (puzzles, queue) = (Arc::new(Puzzles::new(&settings)), Arc::default());
        let own = Arc::clone(&puzzles);
        queue::start(&queue, move |job: &Job| job.run(&own))?;
        Ok(Self { settings, puzzles, pages: Pages::new(gone_after), queue })
    }

    /// Stops the jobs of all pages, and waits until none runs: a build that is stopped removes its
    /// unfinished file. The handler of Ctrl-C bounds the wait.
    pub(super) fn end(&self) {
        self.pages.leave_all();
        while self.queue.is_busy() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::jobs::{Halt, Task};
    use crate::serve::puzzles::PuzzleChoice;
    use crate::serve::status::Phase;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::sync::mpsc::{Sender, channel};

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
        fn run(&self, _: &dyn fewest::Puzzle, job: &Job) -> Result<Phase, Halt> {
            self.began.send(()).expect("somebody waits");
            while !job.cancel.is_cancelled() {
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
        let server = Server::start(Duration::ZERO, Settings::default()).expect("threads");
        let (began, begun) = channel();
        let puzzle = serde_json::from_str(r#"{"name": "2x2x2"}"#).expect("a puzzle");
        let ended = Arc::new(AtomicBool::new(false));
        let task = Slow { puzzle, began, ended: Arc::clone(&ended) };
        let job = Arc::new(Job::new(1, Box::new(task), Arc::clone(&server.queue)));
        assert!(server.queue.add(1, Arc::clone(&job)).is_ok());
        begun.recv().expect("it begins");
        job.stop();
        server.end();
        assert!(ended.load(SeqCst));
    }
}
