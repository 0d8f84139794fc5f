//! Seconds and peak memory of table builds, for tables with the shapes of real ones.
//!
//! `cargo bench -p fewest-pdb --bench build` builds each table three times. It prints the median
//! and the least seconds, the size of the table, and the peak resident memory. It also prints the
//! histogram, which must not change. Arguments name the tables to build, else it builds all:
//!
//! - `short`: 665,280 rows of 64 columns;
//! - `long`: 40,320 rows of 2,187 columns;
//! - `single`: 3,991,680 rows of one column.

use fewest_pdb::testing::{DiscPattern, Ring, Whole};
use fewest_pdb::{Abstraction, BuildOptions, build};
use std::time::Instant;

fn main() {
    let short = DiscPattern::new(Ring::new(12, 2, 6), 6);
    let one_column = DiscPattern::new(Ring::new(12, 1, 6), 7);
    let long = Whole::new(Ring::new(8, 3, 6));
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let asked = |name: &str| wanted.is_empty() || wanted.iter().any(|arg| arg == name);
    if asked("short") {
        measure("short", &short);
    }
    if asked("long") {
        measure("long", &long);
    }
    if asked("single") {
        measure("single", &one_column);
    }
}

fn measure(name: &str, abstraction: &dyn Abstraction) {
    let mut seconds = Vec::new();
    let mut signature = String::new();
    let mut size = 0;
    for _ in 0..3 {
        let begin = Instant::now();
        let table = build::<4>(abstraction, &BuildOptions::default()).expect("fits four bits");
        seconds.push(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let histogram = table.histogram();
        let counting = begin.elapsed().as_secs_f64();
        size = table.bytes().len();
        signature = format!(
            "{:?} unreached {} mean {:.4} (counted in {counting:.3} s)",
            histogram.counts,
            histogram.unreached,
            histogram.mean()
        );
    }
    seconds.sort_by(f64::total_cmp);
    eprintln!(
        "{name}: {} rows x {} columns: {:.2} s (least {:.2}), table {:.1} MB, peak of the process {:.1} MB\n    {signature}",
        abstraction.rows(),
        abstraction.columns(),
        seconds[1],
        seconds[0],
        size as f64 / 1e6,
        peak_kilobytes() / 1e3,
    );
}

/// Peak resident memory of the process in units of 1000 bytes; 0 if the operating system does not
/// tell it.
fn peak_kilobytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kib.unwrap_or(0.0) * 1.024
}
