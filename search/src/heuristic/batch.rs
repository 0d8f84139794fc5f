//! Batches: how a heuristic reads its tables for many children at a time.
//!
//! [`Heuristic::ask`](crate::Heuristic::ask) names what it needs for the children of a [`Batch`],
//! in a [`LookupBatch`], and [`Heuristic::take`](crate::Heuristic::take) reads it.

use crate::domain::{Cost, Op};

/// A table lookup for one child of a batch. `what` is a number that the heuristic defines, such as
/// the number of the table. 4 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookup(u32);

impl Lookup {
    /// A lookup of `what` for the child number `child`.
    #[inline(always)]
    pub fn new(child: u16, what: u16) -> Self {
        Self(u32::from(child) << 16 | u32::from(what))
    }
    /// The number of the child.
    #[inline(always)]
    pub fn child(self) -> usize {
        (self.0 >> 16) as usize
    }
    /// What to read, as the heuristic defines it.
    #[inline(always)]
    pub fn what(self) -> usize {
        (self.0 & 0xffff) as usize
    }
}

/// For each byte, the numbers of its set bits, lowest first.
static NUMBERS: [[u8; 8]; 256] = {
    let mut numbers = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if set >> bit & 1 == 1 {
                numbers[set][place] = bit;
                place += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    numbers
};

/// Lookups for several children. For each lookup there is a place: a `u64` that the heuristic
/// defines, such as the index of the table entry.
#[derive(Clone, Debug)]
pub struct LookupBatch {
    asked: Vec<Lookup>,
    places: Vec<u64>,
    count: usize,
}

impl LookupBatch {
    /// An empty batch.
    pub fn new() -> Self {
        Self { asked: vec![Lookup::default(); 8], places: vec![0; 8], count: 0 }
    }
    /// Removes all lookups.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }
    /// Makes room for this many more lookups.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) {
        let room = self.count + more + 8;
        if room > self.asked.len() {
            self.asked.resize(room, Lookup::default());
            self.places.resize(room, 0);
        }
    }
    /// Adds lookups for pairs of a child and eight bits. Each set bit adds one lookup for the
    /// child, lowest bit first. [`Lookup::what`] is the number of the bit. The code has no branch
    /// that depends on the bits.
    ///
    /// # Panics
    /// If there is no room for eight more lookups.
    #[inline(always)]
    pub fn add_each(&mut self, children: impl Iterator<Item = (u16, u8)>) {
        // The count is not in memory, where each addition would wait for the one before.
        let (asked, mut count) = (&mut self.asked[..], self.count);
        for (child, wanted) in children {
            let to: &mut [Lookup; 8] =
                asked[count..].first_chunk_mut().unwrap_or_else(|| unreachable!("room for eight"));
            let numbers = NUMBERS[usize::from(wanted)];
            *to = numbers.map(|number| Lookup::new(child, u16::from(number)));
            count += wanted.count_ones() as usize;
        }
        self.count = count;
    }
    /// All lookups, and the place of each. The caller may change the places. Both slices have the
    /// same indices.
    #[inline(always)]
    pub fn all(&mut self) -> (&[Lookup], &mut [u64]) {
        (&self.asked[..self.count], &mut self.places[..self.count])
    }
    /// Whether there are no lookups.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Default for LookupBatch {
    fn default() -> Self {
        Self::new()
    }
}

/// The cost that may still be spent from a child, and the cost that it needs at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slack {
    /// The cost that may still be spent.
    pub limit: Cost,
    /// A proven lower bound, 0 at first. Above the limit it cuts the child.
    pub proven: Cost,
}

/// Children that are evaluated together. All slices except `left` are indexed by the number of the
/// child.
#[derive(Debug)]
pub struct Batch<'a, C: Carries> {
    /// The numbers of the children that are not cut yet, ascending.
    pub left: &'a [u16],
    /// The number of each child's parent. Children of one parent are neighbours.
    pub parents: &'a [u16],
    /// The operator of each child. Among children of one parent, operators ascend.
    pub ops: &'a [Op],
    /// The state of each child.
    pub states: &'a [C::State],
    /// The limit and the proven bound of each child.
    pub slack: &'a mut [Slack],
    /// The lookups of a stage: what [`Heuristic::ask`](crate::Heuristic::ask) leaves to
    /// [`Heuristic::take`](crate::Heuristic::take).
    pub lookups: &'a mut LookupBatch,
    /// Whether a child that is cut may get any proven bound above its limit. If false, it gets the
    /// one that [`Heuristic::bound`](crate::Heuristic::bound) returns by itself.
    pub early: bool,
    /// The data of the heuristic.
    pub carries: C,
}

impl<C: Carries> Batch<'_, C> {
    /// The same children with other data.
    #[inline(always)]
    pub(crate) fn of<'b, B>(&'b mut self, carries: impl FnOnce(&'b mut C) -> B) -> Batch<'b, B>
    where
        B: Carries<State = C::State>,
    {
        let Batch { left, parents, ops, states, early, .. } = *self;
        let (slack, lookups) = (&mut *self.slack, &mut *self.lookups);
        let carries = carries(&mut self.carries);
        Batch { left, parents, ops, states, slack, lookups, early, carries }
    }
}

/// The data of a heuristic for the children of a [`Batch`] and for their parents.
pub trait Carries {
    /// A state of the domain.
    type State;
    /// The data at a node.
    type Carry: 'static;
    /// The state and the data of a child's parent.
    fn parent(&self, child: usize) -> (&Self::State, &Self::Carry);
    /// The data of a child. Arbitrary until [`Heuristic::ask`](crate::Heuristic::ask) makes it.
    fn child(&mut self, child: usize) -> &mut Self::Carry;
}

/// The data of children in a slice. The function returns the state and the data of a child's
/// parent.
#[derive(Debug)]
pub(crate) struct CarrySlice<'a, F, T>(pub(crate) F, pub(crate) &'a mut [T]);

impl<'a, S: 'a, T: 'static, F: Fn(usize) -> (&'a S, &'a T)> Carries for CarrySlice<'a, F, T> {
    type State = S;
    type Carry = T;
    #[inline(always)]
    fn parent(&self, child: usize) -> (&S, &T) {
        (self.0)(child)
    }
    #[inline(always)]
    fn child(&mut self, child: usize) -> &mut T {
        &mut self.1[child]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_holds_what_was_added_in_order() {
        let mut batch = LookupBatch::new();
        let mut expected = Vec::new();
        for round in 0..3 {
            let set =
                |child: u16| u8::try_from((u32::from(child) * 89 + round * 41) % 256).unwrap();
            for children in [0..1, 1..40] {
                batch.reserve(8 * children.len());
                batch.add_each(children.clone().map(|child| (child, set(child))));
                let bits = |child| (0..8).filter(move |bit| set(child) >> bit & 1 == 1);
                expected.extend(
                    children
                        .flat_map(|child| bits(child).map(move |bit| (usize::from(child), bit))),
                );
            }
            let (asked, places) = batch.all();
            assert_eq!(asked.len(), places.len());
            assert!(asked.iter().map(|asked| (asked.child(), asked.what())).eq(expected.drain(..)));
            batch.clear();
            assert!(batch.is_empty());
        }
    }
}
