//! Results about tables and prunings: histograms, candidates, predictions, and learned automata.

use pdb::file::TableSpec;
use search::Cost;
use serde::Serialize;
use std::time::Duration;

/// Figures of a learned automaton.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnedSummary {
    /// Number of operators of the longest strings that were examined.
    pub depth: usize,
    /// Number of forbidden strings.
    pub strings: usize,
    /// States of the automaton before it is minimized, without the dead state.
    pub states: usize,
    /// States of the minimized automaton, without the dead state.
    pub minimized_states: usize,
    /// Asymptotic branching factor: the mean number of operators that the automaton allows next.
    pub branching_factor: f64,
}

/// How often a table has each value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableHistogram {
    /// Name of the table.
    pub table: String,
    /// Number of entries of the table.
    pub entries: u64,
    /// Bytes of the table in memory.
    pub bytes: u64,
    /// Mean value.
    pub mean: f64,
    /// Greatest value.
    pub max: Cost,
    /// The number of entries with value 0, with value 1, and so on.
    pub counts: Vec<u64>,
}

impl TableHistogram {
    /// The histogram of a table. `counts` has the number of entries with each value, from 0 on.
    pub fn new(table: String, bytes: u64, counts: Vec<u64>) -> Self {
        let entries: u64 = counts.iter().sum();
        let sum: u64 = (0..).zip(&counts).map(|(value, &count): (u64, _)| value * count).sum();
        let mean = if entries == 0 { 0.0 } else { sum as f64 / entries as f64 };
        let max = Cost::try_from(counts.len().saturating_sub(1)).unwrap_or(Cost::MAX);
        Self { table, entries, bytes, mean, max, counts }
    }
}

/// A table that a heuristic can choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableCandidate {
    /// Approximate bytes of the table.
    pub bytes: u64,
    /// Number of abstract states, before symmetric ones are merged.
    pub states: u64,
    /// Number of symmetries that merge abstract states.
    pub symmetries: usize,
    /// Number of lookups for one state: one for each symmetric copy of the state, and of its
    /// inverse, that is looked up.
    pub views: usize,
    /// Estimated mean of the heuristic, the maximum over all views. Known only for tables that the
    /// program derives from a puzzle definition.
    pub worth: Option<f64>,
    /// Whether the search reads it.
    #[serde(rename = "taken")]
    pub in_use: bool,
    /// The pattern: which parts of a state the abstraction distinguishes.
    pub pattern: String,
}

impl TableCandidate {
    /// A candidate in use with one view and no symmetry. Its pattern is the name of its file.
    pub(crate) fn whole(spec: TableSpec) -> Self {
        Self {
            bytes: spec.payload_bytes,
            states: spec.entries,
            symmetries: 1,
            views: 1,
            worth: None,
            in_use: true,
            pattern: spec.name,
        }
    }
}

/// Predictions for complete iterations with bounds 1, 2, ..
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The predicted number of generated nodes, for bounds 1, 2, ..
    pub generated: Vec<f64>,
    /// A prediction for each table that the heuristic can choose, smallest first. Empty if it has
    /// no choice.
    pub tables: Vec<TablePrediction>,
}

impl From<Vec<f64>> for Prediction {
    /// A prediction for a heuristic without a choice of tables.
    fn from(generated: Vec<f64>) -> Self {
        Self { generated, tables: Vec::new() }
    }
}

/// A prediction for searches with one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TablePrediction {
    /// Name of the table.
    pub table: String,
    /// Bytes of the table, and of the second table that is read with it, if there is one.
    pub bytes: u64,
    /// Seconds to build the table on all threads. 0 if it is already in memory or on disk.
    pub build_seconds: f64,
    /// Generated nodes of complete iterations with bounds 1, 2, ..
    pub generated: Vec<f64>,
    /// Wall seconds of these iterations, on all threads.
    pub seconds: Vec<f64>,
}

/// Parameters of a search for partitions of tiles into patterns, see [`crate::Choosing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionOptions {
    /// Sizes of the patterns of each partition.
    pub sizes: Vec<usize>,
    /// Number of partitions. The heuristic is the maximum over them.
    pub partitions: usize,
    /// Time for the whole search.
    pub time: Duration,
    /// Seed of the random states and choices.
    pub seed: u64,
}

/// A report of the partitions chosen so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionChoice {
    /// Name of the heuristic with these tables.
    pub heuristic: String,
    /// Predicted nodes relative to a search without a heuristic.
    pub nodes: f64,
    /// Mean value of this heuristic over random states.
    pub mean: f64,
    /// Number of tables examined so far.
    pub tables: usize,
}
