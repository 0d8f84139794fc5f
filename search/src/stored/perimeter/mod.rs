//! Perimeter search: a heuristic that knows all states near the goal.
//!
//! The *perimeter* of radius `r` has the states from which `r` operators or fewer lead to a goal. A
//! search from the start needs to reach the perimeter only: below, the rest of the plan is known.
//! [`Perimeter`] asks whether a state is inside, [`FrontToPerimeter`] estimates the distance to
//! each state of the border. Both are heuristics for [`ida_star`](crate::ida_star()), so limits,
//! counts, threads and prunings are those of the search.
//!
//! Sources: John Dillenburg and Peter Nelson, "Perimeter search", Artificial Intelligence 65, 1994.
//! Giovanni Manzini, "BIDA*: an improved perimeter search algorithm", Artificial Intelligence 75,
//! 1995. Hermann Kaindl and Gerhard Kainz, "Bidirectional heuristic search reconsidered", Journal
//! of Artificial Intelligence Research 7, 1997.

mod bound;
mod filter;
mod front;
#[cfg(test)]
mod tests;

pub use front::FrontToPerimeter;

use crate::control::Options;
use crate::domain::{Domain, Key, OpSet, Packed, Reversible};
use crate::stored::breadth_first::{Layers, LayersError};
use filter::Filter;
use num_traits::ToPrimitive;
use std::fmt;
use std::sync::Arc;

/// A heuristic, and the set of all states within some operators of a goal.
///
/// A state outside the set has no plan of so few operators. So iterative deepening cuts it as soon
/// as no more than the radius is left. That saves the last levels of the tree, for one lookup in
/// each state at their top. A search that gives no limit ([`a_star`](crate::stored::a_star)) gets
/// the radius and one more as a bound.
///
/// The set takes ten bits a state, for it is kept as hashes, by distance. Of the states outside,
/// one in about seventy is taken for one inside. The bound of `heuristic` stands for those.
///
/// Costs above 1 are allowed, but the radius counts operators: the bound outside is then the radius
/// and one more, times the least cost of an operator. If plans of unit costs have parity
/// ([`Domain::parity`]), only states of every second distance are kept, which suffices.
///
/// The bound depends on the limit: as long as more than the radius may be spent, it is that of
/// `heuristic`, and no set is asked.
///
/// Admissible: yes, if `heuristic` is (a state outside has no plan within the radius). Consistent:
/// not claimed (a state outside that is taken for one inside may have a smaller bound than its
/// neighbours).
///
/// ```
/// use fewest_search::testing::Pancake;
/// use fewest_search::{Group, InversePruning, Options, Zero, ida_star};
/// use fewest_search::stored::Perimeter;
///
/// let domain = Pancake::new(9);
/// let (goal, options) = (domain.identity(), Options::default());
/// let start = domain.state(&[4, 0, 7, 2, 6, 1, 5, 3, 8]);
/// let perimeter = Perimeter::new(&domain, &[goal], Zero, 3, &options).unwrap();
/// let with = ida_star(&domain, &perimeter, &InversePruning, &start, &options);
/// let without = ida_star(&domain, &Zero, &InversePruning, &start, &options);
/// assert_eq!(with.lower_bound, without.lower_bound);
/// assert!(100 * with.generated() < without.generated());
/// ```
///
/// It claims what its heuristic claims. So no search proves with a heuristic that proves nothing:
///
/// ```compile_fail
/// # use fewest_search::testing::{GapHeuristic, Pancake};
/// # use fewest_search::{Group, NoPruning, Options, Scaled, ida_star};
/// # use fewest_search::stored::Perimeter;
/// # let domain = Pancake::new(4);
/// # let (goal, options) = (domain.identity(), Options::default());
/// let inner = Scaled(GapHeuristic, 3.0);
/// let perimeter = Perimeter::new(&domain, &[goal], inner, 2, &options).unwrap();
/// ida_star(&domain, &perimeter, &NoPruning, &goal, &options);
/// ```
#[derive(Clone)]
pub struct Perimeter<H> {
    heuristic: H,
    radius: usize,
    /// The difference of the radii of the sets.
    step: usize,
    /// The least cost of an operator.
    least: usize,
    /// The states within the radius, then those within smaller radii. If `step` is 2, only states
    /// whose distance has the parity of the set's radius.
    balls: Arc<[Filter]>,
}

impl<H: fmt::Debug> fmt::Debug for Perimeter<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Perimeter")
            .field("heuristic", &self.heuristic)
            .field("radius", &self.radius)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

/// The number of states between two checks whether to stop.
const LOOK: usize = 1 << 10;

impl<H> Perimeter<H> {
    /// The states within `radius` operators of the goals, which must be all goals of the domain.
    ///
    /// Builds it by a breadth-first search backward from the goals; see [`Layers`] for its memory.
    /// The states at `radius` itself are never stored. [`Limits::bytes`](crate::Limits::bytes)
    /// covers the search and the sets.
    ///
    /// # Errors
    /// If a limit or the caller ends the search.
    ///
    /// # Panics
    /// If there is no goal.
    pub fn new<D: Reversible + Packed>(
        domain: &D,
        goals: &[D::State],
        heuristic: H,
        radius: usize,
        options: &Options,
    ) -> Result<Self, LayersError> {
        Self::build(domain, goals, heuristic, options, |next, _| next <= radius)
    }

    /// [`Perimeter::new`] with the greatest radius whose sets take at most this many bytes.
    ///
    /// # Errors
    /// As [`Perimeter::new`].
    ///
    /// # Panics
    /// If there is no goal.
    pub fn within_bytes<D: Reversible + Packed>(
        domain: &D,
        goals: &[D::State],
        heuristic: H,
        bytes: u64,
        options: &Options,
    ) -> Result<Self, LayersError> {
        Self::build(domain, goals, heuristic, options, |_, needed| needed <= bytes)
    }

    /// Raises the radius as long as `more` allows, given a radius and the bytes of its sets.
    fn build<D: Reversible + Packed>(
        domain: &D,
        goals: &[D::State],
        heuristic: H,
        options: &Options,
        more: impl Fn(usize, u64) -> bool,
    ) -> Result<Self, LayersError> {
        let mut layers = Layers::new(domain, goals, options);
        let costs = || D::Ops::first(domain.operators()).members().map(|op| domain.cost(op));
        let least = costs().min().unwrap_or(1);
        let parity = goals.first().is_some_and(|goal| domain.parity(goal).is_some());
        let step = if parity && costs().all(|cost| cost == 1) { 2 } else { 1 };
        if layers.sizes().is_empty() {
            // The goals did not fit: this says so.
            layers.advance()?;
        }
        let mut radius = 0;
        // Layer `radius` is known by its size only, estimated from above.
        while more(radius + 1, balls(layers.sizes(), domain, radius + 1, step).1) {
            if radius > 0 && layers.advance()? == 0 {
                break;
            }
            radius += 1;
        }
        // At a radius that is not complete, `layers` has all distances below it.
        let (rooms, bytes) = balls(layers.sizes(), domain, radius, step);
        let full = || LayersError::Memory {
            layer: radius,
            limit: options.limits.bytes.unwrap_or(usize::MAX),
        };
        let used = (layers.bytes() as u64).saturating_add(bytes);
        if options.limits.bytes.is_some_and(|limit| used > limit as u64) {
            return Err(full());
        }
        let mut sets = Vec::new();
        for (number, room) in rooms.into_iter().enumerate() {
            let mut ball = Filter::with_room(room).ok_or_else(full)?;
            let mut insert = |state: &D::State| ball.insert(domain.pack(state).hash());
            for distance in (0..=radius - number * step).rev().step_by(step) {
                for_each(&layers, domain, distance, &mut insert)?;
            }
            sets.push(ball);
        }
        Ok(Self { heuristic, radius, step, least: least.into(), balls: sets.into() })
    }

    /// The same sets with another heuristic. Both share their memory.
    pub fn with<G>(&self, heuristic: G) -> Perimeter<G> {
        let Self { radius, step, least, ref balls, .. } = *self;
        Perimeter { heuristic, radius, step, least, balls: Arc::clone(balls) }
    }

    /// The greatest number of operators from a state inside to a goal.
    pub fn radius(&self) -> usize {
        self.radius
    }

    /// The bytes of the sets.
    pub fn bytes(&self) -> usize {
        self.balls.iter().map(Filter::bytes).sum()
    }

    /// The heuristic inside.
    pub fn heuristic(&self) -> &H {
        &self.heuristic
    }
}

/// For each set: the number of states it needs room for, and the bytes of all sets.
fn balls<D: Domain>(sizes: &[u64], domain: &D, radius: usize, step: usize) -> (Vec<u64>, u64) {
    // Layers grow more slowly the farther they are, so the growth so far is an estimate from above.
    let growth = match sizes {
        [.., before, last] => *last as f64 / *before as f64,
        _ => domain.operators() as f64,
    };
    let size = |distance: usize| match (sizes.get(distance), sizes) {
        (Some(&size), _) => size,
        (None, [.., last]) => {
            let farther = i32::try_from(distance + 1 - sizes.len()).unwrap_or(i32::MAX);
            (*last as f64 * growth.powi(farther)).ceil().to_u64().unwrap_or(u64::MAX)
        }
        (None, []) => 0,
    };
    let radii = (0..=radius).rev().step_by(step);
    let rooms: Vec<u64> =
        radii.map(|radius| (0..=radius).rev().step_by(step).map(size).sum()).collect();
    let bytes = rooms.iter().map(|&room| Filter::bytes_for(room)).sum();
    (rooms, bytes)
}

/// Visits the states at a distance, some of them several times.
fn for_each<D: Packed>(
    layers: &Layers<D>,
    domain: &D,
    distance: usize,
    visit: &mut dyn FnMut(&D::State),
) -> Result<(), LayersError> {
    let stored = distance < layers.sizes().len();
    let (mut looked, mut place) = (0, None);
    layers.try_for_each(if stored { distance } else { distance - 1 }, |state| {
        if looked % LOOK == 0
            && let Some(stop) = layers.stop()
        {
            return Err(stop);
        }
        looked += 1;
        if stored {
            visit(state);
            return Ok(());
        }
        let next = place.get_or_insert_with(|| state.clone());
        for op in domain.applicable(state).members() {
            domain.apply_into(state, op, next);
            visit(next);
        }
        Ok(())
    })
}
