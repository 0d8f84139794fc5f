//! What a heuristic asks for when it reads for many children side by side: [`LookupBatch`], [`Survivors`] and the stages between them.

use crate::domain::{Cost, Op};

/// Something to be read for one of several children: what it is is the heuristic's own. 4 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookup(u32);

impl Lookup {
    /// Something of the child with this number.
    #[inline(always)]
    pub fn new(child: u16, what: u16) -> Self {
        Self(u32::from(child) << 16 | u32::from(what))
    }
    /// Number of the child.
    #[inline(always)]
    pub fn child(self) -> usize {
        (self.0 >> 16) as usize
    }
    /// What is read.
    #[inline(always)]
    pub fn what(self) -> usize {
        (self.0 & 0xffff) as usize
    }
}

/// By set of bits: the numbers of those that are set, lowest first.
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

/// What is asked for of several children, and where each thing stands once that is known: a number that is the heuristic's own.
#[derive(Clone, Debug)]
pub struct LookupBatch {
    asked: Vec<Lookup>,
    places: Vec<u64>,
    count: usize,
}

impl LookupBatch {
    /// Nothing.
    pub fn new() -> Self {
        Self { asked: vec![Lookup::default(); 8], places: vec![0; 8], count: 0 }
    }
    /// Asks for nothing more.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }
    /// Makes room for so many more.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) {
        let room = self.count + more + 8;
        if room > self.asked.len() {
            self.asked.resize(room, Lookup::default());
            self.places.resize(room, 0);
        }
    }
    /// Adds, for each of several children, the things whose bits are set, lowest first, without a branch.
    ///
    /// # Panics
    /// Without room for eight more than there are.
    #[inline(always)]
    pub fn add_each(&mut self, children: impl Iterator<Item = (u16, u8)>) {
        // Not in memory, where each would wait for the one before.
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
    /// All that is asked for, and by the same index where it stands.
    #[inline(always)]
    pub fn all(&mut self) -> (&[Lookup], &mut [u64]) {
        (&self.asked[..self.count], &mut self.places[..self.count])
    }
    /// Whether nothing is.
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

/// Several children that were made together, by number of the child.
#[derive(Debug)]
pub struct ChildBatch<'a, S, C> {
    /// The numbers of their parents; the children of one are neighbours.
    pub parents: &'a [u16],
    /// The operators that made them; of one parent they ascend.
    pub ops: &'a [Op],
    /// The states.
    pub states: &'a [S],
    /// What they carry, to be overwritten.
    pub carries: &'a mut [C],
    /// What is to be read first may be added here.
    pub batch: &'a mut LookupBatch,
}

/// What may still be spent from a child, and what is proven to be needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slack {
    /// What may still be spent.
    pub limit: Cost,
    /// A proven value; 0 at first. If it is above the limit, the child is cut.
    pub proven: Cost,
}

/// Several children that are screened together: all slices but `left` are by number of the child.
#[derive(Debug)]
pub struct Survivors<'a, S, C> {
    /// The children that are not cut yet, ascending.
    pub left: &'a [u16],
    /// The states.
    pub states: &'a [S],
    /// What they carry.
    pub carries: &'a mut [C],
    /// The limits, and what is above them.
    pub slack: &'a mut [Slack],
    /// What was asked for, to be read; and then what is asked for next.
    pub batch: &'a mut LookupBatch,
}

/// What a stage of screening did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterStage {
    /// It only asked for something: nothing is cut, and there is another stage.
    Lookups,
    /// It may have cut children, and there is another stage if any are left.
    Cuts,
    /// Nothing, and there is no stage behind it.
    Done,
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
