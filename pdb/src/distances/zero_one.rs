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
    /// Index of the places.
    tuple: u32,
    context: u16,
    at: [u8; MOST],
}

/// What one search needs, used again by the next.
#[derive(Debug)]
pub(super) struct Workspace {
    /// By places of the features, then context: whether the least cost is known. One byte each.
    done: Vec<bool>,
    /// By cost: states that a charged move led back to at that cost.
    open: Vec<Vec<Node>>,
    /// Contexts that free moves led back to, whose moves were not looked at yet.
    free: Vec<u16>,
    /// By place: number of the feature that lies there, from 1; 0 for another or none.
    lies: Vec<u8>,
    /// By places of the features (the first one most significant): the least cost over the contexts, [`FARTHEST`] for more, [`NONE`]
    /// where two are at one place or no goal is reached. One byte each.
    pub(super) least: Vec<u8>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let open = (0..=FARTHEST).map(|_| Vec::new()).collect();
        let (done, free, least) = (Vec::new(), Vec::new(), Vec::new());
        Self { done, open, free, lies: vec![0; 256], least }
    }

    /// Fills [`Workspace::least`] for features that lie at these places in the goals.
    ///
    /// *Invariant*: when the cost `d` is taken up, the states of a lesser cost are done, and no others. Free moves change the context
    /// only, so all contexts that they lead back to from a state are done together with it.
    pub(super) fn search(&mut self, graph: &MoveGraph, sources: &[Source<'_>]) {
        let features = sources.first().map_or(0, |source| source.0.len());
        let tuples = graph.places.pow(u32::try_from(features).unwrap_or(0));
        self.done.clear();
        self.done.resize(tuples * graph.contexts, false);
        self.least.clear();
        self.least.resize(tuples, NONE);
        // What a step of a feature by one place adds to the index of the places, modulo 2^32.
        let places = u32::try_from(graph.places).unwrap_or(0);
        let mut stride = [0; MOST];
        let mut product = 1_u32;
        for stride in stride[..features].iter_mut().rev() {
            *stride = product;
            product = product.wrapping_mul(places);
        }
        for &(goal, context) in sources {
            let mut at = [0; MOST];
            at[..features].copy_from_slice(goal);
            let tuple = at.iter().zip(stride).map(|(&place, stride)| u32::from(place) * stride);
            self.open[0].push(Node { tuple: tuple.sum(), context, at });
        }
        for cost in 0..=FARTHEST {
            while let Some(node) = self.open[usize::from(cost)].pop() {
                if !self.done[node.tuple as usize * graph.contexts + usize::from(node.context)] {
                    let least = &mut self.least[node.tuple as usize];
                    *least = cost.min(*least);
                    let places = &node.at[..features];
                    (1..).zip(places).for_each(|(i, &place)| self.lies[usize::from(place)] = i);
                    self.expand(graph, &stride, node, cost);
                    places.iter().for_each(|&place| self.lies[usize::from(place)] = 0);
                }
            }
        }
    }

    /// Goes back from a node by free moves as far as they lead, and from there by every charged move.
    fn expand(&mut self, graph: &MoveGraph, stride: &[u32; MOST], node: Node, cost: u8) {
        let row = |tuple: u32| tuple as usize * graph.contexts;
        let start = row(node.tuple);
        self.done[start + usize::from(node.context)] = true;
        self.free.push(node.context);
        while let Some(context) = self.free.pop() {
            for back in graph.into(context) {
                let (from, to) = (usize::from(back.from), usize::from(back.to));
                if self.lies[from] != 0 {
                    // The place that a move left is free after it.
                    continue;
                }
                let before = usize::from(back.context);
                let mover = usize::from(self.lies[to]);
                if mover == 0 {
                    let done = &mut self.done[start + before];
                    if !*done {
                        *done = true;
                        self.free.push(back.context);
                    }
                    continue;
                }
                let step = u32::from(back.from).wrapping_sub(u32::from(back.to));
                let step = step.wrapping_mul(stride[mover - 1]);
                let tuple = node.tuple.wrapping_add(step);
                if !self.done[row(tuple) + before] {
                    let mut at = node.at;
                    at[mover - 1] = back.from;
                    let total = usize::from(cost.saturating_add(back.cost).min(FARTHEST));
                    self.open[total].push(Node { tuple, context: back.context, at });
                }
            }
        }
    }
}
