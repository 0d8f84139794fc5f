//! The staged expansion: makes the children of up to `WIDTH` nodes, prefetches, reads in stages.
//!
//! While one bound is computed, the cache lines of the others arrive. So tables far larger than the
//! cache cost hardly more than the computation. With `WIDTH > 1` a search that reaches a goal may
//! also have expanded nodes that come later in operator order.
//!
//! Nodes within the bound wait on an explicit stack, the lowest operator on top.
//!
//! With `WIDTH == 1` a child counts as generated when the search comes to it in operator order, as
//! in the one-phase expansion. Until then its count is *pending*: waiting nodes and depths store
//! pending counts. So the counts of both expansions agree, also if the search ends at a goal. With
//! `WIDTH > 1` children count when they are made.

mod children;
mod path;

use super::{Counts, Expander, NOTHING_CUT, Node, Pause, Problem};
use crate::domain::{Cost, Domain, Kernel, Op};
use crate::heuristic::{Heuristic, Slack};
use crate::pruning::Pruning;
use children::{Children, Waiting};
use path::Path;

/// The most operators of a path, because a cost has 8 bits.
const DEPTHS: usize = 1 << Cost::BITS;

/// The staged expansion, see [the module](self).
pub(crate) struct Staged<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> {
    space: Problem<'a, D, H, P>,
    /// The waiting nodes. Those from `first` on are being expanded.
    stack: Vec<Waiting<D, H, P>>,
    first: usize,
    /// The most nodes that are expanded at once: `WIDTH`, or fewer if 16 bits could not number
    /// their children.
    width: usize,
    children: Children<D, H>,
    /// The path to the last goal found.
    goal: Vec<Op>,
    /// If `WIDTH` is 1: the depth of the last expanded node.
    depth: usize,
    /// If `WIDTH` is 1: the pending count of each depth.
    after: Vec<u16>,
    counts: Counts,
}

impl<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> Staged<'a, D, H, P, WIDTH> {
    pub(crate) fn new(space: Problem<'a, D, H, P>) -> Self {
        let operators = space.domain.operators().max(1);
        let width = WIDTH.min(usize::from(u16::MAX) / operators).max(1);
        Self {
            space,
            width,
            stack: Vec::with_capacity(4 * DEPTHS),
            first: 0,
            children: Children::new(width * operators),
            goal: Vec::new(),
            depth: 0,
            after: vec![0; DEPTHS + 1],
            counts: Counts::ZERO,
        }
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> Expander<D, H, P>
    for Staged<'_, D, H, P, WIDTH>
{
    fn load(&mut self, node: Node<D, H, P>) {
        self.stack.clear();
        self.depth = 0;
        self.after.fill(0);
        self.counts = Counts::ZERO;
        self.stack.push(Waiting { node, path: Path::EMPTY, taken: 0, goal: false });
    }

    #[inline]
    fn run(&mut self, fuel: u64) -> Pause {
        self.space.domain.with_target_features(Run { machine: self, fuel })
    }

    fn path(&self) -> Vec<Op> {
        self.goal.clone()
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

/// [`Expander::run`], to be compiled for the target features of the domain.
struct Run<'m, M> {
    machine: &'m mut M,
    fuel: u64,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> Kernel
    for Run<'_, Staged<'_, D, H, P, WIDTH>>
{
    type Output = Pause;
    #[inline(always)]
    fn run(self) -> Pause {
        let Self { machine, fuel } = self;
        let end = machine.counts.expanded.saturating_add(fuel);
        while machine.counts.expanded < end {
            if let Some(pause) = machine.choose() {
                return pause;
            }
            machine.make();
            for stage in 0..H::EVALUATION.asks() {
                if stage > 0 {
                    machine.take(stage - 1);
                }
                if machine.children.count == 0 {
                    break;
                }
                machine.ask(stage);
            }
            machine.read();
        }
        Pause::Fuel
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>, const WIDTH: usize> Staged<'_, D, H, P, WIDTH> {
    /// Chooses the parents: the nodes at the top of the stack, down to a goal. Returns why to pause
    /// if there are none.
    #[inline(always)]
    fn choose(&mut self) -> Option<Pause> {
        let all = self.stack.len();
        let most = all.saturating_sub(if WIDTH == 1 { 1 } else { self.width });
        let goal = self.stack[most..].iter().rposition(|waiting| waiting.goal);
        self.first = goal.map_or(most, |goal| most + goal + 1);
        if WIDTH == 1
            && let Some(waiting) = self.stack.last()
        {
            let (depth, taken) = (waiting.path.ops().len(), waiting.taken);
            self.generate(depth, taken);
        }
        if self.first < all {
            return None;
        }
        let Some(waiting) = self.stack.pop() else {
            self.leave(0);
            return Some(Pause::Exhausted);
        };
        self.goal.clear();
        self.goal.extend_from_slice(waiting.path.ops());
        Some(Pause::Goal)
    }

    /// Adds `taken` to the generated nodes: a node and the siblings cut before it. First adds the
    /// pending counts of greater depths.
    #[inline(always)]
    fn generate(&mut self, depth: usize, taken: u16) {
        // Below a child of the last expanded node nothing is pending.
        if depth <= self.depth {
            self.leave(depth);
        }
        self.counts.generated += u64::from(taken);
        self.depth = depth;
    }

    /// Adds all pending counts below a depth to the generated nodes. Call it when the search goes
    /// back up to this depth.
    #[inline(always)]
    fn leave(&mut self, depth: usize) {
        for after in &mut self.after[depth + 1..=self.depth + 1] {
            self.counts.generated += u64::from(std::mem::take(after));
        }
    }

    /// Makes the children of the parents, without their data.
    #[inline(always)]
    fn make(&mut self) {
        let domain = self.space.domain;
        let parents = &self.stack[self.first..];
        let children = &mut self.children;
        children.number(self.space, parents, &mut self.counts);
        let made = children.made;
        if WIDTH == 1 {
            children.taken[..made].fill(1);
        }
        let these = ..made;
        let (numbers, ops) = (&children.parents[these], &children.ops[these]);
        let node = |child: usize| &parents[usize::from(numbers[child])].node;
        domain.successors(|child| &node(child).state, ops, &mut children.states[these]);
        self.counts.expanded += parents.len() as u64;
        if WIDTH > 1 {
            self.counts.generated += made as u64;
        }
    }

    /// Lets the heuristic ask for what it reads in a stage.
    #[inline(always)]
    fn ask(&mut self, stage: usize) {
        let Self { space: Problem { domain, heuristic, .. }, stack, first, children, .. } = self;
        heuristic.ask(domain, &mut children.batch(&stack[*first..]), stage);
    }

    /// Lets the heuristic read what it asked for in a stage, and cuts children by that.
    #[inline(always)]
    fn take(&mut self, stage: usize) {
        let Self { space: Problem { domain, heuristic, .. }, stack, first, children, .. } = self;
        heuristic.take(domain, &mut children.batch(&stack[*first..]), stage);
        // This loop has no branch, because the CPU cannot predict whether a child is cut.
        let (mut taken, mut count, mut over) = (0, 0, u16::MAX);
        let left = &mut children.left[..children.count];
        for at in 0..left.len() {
            let child = left[at];
            let number = usize::from(child);
            let Slack { limit, proven } = children.slack[number];
            // The excess over the limit, minus 1. For a child that stays it wraps, and bit 15 is
            // set.
            let beyond = u16::from(proven).wrapping_sub(u16::from(limit) + 1);
            // A dead end is cut, but no bound finds a plan there.
            over = over.min(if H::CLAIMS.is_dead_end(proven) { u16::MAX } else { beyond });
            let stays = beyond >> 15;
            if WIDTH == 1 {
                taken += children.taken[number];
                children.taken[number] = taken;
                taken *= stays ^ 1;
            }
            left[count] = child;
            count += usize::from(stays);
        }
        children.count = count;
        let over = if over >> 15 == 0 { over + 1 } else { NOTHING_CUT };
        self.counts.over = self.counts.over.min(over);
        if WIDTH == 1 {
            self.after[self.depth + 1] += taken;
        }
    }

    /// The last stage: reads the bounds and keeps the children within their limits.
    #[inline(always)]
    fn read(&mut self) {
        let Problem { domain, heuristic, .. } = self.space;
        let (mut taken, mut count) = (0_u16, 0);
        let children = &mut self.children;
        for at in 0..children.count {
            let number = children.left[at];
            let child = usize::from(number);
            let remaining = children.slack[child].limit;
            let (state, carry) = (&children.states[child], &mut children.carries[child]);
            if WIDTH == 1 {
                taken += children.taken[child];
            }
            let verdict = heuristic.bound(domain, state, carry, remaining);
            let judged = self.space.judge(verdict.h, state, remaining, &mut self.counts);
            let Some(goal) = judged else { continue };
            (children.excluded[child], children.goals[child]) = (verdict.excluded, goal);
            if WIDTH == 1 {
                children.taken[child] = taken;
                taken = 0;
            }
            children.left[count] = number;
            count += 1;
        }
        if WIDTH == 1 {
            self.after[self.depth + 1] += taken;
        }
        children.count = count;
        self.keep();
    }

    /// Replaces the parents on the stack by their remaining children, the lowest operator on top.
    #[inline(always)]
    fn keep(&mut self) {
        let (children, all) = (&self.children, self.stack.len());
        for &child in children.left[..children.count].iter().rev() {
            let child = usize::from(child);
            let (op, remaining) = (children.ops[child], children.slack[child].limit);
            let parent = &self.stack[self.first + usize::from(children.parents[child])];
            let at = self.space.pruning.next(self.space.domain, parent.node.at, op);
            let node = Node {
                state: children.states[child].clone(),
                carry: children.carries[child].clone(),
                at,
                excluded: children.excluded[child],
                remaining,
            };
            let (path, goal) = (parent.path.clone(), children.goals[child]);
            self.stack.push(Waiting { node, path, taken: children.taken[child], goal });
            // The path is extended in place: copying it right after writing parts of it would
            // stall.
            if let Some(last) = self.stack.last_mut() {
                last.path.push(op);
            }
        }
        self.stack.drain(self.first..all);
    }
}
