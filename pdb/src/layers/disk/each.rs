//! Fallible work on all threads: [`each`].

use crate::layers::ExhaustError;
use search::threads;
use std::sync::{Mutex, PoisonError};

/// Calls `work` with every number below `numbers`, on all threads. Returns the first error.
pub(super) fn each(
    numbers: usize,
    work: &(dyn Fn(usize) -> Result<(), ExhaustError> + Sync),
) -> Result<(), ExhaustError> {
    let failed = Mutex::new(None);
    let lock = || failed.lock().unwrap_or_else(PoisonError::into_inner);
    threads::each(numbers, &|number| {
        if lock().is_none()
            && let Err(error) = work(number)
        {
            lock().get_or_insert(error);
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}
