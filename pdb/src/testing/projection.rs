//! Checks the contract of projections on the states around some starts.

use crate::projection::{ProjectedDatabase, Projection};
use search::{Domain, OpSet};
use std::collections::HashSet;
use std::hash::Hash;

/// Checks the contract of a [`Projection`] on up to `states` states, breadth first from `starts`.
/// The table is built from `goals`.
///
/// - The image of a goal is the image of one of `goals`.
/// - An operator that changes the image applies to the image too, and leads to the same image from
///   there.
/// - Such an operator is charged in the image no more than in the state.
///
/// Start from a goal *and* from some other states. Where operators have inverses, this checks
/// tables of both directions.
///
/// # Errors
/// If the contract does not hold. The text names the operator and the states.
pub fn check_projection<D, F, C>(
    projection: &Projection<'_, D, F, C>,
    goals: &[D::State],
    starts: &[D::State],
    states: usize,
) -> Result<(), String>
where
    D: Domain<State: Eq + Hash>,
    F: Fn(&D::State) -> D::State,
{
    let domain = projection.domain();
    let goals: HashSet<D::State> = goals.iter().map(|goal| projection.image(goal)).collect();
    let mut known: HashSet<D::State> = starts.iter().cloned().collect();
    let mut open = Vec::from(starts);
    let mut at = 0;
    while let Some(state) = open.get(at).cloned() {
        at += 1;
        let image = projection.image(&state);
        if domain.is_goal(&state) && !goals.contains(&image) {
            return Err(format!("the goal {state:?} has the image {image:?}, which is no goal"));
        }
        let allowed = domain.applicable(&image);
        for op in domain.applicable(&state).members() {
            let mut to = state.clone();
            domain.apply_into(&state, op, &mut to);
            let after = projection.image(&to);
            if after != image {
                let what = format!("operator {op} leads from {state:?} to {to:?}");
                if !allowed.contains(op) {
                    return Err(format!("{what}, but does not apply to the image {image:?}"));
                }
                let found = projection.successor(&image, op);
                if found != after {
                    return Err(format!(
                        "{what} with the image {after:?}, but from the image {image:?} to {found:?}"
                    ));
                }
                let charges = [projection.charge(&state, op), projection.charge(&image, op)];
                if charges[0] < charges[1] {
                    return Err(format!(
                        "{what} for {}, but from the image {image:?} for {}",
                        charges[0], charges[1]
                    ));
                }
            }
            if known.len() < states && known.insert(to.clone()) {
                open.push(to);
            }
        }
    }
    Ok(())
}

/// Checks all distances of a database, built or loaded: a goal's image has the distance 0, and
/// every other image the least `charge + distance` over the operators that apply to it. All these
/// lead to images of the table. The table was built from `goals`.
///
/// # Errors
/// If a distance is another one. The text names the image.
pub fn check_projected_database<D, F, C>(
    projection: &Projection<'_, D, F, C>,
    database: &ProjectedDatabase<D::State, F, C>,
    goals: &[D::State],
) -> Result<(), String>
where
    D: Domain<State: Eq + Hash>,
    F: Fn(&D::State) -> D::State,
{
    let goals = projection.images_of(goals);
    for image in database.images() {
        if let Some([found, least]) = projection.contradiction(database, &goals, image) {
            return Err(format!("the image {image:?} has {found}, expected {least}"));
        }
    }
    Ok(())
}
