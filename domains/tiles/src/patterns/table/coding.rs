//! The entries of a pattern's table from exact distances, a set of squares at a time.

use super::codes::{Code, Excess, TableLayout, weights};
use crate::patterns::placements::{Numbering, Placement, Placements};
use pdb::BuildError;
use pdb::layers::Reduction;
use std::sync::atomic::{AtomicU8, Ordering};

/// How the placements of a pattern are coded and numbered in a layout.
#[derive(Debug)]
pub(super) struct Coding<'a> {
    pub(super) placements: &'a Placements,
    layout: TableLayout,
    pub(super) numbering: Numbering,
    /// The greatest value that no code holds, or 0.
    deepest: AtomicU8,
}

impl<'a> Coding<'a> {
    pub(super) fn new(placements: &'a Placements, layout: TableLayout) -> Self {
        let pattern = placements.pattern();
        let numbering = match layout {
            TableLayout::Ranked | TableLayout::Packed => Numbering::ranks(pattern),
            TableLayout::Direct => Numbering::weighted(&weights(pattern)),
        };
        Self { placements, layout, numbering, deepest: AtomicU8::new(0) }
    }

    /// The code of a placement that some solvable board has: never 0.
    pub(super) fn code(&self, placement: &Placement) -> u8 {
        let Placement { large, other, distance, .. } = *placement;
        if self.layout == TableLayout::Packed {
            return Excess::new(large.min(other), distance).0;
        }
        let code = Code::new(large / 2, other / 2).unwrap_or_else(|| {
            self.deepest.fetch_max(large, Ordering::Relaxed);
            Code(Code::MOST)
        });
        code.0
    }
}

/// The groups are the sets of squares.
impl Reduction for Coding<'_> {
    fn bits(&self) -> usize {
        self.layout.bits() as usize
    }

    fn group_end(&self, row: u64) -> u64 {
        self.placements.set_end(self.placements.set_of(row))
    }

    fn reduce(&self, row: u64, distances: &[u8], put: &mut dyn FnMut(u64, u8)) {
        let set = self.placements.set_of(row);
        let places = self.placements.places(set);
        self.placements.values(set, distances, &self.numbering, |placement| {
            put(self.numbering.entry(placement.column, &places), self.code(&placement));
        });
    }

    fn check(&self) -> Result<(), BuildError> {
        match self.deepest.load(Ordering::Relaxed) {
            0 => Ok(()),
            depth => Err(BuildError::TooDeep { depth: depth.into(), bits: 6 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PatternTable, TilePattern};
    use pdb::file::{Checkpoint, Load, TableSpec, TableStore};
    use pdb::layers::{DiskOptions, ExhaustError};
    use pdb::{Abstraction, BuildObserver, BuildOptions};
    use search::{CancelToken, Cost};
    use serde_json::json;
    use std::path::Path;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    /// Cancels after a number of reports.
    struct Stop<'a> {
        left: AtomicU64,
        cancel: &'a CancelToken,
    }

    impl Stop<'_> {
        fn report(&self) {
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.cancel.cancel();
            }
        }
    }

    impl BuildObserver for Stop<'_> {
        fn rows(&self, _: Cost, _: u64, _: u64) {
            self.report();
        }
        fn saving(&self, _: u64, _: u64) {
            self.report();
        }
    }

    fn spec(pattern: &TilePattern, layout: TableLayout) -> TableSpec {
        TableSpec {
            name: "table".to_owned(),
            description: json!({"pattern": pattern}),
            encoding: "toy".to_owned(),
            entries: PatternTable::entries_for(pattern, layout),
            payload_bytes: PatternTable::bytes_for(pattern, layout),
        }
    }

    /// One run of a build on disk. It is cancelled after `stop` reports.
    fn run(
        placements: &Placements,
        layout: TableLayout,
        folder: &Path,
        (memory, stop): (u64, u64),
    ) -> Result<(), ExhaustError> {
        let store = TableStore::new(folder.join("disk"));
        let (name, description, every) = ("toy".to_owned(), json!({}), Duration::MAX);
        let checkpoint = Checkpoint { store, name, description, every };
        let cancel = CancelToken::new();
        let watch = Stop { left: AtomicU64::new(stop), cancel: &cancel };
        let (cancel, observer) = (Some(&cancel), Some::<&dyn BuildObserver>(&watch));
        let options = DiskOptions { cancel, observer, memory, ..DiskOptions::default() };
        let spec = spec(placements.pattern(), layout);
        let saved = (&TableStore::new(folder.join("tables")), &spec);
        PatternTable::build_on_disk(placements, layout, &checkpoint, &options, saved)
    }

    /// Builds a table on disk, again after each stop, and compares with the one in memory. `memory`
    /// is a share of the distances. Returns the number of runs.
    fn agree(pattern: &TilePattern, layout: TableLayout, share: u64, stops: u64) -> u64 {
        let placements = Placements::new(pattern.clone()).unwrap();
        let (folder, mut runs) = (tempfile::tempdir().unwrap(), 0);
        let mut memory = placements.rows() * placements.columns() as u64 / share;
        loop {
            runs += 1;
            let stop = if runs <= stops { runs * runs } else { u64::MAX };
            match run(&placements, layout, folder.path(), (memory, stop)) {
                Ok(()) => break,
                Err(ExhaustError::Limit { needed, .. }) => memory = needed,
                Err(ExhaustError::Build(BuildError::Cancelled)) => {}
                Err(error) => panic!("{pattern:?} {layout:?}: {error}"),
            }
        }
        let store = TableStore::new(folder.path().join("tables"));
        let found = store.load(&spec(pattern, layout), Load::Ram).unwrap();
        let expected = PatternTable::build(&placements, layout, &BuildOptions::default()).unwrap();
        assert!(found[..] == expected[..], "{pattern:?} {layout:?}");
        assert_eq!(std::fs::read_dir(folder.path().join("disk")).unwrap().count(), 0);
        runs
    }

    const LAYOUTS: [TableLayout; 3] =
        [TableLayout::Ranked, TableLayout::Packed, TableLayout::Direct];

    fn pattern(rows: usize, columns: usize, goals: &[u8], blank: u8) -> TilePattern {
        TilePattern { rows, columns, goals: goals.to_vec(), blank }
    }

    #[test]
    fn tables_built_on_disk_are_those_in_memory() {
        for pattern in [
            pattern(3, 3, &[1, 2, 3], 0),
            pattern(2, 3, &[0, 1, 2, 4, 5], 3),
            pattern(4, 2, &[5], 7),
            pattern(3, 4, &[1, 2, 5, 9], 0),
            pattern(4, 4, &[1, 4, 5], 0),
        ] {
            for layout in LAYOUTS {
                agree(&pattern, layout, 10, 0);
            }
        }
    }

    #[test]
    fn a_build_that_is_stopped_again_and_again_makes_the_same_table() {
        for layout in LAYOUTS {
            let runs = agree(&pattern(3, 4, &[1, 2, 5, 6, 9], 0), layout, 10, 30);
            assert!(runs > 10, "{runs} runs");
        }
    }
}
