//! Seconds to build the stabilizer chain of the `n`x`n`x`n` cube's layers: `cargo bench -p
//! fewest-groups --bench chains`.

use fewest_groups::StabilizerChain;
use fewest_groups::testing::layer_turns;
use std::time::Instant;

fn main() {
    for n in [2, 3, 4, 7, 12, 20] {
        let turns = layer_turns(n);
        let points = turns[0].points();
        let begin = Instant::now();
        let chain = StabilizerChain::new(points, &turns, &[]).expect("a chain");
        let seconds = begin.elapsed().as_secs_f64();
        let base = chain.base().len();
        let digits = chain.order().to_string().len();
        eprintln!(
            "chain: {points} points, base of {base}, order of {digits} digits: {seconds:.3} s"
        );
    }
}
