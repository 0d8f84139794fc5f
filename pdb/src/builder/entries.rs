//! The entries of an abstraction, checked, and the memory of a table of them.

use super::error::BuildError;
use super::options::BuildOptions;
use crate::abstraction::Abstraction;
use crate::memory::{Bytes, BytesMut};
use std::io;
use std::sync::atomic::AtomicU64;

/// The number of entries of an abstraction. An error if its shape is impossible.
pub(crate) fn entries_of(abstraction: &dyn Abstraction) -> Result<u64, BuildError> {
    let (rows, columns) = (abstraction.rows(), abstraction.columns());
    let shape = |expected| BuildError::Shape { rows, columns, expected };
    if columns == 0 || columns > 1 << 16 {
        return Err(shape("1 to 65,536 columns"));
    }
    let entries = rows.checked_mul(columns as u64).filter(|&entries| entries > 0);
    entries.ok_or_else(|| shape("1 to 2^64 - 1 entries"))
}

/// The goals of an abstraction. An error if there is none, or one is no entry.
pub(crate) fn goals_of(abstraction: &dyn Abstraction) -> Result<Vec<u64>, BuildError> {
    let (mut goals, entries) = (Vec::new(), entries_of(abstraction)?);
    abstraction.goals(&mut goals);
    if goals.is_empty() {
        return Err(BuildError::NoGoal);
    }
    match goals.iter().find(|&&entry| entry >= entries) {
        Some(&entry) => Err(BuildError::Goal { entry, entries }),
        None => Ok(goals),
    }
}

/// Checks shape and goals of an abstraction, and prepares it. Returns the number of entries.
pub(crate) fn check(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
) -> Result<u64, BuildError> {
    let entries = entries_of(abstraction)?;
    options.prepare(abstraction)?;
    goals_of(abstraction)?;
    Ok(entries)
}

/// Allocates the memory of a table, fills it by `run`, and returns its bytes.
pub(crate) fn fill(
    bytes: u64,
    run: impl FnOnce(&[AtomicU64]) -> Result<(), BuildError>,
) -> Result<BytesMut, BuildError> {
    let mut memory = allocate(bytes)?;
    run(memory.as_words())?;
    Ok(memory)
}

/// Allocates the memory of a table, and sets each byte by `byte`, in the order of their numbers.
pub(crate) fn fill_bytes(bytes: u64, mut byte: impl FnMut(u64) -> u8) -> Result<Bytes, BuildError> {
    let mut memory = allocate(bytes)?;
    (0..).zip(memory.as_mut_slice()).for_each(|(place, out)| *out = byte(place));
    Ok(memory.freeze())
}

fn allocate(bytes: u64) -> Result<BytesMut, BuildError> {
    usize::try_from(bytes)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
        .and_then(BytesMut::zeroed)
        .map_err(|source| BuildError::Memory { bytes, source })
}
