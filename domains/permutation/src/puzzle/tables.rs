//! Pattern databases of a puzzle whose states form a group: the places of some pieces, looked up
//! for the state and for its inverse.

use super::group::PuzzleGroup;
use super::group_puzzle::GroupPuzzle;
use super::slots::{GroupElement, slot_number};
use groups::{GroupError, StabilizerChain};
use pdb::{GroupPattern, PackedTable};
use search::{Cost, Heuristic, Op, OpSet, TwoSided, TwoSidedState, Verdict};

/// The pieces of a pattern database, given by their home slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSet {
    /// The home slots, in the order in which the pieces are ranked.
    pub slots: Vec<usize>,
    /// The number of entries: the places that these pieces can have together.
    pub entries: u64,
}

impl PuzzleGroup {
    /// Sets of pieces, each with at most `most` entries. Together they contain every piece that
    /// moves.
    ///
    /// If all pieces fit, there is one set. Otherwise each set takes as many pieces of one orbit as
    /// fit, in their order. The last set of an orbit is filled up with pieces from before its own.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn piece_sets(&self, most: u64) -> Result<Vec<PieceSet>, GroupError> {
        let generators = self.generators()?;
        let moves = |slot: usize| {
            let first = self.point(slot);
            generators.iter().any(|generator| generator.image(first) != first)
        };
        let moving: Vec<usize> = (0..self.slots()).filter(|&slot| moves(slot)).collect();
        let size = |slots: &[usize]| -> Result<u64, GroupError> {
            let tuple: Vec<u16> = slots.iter().map(|&slot| self.point(slot)).collect();
            let lengths = StabilizerChain::new(self.points(), &generators, &tuple)?.orbit_lengths();
            let lengths = lengths[..tuple.len()].iter();
            Ok(lengths.fold(1, |all: u64, &length| all.saturating_mul(length as u64)))
        };
        let entries = size(&moving)?;
        if entries <= most {
            return Ok(vec![PieceSet { slots: moving, entries }]);
        }
        let mut sets = Vec::new();
        let mut rest = &moving[..];
        while let Some(&first) = rest.first() {
            let orbit = self.orbit_of(first);
            let count = rest.iter().take_while(|&&slot| self.orbit_of(slot) == orbit).count();
            let (pieces, others) = rest.split_at(count);
            rest = others;
            let mut from = 0;
            while from < pieces.len() {
                let mut to = from + 1;
                while to < pieces.len() && size(&pieces[from..=to])? <= most {
                    to += 1;
                }
                // The last set takes pieces from before it, as long as it fits.
                while to == pieces.len() && from > 0 && size(&pieces[from - 1..to])? <= most {
                    from -= 1;
                }
                let slots = pieces[from..to].to_vec();
                sets.push(PieceSet { entries: size(&slots)?, slots });
                from = to;
            }
        }
        Ok(sets)
    }

    /// The abstraction of a set of pieces.
    ///
    /// # Errors
    /// If it has 2^64 entries or more.
    pub fn pattern(&self, set: &PieceSet) -> Result<GroupPattern, GroupError> {
        let tuple: Vec<u16> = set.slots.iter().map(|&slot| self.point(slot)).collect();
        GroupPattern::of_tuple(self.points(), &self.generators_with_costs()?, &tuple)
    }
}

/// The pattern database of a set of pieces.
#[derive(Debug)]
pub struct PieceTable {
    pattern: GroupPattern,
    /// For each point of the pattern's tuple: the slot that it belongs to. These points stand for
    /// twist 0.
    homes: Vec<u8>,
    distances: PackedTable,
}

impl PieceTable {
    /// A pattern with the table of its distances.
    ///
    /// # Panics
    /// If the table has another number of entries than the pattern.
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

    /// The distance of the pieces, computed from the inverse of an element. 0 if the group cannot
    /// take the pieces there.
    #[inline]
    fn value<const N: usize, O: OpSet>(
        &self,
        puzzle: &GroupPuzzle<N, O>,
        inverse: &GroupElement<N>,
    ) -> Cost {
        let home = |point: u16| usize::from(self.homes[usize::from(point)]);
        let Some(entry) = self.pattern.rank(|point| puzzle.image(inverse, home(point), 0)) else {
            return 0;
        };
        self.distances.get(entry)
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
    #[inline]
    fn up_to<const N: usize, O: OpSet>(
        &self,
        puzzle: &GroupPuzzle<N, O>,
        state: &TwoSidedState<GroupElement<N>>,
        limit: Cost,
    ) -> Cost {
        let mut most = 0;
        for table in &self.0 {
            for side in [&state.inverse, &state.position] {
                most = most.max(table.value(puzzle, side));
                if most > limit {
                    return most;
                }
            }
        }
        most
    }
}

impl<const N: usize, O: OpSet> Heuristic<TwoSided<GroupPuzzle<N, O>>> for PieceTables {
    type Carry = ();

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
        Verdict { h: self.up_to(&domain.0, state, limit), excluded: OpSet::NONE }
    }
}
