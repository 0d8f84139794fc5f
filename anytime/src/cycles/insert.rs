//! Cycles of three put into a word where they cost least: [`insert`].

use super::defects::apply;
use super::problem::{Cycles, Round};
use super::seam::Seams;
use super::table::Cycle;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use search::Op;
use std::collections::BinaryHeap;

/// A word is not joined with its neighbours if it would have to save more than so many cheapest
/// operators.
const MORE: u32 = 10;

/// A word, and where it takes the pieces.
#[derive(Clone, Debug)]
struct Node {
    word: Vec<Op>,
    images: Vec<u16>,
    /// For each orbit: the cycles of three that are needed.
    needed: Vec<u32>,
}

/// A cycle put into the word of a node. The order is that of the rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    rank: u32,
    node: usize,
    at: usize,
    orbit: usize,
    /// The number of the cycle among the useful ones of the orbit, and of the word.
    cycle: usize,
    word: usize,
}

/// The useful cycles of an orbit, with how many are needed after them.
type Useful = Vec<(Cycle, u32)>;

/// The cheapest word found that begins as `word` with cycles put in, and brings all pieces home.
/// `images` are the points where `word` takes the pieces. The nodes are the cycles that were tried
/// at a place.
pub(super) fn insert(
    cycles: &Cycles,
    word: Vec<Op>,
    images: Vec<u16>,
    width: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Round {
    let needed = cycles.places.orbits.iter().map(|orbit| cycles.defects(orbit, &images).count());
    let mut layer = vec![Node { word, needed: needed.collect(), images }];
    let mut generated = 0;
    let mut best: Option<(u32, Vec<Op>)> = None;
    loop {
        layer.retain(|node| {
            let cost = cycles.generators.cost_of(&node.word);
            let cheaper = best.as_ref().is_none_or(|&(least, _)| cost < least);
            let done = node.needed.iter().all(|&count| count == 0);
            if done && cheaper {
                best = Some((cost, node.word.clone()));
            }
            !done && cheaper
        });
        if layer.is_empty() || stop() {
            break;
        }
        let useful = useful(cycles, &layer, stop);
        let found: Vec<(Vec<Child>, u64)> = (0..layer.len())
            .into_par_iter()
            .map(|number| children(cycles, (number, &layer[number]), &useful, width, stop))
            .collect();
        generated += found.iter().map(|(_, generated)| generated).sum::<u64>();
        let mut all: Vec<Child> = found.into_iter().flat_map(|(children, _)| children).collect();
        all.sort_unstable();
        let (mut next, mut seen) = (Vec::new(), FxHashSet::default());
        let mut same: FxHashMap<Vec<u16>, usize> = FxHashMap::default();
        for child in all {
            if next.len() >= width || stop() {
                break;
            }
            let made = make(cycles, &layer[child.node], &child, &useful);
            let count = same.entry(made.images.clone()).or_insert(0);
            if *count < width.div_ceil(8) && seen.insert((made.word.clone(), made.images.clone())) {
                *count += 1;
                next.push(made);
            }
        }
        layer = next;
    }
    Round { plan: best.map(|(_, word)| word), nodes: generated, is_cut: false }
}

/// What identifies the contents of an orbit.
fn key(cycles: &Cycles, orbit: usize, images: &[u16]) -> (usize, Vec<u16>) {
    (orbit, cycles.places.orbits[orbit].places.iter().map(|&piece| images[piece]).collect())
}

fn useful(
    cycles: &Cycles,
    layer: &[Node],
    stop: &(dyn Fn() -> bool + Sync),
) -> FxHashMap<(usize, Vec<u16>), Useful> {
    let mut wanted = FxHashMap::default();
    for node in layer {
        for (orbit, _) in node.needed.iter().enumerate().filter(|&(_, &needed)| needed > 0) {
            wanted.insert(key(cycles, orbit, &node.images), &node.images);
        }
    }
    let found = wanted.into_par_iter().map(|(key, images)| {
        let useful = cycles.defects(&cycles.places.orbits[key.0], images).useful(stop);
        (key, useful)
    });
    found.collect()
}

/// The children of least rank.
struct Best {
    heap: BinaryHeap<Child>,
    most: usize,
}

impl Best {
    /// The rank that a child must be below.
    fn worst(&self) -> u32 {
        let full = self.heap.len() >= self.most;
        self.heap.peek().filter(|_| full).map_or(u32::MAX, |child| child.rank)
    }

    fn take(&mut self, child: Child) {
        if self.heap.len() >= self.most {
            self.heap.pop();
        }
        self.heap.push(child);
    }
}

/// The best children of a node, and how many there were. None if `stop` is true.
fn children(
    cycles: &Cycles,
    (number, node): (usize, &Node),
    useful: &FxHashMap<(usize, Vec<u16>), Useful>,
    width: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Vec<Child>, u64) {
    let mut best = Best { heap: BinaryHeap::new(), most: width / 2 + 4 };
    let mut generated = 0;
    let seams = Seams::new(&cycles.generators, &node.word);
    let mut backs: Vec<_> = cycles.backs(&node.word).collect();
    backs.reverse();
    let ahead: u32 = node.needed.iter().zip(&cycles.ahead).map(|(count, cost)| count * cost).sum();
    let rank = cycles.generators.cost_of(&node.word) + ahead;
    let more = MORE * cycles.generators.least_cost();
    for (orbit, &needed) in node.needed.iter().enumerate().filter(|&(_, &needed)| needed > 0) {
        let all = &useful[&key(cycles, orbit, &node.images)];
        for (which, (cycle, after)) in all.iter().enumerate() {
            if stop() {
                return (Vec::new(), generated);
            }
            let rank = rank - (needed - after) * cycles.ahead[orbit];
            for (at, back) in backs.iter().enumerate() {
                let moved = cycle.mapped(&cycles.places, |point| back[usize::from(point)]);
                let words = cycles.table.words(&cycles.places, &moved);
                generated += 1;
                for (index, word) in words.iter().enumerate() {
                    // Only where an end is joined may more be saved.
                    let ends = seams.ends(at, &word.word);
                    let worst = best.worst();
                    let saved = match ends > 0 && rank + word.cost < worst.saturating_add(more) {
                        true => seams.saving(at, &word.word),
                        false => 0,
                    };
                    let rank = rank + word.cost - saved.min(word.cost);
                    if rank < worst {
                        best.take(Child {
                            rank,
                            node: number,
                            at,
                            orbit,
                            cycle: which,
                            word: index,
                        });
                    }
                }
            }
        }
    }
    (best.heap.into_vec(), generated)
}

/// The node of a child.
fn make(
    cycles: &Cycles,
    node: &Node,
    child: &Child,
    useful: &FxHashMap<(usize, Vec<u16>), Useful>,
) -> Node {
    let (cycle, after) = useful[&key(cycles, child.orbit, &node.images)][child.cycle];
    let back = cycles.backs(&node.word).nth(node.word.len() - child.at);
    let back = |point: u16| back.as_ref().map_or(point, |back| back[usize::from(point)]);
    let moved = cycle.mapped(&cycles.places, back);
    let word = &cycles.table.words(&cycles.places, &moved)[child.word];
    let word = Seams::put(&cycles.generators, &node.word, child.at, &word.word);
    let mut needed = node.needed.clone();
    needed[child.orbit] = after;
    let image = |&point: &u16| apply(&cycles.places, &cycle, point);
    Node { word, images: node.images.iter().map(image).collect(), needed }
}
