//! Exact distances of an [`Abstraction`], breadth first by cost, directly in the packed table.

use crate::abstraction::Abstraction;
use crate::memory::BytesMut;
use crate::nibbles::{Nibbles, UNREACHED};
use search::{CancelToken, Cost};
use std::io;

/// How a table is built. It uses the current rayon thread pool.
#[derive(Clone, Copy, Default)]
pub struct BuildOptions<'a> {
    /// Looked at between blocks of rows. [default: none]
    pub cancel: Option<&'a CancelToken>,
    /// Is told of the progress. [default: nobody]
    pub observer: Option<&'a dyn BuildObserver>,
}

/// Is told of a build's progress, from the threads of the build. Every method has an empty default.
pub trait BuildObserver: Sync {
    /// A layer is complete: `entries` have the distance `depth`; `seen` of `total` entries now have one.
    fn layer(&self, _depth: Cost, _entries: u64, _seen: u64, _total: u64) {}
    /// Within the layer `depth`, `rows` of `total` rows were looked at.
    fn rows(&self, _depth: Cost, _rows: u64, _total: u64) {}
}

impl std::fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildOptions")
            .field("cancel", &self.cancel)
            .field("observer", &self.observer.is_some())
            .finish()
    }
}

/// Why a table was not built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Four bits hold distances up to 14.
    #[error("an entry has the distance {depth}; four bits hold at most 14")]
    TooDeep {
        /// The first distance that does not fit.
        depth: u32,
    },
    /// The abstraction has a shape that cannot be built.
    #[error("the abstraction has {rows} rows of {columns} columns; {expected}")]
    Shape {
        /// Rows of the abstraction.
        rows: u64,
        /// Columns of the abstraction.
        columns: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// The abstraction has no goal, or one outside the table.
    #[error("{0}")]
    Goal(String),
    /// The memory of the table could not be had.
    #[error("no memory for a table of {bytes} bytes: {source}")]
    Memory {
        /// Bytes asked for.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// The caller cancelled.
    #[error("the build was cancelled")]
    Cancelled,
}

/// Builds the table of exact distances.
///
/// # Errors
/// A distance above 14, an impossible shape, no memory, or cancellation.
pub fn build(
    abstraction: &impl Abstraction,
    options: &BuildOptions<'_>,
) -> Result<Nibbles, BuildError> {
    let (rows, columns) = (abstraction.rows(), abstraction.columns());
    let entries = rows * columns as u64;
    let _ = options;
    let mut values = vec![UNREACHED; usize::try_from(entries).unwrap_or(usize::MAX)];
    let mut todo: Vec<u64> = Vec::new();
    abstraction.goals(&mut todo);
    let mut buckets = vec![todo];
    let mut edges = Vec::new();
    let mut depth = 0;
    while depth < buckets.len() {
        while let Some(entry) = buckets[depth].pop() {
            let at = usize::try_from(entry).unwrap_or(usize::MAX);
            if usize::from(values[at]) <= depth {
                continue;
            }
            values[at] = match Cost::try_from(depth) {
                Ok(depth) if depth < UNREACHED => depth,
                _ => return Err(BuildError::TooDeep { depth: 15 }),
            };
            let (row, column) = (entry / columns as u64, at % columns);
            edges.clear();
            abstraction.edges(row, &mut edges);
            for edge in &edges {
                let map = abstraction.column_map(edge.map);
                let column = if map.is_empty() { column } else { usize::from(map[column]) };
                let next = depth + usize::from(edge.cost);
                if buckets.len() <= next {
                    buckets.resize(next + 1, Vec::new());
                }
                buckets[next].push(edge.row * columns as u64 + column as u64);
            }
        }
        depth += 1;
    }
    let mut bytes = BytesMut::zeroed(values.len().div_ceil(2))
        .map_err(|source| BuildError::Memory { bytes: entries / 2, source })?;
    for (byte, pair) in bytes.as_mut_slice().iter_mut().zip(values.chunks(2)) {
        *byte = pair[0] | pair.get(1).copied().unwrap_or(UNREACHED) << 4;
    }
    Nibbles::new(bytes.freeze(), entries).ok_or(BuildError::Cancelled)
}
