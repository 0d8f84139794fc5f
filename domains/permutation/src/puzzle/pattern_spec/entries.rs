//! The entries of a [`SpecPattern`] as numbers: what operators do to them, and what they keep.

use super::abstraction::SpecPattern;
use super::factors::Step;
use super::walk::OFTEN;
use search::{CancelToken, Cost};

/// What an entry keeps of a slot: the symbol of its layout, and the colour of the piece.
type Sight = (u8, u8);

impl SpecPattern {
    /// The number of operators.
    pub(super) fn operators(&self) -> usize {
        self.layouts.words.costs.len()
    }

    /// The cost of an edge that stands for an operator.
    pub(super) fn cost(&self, op: usize) -> Cost {
        self.layouts.words.costs[op] / self.unit
    }

    /// The effect of an operator on a layout.
    #[inline(always)]
    pub(super) fn step(&self, layout: u64, op: usize) -> Step {
        self.layouts.step(usize::try_from(layout).expect("rows are below 2^32"), op)
    }

    /// The entry after an operator. There must be no rules.
    #[inline(always)]
    pub(super) fn entry_after(&self, entry: u64, op: usize) -> u64 {
        let columns = self.columns as u64;
        let step = self.step(entry / columns, op);
        let column = entry % columns;
        let map = &self.maps[step.order as usize];
        let at = usize::try_from(column).expect("a column");
        u64::from(step.row) * columns + map.get(at).map_or(column, |&to| to.into())
    }

    /// What an entry keeps of each slot of the pattern.
    fn sights(&self, layout: usize, column: usize) -> Vec<Sight> {
        let mut rank = u32::try_from(column).expect("at most 2^16 columns");
        // For each mixed group: the colours of its pieces, from the last slot to the first. The
        // last group varies fastest.
        let mut colours: Vec<(u8, Vec<u8>)> = Vec::new();
        for (arrangement, &(group, pieces)) in
            self.arrangements.iter().zip(&self.layouts.mixed).rev()
        {
            let mut word = vec![0; pieces];
            arrangement.unrank(rank % arrangement.words(), &mut word);
            rank /= arrangement.words();
            word.reverse();
            colours.push((group, word));
        }
        let sight = |&symbol: &u8| {
            let group = self.layouts.words.read(symbol).0;
            let own = colours.iter_mut().find(|(of, _)| *of == group);
            (symbol, own.and_then(|(_, word)| word.pop()).unwrap_or(0))
        };
        self.layouts.word(layout).iter().map(sight).collect()
    }

    /// Overwrites the slots of the pattern with labels and twists that have this entry. `start` is
    /// a goal, whose pieces are dealt out.
    pub(super) fn read(&self, entry: u64, start: &[(u8, u8)], slots: &mut [(u8, u8)]) {
        let entry = usize::try_from(entry).expect("fewer than 2^48 entries");
        let sights = self.sights(entry / self.columns, entry % self.columns);
        let words = &self.layouts.words;
        let mut left: Vec<u8> = words.slots.iter().map(|&slot| start[slot].0).collect();
        for (&slot, &(symbol, colour)) in words.slots.iter().zip(&sights) {
            let (group, twist) = words.read(symbol);
            let of = |&label: &u8| {
                let label = usize::from(label);
                (self.spec.group[label], self.spec.colour[label]) == (group, colour)
            };
            let at = left.iter().position(of).expect("a layout has the pieces of the goals");
            slots[slot] = (left.remove(at), twist);
        }
    }

    /// The entries of all states that have one of these labels and twists in each slot of the
    /// pattern, ascending. `None` if there are more than `most`, or if cancelled.
    pub(super) fn entries_with(
        &self,
        options: &[Vec<(u8, u8)>],
        most: u64,
        cancel: &CancelToken,
    ) -> Option<Vec<u64>> {
        let words = &self.layouts.words;
        let sights = |slot: &usize| {
            let sight = |&(label, twist): &(u8, u8)| {
                (words.symbol(label, twist), self.spec.colour[usize::from(label)])
            };
            options[*slot].iter().map(sight).collect::<Vec<Sight>>()
        };
        let allowed: Vec<Vec<Sight>> = words.slots.iter().map(sights).collect();
        let mut found = Vec::new();
        for layout in 0..self.layouts.len() {
            if layout.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                return None;
            }
            let has = |(symbol, allowed): (&u8, &Vec<Sight>)| {
                allowed.iter().any(|(other, _)| other == symbol)
            };
            if !self.layouts.word(layout).iter().zip(&allowed).all(has) {
                continue;
            }
            for column in 0..self.columns {
                let is_full = found.len() as u64 > most;
                if is_full || column.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                    return None;
                }
                let sights = self.sights(layout, column);
                if sights.iter().zip(&allowed).all(|(sight, allowed)| allowed.contains(sight)) {
                    found.push((layout * self.columns + column) as u64);
                }
            }
        }
        Some(found)
    }
}
