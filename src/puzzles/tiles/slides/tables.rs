//! The tables of a heuristic on slides, each built or loaded when it is first needed.

use crate::cache::Once;
use crate::puzzle::{Failure, Result};
use crate::puzzles::tiles::tables::slide_spec;
use crate::run::Run;
use crate::tables::TableSource;
use pdb::PackedTable;
use tiles::{SlidePlacements, TilePattern};

/// The tables of a heuristic.
pub(super) struct SlideShelf {
    source: TableSource,
    tables: Vec<(TilePattern, Once<PackedTable>)>,
}

impl SlideShelf {
    pub(super) fn new(source: TableSource, patterns: &[TilePattern]) -> Self {
        let tables = patterns.iter().map(|pattern| (pattern.clone(), Once::default()));
        Self { source, tables: tables.collect() }
    }

    /// The tables, in the order of the patterns.
    pub(super) fn obtain(&self, run: &Run<'_>) -> Result<Vec<(TilePattern, PackedTable)>> {
        let tables = self.tables.iter().map(|(pattern, kept)| {
            let table = kept.get_or_make(run, || {
                let placements = SlidePlacements::new(pattern.clone()).map_err(Failure::refused)?;
                self.source.exact::<8>(&slide_spec(pattern), &placements, run)
            });
            Ok((pattern.clone(), table?.clone()))
        });
        tables.collect()
    }
}
