//! Layouts: which group of pieces lies in which slot. They are numbered, and tables say what each
//! operator does to each. The *word* of a layout has one symbol for each slot: see [`Words`].

use super::structure::PuzzleStructure;
use super::walk;
use super::words::{PatternSpec, Words};
use rustc_hash::FxHashMap;
use search::CancelToken;

/// The effect of an operator on a layout. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The layout after the operator, or [`NOWHERE`].
    pub(super) row: u32,
    /// The number of the order in which the pieces of the mixed groups lie after the operator.
    pub(super) order: u32,
}

/// In place of a layout that is illegal, or from which no goal is reached.
pub(super) const NOWHERE: u32 = u32::MAX;

/// All layouts from which a goal is reached, in the order of their words.
#[derive(Clone, Debug)]
pub(super) struct Layouts {
    pub(super) words: Words,
    /// The words of the layouts, one after another.
    rows: Vec<u8>,
    /// Indexed by layout, then operator.
    steps: Vec<Step>,
    /// The mixed groups, which have more than one colour, each with the number of its pieces.
    pub(super) mixed: Vec<(u8, usize)>,
    /// The different orders. For each place of a piece in its mixed group, an order has the place
    /// before the operator. The groups follow each other. Order 0 is the identity.
    pub(super) orders: Vec<Vec<u8>>,
}

impl Layouts {
    /// The layouts of a spec. `None` if they have more than `most_steps` steps or 256 symbols, or
    /// if cancelled.
    pub(super) fn new(
        structure: &PuzzleStructure,
        spec: &PatternSpec,
        most_steps: usize,
        cancel: &CancelToken,
    ) -> Option<Self> {
        let words = Words::new(structure, spec)?;
        let goals = goals(structure, &words);
        let most = most_steps / words.costs.len().max(1);
        let rows = walk::all(&words, &goals, most.min(NOWHERE as usize - 2), cancel)?;
        let mixed = mixed(structure, spec);
        let size: usize = mixed.iter().map(|&(_, pieces)| pieces).sum();
        let mut made = Self {
            words,
            rows,
            steps: Vec::new(),
            mixed,
            orders: vec![(0..=u8::MAX).take(size).collect()],
        };
        made.orders[0] = made.identity();
        made.steps = made.find_steps();
        Some(made)
    }

    /// The order that is the identity.
    fn identity(&self) -> Vec<u8> {
        self.mixed.iter().flat_map(|&(_, pieces)| (0..=u8::MAX).take(pieces)).collect()
    }

    fn find_steps(&mut self) -> Vec<Step> {
        let ops = self.words.costs.len();
        let mut numbers: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        numbers.insert(self.orders[0].clone(), 0);
        let mut steps = Vec::with_capacity(self.len() * ops);
        let (mut next, mut order) = (Vec::new(), Vec::new());
        for row in 0..self.len() {
            for op in 0..ops {
                let word = self.word(row);
                self.words.after(word, op, &mut next);
                let found = self.find(&next).filter(|_| self.words.allowed(word, op));
                let Some(found) = found else {
                    steps.push(Step { row: NOWHERE, order: 0 });
                    continue;
                };
                self.order(word, op, &mut order);
                let number = match numbers.get(&order) {
                    Some(&number) => number,
                    None => {
                        let number = u32::try_from(self.orders.len()).expect("at most 2^24 steps");
                        self.orders.push(order.clone());
                        numbers.insert(order.clone(), number);
                        number
                    }
                };
                steps.push(Step { row: found, order: number });
            }
        }
        steps
    }

    /// Overwrites `out` with the place that each piece of a mixed group had before the operator.
    fn order(&self, word: &[u8], op: usize, out: &mut Vec<u8>) {
        out.clear();
        for &(group, _) in &self.mixed {
            let of = |slot: usize| self.words.group[usize::from(word[slot])] == group;
            let mut place = vec![0; word.len()];
            let mut count = 0;
            for (slot, place) in place.iter_mut().enumerate() {
                *place = count;
                count += u8::from(of(slot));
            }
            out.extend(self.words.sources(op).filter(|&from| of(from)).map(|from| place[from]));
        }
    }

    /// The number of layouts.
    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.words.slots.len().max(1)
    }

    /// The word of a layout.
    pub(super) fn word(&self, row: usize) -> &[u8] {
        let length = self.words.slots.len();
        &self.rows[row * length..][..length]
    }

    /// The number of the layout with this word. Time: logarithmic in the number of layouts.
    pub(super) fn find(&self, word: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return u32::try_from(middle).ok(),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The effect of an operator on a layout.
    #[inline(always)]
    pub(super) fn step(&self, row: usize, op: usize) -> Step {
        self.steps[row * self.words.costs.len() + op]
    }

    /// Size of these tables in bytes, approximately.
    pub(super) fn bytes(&self) -> usize {
        self.rows.len() + size_of::<Step>() * self.steps.len()
    }
}

/// The words of the goals.
pub(super) fn goals(structure: &PuzzleStructure, words: &Words) -> Vec<Vec<u8>> {
    let word = |goal: &Vec<(u8, u8)>| {
        let mut word = Vec::new();
        words.of(&mut word, |slot| goal[slot]);
        word
    };
    let mut all: Vec<Vec<u8>> = structure.goals.iter().map(word).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The groups with more than one colour, each with the number of its pieces in the slots of the
/// spec.
fn mixed(structure: &PuzzleStructure, spec: &PatternSpec) -> Vec<(u8, usize)> {
    let here = |group: u8| {
        let labels = spec.slots.iter().map(|&slot| usize::from(structure.goals[0][slot].0));
        labels.filter(move |&label| spec.group[label] == group)
    };
    let mut groups = spec.group.clone();
    groups.sort_unstable();
    groups.dedup();
    let more = |&group: &u8| here(group).any(|label| spec.colour[label] > 0);
    groups.into_iter().filter(more).map(|group| (group, here(group).count())).collect()
}
