//! Pattern databases of a puzzle whose states form a group. Each has the distances of some pieces
//! from home, and is read for the state and for its inverse.

use super::group::PuzzleGroup;
use super::group_puzzle::GroupPuzzle;
use super::slots::{GroupElement, slot_number};
use groups::{GroupError, Permutation, StabilizerChain};
use pdb::{EntryTable, GroupPattern, Lookups, PackedTable, Source, TableEntry};
use search::{CancelToken, Claims, Cost, Heuristic, Op, OpSet, TwoSided, TwoSidedState, Verdict};
use std::ops::Range;

/// The pieces of a pattern database, given by their home slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSet {
    /// The home slots, in the order in which the pieces are ranked.
    pub slots: Vec<usize>,
    /// The number of entries: the ways in which these pieces can lie together.
    pub entries: u64,
}

/// Cuts the pieces of a group into sets whose tables are small.
///
/// A stabilizer chain counts the entries of all sets that begin with the same piece. The cutter
/// computes each chain once, for all sizes.
#[derive(Debug)]
pub struct PieceCutter<'g> {
    group: &'g PuzzleGroup,
    generators: Vec<Permutation>,
    /// The slots of the pieces that move.
    moving: Vec<usize>,
    /// For each piece that begins a set: the orbit lengths of its chain, one for it and for each
    /// later piece. An orbit length is the number of places (slots with twists) of a piece, if the
    /// pieces before it in the set are at home. Empty until a set begins with this piece.
    lengths: Vec<Vec<usize>>,
}

impl<'g> PieceCutter<'g> {
    /// A cutter of a group's pieces.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn new(group: &'g PuzzleGroup) -> Result<Self, GroupError> {
        let generators = group.generators()?;
        let moves = |slot: usize| {
            let first = group.point(slot);
            generators.iter().any(|generator| generator.image(first) != first)
        };
        let moving: Vec<usize> = (0..group.slots()).filter(|&slot| moves(slot)).collect();
        let lengths = vec![Vec::new(); moving.len()];
        Ok(Self { group, generators, moving, lengths })
    }

    /// The number of ways in which these pieces can lie together.
    fn size(&mut self, pieces: Range<usize>, cancel: &CancelToken) -> Result<u64, GroupError> {
        let Some(known) = self.lengths.get_mut(pieces.start) else { return Ok(1) };
        if known.is_empty() {
            let tuple: Vec<u16> =
                self.moving[pieces.start..].iter().map(|&slot| self.group.point(slot)).collect();
            let (points, stop) = (self.group.points(), || cancel.is_cancelled());
            let chain = StabilizerChain::new_until(points, &self.generators, &tuple, &stop)?;
            *known = chain.orbit_lengths();
        }
        let lengths = known[..pieces.len()].iter();
        Ok(lengths.fold(1, |all: u64, &length| all.saturating_mul(length as u64)))
    }

    fn set(&mut self, pieces: Range<usize>, cancel: &CancelToken) -> Result<PieceSet, GroupError> {
        let slots = self.moving[pieces.clone()].to_vec();
        Ok(PieceSet { slots, entries: self.size(pieces, cancel)? })
    }

    /// Sets of pieces, each with at most `most` entries. Together they contain every piece that
    /// moves.
    ///
    /// If all pieces fit, there is one set. Otherwise each set takes as many pieces of one orbit as
    /// fit, in their order. The last set of an orbit is filled up with the pieces before it.
    ///
    /// # Errors
    /// [`GroupError::Stopped`] if cancelled.
    pub fn sets(&mut self, most: u64, cancel: &CancelToken) -> Result<Vec<PieceSet>, GroupError> {
        let all = 0..self.moving.len();
        if self.size(all.clone(), cancel)? <= most {
            return Ok(vec![self.set(all, cancel)?]);
        }
        let mut sets = Vec::new();
        let mut first = 0;
        while first < all.end {
            let orbit = |place: usize| self.group.orbit_of(self.moving[place]);
            let end = (first..all.end).find(|&place| orbit(place) != orbit(first));
            let end = end.unwrap_or(all.end);
            let mut from = first;
            while from < end {
                let mut to = from + 1;
                while to < end && self.size(from..to + 1, cancel)? <= most {
                    to += 1;
                }
                // The last set takes pieces from before it, as long as it fits.
                while to == end && from > first && self.size(from - 1..to, cancel)? <= most {
                    from -= 1;
                }
                sets.push(self.set(from..to, cancel)?);
                from = to;
            }
            first = end;
        }
        Ok(sets)
    }
}

impl PuzzleGroup {
    /// The abstraction of a set of pieces.
    ///
    /// # Errors
    /// If it has 2^64 entries or more. [`GroupError::Stopped`] if cancelled.
    pub fn pattern(
        &self,
        set: &PieceSet,
        cancel: &CancelToken,
    ) -> Result<GroupPattern, GroupError> {
        let tuple: Vec<u16> = set.slots.iter().map(|&slot| self.point(slot)).collect();
        let (operators, stop) = (self.generators_with_costs()?, || cancel.is_cancelled());
        GroupPattern::of_tuple_until(self.points(), &operators, &tuple, &stop)
    }
}

/// The pattern database of a set of pieces.
#[derive(Debug)]
pub struct PieceTable {
    pattern: GroupPattern,
    /// For each point of the group: its slot. The pattern asks only for points of twist 0.
    homes: Vec<u8>,
    distances: PackedTable,
}

impl PieceTable {
    /// A pattern with the table of its distances.
    ///
    /// # Panics
    /// If the table has another number of entries than the pattern, or the group has more than 256
    /// slots.
    pub fn new(group: &PuzzleGroup, pattern: GroupPattern, distances: PackedTable) -> Self {
        assert_eq!(distances.entries(), pattern.entries(), "the table of another pattern");
        let points = (0..u16::MAX).take(group.points());
        let homes = points.map(|point| slot_number(group.slot_of(point).0)).collect();
        Self { pattern, homes, distances }
    }

    /// The pattern.
    pub fn pattern(&self) -> &GroupPattern {
        &self.pattern
    }

    /// The distances of the entries.
    pub fn distances(&self) -> &PackedTable {
        &self.distances
    }

    /// Size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        self.distances.bytes().len() as u64
    }

    /// For each value from 0: the number of entries.
    pub fn counts(&self) -> Vec<u64> {
        self.distances.histogram().counts
    }

    /// The entry of the pieces, computed from the inverse of an element. `None` if they lie as no
    /// element of the group takes them.
    #[inline]
    fn entry<const N: usize, O: OpSet>(
        &self,
        puzzle: &GroupPuzzle<N, O>,
        inverse: &GroupElement<N>,
    ) -> Option<u64> {
        let home = |point: u16| usize::from(self.homes[usize::from(point)]);
        self.pattern.rank(|point| puzzle.image(inverse, home(point), 0))
    }
}

/// The heuristic that is the maximum over several tables, each read for the state and for its
/// inverse.
///
/// A state and its inverse are equally far from the goal, because each operator is undone by an
/// operator of the same cost. Reading stops as soon as a bound exceeds the limit.
///
/// Admissible: yes, because each value is a lower bound. Consistent: no, because an operator
/// changes the inverse from the other side.
#[derive(Debug)]
pub struct PieceTables(pub Vec<PieceTable>);

impl PieceTables {
    /// The greatest value, or the first one above the limit. `None` if `read` has no value.
    #[inline]
    fn up_to<const N: usize, O: OpSet>(
        &self,
        puzzle: &GroupPuzzle<N, O>,
        state: &TwoSidedState<GroupElement<N>>,
        limit: Cost,
        mut read: impl FnMut(TableEntry) -> Option<Cost>,
    ) -> Option<Cost> {
        let mut most = 0;
        for (number, table) in self.0.iter().enumerate() {
            for side in [&state.inverse, &state.position] {
                if let Some(entry) = table.entry(puzzle, side) {
                    most = most.max(read(TableEntry { table: number, entry })?);
                }
                if most > limit {
                    return Some(most);
                }
            }
        }
        Some(most)
    }
}

impl<const N: usize, O: OpSet> Lookups<TwoSided<GroupPuzzle<N, O>>> for PieceTables {
    fn tables(&self) -> Vec<EntryTable> {
        self.0.iter().map(|table| EntryTable::Distances(table.distances.clone())).collect()
    }
    fn table_count(&self) -> usize {
        self.0.len()
    }
    fn bound_from(
        &self,
        domain: &TwoSided<GroupPuzzle<N, O>>,
        state: &TwoSidedState<GroupElement<N>>,
        (): &mut (),
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<<O as OpSet>::Double>> {
        self.up_to(&domain.0, state, limit, |entry| source.take(&mut || entry)).map(Verdict::bound)
    }
}

impl<const N: usize, O: OpSet> Heuristic<TwoSided<GroupPuzzle<N, O>>> for PieceTables {
    type Carry = ();
    const CLAIMS: Claims = Claims::ADMISSIBLE;

    fn root(&self, _: &TwoSided<GroupPuzzle<N, O>>, _: &TwoSidedState<GroupElement<N>>) {}
    #[inline(always)]
    fn child(
        &self,
        _: &TwoSided<GroupPuzzle<N, O>>,
        _: &TwoSidedState<GroupElement<N>>,
        (): &(),
        _: Op,
        _: &TwoSidedState<GroupElement<N>>,
    ) {
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &TwoSided<GroupPuzzle<N, O>>,
        state: &TwoSidedState<GroupElement<N>>,
        (): &mut (),
        limit: Cost,
    ) -> Verdict<<O as OpSet>::Double> {
        let read = |entry: TableEntry| Some(self.0[entry.table].distances.get(entry.entry));
        Verdict::bound(self.up_to(&domain.0, state, limit, read).unwrap_or(0))
    }
}
