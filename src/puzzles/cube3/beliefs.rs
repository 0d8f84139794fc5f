//! What metrics of a cube say about its distance, from stored observations.

use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::solvers::BayesModel;
use cube::two_phase::TwoPhase;
use cube::{Cube, CubeMetric, cube_metrics};
use search::bayes::{BayesSettings, Evidence, LookAhead, Observations, Score};
use std::sync::Arc;

/// Observations of cubes in half turns, labelled by optimal search. `cargo bench --bench bayes --
/// learn` makes them.
const OBSERVATIONS: &str = include_str!("observations.json");

/// What solves most cubes: see docs/MEASUREMENTS.md.
pub(super) const SETTINGS: BayesSettings =
    BayesSettings { evidence: Evidence::State, score: Score::Distance, look_ahead: LookAhead::Two };

/// The metrics and the probabilities. Builds the tables of the two-phase search.
pub(super) fn learned(metric: CubeMetric, run: &Run<'_>) -> Result<BayesModel<Cube>> {
    if metric != CubeMetric::HalfTurn {
        return Err(Failure::refused(
            "the solver bayes knows the 3x3x3 in half turns only: expected the metric htm",
        ));
    }
    let two_phase = run.build("two-phase", |options| TwoPhase::build(metric, options))?;
    let metrics = cube_metrics(Arc::new(two_phase));
    let seen: Observations = serde_json::from_str(OBSERVATIONS).expect("written by the example");
    // A state of the user may be near or far.
    let beliefs = seen.beliefs(1.0).with_prior(&vec![1.0; seen.states().len()]);
    Ok((metrics, beliefs))
}
