//! The tables of puzzles whose states form no group: chosen, loaded or built, and explained.

use super::names::TableNames;
use crate::cache::Once;
use crate::puzzle::{Failure, Result, TableCandidate, TableHistogram};
use crate::run::Run;
use crate::settings::Settings;
use crate::tables::TableSource;
use pdb::BuildError;
use pdb::file::TableSpec;
use permutation::Definition;
use permutation::pattern_spec::{
    PuzzleStructure, SpecCandidate, SpecPattern, SpecTable, SpecTables, candidates,
};
use search::Cost;

/// The cost that a table value of 1 can stand for. The cost of each operator is rounded down to
/// whole multiples.
///
/// A table takes the least unit with which all its distances fit a byte.
const UNITS: [Cost; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The tables of a definition. They are chosen and built when they are first needed.
pub(crate) struct PatternTables {
    definition: Definition,
    names: TableNames,
    memory: u64,
    source: TableSource,
    candidates: Once<Candidates>,
    tables: Once<SpecTables>,
}

/// All candidates, and the patterns of the chosen ones.
type Candidates = (Vec<SpecCandidate>, Vec<SpecPattern>);

impl PatternTables {
    pub(crate) fn new(definition: &Definition, names: TableNames, settings: &Settings) -> Self {
        Self {
            definition: definition.clone(),
            names,
            memory: settings.memory,
            source: TableSource::new(settings),
            candidates: Once::default(),
            tables: Once::default(),
        }
    }

    /// The names and descriptions of its table files.
    pub(crate) fn names(&self) -> &TableNames {
        &self.names
    }

    /// The candidates and the chosen patterns, found at the first call.
    fn candidates(&self, structure: &PuzzleStructure, run: &Run<'_>) -> Result<&Candidates> {
        self.candidates.get_or_make(run, || {
            run.prepare("the tables to choose from", |cancel| {
                candidates(structure, self.memory, cancel).ok_or(Failure::Cancelled)
            })
        })
    }

    /// The tables, if they have been loaded or built.
    pub(crate) fn in_memory(&self) -> Option<&SpecTables> {
        self.tables.get()
    }

    /// Whether the definition has a table file for its metric and moves, of a pattern or not.
    pub(crate) fn have_files(&self) -> bool {
        self.source.has_any(|name| self.names.may_read(name) && !name.contains("-layer-"))
    }

    /// The tables, loaded or built at the first call. Empty if none fits the memory.
    pub(crate) fn tables(&self, structure: &PuzzleStructure, run: &Run<'_>) -> Result<&SpecTables> {
        self.tables.get_or_make(run, || {
            let (candidates, patterns) = self.candidates(structure, run)?;
            let mut left = self.memory;
            let mut tables = Vec::new();
            for pattern in patterns {
                let shallow =
                    candidates.iter().any(|one| one.taken && one.is_of(pattern) && one.shallow);
                let table = self.table(pattern.clone(), shallow, left, run)?;
                left = left.saturating_sub(table.as_ref().map_or(0, SpecTable::bytes));
                tables.extend(table);
            }
            Ok(SpecTables::new(tables))
        })
    }

    /// The table of a pattern, loaded or built. `None` if it does not fit into `left` bytes, or if
    /// its distances do not fit a byte in any unit.
    ///
    /// `shallow` says that all distances are expected to be small. Such a table gets four bits for
    /// each entry, unless a distance is above 14. All others get eight.
    fn table(
        &self,
        pattern: SpecPattern,
        shallow: bool,
        left: u64,
        run: &Run<'_>,
    ) -> Result<Option<SpecTable>> {
        let (four, _) = self.specs(&pattern, 1);
        let there =
            UNITS.into_iter().find(|&unit| self.source.has(&self.specs(&pattern, unit).1.name));
        if shallow && there.is_none() || self.source.has(&four.name) {
            match self.source.exact::<4>(&four, &pattern, run) {
                Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
                built => return Ok(Some(SpecTable::new(pattern, built?))),
            }
        }
        if shallow && pattern.entries() + pattern.bytes() > left {
            return Ok(None);
        }
        let mut pattern = pattern;
        for unit in UNITS.into_iter().filter(|&unit| there.is_none_or(|there| unit >= there)) {
            pattern = run.prepare("the edges of a table", |cancel| {
                pattern.in_units(unit, cancel).ok_or(Failure::Cancelled)
            })?;
            let (_, spec) = self.specs(&pattern, unit);
            match self.source.exact::<8>(&spec, &pattern, run) {
                Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
                built => return Ok(Some(SpecTable::new(pattern, built?))),
            }
        }
        Ok(None)
    }

    /// The specifications of a table file with four bits for each entry, and of one with eight.
    fn specs(&self, pattern: &SpecPattern, unit: Cost) -> (TableSpec, TableSpec) {
        self.names.specs("sketch", &pattern.fingerprint_in(unit), pattern.entries())
    }

    /// The tables that the heuristic can choose from.
    pub(crate) fn explain(
        &self,
        structure: &PuzzleStructure,
        run: &Run<'_>,
    ) -> Result<Vec<TableCandidate>> {
        let (all, _) = self.candidates(structure, run)?;
        if all.is_empty() {
            return Err(Failure::refused(format!(
                "no table of at most {} bytes bounds any distance: the search goes without",
                self.memory
            )));
        }
        let told = all.iter().map(|one| TableCandidate {
            bytes: one.bytes,
            states: one.entries,
            symmetries: 1,
            views: 1,
            worth: Some(one.worth),
            in_use: one.taken,
            pattern: self.pattern(structure, one),
        });
        Ok(told.collect())
    }

    fn pattern(&self, structure: &PuzzleStructure, one: &SpecCandidate) -> String {
        let sets: Vec<&str> = self.definition.orbits().iter().map(|orbit| orbit.name()).collect();
        one.explained(structure, &sets)
    }

    /// The name of a table's file.
    fn name(&self, table: &SpecTable) -> String {
        self.names.of_table("sketch", &table.pattern().fingerprint(), table.distances())
    }

    pub(crate) fn histograms(
        &self,
        structure: &PuzzleStructure,
        run: &Run<'_>,
    ) -> Result<Vec<TableHistogram>> {
        let told = |table: &SpecTable| {
            TableHistogram::new(self.name(table), table.bytes(), table.counts())
        };
        Ok(self.tables(structure, run)?.tables().iter().map(told).collect())
    }

    pub(crate) fn build(
        &self,
        structure: &PuzzleStructure,
        run: &Run<'_>,
    ) -> Result<Vec<(String, u64)>> {
        let told = |table: &SpecTable| (self.name(table), table.bytes());
        Ok(self.tables(structure, run)?.tables().iter().map(told).collect())
    }
}
