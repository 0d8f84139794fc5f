//! The one-phase expansion: makes a child, reads its bound and goes down, by recursion.
//!
//! Recursion keeps states and carried data in registers and on the call stack. An explicit stack
//! costs a third more if no latency is to be hidden. When the search stops, each level adds its
//! operator to a list, the *trail*, on its way out. So the search writes the path once per stop,
//! not once per node. To resume, the search applies the operators of the trail again.

use super::{Counts, Expander, Node, Pause, Problem, check_unroll};
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Heuristic, Step};
use crate::pruning::Pruning;

/// The one-phase expansion, see [the module](self).
pub(crate) struct OnePhase<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    space: Problem<'a, D, H, P>,
    root: Option<Node<D, H, P>>,
    counts: Counts,
    /// How many more nodes the search may expand before it stops.
    fuel: u64,
    /// The node where the search stopped: the operators that lead to it from the loaded node, the
    /// last one first.
    trail: Vec<Op>,
    pause: Pause,
    /// Carried data of children, a place for each level. A search takes the first, and passes the
    /// others down. Empty unless the heuristic is evaluated out of line.
    places: Vec<H::Carry>,
}

impl<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> OnePhase<'a, D, H, P> {
    pub(crate) fn new(space: Problem<'a, D, H, P>) -> Self {
        check_unroll(space.domain);
        Self {
            space,
            root: None,
            counts: Counts::ZERO,
            fuel: 0,
            trail: Vec::with_capacity(64),
            pause: Pause::Exhausted,
            places: Vec::new(),
        }
    }
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Expander<D, H, P> for OnePhase<'_, D, H, P> {
    fn load(&mut self, node: Node<D, H, P>) {
        self.root = Some(node);
        self.counts = Counts::ZERO;
        self.trail.clear();
        // The search begins as if the fuel had run out at the loaded node.
        self.pause = Pause::Fuel;
    }

    fn run(&mut self, fuel: u64) -> Pause {
        let Some(root) = self.root.take() else { return Pause::Exhausted };
        self.fuel = fuel;
        let into_last = self.pause == Pause::Fuel;
        let mut trail = std::mem::take(&mut self.trail);
        let mut places = std::mem::take(&mut self.places);
        // Each level spends at least 1 of what remains.
        if const { H::EVALUATION.out_of_line } && places.len() < root.remaining.into() {
            places.resize(root.remaining.into(), root.carry.clone());
        }
        let stopped = self.resume(&root, &mut places, &mut trail, into_last);
        self.places = places;
        self.counts.expanded += fuel - self.fuel;
        // `resume` used the trail up. The trail of this stop is in `self.trail`.
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
    /// Whether the expansion is compiled once for each last operator.
    const UNROLLED: bool = D::UNROLL && !H::EVALUATION.out_of_line;

    /// Resumes a stopped search. Applies the operators of the trail again, without counting, and
    /// searches below its last node. On the way back, each level also searches by the operators
    /// after the one in the trail. `into_last` is true if the last node of the trail is not
    /// expanded yet, and false if it was a goal. Returns true if the search stopped again.
    fn resume(
        &mut self,
        node: &Node<D, H, P>,
        places: &mut [H::Carry],
        trail: &mut Vec<Op>,
        into_last: bool,
    ) -> bool {
        let Node { state, carry, at, excluded, remaining } = node;
        let Some(op) = trail.pop() else {
            return self.descend(Data { state, carry }, places, *excluded, *at, *remaining);
        };
        if into_last || !trail.is_empty() {
            let child = self.child(node, op);
            if self.resume(&child, places, trail, into_last) {
                self.trail.push(op);
                return true;
            }
        }
        let mut ignored = Counts::ZERO;
        let todo = self.space.todo(state, *at, *excluded, &mut ignored);
        let behind = todo.minus(D::Ops::first(op.index() + 1));
        self.expand(Data { state, carry }, places, behind, *at, *remaining)
    }

    /// The child of a node by an operator of the trail.
    fn child(&self, node: &Node<D, H, P>, op: Op) -> Node<D, H, P> {
        let Problem { domain, pruning, .. } = self.space;
        let remaining = node.remaining - domain.cost(op);
        self.space.child(node, op, (remaining, pruning.next(domain, node.at, op))).0
    }

    /// Returns true if the fuel is used up. Otherwise counts an expanded node.
    #[inline(always)]
    fn stops(&mut self) -> bool {
        if self.fuel == 0 {
            self.pause = Pause::Fuel;
            return true;
        }
        self.fuel -= 1;
        false
    }

    /// Expands a node and searches below it. Returns true if the search stopped. Then `self.pause`
    /// says why, and the trail says where.
    #[inline]
    fn descend(
        &mut self,
        node: Data<'_, D, H>,
        places: &mut [H::Carry],
        excluded: D::Ops,
        at: P::State,
        remaining: Cost,
    ) -> bool {
        if self.stops() {
            return true;
        }
        let todo = self.space.todo(node.state, at, excluded, &mut self.counts);
        self.expand(node, places, todo, at, remaining)
    }

    /// The hot loop: generates the children of a node in operator order and searches below them.
    /// Returns true if the search stopped.
    fn expand(
        &mut self,
        node: Data<'_, D, H>,
        places: &mut [H::Carry],
        mut todo: D::Ops,
        at: P::State,
        remaining: Cost,
    ) -> bool {
        // Kept in registers: a sum in memory would make every node wait for the one before.
        let (mut sums, mut stopped) = (Counts::ZERO, false);
        // A state without heap data is made anew for each child. So it stays in registers, and the
        // compiler can delay its making until after the cut. Other states share one place, so that
        // no node allocates. The children of a node also share a place for their carried data, if
        // the heuristic is evaluated out of line.
        let mut state_place = std::mem::needs_drop::<D::State>().then(|| node.state.clone());
        let (mut carry_place, places) = match places.split_first_mut() {
            Some((place, rest)) if const { H::EVALUATION.out_of_line } => (Some(place), rest),
            _ => (None, &mut [][..]),
        };
        while !stopped && let Some(op) = todo.pop() {
            let (mut new_state, mut new_carry);
            let state = match &mut state_place {
                Some(place) => place,
                None => {
                    new_state = node.state.clone();
                    &mut new_state
                }
            };
            let carry = match &mut carry_place {
                Some(place) => &mut **place,
                None => {
                    new_carry = node.carry.clone();
                    &mut new_carry
                }
            };
            let place = Place { state, carry, below: places };
            stopped = self.go_down(node, op, at, remaining, place, &mut sums);
        }
        self.counts.add(sums);
        stopped
    }

    /// Makes a child, and searches below it unless it is cut. Returns true if the search stopped.
    #[inline(always)]
    fn go_down(
        &mut self,
        parent: Data<'_, D, H>,
        op: Op,
        at: P::State,
        remaining: Cost,
        mut place: Place<'_, D, H>,
        sums: &mut Counts,
    ) -> bool {
        let made = self.generate(parent, op, at, remaining, &mut place, sums);
        let Some(Child { at, excluded, remaining, goal }) = made else { return false };
        let Place { state, carry, below } = place;
        if goal {
            self.pause = Pause::Goal;
        }
        let stopped = goal
            || match op.index() {
                0 if Self::UNROLLED => {
                    self.unrolled::<0>(state.clone(), carry.clone(), excluded, at, remaining)
                }
                1 if Self::UNROLLED => {
                    self.unrolled::<1>(state.clone(), carry.clone(), excluded, at, remaining)
                }
                2 if Self::UNROLLED => {
                    self.unrolled::<2>(state.clone(), carry.clone(), excluded, at, remaining)
                }
                3 if Self::UNROLLED => {
                    self.unrolled::<3>(state.clone(), carry.clone(), excluded, at, remaining)
                }
                _ => self.descend(Data { state, carry }, below, excluded, at, remaining),
            };
        if stopped {
            self.trail.push(op);
        }
        stopped
    }

    /// [`OnePhase::descend`] after the operator `LAST`, for [`Domain::UNROLL`].
    ///
    /// Each copy of the loop has constant operators and its own branch history. Operators that
    /// `LAST` forbids are left out at compile time.
    fn unrolled<const LAST: usize>(
        &mut self,
        state: D::State,
        carry: H::Carry,
        excluded: D::Ops,
        at: P::State,
        remaining: Cost,
    ) -> bool {
        if self.stops() {
            return true;
        }
        let Problem { domain, pruning, .. } = self.space;
        let at = pruning.after(domain, Op::new(LAST)).unwrap_or(at);
        let todo = self.space.todo(&state, at, excluded, &mut self.counts);
        let mut sums = Counts::ZERO;
        macro_rules! child {
            ($op:literal) => {
                todo.contains(Op($op)) && {
                    let parent = Data { state: &state, carry: &carry };
                    let (state, carry) = (&mut state.clone(), &mut carry.clone());
                    let place = Place { state, carry, below: &mut [] };
                    self.go_down(parent, Op($op), at, remaining, place, &mut sums)
                }
            };
        }
        let stopped = child!(0) || child!(1) || child!(2) || child!(3);
        self.counts.add(sums);
        stopped
    }

    /// Counts the child of a state and reads its bound. `None` if the child is cut. Else makes the
    /// child and its carried data.
    #[inline(always)]
    fn generate(
        &self,
        parent: Data<'_, D, H>,
        op: Op,
        at: P::State,
        remaining: Cost,
        place: &mut Place<'_, D, H>,
        sums: &mut Counts,
    ) -> Option<Child<D, P>> {
        let Problem { domain, heuristic, pruning, .. } = self.space;
        let (remaining, at) = self.space.enter(at, op, remaining, sums)?;
        if const { H::EVALUATION.out_of_line } {
            // The reads of the heuristic take long enough for this.
            pruning.prefetch(at);
        }
        sums.generated += 1;
        let mut step = Step::new(domain, parent.state, op, place.state);
        let verdict = match heuristic.within(&mut step, parent.carry, place.carry, remaining) {
            Ok(verdict) => verdict,
            Err(h) => {
                sums.cut_by_bound::<D, H>(h, remaining);
                return None;
            }
        };
        let goal = self.space.judge_within(verdict.h, step.child(), remaining, sums)?;
        Some(Child { at, excluded: verdict.excluded, remaining, goal })
    }
}

/// The state and the carried data of a node that is being expanded.
struct Data<'n, D: Domain, H: Heuristic<D>> {
    state: &'n D::State,
    carry: &'n H::Carry,
}

impl<D: Domain, H: Heuristic<D>> Clone for Data<'_, D, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Domain, H: Heuristic<D>> Copy for Data<'_, D, H> {}

/// Where a child is made, and the places for the carried data below it.
struct Place<'p, D: Domain, H: Heuristic<D>> {
    state: &'p mut D::State,
    carry: &'p mut H::Carry,
    below: &'p mut [H::Carry],
}

/// A child within the bound, without its state and carried data.
struct Child<D: Domain, P: Pruning<D>> {
    at: P::State,
    excluded: D::Ops,
    remaining: Cost,
    goal: bool,
}
