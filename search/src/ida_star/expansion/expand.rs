//! The expansion of the nodes above the units: [`expand`], and [`expand_some`] if the heuristic is
//! remote.

use super::{Counts, Node, Problem};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, CarrySlice, Heuristic, LookupBatch, Slack, Verdict};
use crate::pruning::Pruning;

/// What the expansion of a node made.
pub(crate) struct Expanded<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    pub(crate) counts: Counts,
    /// For each child within the bound, in operator order: the operator, and whether the child is a
    /// goal.
    pub(crate) made: Vec<(Op, bool)>,
    /// The children that are no goals, in operator order.
    pub(crate) children: Vec<Node<D, H, P>>,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Expanded<D, H, P> {
    /// An expanded node without children.
    pub(crate) fn new() -> Self {
        let counts = Counts { expanded: 1, ..Counts::ZERO };
        Self { counts, made: Vec::new(), children: Vec::new() }
    }

    /// Adds a child that is not cut.
    fn add(&mut self, op: Op, goal: bool, child: Node<D, H, P>) {
        self.made.push((op, goal));
        if !goal {
            self.children.push(child);
        }
    }
}

/// Expands a node. A child is cut by the bound that [`Heuristic::bound`] returns.
pub(crate) fn expand<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    node: &Node<D, H, P>,
) -> Expanded<D, H, P> {
    let mut expanded = Expanded::new();
    let counts = &mut expanded.counts;
    let mut todo = space.todo(&node.state, node.at, node.excluded, counts);
    while let Some(op) = todo.pop() {
        let counts = &mut expanded.counts;
        let Some(entered) = space.enter(node.at, op, node.remaining, counts) else { continue };
        counts.generated += 1;
        let (child, h) = space.child(node, op, entered);
        if let Some(goal) = space.judge(h, &child.state, child.remaining, counts) {
            expanded.add(op, goal, child);
        }
    }
    expanded
}

/// The children of several nodes, with a vector for each part of their data.
struct Children<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    parents: Vec<u16>,
    ops: Vec<Op>,
    at: Vec<P::State>,
    states: Vec<D::State>,
    carries: Vec<H::Carry>,
    slack: Vec<Slack>,
}

/// [`expand`] for several nodes one by one, that asks for what the bounds of all children need
/// together. So a child is cut by the same bound, wherever its entries are.
pub(crate) fn expand_some<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
) -> Vec<Expanded<D, H, P>> {
    let Problem { domain, heuristic, .. } = space;
    let mut expanded: Vec<_> = nodes.iter().map(|_| Expanded::new()).collect();
    let mut all = make(space, nodes, &mut expanded);
    ask(space, nodes, &mut all);
    let Children { parents, ops, at, states, carries, slack } = all;
    let children = parents.into_iter().zip(ops).zip(at).zip(states.into_iter().zip(carries));
    for ((((parent, op), at), (state, mut carry)), Slack { limit, .. }) in children.zip(slack) {
        let own = &mut expanded[usize::from(parent)];
        let Verdict { h, excluded } = heuristic.bound(domain, &state, &mut carry, limit);
        if let Some(goal) = space.judge(h, &state, limit, &mut own.counts) {
            own.add(op, goal, Node { state, carry, at, excluded, remaining: limit });
        }
    }
    expanded
}

/// Gets what the bounds of all children need.
fn ask<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
    all: &mut Children<D, H, P>,
) {
    let Children { parents, ops, states, carries, slack, .. } = all;
    let from = |child: usize| {
        let node = &nodes[usize::from(parents[child])];
        (&node.state, &node.carry)
    };
    let left: Vec<u16> = (0..).take(parents.len()).collect();
    let lookups = &mut LookupBatch::new();
    let carries = CarrySlice(from, &mut carries[..]);
    let (left, early) = (&left[..], false);
    let mut batch = Batch { left, parents, ops, states, slack, lookups, early, carries };
    for stage in 0..H::EVALUATION.asks() {
        space.heuristic.ask(space.domain, &mut batch, stage);
    }
}

/// Makes the children whose cost is within the bound, those of each node in operator order.
fn make<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
    expanded: &mut [Expanded<D, H, P>],
) -> Children<D, H, P> {
    let Problem { domain, heuristic, .. } = space;
    let (mut parents, mut ops, mut at) = (Vec::new(), Vec::new(), Vec::new());
    let (mut states, mut carries, mut slack) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (node, own)) in (0_u16..).zip(nodes.iter().zip(expanded)) {
        let counts = &mut own.counts;
        for op in space.todo(&node.state, node.at, node.excluded, counts).members() {
            let Some((limit, next)) = space.enter(node.at, op, node.remaining, counts) else {
                continue;
            };
            counts.generated += 1;
            let mut state = node.state.clone();
            domain.apply_into(&node.state, op, &mut state);
            carries.push(heuristic.child(domain, &node.state, &node.carry, op, &state));
            parents.push(number);
            ops.push(op);
            at.push(next);
            states.push(state);
            slack.push(Slack { limit, proven: 0 });
        }
    }
    Children { parents, ops, at, states, carries, slack }
}
