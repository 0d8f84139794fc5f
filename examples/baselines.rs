//! The algorithms side by side on one instance: what each finds, generates and expands.
//!
//! A*, uniform-cost, greedy and bidirectional search store every state that they generate.
//! Depth-first searches store one path, a perimeter the states near the goal, and Schroeppel-Shamir
//! lists of a quarter of the plan.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::search::stored::{
    FromStart, Perimeter, a_star, bidirectional, greedy_best_first, schroeppel_shamir,
    uniform_cost, weighted_a_star,
};
use fewest::search::testing::{GapHeuristic, Pancake};
use fewest::search::{Group, InversePruning, Options, Report, Zero, depth_first, ida_star};

fn main() {
    let domain = Pancake::new(9);
    let start = domain.state(&[4, 7, 0, 5, 2, 8, 1, 6, 3]);
    let options = Options::default();
    let pruning = InversePruning;
    let (goal, back) = (domain.identity(), FromStart { heuristic: GapHeuristic, start });
    let near = Perimeter::new(&domain, &[goal], Zero, 4, &options).expect("no limits");
    let runs: [(&str, Report); 10] = [
        ("IDA*", ida_star(&domain, &GapHeuristic, &pruning, &start, &options)),
        ("A*", a_star(&domain, &GapHeuristic, &start, &options)),
        ("weighted A*, 1.5", weighted_a_star(&domain, &GapHeuristic, 1.5, &start, &options)),
        ("bidirectional", bidirectional(&domain, &GapHeuristic, &back, &start, &goal, &options)),
        ("greedy best-first", greedy_best_first(&domain, &GapHeuristic, &start, &options)),
        ("uniform cost", uniform_cost(&domain, &start, &options)),
        ("the same, both ends", bidirectional(&domain, &Zero, &Zero, &start, &goal, &options)),
        ("Schroeppel-Shamir", schroeppel_shamir(&domain, &start, &options)),
        ("perimeter of 4", ida_star(&domain, &near, &pruning, &start, &options)),
        ("depth-first deepening", depth_first(&domain, &pruning, &start, &options)),
    ];
    println!("{:<22} {:>5} {:>8} {:>10} {:>10}", "", "flips", "optimal", "generated", "expanded");
    for (name, report) in runs {
        println!(
            "{name:<22} {:>5} {:>8} {:>10} {:>10}",
            report.plan().map_or(0, |plan| plan.len()),
            report.optimal,
            report.generated(),
            report.expanded()
        );
    }
}
