//! True costs to a goal by exhaustive search, to check bounds and plans.

use crate::domain::{Cost, Op, OpSet, Packed, Reversible};
use std::collections::BTreeMap;

/// The known costs of one state.
#[derive(Clone, Copy, Debug)]
struct KnownCost {
    /// The cost of a plan.
    cost: Cost,
    /// The search has found a cheapest plan if one costs at most this. So a `cost` of at most
    /// `sure` is exact.
    sure: Cost,
}

/// The costs of plans for all states near the goals, or near some starts. Simple and slow, on one
/// thread.
pub struct Distances<'a, D: Packed> {
    domain: &'a D,
    blank: Option<D::State>,
    known: BTreeMap<D::Key, KnownCost>,
}

impl<D: Packed> std::fmt::Debug for Distances<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Distances").field("states", &self.known.len()).finish_non_exhaustive()
    }
}

impl<'a, D: Packed> Distances<'a, D> {
    /// All states with a plan of cost at most `limit` to one of the goals. The costs are exact if
    /// `goals` are all goals.
    pub fn from_goals(domain: &'a D, goals: &[D::State], limit: Cost) -> Self
    where
        D: Reversible,
    {
        // An operator that leads to a state is the inverse of one that leads away from it.
        let costs = spread(domain, goals, limit, |op| domain.cost(domain.inverse_op(op)));
        let known =
            costs.into_iter().map(|(key, cost)| (key, KnownCost { cost, sure: limit })).collect();
        Self { domain, blank: goals.first().cloned(), known }
    }

    /// All states at distance at most `limit` from a start that have a plan within this set of
    /// states. Use it for domains without inverse operators.
    ///
    /// A cost is exact if it is at most `limit - g`, where g is the distance of the state from the
    /// starts.
    pub fn from_starts(domain: &'a D, starts: &[D::State], limit: Cost) -> Self {
        let near = spread(domain, starts, limit, |op| domain.cost(op));
        let mut into: BTreeMap<D::Key, Vec<(D::Key, Cost)>> = BTreeMap::new();
        let mut buckets: Vec<Vec<D::Key>> = vec![Vec::new()];
        for &key in near.keys() {
            let Some(state) = unpacked(domain, starts.first(), key) else { continue };
            if domain.is_goal(&state) {
                buckets[0].push(key);
            }
            let mut to = state.clone();
            for op in domain.applicable(&state).members() {
                domain.apply_into(&state, op, &mut to);
                into.entry(domain.pack(&to)).or_default().push((key, domain.cost(op)));
            }
        }
        let costs = dijkstra(buckets, Cost::MAX - 1, |key, relax| {
            for &(from, cost) in into.get(&key).into_iter().flatten() {
                relax(from, cost);
            }
        });
        let known = costs
            .into_iter()
            .map(|(key, cost)| {
                (key, KnownCost { cost, sure: limit - near.get(&key).unwrap_or(&limit) })
            })
            .collect();
        Self { domain, blank: starts.first().cloned(), known }
    }

    /// The cost of a plan for a state; `None` if no plan is known. A bound must not be above it.
    pub fn cost(&self, state: &D::State) -> Option<Cost> {
        self.known.get(&self.domain.pack(state)).map(|known| known.cost)
    }

    /// The least cost of a plan for a state; `None` if it is not certain.
    pub fn exact(&self, state: &D::State) -> Option<Cost> {
        let known = self.known.get(&self.domain.pack(state))?;
        (known.cost <= known.sure).then_some(known.cost)
    }

    /// Visits each state with the cost of its plan, and true if this cost is exact. Ends when a
    /// visit fails.
    ///
    /// # Errors
    /// The first error of a visit.
    pub fn try_for_each<E>(
        &self,
        mut visit: impl FnMut(&D::State, Cost, bool) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(mut state) = self.blank.clone() else { return Ok(()) };
        for (&key, known) in &self.known {
            self.domain.unpack(key, &mut state);
            visit(&state, known.cost, known.cost <= known.sure)?;
        }
        Ok(())
    }

    /// All states with the costs of their plans, by ascending key.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<(D::State, Cost)> {
        let mut all = Vec::new();
        let Ok(()) = self.try_for_each(|state, cost, _| {
            all.push((state.clone(), cost));
            Ok::<(), std::convert::Infallible>(())
        });
        all
    }

    /// The number of states with a cost.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no state has a cost, because no goal is near.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

fn unpacked<D: Packed>(domain: &D, like: Option<&D::State>, key: D::Key) -> Option<D::State> {
    let mut state = like?.clone();
    domain.unpack(key, &mut state);
    Some(state)
}

/// The states that can be reached from some states at a cost of at most `limit`, each with the
/// least cost.
pub(super) fn spread<D: Packed>(
    domain: &D,
    from: &[D::State],
    limit: Cost,
    cost: impl Fn(Op) -> Cost,
) -> BTreeMap<D::Key, Cost> {
    let Some(mut state) = from.first().cloned() else { return BTreeMap::new() };
    let mut to = state.clone();
    let start = from.iter().map(|state| domain.pack(state)).collect();
    dijkstra(vec![start], limit, |key, relax| {
        domain.unpack(key, &mut state);
        for op in domain.applicable(&state).members() {
            domain.apply_into(&state, op, &mut to);
            relax(domain.pack(&to), cost(op));
        }
    })
}

/// Dijkstra's algorithm with a bucket for each cost. `edges` calls its argument with each neighbour
/// of a key and the cost of the edge.
fn dijkstra<K: Copy + Ord>(
    mut buckets: Vec<Vec<K>>,
    limit: Cost,
    mut edges: impl FnMut(K, &mut dyn FnMut(K, Cost)),
) -> BTreeMap<K, Cost> {
    let mut costs = BTreeMap::new();
    let mut at = 0;
    while at < buckets.len() {
        for key in std::mem::take(&mut buckets[at]) {
            if costs.contains_key(&key) {
                continue;
            }
            // This is at most `limit`, because nothing else is pushed.
            costs.insert(key, Cost::try_from(at).unwrap_or(Cost::MAX));
            edges(key, &mut |to, cost| {
                let total = at + usize::from(cost);
                if total <= usize::from(limit) && !costs.contains_key(&to) {
                    if buckets.len() <= total {
                        buckets.resize_with(total + 1, Vec::new);
                    }
                    buckets[total].push(to);
                }
            });
        }
        at += 1;
    }
    costs
}
