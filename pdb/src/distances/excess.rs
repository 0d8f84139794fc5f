//! What two or three features cost beyond their single distances.

use super::NONE;
use search::Cost;

/// Features at places that together need more than each on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Excess {
    features: [u8; 3],
    places: [u8; 3],
    cost: Cost,
}

impl Excess {
    /// Two or three features, ascending, at their places.
    pub(super) fn new(features: &[u8], places: &[u8], cost: Cost) -> Self {
        let padded = |list: &[u8]| std::array::from_fn(|i| list.get(i).copied().unwrap_or(NONE));
        Self { features: padded(features), places: padded(places), cost }
    }

    fn count(&self) -> usize {
        if self.features[2] == NONE { 2 } else { 3 }
    }

    /// The features, ascending: two or three.
    pub fn features(&self) -> &[u8] {
        &self.features[..self.count()]
    }

    /// The place of each feature.
    pub fn places(&self) -> &[u8] {
        &self.places[..self.count()]
    }

    /// The cost beyond the sum of the single distances. At least 1.
    pub fn cost(&self) -> Cost {
        self.cost
    }
}

/// An excess that holds in a state: features and cost in a word, the third feature [`NONE`] for a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Holding([u8; 4]);

impl Holding {
    pub(super) fn new(excess: &Excess) -> Self {
        let [a, b, c] = excess.features;
        Self([a, b, c, excess.cost])
    }

    /// The features as bits.
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

/// The excesses by feature and place: what may begin to hold when the feature comes there.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    places: usize,
    /// By feature, then place, and one more: where the list begins.
    first: Vec<u32>,
    members: Vec<Member>,
}

/// One excess in the list of one of its features.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Place and feature of the others; the second is the first again for a pair.
    others: [(u8, u8); 2],
    holding: Holding,
}

impl Lists {
    pub(super) fn new(features: usize, places: usize, excesses: &[Excess]) -> Self {
        let mut lists: Vec<Vec<Member>> = vec![Vec::new(); features * places];
        for excess in excesses {
            let at: Vec<(u8, u8)> =
                excess.places().iter().copied().zip(excess.features().iter().copied()).collect();
            for (number, &(place, feature)) in at.iter().enumerate() {
                let mut others = at.iter().enumerate().filter(|(other, _)| *other != number);
                let Some((_, &one)) = others.next() else { continue };
                let two = others.next().map_or(one, |(_, &two)| two);
                let holding = Holding::new(excess);
                lists[usize::from(feature) * places + usize::from(place)]
                    .push(Member { others: [one, two], holding });
            }
        }
        let mut first = vec![0];
        let mut members = Vec::new();
        for list in lists {
            members.extend(list);
            first.push(u32::try_from(members.len()).unwrap_or(u32::MAX));
        }
        Self { places, first, members }
    }

    /// Calls `put` with every excess of a feature at a place that holds, given what lies at a place.
    #[inline(always)]
    pub(super) fn holding(
        &self,
        feature: u8,
        place: u8,
        lies: impl Fn(u8, u8) -> bool,
        mut put: impl FnMut(Holding),
    ) {
        let list = usize::from(feature) * self.places + usize::from(place);
        for member in &self.members[self.first[list] as usize..self.first[list + 1] as usize] {
            let [(place, one), (other, two)] = member.others;
            if lies(place, one) && lies(other, two) {
                put(member.holding);
            }
        }
    }

    /// Bytes of the lists.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.first[..]) + size_of_val(&self.members[..])
    }
}
