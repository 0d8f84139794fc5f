//! Lower bounds on the cost to a goal: [`Heuristic`], and ways to combine them.
//!
//! A plain function of the state is a heuristic by [`Estimate`]. [`Max`] takes the larger of two
//! bounds, [`Additive`] and [`MaxOfSums`] add bounds that charge different features. [`Scaled`]
//! multiplies a bound, which proves nothing any more. The batch methods of [`Heuristic`] are for
//! heuristics that are read from large tables.

mod additive;
mod batch;
mod evaluation;
mod max;
mod max_of_sums;
mod scaled;
mod step;
mod verdict;

pub use additive::{Additive, Charged, Overlap};
pub use batch::{ChildBatch, Fetch, FilterStage, Lookup, LookupBatch, Slack, Survivors};
pub use evaluation::Evaluation;
pub use max::Max;
pub use max_of_sums::{AdditiveBounds, CarriedSums, MaxOfSums, MaxOfSumsError, Members, SumValues};
pub use scaled::Scaled;
pub use step::Step;
pub use verdict::{Claims, Verdict};

use crate::domain::{Cost, Domain, Op};
use std::sync::Arc;

/// A lower bound on the cost to a goal, in two steps.
///
/// [`Heuristic::child`] computes the data of a child (table indices, say) and prefetches what the
/// bound needs. [`Heuristic::bound`] reads it later. Three methods are required. A plain function
/// of the state needs none of them: use [`Estimate`].
///
/// Contract: a bound is never above the true cost (admissible). A smaller bound keeps the answer
/// right and makes the search do more work. The laws are in
/// [`testing::check_heuristic`](crate::testing::check_heuristic).
///
/// # Batches
/// To hide the latency of large tables, a search can make many children at a time, and then read
/// all their bounds. A heuristic with large tables asks for it by [`Evaluation::STAGED`], and
/// overrides [`Heuristic::child_batch`] and [`Heuristic::filter_batch`]. Other heuristics leave
/// these two methods alone.
pub trait Heuristic<D: Domain>: Sync {
    /// The data of the heuristic at a node (partial indices, inherited values); `()` if none.
    type Carry: Clone + Send + Sync + std::fmt::Debug + 'static;

    /// What the bounds prove. A wrapper that forgot it would prove what its heuristic does not. So
    /// it has no default.
    const CLAIMS: Claims;

    /// How the search evaluates the children of a node. A heuristic made of others joins their
    /// constants with [`Evaluation::or`]. [default: [`Evaluation::INLINE`]]
    const EVALUATION: Evaluation = Evaluation::INLINE;

    /// The data of the start state.
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry;

    /// Computes the data of a child, and prefetches what [`Heuristic::bound`] will read. `carry` is
    /// the data of `from`, and `to` is the successor of `from` by `op`.
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry;

    /// The verdict on a state, whose data is `carry`. `limit` is the cost that may still be spent
    /// from here. The search calls it for each child that no other method has cut.
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops>;

    /// Prefetches what [`Heuristic::within`] will read for a child. [default: nothing]
    #[inline(always)]
    fn prefetch(&self, _: &D, _from: &D::State, _: &Self::Carry, _op: Op) {}

    /// [`Heuristic::child`] and [`Heuristic::bound`] in one: overwrites the data of the child and
    /// returns the verdict on the child. `carry` is the data of the parent. Override it to cut a
    /// child before it is made, or before all its data is computed.
    /// Unless the heuristic is [`Evaluation::staged`], the hot loop calls only this method and
    /// [`Heuristic::prefetch`]. [default: one after the other]
    ///
    /// # Errors
    /// Returns a proven lower bound above the limit, which cuts the child. The data of the child is
    /// then arbitrary.
    #[inline(always)]
    fn within(
        &self,
        step: &mut Step<'_, D>,
        carry: &Self::Carry,
        child: &mut Self::Carry,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let (domain, from, op) = (step.domain(), step.from(), step.op());
        let to = step.child();
        *child = self.child(domain, from, carry, op, to);
        let verdict = self.bound(domain, to, child, limit);
        if verdict.h > limit { Err(verdict.h) } else { Ok(verdict) }
    }

    /// A proven bound above the limit, which cuts the child; `None` if the child is not cut. It
    /// reads what [`Heuristic::child`] prefetched. If it cuts nothing, it prefetches for
    /// [`Heuristic::bound`]. It does not change the result of `bound`.
    ///
    /// Heuristics made of others, like [`Max`], call `screen` of their parts, but not
    /// [`Heuristic::filter_batch`]. [default: `None`]
    #[inline(always)]
    fn screen(&self, _: &D, _: &D::State, _: &mut Self::Carry, _limit: Cost) -> Option<Cost> {
        None
    }

    /// [`Heuristic::child`] for several children: overwrites `made.carries[i]` with the data of
    /// child `i`. `from(i)` is the state and the data of its parent. May add lookups for
    /// [`Heuristic::filter_batch`] to `made.batch`. [default: one after another]
    #[inline(always)]
    fn child_batch<'a>(
        &self,
        domain: &D,
        from: impl Fn(usize) -> (&'a D::State, &'a Self::Carry),
        made: ChildBatch<'_, D::State, Self::Carry>,
    ) {
        for (number, ((&op, to), child)) in
            made.ops.iter().zip(made.states).zip(made.carries).enumerate()
        {
            let (state, carry) = from(number);
            *child = self.child(domain, state, carry, op, to);
        }
    }

    /// [`Heuristic::screen`] for several children, in stages `0 ..`. The search calls the next
    /// stage until one returns [`FilterStage::Done`] or no child is left.
    ///
    /// The numbers of the children are those of [`Heuristic::child_batch`]. A stage that returns
    /// [`FilterStage::Cuts`] has raised [`Slack::proven`]. The search then cuts the children whose
    /// proven bound is above their limit. [default: one stage, which calls `screen` for each child]
    #[inline(always)]
    fn filter_batch(
        &self,
        domain: &D,
        children: Survivors<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> FilterStage {
        if const { !Self::EVALUATION.screened } || stage > 0 {
            return FilterStage::Done;
        }
        for child in children.left.iter().map(|&child| usize::from(child)) {
            let (state, carry) = (&children.states[child], &mut children.carries[child]);
            let slack = &mut children.slack[child];
            slack.proven = self.screen(domain, state, carry, slack.limit).unwrap_or(0);
        }
        FilterStage::Cuts
    }

    /// Gets what [`Heuristic::bound`] reads for several children, if that takes far longer than to
    /// make them: from another process, in one message. The search calls it before `bound`, with
    /// the limits of the children. [default: nothing]
    #[inline(always)]
    fn fetch(&self, _: &D, _: Fetch<'_, D::State, Self::Carry>) {}

    /// Whether the bound never falls by more than the cost of an operator. False claims nothing.
    /// [default: false]
    fn consistent(&self) -> bool {
        false
    }

    /// The bound of a state, without a limit.
    fn estimate(&self, domain: &D, state: &D::State) -> Cost {
        let mut carry = self.root(domain, state);
        self.bound(domain, state, &mut carry, Cost::MAX).h
    }
}

/// Pointers to heuristics are heuristics.
macro_rules! pointers {
    ($($pointer:ty $(, $send:ident)?;)*) => { $(
        impl<D: Domain, H: Heuristic<D> $(+ $send)?> Heuristic<D> for $pointer {
            type Carry = H::Carry;
            const CLAIMS: Claims = H::CLAIMS;
            const EVALUATION: Evaluation = H::EVALUATION;
            #[inline(always)]
            fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
                (**self).root(domain, state)
            }
            #[inline(always)]
            fn screen(
                &self,
                domain: &D,
                state: &D::State,
                carry: &mut Self::Carry,
                limit: Cost,
            ) -> Option<Cost> {
                (**self).screen(domain, state, carry, limit)
            }
            #[inline(always)]
            fn child_batch<'a>(
                &self,
                domain: &D,
                from: impl Fn(usize) -> (&'a D::State, &'a Self::Carry),
                made: ChildBatch<'_, D::State, Self::Carry>,
            ) {
                (**self).child_batch(domain, from, made);
            }
            #[inline(always)]
            fn filter_batch(
                &self,
                domain: &D,
                children: Survivors<'_, D::State, Self::Carry>,
                stage: usize,
            ) -> FilterStage {
                (**self).filter_batch(domain, children, stage)
            }
            #[inline(always)]
            fn fetch(&self, domain: &D, children: Fetch<'_, D::State, Self::Carry>) {
                (**self).fetch(domain, children);
            }
            #[inline(always)]
            fn child(
                &self,
                domain: &D,
                from: &D::State,
                carry: &Self::Carry,
                op: Op,
                to: &D::State,
            ) -> Self::Carry {
                (**self).child(domain, from, carry, op, to)
            }
            #[inline(always)]
            fn bound(
                &self,
                domain: &D,
                state: &D::State,
                carry: &mut Self::Carry,
                limit: Cost,
            ) -> Verdict<D::Ops> {
                (**self).bound(domain, state, carry, limit)
            }
            #[inline(always)]
            fn within(
                &self,
                step: &mut Step<'_, D>,
                carry: &Self::Carry,
                child: &mut Self::Carry,
                limit: Cost,
            ) -> Result<Verdict<D::Ops>, Cost> {
                (**self).within(step, carry, child, limit)
            }
            #[inline(always)]
            fn prefetch(&self, domain: &D, from: &D::State, carry: &Self::Carry, op: Op) {
                (**self).prefetch(domain, from, carry, op);
            }
            fn consistent(&self) -> bool {
                (**self).consistent()
            }
        }
    )* };
}

pointers! { &H; Box<H>; Arc<H>, Send; }

/// A plain function of the state as a heuristic.
///
/// Admissible: if the function is never above the true cost. Consistent: not claimed. It returns
/// [`Cost::MAX`] for a dead end, a state where no plan starts, and for no other state.
///
/// ```
/// use fewest_search::testing::Pancake;
/// use fewest_search::{Estimate, InversePruning, Options, ida_star};
///
/// // At least one flip unless the largest pancake lies at the bottom.
/// let domain = Pancake::new(4);
/// let heuristic = Estimate(|state: &u64| u8::from(Pancake::pancake(*state, 3) != 3));
/// let start = domain.state(&[3, 1, 0, 2]);
/// let report = ida_star(&domain, &heuristic, &InversePruning, &start, &Options::default());
/// assert!(report.plan().is_some() && report.lower_bound >= 1);
/// ```
#[derive(Clone, Copy)]
pub struct Estimate<F>(pub F);

impl<F> std::fmt::Debug for Estimate<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Estimate")
    }
}

impl<D: Domain, F: Fn(&D::State) -> Cost + Sync> Heuristic<D> for Estimate<F> {
    type Carry = ();
    const CLAIMS: Claims = Claims::DEAD_ENDS;
    #[inline(always)]
    fn root(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn child(&self, _: &D, _: &D::State, (): &(), _: Op, _: &D::State) {}
    #[inline(always)]
    fn bound(&self, _: &D, state: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        Verdict::bound((self.0)(state))
    }
}

/// The bound 0 for every state. Admissible: yes (zero is below every cost). Consistent: yes (it
/// never changes).
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<D: Domain> Heuristic<D> for Zero {
    type Carry = ();
    const CLAIMS: Claims = Claims::DEAD_ENDS;
    #[inline(always)]
    fn root(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn child(&self, _: &D, _: &D::State, (): &(), _: Op, _: &D::State) {}
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(0)
    }
    fn consistent(&self) -> bool {
        true
    }
}
