//! A plan for any group of permutations, without a proof: a ring of 24 beads and two ways to turn.
//!
//! `cargo run --release --example any_group`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::anytime::{Effort, Generators, Pieces, Planner, WordChain};
use fewest::groups::{Permutation, StabilizerChain};
use fewest::search::random::Random;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // All beads move on by one place, or four neighbours are reversed.
    let ring: Vec<u16> = (0..24).collect();
    let turn = Permutation::from_cycles(24, &[&ring])?;
    let flip = Permutation::from_cycles(24, &[&[0, 3], &[1, 2]])?;
    let operators = vec![(turn.clone(), 1), (turn.inverse(), 1), (flip.clone(), 1)];
    let generators = Generators::new(24, operators, &|| false)?;
    let chain = WordChain::new(generators, Pieces::of_points(24), Effort::default(), &|| false)?;

    let group = StabilizerChain::new(24, &[turn, flip], &[])?;
    let mut random = Random::new(1);
    let state = group.random(|below| random.below(below));
    println!("one of {} states: bead i lies at place {:?}", group.order(), state.images());
    let planner = Planner::new(&chain, 1 << 28);
    planner.improve(state.images(), 3_000_000, &|| false, &mut |_, plan| {
        println!("a plan of {} operators", plan.len());
    });
    Ok(())
}
