//! The laws of heuristics that work in place.

use super::{Distances, LawError, law, pick, successor};
use crate::domain::{Cost, Domain, OpSet, Packed};
use crate::heuristic::InPlace;
use crate::random::Random;

/// The number of states that searches start from.
const STARTS: usize = 128;
/// The depth of a search.
const DEPTH: usize = 24;
/// By how much the remaining cost exceeds that of a plan.
const SPARE: [Cost; 3] = [0, 1, 4];

/// Checks [`InPlace`] along searches from states of `distances`, towards the goal and away from it:
/// - the working copy agrees with the state: operators, goal test and successors;
/// - no plan within the limit passes a cut child, and the value of a cut is proven and above the
///   limit;
/// - a cut changes nothing, and `undo` restores the working copy.
///
/// # Errors
/// Names the law that is broken, with the state, the limit and the operator.
pub fn check_in_place<D: Packed, H: InPlace<D>>(
    domain: &D,
    heuristic: &H,
    distances: &Distances<D>,
) -> Result<(), LawError> {
    law!(!distances.is_empty(), "no distances to check the heuristic against");
    let every = distances.len().div_ceil(STARTS);
    let (mut number, mut random) = (0, Random::new(7));
    distances.try_for_each(|state, cost, _| {
        number += 1;
        if number % every != 0 {
            return Ok(());
        }
        for spare in SPARE {
            let remaining = cost.saturating_add(spare);
            let (mut work, mut note) = heuristic.work(domain, state);
            let (mut at, mut left) = (state.clone(), remaining);
            for _ in 0..DEPTH {
                let node = Node { domain, heuristic, distances, state: &at, remaining: left };
                let Some((next, state, rest)) = node.check(&mut work, note, &mut random)? else {
                    break;
                };
                (note, at, left) = (next, state, rest);
            }
        }
        Ok(())
    })
}

/// A child: its note, its state and the remaining cost.
type Next<D, H> = (<H as InPlace<D>>::Note, <D as Domain>::State, Cost);

/// A node of a search.
struct Node<'a, D: Packed, H> {
    domain: &'a D,
    heuristic: &'a H,
    distances: &'a Distances<'a, D>,
    state: &'a D::State,
    remaining: Cost,
}

impl<D: Packed, H: InPlace<D>> Node<'_, D, H> {
    /// The working copy is that of the state: operators and goal test agree.
    fn check_copy(&self, work: &H::Work) -> Result<(), LawError> {
        let Self { domain, heuristic, state, .. } = *self;
        let (there, key) = (domain.pack(&heuristic.state(domain, work)), domain.pack(state));
        law!(there == key, "the working copy of {state:?} is another state");
        law!(
            heuristic.is_goal(domain, work) == domain.is_goal(state),
            "the working copy of {state:?} is wrong about whether it is a goal"
        );
        law!(
            heuristic.applicable(domain, work) == domain.applicable(state),
            "other operators apply to the working copy of {state:?}"
        );
        Ok(())
    }

    /// Checks all children and goes on to one that is not cut.
    fn check(
        &self,
        work: &mut H::Work,
        mut note: H::Note,
        random: &mut Random,
    ) -> Result<Option<Next<D, H>>, LawError> {
        let Self { domain, heuristic, distances, state, remaining } = *self;
        self.check_copy(work)?;
        let ready = heuristic.ready(domain, work, &mut note, remaining);
        let (before, _) = heuristic.work(domain, state);
        law!(*work == before, "the working copy of {state:?} is not that of the state alone");
        let mut within = Vec::new();
        for op in domain.applicable(state).members() {
            let Some(limit) = remaining.checked_sub(domain.cost(op)) else { continue };
            let to = successor(domain, state, op);
            heuristic.prefetch(domain, work, &ready, op);
            match heuristic.step(domain, work, &note, &ready, op, limit) {
                Err(h) => {
                    let cost = distances.cost(&to);
                    law!(
                        h > limit && cost.is_none_or(|cost| cost >= h),
                        "with {limit} left, the child of {state:?} by operator {} is cut with {h}, but a plan costs {cost:?}",
                        op.0
                    );
                }
                Ok(next) => {
                    let there = domain.pack(&heuristic.state(domain, work));
                    law!(
                        there == domain.pack(&to),
                        "operator {} on the working copy of {state:?} leads elsewhere",
                        op.0
                    );
                    heuristic.undo(domain, work, op);
                    within.push((op, next, to, limit));
                }
            }
            law!(*work == before, "operator {} on {state:?} is not undone", op.0);
        }
        let ops = within.iter().fold(D::Ops::NONE, |ops, &(op, ..)| ops.with(op));
        let Some(op) = pick(random, ops) else { return Ok(None) };
        let Some((_, next, to, limit)) = within.into_iter().find(|(own, ..)| *own == op) else {
            return Ok(None);
        };
        let again = heuristic.step(domain, work, &note, &ready, op, limit);
        law!(again.is_ok(), "operator {} on {state:?} is cut the second time", op.0);
        Ok(Some((next, to, limit)))
    }
}
