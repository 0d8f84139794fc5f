//! The stages of a chain: [`Stage`], and [`AnyStage`], a stage whose types a chain does not know.

use super::chain_search::ChainSearch;
use super::stage_domain::{InStage, StageDomain};
use crate::control::{Options, Report};
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Counts, Expander, NOTHING_CUT, Node, OnePhase, Pause, Problem};
use crate::ida_star::ida_star;
use crate::pruning::Pruning;

/// One stage of a chain: its goals, operators, heuristic and pruning.
///
/// A chain is a slice of stages, `&[&dyn AnyStage<D>]`. So a program can make the stages at run
/// time, as many as it likes, each with a heuristic of another type. [`search_stages`] and
/// [`search_chain`] say what the stages of a chain must satisfy.
///
/// [`search_stages`]: super::search_stages
/// [`search_chain`]: super::search_chain
///
/// A stage proves the cost of its plan. So a heuristic that is no lower bound does not compile, but
/// in an [`Inadmissible`](super::Inadmissible) stage:
///
/// ```compile_fail
/// # use fewest_search::testing::{GapHeuristic, Pancake};
/// # use fewest_search::{Limits, NoPruning, OpSet, Options, Scaled, Stage, search_stages};
/// # let domain = Pancake::new(4);
/// # let start = domain.state(&[3, 1, 0, 2]);
/// # let (each, options) = (Limits::default(), Options::default());
/// let heuristic = Scaled(GapHeuristic, 3.0);
/// let goal = |state: &u64| *state == 0x3210;
/// let stage = Stage { operators: u32::first(3), goal, heuristic, pruning: NoPruning };
/// search_stages(&domain, &[&stage], &start, &each, &options);
/// ```
#[derive(Clone, Debug)]
pub struct Stage<O, G, H, P> {
    /// The operators of the stage.
    pub operators: O,
    /// Whether a state is a goal of the stage.
    pub goal: G,
    /// A lower bound on the cost to a goal of the stage, by operators of the stage.
    pub heuristic: H,
    /// Keeps at least one optimal plan of the stage from every state, among the plans with
    /// operators of the stage.
    pub pruning: P,
}

/// A [`Stage`] of any types: what a chain needs of a stage. Only this crate implements it, for
/// the state of a search along a chain is private.
///
/// Each search within a stage is compiled for the types of the stage. Only the calls from stage to
/// stage are dynamic.
pub trait AnyStage<D: Domain>: Sync {
    /// The operators of the stage.
    fn operators(&self) -> D::Ops;

    /// A lower bound on the cost from a state to a goal of the stage.
    fn estimate(&self, domain: &D, state: &D::State) -> Cost;

    /// Finds a cheapest plan from `start` to a goal of the stage by [`ida_star`], with the
    /// operators of the stage.
    fn solve(&self, domain: &D, start: &D::State, options: &Options<'_>) -> Report;

    /// Calls `visit` with each plan of the stage from a state, until `visit` returns false or the
    /// search stops. With `ends`, the plans cost exactly `cost`, and for each remaining cost `ends`
    /// has the operators that must not be the last ones. Without, they cost at most `cost`. Returns
    /// false if no plan costs more.
    fn plans(
        &self,
        search: &mut ChainSearch<'_, D>,
        state: &D::State,
        cost: Cost,
        ends: Option<&[D::Ops]>,
        visit: &mut Visit<'_, D>,
    ) -> bool;
}

/// Receives a plan of a stage. Returns false to end the search within the stage.
pub(super) type Visit<'a, D> = dyn FnMut(&mut ChainSearch<'_, D>, &[Op]) -> bool + 'a;

impl<D, G, H, P> AnyStage<D> for Stage<D::Ops, G, H, P>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    fn operators(&self) -> D::Ops {
        self.operators
    }

    fn estimate(&self, domain: &D, state: &D::State) -> Cost {
        const { H::CLAIMS.assert_admissible() };
        self.heuristic.estimate(domain, state)
    }

    fn solve(&self, domain: &D, start: &D::State, options: &Options<'_>) -> Report {
        let stage_domain = StageDomain { domain, operators: self.operators, goal: &self.goal };
        // A plan costs exactly the bound, and may end with any operator.
        let heuristic = InStage { of: &self.heuristic, ends: Some(&[]) };
        let pruning = InStage { of: &self.pruning, ends: Some(&[]) };
        ida_star(&stage_domain, &heuristic, &pruning, start, options)
    }

    fn plans(
        &self,
        search: &mut ChainSearch<'_, D>,
        state: &D::State,
        cost: Cost,
        ends: Option<&[D::Ops]>,
        visit: &mut Visit<'_, D>,
    ) -> bool {
        const { H::CLAIMS.assert_admissible() };
        self.each_plan(search, state, cost, ends, visit)
    }
}

impl<O, G, H, P> Stage<O, G, H, P> {
    /// [`AnyStage::plans`], also for a heuristic that is no lower bound.
    pub(super) fn each_plan<D>(
        &self,
        search: &mut ChainSearch<'_, D>,
        state: &D::State,
        cost: Cost,
        ends: Option<&[D::Ops]>,
        visit: &mut Visit<'_, D>,
    ) -> bool
    where
        D: Domain<Ops = O>,
        G: Fn(&D::State) -> bool + Sync,
        O: OpSet,
        H: Heuristic<D>,
        P: Pruning<D>,
    {
        if (self.goal)(state) && (cost == 0 || ends.is_none()) {
            visit(search, &[]);
            return true;
        }
        if self.heuristic.estimate(search.domain, state) > cost {
            return true;
        }
        let stage_domain =
            StageDomain { domain: search.domain, operators: self.operators, goal: &self.goal };
        let heuristic = InStage { of: &self.heuristic, ends };
        let pruning = InStage { of: &self.pruning, ends };
        let problem =
            Problem { domain: &stage_domain, heuristic: &heuristic, pruning: &pruning, step: 1 };
        let mut expander = OnePhase::new(problem);
        expander.load(Node::root(problem, state, cost));
        let mut counts = Counts::ZERO;
        let mut any = false;
        while search.run(&mut expander, &mut counts) == Pause::Goal {
            any = true;
            if !visit(search, &expander.path()) || search.stop.is_some() {
                break;
            }
        }
        any || search.stop.is_some() || counts.over < NOTHING_CUT
    }
}
