//! Exact distances and plans from a table of distances modulo 3: [`DescentWalk`].

#[cfg(test)]
mod tests;

use crate::abstraction::Indexer;
use crate::table::Modulo3;
use search::{Claims, Cost, Domain, Evaluation, Heuristic, Op, OpSet, Plan, Verdict};

/// The heuristic of an indexer and a table of distances modulo 3. Its values are the exact
/// distances of the abstraction, those of a [`PatternDatabase`](crate::PatternDatabase) with twice
/// the bytes.
///
/// The root costs a walk to a goal, each child one lookup. A child's distance is that of its
/// parent, one more, or one less. The remainder tells which.
///
/// The edges of the abstraction must be the images of all operators. Operators must cost 1.
///
/// Admissible: yes, because distances of an abstraction never exceed those of the domain.
/// Consistent: yes, because every edge can be walked back (no other abstraction has such a table),
/// so an operator changes a distance by at most 1. If the abstraction tells all states apart, the
/// bound is the true cost, and a search goes straight to a goal.
#[derive(Clone, Debug)]
pub struct DescentWalk<I> {
    indexer: I,
    table: Modulo3,
}

/// The error that an operator does not cost 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operator {} does not cost 1", .0.index())]
pub struct NotUnitCost(pub Op);

impl NotUnitCost {
    /// Returns an error if an operator of the domain does not cost 1.
    pub(crate) fn check<D: Domain>(domain: &D) -> Result<(), Self> {
        let not_unit = |op: &Op| domain.cost(*op) != 1;
        (0..domain.operators()).map(Op::new).find(not_unit).map_or(Ok(()), |op| Err(Self(op)))
    }
}

/// The index of a state, and its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescentPosition<T> {
    index: T,
    /// The distance of the state or, until it is looked up, of its parent. [`Cost::MAX`] if no goal
    /// is reached.
    distance: Cost,
    looked_up: bool,
}

impl<I> DescentWalk<I> {
    /// The heuristic of a domain, an indexer, and the table built for its abstraction.
    ///
    /// # Errors
    /// If an operator does not cost 1.
    pub fn new<D: Domain>(domain: &D, indexer: I, table: Modulo3) -> Result<Self, NotUnitCost>
    where
        I: Indexer<D>,
    {
        NotUnitCost::check(domain)?;
        Ok(Self { indexer, table })
    }

    /// The indexer.
    pub fn indexer(&self) -> &I {
        &self.indexer
    }

    /// The table.
    pub fn table(&self) -> &Modulo3 {
        &self.table
    }

    /// A plan in which every operator reduces the distance by 1. If several operators do, it takes
    /// the first. `None` if the state reaches no goal. Time: for each step, at most one lookup for
    /// each operator.
    ///
    /// If the abstraction tells all states apart, the plan is an optimal plan of the domain.
    pub fn plan<D: Domain>(&self, domain: &D, state: &D::State) -> Option<Plan>
    where
        I: Indexer<D>,
    {
        let entries = usize::try_from(self.table.entries()).unwrap_or(usize::MAX);
        self.plan_within(domain, state, entries)
    }

    /// [`DescentWalk::plan`], or `None` if it has more than `most` operators. In a forged table,
    /// the walk may have no end.
    fn plan_within<D: Domain>(&self, domain: &D, state: &D::State, most: usize) -> Option<Plan>
    where
        I: Indexer<D>,
    {
        let mut index = self.indexer.index(domain, state);
        let (mut state, mut next) = (state.clone(), state.clone());
        let mut code = self.table.get(self.indexer.entry(index));
        if code == Modulo3::UNREACHED {
            return None;
        }
        let mut plan = Plan::new();
        loop {
            let nearer = (code + 2) % 3;
            let step = domain.applicable(&state).members().find_map(|op| {
                domain.apply_into(&state, op, &mut next);
                let at = self.indexer.advance(domain, &state, index, op, &next);
                (self.table.get(self.indexer.entry(at)) == nearer).then_some((op, at))
            });
            // A goal has the remainder 0 and no neighbour with the remainder 2, so the plan ends
            // there. Every other state has a nearer neighbour.
            let Some((op, at)) = step else { return Some(plan) };
            if plan.len() >= most {
                return None;
            }
            plan.push(op);
            std::mem::swap(&mut state, &mut next);
            (index, code) = (at, nearer);
        }
    }
}

impl<I> DescentWalk<I> {
    /// The position with its distance looked up. It differs from the parent's by at most 1, so the
    /// remainder tells it.
    #[inline(always)]
    fn look_up<D: Domain>(&self, at: DescentPosition<I::Index>) -> DescentPosition<I::Index>
    where
        I: Indexer<D>,
    {
        let near = at.distance;
        if at.looked_up || near == Cost::MAX {
            return at;
        }
        let distance = match (self.table.get(self.indexer.entry(at.index)) + 3 - near % 3) % 3 {
            0 => near,
            1 => near + 1,
            _ => near.saturating_sub(1),
        };
        DescentPosition { distance, looked_up: true, ..at }
    }
}

impl<D: Domain, I: Indexer<D>> Heuristic<D> for DescentWalk<I> {
    type Carry = DescentPosition<I::Index>;
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    const EVALUATION: Evaluation = Evaluation::STAGED;
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        // A distance above 254 counts as "no plan": the engine handles no such plan.
        let plan = self.plan_within(domain, state, Cost::MAX.into());
        let distance = plan.and_then(|plan| Cost::try_from(plan.len()).ok()).unwrap_or(Cost::MAX);
        DescentPosition { index: self.indexer.index(domain, state), distance, looked_up: true }
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let index = self.indexer.advance(domain, from, carry.index, op, to);
        self.table.prefetch(self.indexer.entry(index));
        // A search may make children of a state whose bound it has not read.
        DescentPosition { index, looked_up: false, ..self.look_up(*carry) }
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        *carry = self.look_up(*carry);
        Verdict::bound(carry.distance)
    }
}
