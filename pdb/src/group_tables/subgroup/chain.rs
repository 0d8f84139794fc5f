//! A chain of subgroups as the stages of a search: [`SubgroupChain`].

use super::{Steps, SubgroupPattern};
use crate::builder::{BuildError, BuildOptions, build};
use crate::database::PatternDatabase;
use crate::table::Histogram;
use groups::{BigUint, GroupError, Permutation, StabilizerChain, orbits};
use search::{
    AnyStage, CancelToken, Cost, Group, Image, InversePruning, Limits, Op, OpSet, Options,
    PermutationGroup, Report, Stage, StagedReport, search_chain, search_stages,
};
use std::collections::BTreeSet;

/// Why a chain of subgroups or a decomposition was not made. Stages count from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SubgroupError {
    /// There is no stage, or a stage without operators.
    #[error("stage {} has no moves", stage + 1)]
    Empty {
        /// The stage.
        stage: usize,
    },
    /// An operator of a stage is not in the group of the stage before.
    #[error("stage {} has a move outside of the group of the stage before", stage + 1)]
    Outside {
        /// The stage.
        stage: usize,
        /// The operator.
        op: Op,
    },
    /// No operator of a stage undoes one of its operators at the same cost.
    #[error("stage {} has a move, but no move that takes it back at the same cost", stage + 1)]
    NoInverse {
        /// The stage.
        stage: usize,
        /// The operator.
        op: Op,
    },
    /// The points or the group are too large, or the caller cancelled.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// A table was not built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// How the operators of a domain act on points.
#[derive(Clone, Debug)]
pub struct SubgroupActions {
    /// The number of points.
    pub points: usize,
    /// For each operator: its permutation of the points, and its cost.
    pub operators: Vec<(Permutation, Cost)>,
    /// The points in components that no operator mixes. A piece with its orientations should be in
    /// one component.
    pub components: Vec<Vec<u16>>,
}

impl SubgroupActions {
    /// The actions of the operators of a domain, as [`point_permutation`] has them. The components
    /// are the orbits of the points.
    ///
    /// # Errors
    /// If there are more than [`Permutation::MOST_POINTS`] points.
    pub fn of<D: PermutationGroup>(domain: &D) -> Result<Self, GroupError> {
        let (identity, points) = (domain.identity(), domain.points());
        let action = |op: Op| {
            let mut generator = domain.identity();
            domain.apply_into(&identity, op, &mut generator);
            Ok((point_permutation(domain, &generator)?, domain.cost(op)))
        };
        let operators: Result<Vec<_>, _> =
            (0..domain.operators()).map(Op::new).map(action).collect();
        let operators = operators?;
        let generators: Vec<_> = operators.iter().map(|(action, _)| action.clone()).collect();
        Ok(Self { points, components: orbits(points, &generators), operators })
    }
}

/// Where an element takes each point. The product `a b` takes a point first as `a` does, then as
/// `b` does. So this is the inverse of [`PermutationGroup::image`].
///
/// # Errors
/// If there are more than [`Permutation::MOST_POINTS`] points.
pub fn point_permutation<D: PermutationGroup>(
    domain: &D,
    element: &D::State,
) -> Result<Permutation, GroupError> {
    let image = |point| u16::try_from(domain.image(element, point)).unwrap_or(u16::MAX);
    Permutation::new((0..domain.points()).map(image).collect()).map(|images| images.inverse())
}

/// A stage of a [`SubgroupChain`]: from a group into the group of the next stage.
#[derive(Debug)]
pub struct SubgroupStage<V> {
    operators: Vec<Op>,
    databases: Vec<PatternDatabase<SubgroupPattern<V>>>,
    exact: bool,
    /// The subgroup that the stage leads to. `None` if entry 0 of the table tells its elements.
    members: Option<StabilizerChain>,
    index: BigUint,
}

impl<V> SubgroupStage<V> {
    /// The operators of the stage.
    pub fn operators(&self) -> &[Op] {
        &self.operators
    }

    /// The number of cosets: the order of the stage's group, divided by that of the next one.
    pub fn index(&self) -> &BigUint {
        &self.index
    }

    /// Whether the table has the exact distance of each coset. Otherwise the stage searches with
    /// lower bounds.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// How many cosets have each distance, if the table is exact. Otherwise the distances of the
    /// entries of each table.
    pub fn histograms(&self) -> Vec<Histogram> {
        self.databases.iter().map(|database| database.table().histogram()).collect()
    }

    /// Bytes of the tables of distances.
    pub fn bytes(&self) -> u64 {
        self.databases.iter().map(|database| database.table().bytes().len() as u64).sum()
    }
}

/// A chain of subgroups that leads to the identity, with tables of distances for each stage.
///
/// Stage `i` has some operators, which generate the group `G_i`. It leads from `G_i` into
/// `G_(i+1)`, the group of the next stage's operators. The last stage leads to the identity. The
/// tables come from the generators alone: `G_(i+1)` has a stabilizer chain, its cosets are numbered
/// on each component of the points, and the distances are found breadth first. If the cosets of all
/// components together fit the memory and tell the cosets of `G_(i+1)` apart, the distances are
/// exact, and the stage finds its plan without search. Else it has a lower bound for each set of
/// components that fits, and searches by IDA*.
///
/// The method is Morwen Thistlethwaite's (1981; described by Joe Fowler, thesis, 2002, section
/// 3.1), whose four stages were worked out by hand for the cube.
#[derive(Debug)]
pub struct SubgroupChain<V> {
    view: V,
    first: StabilizerChain,
    stages: Vec<SubgroupStage<V>>,
}

impl<V: Clone + Sync> SubgroupChain<V> {
    /// Builds the tables of a chain, on the current thread pool.
    ///
    /// `stages[i]` has the operators of stage `i`. `view` turns a state into its permutation of the
    /// points. A table has at most `most` entries, and a byte for each.
    ///
    /// # Errors
    /// If a stage is empty or has an operator that no operator of the stage undoes at the same
    /// cost. If an operator is not in the group of the stage before. Also if the points are too
    /// many, a distance is above 254, memory is short, or the caller cancels.
    ///
    /// # Panics
    /// If an operator is none of the actions.
    pub fn build(
        actions: &SubgroupActions,
        stages: &[Vec<Op>],
        view: V,
        most: u32,
        options: &BuildOptions<'_>,
    ) -> Result<Self, SubgroupError> {
        let stop = || options.cancel.is_some_and(CancelToken::is_cancelled);
        let generators = |ops: &[Op]| -> Vec<Permutation> {
            ops.iter().map(|op| actions.operators[op.index()].0.clone()).collect()
        };
        let mut chains = Vec::new();
        for (stage, ops) in stages.iter().enumerate() {
            check_inverses(actions, stage, ops)?;
            let own = generators(ops);
            if let Some(before) = chains.last() {
                let outside = own.iter().position(|op| !StabilizerChain::contains(before, op));
                if let Some(at) = outside {
                    return Err(SubgroupError::Outside { stage, op: ops[at] });
                }
            }
            chains.push(StabilizerChain::new_until(actions.points, &own, &[], &stop)?);
        }
        let first = chains.first().cloned().ok_or(SubgroupError::Empty { stage: 0 })?;
        chains.push(StabilizerChain::new_until(actions.points, &[], &[], &stop)?);
        let mut made = Vec::new();
        for (stage, ops) in stages.iter().enumerate() {
            let operators = (0..actions.operators.len()).map(|op| {
                let has = ops.contains(&Op::new(op));
                has.then(|| actions.operators[op].clone())
            });
            let subgroup = stages.get(stage + 1).map_or(Vec::new(), |ops| generators(ops));
            let steps = Steps {
                points: actions.points,
                operators: &operators.collect::<Vec<_>>(),
                subgroup: &subgroup,
            };
            let patterns =
                SubgroupPattern::of_stage(&steps, &actions.components, &view, most, &stop)?;
            let mut databases = Vec::new();
            for pattern in patterns {
                let table = build::<8>(&pattern, options)?;
                databases.push(PatternDatabase::new(pattern, table));
            }
            let index = chains[stage].order() / chains[stage + 1].order();
            let told: Vec<u64> = databases.iter().map(reached).collect();
            let exact = match told[..] {
                [] => index == 1_u32.into(),
                [reached] => index == reached.into(),
                _ => false,
            };
            // The last stage compares with the identity, so no plan is wrong.
            let last = stage + 1 == stages.len();
            let members = (last || !exact).then(|| chains[stage + 1].clone());
            made.push(SubgroupStage { operators: ops.clone(), databases, exact, members, index });
        }
        Ok(Self { view, first, stages: made })
    }

    /// The stages in the order in which a search takes them. The last one ends at the identity.
    pub fn stages(&self) -> &[SubgroupStage<V>] {
        &self.stages
    }

    /// Whether the operators of the first stage solve this state.
    pub fn solves<S>(&self, state: &S) -> bool
    where
        V: Fn(&S) -> Permutation,
    {
        self.first.contains(&(self.view)(state))
    }

    /// Solves a state stage by stage, as [`search_stages`] does. Each stage costs as little as
    /// possible.
    ///
    /// `domain` has the operators of the actions. If [`SubgroupChain::solves`] is false, the first
    /// stage finds no plan, or only ends at a limit.
    pub fn solve<D>(
        &self,
        domain: &D,
        start: &D::State,
        each: &Limits,
        options: &Options<'_>,
    ) -> StagedReport
    where
        D: Group,
        V: Fn(&D::State) -> Permutation,
    {
        self.with_stages(|stages| search_stages(domain, stages, start, each, options))
    }

    /// Searches for better and better plans of a state, as [`search_chain`] does. `ceiling` limits
    /// the cost of the stages after the first at the beginning.
    pub fn improve<D>(
        &self,
        domain: &D,
        start: &D::State,
        ceiling: Cost,
        options: &Options<'_>,
    ) -> Report
    where
        D: Group,
        V: Fn(&D::State) -> Permutation,
    {
        let images = [Image::plain(start.clone())];
        self.with_stages(|stages| search_chain(domain, stages, &images, ceiling, options))
    }

    fn with_stages<D, T>(&self, run: impl FnOnce(&[&dyn AnyStage<D>]) -> T) -> T
    where
        D: Group,
        V: Fn(&D::State) -> Permutation,
    {
        let stage = |stage| of_search::<D, V>(&self.view, stage);
        let stages: Vec<_> = self.stages.iter().map(stage).collect();
        let stages: Vec<&dyn AnyStage<D>> = stages.iter().map(|stage| &**stage).collect();
        run(&stages)
    }
}

/// The number of entries of a table that have a distance.
fn reached<I>(database: &PatternDatabase<I>) -> u64 {
    let histogram = database.table().histogram();
    histogram.entries - histogram.unreached
}

/// # Errors
/// If a stage has no operators, or an operator that none of them undoes at the same cost.
fn check_inverses(
    actions: &SubgroupActions,
    stage: usize,
    ops: &[Op],
) -> Result<(), SubgroupError> {
    if ops.is_empty() {
        return Err(SubgroupError::Empty { stage });
    }
    let own = |op: &Op| &actions.operators[op.index()];
    let known: BTreeSet<&(Permutation, Cost)> = ops.iter().map(own).collect();
    let alone = ops.iter().find(|op| {
        let (action, cost) = own(op);
        !known.contains(&(action.inverse(), *cost))
    });
    match alone {
        Some(&op) => Err(SubgroupError::NoInverse { stage, op }),
        None => Ok(()),
    }
}

/// A stage as the searches take it.
fn of_search<'a, D, V>(view: &'a V, stage: &'a SubgroupStage<V>) -> Box<dyn AnyStage<D> + 'a>
where
    D: Group,
    V: Fn(&D::State) -> Permutation + Sync,
{
    let goal = move |state: &D::State| match &stage.members {
        Some(members) => members.contains(&view(state)),
        None => stage.databases.iter().all(|database| database.indexer().is_goal(state)),
    };
    Box::new(Stage {
        operators: stage.operators.iter().fold(D::Ops::NONE, |set, &op| set.with(op)),
        goal,
        heuristic: &stage.databases,
        pruning: InversePruning,
    })
}
