//! `fewest predict`: nodes of complete iterations, before searching.

use super::args::{Parts, Predict};
use super::output::{Output, grouped};
use super::progress::Meter;
use super::{Error, Exit};
use fewest::{Failure, Job};
use search::CancelToken;
use serde_json::json;

pub(super) fn run(verb: &Predict, cancel: CancelToken) -> Result<Exit, Error> {
    let guided = &verb.guided;
    let parts = Parts { pruning: Some(&verb.pruning), ..guided.parts() };
    let puzzle = parts.configure(&guided.puzzle)?;
    let meter = Meter::new(&guided.progress);
    let predicted = puzzle.predict(verb.bound, &Job { cancel, watch: &meter, ..Job::default() })?;
    meter.clear();
    let fit = predicted.len() >= usize::from(verb.bound);
    let mut output = Output::new(guided.output.format);
    for (bound, generated) in (1..=verb.bound).zip(predicted) {
        // Nodes are whole; a share of a node is no news.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a prediction is positive and below 2^128"
        )]
        let generated = generated.round() as u128;
        let number: serde_json::Number =
            generated.to_string().parse().expect("digits are a number");
        output.line(
            || json!({"bound": bound, "generated": number}),
            || format!("bound {bound}: {} nodes", grouped(generated)),
        )?;
    }
    if !fit {
        let message = "the counts of further bounds pass 128 bits".to_owned();
        return Err(Failure::Limit(message).into());
    }
    Ok(meter.exit())
}
