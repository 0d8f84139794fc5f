//! A beam over single operators that ends in the ball: [`PairBeam::beam`].

use super::parts::PairBeam;
use crate::steps::{Step, path};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::Op;

/// The successors that are ordered for each node of the next layer. Some are the same state.
const CHOICE: usize = 4;

/// The nodes of a layer that are one piece of work.
const CHUNK: usize = 32;

/// The most layers of a beam.
const LAYERS: usize = 500;

/// The bytes of a hash that was seen.
const SEEN_BYTES: usize = 2 * size_of::<u64>();

/// The states between two questions whether to stop.
const ASKED: usize = 1_024;

/// What a beam has found.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// The number of the root that is solved, and its plan.
    pub(super) plan: Option<(usize, Vec<Op>)>,
    pub(super) nodes: u64,
}

/// A state of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) hash: u64,
    pub(super) estimate: i32,
    pub(super) cost: u32,
    pub(super) last: Option<Op>,
}

/// A successor that may become a node. The least rank comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Candidate {
    pub(super) rank: i64,
    pub(super) hash: u64,
    pub(super) step: Step,
    pub(super) estimate: i32,
    pub(super) cost: u32,
}

/// A successor from which the ball knows the way: the cost of the whole plan comes first.
type Arrival = (u32, u64, Step);

/// The states of a layer, and how they came.
#[derive(Debug, Default)]
pub(super) struct Layer {
    states: Vec<u16>,
    pub(super) nodes: Vec<Node>,
}

impl Layer {
    pub(super) fn state(&self, node: usize, places: usize) -> &[u16] {
        &self.states[node * places..(node + 1) * places]
    }
}

impl PairBeam {
    /// The layer of these states.
    pub(super) fn roots(&self, states: &[Vec<u16>]) -> Layer {
        let node = |state: &Vec<u16>| {
            let (hash, estimate) = (self.contents.hash(state), self.tables.estimate(state));
            Node { hash, estimate, cost: 0, last: None }
        };
        Layer { states: states.concat(), nodes: states.iter().map(node).collect() }
    }

    /// The layer of these successors.
    pub(super) fn below(&self, layer: &Layer, successors: &[Candidate]) -> Layer {
        let places = self.contents.goal.len();
        let mut states = vec![0; successors.len() * places];
        states.par_chunks_mut(places.max(1)).zip(successors).for_each(|(state, successor)| {
            let Step { parent, op } = successor.step;
            self.contents.apply(layer.state(parent as usize, places), op.index(), state);
        });
        let node = |successor: &Candidate| {
            let Candidate { hash, estimate, cost, step, .. } = *successor;
            Node { hash, estimate, cost, last: Some(step.op) }
        };
        Layer { states, nodes: successors.iter().map(node).collect() }
    }

    /// Calls `take` with each successor of a node: the operator, its cost, the hash of the state
    /// and its estimate. `room` is a state.
    #[inline]
    pub(super) fn successors(
        &self,
        (state, node): (&[u16], &Node),
        room: &mut [u16],
        mut take: impl FnMut(Op, u32, u64, i32),
    ) {
        for op in 0..self.contents.moves.len() {
            let next = Op::new(op);
            if node.last.is_some_and(|last| !self.follows[last.index()][op]) {
                continue;
            }
            self.contents.apply(state, op, room);
            let change = self.tables.part(room, op) - self.tables.part(state, op);
            let estimate = node.estimate + change;
            let hash = self.contents.hash_after(state, node.hash, op);
            take(next, self.contents.moves[op].cost, hash, estimate);
        }
    }

    /// The successors of some nodes, if a plan over them may cost less than `limit`. Also the best
    /// one in the ball.
    fn expand(
        &self,
        (layer, nodes): (&Layer, std::ops::Range<usize>),
        limit: u32,
    ) -> (Vec<Candidate>, Option<Arrival>) {
        let places = self.contents.goal.len();
        let (mut room, mut arrival) = (vec![0; places], None);
        let mut candidates = Vec::new();
        for parent in nodes {
            let node = &layer.nodes[parent];
            let parent_number = u32::try_from(parent).unwrap_or(u32::MAX);
            let state = layer.state(parent, places);
            self.successors((state, node), &mut room, |op, own, hash, estimate| {
                let (cost, step) = (node.cost + own, Step { parent: parent_number, op });
                if let Some(more) = self.ball.cost(hash) {
                    let found = (cost + more, hash, step);
                    if found.0 < limit && arrival.is_none_or(|best| found < best) {
                        arrival = Some(found);
                    }
                }
                if cost + self.least < limit {
                    let more = i64::from(self.tables.at_least(estimate));
                    let rank = i64::from(self.tables.scaled(cost)) + more;
                    candidates.push(Candidate { rank, hash, step, estimate, cost });
                }
            });
        }
        (candidates, arrival)
    }

    /// Runs one beam from all roots at once. Its plan costs less than `limit`. It ends when its
    /// history takes more bytes. The same for any number of threads, unless `stop` is true.
    pub(super) fn beam(
        &self,
        roots: &[Vec<u16>],
        (width, limit, bytes): (usize, u32, u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Ended {
        let mut layer = self.roots(roots);
        let mut seen: FxHashSet<u64> = layer.nodes.iter().map(|node| node.hash).collect();
        let (mut limit, mut ended) = (limit, Ended::default());
        let mut history: Vec<Vec<Step>> = Vec::new();
        let mut kept = 0;
        while !layer.nodes.is_empty() && history.len() < LAYERS && kept <= bytes && !stop() {
            let count = layer.nodes.len();
            let chunks = (0..count.div_ceil(CHUNK)).into_par_iter();
            let expanded = chunks.map(|chunk| match stop() {
                true => (Vec::new(), None),
                false => {
                    let nodes = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
                    self.expand((&layer, nodes), limit)
                }
            });
            let expanded: Vec<_> = expanded.collect();
            if stop() {
                break;
            }
            let arrival = expanded.iter().filter_map(|(_, arrival)| *arrival).min();
            if let Some((cost, _, step)) = arrival
                && let Some(plan) = self.way((&layer, &history), step)
            {
                (limit, ended.plan) = (cost, Some(plan));
            }
            let mut candidates: Vec<Candidate> =
                expanded.into_iter().flat_map(|(candidates, _)| candidates).collect();
            ended.nodes += candidates.len() as u64;
            let most = CHOICE * width;
            if candidates.len() > most {
                candidates.select_nth_unstable(most);
                candidates.truncate(most);
            }
            candidates.par_sort_unstable();
            let mut chosen: Vec<Candidate> = Vec::new();
            for (number, candidate) in candidates.into_iter().enumerate() {
                if chosen.len() == width || number % ASKED == 0 && stop() {
                    break;
                }
                if seen.insert(candidate.hash) {
                    chosen.push(candidate);
                }
            }
            layer = self.below(&layer, &chosen);
            history.push(chosen.iter().map(|candidate| candidate.step).collect());
            kept += (chosen.len() * (SEEN_BYTES + size_of::<Step>())) as u64;
        }
        ended
    }

    /// The plan over a successor in the ball, and the root that it solves.
    fn way(
        &self,
        (layer, history): (&Layer, &[Vec<Step>]),
        last: Step,
    ) -> Option<(usize, Vec<Op>)> {
        let places = self.contents.goal.len();
        let (root, mut ops) = path(history, last);
        let mut state = vec![0; places];
        let before = layer.state(last.parent as usize, places);
        self.contents.apply(before, last.op.index(), &mut state);
        ops.extend(self.ball.plan(&self.contents, &state)?);
        Some((root, ops))
    }
}
