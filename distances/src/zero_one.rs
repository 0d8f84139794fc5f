//! The least costs of moving a few features to the goal: a search back from the goal in which the
//! moves of other features are free.

use super::graph::MoveGraph;
use super::{FARTHEST, NONE};

/// The most features of a search.
pub(super) const MOST: usize = 3;

/// The places of the features in a goal, and the context of the goal.
pub(super) type Source<'a> = (&'a [u8], u16);

/// A state of the small search: the places of the features, and the context.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The index of the places.
    tuple: u32,
    context: u16,
    /// The place of each feature. Unused entries are the number of places.
    at: [u8; MOST],
}

/// The memory of a search, for reuse.
#[derive(Debug)]
pub(super) struct Workspace {
    /// By places of the features: the contexts with known least cost, a bit each.
    done: Vec<u64>,
    /// By cost: the states that charged moves led back to.
    open: Vec<Vec<Node>>,
    /// The contexts that free moves led back to, a bit each.
    region: Vec<u64>,
    /// The contexts of the region that still have moves to follow, a bit each.
    pending: Vec<u64>,
    /// By places of the features (the first one most significant): the least cost over the
    /// contexts, at most [`FARTHEST`]. [`NONE`] if two features share a place or no goal is
    /// reached.
    pub(super) least: Vec<u8>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let open = (0..=FARTHEST).map(|_| Vec::new()).collect();
        let (done, least) = (Vec::new(), Vec::new());
        Self { done, open, region: Vec::new(), pending: Vec::new(), least }
    }

    /// Fills [`Workspace::least`] for features at these places in the goals.
    ///
    /// *Invariant*: when the search begins cost `d`, exactly the states of lower cost are done.
    /// Free moves change only the context, so a state and all contexts before its free moves are
    /// done together.
    pub(super) fn search(&mut self, graph: &MoveGraph, sources: &[Source<'_>]) {
        let features = sources.first().map_or(0, |source| source.0.len());
        let tuples = graph.places.pow(u32::try_from(features).unwrap_or(0));
        self.done.clear();
        self.done.resize(tuples * graph.words, 0);
        self.region.resize(graph.words, 0);
        self.pending.resize(graph.words, 0);
        self.least.clear();
        self.least.resize(tuples, NONE);
        // By feature: how much a step by one place adds to the index, modulo 2^32.
        let places = u32::try_from(graph.places).unwrap_or(0);
        let mut stride = [0; MOST];
        let mut product = 1_u32;
        for stride in stride[..features].iter_mut().rev() {
            *stride = product;
            product = product.wrapping_mul(places);
        }
        for &(goal, context) in sources {
            let mut at = [u8::try_from(graph.places).unwrap_or(NONE); MOST];
            at[..features].copy_from_slice(goal);
            let tuple = goal.iter().zip(stride).map(|(&place, stride)| u32::from(place) * stride);
            self.open[0].push(Node { tuple: tuple.sum(), context, at });
        }
        for cost in 0..=FARTHEST {
            while let Some(node) = self.open[usize::from(cost)].pop() {
                if !self.is_done(graph, node.tuple, node.context) {
                    let least = &mut self.least[node.tuple as usize];
                    *least = cost.min(*least);
                    // The compiler makes a version of the loops for the usual case of one word.
                    match graph.words {
                        1 => self.spread(graph, node, 1),
                        words => self.spread(graph, node, words),
                    }
                    for (mover, stride) in stride[..features].iter().enumerate() {
                        self.charge(graph, node, (mover, *stride), cost);
                    }
                }
            }
        }
    }

    fn is_done(&self, graph: &MoveGraph, tuple: u32, context: u16) -> bool {
        let word = tuple as usize * graph.words + usize::from(context) / 64;
        self.done[word] >> (context % 64) & 1 == 1
    }

    /// Makes the region of a node: the contexts from which free moves lead to it.
    #[inline(always)]
    fn spread(&mut self, graph: &MoveGraph, node: Node, words: usize) {
        let done = &mut self.done[node.tuple as usize * words..][..words];
        let (region, pending) = (&mut self.region[..words], &mut self.pending[..words]);
        let (word, bit) = (usize::from(node.context) / 64, 1 << (node.context % 64));
        region.fill(0);
        (region[word], pending[word]) = (bit, bit);
        done[word] |= bit;
        while let Some(word) = pending.iter().position(|&contexts| contexts != 0) {
            let context = 64 * word + pending[word].trailing_zeros() as usize;
            pending[word] &= pending[word] - 1;
            for rows in graph.layers(node.at) {
                for word in 0..words {
                    let new = rows.free(context * words + word) & !done[word];
                    done[word] |= new;
                    region[word] |= new;
                    pending[word] |= new;
                }
            }
        }
    }

    /// Goes back from the region of a node by the moves of one feature. A step of it by one place
    /// adds `stride` to the index.
    #[inline]
    fn charge(&mut self, graph: &MoveGraph, node: Node, (mover, stride): (usize, u32), cost: u8) {
        for back in graph.entering(node.at[mover]) {
            let (after, from) = (usize::from(back.after), back.from);
            // A move leaves its place free.
            if self.region[after / 64] >> (after % 64) & 1 == 0 || node.at.contains(&from) {
                continue;
            }
            let step = u32::from(from).wrapping_sub(u32::from(node.at[mover]));
            let tuple = node.tuple.wrapping_add(step.wrapping_mul(stride));
            if !self.is_done(graph, tuple, back.before) {
                let mut at = node.at;
                at[mover] = from;
                let total = usize::from(cost.saturating_add(back.cost).min(FARTHEST));
                self.open[total].push(Node { tuple, context: back.before, at });
            }
        }
    }
}
