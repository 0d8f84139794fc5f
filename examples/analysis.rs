//! A ladder of tables of the 2x2x2: what is predicted for each without a search, and what searches
//! take. "Nodes times memory is the number of states" (Korf 1997) holds within a small factor.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::cube::{CubeMetric, cube2::Cube2, cube2::Pocket, cube2::PocketAbstraction};
use fewest::fsm::{Automaton, Keep, branching_factor, learn, sequence_counts};
use fewest::search::predict::{self, ConditionalSampler, Distribution};
use fewest::search::{Cost, Estimate, Limits, Options, ida_star, random::Random};

const BOUND: Cost = 7;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Cube2::new(CubeMetric::HalfTurn);
    let whole = PocketAbstraction::new(CubeMetric::HalfTurn);
    let exact = fewest::pdb::build::<4>(&whole, &fewest::pdb::BuildOptions::default())?;
    let automaton: Automaton<u32> = Automaton::new(&learn(&domain, 2, Keep::OneOptimal))?;
    let branching = branching_factor(&domain, &automaton);
    let strings = sequence_counts(&domain, &automaton, 0, usize::from(BOUND) + 1).into_iter();
    let strings: Vec<Vec<f64>> = strings.map(|count| vec![count as f64]).collect();
    let depth = exact.histogram().mean();
    let mut random = Random::new(1997);
    let mut states = |n| (0..n).map(|_| Pocket::random(&mut random).normalised()).collect();
    let (starts, samples): (Vec<Pocket>, Vec<Pocket>) = (states(300), states(30_000));
    let limits = Limits { bound: Some(BOUND), ..Limits::default() };
    let solving = Options::default();
    let sweeping = Options { limits, lower_bound: BOUND, plans: usize::MAX, ..solving.clone() };
    println!("b = {branching:.3}, d = {depth:.3}; nodes to solve, and of the iteration {BOUND}");
    println!("entries    mean saved      n/m  b^(d-e)  b^(d-s)   solved  formula by types sweep");
    // The table of some corners has the least distance of all states that agree in them.
    for kept in 1..=6 {
        let key = |pocket: &Pocket| -> usize {
            let place = |slot| 3 * slot + usize::from(pocket.twist(slot));
            let kept = (0..8).filter(|&slot| pocket.corner(slot) < kept);
            kept.map(|slot| place(slot) * 24_usize.pow(pocket.corner(slot).into())).sum()
        };
        let mut least = vec![Cost::MAX; 24_usize.pow(kept.into())];
        for rank in 0..Pocket::COUNT {
            let entry = &mut least[key(&Pocket::unrank(rank))];
            *entry = exact.get(rank.into()).min(*entry);
        }
        let mut counts = [0; 12];
        least.iter().filter(|&&h| h < Cost::MAX).for_each(|&h| counts[usize::from(h)] += 1);
        let (table, entries) = (Distribution::from_counts(&counts), counts.iter().sum::<u64>());
        let h = Estimate(|pocket: &Pocket| least[key(pocket)]);
        let mut sampler = ConditionalSampler::new(&domain, &h, &automaton, 1);
        sampler.add_starts(samples.iter().copied());
        let [solved, searched] = [&solving, &sweeping].map(|options| {
            let nodes = |start| ida_star(&domain, &h, &automaton, start, options).generated();
            starts.iter().map(nodes).sum::<u64>() as f64 / starts.len() as f64
        });
        let (mean, saved) = (table.mean(), table.saved_depth(branching));
        let by = |e| predict::predict_by_mean(branching, depth, e);
        let by_entries = predict::predict_by_entries(Pocket::COUNT.into(), entries.into());
        let formula = predict::predict(&strings, &[table], BOUND.into());
        let conditional = sampler.finish().predict(0, BOUND).generated;
        let nodes = [by_entries, by(mean), by(saved), solved, formula, conditional, searched];
        let nodes: String = nodes.iter().map(|nodes| format!("{nodes:>9.0}")).collect();
        println!("{entries:>9} {mean:>5.2} {saved:>5.2}{nodes}");
    }
    Ok(())
}
