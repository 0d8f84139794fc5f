//! The equation between the distances of a projection: an image is as far as its nearest neighbour,
//! and the charge of the operator that leads there.

use super::{ProjectedDatabase, Projection};
use search::{Domain, OpSet};
use std::collections::HashSet;
use std::hash::Hash;

impl<D, F, C> Projection<'_, D, F, C>
where
    D: Domain<State: Eq + Hash>,
    F: Fn(&D::State) -> D::State,
{
    /// The images of these goals.
    pub(crate) fn images_of(&self, goals: &[D::State]) -> HashSet<D::State> {
        goals.iter().map(|goal| self.image(goal)).collect()
    }

    /// What the table says of one of its images, and what the operators say, if the two differ.
    /// `goals` are images.
    ///
    /// A table holds all successors of its images, in both directions: where operators have
    /// inverses, a successor of an image that reaches a goal reaches it, too. Only the exact
    /// distances agree everywhere, except on a cycle of uncharged operators.
    pub(crate) fn contradiction(
        &self,
        database: &ProjectedDatabase<D::State, F, C>,
        goals: &HashSet<D::State>,
        image: &D::State,
    ) -> Option<[String; 2]> {
        let mut least = goals.contains(image).then_some(0);
        for op in self.domain.applicable(image).members() {
            let to = self.successor(image, op);
            if to == *image {
                continue;
            }
            if !database.contains(&to) {
                let found = format!("no entry for {to:?}, where operator {op} leads");
                return Some([found, "an entry for each successor".to_owned()]);
            }
            let charge = u32::from(self.charge(image, op));
            let through = database.get(&to).map(|rest| u32::from(rest) + charge);
            least = least.into_iter().chain(through).min();
        }
        let found = database.get(image).map(u32::from);
        (found != least).then(|| [found, least].map(say))
    }
}

/// A distance in words.
pub(super) fn say(distance: Option<u32>) -> String {
    match distance {
        Some(distance) => format!("the distance {distance}"),
        None => "no way to a goal".to_owned(),
    }
}
