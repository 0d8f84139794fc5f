//! Exact distances and plans from a table of distances modulo 3: [`DescentWalk`].

use crate::abstraction::Indexer;
use crate::table::Modulo3;
use search::{Cost, Domain, Heuristic, Op, OpSet, Plan, Reversible, Verdict};

/// The heuristic of an indexer and a table of distances modulo 3. Its values are the exact
/// distances of the abstraction. The root costs a walk to a goal, each child one lookup.
///
/// The edges of the abstraction must be the images of all operators. Operators must cost 1.
///
/// Admissible: yes, because distances of an abstraction never exceed those of the domain.
/// Consistent: yes, because an operator and its inverse change a distance by at most 1. If the
/// abstraction tells all states apart, the bound is the true cost, and a search goes straight to a
/// goal.
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

/// The index of a state, and its distance. A new child has the distance of its parent until
/// [`Heuristic::bound`] looks up its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescentPosition<T> {
    index: T,
    /// The distance. [`Cost::MAX`] if the state reaches no goal.
    distance: Cost,
}

impl<I> DescentWalk<I> {
    /// The heuristic of a domain, an indexer, and the table built for its abstraction.
    ///
    /// # Errors
    /// If an operator does not cost 1.
    pub fn new<D: Reversible>(domain: &D, indexer: I, table: Modulo3) -> Result<Self, NotUnitCost>
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
    pub fn plan<D: Reversible>(&self, domain: &D, state: &D::State) -> Option<Plan>
    where
        I: Indexer<D>,
    {
        let entries = usize::try_from(self.table.entries()).unwrap_or(usize::MAX);
        self.plan_within(domain, state, entries)
    }

    /// [`DescentWalk::plan`], or `None` if it has more than `most` operators. In a forged table,
    /// the walk may have no end.
    fn plan_within<D: Reversible>(&self, domain: &D, state: &D::State, most: usize) -> Option<Plan>
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

impl<D: Reversible, I: Indexer<D>> Heuristic<D> for DescentWalk<I> {
    type Carry = DescentPosition<I::Index>;
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        // A distance above 254 counts as "no plan": the engine handles no such plan.
        let plan = self.plan_within(domain, state, Cost::MAX.into());
        let distance = plan.and_then(|plan| Cost::try_from(plan.len()).ok()).unwrap_or(Cost::MAX);
        DescentPosition { index: self.indexer.index(domain, state), distance }
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
        DescentPosition { index: self.indexer.advance(domain, from, carry.index, op, to), ..*carry }
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        if carry.distance != Cost::MAX {
            let code = self.table.get(self.indexer.entry(carry.index));
            // The child's distance is that of its parent, one more, or one less.
            match (code + 3 - carry.distance % 3) % 3 {
                0 => {}
                1 => carry.distance += 1,
                _ => carry.distance = carry.distance.saturating_sub(1),
            }
        }
        Verdict::bound(carry.distance)
    }
    fn consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{BuildOptions, build};
    use crate::memory::BytesMut;
    use crate::table::PackedTable;
    use crate::testing::{DiscPattern, Ring, check_abstraction};
    use search::testing::{Distances, check_heuristic};
    use search::{NoPruning, Options, Zero, ida_star};

    /// A ring whose pattern tracks all discs, with both tables of the pattern.
    fn all() -> (Ring, DiscPattern, PackedTable, Modulo3) {
        let ring = Ring::new(5, 2, 2);
        let tracked = DiscPattern::new(ring, 5);
        let exact = build::<4>(&tracked, &BuildOptions::default()).expect("built");
        let table = Modulo3::build(&tracked, &BuildOptions::default()).expect("built");
        (ring, tracked, exact, table)
    }

    #[test]
    fn a_walk_is_as_long_as_the_distance() {
        let (ring, tracked, exact, table) = all();
        let walk = DescentWalk::new(&ring, tracked, table).expect("unit costs");
        let distances = Distances::from_goals(&ring, &[ring.sorted()], 20);
        check_heuristic(&ring, &walk, &distances).expect("lawful");
        let read = |entry| exact.get(entry);
        check_abstraction(&ring, walk.indexer(), walk.indexer(), &read, &[ring.sorted()], 10_000)
            .expect("lawful");
        for ops in [[0, 4, 1, 5, 2, 3, 0], [3, 0, 3, 1, 4, 2, 5], [5, 5, 2, 2, 4, 0, 4]] {
            let (mut state, mut next) = (ring.sorted(), ring.sorted());
            for op in ops {
                ring.apply_into(&state, Op(op), &mut next);
                state = next;
            }
            let options = Options::default();
            let blind = ida_star(&ring, &Zero, &NoPruning, &state, &options);
            let plan = walk.plan(&ring, &state).expect("reached");
            assert_eq!(plan.len(), usize::from(blind.lower_bound));
            let walked = ida_star(&ring, &walk, &NoPruning, &state, &options);
            assert_eq!(walked.plan(), Some(&plan));
            assert_eq!(walked.iterations.len(), 1, "the first bound is right");
            let end = plan.iter().fold(state, |state, &op| {
                let mut next = state;
                ring.apply_into(&state, op, &mut next);
                next
            });
            assert!(ring.is_goal(&end));
        }
    }

    #[test]
    fn what_reaches_no_goal_is_a_dead_end() {
        let (ring, tracked, exact, table) = all();
        let mut bytes = BytesMut::zeroed(table.bytes().len()).expect("memory");
        bytes.as_mut_slice().fill(0xff);
        let table = Modulo3::new(bytes.freeze(), exact.entries()).expect("fits");
        let walk = DescentWalk::new(&ring, tracked, table).expect("unit costs");
        assert_eq!(walk.plan(&ring, &ring.sorted()), None);
        assert_eq!(walk.estimate(&ring, &ring.sorted()), Cost::MAX);
    }
}
