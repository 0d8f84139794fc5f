//! The staged expansion: take up to `WIDTH` waiting nodes, make all their children side by side, ask for what their bounds are read from, and only then
//! read, stage by stage.
//!
//! While the bound of one child is computed the lines of the others arrive, so tables far larger than the cache cost hardly more than their
//! computation. With several nodes at once a search does not end in operator order.
//!
//! Nodes within the bound wait on an explicit stack, lowest operator on top. With `WIDTH` 1 a child counts as generated when the search takes it
//! up in operator order, not when it was made or read: a node on the stack knows how many siblings were passed over before
//! it, and each depth how many come after its last one. So the counts are those of the one-phase expansion, also when the
//! search ends at a goal. With greater widths children count when they are made, which for a search to the end is the same.

use super::{Counts, Machine, Node, Pause, Space};
use crate::domain::Domain;
use crate::heuristic::{Batch, Heuristic, Screened};
use crate::operators::{Cost, Op, OpSet};
use crate::pruning::Pruning;
use smallvec::SmallVec;

/// No search goes deeper: a cost fits 8 bits.
const DEPTHS: usize = 1 << Cost::BITS;

/// A node within the bound that waits for its turn.
struct Waiting<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    node: Node<D, H, P>,
    path: SmallVec<[Op; 24]>,
    /// With `WIDTH` 1: this node and the siblings passed over before it since the last one that waits.
    taken: u16,
    goal: bool,
}

/// Children that were made, one part of them beside the other: heuristic and domain work on many at once. All vectors are by number of the child, and
/// longer than there are children: slots are allocated once and overwritten.
struct Children<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    made: usize,
    states: Vec<D::State>,
    carries: Vec<H::Carry>,
    at: Vec<P::State>,
    ops: Vec<Op>,
    parents: Vec<u16>,
    /// See [`Screened`].
    limits: Vec<Cost>,
    above: Vec<Cost>,
    /// With `WIDTH` 1: the child and the siblings cut before it since the last one that was kept.
    taken: Vec<u16>,
    /// The numbers of those that are not cut, ascending: the first `count` of these.
    left: Vec<u16>,
    count: usize,
    batch: Batch,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Children<D, H, P> {
    /// Room for so many children but for what only a child can fill.
    fn new(most: usize) -> Self {
        Self {
            made: 0,
            states: Vec::new(),
            carries: Vec::new(),
            at: Vec::new(),
            ops: vec![Op(0); most],
            parents: vec![0; most],
            limits: vec![0; most],
            above: vec![0; most],
            taken: vec![0; most],
            left: vec![0; most],
            count: 0,
            batch: Batch::new(),
        }
    }
}

/// See the module.
pub(crate) struct Staged<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> {
    space: Space<'a, D, H, P>,
    stack: Vec<Waiting<D, H, P>>,
    /// The nodes whose children are made, first to last.
    parents: Vec<Waiting<D, H, P>>,
    children: Children<D, H, P>,
    /// The path to the goal that was found last.
    goal: Vec<Op>,
    /// With `WIDTH` 1: depth of the last expanded node below the loaded one; and by depth the siblings that come after the last waiting node.
    depth: usize,
    after: Vec<u16>,
    counts: Counts,
}

impl<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> Machine<'a, D, H, P>
    for Staged<'a, D, H, P, WIDTH>
{
    type Node = Node<D, H, P>;

    fn new(space: Space<'a, D, H, P>) -> Self {
        Self {
            space,
            stack: Vec::with_capacity(4 * DEPTHS),
            parents: Vec::with_capacity(WIDTH),
            children: Children::new(WIDTH * space.domain.operators()),
            goal: Vec::new(),
            depth: 0,
            after: vec![0; DEPTHS + 1],
            counts: Counts::ZERO,
        }
    }

    fn load(&mut self, node: Node<D, H, P>) {
        self.stack.clear();
        self.depth = 0;
        self.after.fill(0);
        self.counts = Counts::ZERO;
        self.stack.push(Waiting { node, path: SmallVec::new(), taken: 0, goal: false });
    }

    #[inline]
    fn run(&mut self, fuel: u64) -> Pause {
        let end = self.counts.expanded.saturating_add(fuel);
        while self.counts.expanded < end {
            self.parents.clear();
            while self.parents.len() < WIDTH
                && let Some(waiting) = self.stack.pop_if(|top| !top.goal || self.parents.is_empty())
            {
                if WIDTH == 1 {
                    self.take_up(&waiting);
                }
                if waiting.goal {
                    self.goal.clear();
                    self.goal.extend(waiting.path);
                    return Pause::Goal;
                }
                self.parents.push(waiting);
            }
            if self.parents.is_empty() {
                self.leave(0);
                return Pause::Exhausted;
            }
            self.make();
            for stage in 0.. {
                if self.children.count == 0 || !self.screen(stage) {
                    break;
                }
            }
            self.read();
        }
        Pause::Fuel
    }

    fn path(&self) -> Vec<Op> {
        self.goal.clone()
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> Staged<'_, D, H, P, WIDTH> {
    /// Counts a node and the siblings passed over before it, and what is left behind on the way to it.
    #[inline(always)]
    fn take_up(&mut self, waiting: &Waiting<D, H, P>) {
        let depth = waiting.path.len();
        // A child of the node expanded last has nothing below it to leave.
        if depth <= self.depth {
            self.leave(depth);
        }
        self.counts.generated += u64::from(waiting.taken);
        self.depth = depth;
    }

    /// Goes back up to a depth: at every depth below it the siblings behind the last waiting node are taken up now.
    #[inline(always)]
    fn leave(&mut self, depth: usize) {
        for after in &mut self.after[depth + 1..=self.depth + 1] {
            self.counts.generated += u64::from(std::mem::take(after));
        }
    }

    /// First stage: makes the children of the parents.
    #[inline(always)]
    fn make(&mut self) {
        let Space { domain, heuristic, pruning, .. } = self.space;
        let children = &mut self.children;
        children.batch.clear();
        let mut made = 0_u16;
        for (number, parent) in (0..).zip(&self.parents) {
            let node = &parent.node;
            let first = made;
            let mut todo = self.space.todo(&node.state, node.at, node.excluded, &mut self.counts);
            while let Some(op) = todo.pop() {
                let cost = domain.cost(op);
                if cost > node.remaining {
                    self.counts.cut(cost - node.remaining);
                    continue;
                }
                let remaining = node.remaining - cost;
                let Some(at) = pruning.next(node.at, op, remaining) else { continue };
                let child = usize::from(made);
                if children.states.len() == child {
                    children.states.push(node.state.clone());
                    children.carries.push(node.carry.clone());
                    children.at.push(at);
                }
                children.at[child] = at;
                (children.ops[child], children.parents[child]) = (op, number);
                (children.limits[child], children.above[child]) = (remaining, 0);
                (children.taken[child], children.left[child]) = (1, made);
                made += 1;
            }
            let these = usize::from(first)..usize::from(made);
            let ops = &children.ops[these.clone()];
            let states = &mut children.states[these.clone()];
            domain.successors(&node.state, ops, states);
            let (carries, batch) = (&mut children.carries[these], &mut children.batch);
            heuristic.children(
                domain,
                &node.state,
                &node.carry,
                ops,
                states,
                carries,
                first,
                batch,
            );
        }
        let made = usize::from(made);
        (children.made, children.count) = (made, made);
        self.counts.expanded += self.parents.len() as u64;
        if WIDTH > 1 {
            self.counts.generated += made as u64;
        }
    }

    /// Stages in between: cuts what the reads so far cut. Whether the heuristic asked for more.
    #[inline(always)]
    fn screen(&mut self, stage: usize) -> bool {
        let Space { domain, heuristic, .. } = self.space;
        let children = &mut self.children;
        let made = children.made;
        let screened = Screened {
            left: &children.left[..children.count],
            states: &children.states[..made],
            carries: &mut children.carries[..made],
            limits: &children.limits[..made],
            above: &mut children.above[..made],
            batch: &mut children.batch,
        };
        let more = heuristic.screens(domain, screened, stage);
        // Without a branch: whether a child is cut cannot be foreseen.
        let (mut taken, mut count, mut over) = (0, 0, Cost::MAX);
        for at in 0..children.count {
            let child = children.left[at];
            let at = usize::from(child);
            let (above, limit) = (children.above[at], children.limits[at]);
            let cut = above > limit;
            over = over.min(if cut { above.wrapping_sub(limit) } else { Cost::MAX });
            if WIDTH == 1 {
                taken += children.taken[at];
                children.taken[at] = taken;
                taken = if cut { taken } else { 0 };
            }
            children.left[count] = child;
            count += usize::from(!cut);
        }
        children.count = count;
        self.counts.cut(over);
        if WIDTH == 1 {
            self.after[self.depth + 1] += taken;
        }
        more
    }

    /// Last stage: reads the bounds of the children and keeps those within the limit.
    #[inline(always)]
    fn read(&mut self) {
        let Space { domain, heuristic, step, .. } = self.space;
        let base = self.stack.len();
        let mut taken = 0_u16;
        let children = &mut self.children;
        for &child in &children.left[..children.count] {
            let child = usize::from(child);
            let remaining = children.limits[child];
            let (state, carry) = (&children.states[child], &mut children.carries[child]);
            taken += children.taken[child];
            let verdict = heuristic.bound(domain, state, carry, remaining);
            if verdict.h > remaining {
                self.counts.cut(verdict.h - remaining);
                continue;
            }
            let goal = verdict.h == 0 && domain.is_goal(state);
            if !goal && remaining == 0 {
                self.counts.cut(step);
                continue;
            }
            let node = Node {
                state: state.clone(),
                carry: carry.clone(),
                at: children.at[child],
                excluded: verdict.excluded,
                remaining,
            };
            let mut path = self.parents[usize::from(children.parents[child])].path.clone();
            path.push(children.ops[child]);
            self.stack.push(Waiting { node, path, taken, goal });
            taken = 0;
        }
        if WIDTH == 1 {
            self.after[self.depth + 1] += taken;
        }
        // Lowest operator on top.
        self.stack[base..].reverse();
    }
}
