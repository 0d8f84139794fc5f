//! The two-phase search on random cubes: plan lengths and times within a limit of nodes.
//!
//! `cargo bench -p fewest-cube --bench two_phase -- [CUBES [NODES]]`.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use fewest_cube::two_phase::TwoPhase;
use fewest_cube::{Cube, CubeMetric, FaceletCube, Facelets};
use pdb::BuildOptions;
use search::random::Random;
use search::{Limits, Options, plan};
use std::time::Instant;

/// Seed of the random cubes.
const SEED: u64 = 1;

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse().ok());
    let cubes = numbers.next().unwrap_or(1000);
    let nodes = numbers.next().unwrap_or(2_000_000);
    for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
        let started = Instant::now();
        let two_phase = TwoPhase::build(metric, &BuildOptions::default()).expect("built");
        let build = started.elapsed();
        println!("{}: {} bytes of tables in {build:.2?}", metric.name(), TwoPhase::bytes());
        measure(metric, &two_phase, cubes, nodes);
    }
}

fn measure(metric: CubeMetric, two_phase: &TwoPhase, cubes: u64, nodes: u64) {
    let (mut random, reference) = (Random::new(SEED), FaceletCube::new(metric));
    let (mut lengths, mut times, mut generated) = (vec![0; 64], Vec::new(), 0);
    for _ in 0..cubes {
        let cube = Cube::random(&mut random);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let started = Instant::now();
        let report = two_phase.search(&cube, &Options { limits, ..Options::default() });
        times.push(started.elapsed().as_secs_f64() * 1e3);
        generated += report.generated();
        let length = report.plan().map_or(63, |plan| plan.len());
        lengths[length] += 1;
        if let Some(plan) = report.plan() {
            plan::validate(&reference, &Facelets::from(&cube), plan).expect("a plan");
        }
    }
    let sum: usize = lengths.iter().enumerate().map(|(length, count)| length * count).sum();
    for (length, count) in lengths.iter().enumerate().filter(|(_, count)| **count > 0) {
        println!("  {length} moves: {count}");
    }
    let total: f64 = times.iter().sum();
    println!(
        "  mean {:.3} moves; {:.1} ms, at most {:.1}; {:.1} ns a node",
        sum as f64 / cubes as f64,
        total / cubes as f64,
        times.iter().copied().fold(0.0, f64::max),
        total * 1e6 / generated as f64
    );
}
