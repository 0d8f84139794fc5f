//! Pairs of neighbouring places that every generator keeps but for a few: [`Adjacency`].

mod growth;
#[cfg(test)]
mod tests;

use crate::{Permutation, orbits};
use growth::{PairMaps, Relation};

pub use growth::{NeighbourChange, PlacePair};

/// The most pairs of places, times generators, in which neighbours are looked for: 32 MB.
const MOST: usize = 1 << 22;

/// A relation is of use if its greatest bound is at least the number of points over this.
const SHARE: u64 = 4;

/// Neighbouring places: each generator separates only a few pairs of neighbours.
///
/// A *gap* is a pair of neighbouring places whose pieces are no neighbours in the goal. If a
/// generator separates at most `k` pairs, it mends at most `k` gaps. So a state with `g` gaps needs
/// `g / k` generators at least. This is the gap heuristic for stacks of pancakes of Malte Helmert,
/// "Landmark Heuristics for the Pancake Problem" (SoCS 2010), for any group.
///
/// A place is a point. One more place, the *end*, has a piece that never moves: the plate below the
/// stack.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// The number of points and the end.
    places: usize,
    /// For each place, then each place: whether they are neighbours.
    near: Vec<bool>,
    pairs: Vec<PlacePair>,
    changes: Vec<NeighbourChange>,
    /// A generator of cost `cost` separates at most so many pairs, and others in proportion.
    separated: u64,
    cost: u64,
}

impl Adjacency {
    /// The best relation that is found, from the generators alone. `None` if no relation is of use,
    /// the points have several orbits, the group is large, or `stop` is true.
    ///
    /// A generator takes the piece at a point to the image of the point. Each has a cost.
    ///
    /// Method: from each pair of one place, grow a set by the pair that adds the fewest separations
    /// to it. Of all sets met, take the one with the greatest bound. 0.2 s for 100 points and 100
    /// generators.
    pub fn find(
        points: usize,
        generators: &[(Permutation, u8)],
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let pairs = points * (points + 1) / 2;
        let elements: Vec<Permutation> = generators.iter().map(|(one, _)| one.clone()).collect();
        let fits = pairs.checked_mul(elements.len()).is_some_and(|all| (1..=MOST).contains(&all));
        let moving = |orbit: &&Vec<u16>| orbit.len() > 1;
        if !fits || orbits(points, &elements).iter().filter(moving).count() != 1 {
            return None;
        }
        let maps = PairMaps::new(points, generators);
        let best = maps.best(stop).filter(|best| best.is_at_least(points as u64, SHARE))?;
        Some(Self::of(&maps, points, &maps.with_end(best)))
    }

    fn of(maps: &PairMaps, points: usize, relation: &Relation) -> Self {
        let places = points + 1;
        let mut near = vec![false; places * places];
        let pairs: Vec<PlacePair> = relation.pairs.iter().map(|&pair| maps.places(pair)).collect();
        for &[a, b] in &pairs {
            near[usize::from(a) * places + usize::from(b)] = true;
            near[usize::from(b) * places + usize::from(a)] = true;
        }
        let changes = maps.changes(relation);
        Self { places, near, pairs, changes, separated: relation.separated, cost: relation.cost }
    }

    /// The end: the place behind the last point.
    pub fn end(&self) -> u16 {
        u16::try_from(self.places - 1).unwrap_or(u16::MAX)
    }

    /// The pairs of neighbours.
    pub fn pairs(&self) -> &[PlacePair] {
        &self.pairs
    }

    /// What a generator does to the pairs of neighbours.
    pub fn change(&self, generator: usize) -> &NeighbourChange {
        &self.changes[generator]
    }

    /// Whether two pieces, given by their places in the goal, are neighbours there.
    #[inline(always)]
    pub fn are_near(&self, [a, b]: [u16; 2]) -> bool {
        self.near[usize::from(a) * self.places + usize::from(b)]
    }

    /// The gaps of a state. `at` says which piece lies at a place, by its place in the goal; the
    /// end lies at the end.
    pub fn gaps(&self, at: impl Fn(u16) -> u16) -> u32 {
        let gaps = self.pairs.iter().filter(|pair| !self.are_near(pair.map(&at))).count();
        u32::try_from(gaps).unwrap_or(u32::MAX)
    }

    /// The gaps after a generator, from those before and the state before.
    #[inline]
    pub fn gaps_after(&self, gaps: u32, generator: usize, at: impl Fn(u16) -> u16) -> u32 {
        let NeighbourChange { lost, gained } = &self.changes[generator];
        let of = |pairs: &[PlacePair]| {
            pairs.iter().map(|pair| u32::from(self.are_near(pair.map(&at)))).sum::<u32>()
        };
        gaps + of(lost) - of(gained)
    }

    /// The least cost to mend so many gaps. Admissible: yes (no generator mends more gaps for its
    /// cost). Consistent: yes (for the same reason).
    #[inline]
    pub fn bound(&self, gaps: u32) -> u32 {
        let bound = (u64::from(gaps) * self.cost).div_ceil(self.separated);
        u32::try_from(bound).unwrap_or(u32::MAX)
    }

    /// Gaps and costs on one scale: the cost so far and that to mend the gaps, times a constant.
    #[inline]
    pub fn scaled(&self, cost: u32, gaps: u32) -> u64 {
        u64::from(cost) * self.separated + u64::from(gaps) * self.cost
    }
}
