//! The stages of a chain: [`Stage`], and [`Chain`], which puts one before others.

use super::image::Image;
use super::walk::ChainSearch;
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Heuristic, Verdict};
use crate::ida_star::expansion::{
    Counts, Expander, NOTHING_CUT, Node, OnePhase, Pause, Problem, Root,
};
use crate::pruning::Pruning;

/// One stage: where it leads to, with which operators, and what guides it.
///
/// What the stages of a chain have to be:
/// - the goals of a stage are closed under the operators of the next one, which lead from goal to goal;
/// - the goals of the last stage are those of the domain, and they are goals of every stage;
/// - the operators of the first stage are all that apply, and every goal of a stage has a plan of the next stage's operators.
///
/// Without the last, plans may be missed; without the others, the search may answer what is no plan, or end too early.
#[derive(Clone, Debug)]
pub struct Stage<O, G, H, P> {
    /// The operators of the stage.
    pub operators: O,
    /// Whether a state is a goal of the stage.
    pub goal: G,
    /// Never above the cost to a goal of the stage with its operators. Tables should fit the cache: nothing here waits for memory.
    pub heuristic: H,
    /// Lets at least one optimal plan of the stage through, from every state.
    pub pruning: P,
}

/// A stage, and those after it.
#[derive(Clone, Debug)]
pub struct Chain<S, C, O> {
    first: S,
    rest: C,
    /// By cost: the operators of the next stage that cost so much.
    ends: Vec<O>,
}

/// The stages of a chain, or the last of them: [`Stage`] or [`Chain`].
pub trait Stages<D: Domain>: Sync {
    /// The operators of the first stage.
    fn operators(&self) -> D::Ops;

    /// A lower bound on the cost of the first stage.
    fn estimate(&self, domain: &D, state: &D::State) -> Cost;

    /// Looks for plans from a state to the end that cost at most `limit` and make whole plans better than all before.
    fn finish(
        &self,
        walk: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    );

    /// As [`Stages::finish`], where the first stage costs exactly `cost` and the others at most `rest`. False: no plan of the first stage costs more.
    fn sweep(
        &self,
        walk: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        rest: Cost,
    ) -> bool;
}

impl<S, C, O: OpSet> Chain<S, C, O> {
    /// `first`, then `rest`.
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

/// The domain in which a stage searches.
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

/// The heuristic and the pruning of a stage, on its ground.
struct Guide<'a, O, T> {
    of: &'a T,
    /// If plans are to cost exactly what they may: by what remains, the operators that must not end one.
    ends: Option<&'a [O]>,
}

impl<O: OpSet, T> Guide<'_, O, T> {
    /// Where plans are to have an exact cost, a goal before its time is none, and operators of the next stage are not the last.
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
    const OUTLINED: bool = H::OUTLINED;
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
        ground: &Ground<'d, D, D::Ops, G>,
        from: &D::State,
        carry: &H::Carry,
        op: Op,
        to: &D::State,
        limit: Cost,
    ) -> Result<(H::Carry, Verdict<D::Ops>), Cost> {
        let (carry, verdict) = self.of.within(ground.domain, from, carry, op, to, limit)?;
        Ok((carry, self.exactly(verdict, limit)))
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
    /// The last stage searches once with its whole limit: a plan may leave some of it unspent.
    #[inline(always)]
    fn dead_end(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State, remaining: Cost) -> bool {
        self.ends.is_some() && self.of.dead_end(ground.domain, at, remaining)
    }
    #[inline(always)]
    fn allowed(&self, ground: &Ground<'d, D, D::Ops, G>, at: P::State) -> D::Ops {
        self.of.allowed(ground.domain, at)
    }
}

impl<G, H, P, O: OpSet> Stage<O, G, H, P> {
    /// Tells of the stage's plans from a state: with `ends` those of exactly this cost, else those within it, until one is told that answers false or the search is
    /// stopped. False: no plan costs more.
    fn plans<D>(
        &self,
        walk: &mut ChainSearch<D>,
        state: &D::State,
        cost: Cost,
        ends: Option<&[O]>,
        mut tell: impl FnMut(&mut ChainSearch<D>, &[Op]) -> bool,
    ) -> bool
    where
        D: Domain<Ops = O>,
        G: Fn(&D::State) -> bool + Sync,
        H: Heuristic<D>,
        P: Pruning<D>,
    {
        if (self.goal)(state) && (cost == 0 || ends.is_none()) {
            tell(walk, &[]);
            return true;
        }
        if self.heuristic.estimate(walk.domain, state) > cost {
            return true;
        }
        let ground = Ground { domain: walk.domain, operators: self.operators, goal: &self.goal };
        let heuristic = Guide { of: &self.heuristic, ends };
        let pruning = Guide { of: &self.pruning, ends };
        let space = Problem { domain: &ground, heuristic: &heuristic, pruning: &pruning, step: 1 };
        let mut machine = OnePhase::new(space);
        machine.load(Node::root(space, state, cost));
        let mut counts = Counts::ZERO;
        let mut any = false;
        while walk.run(&mut machine, &mut counts) == Pause::Goal {
            any = true;
            if !tell(walk, &machine.path()) || walk.stop.is_some() {
                break;
            }
        }
        any || walk.stop.is_some() || counts.over < NOTHING_CUT
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

    /// Searches once with the whole limit, not with rising ones: most often there is no plan, and then the last search is all that counts.
    fn finish(
        &self,
        walk: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    ) {
        while let Some(limit) = walk.left(limit)
            && walk.stop.is_none()
        {
            let known = walk.most;
            self.sweep(walk, image, state, limit, 0);
            if walk.most == known {
                return;
            }
        }
    }

    fn sweep(
        &self,
        walk: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        _: Cost,
    ) -> bool {
        self.plans(walk, state, cost, None, |walk, path| {
            walk.found(image, path);
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
        walk: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    ) {
        for cost in self.estimate(walk.domain, state)..=limit {
            let Some(limit) = walk.left(limit) else { return };
            if cost > limit || walk.stop.is_some() {
                return;
            }
            if !self.sweep(walk, image, state, cost, limit - cost) {
                return;
            }
        }
    }

    fn sweep(
        &self,
        walk: &mut ChainSearch<D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        rest: Cost,
    ) -> bool {
        let domain = walk.domain;
        let mut next = state.clone();
        self.first.plans(walk, state, cost, Some(&self.ends), |walk, path| {
            let mut end = state.clone();
            for &op in path {
                domain.apply_into(&end, op, &mut next);
                std::mem::swap(&mut end, &mut next);
            }
            walk.behind(path, cost, |walk| {
                if let Some(limit) = walk.lower(rest) {
                    self.rest.finish(walk, image, &end, limit);
                }
            });
            walk.left(Cost::MAX).is_some_and(|most| cost <= most)
        })
    }
}
