//! What is counted: [`Statistics`] and [`Spread`].

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the optimal plans of states are, and what their searches took.
///
/// As JSON it has these keys, and what it reads is the same again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of states by the cost of their plans, which are proven optimal.
    pub costs: BTreeMap<u64, u64>,
    /// The number of states without a proven plan: a limit ended the search, or there is none.
    pub unsolved: u64,
    /// The generated nodes of the solved states.
    pub nodes: Spread,
    /// The time of their searches in microseconds, without loading and building tables.
    pub micros: Spread,
}

impl Statistics {
    /// Counts a state with a plan of this cost.
    pub(super) fn solved(&mut self, cost: u64, nodes: u64, time: Duration) {
        *self.costs.entry(cost).or_insert(0) += 1;
        self.nodes.count(nodes, 1);
        self.micros.count(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), 1);
    }

    /// Adds other states.
    pub fn add(&mut self, other: &Self) {
        for (&cost, &count) in &other.costs {
            *self.costs.entry(cost).or_insert(0) += count;
        }
        self.unsolved += other.unsolved;
        self.nodes.add(&other.nodes);
        self.micros.add(&other.micros);
    }

    /// The number of states, solved or not.
    pub fn states(&self) -> u64 {
        self.solved_states() + self.unsolved
    }

    /// The number of solved states.
    pub fn solved_states(&self) -> u64 {
        self.costs.values().sum()
    }

    /// The mean cost. `None` without a solved state.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.costs.iter().map(|(&cost, &count)| cost as f64 * count as f64).sum();
        let states = self.solved_states();
        (states > 0).then(|| sum / states as f64)
    }

    /// The standard error of the mean. `None` for fewer than two solved states.
    pub fn standard_error(&self) -> Option<f64> {
        let (mean, states) = (self.mean()?, self.solved_states() as f64);
        let squares = |(&cost, &count): (&u64, &u64)| (cost as f64 - mean).powi(2) * count as f64;
        let squares: f64 = self.costs.iter().map(squares).sum();
        (states >= 2.0).then(|| (squares / (states - 1.0) / states).sqrt())
    }

    /// The least cost that so many of a hundred solved states do not exceed. `None` without one.
    pub fn percentile(&self, percent: u8) -> Option<u64> {
        at_percent(&self.costs, percent)
    }
}

/// How values spread, in classes: exact below 128, else by at most one part in 64 too low.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spread {
    /// The number of values by the least value of their class.
    classes: BTreeMap<u64, u64>,
    /// The sum of the values.
    sum: u128,
    /// The greatest value.
    greatest: u64,
}

impl Spread {
    fn count(&mut self, value: u64, times: u64) {
        // The seven highest bits.
        let low = value.checked_ilog2().map_or(0, |high| high.saturating_sub(6));
        *self.classes.entry(value >> low << low).or_insert(0) += times;
        self.sum += u128::from(value) * u128::from(times);
        self.greatest = self.greatest.max(value);
    }

    fn add(&mut self, other: &Self) {
        for (&class, &count) in &other.classes {
            *self.classes.entry(class).or_insert(0) += count;
        }
        self.sum += other.sum;
        self.greatest = self.greatest.max(other.greatest);
    }

    /// The mean, which is exact. `None` without values.
    pub fn mean(&self) -> Option<f64> {
        let values: u64 = self.classes.values().sum();
        (values > 0).then(|| self.sum as f64 / values as f64)
    }

    /// The greatest value. 0 without values.
    pub fn greatest(&self) -> u64 {
        self.greatest
    }

    /// The class of the least value that so many of a hundred values do not exceed. `None` without
    /// values.
    pub fn percentile(&self, percent: u8) -> Option<u64> {
        at_percent(&self.classes, percent)
    }
}

/// The least key that so many of a hundred of the counted do not exceed.
fn at_percent(counts: &BTreeMap<u64, u64>, percent: u8) -> Option<u64> {
    let all: u64 = counts.values().sum();
    let wanted = u128::from(all) * u128::from(percent.min(100));
    let mut so_far = 0;
    counts.iter().find_map(|(&key, &count)| {
        so_far += u128::from(count) * 100;
        (so_far >= wanted && count > 0).then_some(key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Statistics {
        let mut all = Statistics::default();
        for value in values {
            all.solved(value, value, Duration::from_micros(value));
        }
        all
    }

    #[test]
    fn means_and_percentiles_are_those_of_the_values() {
        let all = of([7, 3, 5, 5]);
        assert_eq!((all.mean(), all.states()), (Some(5.0), 4));
        // The variance is 8/3, over 4 states.
        let error = all.standard_error().expect("four states");
        assert!((error - (8.0_f64 / 12.0).sqrt()).abs() < 1e-12, "{error}");
        let percents = [0, 25, 26, 50, 75, 76, 100].map(|percent| all.percentile(percent));
        assert_eq!(percents, [3, 3, 5, 5, 5, 7, 7].map(Some));
        assert_eq!((of([]).mean(), of([]).percentile(50)), (None, None));
        assert_eq!((of([4]).mean(), of([4]).standard_error()), (Some(4.0), None));
    }

    #[test]
    fn classes_are_narrow_and_sums_exact() {
        let all = of(1..=100_000);
        assert_eq!(all.nodes.mean(), Some(50_000.5));
        assert_eq!(all.nodes.greatest(), 100_000);
        for percent in 1..=100_u8 {
            let exact = 1000 * u64::from(percent);
            let class = all.nodes.percentile(percent).expect("values");
            assert!(class <= exact && exact - class <= exact / 64 + 1, "{percent}: {class}");
        }
        // In two parts it is the same, and as JSON.
        let mut parts = of(1..=40_000);
        parts.add(&of(40_001..=100_000));
        assert_eq!(parts, all);
        let text = serde_json::to_string(&all).expect("JSON");
        assert_eq!(serde_json::from_str::<Statistics>(&text).expect("the same"), all);
        assert_eq!(of([u64::MAX]).nodes.percentile(50), Some(127 << 57));
    }
}
