//! The tables of a configured board: each built or loaded when it is first needed, then kept.

use super::TilesPuzzle;
use super::choice::{Choice, Sums};
use super::sizes::{Size, own_name};
use crate::puzzle::{Explained, Failure, Job};
use crate::tables::TableSource;
use pdb::BuildError;
use pdb::file::TableSpec;
use std::sync::{Arc, Mutex, PoisonError};
use tiles::{Board, BoardWord, PatternTable, Placements, TableLayout, TilePattern, Tiles};

/// Where tables come from, and those that are at hand.
pub(super) struct Shelf {
    stock: TableSource,
    tables: Mutex<Vec<Arc<PatternTable>>>,
}

impl Shelf {
    pub(super) fn new(stock: TableSource) -> Self {
        Self { stock, tables: Mutex::new(Vec::new()) }
    }

    /// The tables of the patterns, in their order.
    pub(super) fn obtain(
        &self,
        sums: &Sums,
        job: &Job<'_>,
    ) -> Result<Vec<Arc<PatternTable>>, Failure> {
        // Held while a table is built, so that no two threads build the same. It guards tables that are complete.
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = sums.patterns.iter().map(|pattern| {
            let held = tables
                .iter()
                .find(|table| table.pattern() == pattern && table.layout() == sums.layout);
            if let Some(table) = held {
                return Ok(table.clone());
            }
            let table = Arc::new(self.table(pattern, sums.layout, job)?);
            tables.push(table.clone());
            Ok(table)
        });
        wanted.collect()
    }

    fn table(
        &self,
        pattern: &TilePattern,
        layout: TableLayout,
        job: &Job<'_>,
    ) -> Result<PatternTable, Failure> {
        let spec = spec(pattern, layout);
        let bytes = self.stock.obtain(&spec, job, |options| {
            let placements = Placements::new(pattern.clone())
                .map_err(|error| BuildError::Refused(error.to_string()))?;
            PatternTable::build(&placements, layout, options)
        })?;
        PatternTable::new(pattern.clone(), layout, bytes)
            .map_err(|error| Failure::Limit(error.to_string()))
    }
}

/// The file of a table: `24-puzzle-b0-1.2.5.6.7.12`, and `-direct`.
pub(super) fn spec(pattern: &TilePattern, layout: TableLayout) -> TableSpec {
    let TilePattern { rows, columns, goals, blank } = pattern;
    let goals: Vec<_> = goals.iter().map(ToString::to_string).collect();
    let (suffix, encoding) = match layout {
        TableLayout::Ranked => ("", "halves"),
        TableLayout::Packed => ("-packed", "excess-4"),
        TableLayout::Direct => ("-direct", "halves-direct"),
    };
    TableSpec {
        name: format!("{}-b{blank}-{}{suffix}", own_name(*rows, *columns), goals.join(".")),
        description: serde_json::json!({ "abstraction": "sliding tiles: placements of a pattern", "pattern": pattern }),
        encoding: encoding.to_owned(),
        entries: PatternTable::entries_for(pattern, layout),
        payload_bytes: PatternTable::bytes_for(pattern, layout),
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> TilesPuzzle<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    /// The tables of the heuristic, with their reflections as views.
    pub(super) fn explain(&self) -> Result<Vec<Explained>, Failure> {
        let Choice::Tables(sums) = &self.choice else { return Err(self.without_tables()) };
        let views = if sums.reflected && self.domain.reflects() { 2 } else { 1 };
        let explained = |pattern| Explained {
            views,
            states: PatternTable::entries_for(pattern, TableLayout::Ranked),
            ..Explained::whole(spec(pattern, sums.layout))
        };
        Ok(sums.patterns.iter().map(explained).collect())
    }

    /// Builds or loads every table of the heuristic.
    pub(super) fn obtain_all(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        let Choice::Tables(sums) = &self.choice else { return Ok(Vec::new()) };
        self.shelf.obtain(sums, job)?;
        let named = |pattern| {
            let spec = spec(pattern, sums.layout);
            (spec.name, spec.payload_bytes)
        };
        Ok(sums.patterns.iter().map(named).collect())
    }
}
