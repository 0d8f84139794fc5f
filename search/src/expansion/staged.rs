//! The staged expansion: make all children of a node and prefetch for them; a turn later read their bounds, or, where the heuristic
//! screens, the first values, and the rest another turn later.
//!
//! Nodes within the bound wait on an explicit stack, lowest operator on top. A child counts as generated when the search takes it
//! up in operator order, not when it was prefetched or read: a node on the stack knows how many siblings were passed over before
//! it, and each depth how many come after its last one. So the counts are those of the one-phase expansion, also when the
//! search ends at a goal.

use super::{Counts, Machine, Node, Pause, Space};
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use crate::operators::{Cost, Op, OpSet};
use crate::pruning::Pruning;

/// A child that was made, its bound not yet read.
struct Child<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    state: D::State,
    carry: H::Carry,
    at: P::State,
    op: Op,
    remaining: Cost,
    /// This child and the siblings cut before it since the last one that was kept.
    taken: u16,
}

/// A node within the bound that waits for its turn.
struct Waiting<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    node: Node<D, H, P>,
    op: Op,
    depth: u8,
    /// This node and the siblings passed over before it since the last one that waits.
    taken: u16,
    goal: bool,
}

/// See the module.
pub(crate) struct Staged<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    space: Space<'a, D, H, P>,
    stack: Vec<Waiting<D, H, P>>,
    /// Children of the last expanded node; `made` of them are to be read. The slots are allocated once and overwritten.
    children: Vec<Child<D, H, P>>,
    made: usize,
    /// Whether they were screened, and how many siblings were cut behind the last one kept.
    screened: bool,
    behind: u16,
    /// Depth of the last expanded node below the loaded one, and the operators that led there.
    depth: usize,
    path: Vec<Op>,
    /// By depth: siblings that come after the last waiting node of that depth.
    after: Vec<u16>,
    counts: Counts,
}

/// No search goes deeper: a cost fits 8 bits.
const DEPTHS: usize = 1 << Cost::BITS;

impl<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> Machine<'a, D, H, P> for Staged<'a, D, H, P> {
    type Node = Node<D, H, P>;

    fn new(space: Space<'a, D, H, P>) -> Self {
        Self {
            space,
            stack: Vec::with_capacity(4 * DEPTHS),
            children: Vec::with_capacity(space.domain.operators()),
            made: 0,
            screened: false,
            behind: 0,
            depth: 0,
            path: vec![Op(0); DEPTHS],
            after: vec![0; DEPTHS + 1],
            counts: Counts::ZERO,
        }
    }

    fn load(&mut self, node: Node<D, H, P>) {
        self.stack.clear();
        self.made = 0;
        (self.screened, self.behind) = (false, 0);
        self.depth = 0;
        self.after.fill(0);
        self.counts = Counts::ZERO;
        self.stack.push(Waiting { node, op: Op(0), depth: 0, taken: 0, goal: false });
    }

    #[inline]
    fn run(&mut self, fuel: u64) -> Pause {
        if fuel == 0 {
            return Pause::Fuel;
        }
        if H::SCREENS && self.made > 0 && !self.screened {
            self.screen();
            if self.made > 0 {
                return Pause::Latency;
            }
        }
        self.read();
        loop {
            let Some(waiting) = self.stack.pop() else {
                self.leave(0);
                return Pause::Exhausted;
            };
            let depth = usize::from(waiting.depth);
            // A child of the node expanded last has nothing below it to leave.
            if depth <= self.depth {
                self.leave(depth);
            }
            self.counts.generated += u64::from(waiting.taken);
            if depth > 0 {
                self.path[depth - 1] = waiting.op;
            }
            self.depth = depth;
            if waiting.goal {
                return Pause::Goal;
            }
            self.make(&waiting.node);
            if self.made > 0 {
                return Pause::Latency;
            }
        }
    }

    fn path(&self) -> Vec<Op> {
        self.path[..self.depth].to_vec()
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Staged<'_, D, H, P> {
    /// Goes back up to a depth: at every depth below it the siblings behind the last waiting node are taken up now.
    #[inline(always)]
    fn leave(&mut self, depth: usize) {
        for after in &mut self.after[depth + 1..=self.depth + 1] {
            self.counts.generated += u64::from(std::mem::take(after));
        }
    }

    /// First stage: makes the children of a node and prefetches for them.
    #[inline(always)]
    fn make(&mut self, node: &Node<D, H, P>) {
        let Space { domain, heuristic, pruning, .. } = self.space;
        self.counts.expanded += 1;
        let mut todo = self.space.todo(&node.state, node.at, node.excluded, &mut self.counts);
        while let Some(op) = todo.pop() {
            let cost = domain.cost(op);
            if cost > node.remaining {
                self.counts.cut(cost - node.remaining);
                continue;
            }
            let remaining = node.remaining - cost;
            let Some(at) = pruning.next(node.at, op, remaining) else { continue };
            if let Some(child) = self.children.get_mut(self.made) {
                domain.apply_into(&node.state, op, &mut child.state);
                child.carry = heuristic.child(domain, &node.state, &node.carry, op, &child.state);
                (child.at, child.op, child.remaining, child.taken) = (at, op, remaining, 1);
            } else {
                let mut state = node.state.clone();
                domain.apply_into(&node.state, op, &mut state);
                let carry = heuristic.child(domain, &node.state, &node.carry, op, &state);
                self.children.push(Child { state, carry, at, op, remaining, taken: 1 });
            }
            self.made += 1;
        }
    }

    /// Stage in between: cuts what the first reads cut and asks for the reads of the others, which move to the front.
    #[inline(always)]
    fn screen(&mut self) {
        let Space { domain, heuristic, .. } = self.space;
        let (mut kept, mut taken) = (0, 0);
        for at in 0..self.made {
            let child = &mut self.children[at];
            taken += 1;
            match heuristic.screen(domain, &child.state, &mut child.carry, child.remaining) {
                Some(h) if h > child.remaining => self.counts.cut(h - child.remaining),
                _ => {
                    child.taken = std::mem::take(&mut taken);
                    self.children.swap(kept, at);
                    kept += 1;
                }
            }
        }
        (self.made, self.screened) = (kept, true);
        if kept > 0 {
            self.behind = taken;
        } else {
            self.after[self.depth + 1] = taken;
            self.screened = false;
        }
    }

    /// Last stage: reads the bounds of the children and keeps those within the limit.
    #[inline(always)]
    fn read(&mut self) {
        let Space { domain, heuristic, step, .. } = self.space;
        let base = self.stack.len();
        let mut taken = 0_u16;
        for child in &mut self.children[..self.made] {
            taken += child.taken;
            let verdict = heuristic.bound(domain, &child.state, &mut child.carry, child.remaining);
            if verdict.h > child.remaining {
                self.counts.cut(verdict.h - child.remaining);
                continue;
            }
            let goal = verdict.h == 0 && domain.is_goal(&child.state);
            if !goal && child.remaining == 0 {
                self.counts.cut(step);
                continue;
            }
            let node = Node {
                state: child.state.clone(),
                carry: child.carry.clone(),
                at: child.at,
                excluded: verdict.excluded,
                remaining: child.remaining,
            };
            #[expect(
                clippy::cast_possible_truncation,
                reason = "every operator costs at least 1, so depths fit a cost"
            )]
            let depth = (self.depth + 1) as u8;
            self.stack.push(Waiting { node, op: child.op, depth, taken, goal });
            taken = 0;
        }
        if self.made > 0 {
            self.after[self.depth + 1] = taken + self.behind;
        }
        self.made = 0;
        (self.screened, self.behind) = (false, 0);
        // Lowest operator on top.
        self.stack[base..].reverse();
    }
}
