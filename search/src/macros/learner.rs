//! The state of the learning: the stored states, the table so far, and the rounds.

use super::order::SerialOrder;
use super::table::{Macro, MacroTable, append};
use crate::Plan;
use crate::control::{Iteration, Limit, Options, SearchState, Stop};
use crate::domain::{Cost, MAX_COST, Op, OpSet, Packed, Reversible};
use crate::stored::{Budget, NodeRecord, Open, StateRecords};
use std::ops::Range;
use std::time::Duration;

/// The number of states that are stored before the first pairs are made.
const FIRST: usize = 1 << 13;
/// Each round stores this many times the states of the round before.
const GROWTH: usize = 8;
/// Bytes that the pairs need for each stored state.
const PAIR_BYTES: usize = 28;
/// The work between two checks of the limits: about as many operators.
const LOOK: usize = 1 << 14;

/// How [`learn_macros`](super::learn_macros) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LearningEnd {
    /// The table is complete.
    Complete,
    /// A limit ended the learning first. The table may lack macros, or have too costly ones.
    LimitReached(Limit),
    /// The caller cancelled the learning.
    Cancelled,
}

/// A learned macro table and the effort of learning it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MacroLearning {
    /// The table with all macros that were found.
    pub table: MacroTable,
    /// How the learning ended.
    pub end: LearningEnd,
    /// The number of stored states.
    pub states: usize,
    /// All states that cost at most this from the goal were stored. Every macro that costs at most
    /// about twice this is the cheapest.
    pub radius: Cost,
    /// The number of generated states, plus the number of pairs and products that were tried.
    pub generated: u64,
    /// Wall time.
    pub elapsed: Duration,
}

pub(super) struct MacroLearner<'a, D: Packed, S> {
    pub(super) domain: &'a D,
    pub(super) order: &'a S,
    pub(super) goal: &'a D::State,
    search: SearchState<'a>,
    /// For each operator, the one that undoes it.
    pub(super) inverse: Vec<Op>,
    pub(super) reached: StateRecords<D::Key>,
    open: Open,
    budget: Budget,
    pub(super) states: usize,
    /// Every state that costs at most this from the goal is stored.
    radius: Cost,
    /// Whether every state is stored.
    exhausted: bool,
    /// Whether states were omitted because they cost too much.
    cut: bool,
    /// The radius and `exhausted` when all pairs were last made.
    paired: (Cost, bool),
    /// Whether no more states may be stored.
    full: bool,
    pub(super) table: MacroTable,
    /// For each feature: the cost of its costliest macro.
    worst: Vec<u32>,
    generated: u64,
    expanded: u64,
    /// The work since the last check of the limits.
    work: usize,
}

impl<'a, D: Reversible + Packed, S: SerialOrder<D>> MacroLearner<'a, D, S> {
    pub(super) fn new(
        domain: &'a D,
        order: &'a S,
        goal: &'a D::State,
        options: &'a Options<'a>,
    ) -> Self {
        let features = order.features();
        let ops = D::Ops::first(domain.operators());
        Self {
            domain,
            order,
            goal,
            search: SearchState::new(options),
            inverse: ops.members().map(|op| domain.inverse_op(op)).collect(),
            reached: StateRecords::new(),
            open: Open::new(),
            budget: Budget::new(options.limits.bytes),
            states: 0,
            radius: 0,
            exhausted: false,
            cut: false,
            paired: (0, false),
            full: false,
            table: MacroTable {
                goal: (0..features).map(|i| order.value(domain, goal, i)).collect(),
                columns: (0..features).map(|i| vec![None; order.values(i)]).collect(),
                complete: false,
            },
            worst: vec![0; features],
            generated: 0,
            expanded: 0,
            work: 0,
        }
    }

    /// Learns from rounds of more and more states, at most `most`.
    pub(super) fn run(&mut self, most: usize) -> Result<(), Stop> {
        self.look()?;
        let first = NodeRecord { parent: 0, op: Op(0), g: 0, h: 0 };
        if most > 0 {
            self.store(self.domain.pack(self.goal), first);
        }
        let mut target = FIRST.min(most);
        loop {
            let (generated, expanded) = (self.generated, self.expanded);
            let result = self.round(target);
            self.search.options.observer.iteration(&Iteration {
                bound: self.radius,
                generated: self.generated - generated,
                expanded: self.expanded - expanded,
                complete: result.is_ok(),
            });
            result?;
            let done = self.table.iter().all(|(.., entry)| self.is_cheapest(entry));
            if done || self.full || self.exhausted || self.cut || target >= most {
                return Ok(());
            }
            target = target.saturating_mul(GROWTH).min(most);
        }
    }

    fn round(&mut self, target: usize) -> Result<(), Stop> {
        self.search(target)?;
        self.make_pairs()?;
        self.paired = (self.radius, self.exhausted);
        if !self.table.complete {
            self.close()?;
            self.table.complete = true;
        }
        self.improve()
    }

    /// Stores states in the order of their costs, until there are `target`.
    fn search(&mut self, target: usize) -> Result<(), Stop> {
        let (mut state, mut child) = (self.goal.clone(), self.goal.clone());
        while self.states < target && !self.full {
            let Some((g, _, parent)) = self.open.pop() else {
                self.exhausted = self.states > 0 && !self.cut;
                return Ok(());
            };
            if usize::from(self.reached.record(parent).g) != g {
                continue;
            }
            self.radius = Cost::try_from(g).unwrap_or(Cost::MAX);
            self.domain.unpack(*self.reached.key(parent), &mut state);
            self.expanded += 1;
            for op in self.domain.applicable(&state).members() {
                self.domain.apply_into(&state, op, &mut child);
                self.count(1)?;
                // The macro takes the step the other way.
                let g = g + usize::from(self.domain.cost(self.inverse[op.index()]));
                let Some(g) = Cost::try_from(g).ok().filter(|&g| g <= MAX_COST) else {
                    self.cut = true;
                    continue;
                };
                let (key, record) = (self.domain.pack(&child), NodeRecord { parent, op, g, h: 0 });
                match self.reached.find(&key) {
                    None => self.store(key, record),
                    Some(known) if g < self.reached.record(known).g => {
                        *self.reached.record_mut(known) = record;
                        self.full |= self.open.push(g.into(), 0, known, &self.budget).is_err();
                    }
                    Some(_) => {}
                }
                // A state that found no room may be known without a record.
                if self.full {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Stores and opens a new state, unless memory is full.
    fn store(&mut self, key: D::Key, record: NodeRecord) {
        let budget = &self.budget;
        let stored = budget.take(PAIR_BYTES).and_then(|()| {
            let index = self.reached.insert(key, record, budget)?;
            self.states += 1;
            self.open.push(record.g.into(), 0, index, budget)
        });
        self.full |= stored.is_err();
    }

    /// Counts a generated state, pair or product of about `work` operators. Checks the limits from
    /// time to time.
    #[inline(always)]
    pub(super) fn count(&mut self, work: usize) -> Result<(), Stop> {
        self.generated += 1;
        self.spend(work)
    }

    /// Notes work, and checks the limits from time to time.
    #[inline(always)]
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Stop> {
        self.work += work;
        if self.work < LOOK { Ok(()) } else { self.look() }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        self.work = 0;
        self.search.bound = self.radius;
        self.search.look(self.generated, (0, 1)).map_or(Ok(()), Err)
    }

    /// The cost of a plan, unless it does not fit.
    pub(super) fn cost(&self, plan: &[Op]) -> u32 {
        plan.iter().map(|&op| u32::from(self.domain.cost(op))).sum()
    }

    /// The word that undoes a word.
    pub(super) fn undone<'b>(&'b self, word: &'b [Op]) -> impl Iterator<Item = Op> + 'b {
        word.iter().rev().map(|op| self.inverse[op.index()])
    }

    /// Overwrites `state` with the state after a word; `spare` is any state. False if an operator
    /// does not apply.
    pub(super) fn apply(
        &self,
        state: &mut D::State,
        spare: &mut D::State,
        word: impl IntoIterator<Item = Op>,
    ) -> bool {
        word.into_iter().all(|op| {
            let applies = self.domain.applicable(state).contains(op);
            if applies {
                self.domain.apply_into(state, op, spare);
                std::mem::swap(state, spare);
            }
            applies
        })
    }

    /// Enters a plan from a state to the goal as a macro, if it is cheaper than the known macro.
    /// Its feature is the first that is not at its goal value. Returns the feature and the value.
    pub(super) fn enter(
        &mut self,
        state: &D::State,
        plan: impl IntoIterator<Item = Op>,
    ) -> Option<(usize, usize)> {
        let (feature, value) = self.table.first_unsolved(self.domain, self.order, state, 0)?;
        let mut reduced = Plan::new();
        append(&mut reduced, plan, &self.inverse);
        let cost = self.cost(&reduced);
        let entry = &mut self.table.columns[feature][value];
        if entry.as_ref().is_some_and(|entry| entry.cost <= cost) {
            return None;
        }
        *entry = Some(Macro { plan: reduced, cost, cheapest: false });
        let costs = self.table.columns[feature].iter().flatten().map(|entry| entry.cost);
        self.worst[feature] = costs.max().unwrap_or(0);
        Some((feature, value))
    }

    /// Only a macro of a lower cost can be better than some macro of these features, or supply a
    /// missing one.
    pub(super) fn worst(&self, features: Range<usize>) -> u32 {
        if self.table.complete {
            self.worst[features].iter().copied().max().unwrap_or(0)
        } else {
            u32::MAX
        }
    }

    /// Whether a macro is proven to be the cheapest.
    ///
    /// Let a macro cost `c`, an operator at most `m`, and the radius be `d`. Of the last operators,
    /// take as many as cost at most `d`. They cost at least `d - m + 1`, so those before them cost
    /// at most `c - d + m - 1`. If that is at most `d`, both parts are within the radius, and the
    /// pairs have found a macro of cost `c`. That is so up to `c = 2 d - m + 1`. So a macro of cost
    /// `2 d - m + 2` has no cheaper one.
    fn is_cheapest(&self, entry: &Macro) -> bool {
        let (radius, exhausted) = self.paired;
        if exhausted {
            return true;
        }
        let cost = |op: Op| u32::from(self.domain.cost(op));
        let ops = || D::Ops::first(self.domain.operators()).members();
        let radius = u32::from(radius);
        if ops().all(|op| cost(op) == cost(self.inverse[op.index()])) {
            entry.cost + ops().map(cost).max().unwrap_or(1) <= 2 * radius + 2
        } else {
            entry.cost <= radius
        }
    }

    /// The table, in which the proven macros are marked, and the effort.
    pub(super) fn finish(mut self, end: LearningEnd) -> MacroLearning {
        self.mark_cheapest();
        MacroLearning {
            end,
            states: self.states,
            radius: self.radius,
            generated: self.generated,
            elapsed: self.search.elapsed(),
            table: self.table,
        }
    }

    fn mark_cheapest(&mut self) {
        let mut columns = std::mem::take(&mut self.table.columns);
        for entry in columns.iter_mut().flatten().flatten() {
            entry.cheapest = self.is_cheapest(entry);
        }
        self.table.columns = columns;
    }
}
