//! How the stages of a chain follow each other: [`Links`].

use super::chain_search::ChainSearch;
use super::image::Image;
use super::stage::AnyStage;
use crate::domain::{Cost, Domain, OpSet};

/// The stages of a chain from some stage on, at least one.
pub(super) struct Links<'a, D: Domain> {
    stages: &'a [&'a dyn AnyStage<D>],
    /// For each stage but the last one, and for each cost: the operators of the next stage that
    /// have this cost.
    ends: &'a [Vec<D::Ops>],
}

/// The ends of [`Links`] for all stages of a chain.
pub(super) fn ends<D: Domain>(domain: &D, stages: &[&dyn AnyStage<D>]) -> Vec<Vec<D::Ops>> {
    let of_next = |next: &&dyn AnyStage<D>| {
        let mut ends = vec![D::Ops::NONE];
        for op in next.operators().and(D::Ops::first(domain.operators())).members() {
            let cost = usize::from(domain.cost(op));
            ends.resize(ends.len().max(cost + 1), D::Ops::NONE);
            ends[cost] = ends[cost].with(op);
        }
        ends
    };
    stages.iter().skip(1).map(of_next).collect()
}

impl<'a, D: Domain> Links<'a, D> {
    /// The whole chain, with its [`ends`].
    pub(super) fn new(stages: &'a [&'a dyn AnyStage<D>], ends: &'a [Vec<D::Ops>]) -> Self {
        Self { stages, ends }
    }

    /// A lower bound on the cost of the first of these stages.
    pub(super) fn estimate(&self, domain: &D, state: &D::State) -> Cost {
        self.stages[0].estimate(domain, state)
    }

    /// Looks for plans that lead from `state` to the goal at a cost of at most `limit`. Reports
    /// such a plan to `search` if it completes the path of `search` to a better plan than all
    /// before.
    ///
    /// The last stage searches once with the whole limit, not with rising bounds. Most often no
    /// plan exists within it, and then rising bounds would only add work.
    fn finish(
        &self,
        search: &mut ChainSearch<'_, D>,
        image: &Image<D::State>,
        state: &D::State,
        limit: Cost,
    ) {
        if self.ends.is_empty() {
            while let Some(limit) = search.left(limit)
                && search.stop.is_none()
            {
                let known = search.most;
                self.sweep(search, image, state, limit, 0);
                if search.most == known {
                    return;
                }
            }
            return;
        }
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

    /// Does what [`Links::finish`] does, but spends exactly `cost` in the first of these stages and
    /// at most `rest` in the others. If there is only one stage, its plans may cost less than
    /// `cost`. Returns false if no plan of the first stage costs more than `cost`.
    pub(super) fn sweep(
        &self,
        search: &mut ChainSearch<'_, D>,
        image: &Image<D::State>,
        state: &D::State,
        cost: Cost,
        rest: Cost,
    ) -> bool {
        let Some((ends, later)) = self.ends.split_first() else {
            return self.stages[0].plans(search, state, cost, None, &mut |search, path| {
                search.found(image, path);
                false
            });
        };
        let next = Self { stages: &self.stages[1..], ends: later };
        let mut spare = state.clone();
        self.stages[0].plans(search, state, cost, Some(ends), &mut |search, path| {
            let mut end = state.clone();
            for &op in path {
                search.domain.apply_into(&end, op, &mut spare);
                std::mem::swap(&mut end, &mut spare);
            }
            search.behind(path, cost, |search| {
                if let Some(limit) = search.lower(rest) {
                    next.finish(search, image, &end, limit);
                }
            });
            search.left(Cost::MAX).is_some_and(|most| cost <= most)
        })
    }
}
