//! The end of long work: [`check`].

use crate::error::GroupError;

/// A function that says whether to stop. It is called before every division of an element.
pub(crate) type Stop<'a> = &'a dyn Fn() -> bool;

/// Fails if the work has to stop.
///
/// # Errors
/// [`GroupError::Stopped`] if `stop` returns true.
pub(crate) fn check(stop: Stop<'_>) -> Result<(), GroupError> {
    if stop() { Err(GroupError::Stopped) } else { Ok(()) }
}
