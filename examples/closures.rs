//! A search from closures: three jugs hold 8, 5 and 3 litres, and the first is full. What are the
//! fewest pourings that leave 4 litres in each of two jugs?
//!
//! `idastar` takes the arguments of `pathfinding::idastar`. `ClosureSearch` adds limits and
//! tells the bound that it proved.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::closures::{ClosureError, ClosureSearch, idastar};
use fewest::search::{Limits, Outcome};
use std::time::Duration;

type Jugs = [u8; 3];

const SIZES: Jugs = [8, 5, 3];

/// The states after each pouring, with its cost. A pouring ends when one jug is empty or the other
/// is full.
fn pourings(jugs: &Jugs) -> Vec<(Jugs, u32)> {
    let pairs = (0..3).flat_map(|from| (0..3).map(move |to| (from, to)));
    let pour = |(from, to): (usize, usize)| {
        let litres = jugs[from].min(SIZES[to] - jugs[to]);
        let mut next = *jugs;
        next[from] -= litres;
        next[to] += litres;
        (from != to && litres > 0).then_some((next, 1))
    };
    pairs.filter_map(pour).collect()
}

/// A lower bound: one pouring is needed if the first jug does not hold 4 litres.
fn estimate(jugs: &Jugs) -> u32 {
    u32::from(jugs[0] != 4)
}

fn main() -> Result<(), ClosureError> {
    let start = [8, 0, 0];
    if let Some((states, cost)) = idastar(&start, pourings, estimate, |jugs| *jugs == [4, 4, 0])? {
        println!("{cost} pourings, no fewer: {states:?}");
    }

    // Five and four litres are more than there is, so there is no plan. The search proves that
    // within its limits.
    let limits =
        Limits { nodes: Some(1_000_000), time: Some(Duration::from_secs(10)), ..Limits::default() };
    let search = ClosureSearch::new(&start, pourings, estimate, |jugs| *jugs == [5, 4, 0]);
    let report = search.limits(limits).ida_star()?.report;
    match report.outcome {
        Outcome::Unsolvable => println!("no way, {} states expanded", report.expanded()),
        other => println!("{other:?}: at least {} pourings", report.lower_bound),
    }
    Ok(())
}
