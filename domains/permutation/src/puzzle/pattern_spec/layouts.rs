//! Layouts: which group of pieces lies in which slot. They are numbered, and tables say what each
//! operator does to each. The *word* of a layout has one symbol for each slot: see [`Words`].

use super::factors::{self, Factor, NOWHERE, Step};
use super::structure::PuzzleStructure;
use super::words::{PatternSpec, Words};
use search::CancelToken;

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
        let (goals, mixed) = (goals(structure, &words), mixed(structure, spec));
        let most = (most_steps / words.costs.len().max(1)).min(NOWHERE as usize - 2);
        let Factor { rows, steps, orders, .. } = Factor::all(&words, &goals, &mixed, most, cancel)?;
        let mut made = Self { words, rows, steps, mixed, orders: Vec::new() };
        let order = |(number, &(row, op)): (usize, &(usize, usize))| {
            let mut order = made.identity();
            if number > 0 {
                made.words.order(made.word(row), 0, op, &made.mixed, &mut order);
            }
            order
        };
        made.orders = orders.iter().enumerate().map(order).collect();
        Some(made)
    }

    /// The order that is the identity.
    fn identity(&self) -> Vec<u8> {
        self.mixed.iter().flat_map(|&(_, pieces)| (0..=u8::MAX).take(pieces)).collect()
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

    /// The number of the layout with this word, `None` if there is none. Time: logarithmic in the
    /// number of layouts.
    pub(super) fn find(&self, word: &[u8]) -> Option<u32> {
        factors::find(&self.rows, word).and_then(|row| u32::try_from(row).ok())
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
pub(super) fn mixed(structure: &PuzzleStructure, spec: &PatternSpec) -> Vec<(u8, usize)> {
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
