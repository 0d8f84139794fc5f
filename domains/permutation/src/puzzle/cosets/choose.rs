//! Patterns of two or three colourings in the order of their size: what a memory budget chooses from.

use super::colouring::{Colouring, colourings};
use super::coordinate::{SlotCoordinate, symbol};
use super::pattern::{CosetPattern, stabilizer};
use crate::puzzle::{GroupElement, GroupPuzzle};
use groups::GroupError;
use pdb::coset::Coordinate;
use pdb::rank::ClassWords;
use pdb::table::StripeTable;
use search::{CancelToken, Domain, Group, Op, OpSet};
use std::collections::{HashMap, HashSet};

/// Words of a first colouring, at the most: five bytes each are kept while a table is built.
const MOST_ROWS: u32 = 1 << 22;
/// Words of a second colouring.
const MOST_COLUMNS: u32 = 1 << 16;
/// Words of a colouring in the middle.
const MOST_MIDDLE: u32 = 1 << 12;

/// Words that the number of classes is estimated from, at least.
const SAMPLED: u32 = 512;
/// Colourings that patterns are made of, at the most.
const MOST_COLOURINGS: usize = 192;
/// States near the solved one that cosets are counted of.
const MOST_NEAR: usize = 1 << WORD_BITS;
const WORD_BITS: u32 = 12;

/// A pattern that a table can be built of.
#[derive(Clone, Debug)]
pub struct CosetCandidate {
    /// The colourings, as numbers of the list that they were chosen from.
    parts: [Option<usize>; 3],
    /// Cosets told apart.
    pub cosets: u64,
    /// Symmetries that keep it.
    pub symmetries: usize,
    /// Sides that it can be read from, besides the inverse.
    pub views: usize,
    /// Words of its first colouring.
    pub rows: u32,
    /// Bytes of its table, nearly: classes of symmetric words are a few more.
    pub bytes: u64,
    /// About how far its cosets lie from the solved one, seen from all sides: what a greater one is chosen for.
    pub worth: f64,
}

impl CosetCandidate {
    /// Bytes of its table and of what finds entries in it, and some more for classes of symmetric words.
    pub fn memory(&self) -> u64 {
        (self.bytes / 20 + 4 * u64::from(self.rows)).saturating_add(self.bytes)
    }
}

/// The list of colourings and what can be made of them.
#[derive(Clone, Debug)]
pub struct CosetCandidates {
    colourings: Vec<(Colouring, ClassWords)>,
    /// Those that are worth more than any other of no more bytes, by bytes.
    pub list: Vec<CosetCandidate>,
}

impl CosetCandidates {
    /// The pattern of a candidate.
    pub fn pattern<const N: usize, O: OpSet>(
        &self,
        puzzle: &GroupPuzzle<N, O>,
        candidate: &CosetCandidate,
    ) -> CosetPattern {
        let part = |at: usize| candidate.parts[at].map(|number| &self.colourings[number]);
        let [Some(first), middle, Some(second)] = [part(0), part(1), part(2)] else {
            unreachable!("a candidate has a first and a second colouring")
        };
        CosetPattern::new(puzzle, first, middle, second)
    }
}

/// States near the solved one and what each colouring shows of them: from how soon their cosets coincide follows how far cosets lie.
struct Ball {
    /// By colouring, then state: its word, numbered as they come. States by their distance.
    words: Vec<Vec<u32>>,
    /// By distance: how many states lie no farther.
    within: Vec<usize>,
}

impl Ball {
    fn new<const N: usize, O: OpSet>(
        puzzle: &GroupPuzzle<N, O>,
        colourings: &[(Colouring, ClassWords)],
    ) -> Self {
        let mut states = vec![puzzle.identity()];
        let mut known: HashSet<GroupElement<N>> = states.iter().copied().collect();
        let (mut within, mut from) = (vec![1], 0);
        loop {
            let layer = from..states.len();
            from = layer.end;
            for at in layer {
                let (state, mut next) = (states[at], states[at]);
                for op in (0..puzzle.operators()).map(Op::new) {
                    puzzle.apply_into(&state, op, &mut next);
                    if known.insert(next) {
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
            let word = |state: &GroupElement<N>| {
                words.rank(|place| {
                    let slot = colouring.slots[place];
                    let shown =
                        symbol(colouring, words, state.piece[slot].into(), state.twist[slot]);
                    shown.unwrap_or(0) * scales[place]
                })
            };
            let number = |word: u32| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(word).or_insert(next)
            };
            states.iter().map(word).map(number).collect()
        };
        Self { words: colourings.iter().map(words).collect(), within }
    }

    /// How many cosets of these colourings are seen first among the farthest of these states.
    fn last_layer(&self, parts: &[usize]) -> usize {
        // A coset in the upper bits, the layer in the lowest four.
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

/// How much further sides add to the distance: the maximum over them is greater by about this much (measured with three axes of the cube).
const SIDES: [f64; 5] = [0.0, 0.0, 0.3, 0.5, 0.6];

/// The candidates of a puzzle with tables of at most so many bytes, what finds their entries included; `None` if cancelled.
///
/// A candidate's worth: cosets are counted among the states near the solved one, as far as there are at most 4,096 of these; from there on as many more layers as it
/// takes until there are as many cosets as there are, if layers grow by the branching factor; and what further sides add.
///
/// # Errors
/// Never for operators of a definition.
pub fn candidates<const N: usize, O: OpSet>(
    puzzle: &GroupPuzzle<N, O>,
    memory: u64,
    branching: f64,
    cancel: &CancelToken,
) -> Result<Option<CosetCandidates>, GroupError> {
    let Some(colourings) = colourings(puzzle, MOST_ROWS, cancel)? else { return Ok(None) };
    let colourings = most_symmetric(puzzle, colourings);
    let (colourings, kept): (Vec<_>, Vec<_>) = colourings.into_iter().unzip();
    let ball = Ball::new(puzzle, &colourings);
    let all = puzzle.relabellings().len();
    let words = |number: usize| colourings[number].1.words();
    let mut found = Vec::new();
    let numbers = 0..colourings.len();
    // By colouring: the others that say nothing about it.
    let others: Vec<Vec<bool>> = numbers
        .clone()
        .map(|a| numbers.clone().map(|b| apart(&colourings, a, b)).collect())
        .collect();
    for first in numbers.clone() {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        for second in numbers.clone().filter(|&second| words(second) <= MOST_COLUMNS) {
            if words(second) > words(first) || !others[first][second] {
                continue;
            }
            let middles = numbers.clone().filter(|&middle| {
                words(middle) <= MOST_MIDDLE && others[first][middle] && others[second][middle]
            });
            for middle in std::iter::once(None).chain(middles.map(Some)) {
                let parts = [Some(first), middle, Some(second)];
                let both = kept[first].iter().filter(|s| kept[second].contains(s));
                let both = both.filter(|s| middle.is_none_or(|middle| kept[middle].contains(s)));
                let symmetries = both.count();
                let rows = u64::from(words(first)).div_ceil(symmetries as u64)
                    * middle.map_or(1, |middle| words(middle).into());
                let bytes = StripeTable::bytes_for(rows, words(second) as usize);
                if bytes > memory {
                    continue;
                }
                let numbers = parts.iter().flatten().map(|&part| u64::from(words(part)));
                let cosets = numbers.product();
                let views = (all / symmetries).min(SIDES.len() - 1);
                found.push(CosetCandidate {
                    parts,
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
    // The best of every size. What is worth no more than that even if no colouring but one tells near states apart is not looked at closer.
    let alone: Vec<usize> = (0..colourings.len()).map(|one| ball.last_layer(&[one])).collect();
    keep_best(&mut found, |one, best| {
        let parts: Vec<usize> = one.parts.iter().flatten().copied().collect();
        let worth = |last: usize| {
            let layers = (ball.within.len() - 1) as f64;
            let more = (one.cosets as f64 / last.max(1) as f64).ln() / branching.ln();
            layers + more + SIDES[one.views]
        };
        let least = parts.iter().map(|&part| alone[part]).max().unwrap_or(1);
        match worth(least) {
            most if most <= best => most,
            _ => worth(ball.last_layer(&parts)),
        }
    });
    // How often words are symmetric is known only now.
    found.retain_mut(|one| {
        one.bytes = table_bytes(puzzle, &colourings, one);
        one.memory() <= memory
    });
    keep_best(&mut found, |one, _| one.worth);
    Ok(Some(CosetCandidates { colourings, list: found }))
}

/// Sorts by bytes, and keeps what is worth more than any other of no more bytes. `worth` gets the most so far, and of what is worth no more it may answer any bound that is no more.
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

/// Bytes of a candidate's table: of words evenly spaced among those of the first colouring the mean share of a class. 2^64 - 1 if its symmetries are no group on
/// all words.
fn table_bytes<const N: usize, O: OpSet>(
    puzzle: &GroupPuzzle<N, O>,
    colourings: &[(Colouring, ClassWords)],
    one: &CosetCandidate,
) -> u64 {
    let parts: Vec<usize> = one.parts.iter().flatten().copied().collect();
    let symmetries = stabilizer(puzzle, parts.iter().map(|&part| &colourings[part]));
    let words = |part: usize| colourings[part].1.words();
    let [first, .., second] = parts[..] else { return u64::MAX };
    let (colouring, arrangements) = colourings[first].clone();
    let made = SlotCoordinate::new(puzzle, colouring, arrangements, &symmetries);
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
        // Of words that no state shows, symmetries need be no group: then there are more classes than one can tell.
        if images(class[0]) != class {
            return u64::MAX;
        }
        classes += 1.0 / class.len() as f64;
        sampled += 1.0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^22")]
    let classes = (f64::from(words(first)) * classes / sampled).ceil() as u64;
    let middle = one.parts[1].map_or(1, |middle| u64::from(words(middle)));
    StripeTable::bytes_for(classes * middle, words(second) as usize)
}

/// The colourings that most symmetries keep, each with their numbers: [`MOST_COLOURINGS`] of them, in the order in which they were.
fn most_symmetric<const N: usize, O: OpSet>(
    puzzle: &GroupPuzzle<N, O>,
    colourings: Vec<(Colouring, ClassWords)>,
) -> Vec<((Colouring, ClassWords), Vec<usize>)> {
    let kept = |one: &(Colouring, ClassWords)| stabilizer(puzzle, std::iter::once(one));
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

/// Whether two colourings say nothing about each other: they are of different pieces, or one tells only where pieces of classes lie and the other only how
/// pieces are turned.
fn apart(colourings: &[(Colouring, ClassWords)], a: usize, b: usize) -> bool {
    let (a, b) = (&colourings[a].0, &colourings[b].0);
    let classes = |one: &Colouring| one.turns.iter().all(|&turns| turns == 1);
    a.slots != b.slots || classes(a) && b.turns.len() == 1 || classes(b) && a.turns.len() == 1
}
