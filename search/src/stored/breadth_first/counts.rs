//! The sizes of the layers of a breadth-first search, for those who need no states.

use super::{Layers, Stopped};
use crate::control::Options;
use crate::domain::{Packed, Reversible};

/// How many states lie at each distance 0 to `depth` from a start, by number of operators. Shorter if there are no more.
///
/// # Errors
/// If a limit is reached first; [`Layers`] keeps what is complete.
pub fn layer_counts<D: Packed>(
    domain: &D,
    start: &D::State,
    depth: usize,
    options: &Options,
) -> Result<Vec<u64>, Stopped> {
    count(Layers::new(domain, std::slice::from_ref(start), options), depth)
}

/// As [`layer_counts`], in the memory of two layers, where every operator can be undone.
///
/// # Errors
/// If a limit is reached first.
pub fn layer_counts_reversible<D: Packed + Reversible>(
    domain: &D,
    start: &D::State,
    depth: usize,
    options: &Options,
) -> Result<Vec<u64>, Stopped> {
    count(Layers::last_two(domain, std::slice::from_ref(start), options), depth)
}

fn count<D: Packed>(mut layers: Layers<D>, depth: usize) -> Result<Vec<u64>, Stopped> {
    for _ in 0..depth {
        if layers.advance()? == 0 {
            break;
        }
    }
    Ok(layers.sizes().to_vec())
}
