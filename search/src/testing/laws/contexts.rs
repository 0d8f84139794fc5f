//! The law of contexts: every state behaves like the representative of its context.

use super::{LawError, law, samples, successor};
use crate::Plan;
use crate::domain::{Contexts, OpSet, Packed};
use std::collections::BTreeMap;

/// The number of sampled states to compare with the representative of each context.
const STATES: usize = 6;

/// Checks [`Contexts`] with all strings of at most `length` operators, on a representative and on
/// sampled states of its context:
/// - a string applies to both or to none, and leads to the same context from both;
/// - if two strings lead from the representative to the same state, they also do so from the
///   sampled state.
///
/// Time: operators^length, for each context and six of its states.
///
/// # Errors
/// Names the law that is broken, with the state and the strings.
pub fn check_contexts<D: Contexts + Packed>(
    domain: &D,
    starts: &[D::State],
    length: usize,
) -> Result<(), LawError> {
    let states = samples(domain, starts);
    for state in &states {
        let (context, all) = (domain.context(state), domain.contexts());
        law!(context < all, "{state:?} has context {context}, but there are {all}");
    }
    for context in 0..domain.contexts() {
        let representative = domain.representative(context);
        law!(
            domain.context(&representative) == context,
            "the representative {representative:?} of context {context} has context {}",
            domain.context(&representative)
        );
        let of_context = states.iter().filter(|state| domain.context(state) == context);
        // The last samples are farthest from the starts.
        for state in of_context.rev().take(STATES) {
            let mut walk = Walk { domain, first: state, met: BTreeMap::new(), string: Plan::new() };
            walk.compare(&representative, state, length)?;
        }
    }
    Ok(())
}

/// Carries out all strings on a representative and on a state together.
struct Walk<'a, D: Packed> {
    domain: &'a D,
    first: &'a D::State,
    /// For each state that a string reaches from the representative: the key that the same string
    /// reaches from the other state, and the string.
    met: BTreeMap<D::Key, (D::Key, Plan)>,
    string: Plan,
}

impl<D: Contexts + Packed> Walk<'_, D> {
    fn compare(&mut self, one: &D::State, two: &D::State, left: usize) -> Result<(), LawError> {
        let Self { domain, first, .. } = *self;
        let string = self.string.clone();
        law!(
            domain.applicable(one) == domain.applicable(two),
            "after {string:?} other operators apply to {first:?} than to the representative of its context"
        );
        law!(
            domain.context(one) == domain.context(two),
            "{string:?} leads {first:?} to another context than the representative of its context"
        );
        let here = domain.pack(two);
        let (there, other) =
            self.met.entry(domain.pack(one)).or_insert_with(|| (here, string.clone()));
        law!(
            *there == here,
            "{other:?} and {string:?} lead the representative of a context to the same state, but not {first:?}"
        );
        if left == 0 {
            return Ok(());
        }
        for op in domain.applicable(one).members() {
            self.string.push(op);
            let (one, two) = (successor(domain, one, op), successor(domain, two, op));
            self.compare(&one, &two, left - 1)?;
            self.string.pop();
        }
        Ok(())
    }
}
