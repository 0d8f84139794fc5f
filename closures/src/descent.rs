//! The depth-first search below a bound, as a recursion that calls the closures.
//!
//! Each expanded state costs one call of `successors`. Each child costs one call of `heuristic`,
//! unless it is the state that the path came from. The search uses each list as the closure returns
//! it. The list lives on the stack, and only the closures allocate. A list of our own, to look at
//! all children together, would cost more than it gains. Only lists that the memory reorders and
//! very large lists go to the heap. The search never asks for a list twice. So lists may come in
//! another order each time.
//!
//! # States on the path
//! Every step costs at least 1, so no cheapest plan passes a state twice. So the search may cut a
//! child that is already on the path. It always compares a child with the state before its parent.
//! To compare it with the whole path is more expensive:
//! - Usually every state checks the whole path.
//! - In a *hopeful* iteration only every 16th state does. An iteration is hopeful if the one before
//!   was large, at least twice as large as its predecessor, and met hardly any state twice.
//!
//! A finite graph has finitely many paths without repetition, so iterations cannot double for ever.
//! If there is no goal, an iteration comes in which all states check the path and the bound cuts
//! nothing. Then the search ends.

use super::answer::StatePath;
use super::costs;
use super::error::ClosureError;
use super::memory::{Advice, Memory, Settings};
use super::space::StateSpace;
use super::table::Note;
use search::{Cost, Op, Plan, Start};
use std::hash::Hash;

/// The number of expanded states between two checks of the limits. It is small, because a closure
/// may be slow.
pub(super) const FUEL: u64 = 1 << 8;
/// An iteration that expands fewer states is small.
const SMALL: u64 = 1 << 12;
/// Repeats are rare if fewer than one of this many path checks finds the state on its path.
const RARE: u64 = 1 << 8;
/// Maximum size in bytes of a list and a child that a level of the recursion may hold on the stack.
/// Larger lists go to the heap.
const LARGE: usize = 1 << 10;

/// The search below a bound: see the [module](self).
pub(super) struct Descent<N, T> {
    space: T,
    /// A child is compared with its whole path if the number of expanded states has none of these
    /// bits set.
    path_check_mask: u64,
    /// The number of checks of the whole path in this iteration.
    path_checks: u64,
    /// The number of these checks that found the state on the path.
    repeats: u64,
    counts: SweepCounts,
    /// The number of expanded states at which to pause next.
    pause_at: u64,
    /// A pause checks the limits from this number of expanded states on.
    check_limits_at: u64,
    /// The least estimate among a state and the looked up states below it. The state is the last
    /// one on the path that will get a note.
    least: Cost,
    memory: Memory<N>,
    /// The error that ended the search.
    pub(super) refused: Option<ClosureError>,
}

/// The counts of one iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SweepCounts {
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The least excess over the bound among all cuts; `None` if nothing was cut.
    pub(super) over: Option<Cost>,
}

impl SweepCounts {
    /// Records a cut of a state that costs at least `over` more than the bound.
    #[inline(always)]
    fn cut(&mut self, over: Cost) {
        self.over = Some(self.over.map_or(over, |least| least.min(over)));
    }
}

/// A state on the path, linked to the state before it.
struct Link<'l, N> {
    state: &'l N,
    estimate: Cost,
    /// The position of the state in the list of successors of the state before it.
    op: Op,
    before: Option<&'l Link<'l, N>>,
}

/// The task of one iteration, and the paths that it finds.
pub(super) struct Round<'r, N> {
    pub(super) bound: Cost,
    /// The number of paths that ends the iteration.
    pub(super) wanted: usize,
    pub(super) paths: Vec<StatePath<N, Cost>>,
    pub(super) plans: Vec<Plan>,
    /// Called now and then with the number of generated states. Returns whether to stop.
    pub(super) stop: &'r mut dyn FnMut(u64) -> bool,
}

impl<N: Clone> Round<'_, N> {
    /// Stores the path that ends here. Returns whether there are enough paths.
    ///
    /// Never inlined into the recursion, because it may hold a copy of a state on the stack.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, end: &Link<N>, remaining: Cost) -> bool {
        self.plans.push(end.operators());
        self.paths.push(StatePath { states: end.states(), cost: self.bound - remaining });
        self.plans.len() >= self.wanted
    }
}

impl<N: Clone + Eq + Hash, T: StateSpace<N>> Descent<N, T> {
    pub(super) fn new(space: T, settings: Settings) -> Self {
        Self {
            space,
            path_check_mask: 0,
            path_checks: 0,
            repeats: 0,
            counts: SweepCounts::default(),
            pause_at: 0,
            check_limits_at: 0,
            least: Cost::MAX,
            memory: Memory::new(settings),
            refused: None,
        }
    }

    /// What the closures say of the start.
    pub(super) fn first(&mut self, start: &N) -> Start {
        if self.space.is_goal(start) {
            return Start::Goal;
        }
        match costs::estimate(self.space.estimate(start)) {
            Some(Cost::MAX) => Start::DeadEnd,
            Some(estimate) => Start::Bound(estimate),
            None => {
                self.refused = Some(ClosureError::Estimate { depth: 0, position: 0 });
                Start::Bound(0)
            }
        }
    }

    /// Searches everything within the bound of `round`, until it finds enough paths or has to stop.
    /// The start must not be a goal.
    pub(super) fn sweep(
        &mut self,
        start: &N,
        estimate: Cost,
        round: &mut Round<'_, N>,
    ) -> SweepCounts {
        let before = std::mem::take(&mut self.counts).expanded;
        (self.path_checks, self.repeats) = (0, 0);
        (self.pause_at, self.check_limits_at) = (0, FUEL);
        self.memory.begin(before);
        let start = Link { state: start, estimate, op: Op(0), before: None };
        if round.bound == 0 {
            self.counts.cut(1);
        } else {
            self.enter(&start, round.bound, round);
        }
        let expanded = self.counts.expanded;
        let hope = expanded >= SMALL.max(2 * before) && self.repeats * RARE < self.path_checks;
        self.path_check_mask = if hope { 15 } else { 0 };
        self.counts
    }

    /// Searches below the end of the path. If the memory wants the state, looks it up first.
    /// Returns whether to stop.
    #[inline(always)]
    fn enter(&mut self, at: &Link<N>, remaining: Cost, round: &mut Round<'_, N>) -> bool {
        if self.memory.wants(remaining, at.estimate) {
            return self.enter_noted(at, remaining, round);
        }
        self.descend(at, remaining, false, round)
    }

    /// Searches below the end of the path, unless a note cuts it. Then notes the result of the
    /// search. Returns whether to stop.
    #[inline(never)]
    fn enter_noted(&mut self, at: &Link<N>, remaining: Cost, round: &mut Round<'_, N>) -> bool {
        let advice = self.memory.look_up(at.state, remaining, &mut self.least);
        let Advice::Expand { hash, in_order } = advice else {
            return false;
        };
        let least = std::mem::replace(&mut self.least, at.estimate);
        let (expanded, plans) = (self.counts.expanded, round.plans.len());
        if self.descend(at, remaining, in_order, round) {
            return true;
        }
        if round.plans.len() == plans {
            let size = u32::try_from(self.counts.expanded - expanded).unwrap_or(u32::MAX);
            let note = Note { remaining, least: self.least, size };
            self.memory.remember(hash, at.state, note);
        }
        self.least = self.least.min(least);
        false
    }

    /// Samples the slack of a state for the memory. Now and then checks the limits, and whether
    /// notes pay. Returns whether to stop.
    #[inline(never)]
    fn pause(&mut self, slack: Cost, round: &mut Round<'_, N>) -> bool {
        self.memory.sample(slack);
        // About one state of 32 is sampled. Steps of equal length would resonate with a regular
        // tree.
        self.pause_at += 1 + (self.pause_at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58);
        if self.counts.expanded < self.check_limits_at {
            return false;
        }
        self.check_limits_at += FUEL;
        self.memory.judge(self.counts.expanded);
        (round.stop)(self.counts.generated)
    }

    /// Expands the state at the end of the path. If `in_order` is true, its children come in the
    /// order of the notes, otherwise in that of the list. Returns whether to stop.
    fn descend(
        &mut self,
        at: &Link<N>,
        remaining: Cost,
        in_order: bool,
        round: &mut Round<'_, N>,
    ) -> bool {
        if self.counts.expanded >= self.pause_at && self.pause(remaining - at.estimate, round) {
            return true;
        }
        self.counts.expanded += 1;
        if size_of::<<T::Successors as IntoIterator>::IntoIter>() + size_of::<(N, T::Cost)>()
            > LARGE
        {
            let mut list = collect(&mut self.space, at.state);
            if in_order {
                self.memory.put_in_order(&mut list);
            }
            return self.generate_all(at, &list, remaining, round);
        }
        // This is the only call for small lists, so the compiler inlines the closure here.
        let list = self.space.successors(at.state);
        if in_order {
            let mut list = list.into_iter().enumerate().collect::<Vec<_>>();
            self.memory.put_in_order(&mut list);
            return self.generate_all(at, &list, remaining, round);
        }
        for (position, (state, cost)) in list.into_iter().enumerate() {
            if self.generate(at, position, &state, cost, remaining, round) {
                return true;
            }
        }
        false
    }

    /// Generates the children in `list`, each with its position in the list that the closure
    /// returned. Returns true if the search must stop.
    #[inline(never)]
    fn generate_all(
        &mut self,
        at: &Link<N>,
        list: &[(usize, (N, T::Cost))],
        remaining: Cost,
        round: &mut Round<'_, N>,
    ) -> bool {
        let mut list = list.iter();
        list.any(|(position, (state, cost))| {
            self.generate(at, *position, state, *cost, remaining, round)
        })
    }

    /// Generates a child, and cuts it or searches below it. Returns whether to stop.
    #[inline(always)]
    fn generate(
        &mut self,
        at: &Link<N>,
        position: usize,
        state: &N,
        cost: T::Cost,
        remaining: Cost,
        round: &mut Round<'_, N>,
    ) -> bool {
        let Some(step) = costs::step(cost) else {
            return self.refuse(ClosureError::step(at.depth() + 1, position, cost));
        };
        if at.before.is_some_and(|before| before.state == state) {
            return false;
        }
        let Some(estimate) = costs::estimate(self.space.estimate(state)) else {
            return self.refuse(ClosureError::Estimate { depth: at.depth() + 1, position });
        };
        self.counts.generated += 1;
        let f = u16::from(step) + u16::from(estimate);
        if f > u16::from(remaining) {
            // No plan starts at a dead end, so no bound lets it pass.
            if estimate != Cost::MAX {
                self.counts.cut(costs::over(f - u16::from(remaining)));
            }
            return false;
        }
        let Ok(op) = u16::try_from(position) else {
            return self.refuse(ClosureError::Long { depth: at.depth() + 1 });
        };
        let (link, remaining) =
            (Link { state, estimate, op: Op(op), before: Some(at) }, remaining - step);
        if self.space.is_goal(state) {
            return round.keep(&link, remaining);
        }
        if remaining == 0 {
            self.counts.cut(1);
            return false;
        }
        if self.counts.expanded & self.path_check_mask == 0 && self.is_on_path(&link) {
            return false;
        }
        self.enter(&link, remaining, round)
    }

    /// Whether the state of a link also occurs earlier on its path.
    fn is_on_path(&mut self, link: &Link<N>) -> bool {
        self.path_checks += 1;
        let mut before = link.before;
        while let Some(earlier) = before {
            // Equal states have equal estimates, so few states need a comparison.
            if earlier.estimate == link.estimate && earlier.state == link.state {
                self.repeats += 1;
                return true;
            }
            before = earlier.before;
        }
        false
    }

    #[cold]
    fn refuse(&mut self, refused: ClosureError) -> bool {
        self.refused = Some(refused);
        true
    }
}

/// Collects a list of successors with their positions on the heap, so that nothing of it stays on
/// the stack.
#[inline(never)]
fn collect<N, T: StateSpace<N>>(space: &mut T, state: &N) -> Vec<(usize, (N, T::Cost))> {
    space.successors(state).into_iter().enumerate().collect()
}

impl<N: Clone> Link<'_, N> {
    /// The links from the end of the path to its start.
    fn backwards(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |link| link.before)
    }

    /// The number of steps from the start.
    #[cold]
    fn depth(&self) -> usize {
        self.backwards().count() - 1
    }

    fn states(&self) -> Vec<N> {
        let mut states: Vec<N> = self.backwards().map(|link| link.state.clone()).collect();
        states.reverse();
        states
    }

    fn operators(&self) -> Plan {
        let mut operators: Plan = self.backwards().map(|link| link.op).collect();
        operators.pop();
        operators.reverse();
        operators
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A binary tree of 15 levels without a goal. Its first leaf leads back to the root.
    fn tree(&node: &u32) -> Vec<(u32, u8)> {
        match node {
            0x4000 => vec![(1, 1)],
            0x4001.. => vec![],
            _ => vec![(2 * node, 1), (2 * node + 1, 1)],
        }
    }

    #[test]
    fn hope_ends_where_a_search_stops_growing() {
        let mut search = Descent::new(
            crate::space::Closures(tree, |_: &u32| 0u8, |_: &u32| false),
            Settings::DEFAULT,
        );
        let mut hopeful = Vec::new();
        for bound in 1..=30 {
            let hope = search.path_check_mask != 0;
            let mut go_on = |_| false;
            let (paths, plans) = (Vec::new(), Vec::new());
            let mut round = Round { bound, wanted: 1, paths, plans, stop: &mut go_on };
            let counts = search.sweep(&1, 0, &mut round);
            let states = (1 << bound.min(15)) - 1;
            if hope {
                // Without a check the search meets the root again, and all states below it.
                hopeful.push(bound);
                assert!(counts.expanded >= states, "{bound}");
            } else {
                assert_eq!(counts.expanded, states, "{bound}");
            }
            if counts.over.is_none() {
                assert_eq!((hope, search.path_checks > 0, search.repeats), (false, true, 1));
                assert!(hopeful.starts_with(&[14, 15]) && hopeful.len() < 6, "{hopeful:?}");
                return;
            }
        }
        panic!("the search did not end");
    }

    #[test]
    fn large_states_are_searched_on_the_heap_with_the_same_counts() {
        // Pairs of numbers in a grid; `other` makes the states small or large.
        fn around<S: Clone>(at: &(i64, i64, S)) -> [((i64, i64, S), u32); 4] {
            let (x, y, other) = at;
            [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(dx, dy)| ((x + dx, y + dy, other.clone()), 1))
        }
        fn run<S: Clone + Eq + Hash>(other: S, settings: Settings) -> (u32, u64, u64) {
            let far = |at: &(i64, i64, S)| (at.0.abs_diff(5) + at.1.abs_diff(4)) / 3;
            let is_goal = |at: &(i64, i64, S)| (at.0, at.1) == (5, 4);
            let far = |at: &(i64, i64, S)| u32::try_from(far(at)).unwrap_or(0);
            let start = (0, 0, other);
            let mut search = crate::ClosureSearch::new(&start, around, far, is_goal);
            search.settings = settings;
            let answer = search.ida_star().unwrap();
            let path = answer.path().unwrap();
            assert_eq!(path.states.len(), 10);
            (path.cost, answer.report.generated(), answer.report.expanded())
        }
        // Both tables hold all notes.
        for settings in [Settings::DEFAULT, Settings::ALL] {
            let small = run((), settings);
            assert_eq!(small, run([7u64; 100], settings));
            assert_eq!(small.0, 9);
        }
        // 150 steps of 16 KiB each need no deep stack.
        let long = |&(n, other): &(u32, [u64; 2048])| [((n + 1, other), 1u32)];
        let answer = crate::idastar(&(0, [1; 2048]), long, |at| 150 - at.0, |at| at.0 == 150);
        assert_eq!(answer.unwrap().unwrap().1, 150);
    }
}
