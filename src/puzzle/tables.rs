//! Facts about tables: histograms, choices, predictions, and what was learned.

use pdb::file::TableSpec;
use search::Cost;
use serde::Serialize;
use std::time::Duration;

/// What learning gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnedSummary {
    /// Longest strings looked at.
    pub depth: usize,
    /// Forbidden strings.
    pub strings: usize,
    /// States of the automaton as built, without the dead one.
    pub states: usize,
    /// States of the least automaton, without the dead one.
    pub minimized_states: usize,
    /// Asymptotic number of operators that may follow.
    pub branching_factor: f64,
}

/// The values of one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableHistogram {
    /// Name of the table.
    pub table: String,
    /// Entries.
    pub entries: u64,
    /// Bytes of the table in memory.
    pub bytes: u64,
    /// Mean value.
    pub mean: f64,
    /// Greatest value.
    pub max: Cost,
    /// Entries of each value, from 0.
    pub counts: Vec<u64>,
}

impl TableHistogram {
    /// The histogram of a table with so many entries of each value, from 0.
    pub fn new(table: String, bytes: u64, counts: Vec<u64>) -> Self {
        let entries: u64 = counts.iter().sum();
        let sum: u64 = (0..).zip(&counts).map(|(value, &count): (u64, _)| value * count).sum();
        let mean = if entries == 0 { 0.0 } else { sum as f64 / entries as f64 };
        let max = Cost::try_from(counts.len().saturating_sub(1)).unwrap_or(Cost::MAX);
        Self { table, entries, bytes, mean, max, counts }
    }
}

/// A table that a heuristic may take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableCandidate {
    /// Bytes of the table, nearly.
    pub bytes: u64,
    /// States of the abstraction, before symmetric ones are merged.
    pub states: u64,
    /// Symmetries that merge states.
    pub symmetries: usize,
    /// Views that it is read from, of the state and of its inverse.
    pub views: usize,
    /// Mean distance of its states from the goal, seen from all views; known of derived tables.
    pub worth: Option<f64>,
    /// Whether the search reads it.
    #[serde(rename = "taken")]
    pub in_use: bool,
    /// What of the puzzle it tells apart.
    pub pattern: String,
}

impl TableCandidate {
    /// A table in use, with one view and no symmetry, named like its file.
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

/// What is predicted of complete iterations with bounds 1, 2, ..
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Generated nodes.
    pub generated: Vec<f64>,
    /// The tables that the heuristic may choose from, if it may, smallest first.
    pub tables: Vec<TablePrediction>,
}

impl From<Vec<f64>> for Prediction {
    /// Without a choice of tables.
    fn from(generated: Vec<f64>) -> Self {
        Self { generated, tables: Vec::new() }
    }
}

/// What is predicted for one table.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePrediction {
    /// Name of the table.
    pub table: String,
    /// Bytes of the table, and of the one read behind it.
    pub bytes: u64,
    /// Seconds until it is built, on all threads; 0 if it is at hand.
    pub build_seconds: f64,
    /// Generated nodes of complete iterations with bounds 1, 2, ..
    pub generated: Vec<f64>,
    /// Wall seconds of these iterations, on all threads.
    pub seconds: Vec<f64>,
}

/// Which partitions are to be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionOptions {
    /// Sizes of the patterns of a partition.
    pub sizes: Vec<usize>,
    /// How many partitions, of which the maximum is taken.
    pub partitions: usize,
    /// Time for all of them.
    pub time: Duration,
    /// Seed of the random states and choices.
    pub seed: u64,
}

/// Partitions that were chosen so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionChoice {
    /// Name of the heuristic with these tables.
    pub heuristic: String,
    /// Predicted nodes relative to a search without a heuristic.
    pub nodes: f64,
    /// Mean value over random states.
    pub mean: f64,
    /// Tables looked at.
    pub tables: usize,
}
