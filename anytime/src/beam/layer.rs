//! The nodes of a level of a beam: [`Layer`].

use crate::chain::{FirstLevels, MOST};
use crate::hash::mixed;
use crate::words::short_words;
use crate::{Generators, PieceHome, WordChain};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::Op;
use std::borrow::Cow;

/// The most points of pieces that look alike which are tried for a home.
pub(super) const MOST_ALIKE: usize = 4;

/// The most seeds of two operators.
const MOST_SEEDS: usize = 4000;

/// How a beam ranks its nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeamOptions {
    /// The number of nodes that go on to the next level.
    pub width: usize,
    /// How much the pieces that are not home count beside the cost so far: in tenths of the cost
    /// of their cheapest words.
    pub weight: u32,
}

impl BeamOptions {
    /// The rank of a node: the lower, the better. `ahead` is the cost of the cheapest words of the
    /// pieces that are not home.
    fn rank(self, cost: u32, ahead: u32) -> u32 {
        10 * cost + self.weight * ahead
    }
}

/// The cost of the cheapest word for each level and point, and numbers that hash them.
#[derive(Debug)]
pub(super) struct Look {
    points: usize,
    /// Indexed by level and point.
    least: Vec<u16>,
    /// Indexed by level and point. Equal where states count the same.
    hash: Vec<u64>,
    /// For each level: those from it on whose pieces look like its own.
    alike: Vec<Vec<usize>>,
}

fn as_u16(cost: u32) -> u16 {
    u16::try_from(cost).unwrap_or(u16::MAX)
}

impl Look {
    pub(super) fn new(chain: &WordChain) -> Self {
        let (pieces, points) = (chain.pieces(), chain.generators().points());
        let piece = |level: usize| pieces.list()[chain.levels[level].piece];
        let (mut least, mut hash) = (Vec::new(), Vec::new());
        for (number, level) in chain.levels.iter().enumerate() {
            let known = level.entries.iter().filter_map(|entries| Some(entries.first()?.cost));
            let (count, sum) = known.fold((0, 0), |(count, sum), cost| (count + 1, sum + cost));
            // A piece at the home of an earlier one is moved before its turn comes.
            let mean = sum.checked_div(count).unwrap_or(0);
            let cost = |point: u16| match level.entries[usize::from(point)].first() {
                _ if point == level.base => 0,
                Some(entry) => as_u16(entry.cost),
                None => as_u16(mean),
            };
            let own = piece(number);
            for point in (0..=u16::MAX).take(points) {
                least.push(pieces.turned(own, point).map(cost).min().unwrap_or(0));
                let seen = u64::from(pieces.canonical(own, point));
                hash.push(mixed(u64::from(own.class) << 16 | seen));
            }
        }
        let levels = chain.levels.len();
        let alike = |level: usize| {
            (level..levels).filter(|&other| piece(other).class == piece(level).class).collect()
        };
        Self { points, least, hash, alike: (0..levels).map(alike).collect() }
    }

    /// The cost of the cheapest words of the pieces of all levels from `first` on, and a hash of
    /// where they lie. `place` gives the point of the piece of a level.
    fn ahead(&self, first: usize, place: impl Fn(usize) -> u16) -> (u32, u64) {
        let (mut cost, mut hash) = (0, 0_u64);
        for level in first..self.alike.len() {
            let at = level * self.points + usize::from(place(level));
            cost += u32::from(self.least[at]);
            hash = hash.wrapping_add(self.hash[at]);
        }
        (cost, hash)
    }
}

/// How a node came from its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) parent: u32,
    point: u16,
    /// The number of the word for the point. `None`: the piece is home.
    entry: Option<u16>,
}

impl Step {
    pub(super) fn word(self, chain: &WordChain, level: usize) -> &[Op] {
        let entries = &chain.levels[level].entries[usize::from(self.point)];
        self.entry.map_or(&[], |entry| &entries[usize::from(entry)].word)
    }
}

/// A child that a node may have.
#[derive(Clone, Copy)]
struct Candidate {
    rank: u32,
    hash: u64,
    step: Step,
    /// The level whose piece takes the place of the present one.
    swap: u16,
    cost: u32,
}

/// The bytes of the children of a node, if all words of `points` points are tried. They are
/// collected in two steps.
pub(super) const fn bytes_of_children(points: usize) -> usize {
    2 * points * MOST * size_of::<Candidate>()
}

/// The nodes of a level: where the piece of each level lies, what they cost, and their last
/// operators.
pub(super) struct Layer {
    levels: usize,
    /// `levels` points for each node.
    images: Vec<u16>,
    costs: Vec<u32>,
    last: Vec<Option<Op>>,
}

impl Layer {
    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    /// What a node costs.
    pub(super) fn cost(&self, node: usize) -> u32 {
        self.costs[node]
    }

    /// Where the pieces of all levels lie.
    pub(super) fn images(&self, node: usize) -> &[u16] {
        &self.images[node * self.levels..][..self.levels]
    }

    /// The nodes after some words from each start, of which the best are kept. For each: the number
    /// of the start, and the word. Then how many were made. If `stop` is true, they are any.
    ///
    /// The words bring home the pieces of the `first` levels together, or have two operators at
    /// most.
    pub(super) fn roots(
        chain: &WordChain,
        look: &Look,
        first: Option<&FirstLevels>,
        starts: &[&[u16]],
        options: BeamOptions,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Self, Vec<(usize, Vec<Op>)>, u64) {
        let generators = chain.generators();
        let of_levels = |images: &&[u16]| -> Vec<u16> {
            chain.levels.iter().map(|level| images[level.piece]).collect()
        };
        let starts: Vec<Vec<u16>> = starts.iter().map(of_levels).collect();
        let level = first.map_or(0, |first| first.levels);
        let most = options.width.div_ceil(starts.len().max(1));
        let short = if first.is_none() { seeds(generators, stop) } else { Vec::new() };
        let words = |start: &Vec<u16>| match first {
            Some(first) => {
                let (words, made) = first.words(generators, start, most, stop);
                (Cow::Owned(words), made)
            }
            None => (Cow::Borrowed(&short[..]), 0),
        };
        let words: Vec<(Cow<'_, [Vec<Op>]>, u64)> = starts.par_iter().map(words).collect();
        let apply = |start: usize, word: &[Op]| {
            let mut images = starts[start].clone();
            let word = if stop() { &[] } else { word };
            for op in word {
                let element = &generators.elements()[op.index()];
                images.iter_mut().for_each(|point| *point = element.image(*point));
            }
            images
        };
        let rank = |start: usize, word: &[Op]| {
            let images = apply(start, word);
            let (ahead, hash) = look.ahead(level, |level| images[level]);
            (options.rank(generators.cost_of(word), ahead), hash)
        };
        let pairs = words.iter().enumerate();
        let pairs =
            pairs.flat_map(|(start, (words, _))| (0..words.len()).map(move |at| (start, at)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let made = words.iter().map(|(_, nodes)| nodes).sum::<u64>();
        let ranked =
            pairs.par_iter().map(|&(start, at)| (rank(start, &words[start].0[at]), start, at));
        let mut seeds: Vec<((u32, u64), usize, usize)> = ranked.collect();
        seeds.par_sort_unstable();
        let mut seen = FxHashSet::default();
        seeds.retain(|&((_, hash), ..)| {
            let is_wanted = seen.len() < options.width && !stop();
            is_wanted && (seen.insert(hash) || first.is_none())
        });
        seeds.truncate(options.width);
        let levels = chain.levels.len();
        let mut layer = Self { levels, images: Vec::new(), costs: Vec::new(), last: Vec::new() };
        let word = |start: usize, at: usize| &words[start].0[at];
        let images =
            seeds.par_iter().flat_map_iter(|&(_, start, at)| apply(start, word(start, at)));
        layer.images = images.collect();
        for &(_, start, at) in &seeds {
            layer.costs.push(generators.cost_of(word(start, at)));
            layer.last.push(word(start, at).last().copied());
        }
        let made = made + seeds.len() as u64;
        let seeds = seeds.into_iter().map(|(_, start, at)| (start, word(start, at).clone()));
        (layer, seeds.collect(), made)
    }

    /// Brings the piece of a level home: the best children of all nodes, how they came from their
    /// parents, and how many children there were. `None` if `stop` is true; it is asked before each
    /// node.
    pub(super) fn advance(
        &self,
        chain: &WordChain,
        look: &Look,
        level: usize,
        options: BeamOptions,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Self, Vec<Step>, u64)> {
        let made = (0..self.len()).into_par_iter().with_min_len(16).flat_map_iter(|node| {
            let mut made = Vec::new();
            if stop() {
                return made;
            }
            self.children(chain, look, level, (node, options), &mut made);
            made
        });
        let mut made: Vec<Candidate> = made.collect();
        if stop() {
            return None;
        }
        let generated = made.len() as u64;
        let key = |child: &Candidate| {
            let Step { parent, point, entry } = child.step;
            (child.rank, child.hash, parent, child.swap, point, entry)
        };
        // Some are the same state.
        let most = options.width.saturating_mul(3);
        if made.len() > most {
            made.select_nth_unstable_by_key(most, key);
            made.truncate(most);
        }
        made.par_sort_unstable_by_key(key);
        let mut seen = FxHashSet::default();
        made.retain(|child| seen.len() < options.width && seen.insert(child.hash));
        let apply = |child: &Candidate| self.child(chain, level, child);
        let images = made.par_iter().flat_map_iter(apply).collect();
        let last = |child: &Candidate| {
            let word = child.step.word(chain, level);
            word.last().copied().or(self.last[child.step.parent as usize])
        };
        let next = Self {
            levels: self.levels,
            images,
            costs: made.iter().map(|child| child.cost).collect(),
            last: made.iter().map(last).collect(),
        };
        Some((next, made.iter().map(|child| child.step).collect(), generated))
    }

    /// The children of a node.
    fn children(
        &self,
        chain: &WordChain,
        look: &Look,
        level: usize,
        (node, options): (usize, BeamOptions),
        made: &mut Vec<Candidate>,
    ) {
        let (images, own) = (self.images(node), &chain.levels[level]);
        let piece = chain.pieces().list()[own.piece];
        let mut choices = Choices::new(chain, look, level, images, piece);
        for (_, swap, point) in choices.sorted() {
            // The piece of level `swap` has the place of this level's piece from now on.
            let place = |other: usize| images[if other == swap { level } else { other }];
            let mut add = |entry, cost, (ahead, hash)| {
                let parent = u32::try_from(node).unwrap_or(u32::MAX);
                let swap = u16::try_from(swap).unwrap_or(u16::MAX);
                let rank = options.rank(cost, ahead);
                let step = Step { parent, point, entry };
                made.push(Candidate { rank, hash, step, swap, cost });
            };
            if point == own.base {
                add(None, self.costs[node], look.ahead(level + 1, place));
                continue;
            }
            for (entry, word) in (0..).zip(&own.entries[usize::from(point)]) {
                let saving = match (self.last[node], word.word.first()) {
                    (Some(last), Some(&first)) => chain.generators().saving(last, first),
                    _ => 0,
                };
                let cost = (self.costs[node] + word.cost).saturating_sub(saving);
                let ahead = look.ahead(level + 1, |other| word.element.image(place(other)));
                add(Some(entry), cost, ahead);
            }
        }
    }

    /// The images of a child.
    fn child(&self, chain: &WordChain, level: usize, child: &Candidate) -> Vec<u16> {
        let mut images = self.images(child.step.parent as usize).to_vec();
        let swap = usize::from(child.swap);
        images[swap] = images[level];
        images[level] = child.step.point;
        if let Some(entry) = child.step.entry {
            let entries = &chain.levels[level].entries[usize::from(child.step.point)];
            let element = &entries[usize::from(entry)].element;
            images.iter_mut().for_each(|point| *point = element.image(*point));
        }
        images
    }
}

/// The words of two operators at most, the empty one first.
fn seeds(generators: &Generators, stop: &dyn Fn() -> bool) -> Vec<Vec<Op>> {
    let words = short_words(generators, generators.len() + MOST_SEEDS, stop).into_iter();
    let words = words.map(|(word, _)| word).take_while(|word| word.len() <= 2);
    std::iter::once(Vec::new()).chain(words).collect()
}

/// The pieces that may go to the home of a level, each with the point where it counts as.
struct Choices(Vec<(u16, usize, u16)>);

impl Choices {
    fn new(chain: &WordChain, look: &Look, level: usize, images: &[u16], piece: PieceHome) -> Self {
        let own = &chain.levels[level];
        let mut choices = Vec::new();
        for &other in &look.alike[level] {
            for point in chain.pieces().turned(piece, images[other]) {
                let entries = &own.entries[usize::from(point)];
                match entries.first() {
                    _ if point == own.base => choices.push((0, other, point)),
                    Some(entry) => choices.push((as_u16(entry.cost), other, point)),
                    None => {}
                }
            }
        }
        Self(choices)
    }

    /// The cheapest first. If one is home, that is the only one.
    fn sorted(&mut self) -> impl Iterator<Item = (u16, usize, u16)> + '_ {
        self.0.sort_unstable();
        let home = self.0.first().is_some_and(|&(cost, ..)| cost == 0);
        let most = if home { 1 } else { MOST_ALIKE };
        self.0.iter().copied().take(most)
    }
}
