//! Code that the 3x3x3 and the 2x2x2 share: metrics, and depths of learned automata.

use crate::settings::{MetricChoice, Settings};
use cube::CubeMetric;

/// The metric of a cube. [default: half turns]
pub(super) fn metric(settings: &Settings) -> CubeMetric {
    match settings.turn_metric() {
        MetricChoice::HalfTurn => CubeMetric::HalfTurn,
        MetricChoice::QuarterTurn => CubeMetric::QuarterTurn,
    }
}

/// Depth of the learned automaton. With this depth, counts of operator sequences equal those that
/// Korf published.
pub(super) fn depth(metric: CubeMetric) -> usize {
    match metric {
        CubeMetric::HalfTurn => 2,
        CubeMetric::QuarterTurn => 3,
    }
}
