//! Best-first searches that remember every generated state: A*, uniform-cost search and greedy
//! best-first search.
//!
//! **Invariant of A\*.** Every cheapest plan passes an open state whose `g` is the least possible.
//! So the least `f = g + h` on the open list never exceeds the least cost. If the search reaches a
//! closed state more cheaply, it opens the state again. So the invariant also holds if the
//! heuristic is admissible but not consistent.
//!
//! Source: Peter Hart, Nils Nilsson and Bertram Raphael, "A formal basis for the heuristic
//! determination of minimum cost paths", IEEE Transactions on Systems Science and Cybernetics 4(2),
//! 1968.
//!
//! Of states with equal `f`, the search first expands one with the least `h`. Of these, it first
//! expands the one opened last. So it is deterministic. It evaluates the heuristic once for each
//! new state. It evaluates the heuristic again when it expands the state, to compute the data that
//! the children inherit.
//!
//! Time: O(states stored x operators), and more if states are opened again. Memory for each state:
//! - a key, usually 4 to 16 bytes;
//! - 8 bytes for the way to it;
//! - 6 to 12 bytes of table;
//! - 4 to 8 bytes on the open list.

mod open;
#[cfg(test)]
mod tests;

use crate::Plan;
use crate::control::{Iteration, Limit, LimitCheck, Options, Outcome, Report, Stop};
use crate::domain::{Cost, Key, MAX_COST, Op, OpSet, Packed};
use crate::heuristic::{Heuristic, Zero};
use crate::stored::store::{Arena, Budget, Full, Store};
use open::Open;
use std::time::Instant;

/// The search checks its limits when the count of expanded states has none of these bits set: every
/// 2^12 states.
const LOOK: u64 = (1 << 12) - 1;

/// A*: expands the open state with the least `g + h` first. Optimal if the heuristic is admissible.
///
/// It returns one plan and ignores [`Options::plans`]. [`Limits::bytes`](crate::Limits::bytes)
/// covers states, tables and the open list. It does not cover an old table while one of twice the
/// size replaces it.
pub fn a_star<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    start: &D::State,
    options: &Options,
) -> Report {
    Search::new(domain, heuristic, start, options, Order::Cheapest).run(start)
}

/// Uniform-cost search: expands the open state with the least `g` first. Optimal. See [`a_star`]
/// for the options.
///
/// Source: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959.
pub fn uniform_cost<D: Packed>(domain: &D, start: &D::State, options: &Options) -> Report {
    Search::new(domain, &Zero, start, options, Order::Cheapest).run(start)
}

/// Greedy best-first search: expands the open state with the least `h` first, then the least `g`.
///
/// The plan need not be a cheapest one. [`Report::optimal`] is true only if the plan costs as much
/// as the proven lower bound. See [`a_star`] for the options.
pub fn greedy_best_first<D: Packed, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    start: &D::State,
    options: &Options,
) -> Report {
    Search::new(domain, heuristic, start, options, Order::Nearest).run(start)
}

/// Which open state is taken next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// A state with the least `g + h`, and among these with the least `h`.
    Cheapest,
    /// A state with the least `h`, and among these with the least `g`.
    Nearest,
}

/// The cheapest known path to a stored state: its last step. 8 bytes.
#[derive(Clone, Copy)]
struct NodeRecord {
    parent: u32,
    /// The operator from the parent.
    op: Op,
    g: Cost,
    h: Cost,
}

/// Why the search stopped.
enum End {
    Goal(usize),
    Exhausted,
    Full,
    Stop(Stop),
}

impl From<Full> for End {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

struct Search<'a, D: Packed, H> {
    domain: &'a D,
    heuristic: &'a H,
    options: &'a Options<'a>,
    order: Order,
    store: Store<D::Key>,
    reached: Arena<NodeRecord>,
    open: Open,
    budget: Budget,
    /// The most that a plan may cost; `None` if no plan can be cheap enough.
    most: Option<Cost>,
    /// The least `f` of a state that was cut because its `f` exceeds `most`; `None` if no state was
    /// cut.
    cut: Option<u16>,
    generated: u64,
    expanded: u64,
    /// The proven lower bound: the largest `f` expanded so far. For greedy search, the estimate of
    /// the start.
    lower_bound: Cost,
    started: Instant,
}

impl<'a, D: Packed, H: Heuristic<D>> Search<'a, D, H> {
    fn new(
        domain: &'a D,
        heuristic: &'a H,
        start: &D::State,
        options: &'a Options<'a>,
        order: Order,
    ) -> Self {
        Self {
            domain,
            heuristic,
            options,
            order,
            store: Store::new(),
            reached: Arena::new(),
            open: Open::new(),
            budget: Budget::new(options.limits.bytes),
            most: options.most(1).map(|most| most.min(MAX_COST)),
            cut: None,
            generated: 0,
            expanded: 0,
            lower_bound: heuristic.estimate(domain, start).max(options.lower_bound),
            started: Instant::now(),
        }
    }

    fn run(mut self, start: &D::State) -> Report {
        let end = self.search(start).unwrap_or_else(|end| end);
        let cheapest = self.order == Order::Cheapest;
        let mut optimal = cheapest;
        let outcome = match end {
            End::Goal(index) => {
                let path = self.path(index);
                let cost: usize = path.iter().map(|&op| usize::from(self.domain.cost(op))).sum();
                optimal |= cost == usize::from(self.lower_bound);
                Outcome::Solved(vec![self.domain.to_plan(&path)])
            }
            End::Exhausted => match self.cut {
                Some(f) => {
                    if cheapest {
                        let f = Cost::try_from(f).unwrap_or(Cost::MAX);
                        self.lower_bound = self.lower_bound.max(f);
                    }
                    Outcome::LimitReached(Limit::Bound)
                }
                None => Outcome::Unsolvable,
            },
            End::Full => Outcome::LimitReached(Limit::Bytes),
            End::Stop(stop) => stop.into(),
        };
        let complete = matches!(outcome, Outcome::Unsolvable | Outcome::LimitReached(Limit::Bound));
        let iteration = Iteration {
            bound: self.lower_bound.min(self.most.unwrap_or(0)),
            generated: self.generated,
            expanded: self.expanded,
            complete,
        };
        self.options.observer.iteration(&iteration);
        Report {
            complete: matches!(outcome, Outcome::Solved(_) | Outcome::Unsolvable),
            outcome,
            lower_bound: self.lower_bound,
            optimal,
            iterations: vec![iteration],
            elapsed: self.started.elapsed(),
        }
    }

    fn search(&mut self, start: &D::State) -> Result<End, End> {
        let (mut state, mut child) = (start.clone(), start.clone());
        if self.most.is_none() && !self.domain.is_goal(start) {
            self.cut = Some(0);
            return Ok(End::Exhausted);
        }
        let h = self.heuristic.estimate(self.domain, start);
        self.insert(start, NodeRecord { parent: 0, op: Op(0), g: 0, h })?;
        while let Some((first, second, index)) = self.open.pop() {
            let index = index as usize;
            let NodeRecord { g, h, .. } = self.reached.get(index);
            let pushed = if self.order == Order::Cheapest { first - second } else { second };
            // This entry is outdated: the search has reached the state more cheaply since then.
            // Each push of a state has a smaller `g`, so only one entry has the current `g`. So no
            // state is expanded twice at one `g`.
            if usize::from(g) != pushed {
                continue;
            }
            self.domain.unpack(self.store.key(index), &mut state);
            if self.order == Order::Cheapest {
                self.lower_bound = self.lower_bound.max(g + h);
            }
            if self.domain.is_goal(&state) {
                return Ok(End::Goal(index));
            }
            if self.expanded & LOOK == 0 {
                self.look()?;
            }
            self.expand(index, g, &state, &mut child)?;
        }
        Ok(End::Exhausted)
    }

    fn expand(
        &mut self,
        index: usize,
        g: Cost,
        state: &D::State,
        child: &mut D::State,
    ) -> Result<(), Full> {
        self.expanded += 1;
        let Self { domain, heuristic, .. } = *self;
        let mut carry = heuristic.root(domain, state);
        heuristic.bound(domain, state, &mut carry, Cost::MAX);
        #[expect(clippy::cast_possible_truncation, reason = "the store has 32-bit indices")]
        let parent = index as u32;
        for op in domain.restrict(domain.applicable(state)).members() {
            domain.apply_into(state, op, child);
            self.generated += 1;
            let g = u16::from(g) + u16::from(domain.cost(op));
            let key = domain.pack(child);
            let hash = key.hash();
            match self.store.find(key, hash) {
                Some(known) => {
                    let old = self.reached.get(known);
                    if self.order == Order::Cheapest && g < u16::from(old.g) {
                        let g = old.g.min(Cost::try_from(g).unwrap_or(Cost::MAX));
                        *self.reached.get_mut(known) = NodeRecord { parent, op, g, h: old.h };
                        self.push(known, g, old.h)?;
                    }
                }
                None => {
                    let mut carry = heuristic.child(domain, state, &carry, op, child);
                    let h = heuristic.bound(domain, child, &mut carry, Cost::MAX).h;
                    let f = g + u16::from(h);
                    if self.most.is_none_or(|most| f > u16::from(most)) {
                        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
                    } else {
                        #[expect(clippy::cast_possible_truncation, reason = "at most `f`")]
                        self.insert(child, NodeRecord { parent, op, g: g as Cost, h })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores a new state and opens it.
    fn insert(&mut self, state: &D::State, reached: NodeRecord) -> Result<(), Full> {
        let key = self.domain.pack(state);
        let (index, _) = self.store.insert(key, key.hash(), &self.budget)?;
        self.reached.push(reached, &self.budget)?;
        self.push(index, reached.g, reached.h)
    }

    fn push(&mut self, index: usize, g: Cost, h: Cost) -> Result<(), Full> {
        let (g, h) = (usize::from(g), usize::from(h));
        let (first, second) = match self.order {
            Order::Cheapest => (g + h, h),
            Order::Nearest => (h, g),
        };
        #[expect(clippy::cast_possible_truncation, reason = "the store has 32-bit indices")]
        self.open.push(first, second, index as u32, &self.budget)
    }

    fn look(&self) -> Result<(), End> {
        let check = LimitCheck {
            options: self.options,
            started: self.started,
            before: 0,
            bound: self.lower_bound,
            lower_bound: self.lower_bound,
            upper_bound: self.options.upper_bound,
        };
        check.look(self.generated, (0, 1)).map_or(Ok(()), |stop| Err(End::Stop(stop)))
    }

    /// The operators from the start to a stored state.
    fn path(&self, mut index: usize) -> Plan {
        let mut path = Plan::new();
        while index != 0 {
            let NodeRecord { parent, op, .. } = self.reached.get(index);
            path.push(op);
            index = parent as usize;
        }
        path.reverse();
        path
    }
}
