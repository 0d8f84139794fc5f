//! The lines of `compare` for people.

use super::super::predict::{whole, why_incomplete};
use super::measure::{Measure, Sample, Sums};
use fewest::{Answer, Ending, grouped, moves};
use std::fmt::Write;

/// A search: its figures, then a line for each iteration.
pub(super) fn search(method: &str, instance: &str, answer: &Answer, measure: &Measure) -> String {
    let ended = match (answer.ending, answer.plans.first()) {
        (Ending::Solved, Some(plan)) => moves(plan.len()),
        (Ending::Unsolvable, _) => "no plan exists".to_owned(),
        (Ending::Cancelled, _) => format!("cancelled, at least {}", answer.lower_bound),
        _ => format!("limit reached, at least {}", answer.lower_bound),
    };
    let nodes = grouped(answer.generated());
    let seconds = answer.elapsed.as_secs_f64();
    let root = measure.root_h.map_or_else(String::new, |root_h| format!("root h {root_h}, "));
    let mut text = format!("{method}, {instance}: {root}{ended}, {nodes} nodes, {seconds:.2} s");
    for iteration in &measure.iterations {
        let nodes = grouped(iteration.generated);
        let _ = write!(text, "\n  bound {:>3}: {nodes:>15} nodes", iteration.bound);
        if !iteration.complete {
            let _ = write!(text, " ({})", why_incomplete(answer.ending));
        } else if let Some(predicted) = iteration.predicted {
            let _ = write!(text, ", predicted {:>15}", grouped(whole(predicted)));
        }
    }
    text
}

/// The means of a method.
pub(super) fn summary(method: &str, sums: &Sums) -> String {
    let mut text = format!("{method}: {} of {} solved", sums.solved, sums.instances);
    for (name, sample, digits) in [
        ("root h", &sums.root_h, 2),
        ("length", &sums.length, 2),
        ("nodes", &sums.generated, 0),
        ("predicted by searched", &sums.ratio, 3),
        ("seconds", &sums.seconds, 3),
    ] {
        if let Some(mean) = mean(sample, digits) {
            let _ = write!(text, "\n  {name}: {mean}");
        }
    }
    text
}

/// A mean and its standard error.
fn mean(sample: &Sample, digits: usize) -> Option<String> {
    let number = |value: f64| match digits {
        0 => grouped(whole(value)),
        _ => format!("{value:.digits$}"),
    };
    let mean = number(sample.mean()?);
    Some(sample.error().map_or(mean.clone(), |error| format!("{mean} ± {}", number(error))))
}
