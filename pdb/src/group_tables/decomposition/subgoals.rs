//! Chooses the subgoals of a decomposition: which points they fix, and the points of their tables.

use crate::group_tables::{GroupPattern, SubgroupActions};
use groups::{GroupError, Permutation, StabilizerChain};
use std::cmp::Reverse;

/// A subgoal that fixes some points beside those of the subgoals before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointSubgoal {
    /// The points that this subgoal adds. A point is left out if it is fixed wherever the points
    /// before it are.
    pub points: Vec<u16>,
    /// The points of its table. The points that it adds come first, then as many earlier ones as
    /// fit, the latest first.
    pub tuple: Vec<u16>,
    /// The number of entries of its table.
    pub entries: u64,
}

impl PointSubgoal {
    /// The abstraction of the table.
    ///
    /// # Errors
    /// [`GroupError::Stopped`] once `stop` returns true.
    pub fn pattern(
        &self,
        actions: &SubgroupActions,
        stop: &dyn Fn() -> bool,
    ) -> Result<GroupPattern, GroupError> {
        GroupPattern::of_tuple_until(actions.points, &actions.operators, &self.tuple, stop)
    }
}

/// A subgoal adds no further point once it tells apart this many states for each entry of its
/// table. IDA\* takes up about as many nodes by one table (Richard Korf, AAAI 1997, of random
/// states), but all tables of a stage together save most of them.
const MOST_STATES: u64 = 1 << 30;

/// The subgoals of a group. Together they fix every point that an operator moves.
///
/// *Order.* Some operators keep all points so far. The next point is one that most of these keep,
/// too. So the first subgoals grow as a block that many operators leave alone. The last points are
/// those that most operators move.
///
/// *Size.* Two limits end a subgoal. A table of its own points has at most `most` entries. And the
/// states that differ in the points so far are at most 2^30 times as many. So the last subgoals of
/// a large group add one point each. A table is filled up with points of earlier subgoals. If a
/// table of all points fits, there is one subgoal. A single point is a subgoal even if it has more
/// places.
///
/// Time: two stabilizer chains for each subgoal.
///
/// # Errors
/// If the points are too many. [`GroupError::Stopped`] once `stop` returns true.
pub fn point_subgoals(
    actions: &SubgroupActions,
    most: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<PointSubgoal>, GroupError> {
    let generators: Vec<_> = actions.operators.iter().map(|(action, _)| action.clone()).collect();
    // For each point of a tuple: in how many places it can be while those before it are fixed.
    let orbits = |tuple: &[u16]| -> Result<Vec<usize>, GroupError> {
        let chain = StabilizerChain::new_until(actions.points, &generators, tuple, stop)?;
        Ok(chain.orbit_lengths().into_iter().take(tuple.len()).collect())
    };
    let order = in_order(actions.points, &generators);
    let lengths = orbits(&order)?;
    let states = sizes(&lengths);
    let moving = lengths.iter().zip(order.iter().zip(states)).filter(|(length, _)| **length > 1);
    // The points that the ones before them do not fix, each with the number of states that differ
    // in the points so far.
    let mut left: Vec<(u16, u64)> = moving.map(|(_, (&point, states))| (point, states)).collect();
    let (mut done, mut subgoals) = (Vec::<u16>::new(), Vec::new());
    while !left.is_empty() {
        let rest: Vec<u16> = left.iter().map(|&(point, _)| point).collect();
        let fitting = |sizes: &[u64]| sizes.partition_point(|&size| size <= most);
        let near = left.partition_point(|&(_, states)| states / MOST_STATES <= most);
        let count = fitting(&sizes(&orbits(&rest)?)).min(near).max(1);
        left.drain(..count);
        let points = rest[..count].to_vec();
        let mut tuple: Vec<u16> = points.iter().chain(done.iter().rev()).copied().collect();
        let tables = sizes(&orbits(&tuple)?);
        tuple.truncate(fitting(&tables).max(count));
        let entries = tables[tuple.len() - 1];
        done.extend(&points);
        subgoals.push(PointSubgoal { points, tuple, entries });
    }
    Ok(subgoals)
}

/// For each point of a tuple: the number of entries of a table of it and the points before it.
/// `orbits` are the lengths of the orbits.
fn sizes(orbits: &[usize]) -> Vec<u64> {
    let product = |entries: &mut u64, &orbit: &usize| {
        *entries = entries.saturating_mul(orbit as u64);
        Some(*entries)
    };
    orbits.iter().scan(1, product).collect()
}

/// The points that some operator moves, in the order in which subgoals fix them.
fn in_order(points: usize, generators: &[Permutation]) -> Vec<u16> {
    let keeps = |operator: &Permutation, point: u16| operator.image(point) == point;
    let mut free: Vec<&Permutation> = generators.iter().collect();
    let moves = |&point: &u16| !generators.iter().all(|operator| keeps(operator, point));
    let mut left: Vec<u16> = (0..u16::MAX).take(points).filter(moves).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let kept = |point: u16| free.iter().filter(|operator| keeps(operator, point)).count();
        let best = left.iter().copied().max_by_key(|&point| (kept(point), Reverse(point)));
        free.retain(|operator| best.is_some_and(|point| keeps(operator, point)));
        // The points that the remaining operators keep, too, cost no further operator.
        let is_free = |&point: &u16| free.iter().all(|operator| keeps(operator, point));
        let (next, later): (Vec<u16>, Vec<u16>) = left.into_iter().partition(is_free);
        order.extend(next);
        left = later;
    }
    order
}
