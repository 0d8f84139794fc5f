//! `stages`: goes through a chain of subgroups, from subgoal to subgoal.

use super::{Solver, Task};
use crate::cache::Once;
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::settings::Settings;
use groups::{GroupError, Permutation};
use pdb::{BuildOptions, SubgroupActions, SubgroupChain, SubgroupError};
use search::{Group, Limits, Op};

/// Most entries of a table of a subgroup chain, unless the memory of the settings is less.
const MOST: u64 = 1 << 28;

/// A stage of a chain of subgroups.
#[derive(Clone, Debug)]
pub(crate) struct NamedStage {
    pub(crate) name: String,
    pub(crate) operators: Vec<Op>,
}

/// Solves the states of a group through a chain of subgroups ([`SubgroupChain`]). `V` turns a state
/// into a permutation of points.
pub(crate) struct SubgroupStages<V> {
    actions: SubgroupActions,
    stages: Vec<NamedStage>,
    view: V,
    chain: Once<SubgroupChain<V>>,
}

impl<V> SubgroupStages<V> {
    pub(crate) fn new(actions: SubgroupActions, stages: Vec<NamedStage>, view: V) -> Self {
        Self { actions, stages, view, chain: Once::default() }
    }

    /// Whether the first stage has all of so many operators.
    fn starts_with_all(&self, operators: usize) -> bool {
        let first = self.stages.first().map_or(&[][..], |stage| &stage.operators);
        (0..operators).map(Op::new).all(|op| first.contains(&op))
    }
}

impl<D, V> Solver<D> for SubgroupStages<V>
where
    D: Group,
    V: Fn(&D::State) -> Permutation + Clone + Send + Sync,
{
    fn solve(&self, task: &Task<'_, D>, run: &mut Run<'_>) -> Result<()> {
        let Task { domain, start, settings } = *task;
        let most = u32::try_from(settings.memory.min(MOST)).unwrap_or(u32::MAX);
        let build = |run: &Run<'_>| {
            let cancel = Some(&run.request.cancel);
            let options = BuildOptions { cancel, ..BuildOptions::default() };
            let (view, stages) = (self.view.clone(), &self.stages);
            let operators: Vec<_> = stages.iter().map(|stage| stage.operators.clone()).collect();
            SubgroupChain::build(&self.actions, &operators, view, most, &options).map_err(failure)
        };
        let chain = run.tables(|run| self.chain.get_or_make(run, || build(run)))?;
        let heuristic = match chain.stages().iter().all(|stage| stage.is_exact()) {
            true => "cosets",
            false => "cosets of components",
        };
        run.reads(heuristic, chain.stages().iter().map(|stage| stage.bytes()).sum());
        if !chain.solves(start) {
            return Err(Failure::refused(
                "the moves of the first stage do not solve this state: expected a first stage \
                 with all moves",
            ));
        }
        let names: Vec<&str> = self.stages.iter().map(|stage| &*stage.name).collect();
        let each = Limits::default();
        // A first stage with some operators only says nothing about plans with others.
        let all = self.starts_with_all(domain.operators());
        run.search_stages(&names, all, &|options| chain.solve(domain, start, &each, options));
        Ok(())
    }
}

/// A line of a stages file: the name of a stage, and the names of its moves.
pub(crate) type StageLine = (String, String);

/// The lines of the stages file of the settings.
///
/// # Errors
/// If there is no file, or it has no stage, or a stage has no moves.
pub(crate) fn stage_lines(settings: &Settings) -> Result<Vec<StageLine>, String> {
    match &settings.stages {
        Some(text) => read_stages(text),
        None => Err("the solver stages needs a stages file: expected --stages FILE".to_owned()),
    }
}

/// Reads the lines of a stages file.
///
/// A line is a stage. It may begin with a name and a colon. Everything after `#` is a comment.
fn read_stages(text: &str) -> Result<Vec<StageLine>, String> {
    let mut stages = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (name, moves) = line.split_once(':').unwrap_or(("", line));
        let (name, moves) = (name.trim(), moves.trim());
        if moves.is_empty() {
            return Err(format!("line {number}: found no moves, expected those of the stage"));
        }
        let name = match name {
            "" => format!("stage {}", stages.len() + 1),
            name => name.to_owned(),
        };
        stages.push((name, moves.to_owned()));
    }
    match stages.is_empty() {
        true => Err("found no stage, expected a line of moves for each".to_owned()),
        false => Ok(stages),
    }
}

/// The failure of a chain that was not built.
fn failure(error: SubgroupError) -> Failure {
    match error {
        SubgroupError::Group(GroupError::Stopped) => Failure::Cancelled,
        SubgroupError::Build(error) => Failure::Build { table: "stages".to_owned(), error },
        error => Failure::refused(format_args!("the stages: {error}")),
    }
}
