//! The 2x2x2 with exact probabilities.

use super::Failure;
use super::measure::Test;
use fewest::cube::CubeMetric;
use fewest::cube::cube2::{Cube2, Pocket, observe_all, pocket_metrics};
use fewest::pdb::BuildOptions;
use fewest::search::bayes::{Evidence, Score};

/// Pseudo-count of the probabilities.
const SMOOTHING: f64 = 1e-3;

const METRICS: [CubeMetric; 2] = [CubeMetric::HalfTurn, CubeMetric::QuarterTurn];

pub(super) fn results(step: usize) -> Result<(), Failure> {
    let states: Vec<Pocket> = (0..Pocket::COUNT).step_by(step).map(Pocket::unrank).collect();
    println!("question,what,look_ahead,solved_percent,mean_length,states");
    for metric in METRICS {
        let domain = Cube2::new(metric);
        let metrics = pocket_metrics(&domain);
        let beliefs = observe_all(&domain, &metrics, &BuildOptions::default())?.beliefs(SMOOTHING);
        let question = format!("2x2x2-{}", metric.name());
        let test =
            Test { question: &question, domain: &domain, metrics: &metrics, states: &states };
        test.climb("home", |values| -f64::from(values[0]));
        test.climb("colours", |values| -f64::from(values[1]));
        test.climb("twists", |values| f64::from(values[2]));
        test.climb("order", |values| f64::from(values[3]));
        test.climb("twists + order", |values| f64::from(values[2]) + f64::from(values[3]));
        let weighted = |weights: &[f64; 4]| beliefs.clone().with_weights(weights);
        test.believe_in_all_ways("all at half weight", &weighted(&[0.5; 4]));
        if metric == CubeMetric::QuarterTurn {
            continue;
        }
        test.believe_in_all_ways("all", &beliefs);
        for (number, name) in metrics.names().iter().enumerate() {
            let weights = std::array::from_fn(|other| f64::from(u8::from(other == number)));
            test.believe(name, &weighted(&weights), Evidence::Changes, Score::Fall);
            test.believe(name, &weighted(&weights), Evidence::State, Score::Fall);
        }
    }
    Ok(())
}

/// Prints `Pr(D = d)`, `Pr(X = x | D = d)` and the expected distance for each value of each metric.
pub(super) fn beliefs() -> Result<(), Failure> {
    for metric in METRICS {
        let domain = Cube2::new(metric);
        let metrics = pocket_metrics(&domain);
        let seen = observe_all(&domain, &metrics, &BuildOptions::default())?;
        let beliefs = seen.beliefs(0.0);
        println!("{}: distance, states, Pr(D), Pr(X = -1, 0, 1 | D)", metric.name());
        for (d, steps) in beliefs.steps().iter().enumerate() {
            let [fall, stay, rise] = steps;
            let (states, prior) = (seen.states()[d], beliefs.prior()[d]);
            println!("{d:>2} {states:>9} {prior:.6} {fall:.4} {stay:.4} {rise:.4}");
        }
        for (number, name) in metrics.names().iter().enumerate() {
            println!("{name}: value, states, mean distance");
            for (value, counts) in seen.values(number).iter().enumerate() {
                let states: u64 = counts.iter().sum();
                let sum: f64 = counts.iter().enumerate().map(|(d, n)| d as f64 * *n as f64).sum();
                if states > 0 {
                    println!("{value:>2} {states:>9} {:.4}", sum / states as f64);
                }
            }
        }
    }
    Ok(())
}
