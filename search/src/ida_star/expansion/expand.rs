//! The expansion of the nodes above the units: [`expand`].

use super::{Counts, Node, Problem};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, CarrySlice, Heuristic, LookupBatch, Slack};
use crate::pruning::Pruning;
use std::collections::VecDeque;

/// What the expansion of a node made.
pub(crate) struct Expanded<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    pub(crate) counts: Counts,
    /// For each child within the bound, in operator order: the operator, and whether the child is a
    /// goal.
    pub(crate) made: Vec<(Op, bool)>,
    /// The children that are no goals, in operator order.
    pub(crate) children: Vec<Node<D, H, P>>,
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

/// Expands nodes one by one, and asks for what the bounds of all children need together. So a child
/// is cut by the bound that [`Heuristic::bound`] returns, wherever its entries are.
pub(crate) fn expand<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
) -> VecDeque<Expanded<D, H, P>> {
    let Problem { domain, heuristic, .. } = space;
    let expanded = |_: &_| {
        let counts = Counts { expanded: 1, ..Counts::ZERO };
        Expanded { counts, made: Vec::new(), children: Vec::new() }
    };
    let mut expanded: VecDeque<_> = nodes.iter().map(expanded).collect();
    let mut all = make(space, nodes, &mut expanded);
    if const { H::EVALUATION.remote } {
        ask(space, nodes, &mut all);
    }
    let Children { parents, ops, at, states, carries, slack } = all;
    let children = parents.into_iter().zip(ops).zip(at).zip(states.into_iter().zip(carries));
    for ((((parent, op), at), (state, mut carry)), Slack { limit, .. }) in children.zip(slack) {
        let Expanded { counts, made, children } = &mut expanded[usize::from(parent)];
        let verdict = heuristic.bound(domain, &state, &mut carry, limit);
        let Some(goal) = space.judge(verdict.h, &state, limit, counts) else { continue };
        made.push((op, goal));
        if !goal {
            let excluded = verdict.excluded;
            children.push(Node { state, carry, at, excluded, remaining: limit });
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
    expanded: &mut VecDeque<Expanded<D, H, P>>,
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
