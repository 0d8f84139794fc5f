//! `decomposition`: solves the 3x3x3 from subgoal to subgoal.

use crate::cache::Once;
use crate::puzzle::{Failure, Result, TooLittleMemory};
use crate::run::Run;
use crate::solvers::{Solver, Task};
use crate::tables::{TableSource, described};
use cube::decomposition::{
    Martin, MartinList, PieceCount, Subgoal, SubgoalTable, TableDecomposition, TableList,
};
use cube::{Cube3, CubeMetric};
use pdb::PackedTable;
use pdb::file::TableSpec;
use search::Options;

/// The names of the solvers here. Those with a colon take the suffix `/8`, too.
pub(super) const NAMES: [&str; 6] = [
    "decomposition",
    "fridrich",
    "decomposition:beginner",
    "decomposition:random",
    "decomposition:parallel",
    "decomposition:improved",
];

/// The seed of the order of pieces of `decomposition:random`.
const SEED: u64 = 1;

/// The solver with this name. `None` if there is none.
pub(super) fn named(domain: Cube3, name: &str) -> Option<Box<dyn Solver<Cube3>>> {
    let list = match name {
        "decomposition" => Some(TableList::Blocks),
        "fridrich" => Some(TableList::Fridrich),
        _ => None,
    };
    if let Some(list) = list {
        return Some(Box::new(WithTables { domain, list, decomposition: Once::default() }));
    }
    let list = name.strip_prefix(NAMES[0])?.strip_prefix(':')?;
    let (list, counting) = match list.strip_suffix("/8") {
        Some(list) => (list, PieceCount::Eighths),
        None => (list, PieceCount::Slots),
    };
    let list = match list {
        "beginner" => MartinList::Beginner,
        "random" => MartinList::Random(SEED),
        "parallel" => MartinList::Parallel,
        "improved" => MartinList::Improved,
        _ => return None,
    };
    Some(Box::new(MartinSolver { martin: Martin::new(domain.metric(), list, counting), counting }))
}

/// The table files of all lists.
pub(super) fn specs(metric: CubeMetric) -> impl Iterator<Item = TableSpec> {
    [TableList::Blocks, TableList::Fridrich].into_iter().flat_map(move |list| of(metric, list))
}

/// The table files of a list.
fn of(metric: CubeMetric, list: TableList) -> impl Iterator<Item = TableSpec> {
    let spec = move |SubgoalTable { subgoal, description, entries, .. }| {
        let pieces = description.pieces.join("-");
        let name = format!("3x3x3-{}-{}-{}-{pieces}", metric.name(), list.name(), subgoal + 1);
        let description = described(description);
        TableSpec::new(name, description, PackedTable::payload(4, entries))
    };
    TableDecomposition::tables(metric, list).into_iter().map(spec)
}

/// The names of subgoals.
fn names(subgoals: &[Subgoal]) -> Vec<&str> {
    subgoals.iter().map(Subgoal::name).collect()
}

/// Subgoals with tables ([`TableDecomposition`]).
struct WithTables {
    domain: Cube3,
    list: TableList,
    decomposition: Once<TableDecomposition>,
}

impl Solver<Cube3> for WithTables {
    fn solve(&self, task: &Task<'_, Cube3>, run: &mut Run<'_>) -> Result<()> {
        let Task { start, settings, .. } = *task;
        let (metric, list) = (self.domain.metric(), self.list);
        let (needed, limit) = (TableDecomposition::bytes(list), settings.memory);
        if needed > limit {
            let solver = format!("the solver {}", settings.solver);
            return Err(TooLittleMemory::new(solver, needed, limit).into());
        }
        let make = |run: &Run<'_>| {
            let source = TableSource::new(settings);
            let patterns = TableDecomposition::patterns(metric, list);
            let made = of(metric, list).zip(&patterns);
            let tables: Result<_> =
                made.map(|(spec, pattern)| source.exact::<4>(&spec, pattern, run)).collect();
            Ok::<_, Failure>(TableDecomposition::new(metric, list, tables?))
        };
        let decomposition = run.tables(|run| self.decomposition.get_or_make(run, || make(run)))?;
        run.reads("pieces of subgoals", needed);
        let names = names(decomposition.subgoals());
        run.search_stages(&names, true, &|options| decomposition.search(start, options));
        Ok(())
    }
}

/// Martin's lists of subgoals ([`Martin`]).
struct MartinSolver {
    martin: Martin,
    counting: PieceCount,
}

impl Solver<Cube3> for MartinSolver {
    fn solve(&self, task: &Task<'_, Cube3>, run: &mut Run<'_>) -> Result<()> {
        let counts = match self.counting {
            PieceCount::Slots => "missing pieces",
            PieceCount::Eighths => "missing pieces / 8",
        };
        run.reads(counts, 0);
        let search = |options: &Options<'_>| self.martin.search(task.start, options);
        run.search_stages(&names(self.martin.subgoals()), true, &search);
        Ok(())
    }
}
