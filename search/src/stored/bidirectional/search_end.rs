//! One end of a bidirectional search: how it expands a state, and where it meets the other end.

use super::side::Side;
use crate::Op;
use crate::domain::{Cost, OpSet, Packed, Reversible};
use crate::heuristic::Heuristic;
use crate::stored::best_first_state::{BestFirstState, Halt};
use crate::stored::reached::{NodeRecord, StateRecords};
use crate::stored::store::{Budget, Full};

/// The best plan found so far: where the two ends met.
pub(super) struct Meeting {
    /// The most that a better plan may cost.
    most: Cost,
    /// The cost, and the indices of the state at the front and at the back.
    found: Option<(Cost, u32, u32)>,
    /// The lower bound that was proven when this plan was found.
    proven: Cost,
    /// The least cost of a plan that was found and is too costly; `None` if there was none.
    cut: Option<u16>,
}

impl Meeting {
    /// No plan yet. A plan may cost at most this much.
    pub(super) fn new(most: Cost) -> Self {
        Self { most, found: None, proven: 0, cut: None }
    }

    /// The indices of the state where the ends met, at the front and at the back.
    pub(super) fn states(&self) -> Option<(u32, u32)> {
        self.found.map(|(_, front, back)| (front, back))
    }

    /// The cost of the best plan found so far.
    pub(super) fn cost(&self) -> Option<Cost> {
        self.found.map(|(cost, ..)| cost)
    }

    /// The lower bound that was proven when the best plan was found.
    pub(super) fn proven(&self) -> Cost {
        self.proven
    }

    /// Whether a search that has proven `bound` is done: no plan of that cost or more is better
    /// than the best known one, or cheap enough if none is known.
    pub(super) fn is_proven(&self, bound: Cost) -> bool {
        bound > self.most
    }

    /// The least cost of a plan that was found and is too costly; `None` if there was none.
    pub(super) fn cut(&self) -> Option<Cost> {
        self.cut.map(|cost| Cost::try_from(cost).unwrap_or(Cost::MAX))
    }

    /// Remembers a plan of this cost if it is better. The cost is not 0. `proven` is the lower
    /// bound on the cost of all plans that are not known yet.
    fn add(&mut self, cost: u16, proven: Cost, front: u32, back: u32) {
        match Cost::try_from(cost) {
            Ok(cost) if cost <= self.most => {
                (self.found, self.proven) = (Some((cost, front, back)), proven);
                self.most = cost.saturating_sub(1);
            }
            _ => self.cut = Some(self.cut.map_or(cost, |cut| cut.min(cost))),
        }
    }
}

/// The direction in which an end searches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EndDirection {
    /// From the start, by the operators of the plan.
    Forward,
    /// From the goal, by the inverses of the operators of the plan.
    Backward,
}

/// One end: its states, its heuristic, and its direction.
pub(super) struct SearchEnd<'a, D: Packed, H> {
    domain: &'a D,
    heuristic: &'a H,
    direction: EndDirection,
    pub(super) side: Side<D::Key>,
    /// The state that is being expanded. At first, the state of this end.
    state: D::State,
    child: D::State,
}

impl<'a, D: Reversible + Packed, H: Heuristic<D>> SearchEnd<'a, D, H> {
    pub(super) fn new(
        domain: &'a D,
        heuristic: &'a H,
        direction: EndDirection,
        first: &D::State,
    ) -> Self {
        let (state, child) = (first.clone(), first.clone());
        Self { domain, heuristic, direction, side: Side::new(), state, child }
    }

    /// Opens the state of this end.
    pub(super) fn open_first(&mut self, budget: &Budget) -> Result<(), Full> {
        let h = self.heuristic.estimate(self.domain, &self.state);
        let record = NodeRecord { parent: 0, op: Op(0), g: 0, h };
        self.side.insert(self.domain.pack(&self.state), record, budget)?;
        Ok(())
    }

    /// Expands a state. Notes in `meeting` where its children meet the states of the other end.
    pub(super) fn expand(
        &mut self,
        parent: u32,
        other: &StateRecords<D::Key>,
        meeting: &mut Meeting,
        run: &mut BestFirstState,
    ) -> Result<(), Halt> {
        run.expanded += 1;
        let Self { domain, heuristic, direction, side, state, child } = self;
        domain.unpack(*side.reached.key(parent), state);
        let before = u16::from(side.reached.record(parent).g);
        let mut carry = heuristic.root(domain, state);
        heuristic.bound(domain, state, &mut carry, Cost::MAX);
        let applicable = domain.applicable(state);
        // A restriction selects among the operators that a plan takes from a state. The back would
        // need one for the operators that a plan takes to a state, so it does not restrict.
        let ops = match direction {
            EndDirection::Forward => domain.restrict(applicable),
            EndDirection::Backward => applicable,
        };
        for applied in ops.members() {
            domain.apply_into(state, applied, child);
            run.generated += 1;
            if run.is_due() {
                run.look(meeting.cost())?;
            }
            // The operator of the plan.
            let op = match direction {
                EndDirection::Forward => applied,
                EndDirection::Backward => domain.inverse_op(applied),
            };
            let g = before + u16::from(domain.cost(op));
            let key = domain.pack(child);
            let index = match side.reached.find(&key) {
                Some(known) => {
                    let record = side.reached.record_mut(known);
                    match Cost::try_from(g) {
                        Ok(g) if g < record.g => {
                            *record = NodeRecord { parent, op, g, h: record.h };
                        }
                        _ => continue,
                    }
                    side.open(known, &run.budget)?;
                    known
                }
                None => {
                    let mut carry = heuristic.child(domain, state, &carry, applied, child);
                    let h = heuristic.bound(domain, child, &mut carry, Cost::MAX).h;
                    let f = g + u16::from(h);
                    if f > u16::from(meeting.most) {
                        side.cut(f);
                        continue;
                    }
                    #[expect(clippy::cast_possible_truncation, reason = "at most `f`")]
                    side.insert(key, NodeRecord { parent, op, g: g as Cost, h }, &run.budget)?
                }
            };
            if let Some(met) = other.find(&key) {
                let cost = g + u16::from(other.record(met).g);
                match direction {
                    EndDirection::Forward => meeting.add(cost, run.lower_bound, index, met),
                    EndDirection::Backward => meeting.add(cost, run.lower_bound, met, index),
                }
            }
        }
        Ok(())
    }
}
