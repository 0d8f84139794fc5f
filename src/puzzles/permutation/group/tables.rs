//! [`GroupTables`]: the group of a puzzle, its random states, and its tables.

use super::ladder::Ladder;
use crate::cache::Once;
use crate::puzzle::{Failure, Request, Result};
use crate::puzzles::permutation::tables::TableNames;
use crate::run::Run;
use crate::settings::Settings;
use crate::tables::TableSource;
use groups::{GroupError, StabilizerChain};
use num_traits::ToPrimitive;
use pdb::{BuildError, GroupPattern, PackedTable};
use permutation::{
    Definition, GapBound, PieceCutter, PieceSet, PieceTable, PieceTables, PuzzleGroup, PuzzleState,
    SlotContents,
};
use search::CancelToken;
use search::random::Random;
use std::sync::Arc;

/// Most entries of a table of pieces, as a power of two. Larger tables would take minutes to build.
pub(super) const MOST_POWER: u32 = 26;

/// Entries of all tables of pieces together whose build takes longer than a search of a few nodes.
pub(super) const MANY: u64 = 1 << 25;

/// Entries of all tables of pieces together whose build takes longer than a search for plans.
pub(super) const VERY_MANY: u64 = 1 << 27;

/// The greatest order of a group, in bits, for which a scramble is the inverted plan of a random
/// state. It includes the pyraminx with its tips: 75,582,720 states, about a second for each
/// scramble.
const SCRAMBLED_BITS: u64 = 27;

/// The group of a puzzle, its stabilizer chain, and its tables. Chain and tables are made when they
/// are first needed.
pub(crate) struct GroupTables {
    pub(crate) group: Arc<PuzzleGroup>,
    chain: Once<StabilizerChain>,
    definition: String,
    /// Whether only some moves are allowed.
    pub(super) restricted: bool,
    pub(super) names: TableNames,
    pub(super) memory: u64,
    /// Bytes that the chosen tables may take.
    chosen_memory: u64,
    pub(super) source: TableSource,
    sets: Once<Vec<PieceSet>>,
    tables: Once<PieceTables>,
    ladder: Once<Option<Ladder>>,
    gaps: Once<Option<GapBound>>,
}

/// The table of the distances of pieces, loaded or built: four bits for each entry, or eight if a
/// distance is above 14.
pub(super) fn piece_distances(
    (names, source): (&TableNames, &TableSource),
    pattern: &GroupPattern,
    run: &Run<'_>,
) -> Result<PackedTable> {
    let (four, eight) = names.pieces(pattern);
    if !source.has(&eight.name) {
        match source.exact::<4>(&four, pattern, run) {
            Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
            built => return built,
        }
    }
    source.exact::<8>(&eight, pattern, run)
}

impl GroupTables {
    pub(crate) fn new(
        group: Arc<PuzzleGroup>,
        names: TableNames,
        definition: &Definition,
        settings: &Settings,
    ) -> Self {
        Self {
            group,
            names,
            chain: Once::default(),
            definition: definition.name().to_owned(),
            restricted: settings.moves.is_some(),
            memory: settings.memory,
            chosen_memory: settings.chosen_memory(),
            source: TableSource::new(settings),
            sets: Once::default(),
            tables: Once::default(),
            ladder: Once::default(),
            gaps: Once::default(),
        }
    }

    /// The stabilizer chain of the moves, found at the first call.
    pub(crate) fn chain(&self, run: &Run<'_>) -> Result<&StabilizerChain> {
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
    pub(super) fn chain_without_limit(&self) -> Result<&StabilizerChain> {
        self.chain(&Run::new(&Request::default()))
    }

    /// The number of states as text, or the error if it is unknown.
    pub(crate) fn order(&self) -> String {
        let order = self.chain_without_limit().map(|chain| chain.order().to_string());
        order.unwrap_or_else(|error| error.to_string())
    }

    /// Whether the group is small enough to solve a random state for a scramble.
    pub(crate) fn is_small(&self, run: &Run<'_>) -> bool {
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
    pub(crate) fn random(
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
    pub(super) fn sets(&self, run: &Run<'_>) -> Result<&[PieceSet]> {
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

    /// The bound of gaps between neighbours, found at the first call. `None` if gaps say nothing.
    pub(super) fn gaps(&self, run: &Run<'_>) -> Result<Option<&GapBound>> {
        let gaps = self.gaps.get_or_make(run, || {
            let cancel = &run.request.cancel;
            let gaps = GapBound::new(&self.group, &|| cancel.is_cancelled());
            let gaps = gaps.map_err(Failure::of_group)?;
            if cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(gaps) }
        });
        Ok(gaps?.as_ref())
    }

    /// Whether the tables of pieces have more entries than `most`.
    pub(super) fn have_more(&self, most: u64, run: &Run<'_>) -> Result<bool> {
        Ok(self.sets(run)?.iter().map(|set| set.entries).sum::<u64>() > most)
    }

    /// Whether the tables of pieces are in memory.
    pub(super) fn has_tables(&self) -> bool {
        self.tables.get().is_some()
    }

    /// The tables of pieces, loaded or built at the first call. A set of pieces with a distance
    /// above 254 gets no table.
    pub(super) fn tables(&self, run: &Run<'_>) -> Result<&PieceTables> {
        self.tables.get_or_make(run, || {
            let table = |set: &PieceSet| -> Result<Option<PieceTable>> {
                let pattern = run.prepare("a set of pieces", |cancel| {
                    self.group.pattern(set, cancel).map_err(Failure::of_group)
                })?;
                match piece_distances((&self.names, &self.source), &pattern, run) {
                    // Where moves have costs, no table may hold the greatest distances.
                    Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => Ok(None),
                    made => Ok(Some(PieceTable::new(&self.group, pattern, made?))),
                }
            };
            let tables = self.sets(run)?.iter().map(table).collect::<Result<Vec<_>>>()?;
            Ok(PieceTables(tables.into_iter().flatten().collect()))
        })
    }

    /// The name of a table's file.
    pub(super) fn file_name(&self, table: &PieceTable) -> String {
        self.names.of_table("pieces", &table.pattern().fingerprint(), table.distances())
    }

    /// The name of a set of pieces, by the slots where they are at home.
    pub(super) fn table_name(&self, set: &PieceSet) -> String {
        let slots: Vec<String> = set.slots.iter().map(usize::to_string).collect();
        format!("{}-{}", self.definition, slots.join("."))
    }

    /// The ladder of coset tables, chosen at the first call.
    ///
    /// `None` if a table of all states fits, or if no coset table is worth building. Also `None` if
    /// a table of pieces distinguishes at least as many states. `branching` gives the branching
    /// factor, `None` if states are too large for coset tables.
    pub(super) fn ladder(
        &self,
        run: &Run<'_>,
        branching: &dyn Fn() -> Result<Option<f64>>,
    ) -> Result<Option<&Ladder>> {
        self.ladder.get_or_make(run, || self.make_ladder(run, branching)).map(Option::as_ref)
    }

    fn make_ladder(
        &self,
        run: &Run<'_>,
        branching: &dyn Fn() -> Result<Option<f64>>,
    ) -> Result<Option<Ladder>> {
        // A byte holds the four bits of two states.
        let most = (1 << MOST_POWER).min(self.memory.saturating_mul(2));
        let order = self.chain(run)?.order();
        if order <= most.into() {
            return Ok(None);
        }
        let Some(branching) = branching()? else { return Ok(None) };
        let parts = (&self.group, &self.names, &self.source, self.chosen_memory);
        let ladder = run.prepare("the coset tables to choose from", |cancel| {
            let states = order.to_f64().unwrap_or(f64::INFINITY);
            let ladder =
                Ladder::new(parts, (branching, states), cancel).map_err(Failure::of_group)?;
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
}
