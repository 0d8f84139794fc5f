//! Finds the layouts of a spec from the layouts of smaller sets of slots: see [`Factor`].
//!
//! On the cube, the slots of corners and of edges never exchange pieces. So the layouts of each are
//! found alone, by hashing words. Then the pairs that are reached together are found by number. A
//! cube has 50 times as many pairs as layouts of edges, so hashing takes a small part of the time.

use super::walk::{OFTEN, WordSet};
use super::words::Words;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use search::CancelToken;
use std::ops::Range;

/// The effect of an operator on a layout. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The layout after the operator, or [`NOWHERE`].
    pub(super) row: u32,
    /// The order of the pieces of the mixed groups after the operator: an index of
    /// [`Layouts::orders`](super::layouts::Layouts::orders).
    pub(super) order: u32,
}

/// Stands for a layout that is illegal, or from which no goal is reached.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Most pairs of layouts of two factors, reached or not. Each takes a bit.
const MOST_PAIRS: usize = 1 << 28;

/// The layouts of a range of places (indices of a word) that no piece leaves.
#[derive(Default)]
pub(super) struct Factor {
    /// The places of the words.
    places: Range<usize>,
    /// The words, ascending, one after another.
    pub(super) rows: Vec<u8>,
    /// Indexed by layout, then operator.
    pub(super) steps: Vec<Step>,
    /// For each order of the pieces: a layout and an operator that make it. Order 0 is the
    /// identity.
    pub(super) orders: Vec<(usize, usize)>,
}

/// Ranges of places that no piece leaves. `mixed` has the groups with several colours. Each of them
/// has all its pieces in one range.
fn ranges(words: &Words, goals: &[Vec<u8>], mixed: &[(u8, usize)]) -> Vec<Range<usize>> {
    let places = words.slots.len();
    // Rules need whole words.
    if words.restricted() {
        return std::iter::once(0..places).collect();
    }
    let mut join = UnionFind::new(places + mixed.len());
    for op in 0..words.costs.len() {
        words.sources(op).enumerate().for_each(|(place, from)| _ = join.union(place, from));
    }
    for goal in goals {
        for (place, &symbol) in goal.iter().enumerate() {
            let group = words.group[usize::from(symbol)];
            if let Some(at) = mixed.iter().position(|&(other, _)| other == group) {
                join.union(place, places + at);
            }
        }
    }
    let last = |place: usize| (0..places).rev().find(|&other| join.equiv(place, other));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for place in 0..places {
        let end = last(place).map_or(places, |last| last + 1);
        match ranges.last_mut().filter(|range| place < range.end) {
            Some(range) => range.end = range.end.max(end),
            None => ranges.push(place..end),
        }
    }
    ranges
}

impl Factor {
    /// All layouts from which a goal is reached. `goals` are whole words. `None` if there are more
    /// than `most`, or if cancelled.
    ///
    /// A legal state with another layout has no plan.
    pub(super) fn all(
        words: &Words,
        goals: &[Vec<u8>],
        mixed: &[(u8, usize)],
        most: usize,
        cancel: &CancelToken,
    ) -> Option<Self> {
        let mut all: Option<Self> = None;
        for range in ranges(words, goals, mixed) {
            let next = Self::walk(words, range, goals, mixed, most, cancel)?;
            all = Some(match all {
                None => next,
                Some(before) => match before.len().checked_mul(next.len()) {
                    Some(pairs) if pairs <= MOST_PAIRS => {
                        before.times(&next, goals, most, cancel)?
                    }
                    _ => {
                        let both = before.places.start..next.places.end;
                        Self::walk(words, both, goals, mixed, most, cancel)?
                    }
                },
            });
        }
        Some(all.unwrap_or_default())
    }

    /// Walks backward from the goals over the words of a range of places. An operator takes
    /// different words to different words, so each step backward also gives the step forward.
    ///
    /// Time: a hash for each word and operator.
    fn walk(
        words: &Words,
        places: Range<usize>,
        goals: &[Vec<u8>],
        mixed: &[(u8, usize)],
        most: usize,
        cancel: &CancelToken,
    ) -> Option<Self> {
        let ops = words.costs.len();
        // At first, layouts are numbered as they are found. `after` is indexed by layout, then
        // operator, and has the layout after the operator.
        let (mut found, mut after) = (WordSet::new(places.len()), Vec::new());
        for goal in goals {
            found.number(&goal[places.clone()]);
        }
        let (mut word, mut next, mut at) = (Vec::new(), Vec::new(), 0);
        while (at as usize) < found.len() {
            if found.len() > most || (at as usize).is_multiple_of(OFTEN) && cancel.is_cancelled() {
                return None;
            }
            word.clear();
            word.extend_from_slice(found.word(at));
            for op in 0..ops {
                words.before(&word, places.start, op, &mut next);
                if words.legal(&next) && words.allowed(&next, op) {
                    let before = found.number(&next) as usize;
                    if after.len() < found.len() * ops {
                        after.resize(found.len() * ops, NOWHERE);
                    }
                    after[before * ops + op] = at;
                }
            }
            at += 1;
        }
        after.resize(found.len() * ops, NOWHERE);
        let list = found.sorted(cancel)?;
        let mut rows = vec![NOWHERE; list.len()];
        for (row, &at) in (0..).zip(&list) {
            rows[at as usize] = row;
        }
        let mut steps = Vec::with_capacity(after.len());
        let mut orders = vec![(0, 0)];
        let mut numbers: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        let mut order = identity(words, list.first().map_or(&[], |&at| found.word(at)), mixed);
        numbers.insert(order.clone(), 0);
        for (row, &at) in list.iter().enumerate() {
            if row.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                return None;
            }
            for op in 0..ops {
                let after = after[at as usize * ops + op];
                if after == NOWHERE {
                    steps.push(Step { row: NOWHERE, order: 0 });
                    continue;
                }
                words.order(found.word(at), places.start, op, mixed, &mut order);
                let number = match numbers.get(&order) {
                    Some(&number) => number,
                    None => {
                        let number = u32::try_from(orders.len()).ok()?;
                        orders.push((row, op));
                        numbers.insert(order.clone(), number);
                        number
                    }
                };
                steps.push(Step { row: rows[after as usize], order: number });
            }
        }
        let rows = list.iter().flat_map(|&at| found.word(at)).copied().collect();
        Some(Self { places, rows, steps, orders })
    }

    fn len(&self) -> usize {
        self.rows.len() / self.places.len().max(1)
    }

    fn word(&self, row: usize) -> &[u8] {
        let length = self.places.len();
        &self.rows[row * length..][..length]
    }

    /// The number of the layout that a whole word has. 0 if it has none.
    fn find(&self, word: &[u8]) -> usize {
        find(&self.rows, &word[self.places.clone()]).unwrap_or(0)
    }

    /// The pairs of layouts of two factors from which a goal is reached. There must be no rules,
    /// and the places of `other` must follow. `None` if there are more than `most` pairs, or if
    /// cancelled.
    fn times(
        &self,
        other: &Self,
        goals: &[Vec<u8>],
        most: usize,
        cancel: &CancelToken,
    ) -> Option<Self> {
        let (wide, ops) = (other.len(), self.steps.len() / self.len().max(1));
        let step = |pair: usize, op: usize| {
            let [a, b] = [(self, pair / wide), (other, pair % wide)]
                .map(|(factor, row)| factor.steps[row * ops + op]);
            (a.row as usize * wide + b.row as usize, (a.order, b.order))
        };
        let mut reached = vec![0_u64; (self.len() * wide).div_ceil(64)];
        let mut open: Vec<usize> = Vec::new();
        let mut count = 0;
        let mut reach = |pair: usize, open: &mut Vec<usize>| {
            if reached[pair / 64] >> (pair % 64) & 1 == 0 {
                reached[pair / 64] |= 1 << (pair % 64);
                open.push(pair);
                count += 1;
            }
            count
        };
        goals
            .iter()
            .for_each(|goal| _ = reach(self.find(goal) * wide + other.find(goal), &mut open));
        let mut passed = 0_usize;
        // Without rules each operator is a permutation of the pairs. So the same pairs are reached
        // forward and backward.
        while let Some(pair) = open.pop() {
            passed += 1;
            if passed.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                return None;
            }
            for op in 0..ops {
                if reach(step(pair, op).0, &mut open) > most {
                    return None;
                }
            }
        }
        let before: Vec<u32> = reached
            .iter()
            .scan(0, |sum, bits| Some(std::mem::replace(sum, *sum + bits.count_ones())))
            .collect();
        let rank = |pair: usize| {
            before[pair / 64] + (reached[pair / 64] & ((1 << (pair % 64)) - 1)).count_ones()
        };
        let pairs = reached.iter().enumerate().flat_map(|(at, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        });
        let length = self.places.len() + other.places.len();
        let mut rows = Vec::with_capacity(passed * length);
        let mut steps = Vec::with_capacity(passed * ops);
        let mut orders = vec![(0, 0)];
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::from_iter([((0, 0), 0)]);
        for (row, pair) in pairs.enumerate() {
            if row.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                return None;
            }
            rows.extend_from_slice(self.word(pair / wide));
            rows.extend_from_slice(other.word(pair % wide));
            for op in 0..ops {
                let (to, order) = step(pair, op);
                let next = u32::try_from(orders.len()).ok()?;
                let order = *numbers.entry(order).or_insert_with(|| {
                    orders.push((row, op));
                    next
                });
                steps.push(Step { row: rank(to), order });
            }
        }
        Some(Self { places: self.places.start..other.places.end, rows, steps, orders })
    }
}

/// The order that moves nothing: for each mixed group the numbers of its pieces, from 0.
pub(super) fn identity(words: &Words, word: &[u8], mixed: &[(u8, usize)]) -> Vec<u8> {
    let pieces = |group: u8| {
        let of = |symbol: &&u8| words.group[usize::from(**symbol)] == group;
        word.iter().filter(of).count()
    };
    mixed.iter().flat_map(|&(group, _)| (0..=u8::MAX).take(pieces(group))).collect()
}

/// The index of `word` in `rows`, `None` if it is not there. `rows` has words of the same length,
/// ascending, one after another.
pub(super) fn find(rows: &[u8], word: &[u8]) -> Option<usize> {
    let of = |row: usize| &rows[row * word.len()..][..word.len()];
    let (mut low, mut high) = (0, rows.len() / word.len().max(1));
    while low < high {
        let middle = usize::midpoint(low, high);
        match of(middle).cmp(word) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::layouts::{goals, mixed};
    use super::super::{PuzzleStructure, candidates};
    use super::*;
    use crate::{MoveMetric, testing};

    /// Layouts found by factors are those that a walk over whole words finds. Their steps have the
    /// same effects.
    #[test]
    fn factors_have_the_layouts_of_whole_words() {
        let cancel = CancelToken::new();
        let mut found = 0;
        for name in ["3x3x3", "pyraminx", "skewb", "hungarian-rings", "megaminx"] {
            let (definition, _) = testing::puzzle(name, MoveMetric::Turn);
            let structure = PuzzleStructure::new(&testing::labels(definition));
            let (list, _) = candidates(&structure, 1 << 18, &cancel).expect("not cancelled");
            for one in list.iter().rev().take(6) {
                let words = Words::new(&structure, &one.spec).expect("few symbols");
                let (goals, mixed) = (goals(&structure, &words), mixed(&structure, &one.spec));
                let all = 0..words.slots.len();
                let whole = Factor::walk(&words, all, &goals, &mixed, 1 << 20, &cancel);
                let whole = whole.expect("few layouts");
                let by_factors = Factor::all(&words, &goals, &mixed, 1 << 20, &cancel);
                let by_factors = by_factors.expect("few layouts");
                assert_eq!(by_factors.rows, whole.rows, "{name}");
                let steps = |made: &Factor| {
                    let step = |step: &Step| (step.row, made.orders[step.order as usize]);
                    let order = |(row, (from, op)): (u32, (usize, usize))| {
                        let mut order = identity(&words, made.word(0), &mixed);
                        if (from, op) != (0, 0) {
                            words.order(made.word(from), 0, op, &mixed, &mut order);
                        }
                        (row, order)
                    };
                    made.steps.iter().map(step).map(order).collect::<Vec<_>>()
                };
                assert_eq!(steps(&by_factors), steps(&whole), "{name}");
                found += usize::from(ranges(&words, &goals, &mixed).len() > 1);
            }
        }
        assert!(found >= 6, "{found}");
    }
}
