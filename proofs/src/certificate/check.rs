//! What a certificate must say to prove its answer: [`Certificate::check`].

use super::{Certificate, Claim};
use crate::record::BoundRecord;
use search::Cost;

/// Why a certificate does not prove what it claims, even if all its counts are true.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Flaw {
    /// The run was not a search for one cheapest plan.
    #[error("its {fact} is {found:?}: expected {expected:?}, a search for one cheapest plan")]
    OtherSearch { fact: &'static str, found: String, expected: &'static str },
    /// The bounds do not ascend.
    #[error("bound {bound} behind bound {before}: expected ascending bounds")]
    Order { before: Cost, bound: Cost },
    /// A bound is not whole.
    #[error("bound {bound}: {found} of {units} units are known, expected all")]
    Missing { bound: Cost, found: usize, units: usize },
    /// A bound skips costs that the bound before does not exclude.
    #[error("bound {bound} proves that no plan costs less than {proven}, and the next is {next}")]
    Gap { bound: Cost, proven: u16, next: Cost },
    /// A bound cut nothing, so there is no plan.
    #[error("bound {bound} cut nothing, so it proves that there is no plan")]
    NothingCut { bound: Cost },
    /// The last bound cut something, so there may be a plan.
    #[error("expected a last bound that cut nothing, as the claim is that there is no plan")]
    Cut,
    /// The plan costs another amount than the proven least.
    #[error("the plan costs {cost}, and the lower bound is {lower_bound}: expected the same")]
    NotOptimal { cost: u64, lower_bound: Cost },
}

impl Certificate {
    /// Checks that the counts, if they are true, prove the claim: the search was for one cheapest
    /// plan, every bound is whole and follows from the one before, and the plan costs as much as
    /// the lower bound.
    ///
    /// The text cannot show two things, which a search shows that is made again:
    /// - No plan costs less than the first bound. Without bounds, none costs less than the lower
    ///   bound. Both come from the heuristic's value of the start.
    /// - If all bounds have one parity, so have all plans. Then a bound may follow two steps above.
    ///   Otherwise it may not.
    ///
    /// # Errors
    /// The first flaw.
    pub fn check(&self) -> Result<(), Flaw> {
        for (fact, expected) in [("plans", "1"), ("slack", "0"), ("min-length", "0")] {
            let found = self.identity.get(fact).unwrap_or_default();
            if found != expected {
                return Err(Flaw::OtherSearch { fact, found: found.to_owned(), expected });
            }
        }
        let parity = self.bounds.first().map(|one| one.bound % 2);
        let is_other = |one: &BoundRecord| Some(one.bound % 2) != parity;
        let step = if self.bounds.iter().any(is_other) { 1 } else { 2 };
        let next = self.bounds.iter().skip(1).map(Some).chain([None]);
        for (one, next) in self.bounds.iter().zip(next) {
            self.follows(one, next, step)?;
        }
        match &self.claim {
            Claim::Plan(_, cost) if *cost != u64::from(self.lower_bound) => {
                Err(Flaw::NotOptimal { cost: *cost, lower_bound: self.lower_bound })
            }
            Claim::NoPlan if self.bounds.last().is_none_or(|one| one.least_cut().is_some()) => {
                Err(Flaw::Cut)
            }
            _ => Ok(()),
        }
    }

    /// Checks one bound, and that the next one follows from it. Bounds lie whole steps apart.
    fn follows(
        &self,
        one: &BoundRecord,
        next: Option<&BoundRecord>,
        step: u16,
    ) -> Result<(), Flaw> {
        let bound = one.bound;
        let (found, units) = (one.done(), one.units.len());
        if found < units {
            return Err(Flaw::Missing { bound, found, units });
        }
        if let Some(next) = next
            && next.bound <= bound
        {
            return Err(Flaw::Order { before: bound, bound: next.bound });
        }
        let last = next.is_none();
        if last && self.claim == Claim::NoPlan {
            return Ok(());
        }
        let over = one.least_cut().ok_or(Flaw::NothingCut { bound })?;
        let next = next.map_or(self.lower_bound, |next| next.bound);
        let proven = u16::from(bound).saturating_add(over.max(1).next_multiple_of(step));
        if u16::from(next) > proven {
            return Err(Flaw::Gap { bound, proven, next });
        }
        if last && next <= bound {
            return Err(Flaw::Order { before: bound, bound: next });
        }
        Ok(())
    }
}
