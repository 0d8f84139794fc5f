//! Goal decomposition of a permutation group: [`PointDecomposition`].

mod subgoals;
#[cfg(test)]
mod tests;

pub use subgoals::{PointSubgoal, point_subgoals};

use crate::builder::{BuildOptions, build};
use crate::group_tables::{GroupPattern, SubgroupActions, SubgroupError};
use crate::table::PackedTable;
use search::{
    AnyStage, CancelToken, Claims, Cost, Heuristic, Limits, OpSet, Options, PermutationGroup,
    Pruning, Stage, StagedReport, Verdict, search_stages,
};

/// A list of augmenting subgoals with tables: each subgoal keeps the points that the ones before it
/// fixed, and fixes more. The last one fixes all.
///
/// IDA\* searches from one subgoal to the next, with all operators. So each part of the plan costs
/// as little as possible, but the whole plan need not. The heuristic of a subgoal is the maximum
/// over pattern databases of the points that it and the ones before it fix.
///
/// Goal decomposition with IDA\* between the subgoals is the method of Martin (2016). There, the
/// subgoals and the heuristic are made by hand for the cube. Here, [`point_subgoals`] derives them
/// from the operators.
///
/// ```
/// use fewest_pdb::{BuildOptions, PointDecomposition, SubgroupActions};
/// use fewest_pdb::search::testing::Pancake;
/// use fewest_pdb::search::{InversePruning, Limits, Options};
///
/// let domain = Pancake::new(9);
/// let actions = SubgroupActions::of(&domain)?;
/// // Tables of at most 600 entries: three pancakes for each subgoal.
/// let subgoals = PointDecomposition::build(&actions, 600, &BuildOptions::default())?;
/// assert_eq!(subgoals.subgoals().len(), 3);
/// let start = domain.state(&[4, 7, 0, 5, 2, 8, 1, 6, 3]);
/// let (each, options) = (Limits::default(), Options::default());
/// let report = subgoals.search(&domain, &InversePruning, &start, &each, &options);
/// assert!(report.plan.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PointDecomposition {
    subgoals: Vec<PointSubgoal>,
    /// The table of each subgoal.
    tables: Vec<(GroupPattern, PackedTable)>,
}

impl PointDecomposition {
    /// Combines subgoals with their patterns ([`PointSubgoal::pattern`]) and tables.
    ///
    /// # Panics
    /// If there are more or fewer tables than subgoals, or a table has another number of entries
    /// than its pattern.
    pub fn new(subgoals: Vec<PointSubgoal>, tables: Vec<(GroupPattern, PackedTable)>) -> Self {
        assert_eq!(tables.len(), subgoals.len(), "a table for each subgoal");
        let fit = tables.iter().all(|(pattern, table)| pattern.entries() == table.entries());
        assert!(fit, "each table is that of its pattern");
        Self { subgoals, tables }
    }

    /// Chooses the subgoals and builds their tables, on the current thread pool. A table has at
    /// most `most` entries, and a byte for each ([`point_subgoals`]).
    ///
    /// # Errors
    /// If the points are too many, a distance is above 254, memory is short, or the caller cancels.
    pub fn build(
        actions: &SubgroupActions,
        most: u64,
        options: &BuildOptions<'_>,
    ) -> Result<Self, SubgroupError> {
        let stop = || options.cancel.is_some_and(CancelToken::is_cancelled);
        let subgoals = point_subgoals(actions, most, &stop)?;
        let table = |subgoal: &PointSubgoal| {
            let pattern = subgoal.pattern(actions, &stop)?;
            let table = build::<8>(&pattern, options)?;
            Ok((pattern, table))
        };
        let tables: Result<_, SubgroupError> = subgoals.iter().map(table).collect();
        Ok(Self::new(subgoals, tables?))
    }

    /// The subgoals, in their order.
    pub fn subgoals(&self) -> &[PointSubgoal] {
        &self.subgoals
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(|(_, table)| table.bytes().len() as u64).sum()
    }

    /// Searches from subgoal to subgoal, as [`search_stages`] does. `domain` has the operators of
    /// the actions. `pruning` keeps an optimal plan from every state to every other.
    ///
    /// If the operators do not generate the start, a stage finds no plan, or only ends at a limit.
    pub fn search<D: PermutationGroup, P: Pruning<D>>(
        &self,
        domain: &D,
        pruning: &P,
        start: &D::State,
        each: &Limits,
        options: &Options<'_>,
    ) -> StagedReport {
        let stage = |number: usize| Stage {
            operators: D::Ops::first(domain.operators()),
            goal: move |state: &D::State| self.is_reached(number, domain, state),
            heuristic: self.heuristic(number),
            pruning,
        };
        // Without subgoals, no operator moves a point: the goal alone is left.
        let stages: Vec<_> = (0..self.subgoals.len().max(1)).map(stage).collect();
        let chain: Vec<_> = stages.iter().map(|stage| stage as &dyn AnyStage<D>).collect();
        search_stages(domain, &chain, start, each, options)
    }

    /// Whether a state fixes all points of the subgoals up to this one. The last one is the goal.
    fn is_reached<D: PermutationGroup>(&self, number: usize, domain: &D, state: &D::State) -> bool {
        if number + 1 >= self.subgoals.len() {
            return domain.is_goal(state);
        }
        // The latest points are the ones that are least likely fixed.
        let points = self.subgoals[..=number].iter().rev().flat_map(|subgoal| &subgoal.points);
        points.copied().all(|point| domain.image(state, point.into()) == usize::from(point))
    }

    /// The tables that bound the cost to a subgoal: those of the subgoals up to it, the latest
    /// first. A table is left out if a later one has all its points.
    fn heuristic(&self, number: usize) -> SubgoalBound<'_> {
        let has_all = |later: &(GroupPattern, PackedTable), of: &GroupPattern| {
            of.tuple().iter().all(|point| later.0.tuple().contains(point))
        };
        let of_stage = self.tables.get(..=number).unwrap_or_default();
        let tables = of_stage.iter().enumerate().filter(|(at, (pattern, _))| {
            !of_stage[at + 1..].iter().any(|later| has_all(later, pattern))
        });
        SubgoalBound { tables: tables.map(|(_, table)| table).rev().collect() }
    }
}

/// The bound on the cost to a subgoal: the greatest entry of its tables.
///
/// Admissible: yes, because each entry is the distance of some points to their homes, which the
/// subgoal asks for. Consistent: yes, as the entries of pattern databases are.
struct SubgoalBound<'a> {
    tables: Vec<&'a (GroupPattern, PackedTable)>,
}

impl<D: PermutationGroup> Heuristic<D> for SubgoalBound<'_> {
    search::carry_nothing! { D }
    const CLAIMS: Claims = Claims::DEAD_ENDS.and_consistent();
    #[inline]
    fn bound(&self, domain: &D, state: &D::State, (): &mut (), limit: Cost) -> Verdict<D::Ops> {
        let mut inverse = domain.identity();
        domain.invert(state, &mut inverse);
        #[expect(clippy::cast_possible_truncation, reason = "patterns have fewer than 2^16 points")]
        let image = |point: u16| domain.image(&inverse, point.into()) as u16;
        let mut greatest = 0;
        for (pattern, table) in &self.tables {
            // Images without an entry are those of no element of the group.
            let value = pattern.rank(image).map_or(Cost::MAX, |entry| table.get(entry));
            greatest = greatest.max(value);
            if greatest > limit {
                break;
            }
        }
        Verdict::bound(greatest)
    }
}
