//! What all best-first searches do alike: they count, keep to the limits, and report.

use crate::control::{Iteration, Limit, LimitCheck, Options, Outcome, Report, Stop};
use crate::domain::Cost;
use crate::stored::store::{Budget, Full};
use num_traits::PrimInt;
use web_time::Instant;

/// Why a search ended early.
pub(super) enum Halt {
    Full,
    Stop(Stop),
}

impl From<Full> for Halt {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

impl From<Halt> for Outcome {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Full => Self::LimitReached(Limit::Bytes),
            Halt::Stop(stop) => stop.into(),
        }
    }
}

/// The state of a search apart from its states.
pub(super) struct Run<'a, C = Cost> {
    options: &'a Options<'a, C>,
    /// The search checks its limits every so many expanded states. A power of two.
    period: u64,
    pub(super) budget: Budget,
    /// The most that a plan may cost; `None` if no plan can be cheap enough.
    pub(super) most: Option<C>,
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The proven lower bound on the cost of a plan.
    pub(super) lower_bound: C,
    started: Instant,
}

impl<'a, C: PrimInt> Run<'a, C> {
    /// A search that starts with the lower bound of its options, or with `estimate` if this is
    /// greater. A plan may cost at most `most`. The search checks its limits every `period`
    /// expanded states, a power of two.
    pub(super) fn new(options: &'a Options<'a, C>, estimate: C, most: C, period: u64) -> Self {
        Self {
            options,
            period,
            budget: Budget::new(options.limits.bytes),
            most: options.most(1).map(|limit| limit.min(most)),
            generated: 0,
            expanded: 0,
            lower_bound: estimate.max(options.lower_bound),
            started: Instant::now(),
        }
    }

    /// Whether it is time to [`look`](Self::look), before the next state is expanded.
    #[inline(always)]
    pub(super) fn due(&self) -> bool {
        self.expanded & (self.period - 1) == 0
    }

    /// Reports progress and checks the limits. `known` is the cost of the best plan found so far.
    pub(super) fn look(&self, known: Option<C>) -> Result<(), Halt> {
        let check = LimitCheck {
            options: self.options,
            started: self.started,
            before: 0,
            bound: self.lower_bound,
            lower_bound: self.lower_bound,
            upper_bound: known.or(self.options.upper_bound),
        };
        check.look(self.generated, (0, 1)).map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
    }

    /// Ends the search.
    pub(super) fn report(self, outcome: Outcome, optimal: bool) -> Report<C> {
        let iteration = Iteration {
            bound: self.lower_bound.min(self.most.unwrap_or(C::zero())),
            generated: self.generated,
            expanded: self.expanded,
            complete: matches!(outcome, Outcome::Unsolvable | Outcome::LimitReached(Limit::Bound)),
        };
        self.options.observer.iteration(&iteration);
        Report {
            complete: matches!(outcome, Outcome::Solved(_) | Outcome::Unsolvable),
            lower_bound: self.lower_bound,
            optimal: optimal && matches!(outcome, Outcome::Solved(_) | Outcome::Unsolvable),
            outcome,
            iterations: vec![iteration],
            elapsed: self.started.elapsed(),
        }
    }
}
