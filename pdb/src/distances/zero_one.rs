//! Least costs of moving a few features to the goal, by a search back from the goal in which the others move for nothing.

use super::graph::MoveGraph;
use super::{FARTHEST, NONE};

/// Most features of one search.
pub(super) const MOST: usize = 3;

/// The features' places in a goal and the goal's context.
pub(super) type Source<'a> = (&'a [u8], u16);

/// A state of the small search: where the features are, and the context.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Index of the places and the context together.
    state: u32,
    context: u16,
    at: [u8; MOST],
}

/// What one search needs, used again by the next.
#[derive(Debug)]
pub(super) struct Workspace {
    /// By state: the least cost known; [`NONE`] if none.
    known: Vec<u8>,
    /// By cost: states that were found with that cost.
    open: Vec<Vec<Node>>,
    /// By places of the features (the first one most significant): the least cost over the contexts, [`FARTHEST`] for more, [`NONE`]
    /// where two are at one place or no goal is reached. One byte each.
    pub(super) least: Vec<u8>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let open = (0..=FARTHEST).map(|_| Vec::new()).collect();
        Self { known: Vec::new(), open, least: Vec::new() }
    }

    /// Fills [`Workspace::least`] for features that lie at these places in the goals.
    ///
    /// *Invariant*: when the cost `d` is taken up, every state whose least cost is below `d` has it. A state comes to a list again only if its
    /// cost fell, so of its entries one has the cost that is known.
    pub(super) fn search(&mut self, graph: &MoveGraph, sources: &[Source<'_>]) {
        let features = sources.first().map_or(0, |source| source.0.len());
        let tuples = graph.places.pow(u32::try_from(features).unwrap_or(0));
        self.known.clear();
        self.known.resize(tuples * graph.contexts, NONE);
        self.least.clear();
        self.least.resize(tuples, NONE);
        // What a step of a feature by one place adds to the state's index, modulo 2^32.
        let (places, contexts) = (to_word(graph.places), to_word(graph.contexts));
        let mut stride = [0; MOST];
        let mut product = contexts;
        for stride in stride[..features].iter_mut().rev() {
            *stride = product;
            product = product.wrapping_mul(places);
        }
        for &(goal, context) in sources {
            let mut at = [NONE; MOST];
            at[..features].copy_from_slice(goal);
            let places = at.iter().zip(stride).map(|(&place, stride)| u32::from(place) * stride);
            let state = places.sum::<u32>() + u32::from(context);
            self.known[state as usize] = 0;
            self.open[0].push(Node { state, context, at });
        }
        for cost in 0..=FARTHEST {
            while let Some(node) = self.open[usize::from(cost)].pop() {
                if self.known[node.state as usize] == cost {
                    let least = &mut self.least[(node.state / contexts) as usize];
                    *least = cost.min(*least);
                    self.expand(graph, &stride, node, cost);
                }
            }
        }
    }

    /// Goes back from a node by every move that may have led to it.
    #[inline(always)]
    fn expand(&mut self, graph: &MoveGraph, stride: &[u32; MOST], node: Node, cost: u8) {
        let [a, b, c] = node.at;
        for back in graph.into(node.context) {
            let (from, to) = (back.from, back.to);
            if from == a || from == b || from == c {
                // The place that a move left is free after it.
                continue;
            }
            let mut before = node;
            let mut total = cost;
            let mover = if to == a {
                Some(0)
            } else if to == b {
                Some(1)
            } else if to == c {
                Some(2)
            } else {
                None
            };
            if let Some(mover) = mover {
                before.at[mover] = from;
                let step = u32::from(from).wrapping_sub(u32::from(to));
                before.state = before.state.wrapping_add(step.wrapping_mul(stride[mover]));
                total = cost.saturating_add(back.cost).min(FARTHEST);
            }
            before.context = back.context;
            before.state = before.state.wrapping_sub(u32::from(node.context));
            before.state = before.state.wrapping_add(u32::from(back.context));
            let known = &mut self.known[before.state as usize];
            if total < *known {
                *known = total;
                self.open[usize::from(total)].push(before);
            }
        }
    }
}

/// A number of places or contexts, which the graph has checked.
fn to_word(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
