//! The tables of puzzles whose states form no group: chosen from the definition, loaded or built, and explained.

use super::marks::Marks;
use crate::configure::Settings;
use crate::puzzle::{Explained, Failure, Job, Refused, TableHistogram};
use crate::tables::TableSource;
use pdb::BuildError;
use pdb::file::TableSpec;
use permutation::Definition;
use permutation::spec::{
    PuzzleStructure, SpecCandidate, SpecPattern, SpecTable, SpecTables, candidates,
};
use search::Cost;
use std::sync::{Mutex, OnceLock, PoisonError};

/// What a distance of 1 may stand for where operators have great costs: the least of these with which all distances fit a byte.
const UNITS: [Cost; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The tables of a definition, once they are needed.
pub(super) struct Sketched {
    definition: Definition,
    marks: Marks,
    memory: u64,
    stock: TableSource,
    candidates: OnceLock<Vec<SpecCandidate>>,
    tables: OnceLock<SpecTables>,
    /// Held while tables are chosen and built, so that no two threads build the same.
    busy: Mutex<()>,
}

/// CosetCandidates with the patterns of those that are taken.
type Choice = (Vec<SpecCandidate>, Vec<SpecPattern>);

impl Sketched {
    pub(super) fn new(definition: &Definition, metric: &'static str, settings: &Settings) -> Self {
        Self {
            definition: definition.clone(),
            marks: Marks::new(definition, metric),
            memory: settings.memory,
            stock: TableSource::new(settings.tables.clone(), settings.loading),
            candidates: OnceLock::new(),
            tables: OnceLock::new(),
            busy: Mutex::new(()),
        }
    }

    /// What its tables are called.
    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    fn choose(&self, structure: &PuzzleStructure, job: &Job<'_>) -> Result<Choice, Failure> {
        let chosen = candidates(structure, self.memory, &job.cancel).ok_or(Failure::Cancelled)?;
        self.candidates.get_or_init(|| chosen.0.clone());
        Ok(chosen)
    }

    /// The tables, built when they are first needed; none if nothing fits the memory.
    pub(super) fn tables(
        &self,
        structure: &PuzzleStructure,
        job: &Job<'_>,
    ) -> Result<&SpecTables, Failure> {
        let _busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = self.tables.get() {
            return Ok(tables);
        }
        let (candidates, patterns) = self.choose(structure, job)?;
        let mut left = self.memory;
        let mut tables = Vec::new();
        for pattern in patterns {
            let shallow =
                candidates.iter().any(|one| one.taken && one.is_of(&pattern) && one.shallow);
            let table = self.table(pattern, shallow, left, job)?;
            left = left.saturating_sub(table.as_ref().map_or(0, SpecTable::bytes));
            tables.extend(table);
        }
        Ok(self.tables.get_or_init(|| SpecTables::new(tables)))
    }

    /// The table of a pattern: four bits an entry where that is expected to do, else, or where a distance turns out to be above 14, eight. `None` if it then would have
    /// more than `left` bytes.
    fn table(
        &self,
        pattern: SpecPattern,
        shallow: bool,
        left: u64,
        job: &Job<'_>,
    ) -> Result<Option<SpecTable>, Failure> {
        let (four, _) = self.specs(&pattern, 1);
        let there =
            UNITS.into_iter().find(|&unit| self.stock.has(&self.specs(&pattern, unit).1.name));
        if shallow && there.is_none() || self.stock.has(&four.name) {
            match self.stock.exact::<4>(&four, &pattern, job) {
                Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
                built => return Ok(Some(SpecTable::new(pattern, built?))),
            }
        }
        if shallow && pattern.entries() + pattern.bytes() > left {
            return Ok(None);
        }
        let mut pattern = pattern;
        for unit in UNITS.into_iter().filter(|&unit| there.is_none_or(|there| unit >= there)) {
            pattern = pattern.in_units(unit);
            let (_, spec) = self.specs(&pattern, unit);
            match self.stock.exact::<8>(&spec, &pattern, job) {
                Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
                built => return Ok(Some(SpecTable::new(pattern, built?))),
            }
        }
        Ok(None)
    }

    /// The two forms in which the table of a pattern in a unit may be kept, of four bits an entry and of bytes.
    fn specs(&self, pattern: &SpecPattern, unit: Cost) -> (TableSpec, TableSpec) {
        self.marks.specs("sketch", &pattern.fingerprint_in(unit), pattern.entries())
    }

    /// The tables that there are to choose from.
    pub(super) fn explain(
        &self,
        structure: &PuzzleStructure,
        job: &Job<'_>,
    ) -> Result<Vec<Explained>, Failure> {
        let _busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let all = match self.candidates.get() {
            Some(all) => all.clone(),
            None => self.choose(structure, job)?.0,
        };
        if all.is_empty() {
            let message = format!(
                "no table of at most {} bytes is derived that tells more than nothing: the search goes without",
                self.memory
            );
            return Err(Refused(message).into());
        }
        let told = all.iter().map(|one| Explained {
            bytes: one.bytes,
            states: one.entries,
            symmetries: 1,
            views: 1,
            worth: Some(one.worth),
            taken: one.taken,
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
        self.marks.named("sketch", &table.pattern().fingerprint(), table.distances())
    }

    pub(super) fn histograms(
        &self,
        structure: &PuzzleStructure,
        job: &Job<'_>,
    ) -> Result<Vec<TableHistogram>, Failure> {
        let told = |table: &SpecTable| {
            TableHistogram::new(self.name(table), table.bytes(), table.counts())
        };
        Ok(self.tables(structure, job)?.tables().iter().map(told).collect())
    }

    pub(super) fn build(
        &self,
        structure: &PuzzleStructure,
        job: &Job<'_>,
    ) -> Result<Vec<(String, u64)>, Failure> {
        let told = |table: &SpecTable| (self.name(table), table.bytes());
        Ok(self.tables(structure, job)?.tables().iter().map(told).collect())
    }
}
