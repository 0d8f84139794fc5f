//! Pattern databases from a projection of states: a function from states to states of the same
//! domain, without ranks and edges. See [`Projection`].

mod database;
mod distances;
mod equation;
mod file;
mod graph;
#[cfg(test)]
mod tests;

pub use database::ProjectedDatabase;
pub use file::ProjectionFile;

use crate::builder::{BuildError, BuildOptions};
use database::BuildDirection;
use distances::Distances;
use graph::{ImageNodes, check_cancelled, uniform_cost};
use search::{Cost, Domain, Op, OpSet, Partitioned, Reversible};
use std::hash::Hash;

/// A projection: the function `image` from states to states that forgets a part of the state. It
/// builds a [`ProjectedDatabase`].
///
/// The image of a state is a state of the same domain, with the forgotten part put out of the way:
/// all other tiles alike (sliding tiles), all other discs off the pegs (towers of Hanoi). So the
/// domain's own operators make the abstract graph. Its nodes are images. An operator that applies
/// to an image `a` and leads to `b` is an edge from `a` to the image of `b`. Its charge is the cost
/// of the operator, or zero ([`Projection::charging`]). The table has the least charge from each
/// image to the image of a goal.
///
/// # Contract
/// The domain accepts images, and this holds for every operator from a state `s` to a state `t`:
///
/// - either `s` and `t` have the same image;
/// - or the operator applies to the image of `s` and leads from there to a state with the image of
///   `t`. If it is charged there, it is charged in `s`.
///
/// Every goal has the image of one of the `goals` that the builder gets.
/// [`testing::check_projection`](crate::testing::check_projection) checks the contract.
///
/// The bound is then admissible. Replace each state of a plan by its image, and leave out the
/// operators that change no image. What remains is a path of the abstract graph to the image of a
/// goal, and its charges are at most the cost of the plan.
///
/// # Cost
/// The table is a hash map. It takes up to five times the bytes of its images, and the build about
/// twice that. A lookup computes the image and its hash. An [`Abstraction`](crate::Abstraction)
/// takes half a byte an entry, so its table stays in the caches for longer. Even without rows and
/// columns it is built about four times as fast on one thread. Prefer it for tables of more than a
/// few million entries. [`Projection::save`] keeps a table in a file.
///
/// Pattern databases: Joseph Culberson and Jonathan Schaeffer, "Pattern databases", Computational
/// Intelligence 14(3), 1998. Abstractions by a map of states, with the domain's own operators:
/// István Hernádvölgyi and Robert Holte, "Experiments with automatically created memory-based
/// heuristics", SARA 2000.
///
/// ```
/// use fewest_pdb::{BuildOptions, Projection};
/// use fewest_pdb::search::testing::Pancake;
/// use fewest_pdb::search::{InversePruning, Max, Options, ida_star};
///
/// // Two projections keep the pancakes 0 to 4 and 4 to 8. All others become number 15.
/// let domain = Pancake::new(9);
/// let keep = |from: usize, to: usize| {
///     move |state: &u64| {
///         let pancakes = (0..9).map(|place| (place, Pancake::pancake(*state, place)));
///         let others = pancakes.filter(|(_, pancake)| !(from..to).contains(pancake));
///         others.fold(*state, |image, (place, _)| image | 15 << (4 * place))
///     }
/// };
/// let goals = [domain.state(&[0, 1, 2, 3, 4, 5, 6, 7, 8])];
/// let database = |from, to| {
///     Projection::new(&domain, keep(from, to)).backward(&goals, &BuildOptions::default())
/// };
/// let heuristic = Max(database(0, 5)?, database(4, 9)?);
/// let start = domain.state(&[4, 7, 0, 5, 2, 8, 1, 6, 3]);
/// let report = ida_star(&domain, &heuristic, &InversePruning, &start, &Options::default());
/// assert_eq!(report.lower_bound, 10);
/// # Ok::<(), fewest_pdb::BuildError>(())
/// ```
pub struct Projection<'a, D: Domain, F, C = ()> {
    domain: &'a D,
    image: F,
    /// The charged features, or `()` if every operator is charged.
    charged: C,
    charge: fn(&D, &C, &D::State, Op) -> Cost,
    limit: u32,
}

impl<'a, D: Domain, F: Fn(&D::State) -> D::State> Projection<'a, D, F> {
    /// A projection that charges every operator.
    pub fn new(domain: &'a D, image: F) -> Self {
        let charge = |domain: &D, (): &(), _: &D::State, op| domain.cost(op);
        Self { domain, image, charged: (), charge, limit: u32::MAX }
    }

    /// Charges only operators that move one of these features. So the databases of disjoint sets
    /// of features may be added ([`Additive`](search::Additive)).
    ///
    /// # Panics
    /// If a feature is not below [`Partitioned::features`].
    pub fn charging(
        self,
        features: impl IntoIterator<Item = usize>,
    ) -> Projection<'a, D, F, Vec<u64>>
    where
        D: Partitioned,
    {
        let number = self.domain.features();
        let mut charged = vec![0; number.div_ceil(64)];
        for feature in features {
            assert!(feature < number, "feature {feature} of {number}");
            charged[feature / 64] |= 1 << (feature % 64);
        }
        let charge = |domain: &D, charged: &Vec<u64>, state: &D::State, op| {
            let mover = domain.mover(state, op);
            let word = charged.get(mover / 64).copied().unwrap_or(0);
            if word >> (mover % 64) & 1 == 1 { domain.cost(op) } else { 0 }
        };
        let Self { domain, image, limit, .. } = self;
        Projection { domain, image, charged, charge, limit }
    }
}

impl<D: Domain, F: Fn(&D::State) -> D::State, C> Projection<'_, D, F, C> {
    /// Sets the most images that the table may have. [default: 4,294,967,295]
    #[must_use]
    pub fn limit(self, images: u32) -> Self {
        Self { limit: images, ..self }
    }

    /// The domain.
    pub fn domain(&self) -> &D {
        self.domain
    }

    /// The image of a state.
    pub fn image(&self, state: &D::State) -> D::State {
        (self.image)(state)
    }

    /// The image of the successor of a state.
    pub(crate) fn successor(&self, state: &D::State, op: Op) -> D::State {
        let mut to = state.clone();
        self.domain.apply_into(state, op, &mut to);
        self.image(&to)
    }

    /// The cost of the operator if it is charged in this state, else 0.
    pub(crate) fn charge(&self, state: &D::State, op: Op) -> Cost {
        (self.charge)(self.domain, &self.charged, state, op)
    }
}

impl<D, F, C> Projection<'_, D, F, C>
where
    D: Domain<State: Eq + Hash>,
    F: Fn(&D::State) -> D::State + Clone,
    C: Clone,
{
    /// Builds the table by inverse operators, from the goals outward. It holds the image of every
    /// state from which a goal can be reached. A state whose image is not there is a dead end: its
    /// bound is [`Cost::MAX`].
    ///
    /// Time: an image and a lookup for each image and operator, on one thread. The observer gets
    /// the layers; their `total` is the number of images found so far, and all layers from 255 on
    /// are reported as 255.
    ///
    /// # Errors
    /// If there is no goal, a distance is above 65,534, there are more images than the limit, or
    /// the caller cancels. Also if `options` has a checkpoint, for this build saves no layers.
    pub fn backward(
        &self,
        goals: &[D::State],
        options: &BuildOptions<'_>,
    ) -> Result<ProjectedDatabase<D::State, F, C>, BuildError>
    where
        D: Reversible,
    {
        check(goals, options)?;
        let mut nodes = ImageNodes::new(self.limit);
        let numbers: Result<Vec<u32>, _> =
            goals.iter().map(|goal| nodes.number(self.image(goal))).collect();
        let ops: Vec<(Op, Op)> = (0..self.domain.operators())
            .map(Op::new)
            .map(|op| (op, self.domain.inverse_op(op)))
            .collect();
        let distances = uniform_cost(numbers?, nodes.len(), options, |node, into| {
            let to = nodes.state(node).clone();
            let inverses = self.domain.applicable(&to);
            for &(op, inverse) in ops.iter().filter(|(_, inverse)| inverses.contains(*inverse)) {
                let from = self.successor(&to, inverse);
                if from != to && self.domain.applicable(&from).contains(op) {
                    into.push((self.charge(&from, op), nodes.number(from)?));
                }
            }
            Ok(())
        })?;
        let table = nodes.with_distances(&distances);
        Ok(self.database(table, BuildDirection::Backward))
    }

    /// The heuristic of a table.
    fn database(
        &self,
        table: Distances<D::State>,
        direction: BuildDirection,
    ) -> ProjectedDatabase<D::State, F, C> {
        ProjectedDatabase::new(self.image.clone(), self.charged.clone(), table, direction)
    }

    /// Builds the table of all images that can be reached from those of `starts`. An image from
    /// which no goal can be reached is a dead end: its bound is [`Cost::MAX`]. A state whose image
    /// is not there, because no start leads to it, has the bound 0.
    ///
    /// Needs no inverse operators. Time: as [`Projection::backward`], and the edges are sorted. The
    /// build stores them in 12 bytes each.
    ///
    /// # Errors
    /// As [`Projection::backward`].
    pub fn forward(
        &self,
        starts: &[D::State],
        goals: &[D::State],
        options: &BuildOptions<'_>,
    ) -> Result<ProjectedDatabase<D::State, F, C>, BuildError> {
        check(goals, options)?;
        let mut nodes = ImageNodes::new(self.limit);
        for start in starts {
            nodes.number(self.image(start))?;
        }
        // Each edge with its end first, then its start and its charge.
        let mut edges = Vec::new();
        let mut node = 0;
        while (node as usize) < nodes.len() {
            check_cancelled(options)?;
            let from = nodes.state(node).clone();
            for op in self.domain.applicable(&from).members() {
                let to = self.successor(&from, op);
                if to != from {
                    edges.push((nodes.number(to)?, node, self.charge(&from, op)));
                }
            }
            node += 1;
        }
        edges.sort_unstable();
        // The cheapest of several edges comes first.
        edges.dedup_by_key(|&mut (to, from, _)| (to, from));
        let numbers = goals.iter().filter_map(|goal| nodes.find(&self.image(goal))).collect();
        let distances = uniform_cost(numbers, nodes.len(), options, |node, into| {
            let first = edges.partition_point(|&(to, ..)| to < node);
            let edges = edges[first..].iter().take_while(|&&(to, ..)| to == node);
            into.extend(edges.map(|&(_, from, charge)| (charge, from)));
            Ok(())
        })?;
        let table = nodes.with_distances(&distances);
        Ok(self.database(table, BuildDirection::Forward))
    }
}

/// Refuses what no projection can be built of, or with.
fn check<S>(goals: &[S], options: &BuildOptions<'_>) -> Result<(), BuildError> {
    if options.checkpoint.is_some() {
        return Err(BuildError::Refused("the build of a projection saves no layers".to_owned()));
    }
    if goals.is_empty() { Err(BuildError::NoGoal) } else { check_cancelled(options) }
}

impl<D: Domain, F, C> std::fmt::Debug for Projection<'_, D, F, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Projection").field("limit", &self.limit).finish_non_exhaustive()
    }
}
