//! Expands several nodes above the units at once, for heuristics that are remote.

use super::{Counts, Node, Problem};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{ChildBatch, FilterStage, Heuristic, LookupBatch, Slack, Survivors};
use crate::pruning::Pruning;
use std::collections::VecDeque;

/// What [`Node::expand`] makes of one node.
pub(crate) struct Expanded<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    pub(crate) counts: Counts,
    pub(crate) made: Vec<(Op, bool)>,
    pub(crate) children: Vec<Node<D, H, P>>,
}

/// The children of several nodes, with a vector for each part of their data.
struct Made<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    parents: Vec<u16>,
    ops: Vec<Op>,
    at: Vec<P::State>,
    states: Vec<D::State>,
    carries: Vec<H::Carry>,
    slack: Vec<Slack>,
}

/// Does what [`Node::expand`] does, for several nodes. It reads all bounds in stages
/// ([`Heuristic::bound_batch`]).
///
/// # Panics
/// If the nodes may have more than 2^16 children.
pub(crate) fn expand_together<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
) -> VecDeque<Expanded<D, H, P>> {
    let most = nodes.len() * space.domain.operators();
    if most > usize::from(u16::MAX) && nodes.len() > 1 {
        let (first, second) = nodes.split_at(nodes.len() / 2);
        let mut expanded = expand_together(space, first);
        expanded.extend(expand_together(space, second));
        return expanded;
    }
    let expanded = |_: &_| {
        let counts = Counts { expanded: 1, ..Counts::ZERO };
        Expanded { counts, made: Vec::new(), children: Vec::new() }
    };
    let mut expanded: VecDeque<_> = nodes.iter().map(expanded).collect();
    let mut made = make(space, nodes, &mut expanded);
    let left = filter(space, nodes, &mut made, &mut expanded);
    let Made { parents, ops, at, states, carries, slack } = made;
    for child in left.into_iter().map(usize::from) {
        let (state, carry) = (states[child].clone(), carries[child].clone());
        let (at, excluded, remaining) = (at[child], D::Ops::NONE, slack[child].limit);
        let node = Node { state, carry, at, excluded, remaining };
        let Expanded { counts, made, children } = &mut expanded[usize::from(parents[child])];
        node.keep(space, ops[child], counts, made, children);
    }
    expanded
}

/// Makes the children whose cost is within the bound, those of each node in operator order.
fn make<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
    expanded: &mut VecDeque<Expanded<D, H, P>>,
) -> Made<D, H, P> {
    let (mut parents, mut ops, mut at) = (Vec::new(), Vec::new(), Vec::new());
    let (mut states, mut carries, mut slack) = (Vec::new(), Vec::new(), Vec::new());
    for ((number, node), own) in (0..).zip(nodes).zip(expanded) {
        for op in space.todo(&node.state, node.at, node.excluded, &mut own.counts).members() {
            let entered = space.enter(node.at, op, node.remaining, &mut own.counts);
            let Some((limit, next)) = entered else { continue };
            own.counts.generated += 1;
            parents.push(number);
            ops.push(op);
            at.push(next);
            states.push(node.state.clone());
            carries.push(node.carry.clone());
            slack.push(Slack { limit, proven: 0 });
        }
    }
    let node = |child: usize| &nodes[usize::from(parents[child])];
    space.domain.successors(|child| &node(child).state, &ops, &mut states);
    Made { parents, ops, at, states, carries, slack }
}

/// Reads the bounds in stages. Returns the numbers of the children that no stage cut.
fn filter<D: Domain, H: Heuristic<D>, P: Pruning<D>>(
    space: Problem<'_, D, H, P>,
    nodes: &[Node<D, H, P>],
    made: &mut Made<D, H, P>,
    expanded: &mut VecDeque<Expanded<D, H, P>>,
) -> Vec<u16> {
    let Problem { domain, heuristic, .. } = space;
    let Made { parents, ops, states, carries, slack, .. } = made;
    let mut batch = LookupBatch::new();
    let together = ChildBatch { parents, ops, states, carries, batch: &mut batch };
    let node = |child: usize| &nodes[usize::from(parents[child])];
    heuristic.child_batch(domain, |child| (&node(child).state, &node(child).carry), together);
    let mut left: Vec<u16> = (0..u16::MAX).take(ops.len()).collect();
    for stage in 0.. {
        let survivors = Survivors { left: &left, states, carries, slack, batch: &mut batch };
        match heuristic.bound_batch(domain, survivors, stage) {
            FilterStage::Lookups => {}
            FilterStage::Cuts => left.retain(|&child| {
                let Slack { limit, proven } = slack[usize::from(child)];
                if proven > limit {
                    let parent = usize::from(parents[usize::from(child)]);
                    expanded[parent].counts.cut_by_bound::<D, H>(proven, limit);
                }
                proven <= limit
            }),
            FilterStage::Done => break,
        }
        if left.is_empty() {
            break;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Cost;
    use crate::ida_star::expansion::tests::Filtered;
    use crate::testing::Pancake;
    use crate::{InversePruning, NoPruning};

    /// The nodes of some depths, expanded one by one and together.
    #[test]
    fn nodes_expanded_together_are_those_expanded_one_by_one() {
        let domain = Pancake::new(9);
        let start = domain.state(&[3, 1, 4, 0, 5, 8, 2, 6, 7]);
        check(
            Problem { domain: &domain, heuristic: &Filtered::<true>, pruning: &NoPruning, step: 1 },
            &start,
        );
        let pruning = &InversePruning;
        check(Problem { domain: &domain, heuristic: &Filtered::<true>, pruning, step: 1 }, &start);
    }

    fn check<P: Pruning<Pancake>>(space: Problem<'_, Pancake, Filtered<true>, P>, start: &u64) {
        let mut cut = 0;
        for bound in 0..12 {
            let mut nodes = vec![Node::root(space, start, bound)];
            for _ in 0..4 {
                let together = expand_together(space, &nodes);
                assert_eq!(together.len(), nodes.len());
                let mut next = Vec::new();
                for (node, one) in nodes.iter().zip(together) {
                    let (mut counts, mut made) = (Counts::ZERO, Vec::new());
                    let mut children = Vec::new();
                    node.expand(space, &mut counts, &mut made, &mut children);
                    assert_eq!(one.counts.generated, counts.generated);
                    assert_eq!(one.counts.expanded, counts.expanded);
                    assert_eq!(one.counts.least_cut(), counts.least_cut());
                    cut += usize::from(counts.least_cut().is_some());
                    assert_eq!(one.made, made);
                    let states = |nodes: &[Node<Pancake, Filtered<true>, P>]| -> Vec<(u64, Cost)> {
                        nodes.iter().map(|node| (node.state, node.remaining)).collect()
                    };
                    assert_eq!(states(&one.children), states(&children));
                    next.extend(children);
                }
                nodes = next;
            }
        }
        assert!(cut > 100, "{cut} nodes have children that are cut");
    }
}
