//! Plans from two breadth-first searches that meet: [`Meet`].

mod packing;
#[cfg(test)]
mod tests;

use crate::contents::Contents;
use crate::cycles::Round;
use crate::{Generators, Pieces};
use packing::Packing;
use rayon::prelude::*;
use search::Op;
use std::thread::Builder;

/// The bytes of a packed state.
const BYTES: u64 = size_of::<u128>() as u64;

/// The states of a layer that are compared with others between two questions whether to stop.
const CHUNK: usize = 1 << 12;

/// The successors that are sorted, or the states that are copied, between two such questions.
const MADE: usize = 1 << 16;

/// The most bytes that the contents may take, beside the layers.
const CONTENTS: u64 = 1 << 22;

/// So many successors count as one node, for they take less time than nodes of other techniques.
const STATES_OF_NODE: u64 = 16;

/// Both searches together store about this many times the root of the number of states. They meet
/// when the product of the sizes of their last layers is about that number.
const STORED: f64 = 4.0;

/// Plans of the least cost from two breadth-first searches, one from the state, one from the goal.
///
/// A layer has the states that need so many operators. Both searches keep all of theirs, packed
/// into 16 bytes, without hashes: a first meeting is a proof. All operators cost the same.
///
/// Ira Pohl, "Bi-directional search", Machine Intelligence 6 (1971): where a search takes all `S`
/// states, two that meet take about the root of `S`.
#[derive(Clone, Debug)]
pub(crate) struct Meet {
    packing: Packing,
    contents: Contents,
    inverses: Vec<Op>,
    /// The cost of each operator.
    cost: u32,
    /// The root of the number of states.
    root: f64,
}

/// The states that one search has reached: each layer in order.
#[derive(Debug, Default)]
struct Side {
    layers: Vec<Vec<u128>>,
}

impl Side {
    fn last(&self) -> &[u128] {
        self.layers.last().map_or(&[], Vec::as_slice)
    }

    fn stored(&self) -> u64 {
        self.layers.iter().map(|layer| layer.len() as u64).sum()
    }

    /// The states of `part` that are new. `part` has successors of the last layer, in order. A
    /// successor that was reached before lies in the last two layers, for each operator is undone
    /// by another.
    fn new_of(&self, part: &[u128]) -> Vec<u128> {
        let mut part = part.to_vec();
        for old in self.layers.iter().rev().take(2) {
            let mut old = from(old, part.first()).iter().peekable();
            part.retain(|state| {
                while old.next_if(|old| *old < state).is_some() {}
                old.peek() != Some(&state)
            });
        }
        part
    }
}

/// The states of a layer from `first` on.
fn from<'l>(layer: &'l [u128], first: Option<&u128>) -> &'l [u128] {
    &layer[first.map_or(0, |first| layer.partition_point(|state| state < first))..]
}

/// The first state that two layers share. `None` if `stop` is true before it is found.
fn common(one: &[u128], other: &[u128], stop: &(dyn Fn() -> bool + Sync)) -> Option<u128> {
    let shared = |part: &[u128]| {
        let mut other = from(other, part.first()).iter().peekable();
        let mut part = if stop() { &[] } else { part }.iter().copied();
        part.find(|state| {
            while other.next_if(|other| *other < state).is_some() {}
            other.peek() == Some(&state)
        })
    };
    one.par_chunks(CHUNK).find_map_first(shared)
}

/// All states of two layers in order, each once. Stops early if `stop` is true.
fn merged(mut one: &[u128], mut other: &[u128], stop: &(dyn Fn() -> bool + Sync)) -> Vec<u128> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    while let ([a, behind_a @ ..], [b, behind_b @ ..]) = (one, other) {
        all.push(*a.min(b));
        (one, other) = (if a <= b { behind_a } else { one }, if b <= a { behind_b } else { other });
        if all.len().is_multiple_of(CHUNK) && stop() {
            return all;
        }
    }
    append(&mut all, one.chunks(MADE).chain(other.chunks(MADE)), stop);
    all
}

/// Appends parts. Stops early if `stop` is true.
fn append<'p>(
    all: &mut Vec<u128>,
    parts: impl Iterator<Item = &'p [u128]>,
    stop: &(dyn Fn() -> bool + Sync),
) {
    for part in parts {
        if stop() {
            return;
        }
        all.extend_from_slice(part);
    }
}

/// Frees memory on a thread of its own: a GB takes some 80 ms, and a search that is stopped has to
/// answer in less. Where there are no threads, it is freed at once.
fn free(memory: impl Send + 'static) {
    let _ = Builder::new().name("freed memory".to_owned()).spawn(move || drop(memory));
}

/// Two searches for the plan of one state, as far as they went.
#[derive(Debug)]
pub(crate) struct Meeting<'a> {
    meet: &'a Meet,
    /// From the start, and from the goal.
    sides: [Side; 2],
    /// A state that both have reached, the first where they met.
    met: Option<u128>,
    bytes: u64,
}

impl Meet {
    /// The searches of a puzzle of so many states, given as a logarithm.
    ///
    /// `None` if a state takes more than 16 bytes, or operators cost different amounts. Also if
    /// pieces that look alike may be turned by different steps.
    pub(crate) fn new(generators: &Generators, pieces: &Pieces, elements: f64) -> Option<Self> {
        let cost = generators.least_cost();
        let ops = || (0..generators.len()).map(Op::new);
        if cost == 0 || ops().any(|op| u32::from(generators.cost(op)) != cost) {
            return None;
        }
        let contents = Contents::new(generators, pieces, CONTENTS)?;
        let root = (elements.min(contents.log_arrangements()) / 2.0).exp();
        let packing = Packing::new(&contents)?;
        let inverses = ops().map(|op| generators.inverse(op)).collect();
        Some(Self { packing, contents, inverses, cost, root })
    }

    /// About the nodes until two searches meet.
    #[expect(clippy::cast_possible_truncation, reason = "more nodes than fit are the most")]
    pub(crate) fn nodes(&self) -> u64 {
        (self.root * STORED * self.inverses.len() as f64) as u64 / STATES_OF_NODE
    }

    /// The searches for a state, whose pieces lie at these points. `None` if they are expected to
    /// take more bytes.
    pub(crate) fn start(&self, images: &[u16], bytes: u64) -> Option<Meeting<'_>> {
        if self.root * STORED * BYTES as f64 > bytes as f64 {
            return None;
        }
        let start = self.packing.pack(&self.contents.of(images));
        let goal = self.packing.pack(&self.contents.goal);
        let sides = [start, goal].map(|state| Side { layers: vec![vec![state]] });
        let met = (start == goal).then_some(goal);
        Some(Meeting { meet: self, sides, met, bytes })
    }
}

impl Drop for Meeting<'_> {
    fn drop(&mut self) {
        free(std::mem::take(&mut self.sides));
    }
}

impl Meeting<'_> {
    /// The proven lower bound on the cost of a plan.
    pub(crate) fn bound(&self) -> u32 {
        let layers = self.sides.iter().map(|side| side.layers.len() - 1).sum::<usize>();
        let least = if self.met.is_some() { layers } else { layers + 1 };
        u32::try_from(least).map_or(u32::MAX, |least| least.saturating_mul(self.meet.cost))
    }

    /// Makes one layer more, of the search with the smaller last one. Then the plan is known if the
    /// searches meet. `None` if they take too many bytes, have no more states, or `stop` is true.
    ///
    /// The same for any number of threads.
    pub(crate) fn grow(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Option<Round> {
        if let Some(state) = self.met {
            return Some(Round { plan: Some(self.plan(state)), ..Round::default() });
        }
        let [start, goal] = &self.sides;
        let smaller = usize::from(goal.last().len() < start.last().len());
        let (layer, nodes) = self.successors(smaller, stop)?;
        let met = common(&layer, self.sides[1 - smaller].last(), stop);
        if stop() {
            free(layer);
            return None;
        }
        self.sides[smaller].layers.push(layer);
        self.met = met;
        let plan = self.met.map(|state| self.plan(state));
        Some(Round { plan, nodes, is_cut: false })
    }

    /// The next layer of a side, and its nodes.
    fn successors(
        &self,
        side: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Vec<u128>, u64)> {
        let side = &self.sides[side];
        let stored: u64 = self.sides.iter().map(Side::stored).sum();
        let left = self.bytes.saturating_sub(stored * BYTES) / BYTES;
        let ops = self.meet.inverses.len();
        // A part is so small that its successors and what is merged of them fit beside the layer.
        let most = usize::try_from(left / 8 / ops as u64).ok()?;
        if most == 0 {
            return None;
        }
        let mut layer: Vec<u128> = Vec::new();
        for part in side.last().chunks(most) {
            let made = self.made(part, stop);
            let new = made.par_chunks(CHUNK).map(|part| match stop() {
                true => Vec::new(),
                false => side.new_of(part),
            });
            let new: Vec<Vec<u128>> = new.collect();
            if stop() {
                free((layer, made, new));
                return None;
            }
            drop(made);
            let mut own = Vec::with_capacity(new.iter().map(Vec::len).sum());
            append(&mut own, new.iter().map(Vec::as_slice), stop);
            drop(new);
            if stop() || (layer.len() + own.len()) as u64 > left / 3 {
                return None;
            }
            layer = if layer.is_empty() { own } else { merged(&layer, &own, stop) };
        }
        if stop() {
            return None;
        }
        let nodes = ((side.last().len() * ops) as u64).div_ceil(STATES_OF_NODE);
        (!layer.is_empty()).then_some((layer, nodes))
    }

    /// The successors of a part of a layer in order, each once. Fewer if `stop` is true.
    fn made(&self, part: &[u128], stop: &(dyn Fn() -> bool + Sync)) -> Vec<u128> {
        let (packing, ops) = (&self.meet.packing, self.meet.inverses.len());
        let runs = part.par_chunks((MADE / ops).max(1)).map(|states| {
            let states = if stop() { &[] } else { states };
            let after = |&state: &u128| (0..ops).map(move |op| packing.apply(state, op));
            let mut run: Vec<u128> = states.iter().flat_map(after).collect();
            run.sort_unstable();
            run.dedup();
            run
        });
        let mut runs: Vec<Vec<u128>> = runs.collect();
        while runs.len() > 1 {
            let merge = |mut pair: Vec<Vec<u128>>| match &mut pair[..] {
                [one, other] => merged(one, other, stop),
                rest => rest.first_mut().map(std::mem::take).unwrap_or_default(),
            };
            runs = runs.into_par_iter().chunks(2).map(merge).collect();
        }
        runs.pop().unwrap_or_default()
    }

    /// The plan through a state that both searches have reached.
    fn plan(&self, state: u128) -> Vec<Op> {
        let [mut front, back] = [0, 1].map(|side| self.way_back(side, state));
        front.reverse();
        let front = front.into_iter().map(|op| self.meet.inverses[op.index()]);
        front.chain(back).collect()
    }

    /// The operators from a state of the last layer of a side to its first.
    fn way_back(&self, side: usize, mut state: u128) -> Vec<Op> {
        let mut way = Vec::new();
        for layer in self.sides[side].layers.iter().rev().skip(1) {
            let after = |op: &Op| self.meet.packing.apply(state, op.index());
            let mut ops = (0..self.meet.inverses.len()).map(Op::new);
            let op = ops.find(|op| layer.binary_search(&after(op)).is_ok());
            let Some(op) = op else { break };
            state = after(&op);
            way.push(op);
        }
        way
    }
}
