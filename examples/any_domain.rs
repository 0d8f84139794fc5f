//! Plans for any domain, without a proof: 60 pancakes, and then the same plan from a long walk.
//!
//! `cargo run --release --example any_domain`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::anytime::{BeamSearch, near_plan};
use fewest::search::random::Random;
use fewest::search::{Cost, Domain, Estimate, Op, OpSet};

/// A stack of pancakes, topmost first. Operator `i` flips the topmost `i + 2` pancakes.
struct Pancakes;

const SIZE: u8 = 60;

impl Domain for Pancakes {
    type State = Vec<u8>;
    type Ops = u64;
    fn operators(&self) -> usize {
        usize::from(SIZE) - 1
    }
    fn applicable(&self, _: &Vec<u8>) -> u64 {
        u64::first(self.operators())
    }
    fn apply_into(&self, from: &Vec<u8>, op: Op, to: &mut Vec<u8>) {
        to.clone_from(from);
        to[..op.index() + 2].reverse();
    }
    fn is_goal(&self, stack: &Vec<u8>) -> bool {
        stack.is_sorted()
    }
}

/// The neighbours that differ by more than one: a flip mends at most one of these gaps.
fn gaps(stack: &[u8]) -> Cost {
    let neighbours = stack.iter().zip(stack[1..].iter().chain([&SIZE]));
    let gaps = neighbours.filter(|(a, b)| a.abs_diff(**b) != 1).count();
    Cost::try_from(gaps).unwrap_or(Cost::MAX)
}

fn main() {
    let mut random = Random::new(1);
    let mut stack: Vec<u8> = (0..SIZE).collect();
    let mut walk: Vec<Op> = Vec::new();
    for _ in 0..500 {
        let op = Op::new(random.index(Pancakes.operators()));
        stack[..op.index() + 2].reverse();
        walk.push(op);
    }
    println!("{} gaps, so no plan has fewer flips", gaps(&stack));
    let heuristic = Estimate(|stack: &Vec<u8>| gaps(stack));
    let beams = BeamSearch::new(&Pancakes, &heuristic, 1 << 28);
    beams.improve(&stack, 3_000_000, &|| false, &mut |plan| {
        println!("a plan of {} flips", plan.len());
    });
    // The walk backwards is a plan, too.
    walk.reverse();
    let (plan, nodes) = near_plan(&Pancakes, &stack, &walk, (3_000_000, 100_000), &|| false);
    println!("{} of the {} flips of the walk are left, {nodes} nodes", plan.len(), walk.len());
}
