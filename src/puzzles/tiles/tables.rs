//! The tables of a configured board, each built or loaded when it is first needed.

use super::names::own_name;
use crate::cache::Once;
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::tables::TableSource;
use pdb::BuildError;
use pdb::file::{TableInfo, TableSpec};
use std::sync::Arc;
use tiles::{PatternTable, Placements, SlidePlacements, TableLayout, TilePattern};

/// The tables of a heuristic.
pub(super) struct TableShelf {
    source: TableSource,
    /// A table for each pattern of the heuristic, in order.
    tables: Vec<(TilePattern, TableLayout, Once<Arc<PatternTable>>)>,
}

impl TableShelf {
    pub(super) fn new(source: TableSource, patterns: &[TilePattern], layout: TableLayout) -> Self {
        let table = |pattern: &TilePattern| (pattern.clone(), layout, Once::default());
        Self { source, tables: patterns.iter().map(table).collect() }
    }

    /// Whether all tables are in memory or on disk.
    pub(super) fn is_at_hand(&self) -> bool {
        self.missing_bytes() == 0
    }

    /// The bytes of the tables that are neither in memory nor on disk.
    pub(super) fn missing_bytes(&self) -> u64 {
        let is_missing = |(pattern, layout, kept): &&(TilePattern, TableLayout, Once<_>)| {
            kept.get().is_none() && !self.source.has(&spec(pattern, *layout).name)
        };
        let missing = self.tables.iter().filter(is_missing);
        missing.map(|(pattern, layout, _)| PatternTable::bytes_for(pattern, *layout)).sum()
    }

    /// The tables of the heuristic, in the order of its patterns. Empty if it has none.
    pub(super) fn obtain(&self, run: &Run<'_>) -> Result<Vec<Arc<PatternTable>>> {
        self.build_missing(run)?;
        let tables = self.tables.iter().map(|(pattern, layout, table)| {
            let table =
                table.get_or_make(run, || self.table(pattern, *layout, run).map(Arc::new))?;
            run.prove_table(&spec(pattern, *layout).name, |cancel| table.prove(cancel));
            Ok(Arc::clone(table))
        });
        tables.collect()
    }

    /// Builds the tables that are neither in memory nor in a file. If a table is saved, its memory
    /// is freed before the next is built.
    fn build_missing(&self, run: &Run<'_>) -> Result<()> {
        let has = |pattern, layout| self.source.has(&spec(pattern, layout).name);
        for (pattern, layout, kept) in &self.tables {
            if kept.get().is_some() || has(pattern, *layout) {
                continue;
            }
            let table = self.table(pattern, *layout, run)?;
            if !has(pattern, *layout) {
                kept.get_or_make(run, || Ok(Arc::new(table)))?;
            }
        }
        Ok(())
    }

    fn table(
        &self,
        pattern: &TilePattern,
        layout: TableLayout,
        run: &Run<'_>,
    ) -> Result<PatternTable> {
        let spec = spec(pattern, layout);
        let placements = || {
            let placements = Placements::new(pattern.clone());
            placements.map_err(|error| BuildError::Refused(error.to_string()))
        };
        let bytes = self.source.obtain(
            (&spec, PatternTable::bytes_to_build(pattern, layout)),
            run,
            &|options| PatternTable::build(&placements()?, layout, options),
            &|checkpoint, options, store| {
                let saved = (store, &spec);
                PatternTable::build_on_disk(&placements()?, layout, checkpoint, options, saved)
            },
        )?;
        PatternTable::new(pattern.clone(), layout, bytes).map_err(Failure::limit)
    }
}

/// The specification of a table's file. A name such as `24-puzzle-b0-1.2.5.6.7.12-direct` lists the
/// board, the home of the blank, the homes of the pattern's tiles, and the layout.
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
        description: serde_json::json!({
            "abstraction": "sliding tiles: placements of a pattern",
            "pattern": pattern,
        }),
        encoding: encoding.to_owned(),
        entries: PatternTable::entries_for(pattern, layout),
        payload_bytes: PatternTable::bytes_for(pattern, layout),
    }
}

/// The encoding of tables of slides: a byte for each entry.
const SLIDES: &str = "octets";

/// The specification of a table of slides. Its name has the metric before the home of the blank,
/// such as `15-puzzle-mtm-b0-1.2.3`.
pub(super) fn slide_spec(pattern: &TilePattern) -> TableSpec {
    let TilePattern { rows, columns, goals, blank } = pattern;
    let goals: Vec<_> = goals.iter().map(ToString::to_string).collect();
    let entries = SlidePlacements::entries_for(pattern);
    TableSpec {
        name: format!("{}-mtm-b{blank}-{}", own_name(*rows, *columns), goals.join(".")),
        description: serde_json::json!({
            "abstraction": "sliding tiles: placements of a pattern and the blank, by slides",
            "pattern": pattern,
        }),
        encoding: SLIDES.to_owned(),
        entries,
        payload_bytes: entries,
    }
}

/// Whether a file has the name that its description asks for. `None` if it is no table of tiles.
pub(super) fn named(name: &str, table: &TableInfo) -> Option<bool> {
    let pattern = pattern_of(table)?;
    if table.encoding == SLIDES {
        return Some(slide_spec(&pattern).name == name);
    }
    let layouts = [TableLayout::Ranked, TableLayout::Packed, TableLayout::Direct];
    let mut specs = layouts.map(|layout| spec(&pattern, layout)).into_iter();
    let spec = specs.find(|spec| spec.encoding == table.encoding)?;
    Some(spec.name == name)
}

/// The pattern in the description of a table.
fn pattern_of(table: &TableInfo) -> Option<TilePattern> {
    let pattern = &table.description["pattern"];
    let number = |key: &str| usize::try_from(pattern[key].as_u64()?).ok();
    let goals = pattern["goals"].as_array()?.iter().map(|goal| goal.as_u64()?.try_into().ok());
    let pattern = TilePattern {
        rows: number("rows")?,
        columns: number("columns")?,
        goals: goals.collect::<Option<_>>()?,
        blank: number("blank")?.try_into().ok()?,
    };
    pattern.check().ok()?;
    Some(pattern)
}

/// Whether the table of this name is one of a board, in any metric.
pub(super) fn is_of_board(table: &str, rows: usize, columns: usize) -> bool {
    let rest = table.strip_prefix(&own_name(rows, columns));
    rest.is_some_and(|rest| rest.starts_with("-b") || rest.starts_with("-mtm-b"))
}
