//! The plans of a search for several, one by one, while it runs: [`Plans`].

use crate::errors;
use crate::options::json;
use crate::waiting::{Ended, TICK, caught, is_set};
use fewest::search::CancelToken;
use fewest::{Answer, Failure, Puzzle, Request};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of plans that wait for the caller before the search waits, too.
const AHEAD: usize = 16;

/// What a search sends.
enum Message {
    Plan(Vec<String>),
    /// The result of the search: the last message.
    Ended(Box<Ended<Result<Answer, Failure>>>),
}

/// A running search. It ends soon after it is closed or dropped.
#[pyclass(frozen, module = "fewest._fewest")]
pub(crate) struct Plans {
    cancel: CancelToken,
    /// `None` after the last message, and after a call of `close`.
    receiver: Mutex<Option<Receiver<Message>>>,
}

impl Plans {
    /// Starts a search on threads of its own: the caller may use the solver's threads meanwhile.
    pub(crate) fn start(
        pool: &ThreadPool,
        puzzle: Arc<dyn Puzzle>,
        state: String,
        request: Request<'static>,
    ) -> Self {
        let cancel = request.cancel.clone();
        let (sender, receiver) = sync_channel(AHEAD);
        pool.spawn(move || {
            let cancel = request.cancel.clone();
            let tell = |plan: &[String], _: u64| {
                // Nobody listens any more.
                if sender.send(Message::Plan(plan.to_vec())).is_err() {
                    cancel.cancel();
                }
            };
            let ended = caught(|| puzzle.solve(&state, &request.on_plan(&tell)));
            let _ = sender.send(Message::Ended(ended.into()));
        });
        Self { cancel, receiver: Mutex::new(Some(receiver)) }
    }

    /// The next message. `None` if none came within a [`TICK`].
    ///
    /// # Errors
    /// If there is no further message.
    fn receive(&self) -> Result<Option<Message>, RecvTimeoutError> {
        let receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        let received = receiver.as_ref().map(|receiver| receiver.recv_timeout(TICK));
        match received.unwrap_or(Err(RecvTimeoutError::Disconnected)) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(ended) => Err(ended),
        }
    }
}

#[pymethods]
impl Plans {
    /// Waits for a plan (a list), or for the answer (JSON) if the search has no further plans.
    /// Runs signal handlers meanwhile. Once `event` is set, the search is told to end.
    ///
    /// # Errors
    /// If a signal handler raised, or the search failed, or the answer was returned before.
    fn next<'py>(&self, py: Python<'py>, event: Option<Bound<'py, PyAny>>) -> PyResult<Py<PyAny>> {
        loop {
            let received = py.detach(|| self.receive());
            py.check_signals()?;
            if is_set(event.as_ref())? {
                self.cancel.cancel();
            }
            let ended = match received {
                Ok(None) => continue,
                Ok(Some(Message::Plan(plan))) => return plan.into_py_any(py),
                Ok(Some(Message::Ended(ended))) => ended,
                Err(_) => return Err(errors::of_panic(py, &"the search has no further plans")),
            };
            self.close();
            return match *ended {
                Ok(Ok(answer)) => json(py, &answer)?.into_py_any(py),
                Ok(Err(failure)) => Err(errors::of_failure(py, &failure)),
                Err(panic) => Err(errors::of_panic(py, &*panic)),
            };
        }
    }

    /// Tells the search to end. Returns at once.
    fn close(&self) {
        self.cancel.cancel();
        *self.receiver.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Drop for Plans {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
