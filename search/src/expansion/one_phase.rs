//! The one-phase expansion: make a child, read its bound, go down, by recursion.
//!
//! Recursion keeps states and carried values in registers and on the processor's own stack; an explicit stack costs a third more where
//! no latency is to be hidden. When the search stops, each level leaves its operator in the trail on its way out, so
//! the path is written once a stop and not once a node; going on walks the trail down again.

use super::{Counts, Machine, Node, Pause, Space};
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use crate::operators::{Cost, Op, OpSet};
use crate::pruning::Pruning;

/// See the module.
pub(crate) struct OnePhase<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    space: Space<'a, D, H, P>,
    root: Option<Node<D, H, P>>,
    counts: Counts,
    /// Stop before the next expansion once so many nodes are expanded.
    expanded_limit: u64,
    /// Where the search stopped: operators from the loaded node, the last one first.
    trail: Vec<Op>,
    pause: Pause,
}

impl<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> Machine<'a, D, H, P> for OnePhase<'a, D, H, P> {
    fn new(space: Space<'a, D, H, P>) -> Self {
        Self {
            space,
            root: None,
            counts: Counts::ZERO,
            expanded_limit: 0,
            trail: Vec::with_capacity(64),
            pause: Pause::Exhausted,
        }
    }

    fn load(&mut self, node: Node<D, H, P>) {
        self.root = Some(node);
        self.counts = Counts::ZERO;
        self.trail.clear();
        // As if the fuel had run out at the loaded node itself.
        self.pause = Pause::Fuel;
    }

    fn run(&mut self, fuel: u64) -> Pause {
        let Some(root) = self.root.take() else { return Pause::Exhausted };
        self.expanded_limit = self.counts.expanded.saturating_add(fuel);
        let into_last = self.pause == Pause::Fuel;
        let mut trail = std::mem::take(&mut self.trail);
        let stopped = self.resume(&root, &mut trail, into_last);
        // `resume` used the trail up; whatever was left at this stop is in `self.trail`.
        if stopped {
            self.root = Some(root);
        } else {
            self.pause = Pause::Exhausted;
        }
        self.pause
    }

    fn path(&self) -> Vec<Op> {
        self.trail.iter().rev().copied().collect()
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> OnePhase<'_, D, H, P> {
    /// Walks down the trail without counting, searches on at its end and then, level by level, behind it.
    /// `into_last`: the last node of the trail is still to be expanded; otherwise it was a goal.
    fn resume(&mut self, node: &Node<D, H, P>, trail: &mut Vec<Op>, into_last: bool) -> bool {
        let Some(op) = trail.pop() else {
            return self.descend(&node.state, &node.carry, node.excluded, node.at, node.remaining);
        };
        if into_last || !trail.is_empty() {
            let child = self.child(node, op);
            if self.resume(&child, trail, into_last) {
                self.trail.push(op);
                return true;
            }
        }
        let mut ignored = Counts::ZERO;
        let todo = self.space.todo(&node.state, node.at, node.excluded, &mut ignored);
        let behind = todo.minus(D::Ops::first(op.index() + 1));
        self.expand(&node.state, &node.carry, behind, node.at, node.remaining)
    }

    /// The child of a node by an operator that was let through before.
    fn child(&self, node: &Node<D, H, P>, op: Op) -> Node<D, H, P> {
        let Space { domain, heuristic, pruning, .. } = self.space;
        let remaining = node.remaining - domain.cost(op);
        let mut state = node.state.clone();
        domain.apply_into(&node.state, op, &mut state);
        let mut carry = heuristic.child(domain, &node.state, &node.carry, op, &state);
        let verdict = heuristic.bound(domain, &state, &mut carry, remaining);
        let Some(at) = pruning.next(node.at, op, remaining) else {
            unreachable!("the pruning let this operator through before")
        };
        Node { state, carry, at, excluded: verdict.excluded, remaining }
    }

    /// Expands a node. True: stopped, `self.pause` says why and the trail where.
    #[inline]
    fn descend(
        &mut self,
        state: &D::State,
        carry: &H::Carry,
        excluded: D::Ops,
        at: P::State,
        remaining: Cost,
    ) -> bool {
        if self.counts.expanded >= self.expanded_limit {
            self.pause = Pause::Fuel;
            return true;
        }
        self.counts.expanded += 1;
        let todo = self.space.todo(state, at, excluded, &mut self.counts);
        self.expand(state, carry, todo, at, remaining)
    }

    /// The hot loop: takes up the children of a node in operator order. True: stopped.
    fn expand(
        &mut self,
        state: &D::State,
        carry: &H::Carry,
        mut todo: D::Ops,
        at: P::State,
        remaining: Cost,
    ) -> bool {
        let Space { domain, heuristic, pruning, step } = self.space;
        // Counted in registers and added up on the way out: a sum in memory would chain every node to the one before.
        let (mut generated, mut over, mut stopped) = (0, Cost::MAX, false);
        // States without heap parts are made anew for each child, so that they stay in registers and the work of making one can
        // sink behind the cut; others are made in one place, so that nothing is allocated per node.
        let mut place = std::mem::needs_drop::<D::State>().then(|| state.clone());
        while let Some(op) = todo.pop() {
            let cost = domain.cost(op);
            if cost > remaining {
                over = over.min(cost - remaining);
                continue;
            }
            let limit = remaining - cost;
            let Some(next) = pruning.next(at, op, limit) else { continue };
            let mut fresh;
            let to = match &mut place {
                Some(place) => place,
                None => {
                    fresh = state.clone();
                    &mut fresh
                }
            };
            domain.apply_into(state, op, to);
            let mut child = heuristic.child(domain, state, carry, op, to);
            generated += 1;
            let verdict = heuristic.bound(domain, to, &mut child, limit);
            if verdict.h > limit {
                over = over.min(verdict.h - limit);
                continue;
            }
            let goal = verdict.h == 0 && domain.is_goal(to);
            if goal {
                self.pause = Pause::Goal;
            } else if limit == 0 {
                over = over.min(step);
                continue;
            }
            if goal || self.descend(to, &child, verdict.excluded, next, limit) {
                self.trail.push(op);
                stopped = true;
                break;
            }
        }
        self.counts.add(Counts { generated, expanded: 0, over });
        stopped
    }
}
