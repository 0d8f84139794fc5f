//! Breadth-first search: how many states lie at each distance, and where one of them lies.
//!
//! This works for any puzzle that packs its states into a word. Here seven pancakes are sorted by
//! flipping the topmost ones.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::search::stored::{Layers, layer_counts_reversible};
use fewest::search::testing::Pancake;
use fewest::search::{Group, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Pancake::new(7);
    let options = Options::default();

    // If every operator can be undone, counting needs the memory of two layers only.
    for (depth, states) in
        layer_counts_reversible(&domain, &domain.identity(), 10, &options)?.iter().enumerate()
    {
        println!("{depth:>2} {states:>5}");
    }

    // With all layers kept, any state can be looked up.
    let mut layers = Layers::new(&domain, &[domain.identity()], &options);
    while layers.advance()? > 0 {}
    let upside_down = domain.state(&[6, 5, 4, 3, 2, 1, 0]);
    println!("upside down: {:?} flips away", layers.layer_of(&upside_down));
    let farthest = layers.sizes().len() - 1;
    let mut one = None;
    layers.for_each(farthest, |state| one = Some(*state));
    let one = one.ok_or("an empty layer")?;
    let stack: Vec<_> = (0..7).map(|place| Pancake::pancake(one, place)).collect();
    println!("one of the farthest, topmost pancake first: {stack:?}");
    Ok(())
}
