//! Counts the words of a spec nearest to the goals, by a walk backward. Also: sets of words.

use super::words::{Word, Words};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use search::CancelToken;
use std::cmp::Ordering;
use std::hash::BuildHasher;

/// Number of words between two checks of the cancel token.
pub(super) const OFTEN: usize = 1 << 10;

/// A set of words of one length, numbered in the order of their insertion.
pub(super) struct WordSet {
    length: usize,
    /// The words, one after another.
    words: Vec<u8>,
    table: HashTable<u32>,
}

impl WordSet {
    /// An empty set of words of this length.
    pub(super) fn new(length: usize) -> Self {
        Self { length, words: Vec::new(), table: HashTable::new() }
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// The word with a number.
    pub(super) fn word(&self, number: u32) -> &[u8] {
        &self.words[number as usize * self.length..][..self.length]
    }

    /// The number of a word, which is inserted unless it is there.
    pub(super) fn number(&mut self, word: &[u8]) -> u32 {
        let Self { length, words, table } = self;
        let hash = |word: &[u8]| FxBuildHasher.hash_one(word);
        let word_of = |&number: &u32| &words[number as usize * *length..][..*length];
        if let Some(&number) = table.find(hash(word), |number| word_of(number) == word) {
            return number;
        }
        let number = u32::try_from(table.len()).expect("fewer than 2^32 words");
        table.insert_unique(hash(word), number, |other| hash(word_of(other)));
        words.extend_from_slice(word);
        number
    }

    /// The numbers of the words, in lexicographic order of the words. `None` if cancelled.
    ///
    /// Sorts parts, then merges them two by two, so that it can check the token.
    pub(super) fn sorted(&self, cancel: &CancelToken) -> Option<Vec<u32>> {
        let compare = |a: &u32, b: &u32| self.word(*a).cmp(self.word(*b));
        let goes_on = || (!cancel.is_cancelled()).then_some(());
        let mut list: Vec<u32> = (0..).take(self.table.len()).collect();
        for part in list.chunks_mut(OFTEN) {
            goes_on()?;
            part.sort_unstable_by(compare);
        }
        let mut size = OFTEN;
        while size < list.len() {
            let mut merged = Vec::with_capacity(list.len());
            for both in list.chunks(2 * size) {
                let (mut a, mut b) = both.split_at(size.min(both.len()));
                while let (Some(first), Some(second)) = (a.first(), b.first()) {
                    let side =
                        if compare(first, second) == Ordering::Less { &mut a } else { &mut b };
                    merged.extend(side.split_off_first());
                    if merged.len() % OFTEN == 0 {
                        goes_on()?;
                    }
                }
                merged.extend_from_slice(a);
                merged.extend_from_slice(b);
            }
            (list, size) = (merged, 2 * size);
        }
        Some(list)
    }
}

/// For each cost from the goals: the number of words, up to the last complete layer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Near {
    /// For each cost: the number of words.
    pub(super) layers: Vec<u64>,
    /// Whether these layers contain all words.
    pub(super) whole: bool,
}

/// Counts the words nearest to the goals by cost. Stops after the first layer that begins with more
/// than `most` known words. Incomplete if cancelled.
pub(super) fn near(words: &Words, goals: &[Vec<u8>], most: usize, cancel: &CancelToken) -> Near {
    // For each word: the least cost known.
    let mut costs: FxHashMap<Word, usize> = FxHashMap::default();
    let mut open: Vec<Vec<Word>> = vec![Vec::new()];
    for goal in goals {
        if costs.insert(Word::from_slice(goal), 0).is_none() {
            open[0].push(Word::from_slice(goal));
        }
    }
    let (mut layers, mut next, mut at) = (Vec::new(), Vec::new(), 0);
    while at < open.len() && !cancel.is_cancelled() {
        let mut here = 0;
        // All layers before are walked, so all words of this layer are known.
        let last = costs.len() > most;
        // Operators cost at least 1, so the bucket does not grow.
        for word in std::mem::take(&mut open[at]) {
            if costs.get(&word) != Some(&at) {
                continue;
            }
            here += 1;
            if last {
                continue;
            }
            for op in 0..words.costs.len() {
                words.before(&word, 0, op, &mut next);
                if !words.legal(&next) || !words.allowed(&next, op) {
                    continue;
                }
                let cost = at + usize::from(words.costs[op]);
                let least = costs.get(next.as_slice()).copied().unwrap_or(usize::MAX);
                if cost < least {
                    costs.insert(Word::from_slice(&next), cost);
                    open.resize(open.len().max(cost + 1), Vec::new());
                    open[cost].push(Word::from_slice(&next));
                }
            }
        }
        layers.push(here);
        at += 1;
        if last {
            return Near { layers, whole: false };
        }
    }
    Near { layers, whole: true }
}
