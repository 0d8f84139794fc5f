//! The stages of a chain: [`Stage`], and [`Chain`], which puts one stage before others.

use super::chain_search::ChainSearch;
use super::image::Image;
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Evaluation, Heuristic, Step, Verdict};
use crate::ida_star::expansion::{Counts, Expander, NOTHING_CUT, Node, OnePhase, Pause, Problem};
use crate::pruning::Pruning;

/// One stage: its goals, operators, heuristic and pruning.
///
/// The stages of a chain must satisfy:
/// 1. The operators of the next stage lead from goal to goal of a stage.
/// 2. The goals of the last stage are those of the domain, and goals of every stage.
/// 3. The first stage has all operators. Every goal of a stage has a plan with the operators of the
///    next stage.
///
/// Without rule 3, the search may miss plans. Without rule 1 or 2, it may return a string that is
/// no plan, or end too early.
#[derive(Clone, Debug)]
pub struct Stage<O, G, H, P> {
    /// The operators of the stage.
    pub operators: O,
    /// Whether a state is a goal of the stage.
    pub goal: G,
    /// A lower bound on the cost to a goal of the stage, by operators of the stage. Its tables
    /// should fit the cache, because the search reads the bound of each child at once.
    pub heuristic: H,
    /// Keeps at least one optimal plan of the stage from every state.
    pub pruning: P,
}

/// A stage and the stages after it.
#[derive(Clone, Debug)]
pub struct Chain<S, C, O> {
    first: S,
    rest: C,
    /// For each cost, the operators of the next stage that have this cost.
    ends: Vec<O>,
}

/// The stages of a chain from some stage on: [`Chain`], or [`Stage`] for the last one.
pub trait Stages<D: Domain>: Sync {
    /// The operators of the first of these stages.
    fn operators(&self) -> D::Ops;

    /// A lower bound on the cost of the first of these stages.
    fn estimate(&self, domain: &D, state: &D::State) -> Cost;

    /// Looks for plans that lead from `state` to the goal at a cost of at most `limit`. Reports
    /// such a plan to `search` if it completes the path of `search` to a better plan than all
    /// before.
    fn finish(
        &self,
        search: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    );

    /// Does what [`Stages::finish`] does, but spends exactly `cost` in the first of these stages
    /// and at most `rest` in the others. If there is only one stage, its plans may cost less than
    /// `cost`. Returns false if no plan of the first stage costs more than `cost`.
    fn sweep(
        &self,
        search: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        rest: Cost,
    ) -> bool;
}

impl<S, C, O: OpSet> Chain<S, C, O> {
    /// The chain of `first` and then `rest`.
    pub fn new<D: Domain<Ops = O>>(domain: &D, first: S, rest: C) -> Self
    where
        C: Stages<D>,
    {
        let mut ends = vec![O::NONE];
        for op in rest.operators().and(O::first(domain.operators())).members() {
            let cost = usize::from(domain.cost(op));
            ends.resize(ends.len().max(cost + 1), O::NONE);
            ends[cost] = ends[cost].with(op);
        }
        Self { first, rest, ends }
    }
}

/// The domain in which a stage searches: the operators and the goals of the stage.
struct Ground<'a, D, O, G> {
    domain: &'a D,
    operators: O,
    goal: &'a G,
}

impl<D, G> Domain for Ground<'_, D, D::Ops, G>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
{
    type State = D::State;
    type Ops = D::Ops;
    #[inline(always)]
    fn operators(&self) -> usize {
        self.domain.operators()
    }
    #[inline(always)]
    fn applicable(&self, state: &D::State) -> D::Ops {
        self.domain.applicable(state).and(self.operators)
    }
    #[inline(always)]
    fn apply_into(&self, from: &D::State, op: Op, to: &mut D::State) {
        self.domain.apply_into(from, op, to);
    }
    #[inline(always)]
    fn is_goal(&self, state: &D::State) -> bool {
        (self.goal)(state)
    }
    #[inline(always)]
    fn cost(&self, op: Op) -> Cost {
        self.domain.cost(op)
    }
    #[inline(always)]
    fn restrict(&self, allowed: D::Ops) -> D::Ops {
        self.domain.restrict(allowed)
    }
}

/// The heuristic and the pruning of a stage, in its domain [`Ground`].
struct Guide<'a, O, T> {
    of: &'a T,
    /// `Some` if plans must cost exactly the limit: for each remaining cost, the operators that
    /// must not be the last ones. `None` if plans may cost less.
    ends: Option<&'a [O]>,
}

impl<O: OpSet, T> Guide<'_, O, T> {
    /// If plans must have an exact cost, changes a verdict accordingly. A goal with cost remaining
    /// is no goal, and an operator of the next stage must not be the last one.
    #[inline(always)]
    fn exactly(&self, verdict: Verdict<O>, limit: Cost) -> Verdict<O> {
        let Some(ends) = self.ends else { return verdict };
        let Verdict { h, excluded } = verdict;
        let ends = ends.get(usize::from(limit)).copied().unwrap_or(O::NONE);
        Verdict { h: h.max(Cost::from(limit > 0)), excluded: excluded.or(ends) }
    }
}

impl<'d, D, G, H> Heuristic<Ground<'d, D, D::Ops, G>> for Guide<'_, D::Ops, H>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    H: Heuristic<D>,
{
    type Carry = H::Carry;
    const EVALUATION: Evaluation = H::EVALUATION;
    #[inline(always)]
    fn prefetch(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        from: &D::State,
        carry: &H::Carry,
        op: Op,
    ) {
        self.of.prefetch(ground.domain, from, carry, op);
    }
    fn root(&self, ground: &Ground<'d, D, D::Ops, G>, state: &D::State) -> H::Carry {
        self.of.root(ground.domain, state)
    }
    #[inline(always)]
    fn child(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        from: &D::State,
        carry: &H::Carry,
        op: Op,
        to: &D::State,
    ) -> H::Carry {
        self.of.child(ground.domain, from, carry, op, to)
    }
    #[inline(always)]
    fn bound(
        &self,
        ground: &Ground<'d, D, D::Ops, G>,
        state: &D::State,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        self.exactly(self.of.bound(ground.domain, state, carry, limit), limit)
    }
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, Ground<'d, D, D::Ops, G>>,
        carry: &H::Carry,
        child: &mut H::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let (domain, from, op) = (step.domain().domain, step.from(), step.op());
        let mut step = Step::made(domain, from, op, step.child());
        let verdict = self.of.within(&mut step, carry, child, limit)?;
        Ok(self.exactly(verdict, limit))
    }
}

impl<'d, D, G, P> Pruning<Ground<'d, D, D::Ops, G>> for Guide<'_, D::Ops, P>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    P: Pruning<D>,
{
    type State = P::State;
    const DEAD_ENDS: bool = P::DEAD_ENDS;
    fn start(&self, ground: &Ground<'d, D, D::Ops, G>, state: &D::State) -> P::State {
        self.of.start(ground.domain, state)
    }
    #[inline(always)]
    fn next(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State, op: Op) -> P::State {
        self.of.next(ground.domain, at, op)
    }
    /// The last stage searches once with its whole limit, and a plan may cost less. So it prunes no
    /// dead ends.
    #[inline(always)]
    fn dead_end(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State, remaining: Cost) -> bool {
        self.ends.is_some() && self.of.dead_end(ground.domain, at, remaining)
    }
    #[inline(always)]
    fn prefetch(&self, at: P::State) {
        self.of.prefetch(at);
    }
    #[inline(always)]
    fn allowed(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State) -> D::Ops {
        self.of.allowed(ground.domain, at)
    }
}

impl<G, H, P, O: OpSet> Stage<O, G, H, P> {
    /// Calls `visit` with each plan of the stage from a state, until `visit` returns false or the
    /// search stops. With `ends`, the plans cost exactly `cost`, otherwise at most `cost`. Returns
    /// false if no plan costs more.
    fn plans<D>(
        &self,
        search: &mut ChainSearch<D>,
        state: &D::State,
        cost: Cost,
        ends: Option<&[O]>,
        mut visit: impl FnMut(&mut ChainSearch<D>, &[Op]) -> bool,
    ) -> bool
    where
        D: Domain<Ops = O>,
        G: Fn(&D::State) -> bool + Sync,
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
        let ground = Ground { domain: search.domain, operators: self.operators, goal: &self.goal };
        let heuristic = Guide { of: &self.heuristic, ends };
        let pruning = Guide { of: &self.pruning, ends };
        let problem =
            Problem { domain: &ground, heuristic: &heuristic, pruning: &pruning, step: 1 };
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

/// The last stage.
impl<D, G, H, P> Stages<D> for Stage<D::Ops, G, H, P>
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
        self.heuristic.estimate(domain, state)
    }

    /// Searches once with the whole limit, not with rising bounds. Most often no plan exists within
    /// it, and then rising bounds would only add work.
    fn finish(
        &self,
        search: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    ) {
        while let Some(limit) = search.left(limit)
            && search.stop.is_none()
        {
            let known = search.most;
            self.sweep(search, image, state, limit, 0);
            if search.most == known {
                return;
            }
        }
    }

    fn sweep(
        &self,
        search: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        _: Cost,
    ) -> bool {
        self.plans(search, state, cost, None, |search, path| {
            search.found(image, path);
            false
        })
    }
}

impl<D, G, H, P, C> Stages<D> for Chain<Stage<D::Ops, G, H, P>, C, D::Ops>
where
    D: Domain,
    G: Fn(&D::State) -> bool + Sync,
    H: Heuristic<D>,
    P: Pruning<D>,
    C: Stages<D>,
{
    fn operators(&self) -> D::Ops {
        self.first.operators
    }

    fn estimate(&self, domain: &D, state: &D::State) -> Cost {
        self.first.heuristic.estimate(domain, state)
    }

    fn finish(
        &self,
        search: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    ) {
        for cost in self.estimate(search.domain, state)..=limit {
            let Some(limit) = search.left(limit) else { return };
            if cost > limit || search.stop.is_some() {
                return;
            }
            if !self.sweep(search, image, state, cost, limit - cost) {
                return;
            }
        }
    }

    fn sweep(
        &self,
        search: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        rest: Cost,
    ) -> bool {
        let domain = search.domain;
        let mut next = state.clone();
        self.first.plans(search, state, cost, Some(&self.ends), |search, path| {
            let mut end = state.clone();
            for &op in path {
                domain.apply_into(&end, op, &mut next);
                std::mem::swap(&mut end, &mut next);
            }
            search.behind(path, cost, |search| {
                if let Some(limit) = search.lower(rest) {
                    self.rest.finish(search, image, &end, limit);
                }
            });
            search.left(Cost::MAX).is_some_and(|most| cost <= most)
        })
    }
}
