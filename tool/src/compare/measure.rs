//! Predicted and searched nodes side by side, and means with their standard errors.

use super::super::predict::whole;
use fewest::search::Cost;
use fewest::{Answer, Chart, Ending, Failure, Puzzle, Request};
use serde::Serialize;
use serde_json::{Value, json};

/// Predicts the nodes of each bound, for one heuristic.
pub(super) struct Forecast<'a> {
    pub(super) puzzle: &'a dyn Puzzle,
    /// The nodes of bounds 1, 2, ..
    nodes: Vec<f64>,
    /// Whether no more can be predicted.
    ended: bool,
}

impl<'a> Forecast<'a> {
    /// Without `predicts`, nothing is predicted.
    pub(super) fn new(puzzle: &'a dyn Puzzle, predicts: bool) -> Self {
        Self { puzzle, nodes: Vec::new(), ended: !predicts }
    }

    /// Predicts up to this bound, if that is possible.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(super) fn reach(&mut self, bound: Cost, request: &Request<'_>) -> Result<(), Failure> {
        if self.ended || self.nodes.len() >= usize::from(bound) || request.cancel.is_cancelled() {
            return Ok(());
        }
        // Bounds of later instances are cheap to predict now.
        let far = bound.saturating_add(bound / 2);
        let predicted = self.puzzle.predicting().map(|predicting| predicting.predict(far, request));
        match predicted {
            Some(Ok(predicted)) => self.nodes = predicted.generated,
            Some(Err(failure)) if failure.is_cancelled() => return Err(failure),
            _ => {}
        }
        self.ended = self.nodes.len() < usize::from(far);
        Ok(())
    }

    fn nodes(&self, bound: Cost) -> Option<f64> {
        usize::from(bound).checked_sub(1).and_then(|at| self.nodes.get(at)).copied()
    }
}

/// An iteration, with what was predicted for it.
#[derive(Serialize)]
pub(super) struct Compared {
    pub(super) bound: Cost,
    pub(super) generated: u64,
    expanded: u64,
    pub(super) complete: bool,
    #[serde(serialize_with = "nodes")]
    pub(super) predicted: Option<f64>,
    /// Predicted nodes divided by searched nodes, if the iteration is complete.
    ratio: Option<f64>,
}

/// The figures of one search, which show how good its method is.
#[derive(Serialize)]
pub(super) struct Measure {
    /// The first bound: the heuristic's value of the instance, raised to the parity of its plans.
    /// `None` for solvers other than the optimal search.
    pub(super) root_h: Option<Cost>,
    /// Generated nodes of the complete iterations.
    pub(super) searched: u64,
    /// The nodes that were predicted for these iterations.
    #[serde(serialize_with = "nodes")]
    pub(super) predicted: Option<f64>,
    /// Predicted nodes divided by searched nodes.
    pub(super) ratio: Option<f64>,
    pub(super) iterations: Vec<Compared>,
}

/// Writes predicted nodes as a whole number.
fn nodes<S: serde::Serializer>(nodes: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    nodes.map(whole).serialize(serializer)
}

impl Measure {
    pub(super) fn new(answer: &Answer, forecast: &Forecast<'_>, is_optimal: bool) -> Self {
        let compared = |iteration: &fewest::search::Iteration| {
            let fewest::search::Iteration { bound, generated, expanded, complete } = *iteration;
            let predicted = forecast.nodes(bound);
            let ratio = ratio(predicted.filter(|_| complete), generated);
            Compared { bound, generated, expanded, complete, predicted, ratio }
        };
        let iterations: Vec<Compared> = answer.iterations.iter().map(compared).collect();
        let complete = || iterations.iter().filter(|iteration| iteration.complete);
        let searched = complete().map(|iteration| iteration.generated).sum();
        // None, if one of them has no prediction.
        let predicted: Option<f64> = complete().map(|iteration| iteration.predicted).sum();
        let predicted = predicted.filter(|_| complete().next().is_some());
        let first = || iterations.first().map_or(answer.lower_bound, |first| first.bound);
        let root_h = is_optimal.then(first);
        Self { root_h, searched, predicted, ratio: ratio(predicted, searched), iterations }
    }

    /// A row for each iteration.
    pub(super) fn iterations(&self) -> impl Iterator<Item = Value> {
        self.iterations.iter().map(|iteration| json!(iteration))
    }
}

fn ratio(predicted: Option<f64>, searched: u64) -> Option<f64> {
    predicted.filter(|_| searched > 0).map(|predicted| predicted / searched as f64)
}

/// The nodes of complete iterations, searched and predicted, summed by bound.
#[derive(Default)]
pub(super) struct ByBound {
    searched: Vec<(f64, u32)>,
    predicted: Vec<(f64, u32)>,
}

impl ByBound {
    pub(super) fn add(&mut self, measure: &Measure) {
        let add = |sums: &mut Vec<(f64, u32)>, bound: Cost, nodes: f64| {
            let bound = usize::from(bound);
            if sums.len() <= bound {
                sums.resize(bound + 1, (0.0, 0));
            }
            sums[bound].0 += nodes;
            sums[bound].1 += 1;
        };
        for iteration in measure.iterations.iter().filter(|iteration| iteration.complete) {
            add(&mut self.searched, iteration.bound, iteration.generated as f64);
            if let Some(predicted) = iteration.predicted {
                add(&mut self.predicted, iteration.bound, predicted);
            }
        }
    }

    /// The chart with the means of this method, searched and predicted.
    pub(super) fn draw(&self, chart: Chart, method: &str) -> Chart {
        let means = |sums: &[(f64, u32)]| -> Vec<f64> {
            sums.iter().map(|&(sum, count)| sum / f64::from(count.max(1))).collect()
        };
        let chart = chart.with_heights(method, means(&self.searched));
        match self.predicted.is_empty() {
            true => chart,
            false => chart.with_heights(format!("{method}, predicted"), means(&self.predicted)),
        }
    }
}

/// Values of one quantity.
#[derive(Default)]
pub(super) struct Sample(Vec<f64>);

impl Sample {
    /// The mean. `None` without values.
    pub(super) fn mean(&self) -> Option<f64> {
        let n = self.0.len();
        (n > 0).then(|| self.0.iter().sum::<f64>() / n as f64)
    }

    /// The standard error of the mean. `None` for fewer than two values.
    pub(super) fn error(&self) -> Option<f64> {
        let (n, mean) = (self.0.len() as f64, self.mean()?);
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        (n >= 2.0).then(|| (squares / (n - 1.0) / n).sqrt())
    }
}

/// The searches of one method: how many, and their figures. `root_h` is of all instances, the
/// other samples are of solved ones.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) instances: usize,
    pub(super) solved: usize,
    pub(super) root_h: Sample,
    pub(super) length: Sample,
    pub(super) generated: Sample,
    pub(super) ratio: Sample,
    pub(super) seconds: Sample,
}

impl Sums {
    pub(super) fn add(&mut self, answer: &Answer, measure: &Measure) {
        self.root_h.0.extend(measure.root_h.map(f64::from));
        let plan = answer.plans.first().filter(|_| answer.ending == Ending::Solved);
        let Some(plan) = plan else { return };
        self.solved += 1;
        self.length.0.push(plan.len() as f64);
        self.generated.0.push(answer.generated() as f64);
        self.seconds.0.push(answer.elapsed.as_secs_f64());
        self.ratio.0.extend(measure.ratio);
    }

    pub(super) fn as_json(&self) -> Value {
        let mut line = json!({"type": "summary",
                              "instances": self.instances, "solved": self.solved});
        for (name, sample) in [
            ("root_h", &self.root_h),
            ("length", &self.length),
            ("generated", &self.generated),
            ("ratio", &self.ratio),
            ("seconds", &self.seconds),
        ] {
            line[name] = json!(sample.mean());
            line[format!("{name}_error")] = json!(sample.error());
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standard_error_needs_two_values() {
        let sample = |values: &[f64]| Sample(values.to_vec());
        assert_eq!((sample(&[]).mean(), sample(&[]).error()), (None, None));
        assert_eq!((sample(&[3.0]).mean(), sample(&[3.0]).error()), (Some(3.0), None));
        let two = sample(&[1.0, 3.0]);
        assert_eq!((two.mean(), two.error()), (Some(2.0), Some(1.0)));
    }
}
