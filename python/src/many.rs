//! Many states of one puzzle, on all threads.

use crate::errors;
use crate::threads;
use crate::waiting::{Attention, Ended, caught};
use fewest::{Answer, Backlog, Failure, Puzzle, Request};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The index of a state, and its answer.
type Numbered = (usize, Ended<Result<Answer, Failure>>);

/// Solves states. Calls `tell` with the index of each and its answer, as soon as it is there.
///
/// The first state is solved on all threads of the pool, which builds the tables. Then each thread
/// solves one state at a time.
pub(crate) fn solve(
    attention: &Attention<'_>,
    pool: &ThreadPool,
    (puzzle, states, request): (&Arc<dyn Puzzle>, Vec<String>, Request<'static>),
    mut tell: impl FnMut(usize, Answer) -> PyResult<()>,
) -> PyResult<()> {
    let Some(first) = states.first().cloned() else { return Ok(()) };
    let mut take = |(index, ended): Numbered| match ended {
        Ok(Ok(answer)) => tell(index, answer),
        Ok(Err(failure)) => Err(errors::of_failure(attention.py, &failure)),
        Err(panic) => Err(errors::of_panic(attention.py, &*panic)),
    };
    let backlog = Backlog::new();
    states.iter().skip(1).for_each(|_| backlog.add());
    let request = request.backlog(backlog);
    let (first_puzzle, first_request) = (Arc::clone(puzzle), request.clone());
    let ended =
        attention.run(pool, move || caught(|| first_puzzle.solve(&first, &first_request)))?;
    take((0, ended))?;
    let receiver = start(attention.py, pool.current_num_threads(), puzzle, states, &request)?;
    attention.listen(receiver, take)
}

/// Starts threads that solve all states but the first.
fn start(
    py: Python<'_>,
    number: usize,
    puzzle: &Arc<dyn Puzzle>,
    states: Vec<String>,
    request: &Request<'static>,
) -> PyResult<Receiver<Numbered>> {
    let workers = number.min(states.len() - 1);
    let (states, next) = (Arc::new(states), Arc::new(AtomicUsize::new(1)));
    let (sender, receiver) = channel();
    for _ in 0..workers {
        let worker = Worker {
            puzzle: Arc::clone(puzzle),
            states: Arc::clone(&states),
            next: Arc::clone(&next),
            request: request.clone(),
            sender: sender.clone(),
        };
        // The threads of a pool that is dropped end when they have no more work.
        threads::start(py, "fewest", number / workers)?.spawn(move || worker.run());
    }
    Ok(receiver)
}

/// Solves one state after the other, until none is left or nobody listens.
struct Worker {
    puzzle: Arc<dyn Puzzle>,
    states: Arc<Vec<String>>,
    /// The index of the next state.
    next: Arc<AtomicUsize>,
    request: Request<'static>,
    sender: Sender<Numbered>,
}

impl Worker {
    fn run(self) {
        let indices = std::iter::repeat_with(|| self.next.fetch_add(1, Relaxed));
        for index in indices.take_while(|&index| index < self.states.len()) {
            self.request.backlog.take();
            let ended = caught(|| self.puzzle.solve(&self.states[index], &self.request));
            if self.sender.send((index, ended)).is_err() {
                return;
            }
        }
    }
}
