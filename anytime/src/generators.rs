//! The operators of a group of permutations: [`Generators`].

use groups::Permutation;
use rustc_hash::FxHashMap;
use search::{Cost, Op};

/// Why operators are not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotGenerators {
    /// An operator is not undone by any operator of the same cost.
    #[error("no operator of the same cost undoes operator {op}")]
    NotUndone {
        /// The operator.
        op: Op,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

/// What two operators are, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pair {
    /// Their order matters.
    Ordered,
    /// Their order does not matter.
    Commuting,
    /// They undo each other.
    Nothing,
    /// They equal one operator that costs no more.
    One(Op),
}

/// The operators of a group as permutations of points, with their costs.
///
/// Memory: 2 bytes for each operator and point, and 4 bytes for each pair of operators.
#[derive(Clone, Debug)]
pub struct Generators {
    points: usize,
    elements: Vec<Permutation>,
    costs: Vec<Cost>,
    inverse: Vec<Op>,
    /// Indexed by the first operator, then the second.
    pairs: Vec<Pair>,
    /// For each operator: whether it comes twice in a row in words that are looked for.
    repeats: Vec<bool>,
}

impl Generators {
    /// The operators with these permutations of `points` points, and their costs.
    ///
    /// Time: a product for each pair of operators. `stop` is asked before those of each operator.
    ///
    /// # Errors
    /// If an operator is not undone by an operator of the same cost, or `stop` is true.
    pub fn new(
        points: usize,
        operators: Vec<(Permutation, Cost)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, NotGenerators> {
        let (elements, costs): (Vec<_>, Vec<_>) = operators.into_iter().unzip();
        let mut known: FxHashMap<&Permutation, Op> = FxHashMap::default();
        for (op, element) in elements.iter().enumerate() {
            let entry = known.entry(element).or_insert(Op::new(op));
            if costs[op] < costs[entry.index()] {
                *entry = Op::new(op);
            }
        }
        let undoes = |op: usize| {
            let back = elements[op].inverse();
            let mut others = (0..elements.len()).map(Op::new);
            let same =
                |other: &Op| costs[other.index()] == costs[op] && elements[other.index()] == back;
            others.find(same).ok_or(NotGenerators::NotUndone { op: Op::new(op) })
        };
        let inverse = (0..elements.len()).map(undoes).collect::<Result<Vec<Op>, _>>()?;
        // Of a half turn that is two quarter turns to the left or to the right, one is tried.
        let square = |op: usize| elements[op].then(&elements[op]);
        let repeats = inverse.iter().map(|op| op.index()).enumerate();
        let repeats = repeats.map(|(op, back)| op <= back || square(op) != square(back)).collect();
        let pair = |a: usize, b: usize| {
            let product = elements[a].then(&elements[b]);
            if product.is_identity() {
                return Pair::Nothing;
            }
            let both = u16::from(costs[a]) + u16::from(costs[b]);
            match known.get(&product) {
                Some(&op) if u16::from(costs[op.index()]) <= both => Pair::One(op),
                _ if product == elements[b].then(&elements[a]) => Pair::Commuting,
                _ => Pair::Ordered,
            }
        };
        let mut pairs = Vec::new();
        for a in 0..elements.len() {
            if stop() {
                return Err(NotGenerators::Stopped);
            }
            pairs.extend((0..elements.len()).map(|b| pair(a, b)));
        }
        Ok(Self { points, elements, costs, inverse, pairs, repeats })
    }

    /// The number of operators.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are no operators.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The operators as permutations.
    pub fn elements(&self) -> &[Permutation] {
        &self.elements
    }

    /// The cost of an operator.
    pub fn cost(&self, op: Op) -> Cost {
        self.costs[op.index()]
    }

    /// The cost of the cheapest operator. 0 if there are none.
    pub(crate) fn least_cost(&self) -> u32 {
        self.costs.iter().min().copied().unwrap_or(0).into()
    }

    /// The cost of a word.
    pub fn cost_of(&self, word: &[Op]) -> u32 {
        word.iter().map(|&op| u32::from(self.cost(op))).sum()
    }

    /// The operator that undoes an operator, at the same cost.
    pub(crate) fn inverse(&self, op: Op) -> Op {
        self.inverse[op.index()]
    }

    /// The word that undoes a word, at the same cost.
    pub fn inverse_of(&self, word: &[Op]) -> Vec<Op> {
        word.iter().rev().map(|&op| self.inverse(op)).collect()
    }

    /// Where a word takes a point.
    pub(crate) fn image(&self, word: &[Op], point: u16) -> u16 {
        word.iter().fold(point, |at, op| self.elements[op.index()].image(at))
    }

    /// Where a word takes pieces that lie at these points.
    pub(crate) fn after(&self, images: &[u16], word: &[Op]) -> Vec<u16> {
        let mut images = images.to_vec();
        for element in word.iter().map(|op| &self.elements[op.index()]) {
            images.iter_mut().for_each(|point| *point = element.image(*point));
        }
        images
    }

    fn pair(&self, a: Op, b: Op) -> Pair {
        self.pairs[a.index() * self.len() + b.index()]
    }

    /// Whether the order of two operators does not matter.
    pub fn commute(&self, a: Op, b: Op) -> bool {
        match self.pair(a, b) {
            Pair::Ordered => false,
            Pair::Commuting | Pair::Nothing => true,
            Pair::One(_) => {
                let (a, b) = (&self.elements[a.index()], &self.elements[b.index()]);
                a.then(b) == b.then(a)
            }
        }
    }

    /// Whether a search for words may try `next` directly after `last`. Of the orders of two
    /// commuting operators, it tries one. An operator follows itself unless one operator does the
    /// same at no higher cost, or the inverse twice is tried.
    pub(crate) fn may_follow(&self, last: Op, next: Op) -> bool {
        match self.pair(last, next) {
            Pair::Ordered => true,
            Pair::Commuting if last == next => self.repeats[last.index()],
            Pair::Commuting => last < next,
            Pair::Nothing | Pair::One(_) => false,
        }
    }

    /// The cost that two words save at their seam. `last` and `first` are the operators there.
    pub(crate) fn saving(&self, last: Op, first: Op) -> u32 {
        let both = u32::from(self.cost(last)) + u32::from(self.cost(first));
        match self.pair(last, first) {
            Pair::Ordered | Pair::Commuting => 0,
            Pair::Nothing => both,
            Pair::One(op) => both - u32::from(self.cost(op)),
        }
    }

    /// The cost that an operator saves beside a word, whose operators come nearest first. `first`:
    /// whether the operator comes before the word.
    pub(crate) fn saving_behind<'a>(
        &self,
        word: impl Iterator<Item = &'a Op>,
        op: Op,
        first: bool,
    ) -> u32 {
        for &other in word {
            match if first { self.pair(op, other) } else { self.pair(other, op) } {
                Pair::Ordered => return 0,
                Pair::Commuting => {}
                Pair::Nothing | Pair::One(_) if first => return self.saving(op, other),
                Pair::Nothing | Pair::One(_) => return self.saving(other, op),
            }
        }
        0
    }

    /// Appends an operator. If it undoes the last, both vanish. With `joins`, the last is replaced
    /// where both equal one operator.
    pub(crate) fn push(&self, word: &mut Vec<Op>, op: Op, joins: bool) {
        match word.last().map(|&last| self.pair(last, op)) {
            Some(Pair::Nothing) => drop(word.pop()),
            Some(Pair::One(joined)) if joins => {
                word.pop();
                self.push(word, joined, joins);
            }
            _ => word.push(op),
        }
    }

    /// Joins operators that meet after swaps of commuting neighbours, until no more can be joined.
    /// The word stays the same element. It never costs more.
    pub fn simplify(&self, word: &mut Vec<Op>) {
        loop {
            let before = word.len();
            let mut kept: Vec<Op> = Vec::with_capacity(before);
            for &op in word.iter() {
                self.append(&mut kept, op);
            }
            let same = kept == *word;
            *word = kept;
            if same || word.len() == before {
                return;
            }
        }
    }

    /// Appends an operator, joined with the last that it can be joined with.
    pub(crate) fn append(&self, word: &mut Vec<Op>, op: Op) {
        for at in (0..word.len()).rev() {
            match self.pair(word[at], op) {
                Pair::Ordered => break,
                Pair::Commuting => {}
                Pair::Nothing => {
                    word.remove(at);
                    return;
                }
                Pair::One(joined) => {
                    word[at] = joined;
                    return;
                }
            }
        }
        word.push(op);
    }
}
