//! What all best-first searches do alike: they count, keep to the limits, and report.

use crate::control::{
    Iteration, Limit, Options, Outcome, Pace, Report, SearchState, Stop, proven_by,
};
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::stored::store::{Budget, Full};
use num_traits::PrimInt;

/// Why a search ended early.
pub(crate) enum Halt {
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
pub(crate) struct BestFirstState<'a, C = Cost> {
    search: SearchState<'a, C>,
    pub(crate) budget: Budget,
    /// The most that a plan may cost; `None` if no plan can be cheap enough.
    pub(crate) most: Option<C>,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    /// The proven lower bound on the cost of a plan.
    pub(crate) lower_bound: C,
    /// The bound of the only iteration; `None` stands for the lower bound.
    pub(crate) bound: Option<C>,
    pace: Pace,
    /// The number of generated states at which to look at the limits.
    look_at: u64,
}

impl<'a, C: PrimInt> BestFirstState<'a, C> {
    /// A search that starts with the lower bound of its options, or with `estimate` if this is
    /// greater. A plan may cost at most `most`.
    pub(crate) fn new(options: &'a Options<'a, C>, estimate: C, most: C) -> Self {
        Self {
            search: SearchState::new(options),
            budget: Budget::new(options.limits.bytes),
            most: options.most(1).map(|limit| limit.min(most)),
            generated: 0,
            expanded: 0,
            lower_bound: estimate.max(options.lower_bound),
            bound: None,
            pace: Pace::new(),
            look_at: 0,
        }
    }

    /// Whether it is time to [`look`](Self::look).
    #[inline(always)]
    pub(crate) fn is_due(&self) -> bool {
        self.generated >= self.look_at
    }

    /// Reports progress and checks the limits. `known` is the cost of the best plan found so far.
    #[cold]
    pub(crate) fn look(&mut self, known: Option<C>) -> Result<(), Halt> {
        self.search.bound = self.lower_bound;
        self.search.lower_bound = self.lower_bound;
        self.search.upper_bound = known.or(self.search.upper_bound);
        let limit = self.search.options.limits.nodes.unwrap_or(u64::MAX);
        self.look_at = limit.min(self.generated + self.pace.next());
        self.search.look(self.generated, (0, 1)).map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
    }

    /// Ends the search. `cost`: that of the plan, if there is one. Its plan is optimal if it costs
    /// as much as the lower bound.
    pub(crate) fn report(mut self, outcome: Outcome, cost: Option<C>) -> Report<C> {
        let mut optimal = outcome == Outcome::Unsolvable;
        if let Some(cost) = cost {
            (self.lower_bound, optimal) = proven_by(cost, self.lower_bound);
        }
        let iteration = Iteration {
            bound: self.bound.unwrap_or(self.lower_bound).min(self.most.unwrap_or(C::zero())),
            generated: self.generated,
            expanded: self.expanded,
            complete: matches!(outcome, Outcome::Unsolvable | Outcome::LimitReached(Limit::Bound)),
        };
        self.search.options.observer.iteration(&iteration);
        Report {
            complete: matches!(outcome, Outcome::Solved(_) | Outcome::Unsolvable),
            lower_bound: self.lower_bound,
            optimal,
            outcome,
            iterations: vec![iteration],
            elapsed: self.search.elapsed(),
        }
    }
}

/// Panics unless the operators lead from the start to a state that is `end`: then the domain breaks
/// a law, so a search that stores its states has mixed some up.
pub(crate) fn replay<D: Domain>(
    domain: &D,
    start: &D::State,
    path: &[Op],
    end: impl Fn(&D::State) -> bool,
) {
    let (mut state, mut next) = (start.clone(), start.clone());
    for &op in path {
        assert!(domain.applicable(&state).contains(op), "{BROKEN}");
        domain.apply_into(&state, op, &mut next);
        std::mem::swap(&mut state, &mut next);
    }
    assert!(end(&state), "{BROKEN}");
}

/// What [`replay`] says.
pub(crate) const BROKEN: &str = "the domain breaks a law: a plan made of its packed states does \
     not lead to the goal (`testing::check_domain` and `check_packed` say where)";
