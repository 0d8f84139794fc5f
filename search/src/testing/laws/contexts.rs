//! The law of contexts: what holds for the representative holds for every state of its context.

use super::{LawError, law, samples, successor};
use crate::Plan;
use crate::domain::{Contexts, OpSet, Packed};
use std::collections::BTreeMap;

/// How many sampled states are compared with the representative of each context.
const STATES: usize = 6;

/// Checks [`Contexts`] with all strings of at most `length` operators: they apply to a representative and to a sampled state of its context
/// alike, lead to the same context from both, and two strings that meet from the representative meet from the state.
///
/// Time: |O|^length for each context and six states of it.
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

/// All strings, carried out on a representative and on a state at once.
struct Walk<'a, D: Packed> {
    domain: &'a D,
    first: &'a D::State,
    /// Where strings led from the representative: where the first of them led from the state, and that string.
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
