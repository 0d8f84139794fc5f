//! A domain as a closure: [`domain_successors`].

use search::{Cost, Domain, OpSet};

/// The successors of a state of a [`Domain`], with costs of any type, for
/// [`ClosureSearch`](crate::ClosureSearch). So A\* and its relatives find plans of the domain that
/// cost more than 250, and need no [`Packed`](search::Packed).
///
/// A list has the operators that apply, in ascending order. An estimate may be a
/// [`Heuristic`](search::Heuristic) of the domain, or a database with distances of 16 bits.
///
/// # Example
/// ```
/// use fewest_closures::{ClosureSearch, domain_successors};
/// use fewest_closures::search::Domain;
/// use fewest_closures::search::testing::Pancake;
///
/// let stack = Pancake::new(6);
/// let start = stack.state(&[3, 0, 5, 1, 4, 2]);
/// let steps = domain_successors::<_, u32>(&stack);
/// let answer = ClosureSearch::new(&start, steps, |_| 0, |state| stack.is_goal(state)).a_star()?;
/// assert_eq!(answer.path().map(|path| path.cost), Some(6));
/// # Ok::<(), fewest_closures::ClosureError>(())
/// ```
pub fn domain_successors<D: Domain, C: From<Cost>>(
    domain: &D,
) -> impl Fn(&D::State) -> Vec<(D::State, C)> {
    move |state| {
        let successor = |op| {
            let mut to = state.clone();
            domain.apply_into(state, op, &mut to);
            (to, domain.cost(op).into())
        };
        domain.applicable(state).members().map(successor).collect()
    }
}
