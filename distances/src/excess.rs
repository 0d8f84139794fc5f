//! Excesses: how much two or three features cost together beyond the sum of their single distances.

use super::NONE;
use search::Cost;
use std::collections::BTreeMap;

/// Two or three features at certain places that cost more together than the sum of their single
/// distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Excess {
    features: [u8; 3],
    places: [u8; 3],
    cost: Cost,
}

impl Excess {
    /// The excess of two or three features at their places. `features` ascends, and `places[i]` is
    /// the place of `features[i]`.
    pub(super) fn new(features: &[u8], places: &[u8], cost: Cost) -> Self {
        let padded = |list: &[u8]| std::array::from_fn(|i| list.get(i).copied().unwrap_or(NONE));
        Self { features: padded(features), places: padded(places), cost }
    }

    fn count(&self) -> usize {
        if self.features[2] == NONE { 2 } else { 3 }
    }

    /// The two or three features, ascending.
    pub fn features(&self) -> &[u8] {
        &self.features[..self.count()]
    }

    /// The places of the features, in the order of [`Excess::features`].
    pub fn places(&self) -> &[u8] {
        &self.places[..self.count()]
    }

    /// The cost beyond the sum of the single distances. At least 1.
    pub fn cost(&self) -> Cost {
        self.cost
    }
}

/// An excess whose features all lie at its places in the current state: the features, then the
/// cost. The third feature of a pair is [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ActiveExcess([u8; 4]);

impl ActiveExcess {
    pub(super) fn new(excess: &Excess) -> Self {
        let [a, b, c] = excess.features;
        Self([a, b, c, excess.cost])
    }

    /// The set of the features, a bit each.
    #[inline(always)]
    pub(super) fn set(self) -> u64 {
        let [a, b, c, _] = self.0;
        let third = if c == NONE { 0 } else { 1 << (c & 63) };
        1 << (a & 63) | 1 << (b & 63) | third
    }

    #[inline(always)]
    pub(super) fn cost(self) -> Cost {
        self.0[3]
    }

    #[inline(always)]
    pub(super) fn is_of(self, feature: u8) -> bool {
        let [a, b, c, _] = self.0;
        a == feature || b == feature || c == feature
    }
}

/// For each feature and place, the excesses of this feature at this place.
///
/// Each excess is in the lists of all its features. In such a list, excesses with the same second
/// feature at the same second place form a *group*. A lookup skips a group unless the state has its
/// second feature there.
#[derive(Clone, Debug)]
pub(super) struct ExcessIndex {
    places: usize,
    /// Indexed by the feature, then its place, then the second place.
    cells: Vec<Cell>,
    /// For each group, the index of its first member. One more entry marks the end.
    starts: Vec<u32>,
    members: Vec<Member>,
}

/// The groups of one feature at one place with one second place. 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The second features that have a group, a bit each.
    features: u64,
    /// The number of the first group. The groups of the other second features follow, in ascending
    /// order of the features.
    first: u32,
}

/// One excess in a group.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// The place and the number of the third feature. For a pair, those of the second feature
    /// again.
    third: (u8, u8),
    active: ActiveExcess,
}

/// A place, and the feature at it.
type At = (u8, u8);

/// For each feature and place, the excesses of this feature at this place. Each entry has the
/// second feature with its place, the third one with its place, and the excess. A pair has its
/// second feature twice.
fn by_feature_and_place(
    features: usize,
    places: usize,
    excesses: &[Excess],
) -> Vec<Vec<(At, At, ActiveExcess)>> {
    let mut lists = vec![Vec::new(); features * places];
    for excess in excesses {
        let at = || excess.places().iter().copied().zip(excess.features().iter().copied());
        for one in at() {
            let mut others = at().filter(|&other| other != one);
            let Some(second) = others.next() else { continue };
            let third = others.next().unwrap_or(second);
            let list = usize::from(one.1) * places + usize::from(one.0);
            lists[list].push((second, third, ActiveExcess::new(excess)));
        }
    }
    lists
}

impl ExcessIndex {
    pub(super) fn new(features: usize, places: usize, excesses: &[Excess]) -> Self {
        let cells = Vec::with_capacity(features * places * places);
        let mut lists = Self { places, cells, starts: Vec::new(), members: Vec::new() };
        for list in by_feature_and_place(features, places, excesses) {
            lists.add(&list);
        }
        lists.starts.push(to_word(lists.members.len()));
        lists
    }

    /// Adds the groups of one feature at one place. `list` has all its excesses at that place.
    ///
    /// A triple has two other features. The one that `list` names more often becomes the second.
    /// So there are few groups.
    fn add(&mut self, list: &[(At, At, ActiveExcess)]) {
        let mut often: BTreeMap<At, usize> = BTreeMap::new();
        for (second, third, _) in list {
            *often.entry(*second).or_default() += 1;
            *often.entry(*third).or_default() += 1;
        }
        let mut groups: BTreeMap<At, Vec<Member>> = BTreeMap::new();
        for &(second, third, active) in list {
            let swap = often.get(&second) < often.get(&third);
            let (second, third) = if swap { (third, second) } else { (second, third) };
            groups.entry(second).or_default().push(Member { third, active });
        }
        for place in 0..self.places {
            let mut cell = Cell { features: 0, first: to_word(self.starts.len()) };
            for (&(_, feature), group) in groups.iter().filter(|(at, _)| usize::from(at.0) == place)
            {
                cell.features |= 1 << feature;
                self.starts.push(to_word(self.members.len()));
                self.members.extend(group);
            }
            self.cells.push(cell);
        }
    }

    /// Calls `put` with every excess of `feature` at `place` whose other features lie at their
    /// places. `at` returns the feature at a place, or [`NONE`].
    #[inline(always)]
    pub(super) fn active(
        &self,
        feature: u8,
        place: u8,
        at: impl Fn(u8) -> u8,
        mut put: impl FnMut(ActiveExcess),
    ) {
        let first = (usize::from(feature) * self.places + usize::from(place)) * self.places;
        for (other, cell) in (0..).zip(&self.cells[first..first + self.places]) {
            let second = at(other);
            if second == NONE || cell.features >> (second & 63) & 1 == 0 {
                continue;
            }
            let before = cell.features & ((1 << (second & 63)) - 1);
            let group = cell.first as usize + before.count_ones() as usize;
            let members = self.starts[group] as usize..self.starts[group + 1] as usize;
            for member in &self.members[members] {
                if at(member.third.0) == member.third.1 {
                    put(member.active);
                }
            }
        }
    }

    /// The size of the index in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.members[..])
    }
}

/// A number of groups or members as 32 bits. All such numbers are below 2^32.
fn to_word(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
