//! `decomposition`: solves a group from subgoal to subgoal, each with a derived table.

use super::{Solver, Task};
use crate::automata::{self, PruningRequest};
use crate::cache::{AutomatonCache, Once};
use crate::puzzle::{Failure, Result, TooLittleMemory};
use crate::run::Run;
use fsm::Keep;
use pdb::{
    BuildError, GroupPattern, PackedTable, PointDecomposition, PointSubgoal, SubgroupActions,
    build, point_subgoals,
};
use search::{Contexts, Domain, Limits, Packed, PermutationGroup};

/// Most entries of a table, as a power of two. Larger tables would take minutes to build.
const MOST_POWER: u32 = 26;
/// Least of the limits on the entries of a table, as a power of two.
const LEAST_POWER: u32 = 8;

/// Loads or builds the table of a pattern.
pub(crate) type Load = Box<dyn Fn(&GroupPattern, &Run<'_>) -> Result<PackedTable> + Send + Sync>;

/// Makes the name of a subgoal from the points that it adds.
type Name = Box<dyn Fn(&[u16]) -> String + Send + Sync>;

/// Augmenting subgoals with IDA* between them ([`PointDecomposition`]). Each part of a plan is
/// proven shortest, the whole plan is not.
pub(crate) struct Decomposition<D: Domain> {
    /// The greatest number of operators of a learned string, if the settings set no depth.
    depth: usize,
    name: Name,
    load: Load,
    made: Once<PointDecomposition>,
    automata: AutomatonCache<D::Ops>,
}

impl<D: Domain> Decomposition<D> {
    /// The solver that names subgoals by `name`, and gets its tables from `load`.
    pub(crate) fn new(
        depth: usize,
        name: impl Fn(&[u16]) -> String + Send + Sync + 'static,
        load: Load,
    ) -> Self {
        let name = Box::new(name);
        Self { depth, name, load, made: Once::default(), automata: AutomatonCache::default() }
    }
}

impl<D: PermutationGroup> Decomposition<D> {
    /// The subgoals with their tables. All tables together fit the memory of the settings.
    fn make(&self, task: &Task<'_, D>, run: &Run<'_>) -> Result<PointDecomposition> {
        let Task { domain, settings, .. } = *task;
        let (actions, subgoals) = run.prepare("the subgoals", |cancel| {
            let stop = || cancel.is_cancelled();
            let actions = SubgroupActions::of(domain).map_err(Failure::of_group)?;
            let subgoals = within(&actions, settings.memory, &stop)?;
            Ok((actions, subgoals))
        })?;
        let table = |subgoal: &PointSubgoal| {
            let pattern = run.prepare("the pieces of a subgoal", |cancel| {
                let pattern = subgoal.pattern(&actions, &|| cancel.is_cancelled());
                pattern.map_err(Failure::of_group)
            })?;
            let table = (self.load)(&pattern, run)?;
            Ok((pattern, table))
        };
        let tables: Result<_> = subgoals.iter().map(table).collect();
        Ok(PointDecomposition::new(subgoals, tables?))
    }

    /// The names of the subgoals. The last one is the solved state.
    fn names(&self, subgoals: &[PointSubgoal]) -> Vec<String> {
        let mut names: Vec<String> =
            subgoals.iter().map(|subgoal| (self.name)(&subgoal.points)).collect();
        if let Some(last) = names.last_mut() {
            "solved".clone_into(last);
        }
        names
    }
}

/// The subgoals with the largest tables that fit this many bytes together. A table takes at most a
/// byte for each entry.
fn within(
    actions: &SubgroupActions,
    bytes: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<PointSubgoal>> {
    let mut power = MOST_POWER;
    loop {
        let subgoals = point_subgoals(actions, 1 << power, stop).map_err(Failure::of_group)?;
        let needed: u64 = subgoals.iter().map(|subgoal| subgoal.entries).sum();
        if needed <= bytes {
            return Ok(subgoals);
        }
        if power == LEAST_POWER {
            return Err(TooLittleMemory::new("the solver decomposition", needed, bytes).into());
        }
        power -= 1;
    }
}

/// Builds a table in memory: four bits for each entry, or eight if a distance is above 14.
pub(crate) fn built(pattern: &GroupPattern, run: &Run<'_>) -> Result<PackedTable> {
    run.build("a subgoal", |options| match build::<4>(pattern, options) {
        Err(BuildError::TooDeep { .. }) => build::<8>(pattern, options),
        built => built,
    })
}

impl<D> Solver<D> for Decomposition<D>
where
    D: PermutationGroup + Contexts + Packed,
{
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        let Task { domain, start, settings } = *task;
        let made = run.tables(|run| self.made.get_or_make(run, || self.make(task, run)))?;
        run.reads("pieces of subgoals", made.bytes());
        let (pruning, depth, keep) = (settings.pruning, self.depth, Keep::OneOptimal);
        run.prunes(pruning.name(depth));
        let automaton = self.automata.automaton(keep, run, &|| {
            run.prepare("the forbidden strings", |cancel| {
                let memory = settings.memory;
                let request = PruningRequest { pruning, depth, keep, cancel, memory };
                automata::strings(domain, request)
            })
        })?;
        let names = self.names(made.subgoals());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let each = Limits::default();
        run.search_stages(&names, true, &|options| {
            made.search(domain, automaton, start, &each, options)
        });
        Ok(())
    }
}
