//! The loop of the best-first searches.

use super::order::Order;
use crate::control::{Limit, Options, Outcome, Report, raise_to_parity};
use crate::domain::{Cost, OpSet, Packed};
use crate::heuristic::Heuristic;
use crate::stored::open::Open;
use crate::stored::reached::{NodeRecord, Reached};
use crate::stored::run::{Halt, Run};
use crate::stored::store::Full;
use crate::{Op, Plan};

pub(super) struct Search<'a, D: Packed, H> {
    domain: &'a D,
    heuristic: &'a H,
    order: Order,
    reached: Reached<D::Key>,
    open: Open,
    /// The `f` of the state that was taken from the open list and is not yet expanded completely.
    current: Option<u16>,
    /// The least `f` of a state that was cut because its `f` exceeds the most that a plan may cost;
    /// `None` if no state was cut.
    cut: Option<u16>,
    run: Run<'a>,
}

impl<'a, D: Packed, H: Heuristic<D>> Search<'a, D, H> {
    pub(super) fn new(
        domain: &'a D,
        heuristic: &'a H,
        start: &D::State,
        options: &'a Options<'a>,
        order: Order,
    ) -> Self {
        Self {
            domain,
            heuristic,
            order,
            reached: Reached::new(),
            open: Open::new(),
            current: None,
            cut: None,
            run: Run::new(options, heuristic.estimate(domain, start)),
        }
    }

    pub(super) fn run(mut self, start: &D::State) -> Report {
        let end = self.search(start);
        self.prove();
        self.run.lower_bound = raise_to_parity(self.domain, start, self.run.lower_bound);
        let mut optimal = self.order.reopens();
        let outcome = match end {
            Ok(Some(index)) => {
                let mut path: Plan = self.reached.steps_back(index).collect();
                path.reverse();
                let cost: usize = path.iter().map(|&op| usize::from(self.domain.cost(op))).sum();
                optimal = cost <= usize::from(self.run.lower_bound);
                Outcome::Solved(vec![self.domain.to_plan(&path)])
            }
            Ok(None) if self.cut.is_some() => Outcome::LimitReached(Limit::Bound),
            Ok(None) => Outcome::Unsolvable,
            Err(halt) => halt.into(),
        };
        self.run.report(outcome, optimal)
    }

    /// Expands states until it takes a goal, whose index it returns, or no state is left.
    fn search(&mut self, start: &D::State) -> Result<Option<u32>, Halt> {
        let (mut state, mut child) = (start.clone(), start.clone());
        if self.run.most.is_none() && !self.domain.is_goal(start) {
            self.cut = Some(0);
            return Ok(None);
        }
        let h = self.heuristic.estimate(self.domain, start);
        self.insert(self.domain.pack(start), NodeRecord { parent: 0, op: Op(0), g: 0, h })?;
        while let Some((first, second, index)) = self.open.pop() {
            let NodeRecord { g, h, .. } = self.reached.record(index);
            // This entry is outdated: the search has reached the state more cheaply since then.
            // Each push of a state has a smaller `g`, so only one entry has the current `g`. So no
            // state is expanded twice at one `g`.
            if usize::from(g) != self.order.g(first, second) {
                continue;
            }
            self.current = Some(u16::from(g) + u16::from(h));
            self.domain.unpack(self.reached.key(index), &mut state);
            if self.domain.is_goal(&state) {
                return Ok(Some(index));
            }
            if self.run.due() {
                self.prove();
                self.run.look(None)?;
            }
            self.expand(index, g, &state, &mut child)?;
            self.current = None;
        }
        Ok(None)
    }

    fn expand(
        &mut self,
        parent: u32,
        g: Cost,
        state: &D::State,
        child: &mut D::State,
    ) -> Result<(), Full> {
        self.run.expanded += 1;
        let Self { domain, heuristic, .. } = *self;
        let mut carry = heuristic.root(domain, state);
        heuristic.bound(domain, state, &mut carry, Cost::MAX);
        for op in domain.restrict(domain.applicable(state)).members() {
            domain.apply_into(state, op, child);
            self.run.generated += 1;
            let g = u16::from(g) + u16::from(domain.cost(op));
            let key = domain.pack(child);
            match self.reached.find(key) {
                Some(known) => {
                    let old = self.reached.record(known);
                    if self.order.reopens() && g < u16::from(old.g) {
                        let g = old.g.min(Cost::try_from(g).unwrap_or(Cost::MAX));
                        *self.reached.record_mut(known) = NodeRecord { parent, op, g, h: old.h };
                        self.push(known, g, old.h)?;
                    }
                }
                None => {
                    let mut carry = heuristic.child(domain, state, &carry, op, child);
                    let h = heuristic.bound(domain, child, &mut carry, Cost::MAX).h;
                    let f = g + u16::from(h);
                    if self.run.most.is_none_or(|most| f > u16::from(most)) {
                        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
                    } else {
                        #[expect(clippy::cast_possible_truncation, reason = "at most `f`")]
                        self.insert(key, NodeRecord { parent, op, g: g as Cost, h })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores a new state and opens it.
    fn insert(&mut self, key: D::Key, record: NodeRecord) -> Result<(), Full> {
        let index = self.reached.insert(key, record, &self.run.budget)?;
        self.push(index, record.g, record.h)
    }

    fn push(&mut self, index: u32, g: Cost, h: Cost) -> Result<(), Full> {
        let (first, second) = self.order.priorities(g, h);
        self.open.push(first, second, index, &self.run.budget)
    }

    /// Raises the proven lower bound to the least `f` of the states whose children are not all
    /// generated: the open states, the current one, and those that were cut.
    fn prove(&mut self) {
        if !self.order.reopens() {
            return;
        }
        let mut least = self.current.into_iter().chain(self.cut).min().map(usize::from);
        for (first, second, bucket) in self.open.buckets() {
            let g = self.order.g(first, second);
            // In this order, the second priority is `h`.
            let f = g + second;
            let fresh = |&index: &u32| usize::from(self.reached.record(index).g) == g;
            if least.is_none_or(|least| f < least) && bucket.iter().any(fresh) {
                least = Some(f);
            }
        }
        if let Some(least) = least {
            let least = Cost::try_from(least).unwrap_or(Cost::MAX);
            self.run.lower_bound = self.run.lower_bound.max(least);
        }
    }
}
