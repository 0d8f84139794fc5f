//! Bayesian greedy search: learns what metrics of a state say about its distance to the goal, and
//! takes the operator that most probably brings it nearer.
//!
//! Source: Joe Fowler, "Algorithmic approaches to solving the Rubik's cube", master's thesis,
//! University of Colorado at Denver, 2002, chapter 4. The thesis proposes the method and does not
//! run it.
//!
//! **What is learned.** A metric is a small number that can be read off a state, such as the number
//! of pieces at home ([`Metrics`]). `D` is the distance of a state, and `X` the change of `D` by a
//! random operator (-1, 0 or 1). `M_i` is the value of metric `i`, and `Y_i` the sign of its
//! change. [`Observations`] count states and steps whose distances are known. [`Beliefs`] are the
//! relative frequencies:
//!
//! 1. `Pr(D = d)` and `Pr(X = x | D = d)`;
//! 2. `Pr(M_i = v | D = d)` and `Pr(Y_i = y | D = d, X = x)`. With `Pr(X = x | D = d)`, the latter
//!    are the thesis's 12 probabilities for each distance and metric: 216 for 18 distances.
//!
//! **Bayes' rule.** Metrics count as independent if the distance is known. `w_i` is the weight of
//! metric `i` ([`Beliefs::with_weights`]). The search sees whether a state is a goal. So in each
//! formula the distance 0 is excluded, and the sum over all other `d` (or `x`) is scaled to 1.
//!
//! 3. The belief about a state alone: `B(d) ~ Pr(D = d) prod_i Pr(M_i = v_i | D = d)^w_i`.
//! 4. A step from a state with belief `B`: `P(d, x) = B(d - x) Pr(X = x | D = d - x)`, where `d` is
//!    the distance after the step. A step changes the distance by at most 1.
//! 5. The same, given the values after the step: `P(d, x) prod_i Pr(M_i = v_i | D = d)^w_i`.
//! 6. The same, given the signs: `P(d, x) prod_i Pr(Y_i = y_i | D = d - x, X = x)^w_i`.
//!
//! Summed over `x`, formulas 5 and 6 are the belief about the state after the step. Summed over
//! `d`, they give the probability of a fall, `x = -1`.
//!
//! **The search.** From the start on, [`bayes_greedy`] looks at all strings of one operator, or of
//! two ([`LookAhead`]). If a string leads to a goal, it takes this string. Otherwise it takes the
//! first operator of the string with the best [`Score`]. It never visits a state twice. Of equal
//! strings it takes the one with the lowest operators. If all strings lead to visited states, it
//! takes back its last operator. It gives up when the plan would cost more than
//! [`Limits::bound`](crate::Limits::bound), or [`MAX_COST`](crate::MAX_COST).
//!
//! **Where it differs from the thesis.** The evidence of the thesis is the signs of changes
//! ([`Evidence::Changes`]). Ours has the values, too, because they say more: with the signs alone,
//! the search solves two thirds of the states of the 2x2x2 cube at most, with values nearly all.
//! The start by formula 3, visited states, taking back operators, and ties are ours, too.
//!
//! Formula 4 is right if all operators cost 1 and can be undone. [`Observations::step`] refuses
//! steps that show otherwise. Time for each step: O(strings x metrics x distances). Memory: the
//! visited states.

mod beliefs;
mod greedy;
mod metrics;
mod observations;
#[cfg(test)]
mod tests;

pub use beliefs::{Belief, Beliefs};
pub use greedy::LookAhead;
pub use metrics::{Metrics, Values};
pub use observations::{Observations, StepError};

use crate::control::{Options, Report};
use crate::domain::Packed;
use beliefs::{Prediction, mean};
use greedy::{Greedy, Scorer};

/// What a Bayesian greedy search learns from the metrics at each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evidence {
    /// Whether each metric falls, stays or rises: formula 6 of the [module page](self). The belief
    /// is carried along the path, as in the thesis.
    Changes,
    /// The values after the step: formula 5. The belief is carried along the path. Values of
    /// neighbours resemble each other, so the belief soon gets too sure.
    Path,
    /// The values before and after the step: formula 5. The belief about the state before it is
    /// formula 3, whatever the path.
    #[default]
    State,
}

/// How a Bayesian greedy search chooses among strings of operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// The least expected distance after the string.
    #[default]
    Distance,
    /// The greatest probability that each operator of the string lowers the distance: the product
    /// of the probabilities of its operators.
    Fall,
}

/// Settings of [`bayes_greedy`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BayesSettings {
    /// What it learns at each step. [default: [`Evidence::State`]]
    pub evidence: Evidence,
    /// How it chooses. [default: [`Score::Distance`]]
    pub score: Score,
    /// How far it looks. [default: [`LookAhead::One`]]
    pub look_ahead: LookAhead,
}

/// Searches greedily by beliefs about the distance, see the [module page](self).
///
/// The plan need not be a cheapest one, and the search may fail where a plan exists. Then the
/// outcome is [`Limit::Bound`](crate::Limit::Bound), or another limit. It is
/// [`Outcome::Unsolvable`](crate::Outcome::Unsolvable) only if the search has visited all states
/// that can be reached. [`Report::optimal`] is true only if the plan costs as much as
/// [`Options::lower_bound`], or 1. The search returns one plan and ignores [`Options::plans`].
pub fn bayes_greedy<D: Packed>(
    domain: &D,
    metrics: &Metrics<D::State>,
    beliefs: &Beliefs,
    start: &D::State,
    settings: &BayesSettings,
    options: &Options,
) -> Report {
    let scorer = Bayes { metrics, beliefs, settings: *settings };
    Greedy::new(domain, &scorer, settings.look_ahead, options).run(start)
}

/// Searches greedily for the least `height`: the baseline of [`bayes_greedy`], with the same loop.
///
/// The height must not be NaN. Where no successor is lower, the search climbs: it takes the lowest
/// one that it has not visited.
pub fn hill_climbing<D: Packed>(
    domain: &D,
    height: impl Fn(&D::State) -> f64,
    start: &D::State,
    look_ahead: LookAhead,
    options: &Options,
) -> Report {
    Greedy::new(domain, &Height(height), look_ahead, options).run(start)
}

/// Scores by beliefs.
struct Bayes<'a, S> {
    metrics: &'a Metrics<S>,
    beliefs: &'a Beliefs,
    settings: BayesSettings,
}

/// What the search believes about a state on its path.
#[derive(Clone)]
struct PathBelief {
    /// Empty if it follows from the values.
    belief: Belief,
    values: Values,
    /// For [`Score::Fall`]: minus the logarithm of the probability that all operators so far have
    /// lowered the distance.
    doubt: f64,
}

impl<D: Packed> Scorer<D> for Bayes<'_, D::State> {
    type Node = PathBelief;
    /// The prediction is not there for [`Evidence::Changes`].
    type Parent = (PathBelief, Option<Prediction>);

    fn start(&self, state: &D::State) -> PathBelief {
        let values = self.metrics.read(state);
        PathBelief { belief: self.beliefs.posterior(&values), values, doubt: 0.0 }
    }

    fn parent(&self, node: &PathBelief) -> Self::Parent {
        let mut node = node.clone();
        if self.settings.evidence == Evidence::State {
            node.belief = self.beliefs.posterior(&node.values);
        }
        let by_values = self.settings.evidence != Evidence::Changes;
        let prediction = by_values.then(|| self.beliefs.predict(&node.belief));
        (node, prediction)
    }

    fn child(&self, (parent, prediction): &Self::Parent, state: &D::State) -> (f64, PathBelief) {
        let values = self.metrics.read(state);
        let (mut belief, fall) = match prediction {
            Some(prediction) => self.beliefs.after_values(prediction, &values),
            None => self.beliefs.after_changes(&parent.belief, &parent.values, &values),
        };
        let doubt = parent.doubt - fall.max(f64::MIN_POSITIVE).ln();
        let score = match self.settings.score {
            Score::Distance => mean(&belief),
            Score::Fall => doubt,
        };
        if self.settings.evidence == Evidence::State {
            belief = Belief::new();
        }
        (score, PathBelief { belief, values, doubt })
    }
}

/// Scores by a plain function.
struct Height<F>(F);

impl<D: Packed, F: Fn(&D::State) -> f64> Scorer<D> for Height<F> {
    type Node = ();
    type Parent = ();
    fn start(&self, _: &D::State) {}
    fn parent(&self, (): &()) {}
    fn child(&self, (): &(), state: &D::State) -> (f64, ()) {
        ((self.0)(state), ())
    }
}
