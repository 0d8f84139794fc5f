//! Waits for work of other threads, and looks for signals meanwhile.
//!
//! The interpreter is free while a call waits. Every [`TICK`] the waiting thread takes it back. It
//! runs pending signal handlers (Ctrl-C), and tells the progress. If a handler or a callback
//! raises, the work is told to end, and the call ends at once: the work owns all that it uses.

use crate::errors;
use crate::monitor::Monitor;
use fewest::search::CancelToken;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Time between two looks for signals.
pub(crate) const TICK: Duration = Duration::from_millis(20);
/// Least time between two calls of the progress callback.
const INTERVAL: Duration = Duration::from_millis(100);

/// The result of work, or its panic.
pub(crate) type Ended<T> = std::thread::Result<T>;

/// Runs work on this thread, and catches its panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Ended<T> {
    catch_unwind(AssertUnwindSafe(work))
}

/// Whether an object like `threading.Event` is set. False without one.
pub(crate) fn is_set(event: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    event.map_or(Ok(false), |event| event.call_method0("is_set")?.is_truthy())
}

/// How a call can be stopped, and whom it tells its progress.
pub(crate) struct Attention<'py> {
    pub(crate) py: Python<'py>,
    /// Stops the work.
    pub(crate) cancel: CancelToken,
    /// An object like `threading.Event`. Once it is set, the work is stopped.
    pub(crate) event: Option<Bound<'py, PyAny>>,
    /// A function that takes a dict.
    pub(crate) on_progress: Option<Bound<'py, PyAny>>,
    pub(crate) monitor: Arc<Monitor>,
}

impl<'py> Attention<'py> {
    pub(crate) fn new(
        py: Python<'py>,
        event: Option<Bound<'py, PyAny>>,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> Self {
        Self { py, cancel: CancelToken::new(), event, on_progress, monitor: Monitor::new().into() }
    }

    /// Runs work on the threads of a pool.
    ///
    /// # Errors
    /// If a signal handler or a callback raised, or the work panicked.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        pool: &ThreadPool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        let (sender, receiver) = sync_channel(1);
        pool.spawn(move || {
            // Nobody listens after a signal.
            let _ = sender.send(caught(work));
        });
        let mut result = None;
        self.listen(receiver, |ended: Ended<T>| {
            result = Some(ended);
            Ok(())
        })?;
        match result {
            Some(Ok(result)) => Ok(result),
            Some(Err(panic)) => Err(errors::of_panic(self.py, &*panic)),
            None => Err(errors::of_panic(self.py, &"the work ended without a result")),
        }
    }

    /// Takes messages until all senders are gone.
    ///
    /// # Errors
    /// If `take`, a signal handler or a callback raised. Then the work is told to end.
    pub(crate) fn listen<M: Send>(
        &self,
        mut receiver: Receiver<M>,
        mut take: impl FnMut(M) -> PyResult<()>,
    ) -> PyResult<()> {
        let (mut looked, mut told) = (Instant::now(), Instant::now());
        loop {
            let left = TICK.saturating_sub(looked.elapsed());
            // The interpreter is free only for what can move to another thread.
            let receiver = &mut receiver;
            let taken = match self.py.detach(move || receiver.recv_timeout(left)) {
                Ok(message) => take(message),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let look = looked.elapsed() >= TICK;
            if look {
                looked = Instant::now();
            }
            let checked = taken.and_then(|()| if look { self.look(&mut told) } else { Ok(()) });
            checked.inspect_err(|_| self.cancel.cancel())?;
        }
    }

    /// Runs signal handlers and tells the progress.
    fn look(&self, told: &mut Instant) -> PyResult<()> {
        self.py.check_signals()?;
        if is_set(self.event.as_ref())? {
            self.cancel.cancel();
        }
        if told.elapsed() < INTERVAL {
            return Ok(());
        }
        *told = Instant::now();
        self.tell()
    }

    /// Calls the progress callback, if there is one.
    pub(crate) fn tell(&self) -> PyResult<()> {
        match &self.on_progress {
            Some(function) => function.call1((self.monitor.snapshot(),)).map(drop),
            None => Ok(()),
        }
    }
}
