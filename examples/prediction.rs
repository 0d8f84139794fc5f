//! Prediction from two small tables: how many nodes will an iteration expand, and how many does it?
//!
//! The formula of Korf, Reid and Edelkamp needs two counts. These are the strings of each length
//! that the pruning keeps, and the states for each value of the heuristic. It gives the mean over
//! all states, for iterations that end without a plan.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::fsm::{Automaton, Keep, learn, sequence_counts};
use fewest::search::predict::Distribution;
use fewest::search::predict::predict_expanded;
use fewest::search::stored::Layers;
use fewest::search::testing::{GapHeuristic, Pancake};
use fewest::search::{Cost, Group, Heuristic, Limits};
use fewest::search::{Options, ida_star};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Pancake::new(8);
    let learned = learn(&domain, 4, Keep::OneOptimal);
    let automaton: Automaton<u32> = Automaton::new(&learned)?.minimized();
    let strings = sequence_counts(&domain, &automaton, 0, 9);
    let strings: Vec<Vec<f64>> = strings.into_iter().map(|count| vec![count as f64]).collect();

    // Every state, and how often each bound occurs among them.
    let (mut states, mut counts) = (Vec::new(), vec![0; 9]);
    let options = Options::default();
    let mut layers = Layers::new(&domain, &[domain.identity()], &options);
    while layers.advance()? > 0 {}
    for layer in 0..layers.sizes().len() {
        layers.for_each(layer, |state| {
            states.push(*state);
            counts[usize::from(GapHeuristic.estimate(&domain, state))] += 1;
        });
    }
    let distributions = [Distribution::from_counts(&counts)];

    // The formula predicts a little too much: it expands goals, too, and all states below them.
    println!("bound  predicted   searched");
    for bound in 3..=8 {
        let expanded: u64 =
            states.iter().map(|state| sweep(&domain, &automaton, state, bound)).sum();
        println!(
            "{bound:>5} {:>10.2} {:>10.2}",
            predict_expanded(&strings, &distributions, usize::from(bound)),
            expanded as f64 / states.len() as f64
        );
    }
    Ok(())
}

/// Nodes of the one iteration with this bound, past all plans that it finds.
fn sweep(domain: &Pancake, automaton: &Automaton<u32>, start: &u64, bound: Cost) -> u64 {
    let limits = Limits { bound: Some(bound), ..Limits::default() };
    let options = Options { limits, lower_bound: bound, plans: usize::MAX, ..Options::default() };
    ida_star(domain, &GapHeuristic, automaton, start, &options).expanded()
}
