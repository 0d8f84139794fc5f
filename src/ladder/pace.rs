//! When a larger table pays: how long the next iteration takes, and with which table it ends first.

use search::{Cost, Iteration};
use std::time::Duration;

/// A table that a search may go on with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rung {
    /// Seconds until it is there.
    pub(crate) build: f64,
    /// How many times fewer nodes it needs than the rung below.
    pub(crate) gain: f64,
}

/// The rung with which a search ends first, its build included. Counted from the first; linear.
///
/// `seconds`: what the search takes with the first rung.
pub(crate) fn soonest(rungs: &[Rung], seconds: f64) -> usize {
    let (mut best, mut least, mut gained) = (0, seconds, 1.0);
    for (up, &Rung { build, gain }) in rungs.iter().enumerate().skip(1) {
        gained *= gain;
        let all = build + seconds / gained;
        if all < least {
            (best, least) = (up, all);
        }
    }
    best
}

/// How iterations of a search grow where none was seen yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    /// How many times more nodes an iteration has for one more operator of its bound.
    pub(crate) factor: f64,
    /// Operators from a bound to the next one: 2 where plans of a state have one parity.
    pub(crate) step: Cost,
}

impl Growth {
    /// Growth over so many operators.
    fn over(self, operators: Cost) -> f64 {
        self.factor.powi(operators.into())
    }
}

/// The fewest nodes of an iteration that says something about the next one.
const MANY: u64 = 10_000;
/// Iterations of one state grow by more or less than they do in the mean.
const WORSE: f64 = 1.5;

/// Seconds that the next iteration takes after one that took `last`.
///
/// It grows as the last one did, or by `growth` where there is only one yet.
pub(crate) fn next_seconds(iterations: &[Iteration], last: Duration, growth: Growth) -> f64 {
    let growth = match iterations {
        [.., a, b] if a.generated > MANY => b.generated as f64 / a.generated as f64,
        _ => growth.over(growth.step),
    };
    last.as_secs_f64() * growth
}

/// Whether the first iteration with another table grew by more than it would have without.
pub(crate) fn is_worse(iterations: &[Iteration], growth: Growth) -> bool {
    match iterations {
        [.., a, b] if a.complete && b.complete && a.generated > MANY => {
            let expected = growth.over(b.bound - a.bound);
            b.generated as f64 > WORSE * expected * a.generated as f64
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNGS: [Rung; 4] = [
        Rung { build: 0.8, gain: 1.0 },
        Rung { build: 6.3, gain: 6.0 },
        Rung { build: 57.0, gain: 2.0 },
        Rung { build: 440.0, gain: 6.0 },
    ];

    /// No rung is passed by for one that costs more and saves less.
    #[test]
    fn the_longer_the_search_the_higher_the_rung() {
        let rungs = (0..24).map(|power| soonest(&RUNGS, f64::from(1 << power) / 16.0));
        let rungs: Vec<usize> = rungs.collect();
        assert!(rungs.is_sorted(), "{rungs:?}");
        assert_eq!((rungs[0], rungs[23]), (0, RUNGS.len() - 1));
        assert_eq!(soonest(&RUNGS[3..], 1e9), 0);
    }

    fn iteration(bound: Cost, generated: u64) -> Iteration {
        Iteration { bound, generated, expanded: generated, complete: true }
    }

    /// Where bounds go up by two, the first iteration predicts two operators of growth.
    #[test]
    fn the_next_iteration_is_a_step_of_the_bound_away() {
        let quarter = Growth { factor: 9.37, step: 2 };
        let second = Duration::from_secs(1);
        let one = [iteration(14, 1_000_000)];
        let seconds = next_seconds(&one, second, quarter);
        assert!((87.0..89.0).contains(&seconds), "{seconds}");
        let half = Growth { factor: 13.35, step: 1 };
        assert!((next_seconds(&one, second, half) - 13.35).abs() < 1e-9);
        // Two iterations tell themselves how they grow.
        let two = [iteration(12, 20_000), iteration(14, 1_000_000)];
        assert!((next_seconds(&two, second, quarter) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_table_is_worse_if_it_grows_by_more_than_the_steps_allow() {
        let quarter = Growth { factor: 9.37, step: 2 };
        let grown = |times: u64| [iteration(14, 1_000_000), iteration(16, times * 1_000_000)];
        assert!(!is_worse(&grown(90), quarter) && is_worse(&grown(150), quarter));
    }
}
