//! The threads of a solver.

use crate::errors;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The threads on which a solver works. They start with the first call.
pub(crate) struct Threads {
    /// Their number; 0 means one for each core.
    number: usize,
    /// The process that started them, and the threads.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Threads {
    pub(crate) fn new(number: usize) -> Self {
        Self { number, pool: Mutex::default() }
    }

    /// As many other threads, with a name of their own.
    pub(crate) fn others(&self, py: Python<'_>, name: &'static str) -> PyResult<ThreadPool> {
        start(py, name, self.number)
    }

    /// The threads. A forked process has none of its parent's, and gets its own.
    pub(crate) fn pool(&self, py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((_, pool)) = pool.as_ref().filter(|(owner, _)| *owner == process) {
            return Ok(Arc::clone(pool));
        }
        let made = Arc::new(start(py, "fewest", self.number)?);
        // Threads of the parent cannot be told to end from here.
        std::mem::forget(pool.replace((process, Arc::clone(&made))));
        Ok(made)
    }
}

/// Starts this number of threads; 0 means one for each core.
pub(crate) fn start(py: Python<'_>, name: &'static str, number: usize) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(number);
    let pool = pool.thread_name(move |index| format!("{name} {index}")).build();
    pool.map_err(|error| errors::invalid(py, format_args!("no threads: {error}")))
}
