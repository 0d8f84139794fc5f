//! The three ways to expand nodes behind one contract, and the node, counts and pauses that they share.
//!
//! *One-phase* ([`OnePhase`]) makes a child, reads its bound and goes down, by recursion: for heuristics that live in the cache or
//! are computed. *Staged* ([`Staged`]) makes all children of one node or several and asks for what their bounds
//! are read from, then reads: for tables far larger than the cache. *In place* ([`InPlaceExpander`]) changes one working copy of a state and changes it
//! back: where a node is large and a change small. All can be paused and go on where they were.

mod children;
mod in_place;
mod one_phase;
mod path;
mod staged;

pub(crate) use in_place::InPlaceExpander;
pub(crate) use one_phase::OnePhase;
pub(crate) use staged::Staged;

use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::pruning::Pruning;

/// The three parts of a search, and the step of its bounds.
pub(crate) struct Problem<'a, D, H, P> {
    pub(crate) domain: &'a D,
    pub(crate) heuristic: &'a H,
    pub(crate) pruning: &'a P,
    /// 2 where all plans from a state have the same parity, else 1.
    pub(crate) step: Cost,
}

impl<D, H, P> Clone for Problem<'_, D, H, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D, H, P> Copy for Problem<'_, D, H, P> {}

/// A node within the bound: its own bound is read, its children are not yet made.
pub(crate) struct Node<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    pub(crate) state: D::State,
    pub(crate) carry: H::Carry,
    pub(crate) at: P::State,
    /// Operators that start no plan within `remaining`.
    pub(crate) excluded: D::Ops,
    /// What may still be spent from here.
    pub(crate) remaining: Cost,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Clone for Node<D, H, P> {
    fn clone(&self) -> Self {
        let Self { state, carry, at, excluded, remaining } = self;
        Self {
            state: state.clone(),
            carry: carry.clone(),
            at: *at,
            excluded: *excluded,
            remaining: *remaining,
        }
    }
}

/// What a search counted, and by how much the cheapest cut passed the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    /// Least proven excess over the bound among all cuts; [`NOTHING_CUT`] if there is none.
    pub(crate) over: u16,
}

/// More than any cost: an excess of 255 is a cut like any other.
pub(crate) const NOTHING_CUT: u16 = u16::MAX;

impl Counts {
    pub(crate) const ZERO: Counts = Counts { generated: 0, expanded: 0, over: NOTHING_CUT };

    pub(crate) fn add(&mut self, other: Counts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.over = self.over.min(other.over);
    }

    /// Notes a cut: what was cut costs at least this much more than the bound.
    #[inline(always)]
    pub(crate) fn cut(&mut self, over: Cost) {
        self.over = self.over.min(over.into());
    }
}

/// What an expansion counts. Kept in registers and added up on the way out: a sum in memory would chain every node to the one before.
pub(crate) struct Sums {
    pub(crate) generated: u64,
    pub(crate) over: u16,
}

impl Sums {
    pub(crate) const NONE: Self = Self { generated: 0, over: NOTHING_CUT };

    /// Notes a cut, as [`Counts::cut`].
    #[inline(always)]
    pub(crate) fn cut(&mut self, over: Cost) {
        self.over = self.over.min(over.into());
    }

    #[inline(always)]
    pub(crate) fn counts(&self) -> Counts {
        Counts { generated: self.generated, expanded: 0, over: self.over }
    }
}

/// Why a machine stopped for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Everything below the loaded node is searched.
    Exhausted,
    /// A goal: [`Expander::path`] leads to it. Running on looks for the next one.
    Goal,
    /// The fuel is used up.
    Fuel,
}

/// A node that a machine can be loaded with.
pub(crate) trait Root<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>>:
    Clone + Send + Sync
{
    /// The start state, where so much remains.
    fn root(space: Problem<'a, D, H, P>, start: &D::State, remaining: Cost) -> Self;
    /// The children that lie within the bound, in operator order, and whether each is a goal: one step of the search done on its own,
    /// with its counts. The drivers cut a search into tasks with it.
    fn children(&self, space: Problem<'a, D, H, P>, counts: &mut Counts) -> Vec<(Op, Self, bool)>;
}

/// A search below one node that can be paused. Allocates when it is made, and its path on a goal; never per node.
pub(crate) trait Expander<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>>: Sized {
    /// A node that is loaded.
    type Node: Root<'a, D, H, P>;
    fn new(space: Problem<'a, D, H, P>) -> Self;
    /// Starts anew below a node, with all counts at zero.
    fn load(&mut self, node: Self::Node);
    /// Searches on, over at most `fuel` expanded nodes.
    fn run(&mut self, fuel: u64) -> Pause;
    /// After [`Pause::Goal`]: the operators from the loaded node to the goal.
    fn path(&self) -> Vec<Op>;
    /// The counts since the node was loaded.
    fn counts(&self) -> Counts;
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Problem<'_, D, H, P> {
    /// The pruning's state after an operator; `None` at a dead end.
    #[inline(always)]
    fn follow(&self, at: P::State, op: Op, remaining: Cost) -> Option<P::State> {
        let next = self.pruning.next(self.domain, at, op);
        (!self.pruning.dead_end(self.domain, next, remaining)).then_some(next)
    }

    /// The operators by which an expansion makes children, but for dead ends of the pruning.
    #[inline(always)]
    fn todo(
        &self,
        state: &D::State,
        at: P::State,
        excluded: D::Ops,
        counts: &mut Counts,
    ) -> D::Ops {
        if !excluded.is_empty() {
            counts.cut(self.step);
        }
        let allowed = self.domain.applicable(state).and(self.pruning.allowed(self.domain, at));
        self.domain.restrict(allowed.minus(excluded))
    }
}

impl<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> Root<'a, D, H, P> for Node<D, H, P> {
    fn root(space: Problem<'a, D, H, P>, start: &D::State, remaining: Cost) -> Self {
        let Problem { domain, heuristic, pruning, .. } = space;
        let mut carry = heuristic.root(domain, start);
        let excluded = heuristic.bound(domain, start, &mut carry, remaining).excluded;
        let at = pruning.start(domain, start);
        Self { state: start.clone(), carry, at, excluded, remaining }
    }

    fn children(&self, space: Problem<'a, D, H, P>, counts: &mut Counts) -> Vec<(Op, Self, bool)> {
        let Problem { domain, heuristic, step, .. } = space;
        let mut children = Vec::new();
        counts.expanded += 1;
        for op in space.todo(&self.state, self.at, self.excluded, counts).members() {
            let cost = domain.cost(op);
            let Some(remaining) = self.remaining.checked_sub(cost) else {
                counts.cut(cost - self.remaining);
                continue;
            };
            let Some(at) = space.follow(self.at, op, remaining) else { continue };
            let mut state = self.state.clone();
            domain.apply_into(&self.state, op, &mut state);
            let mut carry = heuristic.child(domain, &self.state, &self.carry, op, &state);
            counts.generated += 1;
            let verdict = heuristic.bound(domain, &state, &mut carry, remaining);
            if verdict.h > remaining {
                counts.cut(verdict.h - remaining);
                continue;
            }
            let goal = verdict.h == 0 && domain.is_goal(&state);
            if !goal && remaining == 0 {
                counts.cut(step);
                continue;
            }
            children.push((
                op,
                Self { state, carry, at, excluded: verdict.excluded, remaining },
                goal,
            ));
        }
        children
    }
}
