//! Learning: the operator strings that a smaller string replaces, and the automaton that cuts them.
//!
//! Prints a drawing for Graphviz:
//! `cargo run --example learn_automaton | dot -Tsvg -o automaton.svg`.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::fsm::{Automaton, Keep, branching_factor, learn, sequence_counts};
use fewest::search::testing::Pancake;
use fewest::search::{Domain, Op};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Pancake::new(5);
    let name = |op: Op| format!("flip {}", op.index() + 2);

    let learned = learn(&domain, 3, Keep::OneOptimal);
    for string in learned.strings() {
        eprintln!(
            "forbidden: {}",
            string.iter().map(|&op| name(op)).collect::<Vec<_>>().join(", ")
        );
    }

    let whole: Automaton<u32> = Automaton::new(&learned)?;
    let least = whole.minimized();
    eprintln!("{} states, {} when minimised", whole.states(), least.states());
    eprintln!(
        "branching factor {:.4}, without pruning {}",
        branching_factor(&domain, &least),
        domain.operators()
    );
    eprintln!("strings by length: {:?}", sequence_counts(&domain, &least, 0, 7));

    println!("{}", least.to_dot(name));
    Ok(())
}
