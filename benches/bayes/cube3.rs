//! The 3x3x3 with sampled probabilities.

use super::Failure;
use super::measure::Test;
use super::states::{METRIC, metrics, random_cubes, walk};
use fewest::cube::{Cube, Cube3};
use fewest::search::bayes::{Evidence, Observations, Score};
use fewest::search::random::Random;

/// Pseudo-count of the probabilities.
const SMOOTHING: f64 = 1.0;
/// Cubes for each length of a walk.
const CUBES: u64 = 100;
/// States at each distance, from 16 on as estimated (Rokicki and others, cube20.org).
const STATES: [f64; 19] = [
    1.0,
    18.0,
    243.0,
    3240.0,
    43239.0,
    574_908.0,
    7_618_438.0,
    100_803_036.0,
    1_332_343_288.0,
    17_596_479_795.0,
    232_248_063_316.0,
    3_063_288_809_012.0,
    40_374_425_656_248.0,
    531_653_418_284_628.0,
    6_989_320_578_825_358.0,
    91_365_146_187_124_313.0,
    1.1e18,
    1.2e19,
    3.05e19,
];

pub(super) fn results() -> Result<(), Failure> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/puzzles/cube3/observations.json");
    let seen: Observations = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let (domain, metrics) = (Cube3::new(METRIC), metrics()?);
    let sampled = seen.beliefs(SMOOTHING);
    let even = sampled.clone().with_prior(&[1.0; 19]);
    let far = sampled.with_prior(&STATES);
    println!("question,what,look_ahead,solved_percent,mean_length,states");
    let mut sets: Vec<(String, Vec<Cube>)> = Vec::new();
    for length in [2, 4, 6, 8, 10, 12] {
        let cubes = (0..CUBES).map(|seed| walk(length, &mut Random::new(1000 + seed))).collect();
        sets.push((format!("3x3x3-walks-{length}"), cubes));
    }
    let random = random_cubes().into_iter().map(|(cube, _)| cube).collect();
    sets.push(("3x3x3-random".to_owned(), random));
    for (question, states) in &sets {
        let test = Test { question, domain: &domain, metrics: &metrics, states };
        test.climb("home", |values| -f64::from(values[0]));
        test.climb("colours", |values| -f64::from(values[1]));
        test.climb("subgroups", |values| f64::from(values[2]));
        test.believe_in_all_ways("even start", &even);
        for (what, beliefs) in [
            ("even start; half weight", &even.clone().with_weights(&[0.5; 3])),
            ("start as random cubes", &far),
        ] {
            test.believe(what, beliefs, Evidence::Path, Score::Distance);
            test.believe(what, beliefs, Evidence::State, Score::Distance);
        }
    }
    Ok(())
}
