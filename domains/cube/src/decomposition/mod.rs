//! Solving the cube by subgoals, each with the conditions of the ones before it and more.
//!
//! [`Martin`] is the method of Martin (2016): lists of subgoals ([`MartinList`]), and IDA\* from
//! one to the next, which counts what is missing. [`TableDecomposition`] has subgoals with pattern
//! databases that are derived from their conditions ([`TableList`]), so that all cubes are solved
//! in few moves and little time.
//!
//! Subgoals of your own: a list of [`Subgoal`]s for [`Martin::with_subgoals`].

mod martin_list;
mod subgoal;
mod table_list;
mod with_tables;

pub use martin_list::{MACROS, MartinList};
pub use subgoal::{ALL_SLOTS, CORNER_SLOTS, Condition, EDGE_SLOTS, Slots, Status, Subgoal};
pub use table_list::TableList;
pub use with_tables::{SubgoalTable, TableDecomposition};

use crate::cube::Cube;
use crate::domain::CubeMetric;
use crate::two_phase::FaceTurns;
use martin_list::with_macros;
use search::{
    AnyStage, Estimate, Inadmissible, Limits, Op, OpSet, Options, Pruning, Stage, StagedReport,
    WithMacros, search_stages,
};

/// What Martin's heuristic counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceCount {
    /// Every missing slot ([`Subgoal::missing`]). Not admissible: a turn can mend eight slots. So
    /// the plan from one subgoal to the next need not be cheapest.
    #[default]
    Slots,
    /// An eighth of the missing slots, rounded up. Admissible: a turn changes four corners and four
    /// edges. Each plan from one subgoal to the next is cheapest.
    Eighths,
}

/// Goal decomposition as Martin does it (2016): IDA\* from subgoal to subgoal.
///
/// The heuristic counts missing slots. In the last subgoal there are [`MACROS`] beside the turns. A
/// search turns no face twice in a row, so there are 15 operators after a turn, and 24 in the last
/// subgoal.
///
/// Differences: he counts solved stickers and pieces on an array of 54 characters, we count slots
/// of packed cubes. His macros, and parts of his lists, are not given ([`MartinList`]).
#[derive(Clone, Debug)]
pub struct Martin {
    domain: WithMacros<FaceTurns>,
    subgoals: Vec<Subgoal>,
    counting: PieceCount,
    cap: u64,
}

impl Martin {
    /// The most nodes from one subgoal to the next, as Martin has it.
    pub const CAP: u64 = 1_000_000_000;

    /// One of his lists.
    pub fn new(metric: CubeMetric, list: MartinList, counting: PieceCount) -> Self {
        Self::with_subgoals(metric, list.subgoals(), counting)
    }

    /// A list of subgoals. The last one should be the solved cube. If each subgoal augments the one
    /// before it, the search undoes none of them.
    pub fn with_subgoals(metric: CubeMetric, subgoals: Vec<Subgoal>, counting: PieceCount) -> Self {
        let domain = with_macros(FaceTurns::new(metric));
        Self { domain, subgoals, counting, cap: Self::CAP }
    }

    /// Sets the most generated nodes from one subgoal to the next. [default: [`Martin::CAP`]]
    #[must_use]
    pub fn cap(self, nodes: u64) -> Self {
        Self { cap: nodes, ..self }
    }

    /// The subgoals, in their order.
    pub fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }

    /// Searches from subgoal to subgoal, as [`search_stages`] does. The plans of the report have
    /// the operators of [`Cube3`](crate::Cube3) in this metric.
    pub fn search(&self, start: &Cube, options: &Options<'_>) -> StagedReport {
        let each = Limits { nodes: Some(self.cap), ..Limits::default() };
        let stages: Vec<_> = (1..)
            .zip(&self.subgoals)
            .map(|(number, goal)| self.stage(goal, number == self.subgoals.len()))
            .collect();
        let chain: Vec<_> = stages.iter().map(|stage| &**stage).collect();
        self.domain.base().in_stages(options, |options| {
            search_stages(&self.domain, &chain, start, &each, options)
        })
    }

    /// The stage that reaches a subgoal.
    fn stage<'a>(
        &self,
        goal: &'a Subgoal,
        last: bool,
    ) -> Box<dyn AnyStage<WithMacros<FaceTurns>> + 'a> {
        let operators = u32::first(18 + if last { MACROS.len() } else { 0 });
        let reached = |cube: &Cube| goal.missing(cube) == 0;
        match self.counting {
            PieceCount::Slots => {
                let heuristic = Estimate(|cube: &Cube| goal.missing(cube));
                let pruning = NoFaceTwice;
                Box::new(Inadmissible(Stage { operators, goal: reached, heuristic, pruning }))
            }
            PieceCount::Eighths => {
                let heuristic = Estimate(|cube: &Cube| goal.missing(cube).div_ceil(8));
                let pruning = NoFaceTwice;
                Box::new(Stage { operators, goal: reached, heuristic, pruning })
            }
        }
    }
}

/// Turns no face twice in a row. Macros may follow anything, and anything may follow them.
#[derive(Clone, Copy, Debug)]
struct NoFaceTwice;

impl Pruning<WithMacros<FaceTurns>> for NoFaceTwice {
    /// The three turns of the last face, as bits.
    type State = u32;
    fn start(&self, _: &WithMacros<FaceTurns>, _: &Cube) -> u32 {
        0
    }
    #[inline(always)]
    fn allowed(&self, _: &WithMacros<FaceTurns>, at: u32) -> u32 {
        !at
    }
    #[inline(always)]
    fn next(&self, _: &WithMacros<FaceTurns>, _: u32, op: Op) -> u32 {
        if op.index() < 18 { 7 << (op.index() / 3 * 3) } else { 0 }
    }
}

#[cfg(test)]
mod tests;
