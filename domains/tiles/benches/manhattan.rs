//! The generic kernel on the 15-puzzle with Manhattan distance: generated nodes per second.
//!
//! `cargo bench -p fewest-tiles --bench manhattan` searches six instances of Richard Korf (1985), 97.8 million nodes together, and prints
//! the nodes, and of some runs the best and the median rate by processor time. The nodes must be the published ones without the root.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use search::{Heuristic, InversePruning, Options, ida_star};
use std::time::Instant;
use tiles::{KorfTaylor, LinearConflict, Manhattan, Puzzle15};

/// Numbers 2, 35, 73, 74, 77 and 78 of the hundred instances.
const INSTANCES: [&str; 6] = [
    "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
    "1 6 12 14 3 2 15 8 4 5 13 9 0 7 11 10",
    "6 14 10 5 15 8 7 1 3 4 2 0 12 9 11 13",
    "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5",
    "0 13 2 4 12 14 6 9 15 1 10 3 11 5 8 7",
    "3 14 13 6 4 15 8 9 5 12 10 0 2 7 1 11",
];
/// Runs of each configuration.
const RUNS: usize = 7;

/// Seconds that this thread ran on a processor, where the kernel tells; else wall time.
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    run.map_or_else(|| EPOCH.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Where wall time begins.
static EPOCH: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

fn measure<H: Heuristic<Puzzle15>>(name: &str, domain: &Puzzle15, heuristic: &H) {
    let pruning = InversePruning::new(domain);
    let mut rates: Vec<f64> = Vec::new();
    let mut nodes = 0;
    for _ in 0..RUNS {
        let started = seconds();
        nodes = INSTANCES
            .iter()
            .filter_map(|text| domain.parse(text).ok())
            .map(|start| {
                ida_star(domain, heuristic, &pruning, &start, &Options::default()).generated()
            })
            .sum();
        rates.push(nodes as f64 / (seconds() - started) / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    println!(
        "{name}: {nodes} nodes; best {:.1}, median {:.1} million a second",
        rates[RUNS - 1],
        rates[RUNS / 2]
    );
}

fn main() {
    let domain = Puzzle15::new();
    measure("manhattan", &domain, &Manhattan::new(&domain));
    measure("linear conflict", &domain, &LinearConflict::new(&domain));
    if let Ok(heuristic) = KorfTaylor::new(&domain) {
        measure("korf-taylor", &domain, &heuristic);
    }
}
