//! A beam over the levels of a chain of words: [`ChainBeam`].

mod layer;

pub use layer::BeamOptions;

use crate::WordChain;
use layer::{Layer, Look, Step};
use search::Op;

/// A beam over the levels of a [`WordChain`].
///
/// A node is an element that is left to be solved. At each level, it has one child for each word
/// that brings the next piece home. The beam keeps those whose cost so far and cheapest words ahead
/// are least. A wide beam begins behind the first levels and ends before the last, which tables
/// bring home together.
///
/// Time: for each level, `width` times the words for a point times the number of levels. Memory:
/// [`ChainBeam::bytes_of_node`] for each node of the width.
#[derive(Debug)]
pub struct ChainBeam<'a> {
    chain: &'a WordChain,
    look: Look,
}

/// What a beam found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The cheapest word, simplified. `None`: every node of the beam ended where no word goes on.
    pub word: Option<Vec<Op>>,
    /// The number of the start that the word solves.
    pub start: usize,
    /// The nodes that were generated.
    pub generated: u64,
}

impl<'a> ChainBeam<'a> {
    /// The beam over a chain.
    pub fn new(chain: &'a WordChain) -> Self {
        Self { chain, look: Look::new(chain) }
    }

    /// The bytes that a beam takes for each node of its width.
    pub fn bytes_of_node(&self) -> u64 {
        let levels = self.chain.levels.len();
        let history = size_of::<Step>() * levels;
        // The present images and the next, and the children before they are chosen.
        let points = if self.chain.pieces().are_distinct() { 1 } else { layer::MOST_ALIKE };
        (layer::bytes_of_children(points) + 4 * levels + history) as u64
    }

    /// The cheapest word found that solves one of several states, all in one beam. A start is the
    /// points where the pieces lie, in the order of [`Pieces::list`](crate::Pieces::list).
    ///
    /// The same for any number of threads, unless `stop` is true: then ends without a word, or with
    /// the best of some.
    pub fn search(
        &self,
        starts: &[&[u16]],
        options: BeamOptions,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Found {
        let first = self.chain.first(self.chain.first_count(options.width), stop);
        let (mut layer, seeds, mut generated) =
            Layer::roots(self.chain, &self.look, first, starts, options, stop);
        let mut history: Vec<Vec<Step>> = Vec::with_capacity(self.chain.levels.len());
        let begin = first.map_or(0, |first| first.levels);
        let last = self.chain.last(self.chain.last_count(options.width), stop);
        if stop() {
            return Found { word: None, start: 0, generated };
        }
        let end = last.map_or(self.chain.levels.len(), |last| last.from);
        for level in begin..end {
            let next = layer.advance(self.chain, &self.look, level, options, stop);
            let Some((next, steps, made)) = next else {
                return Found { word: None, start: 0, generated };
            };
            generated += made;
            layer = next;
            history.push(steps);
        }
        // Words are joined at their seams, so the cheapest node need not give the cheapest word.
        let (generators, levels) = (self.chain.generators(), &self.chain.levels);
        let points = |node: usize| &layer.images(node)[end..];
        let rank = |node: usize| {
            let ahead = last.map_or(Some(0), |last| last.cost(levels, points(node)))?;
            Some((layer.cost(node) + ahead, node))
        };
        let mut ranked: Vec<(u32, usize)> = (0..layer.len()).filter_map(rank).collect();
        ranked.sort_unstable();
        let nodes = ranked.into_iter().map(|(_, node)| node).take(MOST_WORDS).enumerate();
        let words = nodes.take_while(|&(at, _)| at == 0 || !stop()).filter_map(|(_, node)| {
            let product = match last {
                Some(last) => last.product(levels, points(node))?,
                None => Vec::new(),
            };
            let mut steps = Vec::with_capacity(history.len());
            let mut at = node;
            for (level, layer) in history.iter().enumerate().rev() {
                steps.push(layer[at].word(self.chain, begin + level));
                at = layer[at].parent as usize;
            }
            let (start, mut word) = seeds[at].clone();
            steps.iter().rev().for_each(|step| word.extend_from_slice(step));
            word.extend(product);
            generators.simplify(&mut word);
            Some((generators.cost_of(&word), word, start))
        });
        let (word, start) = words.min().map(|(_, word, start)| (word, start)).unzip();
        Found { word, start: start.unwrap_or(0), generated }
    }
}

/// The most nodes of the last level whose words are compared.
const MOST_WORDS: usize = 500;
