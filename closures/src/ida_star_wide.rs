//! Iterative deepening with costs of any integer type, zero included.
//!
//! The path lies on the heap, so plans may have any number of steps. A child that is on the path
//! already is cut: some cheapest plan passes no state twice, also where steps cost 0. There is no
//! table of other states. Why `ida_star` may have one rests on steps that cost at least 1.
//!
//! # Bounds
//! With great costs, an iteration for each value of `f` would be too many. So a bound rises until
//! it admits as many cut nodes as the iteration expanded, by powers of two of the excess. An
//! iteration that finds a plan goes on below its cost, so the last plan is a cheapest one.
//!
//! Source: U. K. Sarkar, P. P. Chakrabarti, S. Ghose and S. C. De Sarkar, "Reducing reexpansions in
//! iterative-deepening search by controlling cutoff bounds", Artificial Intelligence 50, 1991.

use super::answer::{ClosureAnswer, StatePath};
use super::descent::FUEL;
use super::error::ClosureError;
use super::space::StateSpace;
use hashbrown::HashTable;
use num_traits::{Bounded, PrimInt, Saturating, ToPrimitive, Zero};
use rustc_hash::FxBuildHasher;
use search::{Op, Options, Start, Sweep, deepen};
use std::hash::{BuildHasher, Hash};
use std::iter::Enumerate;

/// A state on the path, and those of its successors that are left.
struct Frame<N, C, L> {
    state: N,
    hash: u64,
    /// The cost from the start.
    g: C,
    op: Op,
    list: Enumerate<L>,
}

/// The path, and what the running iteration has found.
struct WideSearch<N, T: StateSpace<N>> {
    space: T,
    path: Vec<Frame<N, T::Cost, <T::Successors as IntoIterator>::IntoIter>>,
    /// The positions of the states on the path.
    places: HashTable<usize>,
    wanted: usize,
    /// No plan costs less.
    lower_bound: T::Cost,
    bound: T::Cost,
    /// The most that a plan may cost by now: the bound, or less if there is a plan.
    limit: T::Cost,
    found: Sweep<T::Cost>,
    paths: Vec<StatePath<N, T::Cost>>,
    /// `excesses[b]` counts the cut nodes whose excess over the bound has `b` bits.
    excesses: [u64; 129],
}

/// Runs iterations until there is a cheapest plan, none, or a limit.
pub(super) fn run<N: Clone + Eq + Hash, T: StateSpace<N, Cost: PrimInt>>(
    start: &N,
    mut space: T,
    options: &Options<'_, T::Cost>,
) -> Result<ClosureAnswer<N, T::Cost>, ClosureError> {
    let (mut first, mut paths, mut known) = (T::Cost::zero(), Vec::new(), Start::Goal);
    if space.is_goal(start) {
        paths.push(StatePath { states: vec![start.clone()], cost: first });
    } else {
        first = space.estimate(start).max(first);
        known = if first == T::Cost::max_value() { Start::DeadEnd } else { Start::Bound(first) };
    }
    let mut search = WideSearch {
        space,
        path: Vec::new(),
        places: HashTable::new(),
        wanted: options.plans.max(1),
        lower_bound: first.max(options.lower_bound),
        bound: first,
        limit: first,
        found: Sweep::nothing(0, 0),
        paths,
        excesses: [0; 129],
    };
    let mut refused = None;
    let report = deepen(known, options, |bound, stop| {
        // A sweep without cuts and plans ends the iterations. Their report is then dropped.
        search.sweep(start, bound, stop).unwrap_or_else(|error| {
            refused = Some(error);
            Sweep::nothing(0, 0)
        })
    });
    match refused {
        Some(error) => Err(error),
        None => Ok(ClosureAnswer { paths: search.paths, report }),
    }
}

impl<N, T> WideSearch<N, T>
where
    N: Clone + Eq + Hash,
    T: StateSpace<N, Cost: PrimInt>,
{
    /// Searches everything within a bound, until it knows a cheapest plan or has to stop.
    fn sweep(
        &mut self,
        start: &N,
        bound: T::Cost,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Sweep<T::Cost>, ClosureError> {
        (self.bound, self.limit) = (bound, bound);
        self.found = Sweep::nothing(0, 0);
        self.excesses.fill(0);
        self.expand(start.clone(), FxBuildHasher.hash_one(start), T::Cost::zero(), Op(0));
        while let Some(end) = self.path.last_mut() {
            let ended = match end.list.next() {
                Some((position, (state, cost))) => self.generate(position, state, cost, stop)?,
                None => {
                    self.leave();
                    false
                }
            };
            if ended {
                while self.leave() {}
            }
        }
        self.found.next = self.next_bound();
        if let Some(least) = self.found.least {
            self.lower_bound = least.max(self.lower_bound);
        }
        Ok(std::mem::replace(&mut self.found, Sweep::nothing(0, 0)))
    }

    /// Takes up a successor of the end of the path. Returns whether to end the iteration.
    fn generate(
        &mut self,
        position: usize,
        state: N,
        cost: T::Cost,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<bool, ClosureError> {
        let depth = self.path.len();
        let op = u16::try_from(position).map_err(|_| ClosureError::Long { depth })?;
        if cost < T::Cost::zero() {
            let cost = cost.to_f64().unwrap_or(f64::NAN);
            return Err(ClosureError::Negative { depth, position, cost });
        }
        self.found.generated += 1;
        let hash = FxBuildHasher.hash_one(&state);
        if self.places.find(hash, |&place| self.path[place].state == state).is_some() {
            return Ok(false);
        }
        let h = self.space.estimate(&state).max(T::Cost::zero());
        if h == T::Cost::max_value() {
            return Ok(false);
        }
        let g = self.path[depth - 1].g.saturating_add(cost);
        let f = g.saturating_add(h);
        if f > self.limit {
            self.cut(f);
            return Ok(false);
        }
        if self.space.is_goal(&state) {
            return Ok(self.keep(state, g, Op(op)));
        }
        self.expand(state, hash, g, Op(op));
        Ok(self.found.expanded.is_multiple_of(FUEL) && stop(self.found.generated))
    }

    /// Puts a state at the end of the path.
    fn expand(&mut self, state: N, hash: u64, g: T::Cost, op: Op) {
        self.found.expanded += 1;
        let list = self.space.successors(&state).into_iter().enumerate();
        let path = &self.path;
        self.places.insert_unique(hash, path.len(), |&place| path[place].hash);
        self.path.push(Frame { state, hash, g, op, list });
    }

    /// Removes the end of the path. Returns whether there was one.
    fn leave(&mut self) -> bool {
        let Some(Frame { hash, .. }) = self.path.pop() else { return false };
        let left = self.path.len();
        if let Ok(entry) = self.places.find_entry(hash, |&place| place == left) {
            entry.remove();
        }
        true
    }

    /// Notes a cut of a state whose plans cost at least `f`.
    fn cut(&mut self, f: T::Cost) {
        // Below the cost of a plan, cuts say nothing of the next bound.
        if f > self.bound {
            self.found.least = Some(self.found.least.map_or(f, |least| least.min(f)));
            self.excesses[bits(f - self.bound)] += 1;
        }
    }

    /// Stores the plan to a goal, unless a cheaper one is known. Returns whether there are enough.
    fn keep(&mut self, goal: N, g: T::Cost, op: Op) -> bool {
        if self.found.plans.is_empty() || g < self.found.cost {
            self.found.plans.clear();
            self.paths.clear();
        }
        if self.found.plans.len() < self.wanted {
            let ops = self.path[1..].iter().map(|frame| frame.op);
            self.found.plans.push(ops.chain([op]).collect());
            let states = self.path.iter().map(|frame| frame.state.clone());
            self.paths.push(StatePath { states: states.chain([goal]).collect(), cost: g });
        }
        let cheapest = g <= self.lower_bound;
        (self.found.cost, self.limit) = (g, g);
        if self.wanted == 1 && !cheapest {
            self.limit = g - num_traits::one();
        }
        cheapest && self.found.plans.len() >= self.wanted
    }

    /// The bound that admits as many cut states as this iteration expanded, or all of them.
    fn next_bound(&self) -> T::Cost {
        let (mut admitted, mut length) = (0, 0);
        for (bits, &cut) in self.excesses.iter().enumerate() {
            if cut > 0 && admitted < self.found.expanded {
                (admitted, length) = (admitted + cut, bits);
            }
        }
        let most = T::Cost::max_value();
        match length {
            0 => self.bound,
            length => self.bound.saturating_add(most >> (bits(most) - length)),
        }
    }
}

/// The length of a number that is not negative, in bits.
fn bits<C: PrimInt>(number: C) -> usize {
    (C::zero().leading_zeros() - number.leading_zeros()) as usize
}
