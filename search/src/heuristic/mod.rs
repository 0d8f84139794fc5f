//! Lower bounds on the cost to a goal: [`Heuristic`], and ways to combine them.
//!
//! A plain function of the state is a heuristic by [`Estimate`]. [`Max`] takes the larger of two
//! bounds, [`Additive`] and [`MaxOfSums`] add bounds that charge different features. [`Scaled`]
//! multiplies a bound, which proves nothing any more. [`Heuristic::ask`] and [`Heuristic::take`]
//! are for heuristics that are read from large tables.

mod additive;
mod batch;
mod evaluation;
mod forward;
mod max;
mod max_of_sums;
mod scaled;
mod step;
mod verdict;

pub use additive::{Additive, Charged, Overlap};
pub(crate) use batch::CarrySlice;
pub use batch::{Batch, Carries, Lookup, LookupBatch, Slack};
pub use evaluation::Evaluation;
pub use max::Max;
pub use max_of_sums::{CarriedSums, MaxOfSums, MaxOfSumsError, Members};
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
/// # Large tables
/// To hide the latency of large tables, a search makes many children at a time, and then reads all
/// their bounds. A heuristic with large tables asks for it by [`Evaluation::STAGED`]. If it reads
/// in several stages, it also overrides [`Heuristic::ask`] and [`Heuristic::take`].
pub trait Heuristic<D: Domain>: Sync {
    /// The data of the heuristic at a node (partial indices, inherited values); `()` if none.
    type Carry: Clone + Send + Sync + std::fmt::Debug + 'static;

    /// What the bounds prove. A wrapper that forgot it would prove what its heuristic does not. So
    /// it has no default.
    const CLAIMS: Claims;

    /// How the search evaluates the children of a node. A heuristic made of others joins their
    /// constants with [`Evaluation::then`]. [default: [`Evaluation::INLINE`]]
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
    /// from here.
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops>;

    /// [`Heuristic::child`] and [`Heuristic::bound`] in one: overwrites the data of the child and
    /// returns the verdict on the child. `carry` is the data of the parent. Override it to cut a
    /// child before it is made, or before all its data is computed.
    /// Unless the heuristic is [staged](Evaluation::is_staged), the hot loop calls only this
    /// method. [default: one after the other]
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

    /// For the children that are left: names what stage `stage` takes, and prefetches it or gets it
    /// from elsewhere. The first stage also overwrites the data of these children.
    ///
    /// The search calls it for the stages 0, 1 and so on, as many as [`Evaluation::stages`] says.
    /// After a stage it calls [`Heuristic::take`], and cuts the children whose proven bound is
    /// above their limit. After the last stage it calls [`Heuristic::bound`] instead. [default, for
    /// one stage: makes the data by [`Heuristic::child`]]
    #[inline(always)]
    fn ask<C>(&self, domain: &D, batch: &mut Batch<'_, C>, _stage: usize)
    where
        C: Carries<State = D::State, Carry = Self::Carry>,
    {
        for &number in batch.left {
            let child = usize::from(number);
            let (from, carry) = batch.carries.parent(child);
            let carry = self.child(domain, from, carry, batch.ops[child], &batch.states[child]);
            *batch.carries.child(child) = carry;
        }
    }

    /// For the children that are left: reads what [`Heuristic::ask`] named in this stage, and
    /// raises [`Slack::proven`]. It does not change the result of `bound`. [default: reads the
    /// bound]
    #[inline(always)]
    fn take<C>(&self, domain: &D, batch: &mut Batch<'_, C>, _stage: usize)
    where
        C: Carries<State = D::State, Carry = Self::Carry>,
    {
        for &number in batch.left {
            let child = usize::from(number);
            let (carry, slack) = (batch.carries.child(child), &mut batch.slack[child]);
            slack.proven = self.bound(domain, &batch.states[child], carry, slack.limit).h;
        }
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
            crate::forward_heuristic! {
                |this, domain: D| (**this), domain;
                root child bound ask take
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
    crate::carry_nothing! { D }
    const CLAIMS: Claims = Claims::DEAD_ENDS;
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
    crate::carry_nothing! { D }
    const CLAIMS: Claims = Claims::DEAD_ENDS.and_consistent();
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(0)
    }
}
