//! What words save where they are put into another: [`Seams`].

use crate::Generators;
use search::Op;

/// The most operators on each side of a place that a word put there is joined with.
const WINDOW: usize = 16;

/// A word, and what single operators save at each place of it.
pub(super) struct Seams<'a> {
    generators: &'a Generators,
    word: &'a [Op],
    /// For each place and operator: the cost saved if it follows what is before the place.
    pub(super) before: Vec<u32>,
    /// For each place and operator: the cost saved if it comes before what is after the place.
    pub(super) after: Vec<u32>,
}

impl<'a> Seams<'a> {
    pub(super) fn new(generators: &'a Generators, word: &'a [Op]) -> Self {
        let all = || (0..generators.len()).map(Op::new);
        let places = || 0..=word.len();
        let before = places().flat_map(|at| {
            all().map(move |op| generators.saving_behind(word[..at].iter().rev(), op, false))
        });
        let after = places().flat_map(|at| {
            all().map(move |op| generators.saving_behind(word[at..].iter(), op, true))
        });
        Self { generators, word, before: before.collect(), after: after.collect() }
    }

    /// The most that the ends of a word save at a place, if nothing behind them is joined.
    pub(super) fn ends(&self, at: usize, inserted: &[Op]) -> u32 {
        let row = at * self.generators.len();
        match (inserted.first(), inserted.last()) {
            (Some(first), Some(last)) => {
                self.before[row + first.index()] + self.after[row + last.index()]
            }
            _ => 0,
        }
    }

    /// What a word saves at a place.
    pub(super) fn saving(&self, at: usize, inserted: &[Op]) -> u32 {
        let (from, to) = (at.saturating_sub(WINDOW), (at + WINDOW).min(self.word.len()));
        let mut joined = self.word[from..at].to_vec();
        for &op in inserted.iter().chain(&self.word[at..to]) {
            self.generators.append(&mut joined, op);
        }
        let raw = self.generators.cost_of(&self.word[from..to]) + self.generators.cost_of(inserted);
        raw.saturating_sub(self.generators.cost_of(&joined))
    }

    /// A word with another put in at a place.
    pub(super) fn put(generators: &Generators, word: &[Op], at: usize, inserted: &[Op]) -> Vec<Op> {
        let mut word = [&word[..at], inserted, &word[at..]].concat();
        generators.simplify(&mut word);
        word
    }
}
