//! Solves many states, in parallel, and prints one row.

use fewest::search::bayes::{
    BayesSettings, Beliefs, Evidence, LookAhead, Metrics, Score, bayes_greedy, hill_climbing,
};
use fewest::search::{Domain, Limits, Op, Options, Packed, Report};
use rayon::prelude::*;

/// The most operators of a plan.
pub(super) const MOST: u8 = 100;

/// States to solve, and the metrics to solve them with.
pub(super) struct Test<'a, D: Domain> {
    pub(super) question: &'a str,
    pub(super) domain: &'a D,
    pub(super) metrics: &'a Metrics<D::State>,
    pub(super) states: &'a [D::State],
}

impl<D: Packed<State: Sync>> Test<'_, D> {
    fn row(
        &self,
        what: &str,
        look_ahead: LookAhead,
        solve: impl Fn(&D::State, &Options) -> Report + Sync,
    ) {
        let limits = Limits { bound: Some(MOST), ..Limits::default() };
        let length = |start: &D::State| {
            let report = solve(start, &Options { limits: limits.clone(), ..Options::default() });
            let plan: &[Op] = report.plan()?;
            let mut state = start.clone();
            for &op in plan {
                let from = state.clone();
                self.domain.apply_into(&from, op, &mut state);
            }
            assert!(self.domain.is_goal(&state), "{what}: not a plan");
            Some(plan.len())
        };
        let found: Vec<Option<usize>> = self.states.par_iter().map(length).collect();
        let solved: Vec<usize> = found.iter().copied().flatten().collect();
        let mean = solved.iter().sum::<usize>() as f64 / solved.len() as f64;
        let mean = if solved.is_empty() { String::new() } else { format!("{mean:.2}") };
        let percent = 100.0 * solved.len() as f64 / found.len() as f64;
        let look_ahead = if look_ahead == LookAhead::One { 1 } else { 2 };
        println!("{},{what},{look_ahead},{percent:.2},{mean},{}", self.question, found.len());
    }

    /// Climbs by a height, with either look-ahead.
    pub(super) fn climb(&self, what: &str, height: impl Fn(&[u8]) -> f64 + Sync) {
        for look_ahead in [LookAhead::One, LookAhead::Two] {
            self.row(&format!("climbing: {what}"), look_ahead, |state, options| {
                let height = |state: &D::State| height(&self.metrics.read(state));
                hill_climbing(self.domain, height, state, look_ahead, options)
            });
        }
    }

    /// Searches by beliefs, with either look-ahead.
    pub(super) fn believe(&self, what: &str, beliefs: &Beliefs, evidence: Evidence, score: Score) {
        let by = match (evidence, score) {
            (Evidence::Changes, Score::Distance) => "changes; distance",
            (Evidence::Changes, Score::Fall) => "changes; fall",
            (Evidence::Path, Score::Distance) => "path; distance",
            (Evidence::Path, Score::Fall) => "path; fall",
            (Evidence::State, Score::Distance) => "state; distance",
            (Evidence::State, Score::Fall) => "state; fall",
        };
        for look_ahead in [LookAhead::One, LookAhead::Two] {
            let settings = BayesSettings { evidence, score, look_ahead };
            self.row(&format!("{what}; {by}"), look_ahead, |state, options| {
                bayes_greedy(self.domain, self.metrics, beliefs, state, &settings, options)
            });
        }
    }

    /// Searches by beliefs in every way.
    pub(super) fn believe_in_all_ways(&self, what: &str, beliefs: &Beliefs) {
        for evidence in [Evidence::Changes, Evidence::Path, Evidence::State] {
            for score in [Score::Distance, Score::Fall] {
                self.believe(what, beliefs, evidence, score);
            }
        }
    }
}
