//! A heuristic that nobody wrote: small searches learn distances of pairs and triples of pieces.
//!
//! The puzzle is the 8-puzzle. Any domain will do whose operators move one piece each.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use distances::LearnedDistances;
use search::{Heuristic, InversePruning, Options, Zero, ida_star};
use tiles::Puzzle8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Puzzle8::new();
    let start = domain.parse("8 7 6 5 4 3 2 1 0")?;
    let pruning = InversePruning;

    let singles = LearnedDistances::singles(&domain, &[domain.goal()])?;
    let pairs = LearnedDistances::pairs(&domain, &[domain.goal()], None)?;
    let triples = LearnedDistances::triples(&domain, &[domain.goal()], None)?;
    for excess in pairs.excesses().iter().take(3) {
        println!(
            "pieces {:?} on places {:?} cost {} more together",
            excess.features(),
            excess.places(),
            excess.cost()
        );
    }

    println!("none      bound {:>2}", Zero.estimate(&domain, &start));
    for (name, heuristic) in [("singles", &singles), ("pairs", &pairs), ("triples", &triples)] {
        let report = ida_star(&domain, heuristic, &pruning, &start, &Options::default());
        println!(
            "{name:<9} bound {:>2}, {} moves, {:>7} nodes, {:>6} bytes",
            heuristic.estimate(&domain, &start),
            report.lower_bound,
            report.generated(),
            heuristic.bytes()
        );
    }
    Ok(())
}
