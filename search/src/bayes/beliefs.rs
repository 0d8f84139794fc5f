//! Probabilities of distances, given what metrics say.

use super::observations::{Observations, Three, change};
use smallvec::SmallVec;

/// A distribution of the distance: entry `d` is the probability of distance `d`.
pub type Belief = SmallVec<[f64; 24]>;

/// The probabilities of the module page, learned from [`Observations`].
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// `Pr(D = d)`.
    prior: Belief,
    /// `Pr(X = x | D = d)`, by distance.
    steps: Vec<Three<f64>>,
    /// `Pr(M = v | D = d)`, by metric, value and distance, to the power of the metric's weight.
    values: Vec<Vec<Belief>>,
    /// `Pr(Y = y | D = d, X = x)`, by metric, distance and change, to the power of the weight.
    changes: Vec<Vec<Three<Three<f64>>>>,
}

/// The fractions of counts, with a pseudo-count of `smoothing` spread over all of them.
fn fractions(counts: &[u64], smoothing: f64) -> impl Iterator<Item = f64> {
    let each = smoothing / counts.len() as f64;
    let total = counts.iter().sum::<u64>() as f64 + smoothing;
    counts.iter().map(move |&count| if total > 0.0 { (count as f64 + each) / total } else { 0.0 })
}

/// [`fractions`] of three counts.
fn three(counts: &Three<u64>, smoothing: f64) -> Three<f64> {
    let mut all = fractions(counts, smoothing);
    std::array::from_fn(|_| all.next().unwrap_or(0.0))
}

/// Excludes the distance 0 and scales the other probabilities to the sum 1. If all are 0, they
/// become equal.
fn normalise(belief: &mut [f64]) {
    let Some((goal, belief)) = belief.split_first_mut() else { return };
    *goal = 0.0;
    let (total, equal) = (belief.iter().sum::<f64>(), 1.0 / belief.len() as f64);
    belief.iter_mut().for_each(|p| *p = if total > 0.0 { *p / total } else { equal });
}

impl Observations {
    /// The probabilities that these counts give: relative frequencies, after `smoothing` more
    /// states (or steps) that are spread evenly over the possible results. With a little smoothing
    /// no probability is 0, so no metric can rule out what the others say.
    pub fn beliefs(&self, smoothing: f64) -> Beliefs {
        Beliefs::new(self, smoothing)
    }
}

impl Beliefs {
    fn new(seen: &Observations, smoothing: f64) -> Self {
        let distances = seen.states.len();
        let values = |by_value: &Vec<Vec<u64>>| {
            let mut values = vec![Belief::from_elem(0.0, distances); by_value.len()];
            for d in 0..distances {
                let counts: Vec<u64> = by_value.iter().map(|counts| counts[d]).collect();
                for (value, p) in values.iter_mut().zip(fractions(&counts, smoothing)) {
                    value[d] = p;
                }
            }
            values
        };
        let changes = |by_distance: &Vec<Three<Three<u64>>>| {
            by_distance.iter().map(|by_x| by_x.map(|counts| three(&counts, smoothing))).collect()
        };
        Self {
            prior: fractions(&seen.states, 0.0).collect(),
            steps: seen.steps.iter().map(|counts| three(counts, smoothing)).collect(),
            values: seen.values.iter().map(values).collect(),
            changes: seen.changes.iter().map(changes).collect(),
        }
    }

    /// The same probabilities with another distribution of the distance of start states. Use it if
    /// the observed states were not drawn evenly.
    ///
    /// # Panics
    /// If the number of distances differs.
    #[must_use]
    pub fn with_prior(mut self, prior: &[f64]) -> Self {
        assert_eq!(prior.len(), self.prior.len(), "a probability for each distance");
        self.prior = prior.into();
        self
    }

    /// The same probabilities with a weight for each metric. The probabilities of a metric are
    /// raised to its weight: 0 ignores the metric, 1 takes it as independent of the others.
    ///
    /// # Panics
    /// If the number of metrics differs.
    #[must_use]
    pub fn with_weights(mut self, weights: &[f64]) -> Self {
        assert_eq!(weights.len(), self.values.len(), "a weight for each metric");
        for (values, weight) in self.values.iter_mut().zip(weights) {
            values.iter_mut().flatten().for_each(|p| *p = p.powf(*weight));
        }
        for (changes, weight) in self.changes.iter_mut().zip(weights) {
            changes.iter_mut().flatten().flatten().for_each(|p| *p = p.powf(*weight));
        }
        self
    }

    /// `Pr(D = d)` of start states.
    pub fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// `Pr(X = x | D = d)` for a fall, no change and a rise, by distance.
    pub fn steps(&self) -> &[[f64; 3]] {
        &self.steps
    }

    /// The distribution of the distance of a state that is no goal, given its metrics: formula 3 of
    /// the module page.
    pub fn posterior(&self, values: &[u8]) -> Belief {
        let mut belief = self.prior.clone();
        self.weigh(&mut belief, values);
        normalise(&mut belief);
        belief
    }

    /// What is to be expected of a successor of a state with this belief, before its metrics are
    /// read: formula 4.
    pub(super) fn predict(&self, belief: &[f64]) -> Prediction {
        let zero = Belief::from_elem(0.0, belief.len());
        let mut prediction = Prediction { fall: zero.clone(), any: zero };
        for (d, (&p, step)) in belief.iter().zip(&self.steps).enumerate() {
            prediction.add(d, step.map(|step| p * step));
        }
        prediction
    }

    /// The belief about a successor that is no goal and has these values, and the probability that
    /// it is nearer than its predecessor: formula 5.
    pub(super) fn after_values(&self, prediction: &Prediction, values: &[u8]) -> (Belief, f64) {
        let mut after = prediction.clone();
        self.weigh(&mut after.any, values);
        self.weigh(&mut after.fall, values);
        after.normalised()
    }

    /// The belief about a successor that is no goal, and the probability that it is nearer, given
    /// how the metrics have changed: formula 6.
    pub(super) fn after_changes(&self, from: &[f64], before: &[u8], after: &[u8]) -> (Belief, f64) {
        let zero = Belief::from_elem(0.0, from.len());
        let mut prediction = Prediction { fall: zero.clone(), any: zero };
        for (d, (&p, step)) in from.iter().zip(&self.steps).enumerate() {
            let mut joint = step.map(|step| p * step);
            for (changes, (before, after)) in self.changes.iter().zip(before.iter().zip(after)) {
                let y = change(before, after);
                joint.iter_mut().zip(&changes[d]).for_each(|(p, by_y)| *p *= by_y[y]);
            }
            prediction.add(d, joint);
        }
        prediction.normalised()
    }

    /// Multiplies probabilities of distances with those of some values at these distances.
    fn weigh(&self, belief: &mut [f64], values: &[u8]) {
        for (by_value, &value) in self.values.iter().zip(values) {
            belief.iter_mut().zip(&by_value[usize::from(value)]).for_each(|(p, l)| *p *= l);
        }
    }
}

/// Probabilities of the distance of a successor. Their sum need not be 1.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    /// By distance of the successor, if it is nearer than its predecessor.
    fall: Belief,
    /// By distance of the successor, in all cases.
    any: Belief,
}

impl Prediction {
    /// Adds the probabilities that a state at distance `d` has a successor that is nearer, as far,
    /// and farther.
    fn add(&mut self, d: usize, [fall, stay, rise]: Three<f64>) {
        let (below, above) = (d.saturating_sub(1), (d + 1).min(self.any.len() - 1));
        self.fall[below] += fall;
        self.any[below] += fall;
        self.any[d] += stay;
        self.any[above] += rise;
    }

    /// The belief, and the probability of a fall, of a successor that is no goal.
    fn normalised(mut self) -> (Belief, f64) {
        let fall: f64 = self.fall.iter().skip(1).sum();
        let total: f64 = self.any.iter().skip(1).sum();
        normalise(&mut self.any);
        (self.any, if total > 0.0 { fall / total } else { 0.0 })
    }
}

/// The expected distance.
pub(super) fn mean(belief: &[f64]) -> f64 {
    belief.iter().enumerate().map(|(d, p)| d as f64 * p).sum()
}
