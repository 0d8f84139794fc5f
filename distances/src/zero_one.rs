//! The small search: the least cost of moving a few features to their places in a goal. It searches
//! back from the goals. Moves of these features are charged; moves of all other features are free.

use super::graph::MoveGraph;
use super::{FARTHEST, NONE};

/// Maximum number of features of a small search.
pub(super) const MOST: usize = 3;

/// A goal: the places of the features, and the context.
pub(super) type Source<'a> = (&'a [u8], u16);

/// A state of the small search (see the module): where its features are, and the context of the
/// domain's state. On sliding tiles the context is the free square.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The places as one number: the index into [`Workspace::least`].
    tuple: u32,
    context: u16,
    /// The place of each feature. Unused entries hold the number of places.
    at: [u8; MOST],
}

/// The memory of a small search, to be reused by the next one.
#[derive(Debug)]
pub(super) struct Workspace {
    /// For each placement of the features, the set of contexts whose least cost is known.
    done: Vec<u64>,
    /// For each cost, the states that charged moves led back to.
    open: Vec<Vec<Node>>,
    /// The set of contexts that free moves led back to.
    region: Vec<u64>,
    /// The contexts of `region` whose moves are still to be followed back.
    pending: Vec<u64>,
    /// For each placement of the features (the place of the first feature is most significant), the
    /// least cost over all contexts, at most [`FARTHEST`]. [`NONE`] if two features share a place
    /// or no goal is reached.
    pub(super) least: Vec<u8>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let open = (0..=FARTHEST).map(|_| Vec::new()).collect();
        let (done, least) = (Vec::new(), Vec::new());
        Self { done, open, region: Vec::new(), pending: Vec::new(), least }
    }

    /// Fills [`Workspace::least`] for the features whose places in the goals `sources` gives.
    ///
    /// *Invariant*: when the search comes to cost `d`, exactly the states of lower cost are done.
    /// Free moves change only the context and cost nothing. So a state becomes done together with
    /// all contexts from which free moves lead to it.
    pub(super) fn search(&mut self, graph: &MoveGraph, sources: &[Source<'_>]) {
        let features = sources.first().map_or(0, |source| source.0.len());
        let tuples = graph.places.pow(u32::try_from(features).unwrap_or(0));
        self.done.clear();
        self.done.resize(tuples * graph.words, 0);
        self.region.resize(graph.words, 0);
        self.pending.resize(graph.words, 0);
        self.least.clear();
        self.least.resize(tuples, NONE);
        // For each feature, how much the index grows if its place grows by one, modulo 2^32.
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

    /// Fills `region` with the contexts from which free moves lead to the node, and marks them as
    /// done.
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

    /// Opens the states from which a charged move of one feature, `mover`, leads into the region of
    /// a node. `stride` is how much the index grows if the feature's place grows by one.
    #[inline]
    fn charge(&mut self, graph: &MoveGraph, node: Node, (mover, stride): (usize, u32), cost: u8) {
        for back in graph.entering(node.at[mover]) {
            let (after, from) = (usize::from(back.after), back.from);
            // A move leaves a free place behind, so no other feature may lie there after it.
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
