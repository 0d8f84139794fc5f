//! Samples the types of children: [`ConditionalSampler`].

use super::{Children, ConditionalDistribution, node_type};
use crate::domain::{Contexts, Cost, Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::pruning::Pruning;
use crate::random::Random;
use std::collections::BTreeMap;

/// Number of random operators before a sample, if the pruning remembers more than the last one.
const WALK: usize = 16;

/// Samples pairs of parent and child, for a [`ConditionalDistribution`].
///
/// ```
/// use fewest_search::random::Random;
/// use fewest_search::testing::{GapHeuristic, Pancake};
/// use fewest_search::InversePruning;
/// use fewest_search::predict::ConditionalSampler;
///
/// let domain = Pancake::new(8);
/// let mut random = Random::new(1);
/// let states = std::iter::repeat_with(|| {
///     let mut pancakes = [0, 1, 2, 3, 4, 5, 6, 7];
///     random.shuffle(&mut pancakes);
///     domain.state(&pancakes)
/// });
/// let mut sampler = ConditionalSampler::new(&domain, &GapHeuristic, &InversePruning, 1);
/// sampler.add_starts(states.take(2000));
/// let predicted = sampler.finish().predict(0, 6);
/// assert!(predicted.generated > predicted.expanded);
/// ```
#[derive(Debug)]
pub struct ConditionalSampler<'a, D: Domain, H, P> {
    domain: &'a D,
    heuristic: &'a H,
    pruning: &'a P,
    random: Random,
    /// Whether the last operator determines the state of the pruning.
    short: bool,
    sampled: ConditionalDistribution,
}

/// A node of a sample.
struct SampleNode<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    state: D::State,
    carry: H::Carry,
    h: Cost,
    at: P::State,
}

impl<'a, D: Contexts, H: Heuristic<D>, P: Pruning<D>> ConditionalSampler<'a, D, H, P> {
    /// A sampler of these nodes: children that the pruning allows, with values of the heuristic.
    /// The seed is that of random walks. They are only made if the pruning remembers more than the
    /// last operator.
    pub fn new(domain: &'a D, heuristic: &'a H, pruning: &'a P, seed: u64) -> Self {
        let ops = || (0..domain.operators()).map(Op::new);
        let sampled = ConditionalDistribution {
            starts: BTreeMap::new(),
            types: BTreeMap::new(),
            merged: BTreeMap::new(),
            costs: ops().map(|op| domain.cost(op)).collect(),
        };
        let short = ops().all(|op| pruning.after(domain, op).is_some());
        Self { domain, heuristic, pruning, random: Random::new(seed), short, sampled }
    }

    /// Samples nodes below random start states. The states should be uniformly random (in each
    /// context), or all states.
    ///
    /// Time for each state: a value for each child, and for each child of a child.
    pub fn add_starts(&mut self, states: impl IntoIterator<Item = D::State>) {
        for state in states {
            let start = self.root(state);
            let context = self.domain.context(&start.state);
            let mut children = Children { nodes: 1, ..Children::default() };
            self.for_each_child(&start, |_, child, kind| {
                *children.counts.entry(kind).or_default() += 1;
                drop(child);
            });
            self.sampled.starts.entry((context, start.h)).or_default().add(&children);
            self.add_below(start);
        }
    }

    /// Samples nodes below states that are no random start states. Use it for states with small
    /// values, which are rare among random states. Among the states with the same value, they
    /// should be random.
    pub fn add(&mut self, states: impl IntoIterator<Item = D::State>) {
        for state in states {
            let root = self.root(state);
            self.add_below(root);
        }
    }

    /// The distribution of everything sampled so far.
    pub fn finish(self) -> ConditionalDistribution {
        let mut sampled = self.sampled;
        for (kind, children) in &sampled.types {
            sampled.merged.entry((kind.context, kind.op, kind.h)).or_default().add(children);
        }
        sampled
    }

    fn root(&self, state: D::State) -> SampleNode<D, H, P> {
        let mut carry = self.heuristic.root(self.domain, &state);
        let h = self.heuristic.bound(self.domain, &state, &mut carry, Cost::MAX).h;
        let at = self.pruning.start(self.domain, &state);
        SampleNode { state, carry, h, at }
    }

    fn allowed(&self, node: &SampleNode<D, H, P>) -> D::Ops {
        self.pruning.allowed(self.domain, node.at).and(self.domain.applicable(&node.state))
    }

    fn child(&self, node: &SampleNode<D, H, P>, op: Op) -> SampleNode<D, H, P> {
        let mut state = node.state.clone();
        self.domain.apply_into(&node.state, op, &mut state);
        let mut carry = self.heuristic.child(self.domain, &node.state, &node.carry, op, &state);
        let h = self.heuristic.bound(self.domain, &state, &mut carry, Cost::MAX).h;
        let at = self.pruning.next(self.domain, node.at, op);
        SampleNode { state, carry, h, at }
    }

    /// Calls `call` with every child and its type.
    fn for_each_child(
        &self,
        node: &SampleNode<D, H, P>,
        mut call: impl FnMut(&Self, SampleNode<D, H, P>, super::NodeType),
    ) {
        for op in self.allowed(node).members() {
            let child = self.child(node, op);
            let kind = node_type(self.domain, &child.state, op, [node.h, child.h]);
            call(self, child, kind);
        }
    }

    /// Samples the children of the children of a node, or of the end of a walk from it.
    fn add_below(&mut self, mut parent: SampleNode<D, H, P>) {
        for _ in 0..if self.short { 0 } else { WALK } {
            let allowed: Vec<Op> = self.allowed(&parent).members().collect();
            if allowed.is_empty() {
                break;
            }
            let op = allowed[self.random.index(allowed.len())];
            parent = self.child(&parent, op);
        }
        let mut types = std::mem::take(&mut self.sampled.types);
        self.for_each_child(&parent, |sampler, child, kind| {
            let children = types.entry(kind).or_default();
            children.nodes += 1;
            sampler.for_each_child(&child, |_, _, kind| {
                *children.counts.entry(kind).or_default() += 1;
            });
        });
        self.sampled.types = types;
    }
}
