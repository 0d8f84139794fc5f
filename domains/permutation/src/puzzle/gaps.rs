//! The bound of gaps between neighbours for a puzzle whose states form a group: [`GapBound`].

use super::group::PuzzleGroup;
use super::group_puzzle::GroupPuzzle;
use super::slots::GroupElement;
use groups::{Adjacency, GroupError};
use search::{Claims, Cost, Heuristic, Op, OpSet, Step, Verdict};

/// A lower bound by the gaps of a state: neighbouring places whose pieces are no neighbours in the
/// goal. See [`Adjacency`]. It carries the gaps, and needs no table.
///
/// Admissible: yes, because no operator mends more gaps for its cost. Consistent: yes, for the same
/// reason.
#[derive(Debug)]
pub struct GapBound {
    adjacency: Adjacency,
    /// For each point: its slot and its twist there.
    slots: Vec<(u8, u8)>,
    /// For each slot: its first point, and the number of twists.
    points: Vec<(u16, u8)>,
}

impl GapBound {
    /// The bound of a group. `None` if gaps say nothing, or `stop` is true.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn new(group: &PuzzleGroup, stop: &dyn Fn() -> bool) -> Result<Option<Self>, GroupError> {
        let Some(adjacency) =
            Adjacency::find(group.points(), &group.generators_with_costs()?, stop)
        else {
            return Ok(None);
        };
        let slot = |point: u16| {
            let (slot, twist) = group.slot_of(point);
            (u8::try_from(slot).unwrap_or(u8::MAX), twist)
        };
        let slots = (0..adjacency.end()).map(slot).collect();
        let point = |slot: usize| (group.point(slot), group.twists(slot));
        let points = (0..group.slots()).map(point).collect();
        Ok(Some(Self { adjacency, slots, points }))
    }

    /// The home of the piece at a place, as a point. The end lies at the end.
    #[inline(always)]
    fn at<const N: usize>(&self, state: &GroupElement<N>, place: u16) -> u16 {
        let Some(&(slot, turned)) = self.slots.get(usize::from(place)) else { return place };
        let slot = usize::from(slot);
        let (first, twists) = self.points[usize::from(state.piece[slot])];
        let twist = state.twist[slot] + turned;
        first + u16::from(twist.min(twist.wrapping_sub(twists)))
    }

    /// The cost that mends so many gaps.
    fn cost(&self, gaps: u32) -> Cost {
        Cost::try_from(self.adjacency.bound(gaps)).unwrap_or(Cost::MAX)
    }
}

impl<const N: usize, O: OpSet> Heuristic<GroupPuzzle<N, O>> for GapBound {
    type Carry = u32;
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();

    fn root(&self, _: &GroupPuzzle<N, O>, state: &GroupElement<N>) -> u32 {
        self.adjacency.gaps(|place| self.at(state, place))
    }
    #[inline(always)]
    fn child(
        &self,
        _: &GroupPuzzle<N, O>,
        from: &GroupElement<N>,
        gaps: &u32,
        op: Op,
        _: &GroupElement<N>,
    ) -> u32 {
        self.adjacency.gaps_after(*gaps, op.index(), |place| self.at(from, place))
    }
    #[inline(always)]
    fn bound(
        &self,
        _: &GroupPuzzle<N, O>,
        _: &GroupElement<N>,
        gaps: &mut u32,
        _: Cost,
    ) -> Verdict<O> {
        Verdict::bound(self.cost(*gaps))
    }
    /// Cuts a child before it is made.
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, GroupPuzzle<N, O>>,
        gaps: &u32,
        child: &mut u32,
        limit: Cost,
    ) -> Result<Verdict<O>, Cost> {
        let from = step.from();
        *child = self.adjacency.gaps_after(*gaps, step.op().index(), |place| self.at(from, place));
        let bound = self.cost(*child);
        if bound > limit {
            return Err(bound);
        }
        step.child();
        Ok(Verdict::bound(bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveMetric;
    use crate::testing::read;
    use search::stored::Layers;
    use search::{Domain, Group, Options};

    /// A stack of pieces with two sides: a move turns the first ones over.
    fn stack(pieces: usize) -> String {
        let numbers: Vec<String> = (1..=pieces).map(|piece| piece.to_string()).collect();
        let mut text =
            format!("Name stack\nSet A {pieces} 2\nSolved\nA\n{}\nEnd\n", numbers.join(" "));
        for end in 1..=pieces {
            let from = (1..=pieces).map(|i| if i <= end { end + 1 - i } else { i }.to_string());
            let turns = (1..=pieces).map(|i| if i <= end { "1" } else { "0" }.to_owned());
            let (from, turns): (Vec<String>, Vec<String>) = (from.collect(), turns.collect());
            text += &format!("Move T{end}\nA\n{}\n{}\nEnd\n", from.join(" "), turns.join(" "));
        }
        text
    }

    /// The bound of every state is at most its distance and falls by one at most, and the carried
    /// gaps are those of the state. Pieces have two sides, so neighbours are sides.
    #[test]
    fn gaps_of_pieces_with_two_sides_are_admissible() {
        type Puzzle = GroupPuzzle<32, u32>;
        let definition = read(&stack(5));
        let operators = definition.operators(MoveMetric::Turn).expect("operators");
        let puzzle = Puzzle::new(&definition, operators).expect("a group");
        let bound = GapBound::new(puzzle.group(), &|| false).expect("a group").expect("gaps");
        let options = Options::default();
        let mut layers = Layers::new(&puzzle, &[puzzle.identity()], &options);
        while layers.advance().expect("few states") > 0 {}
        let (mut bounds, mut distances) = (0, 0);
        for depth in 0..layers.sizes().len() {
            layers.for_each(depth, |state| {
                let gaps = Heuristic::<Puzzle>::root(&bound, &puzzle, state);
                let h = bound.estimate(&puzzle, state);
                assert!(usize::from(h) <= depth, "{state:?}");
                for op in puzzle.applicable(state).members() {
                    let mut next = *state;
                    puzzle.apply_into(state, op, &mut next);
                    let after = bound.child(&puzzle, state, &gaps, op, &next);
                    assert_eq!(after, Heuristic::<Puzzle>::root(&bound, &puzzle, &next));
                    assert!(h <= bound.estimate(&puzzle, &next) + 1, "{state:?}");
                }
                (bounds, distances) = (bounds + usize::from(h), distances + depth);
            });
        }
        assert!(bounds * 5 > distances * 2, "{bounds} of {distances}");
    }
}
