//! The whole 2x2x2: how many states have each distance in both metrics, and a walk home from one of
//! the farthest.
//!
//! `cargo run --release --example two_by_two`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use cube::CubeMetric;
use cube::cube2::{Cube2, Pocket, PocketAbstraction, PocketFacelets, joint_counts};
use fewest::{cube, pdb};
use pdb::{BuildOptions, DescentWalk, Modulo3};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let joint = joint_counts(&BuildOptions::default())?;
    let elapsed = started.elapsed();
    println!("Rows: quarter turns, 0 to 14. Columns: half turns, 0 to 11.");
    for (quarter, row) in joint.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|count| format!("{count:>8}")).collect();
        println!("{quarter:>2}: {}", cells.concat());
    }
    let cells =
        || (0..).zip(&joint).flat_map(|(q, row)| (0..).zip(row).map(move |(h, n)| (q, h, n)));
    let mean = |sum: u64| sum as f64 / f64::from(Pocket::COUNT);
    let half = mean(cells().map(|(_, half, count): (u64, u64, _)| half * count).sum());
    let quarter = mean(cells().map(|(quarter, _, count): (u64, u64, _)| quarter * count).sum());
    println!("Mean {half:.6} half turns, {quarter:.6} quarter turns ({elapsed:.2?})");

    // Two bits for each state are enough to find the way home from every state.
    let (domain, whole) =
        (Cube2::new(CubeMetric::QuarterTurn), PocketAbstraction::new(CubeMetric::QuarterTurn));
    let started = Instant::now();
    let table = Modulo3::build(&whole, &BuildOptions::default())?;
    println!("A table of {} bytes ({:.2?})", table.bytes().len(), started.elapsed());
    let walk = DescentWalk::new(&domain, whole, table)?;
    let plans =
        (0..Pocket::COUNT).map(Pocket::unrank).map(|pocket| (pocket, walk.plan(&domain, &pocket)));
    let far =
        plans.filter_map(|(pocket, plan)| Some((pocket, plan?))).find(|(_, plan)| plan.len() == 14);
    let (pocket, plan) = far.ok_or("no state is 14 quarter turns away")?;
    let names: Vec<String> = plan.iter().map(|&op| domain.name(op)).collect();
    println!("{}: {}", PocketFacelets::from(&pocket), names.join(" "));
    Ok(())
}
