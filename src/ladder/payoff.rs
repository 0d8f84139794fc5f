//! Decides when a larger table pays off: predicts the time of the next iteration, and picks the
//! table with which the search ends first.

use search::{Cost, Iteration};
use std::time::Duration;

/// Cost and benefit of a table on the ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rung {
    /// Seconds to build or load the table.
    pub(crate) build: f64,
    /// The factor by which a search needs fewer nodes than with the rung below.
    pub(crate) gain: f64,
    /// The factor by which a node takes longer than with the rung below: large tables are read
    /// from slower memory.
    pub(crate) slower: f64,
}

impl Rung {
    /// The factor by which a search is faster than with the rung below.
    pub(crate) fn speedup(self) -> f64 {
        self.gain / self.slower
    }

    /// The same rung, with its factors against the rung below `below`.
    pub(crate) fn across(self, below: Self) -> Self {
        Self { gain: self.gain * below.gain, slower: self.slower * below.slower, ..self }
    }
}

/// The index in `rungs` of the rung with which the search ends first, its building time included.
/// Index 0 is the current rung. Linear time.
///
/// `seconds`: the time that the search takes with the current rung.
pub(crate) fn soonest(rungs: &[Rung], seconds: f64) -> usize {
    let (mut best, mut least, mut gained) = (0, seconds, 1.0);
    for (up, rung) in rungs.iter().enumerate().skip(1) {
        gained *= rung.speedup();
        let all = rung.build + seconds / gained;
        if all < least {
            (best, least) = (up, all);
        }
    }
    best
}

/// The expected growth of iterations, used until two iterations show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    /// The factor by which the nodes grow if the bound grows by one operator.
    pub(crate) factor: f64,
    /// Difference between a bound and the next: 2 if all plans of a state have the same parity.
    pub(crate) step: Cost,
}

impl Growth {
    /// The factor by which the nodes grow if the bound grows by `operators`.
    fn over(self, operators: Cost) -> f64 {
        self.factor.powi(operators.into())
    }
}

/// An iteration with fewer nodes does not predict the next one.
const MANY: u64 = 10_000;
/// A tolerance: in the search of a single state, nodes often grow by up to this factor more than
/// expected.
const WORSE: f64 = 1.5;

/// Seconds that the next iteration takes after one that took `last`.
pub(crate) fn next_seconds(iterations: &[Iteration], last: Duration, growth: Growth) -> f64 {
    last.as_secs_f64() * next_factor(iterations, growth)
}

/// The factor from the nodes of the last iteration to those of the next.
///
/// Assumes the growth of the last two iterations, or `growth` if there is only one or the first was
/// small.
pub(crate) fn next_factor(iterations: &[Iteration], growth: Growth) -> f64 {
    match iterations {
        [.., a, b] if a.generated > MANY => b.generated as f64 / a.generated as f64,
        _ => growth.over(growth.step),
    }
}

/// Whether the first iteration with a new table, the last of `iterations`, grew by more than the
/// old table would have.
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
        Rung { build: 0.8, gain: 1.0, slower: 1.0 },
        Rung { build: 6.3, gain: 6.0, slower: 1.0 },
        Rung { build: 57.0, gain: 2.0, slower: 1.0 },
        Rung { build: 440.0, gain: 6.0, slower: 1.0 },
    ];

    /// A rung that halves the nodes is not taken if each of them takes twice as long.
    #[test]
    fn slow_nodes_take_back_what_a_rung_gains() {
        let rungs = |slower: f64| [RUNGS[0], Rung { build: 1.0, gain: 2.0, slower }];
        assert_eq!(soonest(&rungs(1.0), 1e3), 1);
        assert_eq!(soonest(&rungs(2.0), 1e3), 0);
    }

    /// Against a rung further down, factors multiply. The building time stays.
    #[test]
    fn factors_multiply_across_a_rung() {
        let rung = Rung { slower: 1.5, ..RUNGS[2] }.across(Rung { slower: 2.0, ..RUNGS[1] });
        assert_eq!(rung, Rung { build: 57.0, gain: 12.0, slower: 3.0 });
    }

    /// The chosen rung never gets lower as the search gets longer. A short search takes the first
    /// rung, a long one the last.
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

    /// If bounds grow by two, one iteration alone predicts the growth of two operators.
    #[test]
    fn the_next_iteration_is_a_step_of_the_bound_away() {
        let quarter = Growth { factor: 9.37, step: 2 };
        let second = Duration::from_secs(1);
        let one = [iteration(14, 1_000_000)];
        let seconds = next_seconds(&one, second, quarter);
        assert!((87.0..89.0).contains(&seconds), "{seconds}");
        let half = Growth { factor: 13.35, step: 1 };
        assert!((next_seconds(&one, second, half) - 13.35).abs() < 1e-9);
        // The growth of two iterations replaces the expected one.
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
