//! The in-place expansion: each operator changes one working copy of a state and changes it back.
//!
//! A recursion with a trail, as the [one-phase expansion](super::one_phase), for heuristics that are
//! [`InPlace`]. The call stack holds only a node's note, pruning state and remaining cost.

use super::{Counts, Expander, Pause, Problem, Root, Sums, check_unroll};
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::InPlace;
use crate::pruning::Pruning;

/// See the module.
pub(crate) struct InPlaceExpander<'a, D: Domain, H: InPlace<D>, P: Pruning<D>> {
    space: Problem<'a, D, H, P>,
    loaded: Option<(H::Work, At<D, H, P>)>,
    counts: Counts,
    /// The number of expanded nodes at which to stop.
    expanded_limit: u64,
    /// Where the search stopped: operators from the loaded node, in reverse order.
    trail: Vec<Op>,
    pause: Pause,
}

/// [`Place`] in a search.
type At<D, H, P> = Place<<H as InPlace<D>>::Note, <P as Pruning<D>>::State>;

/// The parts of a node that are not in the working copy.
#[derive(Clone, Copy)]
pub(crate) struct Place<N, A> {
    note: N,
    at: A,
    remaining: Cost,
}

/// A node, with its state.
pub(crate) struct Whole<D: Domain, H: InPlace<D>, P: Pruning<D>> {
    state: D::State,
    place: At<D, H, P>,
}

impl<D: Domain, H: InPlace<D>, P: Pruning<D>> Clone for Whole<D, H, P> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), place: self.place }
    }
}

impl<'a, D: Domain, H: InPlace<D>, P: Pruning<D>> Root<'a, D, H, P> for Whole<D, H, P> {
    fn root(space: Problem<'a, D, H, P>, start: &D::State, remaining: Cost) -> Self {
        let (_, note) = space.heuristic.work(space.domain, start);
        let at = space.pruning.start(space.domain, start);
        Self { state: start.clone(), place: Place { note, at, remaining } }
    }

    fn children(&self, space: Problem<'a, D, H, P>, counts: &mut Counts) -> Vec<(Op, Self, bool)> {
        let Problem { domain, heuristic, .. } = space;
        let (mut work, _) = heuristic.work(domain, &self.state);
        let (mut place, mut sums, mut children) = (self.place, Sums::NONE, Vec::new());
        counts.expanded += 1;
        let ready = heuristic.ready(domain, &work, &mut place.note, place.remaining);
        for op in space.operators(&work, place.at).members() {
            let (place, goal) =
                match space.generate_seldom(&mut work, &place, &ready, op, &mut sums) {
                    Taken::Cut => continue,
                    Taken::Child(child) => (child, false),
                    Taken::Goal(child) => (child, true),
                };
            let state = heuristic.state(domain, &work);
            heuristic.undo(domain, &mut work, op);
            children.push((op, Self { state, place }, goal));
        }
        counts.add(sums.counts());
        children
    }
}

impl<'a, D: Domain, H: InPlace<D>, P: Pruning<D>> Expander<'a, D, H, P>
    for InPlaceExpander<'a, D, H, P>
{
    type Node = Whole<D, H, P>;

    fn new(space: Problem<'a, D, H, P>) -> Self {
        check_unroll(space.domain);
        Self {
            space,
            loaded: None,
            counts: Counts::ZERO,
            expanded_limit: 0,
            trail: Vec::with_capacity(64),
            pause: Pause::Exhausted,
        }
    }

    fn load(&mut self, node: Self::Node) {
        let (work, _) = self.space.heuristic.work(self.space.domain, &node.state);
        self.loaded = Some((work, node.place));
        self.counts = Counts::ZERO;
        self.trail.clear();
        // As if the fuel had run out at the loaded node itself.
        self.pause = Pause::Fuel;
    }

    fn run(&mut self, fuel: u64) -> Pause {
        let Some((mut work, root)) = self.loaded.take() else { return Pause::Exhausted };
        self.expanded_limit = self.counts.expanded.saturating_add(fuel);
        let into_last = self.pause == Pause::Fuel;
        let mut trail = std::mem::take(&mut self.trail);
        let stopped = self.resume(&mut work, root, &mut trail, into_last);
        // `resume` used the trail up. The trail of this stop is in `self.trail`.
        if stopped {
            self.loaded = Some((work, root));
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

/// The result of an operator.
enum Taken<N, A> {
    /// A child within the bound. The working copy is the child.
    Child(Place<N, A>),
    /// A goal. The working copy is the goal.
    Goal(Place<N, A>),
    /// A child that was cut. The working copy is unchanged.
    Cut,
}

impl<D: Domain, H: InPlace<D>, P: Pruning<D>> Problem<'_, D, H, P> {
    /// Makes and counts the child of an operator, unless it is cut.
    #[inline(always)]
    fn generate(
        &self,
        work: &mut H::Work,
        place: &At<D, H, P>,
        ready: &H::Ready,
        op: Op,
        sums: &mut Sums,
    ) -> Taken<H::Note, P::State> {
        let Problem { domain, heuristic, step, .. } = *self;
        let cost = domain.cost(op);
        if cost > place.remaining {
            sums.cut(cost - place.remaining);
            return Taken::Cut;
        }
        let remaining = place.remaining - cost;
        let Some(at) = self.follow(place.at, op, remaining) else { return Taken::Cut };
        sums.generated += 1;
        match heuristic.step(domain, work, &place.note, ready, op, remaining) {
            Ok(note) if heuristic.is_goal(domain, work) => {
                Taken::Goal(Place { note, at, remaining })
            }
            Ok(_) if remaining == 0 => {
                sums.cut(step);
                heuristic.undo(domain, work, op);
                Taken::Cut
            }
            Ok(note) => Taken::Child(Place { note, at, remaining }),
            Err(h) => {
                sums.cut(h - remaining);
                Taken::Cut
            }
        }
    }

    /// [`Problem::generate`] off the hot path, where one copy of the code is enough.
    #[inline(never)]
    fn generate_seldom(
        &self,
        work: &mut H::Work,
        place: &At<D, H, P>,
        ready: &H::Ready,
        op: Op,
        sums: &mut Sums,
    ) -> Taken<H::Note, P::State> {
        self.generate(work, place, ready, op, sums)
    }

    /// The operators that make children, including those into dead ends of the pruning.
    #[inline(always)]
    fn operators(&self, work: &H::Work, at: P::State) -> D::Ops {
        let applicable = self.heuristic.applicable(self.domain, work);
        self.domain.restrict(applicable.and(self.pruning.allowed(self.domain, at)))
    }
}

impl<D: Domain, H: InPlace<D>, P: Pruning<D>> InPlaceExpander<'_, D, H, P> {
    /// Walks down the trail without counting, searches at its end, and then behind it at each level.
    /// `into_last`: the last node of the trail is not expanded yet; otherwise it was a goal.
    fn resume(
        &mut self,
        work: &mut H::Work,
        mut place: At<D, H, P>,
        trail: &mut Vec<Op>,
        into_last: bool,
    ) -> bool {
        let Some(op) = trail.pop() else { return self.descend(work, place) };
        let space = self.space;
        let Problem { domain, heuristic, .. } = space;
        let ready = heuristic.ready(domain, work, &mut place.note, place.remaining);
        if into_last || !trail.is_empty() {
            let mut ignored = Sums::NONE;
            let taken = space.generate_seldom(work, &place, &ready, op, &mut ignored);
            let Taken::Child(child) = taken else {
                unreachable!("this operator led to a child before")
            };
            let stopped = self.resume(work, child, trail, into_last);
            heuristic.undo(domain, work, op);
            if stopped {
                self.trail.push(op);
                return true;
            }
        }
        let mut behind = space.operators(work, place.at).minus(D::Ops::first(op.index() + 1));
        let (mut sums, mut stopped) = (Sums::NONE, false);
        while !stopped && let Some(op) = behind.pop() {
            let taken = space.generate_seldom(work, &place, &ready, op, &mut sums);
            stopped = self.go_down(work, op, taken);
        }
        self.counts.add(sums.counts());
        stopped
    }

    /// Expands a node. True: stopped; `self.pause` says why, and the trail where.
    fn descend(&mut self, work: &mut H::Work, mut place: At<D, H, P>) -> bool {
        if self.counts.expanded >= self.expanded_limit {
            self.pause = Pause::Fuel;
            return true;
        }
        self.counts.expanded += 1;
        let Problem { domain, heuristic, .. } = self.space;
        let ready = heuristic.ready(domain, work, &mut place.note, place.remaining);
        let todo = self.space.operators(work, place.at);
        self.children_of(work, &place, &ready, todo)
    }

    /// The hot loop: generates the children of a node in operator order. True: stopped.
    #[inline(always)]
    fn children_of(
        &mut self,
        work: &mut H::Work,
        place: &At<D, H, P>,
        ready: &H::Ready,
        mut todo: D::Ops,
    ) -> bool {
        let mut sums = Sums::NONE;
        let mut stopped = false;
        for op in todo.members() {
            self.space.heuristic.prefetch(self.space.domain, work, ready, op);
        }
        if D::UNROLL {
            // The operator is a constant in each copy of the code.
            macro_rules! child {
                ($op:literal) => {
                    todo.contains(Op($op)) && self.child(work, place, ready, Op($op), &mut sums)
                };
            }
            stopped = child!(0) || child!(1) || child!(2) || child!(3);
        } else {
            while !stopped && let Some(op) = todo.pop() {
                stopped = self.child(work, place, ready, op, &mut sums);
            }
        }
        self.counts.add(sums.counts());
        stopped
    }

    /// Makes a child, searches below it unless it is cut, and undoes it. True: stopped.
    #[inline(always)]
    fn child(
        &mut self,
        work: &mut H::Work,
        place: &At<D, H, P>,
        ready: &H::Ready,
        op: Op,
        sums: &mut Sums,
    ) -> bool {
        let taken = self.space.generate(work, place, ready, op, sums);
        self.go_down(work, op, taken)
    }

    /// Goes down to a child unless it was cut, and takes it back. True: stopped.
    #[inline(always)]
    fn go_down(&mut self, work: &mut H::Work, op: Op, taken: Taken<H::Note, P::State>) -> bool {
        let stopped = match taken {
            Taken::Cut => return false,
            Taken::Child(child) => self.descend(work, child),
            Taken::Goal(_) => {
                self.pause = Pause::Goal;
                true
            }
        };
        self.space.heuristic.undo(self.space.domain, work, op);
        if stopped {
            self.trail.push(op);
        }
        stopped
    }
}
