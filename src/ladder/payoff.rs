//! Decides when a larger table pays off. Predicts how long each later iteration takes, and how
//! likely it finds a plan. Picks the table with which the search should end first.

use search::{Cost, Iteration};

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

/// The search that is still to come, as it is expected for a random state that has no plan below
/// the next bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// The next bound, and the seconds to search all of it with the current rung.
    pub(crate) next: (Cost, f64),
    /// The expected growth of the puzzle's searches.
    pub(crate) growth: Growth,
    /// This bound and higher ones are not searched: a plan is known, or a limit is reached.
    pub(crate) end: Option<u64>,
    /// Whether bounds are searched to their end, because several plans are wanted.
    pub(crate) every_plan: bool,
    /// The number of later states, and the seconds that this one has taken so far.
    pub(crate) backlog: (f64, f64),
    /// Seconds of search until a limit ends it.
    pub(crate) left: f64,
}

/// A bound that may have to be searched.
struct Bound {
    /// The seconds of the whole iteration with the current rung.
    whole: f64,
    /// The expected seconds with the current rung, if all bounds before had no plan.
    seconds: f64,
    /// The probability that this bound has no plan either.
    fails: f64,
}

impl Ahead {
    /// The bounds from the next one to the last that is likely to be searched.
    fn bounds(&self) -> Vec<Bound> {
        let (mut bounds, (mut bound, mut whole), mut likely) = (Vec::new(), self.next, 1.0);
        let mut left = self.left.clamp(0.0, LONGEST);
        while likely > UNLIKELY && left > 0.0 && self.end.is_none_or(|end| u64::from(bound) < end) {
            // The number of plans has the distribution of Poisson. If there are n, then one part in
            // n + 1 of the iteration is searched.
            let plans = self.growth.plans(bound);
            let (fails, found) = ((-plans).exp(), -(-plans).exp_m1());
            let part = if plans > UNLIKELY && !self.every_plan { found / plans } else { 1.0 };
            let seconds = (whole * part).min(left);
            bounds.push(Bound { whole, seconds, fails });
            likely *= fails;
            left -= seconds;
            whole *= self.growth.over(self.growth.step);
            let Some(above) = bound.checked_add(self.growth.step) else { break };
            bound = above;
        }
        bounds
    }
}

/// An iteration is short if it takes less than this part of a build.
const SHORT: f64 = 0.125;
/// Searches that take more seconds are all alike.
const LONGEST: f64 = 1e12;
/// A bound that is searched with less than this probability does not count.
const UNLIKELY: f64 = 1e-6;

/// The index in `rungs` of the rung to take now, if all later choices are the best ones, too. Index
/// 0 is the current rung. Time: the number of bounds times that of pairs of rungs.
///
/// A rung is not taken as long as the next iteration is short against its build ([`SHORT`]): that
/// iteration costs little, and tells more than a prediction.
pub(crate) fn soonest(rungs: &[Rung], ahead: &Ahead) -> usize {
    let bounds = ahead.bounds();
    // For each rung: seconds for one of the current rung.
    let pace = rungs.iter().skip(1).scan(1.0, |pace, rung| {
        *pace /= rung.speedup();
        Some(*pace)
    });
    let pace: Vec<f64> = std::iter::once(1.0).chain(pace).collect();
    // The least of the seconds from here on, if a search may first climb, and the rung to climb to.
    // `next`: seconds of the next iterations of this state and of the later ones.
    let climb = |stay: &[f64], from: usize, next: f64| {
        let pays = |to: &usize| next >= SHORT * rungs[*to].build;
        let above = (from + 1..rungs.len()).filter(pays).map(|to| (rungs[to].build + stay[to], to));
        above.fold((stay[from], from), |a, b| if b.0 < a.0 { b } else { a })
    };
    let least = |stay: &[f64], next: f64| -> Vec<f64> {
        (0..rungs.len()).map(|from| climb(stay, from, next * pace[from]).0).collect()
    };
    let likely = bounds.iter().scan(1.0, |likely, bound| {
        let seconds = *likely * bound.seconds;
        *likely *= bound.fails;
        Some(seconds)
    });
    // Each later state takes as long as this one.
    let (later, spent) = ahead.backlog;
    let all = later * (spent + likely.sum::<f64>());
    let others = later * (spent + ahead.next.1);
    let stay: Vec<f64> = pace.iter().map(|pace| pace * all).collect();
    let end = least(&stay, f64::INFINITY);
    let (mut stay, mut after) = (end.clone(), end.clone());
    for bound in bounds.iter().rev() {
        stay = (0..rungs.len())
            .map(|rung| {
                let rest = bound.fails * after[rung] + (1.0 - bound.fails) * end[rung];
                pace[rung] * bound.seconds + rest
            })
            .collect();
        after = least(&stay, bound.whole + others);
    }
    climb(&stay, 0, ahead.next.1 + others).1
}

/// The expected growth of iterations, used until two iterations show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    /// The factor by which the nodes grow if the bound grows by one operator.
    pub(crate) factor: f64,
    /// Difference between a bound and the next: 2 if all plans of a state have the same parity.
    pub(crate) step: Cost,
    /// The number of states of the puzzle.
    pub(crate) states: f64,
}

impl Growth {
    /// The expected number of plans of a random state that cost exactly `bound`. Operator strings
    /// that pruning allows are shared out evenly among the states that have their parity.
    fn plans(self, bound: Cost) -> f64 {
        self.over(bound) * f64::from(self.step) / self.states
    }

    /// The factor by which the nodes grow if the bound grows by `operators`.
    fn over(self, operators: Cost) -> f64 {
        self.factor.powi(operators.into())
    }
}

/// An iteration with fewer nodes does not predict the next one.
pub(crate) const MANY: u64 = 10_000;
/// A tolerance: in the search of a single state, nodes often grow by up to this factor more than
/// expected.
const WORSE: f64 = 1.5;

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

    fn of(states: f64) -> Growth {
        Growth { factor: 10.0, step: 1, states }
    }

    /// A search of a puzzle with so many states that only the next bound matters, and it has no
    /// plan.
    fn one_bound(seconds: f64) -> Ahead {
        Ahead {
            next: (9, seconds),
            growth: of(1e30),
            end: Some(10),
            every_plan: false,
            backlog: (0.0, 0.0),
            left: f64::INFINITY,
        }
    }

    /// A rung that halves the nodes is not taken if each of them takes twice as long.
    #[test]
    fn slow_nodes_take_back_what_a_rung_gains() {
        let rungs = |slower: f64| [RUNGS[0], Rung { build: 1.0, gain: 2.0, slower }];
        assert_eq!(soonest(&rungs(1.0), &one_bound(1e3)), 1);
        assert_eq!(soonest(&rungs(2.0), &one_bound(1e3)), 0);
    }

    /// A build is put off as long as the next iteration is short.
    #[test]
    fn a_short_iteration_comes_before_a_build() {
        let rungs = &RUNGS[..2];
        let all = Ahead { growth: of(1e12), end: None, ..one_bound(0.1) };
        let expected: f64 = all.bounds().iter().map(|bound| bound.seconds).sum();
        assert!(expected > 10.0 * rungs[1].build, "{expected}");
        assert_eq!(soonest(rungs, &all), 0);
        assert_eq!(soonest(rungs, &Ahead { next: (10, 1.0), ..all }), 1);
        // States with many plans are solved early in the iteration.
        assert_eq!(soonest(rungs, &Ahead { next: (14, 100.0), ..all }), 0);
        // A known plan that costs as much as the next bound ends the search.
        assert_eq!(soonest(rungs, &Ahead { end: Some(10), next: (10, 1.0), ..all }), 0);
        // All plans of a bound need all of it.
        assert_eq!(soonest(rungs, &Ahead { next: (14, 100.0), every_plan: true, ..all }), 1);
    }

    /// Later states need the table, too. A limit of time makes it useless.
    #[test]
    fn a_backlog_builds_and_a_limit_does_not() {
        let rungs = &RUNGS[..2];
        assert_eq!(soonest(rungs, &one_bound(1.0)), 0);
        let many = Ahead { backlog: (10.0, 1.0), ..one_bound(1.0) };
        assert_eq!(soonest(rungs, &many), 1);
        assert_eq!(soonest(rungs, &one_bound(1e3)), 1);
        assert_eq!(soonest(rungs, &Ahead { left: 6.0, ..one_bound(1e3) }), 0);
        // Within the limit, the larger table reaches further.
        assert_eq!(soonest(rungs, &Ahead { left: 100.0, ..one_bound(1e4) }), 1);
        assert_eq!(soonest(rungs, &Ahead { left: -1.0, ..one_bound(1e4) }), 0);
        // A millisecond does not say that a few later states are long.
        let all = Ahead { growth: of(1e12), end: None, backlog: (3.0, 0.01), ..one_bound(1e-3) };
        assert_eq!(soonest(rungs, &all), 0);
        assert_eq!(soonest(rungs, &Ahead { next: (9, f64::INFINITY), ..all }), 1);
    }

    /// With one rung above, the choice is that by hand: over every number of bounds after which to
    /// climb.
    #[test]
    fn the_choice_is_that_of_a_search_through_all_choices() {
        let ahead = Ahead { growth: of(1e11), end: None, ..one_bound(0.3) };
        let bounds = ahead.bounds();
        let mut choices = [0, 0];
        for build in [0.5, 1.0, 2.0, 3.0, 20.0, 200.0] {
            let rungs = [RUNGS[0], Rung { build, gain: 5.0, slower: 1.0 }];
            let pays = |waits: usize| bounds[waits].whole >= SHORT * build;
            let after = |waits: usize| {
                let (mut likely, mut all) = (1.0, 0.0);
                for (at, bound) in bounds.iter().enumerate() {
                    all += likely * if at == waits { build } else { 0.0 };
                    all += likely * bound.seconds / if at >= waits { 5.0 } else { 1.0 };
                    likely *= bound.fails;
                }
                all
            };
            let later = (1..bounds.len()).filter(|&waits| pays(waits)).map(after);
            let least = later.fold(after(bounds.len()), f64::min);
            let expected = usize::from(pays(0) && after(0) < least);
            assert_eq!(soonest(&rungs, &ahead), expected, "{build}");
            choices[expected] += 1;
        }
        assert!(choices.iter().all(|&many| many > 0), "{choices:?}");
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
        let rungs = (0..24).map(|power| soonest(&RUNGS, &one_bound(f64::from(1 << power) / 16.0)));
        let rungs: Vec<usize> = rungs.collect();
        assert!(rungs.is_sorted(), "{rungs:?}");
        assert_eq!((rungs[0], rungs[23]), (0, RUNGS.len() - 1));
        assert_eq!(soonest(&RUNGS[3..], &one_bound(1e9)), 0);
    }

    fn iteration(bound: Cost, generated: u64) -> Iteration {
        Iteration { bound, generated, expanded: generated, complete: true }
    }

    /// If bounds grow by two, one iteration alone predicts the growth of two operators.
    #[test]
    fn the_next_iteration_is_a_step_of_the_bound_away() {
        let quarter = Growth { factor: 9.37, step: 2, states: 1e19 };
        let one = [iteration(14, 1_000_000)];
        let factor = next_factor(&one, quarter);
        assert!((87.0..89.0).contains(&factor), "{factor}");
        let half = Growth { factor: 13.35, step: 1, states: 1e19 };
        assert!((next_factor(&one, half) - 13.35).abs() < 1e-9);
        // The growth of two iterations replaces the expected one.
        let two = [iteration(12, 20_000), iteration(14, 1_000_000)];
        assert!((next_factor(&two, quarter) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_table_is_worse_if_it_grows_by_more_than_the_steps_allow() {
        let quarter = Growth { factor: 9.37, step: 2, states: 1e19 };
        let grown = |times: u64| [iteration(14, 1_000_000), iteration(16, times * 1_000_000)];
        assert!(!is_worse(&grown(90), quarter) && is_worse(&grown(150), quarter));
    }
}
