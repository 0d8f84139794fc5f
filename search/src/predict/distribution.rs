//! The distribution of a heuristic's values: [`Distribution`].

/// The distribution of a heuristic's values: `P(x)`, the share of states with `h <= x`.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Entry `x` is P(x); the last entry is 1. Never empty.
    cumulative: Vec<f64>,
}

impl Distribution {
    /// The distribution of counted states: entry `x` of the histogram counts the states of value
    /// `x`.
    ///
    /// # Panics
    /// If all counts are zero.
    pub fn from_counts(histogram: &[u64]) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
        let weights: Vec<f64> = histogram.iter().map(|&count| count as f64).collect();
        Self::from_weights(&weights)
    }

    /// The distribution of weighted values: entry `x` is the weight of value `x`, at least 0.
    ///
    /// # Panics
    /// If the sum of the weights is not a positive number.
    pub fn from_weights(weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        assert!(total > 0.0 && total.is_finite(), "the weights of a distribution sum to {total}");
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = weights
            .iter()
            .map(|weight| {
                sum += weight;
                sum / total
            })
            .collect();
        if let Some(last) = cumulative.last_mut() {
            *last = 1.0;
        }
        Self { cumulative }
    }

    /// The share of states with a value of at most `x`. It is 0 for negative `x`, and 1 from the
    /// largest value on.
    pub fn at_most(&self, x: i64) -> f64 {
        match usize::try_from(x) {
            Ok(x) => self.cumulative.get(x).copied().unwrap_or(1.0),
            Err(_) => 0.0,
        }
    }

    /// The largest value.
    pub fn largest(&self) -> usize {
        self.cumulative.len() - 1
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        // A value x exceeds x of the thresholds 0, 1, 2 and so on.
        self.cumulative.iter().map(|share| 1.0 - share).sum()
    }

    /// The share of each value: entry `x` is the share of states with `h == x`.
    pub fn shares(&self) -> Vec<f64> {
        let below = std::iter::once(&0.0).chain(&self.cumulative);
        self.cumulative.iter().zip(below).map(|(upto, below)| upto - below).collect()
    }

    /// The distribution of the maximum of independent members: the product of their cumulative
    /// shares. Without members the maximum is always 0.
    pub fn max_of(members: &[Self]) -> Self {
        let largest = members.iter().map(Self::largest).max().unwrap_or(0);
        let cumulative = (0..=largest)
            .map(|x| members.iter().map(|member| member.share_up_to(x)).product())
            .collect();
        Self { cumulative }
    }

    /// The distribution of the sum of independent members: the convolution of their shares. Without
    /// members the sum is always 0.
    pub fn sum_of(members: &[Self]) -> Self {
        let shares = members.iter().fold(vec![1.0], |sum, member| {
            let shares = member.shares();
            let mut out = vec![0.0; sum.len() + shares.len() - 1];
            for (x, a) in sum.iter().enumerate() {
                for (y, b) in shares.iter().enumerate() {
                    out[x + y] += a * b;
                }
            }
            out
        });
        Self::from_weights(&shares)
    }

    /// The *quality* of a heuristic where strings of operators grow by the factor `branching`: the
    /// mean of `branching^-h`. Smaller is better. Of two heuristics on one domain, the nodes of a
    /// complete iteration have the ratio of their qualities. No instance is searched.
    ///
    /// If each string has `b` successors, [`predict`](super::predict()) of a bound d is `(q
    /// b^(d + 2) - 1) / (b - 1)`, exactly, for every d of at least [`Distribution::largest`] - 1.
    /// Without a heuristic the quality is 1.
    ///
    /// Small values weigh most, so a quality needs the counts of a whole table, or many samples.
    ///
    /// Source: it follows from the formula of Korf, Reid and Edelkamp, section 4.
    pub fn quality(&self, branching: f64) -> f64 {
        let powers = std::iter::successors(Some(1.0), |power| Some(power / branching));
        self.shares().iter().zip(powers).map(|(share, power)| share * power).sum()
    }

    /// The depth that a heuristic saves: its nodes are those of a search without a heuristic to a
    /// depth less by this number. It is `-log(quality)` to the base `branching`, and at most
    /// [`Distribution::mean`].
    pub fn saved_depth(&self, branching: f64) -> f64 {
        -self.quality(branching).log(branching)
    }

    pub(super) fn share_up_to(&self, x: usize) -> f64 {
        self.cumulative.get(x).copied().unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::{predict, predict_expanded};

    #[test]
    fn quality_is_the_factor_of_the_nodes() {
        let weak = Distribution::from_counts(&[1, 3, 8, 4]);
        let strong = Distribution::from_counts(&[0, 1, 2, 9, 20]);
        let strings: Vec<Vec<f64>> = (0..12).map(|i| vec![3_f64.powi(i)]).collect();
        for bound in 3..10 {
            let of = |h: &Distribution| predict(&strings, std::slice::from_ref(h), bound);
            for h in [&weak, &strong, &Distribution::from_counts(&[1])] {
                let power = 3_f64.powi(i32::try_from(bound).expect("small") + 2);
                let closed = (h.quality(3.0) * power - 1.0) / 2.0;
                assert!((of(h) - closed).abs() < 1e-9 * closed, "{bound}: {} {closed}", of(h));
            }
        }
        let deep: Vec<Vec<f64>> = (0..32).map(|i| vec![3_f64.powi(i)]).collect();
        let of = |h: &Distribution| predict_expanded(&deep, std::slice::from_ref(h), 30);
        let ratio = weak.quality(3.0) / strong.quality(3.0);
        assert!((of(&weak) / of(&strong) / ratio - 1.0).abs() < 1e-9);
        for h in [&weak, &strong] {
            assert!(0.0 < h.saved_depth(3.0) && h.saved_depth(3.0) < h.mean());
        }
        let constant = Distribution::from_counts(&[0, 0, 5]);
        assert!((constant.saved_depth(7.0) - 2.0).abs() < 1e-12);
    }
}
