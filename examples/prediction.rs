//! Prediction: how many nodes each iteration will generate, from tables alone, and how many it does.
//!
//! The formula of Korf, Reid and Edelkamp needs two things: how many strings of each length the pruning lets through,
//! and how often the heuristic takes each value. It foretells the mean over all start states.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::fsm::{Automaton, Keep, learn, sequence_counts};
use fewest::search::testing::{Gap, Pancake};
use fewest::search::{CancelToken, Cost, Distribution, Group, Heuristic, Layers, Limits};
use fewest::search::{Options, ida_star, predict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Pancake::new(9);
    let learned = learn(&domain, 4, Keep::OneOptimal, &CancelToken::new())?;
    let automaton: Automaton<u32> = Automaton::new(&learned)?.minimized();

    // Every state once: its bound for the distribution, and one in a thousand as a start.
    let (mut counts, mut starts, mut seen) = (vec![0; 10], Vec::new(), 0);
    let options = Options::default();
    let mut layers = Layers::new(&domain, &[domain.identity()], &options);
    while layers.advance()? > 0 {}
    for layer in 0..layers.sizes().len() {
        layers.for_each(layer, |state| {
            counts[usize::from(Gap.estimate(&domain, state))] += 1;
            seen += 1;
            if seen % 1000 == 0 {
                starts.push(*state);
            }
        });
    }
    let distributions = [Distribution::from_counts(&counts)];
    let strings = sequence_counts(&domain, &automaton, 0, 12).ok_or("too many strings")?;
    let strings: Vec<Vec<f64>> = strings.into_iter().map(|count| vec![count as f64]).collect();

    println!("bound  predicted   searched");
    for bound in 4..=10 {
        // One complete iteration with this bound from every start, whether it holds plans or not.
        let generated: u64 =
            starts.iter().map(|start| sweep(&domain, &automaton, start, bound)).sum();
        println!(
            "{bound:>5} {:>10.1} {:>10.1}",
            predict(&strings, &distributions, usize::from(bound)) - 1.0,
            generated as f64 / starts.len() as f64
        );
    }
    Ok(())
}

fn sweep(domain: &Pancake, automaton: &Automaton<u32>, start: &u64, bound: Cost) -> u64 {
    let limits = Limits { bound: Some(bound), ..Limits::default() };
    let options = Options { limits, lower_bound: bound, plans: usize::MAX, ..Options::default() };
    ida_star(domain, &Gap, automaton, start, &options).generated()
}
