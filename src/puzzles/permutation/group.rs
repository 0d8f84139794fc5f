//! Puzzles whose states form a group: membership, random states, and tables.

use super::antipodes;
use super::ladder::Ladder;
use super::searches::GroupSearch;
use super::table_names::Marks;
use crate::cache::Once;
use crate::puzzle::{Failure, Request, TableCandidate, TableHistogram, Tell};
use crate::run::Run;
use crate::settings::Settings;
use crate::tables::TableSource;
use groups::{GroupError, StabilizerChain};
use pdb::file::TableSpec;
use pdb::{BuildError, GroupPattern, PackedTable};
use permutation::{
    Definition, PieceCutter, PieceSet, PieceTable, PieceTables, PuzzleGroup, PuzzleState,
    SlotContents,
};
use search::CancelToken;
use search::random::Random;
use std::sync::Arc;

/// Most entries of a table of pieces, as a power of two. Larger tables would take minutes to build.
const MOST_POWER: u32 = 26;

/// The greatest order of a group, in bits, for which a scramble is the inverted plan of a random
/// state. It includes the pyraminx with its tips: 75,582,720 states, about a second for each
/// scramble.
const SCRAMBLED_BITS: u64 = 27;

/// The group of a puzzle, its stabilizer chain, and its tables. Chain and tables are made when they
/// are first needed.
pub(super) struct GroupTables {
    pub(super) group: Arc<PuzzleGroup>,
    pub(super) search: Arc<dyn GroupSearch>,
    chain: Once<StabilizerChain>,
    definition: String,
    /// Whether only some moves are allowed.
    pub(super) restricted: bool,
    pub(super) marks: Marks,
    pub(super) memory: u64,
    /// Bytes that the chosen tables may take.
    pub(super) chosen_memory: u64,
    pub(super) source: TableSource,
    sets: Once<Vec<PieceSet>>,
    tables: Once<PieceTables>,
    ladder: Once<Option<Ladder>>,
}

/// The specifications of the table file of a pattern of pieces: with four bits for each entry, and
/// with eight.
fn piece_specs(marks: &Marks, pattern: &GroupPattern) -> (TableSpec, TableSpec) {
    marks.specs("pieces", &pattern.fingerprint(), pattern.entries())
}

/// The table of the distances of pieces, loaded or built: four bits for each entry, or eight if a
/// distance is above 14.
pub(super) fn piece_distances(
    marks: &Marks,
    source: &TableSource,
    pattern: &GroupPattern,
    run: &Run<'_>,
) -> Result<PackedTable, Failure> {
    let (four, eight) = piece_specs(marks, pattern);
    if !source.has(&eight.name) {
        match source.exact::<4>(&four, pattern, run) {
            Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
            built => return built,
        }
    }
    source.exact::<8>(&eight, pattern, run)
}

impl GroupTables {
    pub(super) fn new(
        (group, search): (Arc<PuzzleGroup>, Arc<dyn GroupSearch>),
        marks: Marks,
        definition: &Definition,
        settings: &Settings,
    ) -> Self {
        Self {
            group,
            search,
            marks,
            chain: Once::default(),
            definition: definition.name().to_owned(),
            restricted: settings.moves.is_some(),
            memory: settings.memory,
            chosen_memory: settings.chosen_memory(),
            source: TableSource::new(settings),
            sets: Once::default(),
            tables: Once::default(),
            ladder: Once::default(),
        }
    }

    /// Finds the stabilizer chain within the limits of a run.
    pub(super) fn prepare(&self, run: &Run<'_>) -> Result<(), Failure> {
        self.chain(run).map(drop)
    }

    /// The stabilizer chain of the moves, found at the first call.
    pub(super) fn chain(&self, run: &Run<'_>) -> Result<&StabilizerChain, Failure> {
        self.chain.get_or_make(run, || {
            run.prepare("the group of the moves", |cancel| {
                let (generators, stop) = (self.group.generators(), || cancel.is_cancelled());
                let chain = generators.and_then(|generators| {
                    StabilizerChain::new_until(self.group.points(), &generators, &[], &stop)
                });
                chain.map_err(Failure::of_group)
            })
        })
    }

    /// The chain for calls that take no request. They wait for it without limit, unless a call of
    /// [`GroupTables::chain`] has found it.
    pub(super) fn chain_without_limit(&self) -> Result<&StabilizerChain, Failure> {
        self.chain(&Run::new(&Request::default()))
    }

    /// The number of states as text, or the error if it is unknown.
    pub(super) fn order(&self) -> String {
        let order = self.chain_without_limit().map(|chain| chain.order().to_string());
        order.unwrap_or_else(|error| error.to_string())
    }

    /// Whether the group is small enough to solve a random state for a scramble.
    pub(super) fn is_small(&self, run: &Run<'_>) -> bool {
        self.chain(run).is_ok_and(|chain| chain.order().bits() <= SCRAMBLED_BITS)
    }

    /// An endless sequence of uniformly random elements. A seed always gives the same sequence.
    pub(super) fn elements<'a>(
        &'a self,
        chain: &'a StabilizerChain,
        seed: u64,
    ) -> Box<dyn Iterator<Item = SlotContents> + 'a> {
        let mut random = Random::new(seed);
        let element = move || self.group.element_of(&chain.random(|end| random.below(end)));
        Box::new(std::iter::repeat_with(element).flatten())
    }

    /// A uniformly random state. `None` if the group is unknown.
    pub(super) fn random(
        &self,
        definition: &Definition,
        random: &mut Random,
    ) -> Option<PuzzleState> {
        let chain = self.chain_without_limit().ok()?;
        let element = self.group.element_of(&chain.random(|end| random.below(end)))?;
        self.group.pattern_of(definition, &element).ok()
    }

    /// The sets of pieces that get a table each. All these tables together fit the memory.
    ///
    /// The limit on the entries of one table is the greatest power of two with which they fit.
    fn sets(&self, run: &Run<'_>) -> Result<&[PieceSet], Failure> {
        let sets = self.sets.get_or_make(run, || {
            run.prepare("the sets of pieces", |cancel| {
                self.choose_sets(cancel).map_err(Failure::of_group)
            })
        })?;
        Ok(sets)
    }

    fn choose_sets(&self, cancel: &CancelToken) -> Result<Vec<PieceSet>, GroupError> {
        let mut cutter = PieceCutter::new(&self.group)?;
        let mut sets = Vec::new();
        for power in 8..=MOST_POWER {
            let tried = cutter.sets(1 << power, cancel)?;
            // An estimate: four bits for each entry. Tables with great distances will need eight.
            let bytes: u64 = tried.iter().map(|set| set.entries.div_ceil(2)).sum();
            if bytes > self.chosen_memory {
                break;
            }
            let done = tried.len() == 1;
            sets = tried;
            if done {
                break;
            }
        }
        Ok(sets)
    }

    /// Whether the tables of pieces are in memory.
    pub(super) fn has_tables(&self) -> bool {
        self.tables.get().is_some()
    }

    /// The tables of pieces, loaded or built at the first call. A set of pieces with a distance
    /// above 254 gets no table.
    pub(super) fn tables(&self, run: &Run<'_>) -> Result<&PieceTables, Failure> {
        self.tables.get_or_make(run, || {
            let table = |set: &PieceSet| -> Result<Option<PieceTable>, Failure> {
                let pattern = run.prepare("a set of pieces", |cancel| {
                    self.group.pattern(set, cancel).map_err(Failure::of_group)
                })?;
                match self.distances(&pattern, run) {
                    // Where moves have costs, no table may hold the greatest distances.
                    Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => Ok(None),
                    made => Ok(Some(PieceTable::new(&self.group, pattern, made?))),
                }
            };
            let tables = self.sets(run)?.iter().map(table).collect::<Result<Vec<_>, Failure>>()?;
            Ok(PieceTables(tables.into_iter().flatten().collect()))
        })
    }

    /// The table of a pattern's distances.
    fn distances(&self, pattern: &GroupPattern, run: &Run<'_>) -> Result<PackedTable, Failure> {
        piece_distances(&self.marks, &self.source, pattern, run)
    }

    /// The specifications of a pattern's table file: with four bits for each entry, and with eight.
    fn specs(&self, pattern: &GroupPattern) -> (TableSpec, TableSpec) {
        piece_specs(&self.marks, pattern)
    }

    /// The name of a table's file.
    fn file_name(&self, table: &PieceTable) -> String {
        self.marks.named("pieces", &table.pattern().fingerprint(), table.distances())
    }

    /// The name of a set of pieces, by the slots where they are at home.
    fn table_name(&self, set: &PieceSet) -> String {
        let slots: Vec<String> = set.slots.iter().map(usize::to_string).collect();
        format!("{}-{}", self.definition, slots.join("."))
    }

    /// Counts the states of every layer. Returns at most `antipodes` elements of the last.
    ///
    /// Keeps two bits for each state, in memory or else in files of the folder
    /// [`Settings::disk`]. If these do not fit the memory and there is no such folder, keeps one
    /// state for each class of symmetric states.
    pub(super) fn exhaust(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<SlotContents>, Failure> {
        // A byte holds the two bits of four states.
        let order = self.chain(run)?.order();
        let fits = run.request.team.is_some() || order <= self.memory.saturating_mul(4).into();
        // No disk has two bits for each of 2^63 states.
        let disk = self.source.has_disk() && order.bits() < 64;
        if !fits && !disk {
            return self.search.exhaust_classes(self, antipodes, run, tell);
        }
        let generators = self.group.generators_with_costs().map_err(Failure::of_group)?;
        let pattern = run.prepare("the group of the moves", |cancel| {
            let stop = || cancel.is_cancelled();
            let pattern =
                GroupPattern::of_group_until(self.group.points(), &generators, &[], &stop);
            pattern.map_err(Failure::of_group)
        })?;
        let spec = self.specs(&pattern).0;
        let of = (&*spec.name, &spec.description);
        let Some(found) = self.source.exhaust(&pattern, of, antipodes, run)? else {
            return self.search.exhaust_classes(self, antipodes, run, tell);
        };
        found.layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count.into()));
        antipodes::elements(&self.group, &pattern, &found.antipodes).map_err(Failure::of_group)
    }

    /// The ladder of coset tables, chosen at the first call.
    ///
    /// `None` if a table of all states fits, or if no coset table is worth building. Also `None` if
    /// a table of pieces distinguishes at least as many states.
    pub(super) fn ladder(&self, run: &Run<'_>) -> Result<Option<&Ladder>, Failure> {
        self.ladder.get_or_make(run, || self.make_ladder(run)).map(Option::as_ref)
    }

    fn make_ladder(&self, run: &Run<'_>) -> Result<Option<Ladder>, Failure> {
        // A byte holds the four bits of two states.
        let most = (1 << MOST_POWER).min(self.memory.saturating_mul(2));
        if self.chain(run)?.order() <= most.into() {
            return Ok(None);
        }
        let Some(branching) = self.search.branching(run)? else { return Ok(None) };
        let ladder = run.prepare("the coset tables to choose from", |cancel| {
            let ladder = Ladder::new(self, branching, cancel).map_err(Failure::of_group)?;
            if cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(ladder) }
        })?;
        match ladder {
            Some(ladder) if ladder.cosets() <= 1 << MOST_POWER => {
                let pieces = self.sets(run)?.iter().map(|set| set.entries).max();
                Ok((Some(ladder.cosets()) > pieces).then_some(ladder))
            }
            other => Ok(other),
        }
    }

    /// The coset tables that the ladder can choose from. Without a ladder, the tables of pieces.
    pub(super) fn explain(&self, run: &Run<'_>) -> Result<Vec<TableCandidate>, Failure> {
        let Some(ladder) = self.ladder(run)? else {
            let explained = |set: &PieceSet| TableCandidate {
                bytes: set.entries.div_ceil(2),
                states: set.entries,
                symmetries: 1,
                // The state and its inverse.
                views: 2,
                worth: None,
                in_use: true,
                pattern: self.table_name(set),
            };
            return Ok(self.sets(run)?.iter().map(explained).collect());
        };
        let told =
            ladder.explained(&self.group).map(|(candidate, cosets, in_use)| TableCandidate {
                bytes: candidate.bytes,
                states: candidate.cosets,
                symmetries: candidate.symmetries,
                views: candidate.views,
                worth: Some(candidate.worth),
                in_use,
                pattern: cosets,
            });
        Ok(told.collect())
    }

    pub(super) fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>, Failure> {
        if let Some(ladder) = self.ladder(run)? {
            // The highest rung whose table is at hand, or the lowest rung.
            let at_hand = |&rung: &usize| self.search.is_at_hand(self, ladder, rung);
            let rung = (0..ladder.rungs()).rev().find(at_hand).unwrap_or(0);
            let (spec, table) = self.search.coset_table(self, ladder, rung, run)?;
            let name = spec.name.clone();
            return Ok(vec![TableHistogram::new(name, spec.payload_bytes, table.counts())]);
        }
        let told = |table: &PieceTable| {
            TableHistogram::new(self.file_name(table), table.bytes(), table.counts())
        };
        Ok(self.tables(run)?.0.iter().map(told).collect())
    }

    pub(super) fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>, Failure> {
        if let Some(ladder) = self.ladder(run)? {
            let built = |rung| {
                let (spec, _) = self.search.coset_table(self, ladder, rung, run)?;
                Ok((spec.name.clone(), spec.payload_bytes))
            };
            return (0..ladder.rungs()).map(built).collect();
        }
        let told = |table: &PieceTable| (self.file_name(table), table.bytes());
        Ok(self.tables(run)?.0.iter().map(told).collect())
    }
}
