//! The heuristic of BIDA*: the least estimate to a state of the border.

use crate::control::Options;
use crate::domain::{Cost, Key, Op, OpSet, Packed, Reversible};
use crate::heuristic::{Claims, Evaluation, Heuristic, Step, Verdict};
use crate::stored::breadth_first::{Layers, LayersError};
use crate::stored::store::{Budget, Store};
use std::fmt;

/// The least estimate of a way to the border of a perimeter, and on to a goal: Manzini's BIDA*.
///
/// A state outside the radius `r` reaches a goal through a state `q` at distance `r`, so its bound
/// is `r` plus the least `between(state, q)`. The bound of a state inside is its distance. Unit
/// costs only.
///
/// The search carries the states `q` that are still near enough. A border state that is too far
/// from a node is too far from all its descendants. So deep nodes evaluate few of them. Time: one
/// `between` for each such `q` at each node. Memory: all states within the radius as keys, and four
/// bytes for each `q` at each level of the search. Best for a small radius and a cheap `between`;
/// [`Perimeter`](super::Perimeter) is for a large radius.
///
/// In a group, an estimate to the goal gives one between two states: the operators that lead from
/// `s` to `q` lead from `q^-1 s` to the identity (see [`FromStart`](crate::stored::FromStart)).
///
/// Admissible: yes, if `between(s, q)` is never above the cost of a way from `s` to `q` (see
/// above). Consistent: not claimed.
///
/// Where we differ from Manzini: a node that is cut proves the bound after this one only, for the
/// states that were dropped above it may come next. Bounds of unit costs rise by no more anyway, if
/// `between` keeps the parity.
///
/// Source: Giovanni Manzini, "BIDA*: an improved perimeter search algorithm", Artificial
/// Intelligence 75, 1995, sections 3 and 4.
///
/// ```
/// use fewest_search::testing::{GapHeuristic, Pancake};
/// use fewest_search::{Group, Heuristic, InversePruning, Options, ida_star};
/// use fewest_search::stored::FrontToPerimeter;
///
/// let domain = Pancake::new(9);
/// let between = |from: &u64, to: &u64| {
///     let (mut inverse, mut difference) = (0, 0);
///     domain.invert(to, &mut inverse);
///     domain.compose(&inverse, from, &mut difference);
///     GapHeuristic.estimate(&domain, &difference)
/// };
/// let (goal, options) = (domain.identity(), Options::default());
/// let front = FrontToPerimeter::new(&domain, &[goal], between, 2, &options).unwrap();
/// let start = domain.state(&[4, 0, 7, 2, 8, 1, 5, 3, 6]);
/// let report = ida_star(&domain, &front, &InversePruning, &start, &options);
/// assert_eq!(report.plan().unwrap().len(), 9);
/// ```
pub struct FrontToPerimeter<D: Packed, F> {
    between: F,
    radius: usize,
    /// The states within the radius, by distance.
    inside: Store<D::Key>,
    /// The number of states below each distance, from 1 on.
    ends: Vec<usize>,
    /// The states at the radius.
    border: Vec<D::State>,
}

impl<D: Packed, F> fmt::Debug for FrontToPerimeter<D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrontToPerimeter")
            .field("radius", &self.radius)
            .field("border", &self.border.len())
            .finish_non_exhaustive()
    }
}

impl<D: Reversible + Packed, F: Fn(&D::State, &D::State) -> Cost + Sync> FrontToPerimeter<D, F> {
    /// The perimeter of this radius around the goals, which must be all goals of the domain.
    /// `between(s, q)` bounds the cost of a way from `s` to `q` from below.
    /// [`Limits::bytes`](crate::Limits::bytes) covers the breadth-first search and the states.
    ///
    /// # Errors
    /// If a limit or the caller ends the breadth-first search.
    ///
    /// # Panics
    /// If there is no goal, or an operator costs more than 1.
    pub fn new(
        domain: &D,
        goals: &[D::State],
        between: F,
        radius: usize,
        options: &Options,
    ) -> Result<Self, LayersError> {
        let mut ops = D::Ops::first(domain.operators()).members();
        assert!(ops.all(|op| domain.cost(op) == 1), "an operator costs more than 1");
        let mut layers = Layers::new(domain, goals, options);
        while layers.sizes().len() <= radius {
            if layers.advance()? == 0 {
                break;
            }
        }
        let budget =
            Budget::new(options.limits.bytes.map(|limit| limit.saturating_sub(layers.bytes())));
        let full = |layer| LayersError::Memory {
            layer,
            limit: options.limits.bytes.unwrap_or(usize::MAX),
        };
        let (mut inside, mut ends, mut border) = (Store::new(), Vec::new(), Vec::new());
        for distance in 0..layers.sizes().len() {
            layers.try_for_each(distance, |state| {
                let key = domain.pack(state);
                inside.insert(key, key.hash(), &budget).map_err(|_| full(distance))?;
                if distance == radius {
                    budget.take(size_of::<D::State>()).map_err(|_| full(distance))?;
                    border.push(state.clone());
                }
                Ok(())
            })?;
            ends.push(inside.len());
        }
        if u32::try_from(border.len()).is_err() {
            return Err(full(radius));
        }
        Ok(Self { between, radius, inside, ends, border })
    }

    /// The number of operators from a state of the border to a goal.
    pub fn radius(&self) -> usize {
        self.radius
    }

    /// The number of states at the radius.
    pub fn border(&self) -> usize {
        self.border.len()
    }

    /// The distance of a state, if it is inside.
    fn distance(&self, domain: &D, state: &D::State) -> Option<Cost> {
        let key = domain.pack(state);
        let index = self.inside.find(&key, key.hash())?;
        Cost::try_from(self.ends.partition_point(|&end| end <= index)).ok()
    }

    /// The bound of a state outside, from some states of the border. `keep` gets those that are
    /// near enough.
    #[inline(always)]
    fn outside(
        &self,
        state: &D::State,
        border: &[u32],
        limit: Cost,
        mut keep: impl FnMut(u32),
    ) -> Cost {
        let beyond = Cost::try_from(self.radius + 1).unwrap_or(Cost::MAX);
        let radius = beyond - 1;
        if limit < beyond {
            return beyond;
        }
        let mut least = Cost::MAX;
        for &number in border {
            let way = (self.between)(state, &self.border[number as usize]);
            // Outside, at least one operator leads to the border.
            let bound = way.max(1).saturating_add(radius);
            if bound <= limit {
                keep(number);
                least = least.min(bound);
            }
        }
        // States that are not in this list may be one more away.
        if least > limit { limit.saturating_add(1) } else { least }
    }
}

impl<D, F> Heuristic<D> for FrontToPerimeter<D, F>
where
    D: Reversible + Packed,
    F: Fn(&D::State, &D::State) -> Cost + Sync,
{
    /// The numbers of the states of the border that are near enough.
    type Carry = Vec<u32>;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

    fn root(&self, _: &D, _: &D::State) -> Vec<u32> {
        (0..).take(self.border.len()).collect()
    }
    fn child(&self, _: &D, _: &D::State, carry: &Vec<u32>, _: Op, _: &D::State) -> Vec<u32> {
        carry.clone()
    }
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Vec<u32>,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        if let Some(distance) = self.distance(domain, state) {
            return Verdict::bound(distance);
        }
        let mut near = Vec::new();
        let bound = self.outside(state, carry, limit, |number| near.push(number));
        *carry = near;
        Verdict::bound(bound)
    }
    #[inline]
    fn within(
        &self,
        step: &mut Step<'_, D>,
        carry: &Vec<u32>,
        child: &mut Vec<u32>,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let domain = step.domain();
        let state = step.child();
        child.clear();
        let bound = match self.distance(domain, state) {
            Some(distance) => {
                child.extend_from_slice(carry);
                distance
            }
            None => self.outside(state, carry, limit, |number| child.push(number)),
        };
        if bound > limit { Err(bound) } else { Ok(Verdict::bound(bound)) }
    }
}

/// The estimate between two states of a group: that of `heuristic` on `to^-1 from`.
#[cfg(test)]
pub(super) fn difference<D: crate::Group, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    from: &D::State,
    to: &D::State,
) -> Cost {
    let (mut inverse, mut difference) = (to.clone(), to.clone());
    domain.invert(to, &mut inverse);
    domain.compose(&inverse, from, &mut difference);
    heuristic.estimate(domain, &difference)
}
