//! Walks backward from the goals over the words of a spec: to all words, or to the nearest ones by
//! cost.

use super::words::Words;
use rustc_hash::{FxHashMap, FxHashSet};
use search::CancelToken;

/// Number of words between two checks of the cancel token.
const OFTEN: usize = 1 << 10;

/// All words from which a goal is reached, ascending, one after another in one list. `None` if
/// there are more than `most`, or if cancelled.
///
/// A legal state with another word has no plan.
///
/// Time: a hash for each word and operator.
pub(super) fn all(
    words: &Words,
    goals: &[Vec<u8>],
    most: usize,
    cancel: &CancelToken,
) -> Option<Vec<u8>> {
    let mut known: FxHashSet<Box<[u8]>> = FxHashSet::default();
    let mut open: Vec<Box<[u8]>> = Vec::new();
    for goal in goals {
        if known.insert(goal.as_slice().into()) {
            open.push(goal.as_slice().into());
        }
    }
    let (mut next, mut passed) = (Vec::new(), 0);
    while let Some(word) = open.pop() {
        passed += 1;
        if known.len() > most || passed % OFTEN == 0 && cancel.is_cancelled() {
            return None;
        }
        for op in 0..words.costs.len() {
            words.before(&word, op, &mut next);
            let may = words.legal(&next) && words.allowed(&next, op);
            if may && !known.contains(next.as_slice()) {
                known.insert(next.as_slice().into());
                open.push(next.as_slice().into());
            }
        }
    }
    let mut list: Vec<Box<[u8]>> = known.into_iter().collect();
    list.sort_unstable();
    Some(list.concat())
}

/// For each cost from the goals: the number of words, up to the last complete layer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Near {
    /// For each cost: the number of words.
    pub(super) layers: Vec<u64>,
    /// Whether these layers contain all words.
    pub(super) whole: bool,
}

/// Counts the words nearest to the goals. Stops after the layer in which `most` words are reached.
pub(super) fn near(words: &Words, goals: &[Vec<u8>], most: usize, cancel: &CancelToken) -> Near {
    // By word: the least cost known.
    let mut costs: FxHashMap<Box<[u8]>, usize> = FxHashMap::default();
    let mut open: Vec<Vec<Box<[u8]>>> = vec![Vec::new()];
    for goal in goals {
        if costs.insert(goal.as_slice().into(), 0).is_none() {
            open[0].push(goal.as_slice().into());
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
                words.before(&word, op, &mut next);
                if !words.legal(&next) || !words.allowed(&next, op) {
                    continue;
                }
                let cost = at + usize::from(words.costs[op]);
                let least = costs.get(next.as_slice()).copied().unwrap_or(usize::MAX);
                if cost < least {
                    costs.insert(next.as_slice().into(), cost);
                    open.resize(open.len().max(cost + 1), Vec::new());
                    open[cost].push(next.as_slice().into());
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
