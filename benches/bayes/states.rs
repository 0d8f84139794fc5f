//! Cubes of known and unknown distances, and the metrics that look at them.

use super::Failure;
use fewest::cube::instances::RANDOM;
use fewest::cube::notation::parse_state;
use fewest::cube::two_phase::TwoPhase;
use fewest::cube::{Cube, Cube3, CubeMetric, cube_metrics};
use fewest::pdb::BuildOptions;
use fewest::search::bayes::Metrics;
use fewest::search::random::Random;
use fewest::search::{Domain, Op};
use std::sync::Arc;

pub(super) const METRIC: CubeMetric = CubeMetric::HalfTurn;

pub(super) fn metrics() -> Result<Metrics<Cube>, Failure> {
    Ok(cube_metrics(Arc::new(TwoPhase::build(METRIC, &BuildOptions::default())?)))
}

/// The hundred random cubes of docs/RANDOM_CUBES.md, with their distances.
pub(super) fn random_cubes() -> Vec<(Cube, u8)> {
    let numbered = RANDOM.lines().filter(|line| !line.starts_with('#'));
    let cubes = numbered.filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let cube = parse_state(words.next()?).ok()?;
        Some((cube, words.next()?.parse().ok()?))
    });
    cubes.collect()
}

/// A walk of this many random turns, of which no two follow each other about one axis.
pub(super) fn walk(length: usize, random: &mut Random) -> Cube {
    let domain = Cube3::new(METRIC);
    let (mut cube, mut axis, mut to) = (Cube::SOLVED, 3, Cube::SOLVED);
    for _ in 0..length {
        let op = loop {
            let op = random.index(domain.operators());
            if op / 3 % 3 != axis {
                break op;
            }
        };
        axis = op / 3 % 3;
        domain.apply_into(&cube, Op::new(op), &mut to);
        cube = to;
    }
    cube
}
