//! A beam over single operators that mends gaps between neighbours: [`GapBeam`].

#[cfg(test)]
mod tests;

use crate::cycles::Round;
use crate::hash::hash_of;
use crate::steps::{Step, path};
use crate::{Generators, Pieces};
use groups::{Adjacency, NeighbourChange, Permutation, PlacePair};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::Op;

/// The widths of the rounds, as far as memory allows them.
const WIDTHS: [usize; 8] = [30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

/// The successors that are looked at for each node of the next layer.
const CHOICE: usize = 2;

/// Where operators that join neighbours lead to fewer successors than a layer holds: for each node
/// of the next layer, so many other successors of the best nodes.
const WHOLE: usize = 8;

/// The most layers of a beam, for each unit of the start's bound and [`MORE`] more.
const LAYERS: usize = 8;

/// Added to the start's bound, which may be 0.
const MORE: usize = 8;

/// The most operators that count as mending: with more, a state is no better.
const MOST_MENDS: usize = 2;

/// The weight of a gap, of an operator that mends one, and of a free piece.
const WEIGHTS: [i64; 3] = [64, 8, 2];

/// Beams of states by their gaps. See [`Adjacency`].
///
/// Of states with the same gaps, those come first that some operator mends, and in which many
/// pieces are *free*: at none of their neighbours. For a free piece may be joined from any side.
#[derive(Clone, Debug)]
pub(crate) struct GapBeam {
    adjacency: Adjacency,
    /// For each operator: how places change.
    moves: Vec<Move>,
    /// The pairs that become neighbours by an operator, by the operator.
    gained: Vec<(Op, PlacePair)>,
    inverse: Vec<Op>,
}

#[derive(Clone, Debug)]
struct Move {
    cost: u32,
    /// For each place: where its piece goes.
    images: Vec<u16>,
    /// For each place: where its next piece comes from.
    origins: Vec<u16>,
}

/// The piece at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    piece: u16,
    /// How many of its neighbours lie at neighbouring places.
    joined: u16,
}

/// A state of a layer.
#[derive(Clone, Debug)]
struct Node {
    places: Vec<Place>,
    cost: u32,
    gaps: u32,
    /// The number of pieces that are not joined.
    free: i64,
    /// How it came from its parent in the layer before.
    step: Step,
}

/// A successor that may become a node: its rank before it is made.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    rank: i64,
    gaps: u32,
    step: Step,
}

impl GapBeam {
    /// The beams for these operators. `None` if gaps say nothing, or pieces look alike.
    pub(crate) fn new(
        generators: &Generators,
        pieces: &Pieces,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        if !pieces.are_distinct() {
            return None;
        }
        let ops = || (0..generators.len()).map(Op::new);
        let elements = ops().map(|op| &generators.elements()[op.index()]);
        let costs = ops().map(|op| generators.cost(op));
        let labelled: Vec<(Permutation, u8)> = elements.cloned().zip(costs).collect();
        let adjacency = Adjacency::find(generators.points(), &labelled, stop)?;
        let moved = |(element, cost): &(Permutation, u8)| {
            let with_end = |element: &Permutation| {
                let points = element.images().iter().copied();
                points.chain([adjacency.end()]).collect()
            };
            let (images, origins) = (with_end(element), with_end(&element.inverse()));
            Move { cost: u32::from(*cost), images, origins }
        };
        let moves = labelled.iter().map(moved).collect();
        let gained_by =
            |op: Op| adjacency.change(op.index()).gained.iter().map(move |&pair| (op, pair));
        let gained = ops().flat_map(gained_by).collect();
        let inverse = ops().map(|op| generators.inverse(op)).collect();
        Some(Self { moves, gained, inverse, adjacency })
    }

    /// The bytes of a node, with its successors and the nodes from which it came.
    fn bytes_of_node(&self) -> u64 {
        let places = usize::from(self.adjacency.end()) + 1;
        let node = size_of::<Node>() + places * size_of::<Place>();
        let candidates = self.moves.len() * size_of::<Candidate>();
        // A node came in one of at most so many layers.
        let layers = LAYERS * (places + MORE);
        let history = layers * (size_of::<Step>() + 2 * size_of::<u64>());
        ((1 + CHOICE) * node + candidates + history) as u64
    }

    /// A lower bound on the cost of plans for a state.
    pub(crate) fn bound(&self, element: &Permutation) -> u32 {
        let root = self.root(element);
        self.adjacency.bound(root.gaps)
    }

    /// The best plan that costs less than `least` of two beams of a round's width: for a state, and
    /// for its inverse. `None` if there is no such round in so many bytes.
    ///
    /// The same for any number of threads, unless `stop` is true, which is asked before each node.
    pub(crate) fn search(
        &self,
        element: &Permutation,
        (round, bytes): (u32, u64),
        least: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        let width = *WIDTHS.get(round as usize)?;
        if round > 0 && self.bytes_of_node().saturating_mul(width as u64) > bytes {
            return None;
        }
        let (mut best, mut nodes) = (Round::default(), 0);
        let mut limit = least.saturating_sub(1);
        for (element, is_back) in [(element.clone(), false), (element.inverse(), true)] {
            let (word, made) = self.beam(&self.root(&element), width, limit, stop);
            nodes += made;
            if let Some(word) = word {
                let cost: u32 = word.iter().map(|op| self.moves[op.index()].cost).sum();
                limit = cost.saturating_sub(1);
                let undone = || word.iter().rev().map(|op| self.inverse[op.index()]).collect();
                best.plan = Some(if is_back { undone() } else { word });
            }
        }
        Some(Round { nodes, ..best })
    }

    /// The state that an element takes the goal to.
    fn root(&self, element: &Permutation) -> Node {
        let mut at = element.inverse().images().to_vec();
        at.push(self.adjacency.end());
        let mut places: Vec<Place> = at.iter().map(|&piece| Place { piece, joined: 0 }).collect();
        let mut gaps = 0;
        for pair in self.adjacency.pairs() {
            let pair = pair.map(usize::from);
            if self.adjacency.are_near(pair.map(|place| places[place].piece)) {
                pair.iter().for_each(|&place| places[place].joined += 1);
            } else {
                gaps += 1;
            }
        }
        let step = Step { parent: 0, op: Op(0) };
        let mut node = Node { places, cost: 0, gaps, free: 0, step };
        node.count_free();
        node
    }

    /// Runs one beam. Its plan costs at most `limit`. Returns the states that were made, too.
    fn beam(
        &self,
        root: &Node,
        width: usize,
        limit: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Option<Vec<Op>>, u64) {
        let mut layer = vec![root.clone()];
        let mut seen = FxHashSet::from_iter([hash_of(&root.places)]);
        let (mut history, mut made): (Vec<Vec<Step>>, u64) = (Vec::new(), 0);
        let layers = LAYERS * (self.adjacency.bound(root.gaps) as usize + MORE);
        while history.len() < layers && !layer.is_empty() {
            let mut candidates = self.candidates(&layer, (0, limit), stop);
            if candidates.len() < width {
                let whole = WHOLE * width / self.moves.len();
                candidates = self.candidates(&layer, (whole + 1, limit), stop);
            }
            let most = CHOICE * width;
            if candidates.len() > most {
                let key = |candidate: &Candidate| (candidate.rank, candidate.step);
                candidates.select_nth_unstable_by_key(most, key);
                candidates.truncate(most);
            }
            made += candidates.len() as u64;
            let children = candidates.par_iter().with_min_len(16).map(|candidate| {
                let node = self.child(&layer[candidate.step.parent as usize], candidate);
                (!stop()).then(|| (self.rank(&node), hash_of(&node.places), node))
            });
            let children: Option<Vec<(i64, u64, Node)>> = children.collect();
            let Some(mut children) = children.filter(|_| !stop()) else { break };
            children.par_sort_unstable_by_key(|(rank, hash, node)| (*rank, *hash, node.step));
            if let Some((_, _, goal)) = children.iter().find(|(_, _, node)| node.is_solved()) {
                return (Some(path(&history, goal.step).1), made);
            }
            children.retain(|&(_, hash, _)| seen.insert(hash));
            children.truncate(width);
            layer = children.into_iter().map(|(_, _, node)| node).collect();
            history.push(layer.iter().map(|node| node.step).collect());
        }
        (None, made)
    }

    /// The successors of a layer through which a plan may cost at most `limit`: of the first
    /// `whole` nodes all, of the others those by operators that join neighbours. None if `stop` is
    /// true.
    fn candidates(
        &self,
        layer: &[Node],
        (whole, limit): (usize, u32),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Candidate> {
        let nodes = layer.par_iter().enumerate().with_min_len(16);
        let candidates = nodes.flat_map_iter(|(parent, node)| {
            let parent = u32::try_from(parent).unwrap_or(u32::MAX);
            let candidate = |op: Op| {
                let cost = node.cost + self.moves[op.index()].cost;
                let (gaps, free) = self.after(node, op.index());
                let rank = self.weigh((cost, gaps), 0, free);
                let step = Step { parent, op };
                let bound = cost.saturating_add(self.adjacency.bound(gaps));
                (bound <= limit).then_some(Candidate { rank, gaps, step })
            };
            let mut candidates: Vec<Candidate> = Vec::new();
            match (stop(), (parent as usize) < whole) {
                (true, _) => {}
                (_, true) => {
                    let ops = (0..self.moves.len()).map(Op::new);
                    candidates.extend(ops.filter_map(candidate));
                }
                _ => candidates.extend(self.joining(node).filter_map(candidate)),
            }
            candidates
        });
        candidates.collect()
    }

    /// The operators that join two neighbours at least.
    fn joining<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = Op> + 'a {
        let mut last = None;
        self.gained.iter().filter_map(move |&(op, pair)| {
            let joins = self.adjacency.are_near(pair.map(|place| node.at(place).piece));
            (joins && last.replace(op) != Some(op)).then_some(op)
        })
    }

    /// The gaps after an operator, and about how many pieces are free then.
    fn after(&self, node: &Node, op: usize) -> (u32, i64) {
        let NeighbourChange { lost, gained } = self.adjacency.change(op);
        let (mut gaps, mut free) = (node.gaps, node.free);
        for places in lost.iter().map(|pair| pair.map(|place| node.at(place))) {
            if self.adjacency.are_near(places.map(|place| place.piece)) {
                gaps += 1;
                free += places.iter().filter(|place| place.joined == 1).count() as i64;
            }
        }
        for places in gained.iter().map(|pair| pair.map(|place| node.at(place))) {
            if self.adjacency.are_near(places.map(|place| place.piece)) {
                gaps -= 1;
                free -= places.iter().filter(|place| place.joined == 0).count() as i64;
            }
        }
        (gaps, free)
    }

    /// Ranks states: the least come first.
    fn weigh(&self, (cost, gaps): (u32, u32), mends: usize, free: i64) -> i64 {
        let scaled = i64::try_from(self.adjacency.scaled(cost, gaps)).unwrap_or(i64::MAX >> 8);
        let [gap, mend, single] = WEIGHTS;
        scaled * gap - i64::try_from(mends).unwrap_or(0) * mend - free * single
    }

    fn rank(&self, node: &Node) -> i64 {
        let at = |place| node.at(place).piece;
        let mends = |op: &Op| self.adjacency.gaps_after(node.gaps, op.index(), at) < node.gaps;
        let mends = self.joining(node).filter(mends).take(MOST_MENDS).count();
        self.weigh((node.cost, node.gaps), mends, node.free)
    }

    fn child(&self, from: &Node, candidate: &Candidate) -> Node {
        let op = candidate.step.op.index();
        let moved = &self.moves[op];
        let mut places: Vec<Place> = moved.origins.iter().map(|&origin| from.at(origin)).collect();
        let NeighbourChange { lost, gained } = self.adjacency.change(op);
        for (pairs, joins) in [(gained, true), (lost, false)] {
            for pair in pairs {
                if self.adjacency.are_near(pair.map(|place| from.at(place).piece)) {
                    for place in pair.map(|place| usize::from(moved.images[usize::from(place)])) {
                        let joined = &mut places[place].joined;
                        *joined = if joins { *joined + 1 } else { *joined - 1 };
                    }
                }
            }
        }
        let (cost, gaps, step) = (from.cost + moved.cost, candidate.gaps, candidate.step);
        let mut node = Node { places, cost, gaps, free: 0, step };
        node.count_free();
        node
    }
}

impl Node {
    fn at(&self, place: u16) -> Place {
        self.places[usize::from(place)]
    }

    fn count_free(&mut self) {
        self.free = self.places.iter().map(|place| i64::from(place.joined == 0)).sum();
    }

    fn is_solved(&self) -> bool {
        self.gaps == 0 && (0..).zip(&self.places).all(|(at, place)| place.piece == at)
    }
}
