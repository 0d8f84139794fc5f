//! Seconds and peak memory of exhaustive searches over groups.
//!
//! `cargo bench -p fewest-pdb --bench exhaust` searches the wreath product of Z3 and S8 under 18
//! operators (88,179,840 elements). The variant `points` takes the points in their order, the
//! variant `blocks` puts a point for each block of three first. Arguments name the variants to run,
//! else it runs both. It panics if a layer has a wrong size.

use fewest_pdb::layers::{ExhaustOptions, bytes_needed, exhaust, residues};
use fewest_pdb::{Abstraction, GroupPattern};
use fewest_pdb::{BuildObserver, BuildOptions};
use groups::testing::{layer_turns, turn_operators};
use groups::{Permutation, Ranking, StabilizerChain};
use search::Cost;
use std::sync::Mutex;
use std::time::Instant;

const LAYERS: [u64; 12] = [
    1, 18, 243, 2874, 28000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616,
    64_736,
];

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let asked = |name: &str| wanted.is_empty() || wanted.iter().any(|arg| arg == name);
    let operators = turn_operators(&layer_turns(2));
    if asked("points") {
        measure("points", 24, &operators, &[]);
    }
    if asked("blocks") {
        let (operators, prefix) = with_blocks(&operators);
        measure("blocks", 24 + prefix.len(), &operators, &prefix);
    }
}

/// Adds a point for each block of three points. Returns the operators on all points, and the points
/// that are added.
fn with_blocks(operators: &[(Permutation, Cost)]) -> (Vec<(Permutation, Cost)>, Vec<u16>) {
    // The block of a point consists of the points that its stabilizer fixes.
    let generators: Vec<_> = operators.iter().map(|(operator, _)| operator.clone()).collect();
    let fixed = |point: u16| {
        let chain = StabilizerChain::new(24, &generators, &[point]).expect("a chain");
        let ranking = Ranking::new(&chain, 1).expect("a ranking");
        assert_eq!(ranking.size(), 24);
        let mut block: Vec<u16> = (0..24)
            .filter(|&other| {
                let pair = StabilizerChain::new(24, &generators, &[point, other]);
                other == point || pair.expect("a chain").orbit_lengths()[1] == 1
            })
            .collect();
        block.sort_unstable();
        block
    };
    let mut blocks: Vec<Vec<u16>> = (0..24).map(fixed).collect();
    blocks.sort();
    blocks.dedup();
    let extend = |operator: &Permutation| {
        let block = |block: &Vec<u16>| {
            let image = operator.image(block[0]);
            24 + u16::try_from(blocks.iter().position(|b| b.contains(&image)).expect("a block"))
                .expect("few")
        };
        let images = operator.images().iter().copied().chain(blocks.iter().map(block));
        Permutation::new(images.collect()).expect("a permutation")
    };
    let operators = operators.iter().map(|(operator, cost)| (extend(operator), *cost)).collect();
    (operators, (24..24 + u16::try_from(blocks.len()).expect("few")).collect())
}

fn measure(name: &str, points: usize, operators: &[(Permutation, Cost)], prefix: &[u16]) {
    let begin = Instant::now();
    let pattern = GroupPattern::of_group(points, operators, prefix).expect("a pattern");
    eprintln!(
        "{name}: {} rows x {} columns in {:.2} s, tables of {:.1} MB, layers in {:.1} MB",
        pattern.rows(),
        pattern.columns(),
        begin.elapsed().as_secs_f64(),
        pattern.bytes() as f64 / 1e6,
        bytes_needed(&pattern).expect("it fits") as f64 / 1e6,
    );
    let clock = Clock(Mutex::new(cpu_seconds()));
    let build = BuildOptions { observer: Some(&clock), ..BuildOptions::default() };
    let options = ExhaustOptions { antipodes: 1, build, ..ExhaustOptions::default() };
    let report = |kind: &str, run: &dyn Fn() -> Vec<u64>| {
        for _ in 0..3 {
            let (begin, cpu) = (Instant::now(), cpu_seconds());
            let layers = run();
            let (wall, cpu) = (begin.elapsed().as_secs_f64(), cpu_seconds() - cpu);
            assert_eq!(layers, LAYERS);
            eprintln!(
                "    {kind}: {wall:.2} s, {cpu:.2} CPU s, {:.1} million states a CPU second, peak of the process {:.1} MB",
                pattern.entries() as f64 / cpu / 1e6,
                peak_kilobytes() / 1e3,
            );
        }
    };
    report("layers", &|| exhaust(&pattern, &options).expect("exhausted").layers);
    let options = ExhaustOptions::default();
    report("residues", &|| residues(&pattern, &options).expect("exhausted").0.layers);
}

/// An observer that prints how long each layer took.
struct Clock(Mutex<f64>);

impl BuildObserver for Clock {
    fn layer(&self, depth: Cost, entries: u64, _: u64, _: u64) {
        let mut since = self.0.lock().expect("alive");
        let now = cpu_seconds();
        eprintln!("        layer {depth}: {entries} entries, {:.2} CPU s", now - *since);
        *since = now;
    }
}

/// CPU time of all threads of the process, in steps of 10 ms; 0 if the operating system does not
/// tell it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Peak resident memory of the process in units of 1000 bytes; 0 if the operating system does not
/// tell it.
fn peak_kilobytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kib.unwrap_or(0.0) * 1.024
}
