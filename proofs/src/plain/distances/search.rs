//! A search through all states of a puzzle, with a byte for each: [`search`].

use super::ranks::Ranks;
use ::search::{CancelToken, threads};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Stands for a state that no plan is known to lead from.
const UNKNOWN: u8 = u8::MAX;
/// Bytes of a part of the memory.
const PART: usize = 1 << 20;
/// States that a thread takes at once. A look at the caller's token comes before each.
const CHUNK: usize = 1 << 13;
/// Chunks between two steps of progress.
const CHUNKS_OF_STEP: usize = 1 << 8;

/// A step of progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceStep {
    /// All states at a distance are known.
    Layer {
        /// The distance.
        depth: u8,
        /// The states at this distance.
        states: u64,
        /// The states at this distance or less.
        seen: u64,
        /// The number of numbers.
        total: u64,
    },
    /// A part of the numbers is looked through for states at a distance.
    Rows {
        /// The distance.
        depth: u8,
        /// The numbers by now.
        rows: u64,
        /// All numbers.
        total: u64,
    },
}

/// Why there are no distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistanceFault {
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A state is farther than a byte can tell.
    #[error("some state is farther than {} from the goal, and a byte has no more", UNKNOWN - 1)]
    Far,
    /// A move leads to a state that has no number.
    #[error("a move leads to a state without a number")]
    Number,
}

/// A byte for each number, in parts.
#[derive(Debug)]
pub(super) struct Bytes {
    parts: Vec<Box<[AtomicU8]>>,
}

impl Bytes {
    fn new(entries: usize, cancel: &CancelToken) -> Result<Self, DistanceFault> {
        let mut parts = Vec::with_capacity(entries.div_ceil(PART));
        for first in (0..entries).step_by(PART) {
            if cancel.is_cancelled() {
                return Err(DistanceFault::Cancelled);
            }
            let count = PART.min(entries - first);
            parts.push((0..count).map(|_| AtomicU8::new(UNKNOWN)).collect());
        }
        Ok(Self { parts })
    }

    #[inline]
    fn at(&self, number: usize) -> &AtomicU8 {
        &self.parts[number / PART][number % PART]
    }

    /// The bytes, part by part.
    pub(super) fn parts(&self) -> impl Iterator<Item = Vec<u8>> {
        self.parts.iter().map(|part| part.iter().map(|byte| byte.load(Relaxed)).collect())
    }
}

/// The distance of each state, and the number of states at each distance.
pub(super) fn search<R: Ranks>(
    ranks: &R,
    entries: usize,
    cancel: &CancelToken,
    tell: &(dyn Fn(DistanceStep) + Sync),
) -> Result<(Bytes, Vec<u64>), DistanceFault> {
    let bytes = Bytes::new(entries, cancel)?;
    bytes.at(ranks.goal()).store(0, Relaxed);
    let (total, mut seen, mut counts) = (entries as u64, 0, Vec::new());
    let farthest = AtomicUsize::new(0);
    for depth in 0..UNKNOWN {
        if usize::from(depth) > farthest.load(Relaxed) {
            break;
        }
        let states = layer((ranks, &bytes), depth, &farthest, cancel, tell)?;
        counts.push(states);
        seen += states;
        tell(DistanceStep::Layer { depth, states, seen, total });
    }
    // A state may have been farther before it was found on a cheaper way.
    while counts.last() == Some(&0) {
        counts.pop();
    }
    Ok((bytes, counts))
}

/// Sets the distances of the states one move before those at `depth`. Returns how many these are.
fn layer<R: Ranks>(
    (ranks, bytes): (&R, &Bytes),
    depth: u8,
    farthest: &AtomicUsize,
    cancel: &CancelToken,
    tell: &(dyn Fn(DistanceStep) + Sync),
) -> Result<u64, DistanceFault> {
    let (states, done) = (AtomicU64::new(0), AtomicUsize::new(0));
    let (is_far, is_wrong) = (AtomicBool::new(false), AtomicBool::new(false));
    let entries: usize = bytes.parts.iter().map(|part| part.len()).sum();
    let work = |chunk: usize| {
        if cancel.is_cancelled() || is_far.load(Relaxed) || is_wrong.load(Relaxed) {
            return;
        }
        let (first, mut own, mut last) = (chunk * CHUNK, 0, 0);
        let part = &bytes.parts[first / PART][first % PART..];
        let mut scratch = ranks.scratch();
        for (number, byte) in (first..).zip(part.iter().take(CHUNK)) {
            if byte.load(Relaxed) != depth {
                continue;
            }
            own += 1;
            let all = ranks.before(number, &mut scratch, |to, cost| {
                let (entry, distance) = (bytes.at(to), u16::from(depth).saturating_add(cost));
                let known = entry.load(Relaxed);
                match u8::try_from(distance) {
                    Ok(distance) if distance < known => {
                        entry.fetch_min(distance, Relaxed);
                        last = last.max(distance.into());
                    }
                    Ok(UNKNOWN) | Err(_) if known == UNKNOWN => is_far.store(true, Relaxed),
                    _ => {}
                }
            });
            if !all {
                return is_wrong.store(true, Relaxed);
            }
        }
        states.fetch_add(own, Relaxed);
        farthest.fetch_max(last, Relaxed);
        let done = done.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(CHUNKS_OF_STEP) {
            let (rows, total) = ((done * CHUNK).min(entries) as u64, entries as u64);
            tell(DistanceStep::Rows { depth, rows, total });
        }
    };
    threads::each(entries.div_ceil(CHUNK), &work);
    if cancel.is_cancelled() {
        return Err(DistanceFault::Cancelled);
    }
    match (is_far.into_inner(), is_wrong.into_inner()) {
        (true, _) => Err(DistanceFault::Far),
        (_, true) => Err(DistanceFault::Number),
        _ => Ok(states.into_inner()),
    }
}
