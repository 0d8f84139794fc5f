//! Chooses coset patterns of two or three colourings that give strong bounds for their size.

use super::colouring::{Colouring, colourings};
use super::coordinate::{SlotCoordinate, symbol};
use super::pattern::{CosetPattern, stabilizer};
use crate::puzzle::{PuzzleGroup, SlotContents};
use groups::GroupError;
use pdb::coset::Coordinate;
use pdb::rank::ClassWords;
use pdb::table::StripeTable;
use search::CancelToken;
use std::collections::{HashMap, HashSet};

/// Most words of a first colouring. The builder keeps five bytes for each.
const MOST_ROWS: u32 = 1 << 22;
/// Most words of a last colouring.
const MOST_COLUMNS: u32 = 1 << 16;
/// Most words of a middle colouring.
const MOST_MIDDLE: u32 = 1 << 12;

/// The number of classes is estimated from at least this many words, or from all words.
const SAMPLED: u32 = 512;
/// Most colourings that are combined to patterns.
const MOST_COLOURINGS: usize = 192;
/// Most states near the solved one in which distinct cosets are counted.
const MOST_NEAR: usize = 1 << WORD_BITS;
const WORD_BITS: u32 = 12;

/// A pattern for which a table can be built.
#[derive(Clone, Debug)]
pub struct CosetCandidate {
    /// The colourings of the three parts of a coset's index, the first part first: indices into
    /// the list of colourings. `None` if the pattern has no such part. One byte each, for half a
    /// million candidates may be in memory at once.
    parts: [Option<u8>; 3],
    /// The number of cosets.
    pub cosets: u64,
    /// The number of symmetries that keep the pattern.
    pub symmetries: usize,
    /// The number of views: different images of the pattern under the symmetries of the puzzle.
    pub views: usize,
    /// The number of words of its first colouring.
    pub rows: u32,
    /// Size of its table in bytes, approximately, because the number of classes of symmetric words
    /// is estimated.
    pub bytes: u64,
    /// Estimated mean distance of its cosets, where a distance is the maximum over all views.
    /// Larger is better.
    pub worth: f64,
}

impl CosetCandidate {
    /// Bytes of the table and of the data that finds its entries. Adds 5% to the table for an
    /// estimate that is too small.
    pub fn memory(&self) -> u64 {
        (self.bytes / 20 + 4 * u64::from(self.rows)).saturating_add(self.bytes)
    }

    /// The colourings that it combines, as indices into the list of colourings.
    fn parts(&self) -> Vec<usize> {
        self.parts.iter().flatten().map(|&part| part.into()).collect()
    }
}

/// The colourings of a puzzle, and the candidates that combine them.
#[derive(Clone, Debug)]
pub struct CosetCandidates {
    colourings: Vec<(Colouring, ClassWords)>,
    /// The candidates, ascending by bytes. Each is worth more than all smaller ones.
    pub list: Vec<CosetCandidate>,
}

impl CosetCandidates {
    /// The pattern of a candidate.
    pub fn pattern(&self, group: &PuzzleGroup, candidate: &CosetCandidate) -> CosetPattern {
        let part = |at: usize| Some(&self.colourings[usize::from(candidate.parts[at]?)]);
        let [Some(first), middle, Some(last)] = [part(0), part(1), part(2)] else {
            unreachable!("a candidate has a first and a last colouring")
        };
        CosetPattern::new(group, first, middle, last)
    }
}

/// States near the solved one, and the word that each colouring shows of each state.
///
/// The nearer to the solved state two states share a coset, the smaller are the distances.
struct Ball {
    /// Indexed by colouring, then state: the word. Words are numbered by first occurrence, states
    /// by distance.
    words: Vec<Vec<u32>>,
    /// For each distance: the number of states up to this distance.
    within: Vec<usize>,
}

impl Ball {
    /// Finds complete layers of states, at most [`MOST_NEAR`] together. Incomplete if cancelled.
    fn new(
        group: &PuzzleGroup,
        colourings: &[(Colouring, ClassWords)],
        cancel: &CancelToken,
    ) -> Self {
        let mut states = vec![group.identity()];
        let mut known: HashSet<SlotContents> = states.iter().cloned().collect();
        let (mut within, mut from) = (vec![1], 0);
        loop {
            let layer = from..states.len();
            from = layer.end;
            for at in layer.take_while(|_| !cancel.is_cancelled()) {
                for op in 0..group.list().list.len() {
                    let next = group.compose(&states[at], group.step(op));
                    if !known.contains(&next) {
                        known.insert(next.clone());
                        states.push(next);
                    }
                }
            }
            if states.len() == from || states.len() > MOST_NEAR || within.len() > 15 {
                break;
            }
            within.push(states.len());
        }
        states.truncate(within.last().copied().unwrap_or(1));
        let words = |(colouring, words): &(Colouring, ClassWords)| {
            let (scales, mut numbers) = (words.scales(), HashMap::new());
            let word = |state: &SlotContents| {
                words.rank(|place| {
                    let slot = colouring.slots[place];
                    let shown =
                        symbol(colouring, words, state.piece[slot].into(), state.twist[slot]);
                    shown.unwrap_or(0) * scales[place]
                })
            };
            let number = |word: u32| {
                let next = u32::try_from(numbers.len()).expect("at most 4,096 states");
                *numbers.entry(word).or_insert(next)
            };
            let states = states.iter().take_while(|_| !cancel.is_cancelled());
            states.map(word).map(number).collect()
        };
        Self { words: colourings.iter().map(words).collect(), within }
    }

    /// The number of cosets of these colourings that occur in the last layer of the ball and in no
    /// layer before it.
    fn last_layer(&self, parts: &[usize]) -> usize {
        // A coset stands in the upper bits, its layer in the lowest four.
        let mut layer = 0;
        let last = self.within.len() as u64 - 1;
        let numbered = (0..self.words[0].len()).map(|state| {
            layer += usize::from(state >= self.within[layer]);
            let words = parts.iter().map(|&part| u64::from(self.words[part][state]));
            words.fold(0, |coset, word| coset << WORD_BITS | word) << 4 | layer as u64
        });
        let mut cosets: Vec<u64> = numbered.collect();
        cosets.sort_unstable();
        cosets.dedup_by_key(|coset| *coset >> 4);
        cosets.iter().filter(|&&coset| coset & 15 == last).count()
    }
}

/// Indexed by number of views: how much the maximum over all views adds to the mean distance
/// (measured on the cube, which has three axes).
const SIDES: [f64; 5] = [0.0, 0.0, 0.3, 0.5, 0.6];

/// The candidates of a puzzle whose tables, with the data that finds their entries, fit in `memory`
/// bytes. `None` if cancelled.
///
/// The worth of a candidate estimates its mean distance. It is the sum of three numbers:
/// - The complete layers around the solved state, of at most 4,096 states together.
/// - The further layers until all cosets are reached. Each layer has `branching` times the cosets
///   of the layer before.
/// - What further views add.
///
/// # Errors
/// Never for operators of a definition.
pub fn candidates(
    group: &PuzzleGroup,
    memory: u64,
    branching: f64,
    cancel: &CancelToken,
) -> Result<Option<CosetCandidates>, GroupError> {
    let Some(colourings) = colourings(group, MOST_ROWS, cancel)? else { return Ok(None) };
    let colourings = most_symmetric(group, colourings);
    let (colourings, kept): (Vec<_>, Vec<_>) = colourings.into_iter().unzip();
    let ball = Ball::new(group, &colourings, cancel);
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let all = group.relabellings().len();
    let words = |number: usize| colourings[number].1.words();
    let mut found = Vec::new();
    let numbers = 0..colourings.len();
    // For each colouring: whether each other colouring is independent of it.
    let others: Vec<Vec<bool>> = numbers
        .clone()
        .map(|a| numbers.clone().map(|b| apart(&colourings, a, b)).collect())
        .collect();
    for first in numbers.clone() {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        for last in numbers.clone().filter(|&last| words(last) <= MOST_COLUMNS) {
            if words(last) > words(first) || !others[first][last] {
                continue;
            }
            let middles = numbers.clone().filter(|&middle| {
                words(middle) <= MOST_MIDDLE && others[first][middle] && others[last][middle]
            });
            for middle in std::iter::once(None).chain(middles.map(Some)) {
                let parts = [Some(first), middle, Some(last)];
                let both = kept[first].iter().filter(|s| kept[last].contains(s));
                let both = both.filter(|s| middle.is_none_or(|middle| kept[middle].contains(s)));
                let symmetries = both.count();
                let rows = u64::from(words(first)).div_ceil(symmetries as u64)
                    * middle.map_or(1, |middle| words(middle).into());
                let bytes = StripeTable::bytes_for(rows, words(last) as usize);
                if bytes > memory {
                    continue;
                }
                let numbers = parts.iter().flatten().map(|&part| u64::from(words(part)));
                let cosets = numbers.product();
                let short = |part: usize| u8::try_from(part).expect("at most 192 colourings");
                let views = (all / symmetries).min(SIDES.len() - 1);
                found.push(CosetCandidate {
                    parts: parts.map(|part| part.map(short)),
                    cosets,
                    symmetries,
                    views,
                    rows: words(first),
                    bytes,
                    worth: 0.0,
                });
            }
        }
    }
    // Keeps each candidate that is worth more than all smaller ones. First computes an upper bound
    // on the worth, from the colouring that alone shows the most cosets in the last layer. Counts
    // the cosets of all colourings together only if this bound beats the best so far.
    let alone: Vec<usize> = (0..colourings.len()).map(|one| ball.last_layer(&[one])).collect();
    keep_best(&mut found, |one, best| {
        let parts = one.parts();
        let worth = |last: usize| {
            let layers = (ball.within.len() - 1) as f64;
            let more = (one.cosets as f64 / last.max(1) as f64).ln() / branching.ln();
            layers + more + SIDES[one.views]
        };
        let least = parts.iter().map(|&part| alone[part]).max().unwrap_or(1);
        match worth(least) {
            // If cancelled, the result is not used.
            most if most <= best || cancel.is_cancelled() => most,
            _ => worth(ball.last_layer(&parts)),
        }
    });
    // Only now are symmetric words counted, which gives the bytes of each table.
    found.retain_mut(|one| {
        one.bytes = table_bytes(group, &colourings, one, cancel);
        one.memory() <= memory
    });
    if cancel.is_cancelled() {
        return Ok(None);
    }
    keep_best(&mut found, |one, _| one.worth);
    Ok(Some(CosetCandidates { colourings, list: found }))
}

/// Sorts the candidates by bytes, and keeps each that is worth more than all smaller ones.
///
/// `worth` receives a candidate and the best worth so far. If the candidate cannot exceed it,
/// `worth` may return any upper bound that does not exceed it either.
fn keep_best(found: &mut Vec<CosetCandidate>, worth: impl Fn(&CosetCandidate, f64) -> f64) {
    found.sort_by_key(|one| (one.bytes, std::cmp::Reverse(one.cosets)));
    let mut best = f64::NEG_INFINITY;
    found.retain_mut(|one| {
        one.worth = worth(one, best);
        let better = one.worth > best;
        best = best.max(one.worth);
        better
    });
}

/// Estimates the bytes of a candidate's table. The words of the first colouring that symmetries map
/// to each other are a class. The number of classes is estimated from evenly spaced words.
/// `u64::MAX` if the symmetries do not act on all words as a group, or if cancelled.
fn table_bytes(
    group: &PuzzleGroup,
    colourings: &[(Colouring, ClassWords)],
    one: &CosetCandidate,
    cancel: &CancelToken,
) -> u64 {
    if cancel.is_cancelled() {
        return u64::MAX;
    }
    let parts = one.parts();
    let symmetries = stabilizer(group, parts.iter().map(|&part| &colourings[part]));
    let words = |part: usize| colourings[part].1.words();
    let [first, .., last] = parts[..] else { return u64::MAX };
    let (colouring, arrangements) = colourings[first].clone();
    let made = SlotCoordinate::new(group, colouring, arrangements, &symmetries);
    let Some(coordinate) = made else { return u64::MAX };
    let step = (words(first) / SAMPLED).max(1);
    let (mut classes, mut sampled) = (0.0, 0.0);
    for word in (0..words(first)).step_by(step as usize) {
        let images = |word: u32| {
            let all = (0..symmetries.len()).map(|symmetry| coordinate.conjugate(word, symmetry));
            let mut all: Vec<u32> = all.collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let class = images(word);
        // On words that no state shows, the symmetries may be no group. Then the classes cannot be
        // counted.
        if images(class[0]) != class || cancel.is_cancelled() {
            return u64::MAX;
        }
        classes += 1.0 / class.len() as f64;
        sampled += 1.0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^22")]
    let classes = (f64::from(words(first)) * classes / sampled).ceil() as u64;
    let middle = one.parts[1].map_or(1, |middle| u64::from(words(middle.into())));
    StripeTable::bytes_for(classes * middle, words(last) as usize)
}

/// The [`MOST_COLOURINGS`] colourings that the most symmetries keep, each with these symmetries.
/// They stay in their order.
fn most_symmetric(
    group: &PuzzleGroup,
    colourings: Vec<(Colouring, ClassWords)>,
) -> Vec<((Colouring, ClassWords), Vec<usize>)> {
    let kept = |one: &(Colouring, ClassWords)| stabilizer(group, std::iter::once(one));
    let mut all: Vec<_> = colourings
        .into_iter()
        .map(|one| {
            let kept = kept(&one);
            (one, kept)
        })
        .enumerate()
        .collect();
    all.sort_by_key(|(_, (_, kept))| std::cmp::Reverse(kept.len()));
    all.truncate(MOST_COLOURINGS);
    all.sort_by_key(|&(number, _)| number);
    all.into_iter().map(|(_, one)| one).collect()
}

/// Whether two colourings are independent.
///
/// They are if they colour different pieces. They also are if one shows only in which slots the
/// pieces of each class lie, and the other only how pieces are turned.
fn apart(colourings: &[(Colouring, ClassWords)], a: usize, b: usize) -> bool {
    let (a, b) = (&colourings[a].0, &colourings[b].0);
    let classes = |one: &Colouring| one.turns.iter().all(|&turns| turns == 1);
    a.slots != b.slots || classes(a) && b.turns.len() == 1 || classes(b) && a.turns.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The helicopter cube has up to 524,288 candidates with a table of 1 MiB. They took 50 MB.
    #[test]
    fn a_candidate_is_small() {
        assert!(size_of::<CosetCandidate>() <= 56, "{} bytes", size_of::<CosetCandidate>());
    }
}
