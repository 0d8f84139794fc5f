//! Plans from cheap cycles of three places: [`Cycles`].

mod defects;
mod insert;
mod orbits;
mod places;
mod problem;
mod saved;
mod seam;
mod skeleton;
mod table;
#[cfg(test)]
mod tests;

pub use orbits::orbit_plan;
pub(crate) use problem::{Cycles, Round};

use rayon::prelude::*;
use search::random::Random;
use skeleton::Skeleton;

/// The steps for each word of the first round. Each round has four times as many.
const STEPS: u64 = 400_000;

/// The words that are annealed in a round. Cycles are put into each.
const WORDS: u64 = 2;

/// The width of the beam that puts cycles into the words of the first round. Each round has twice
/// as many, up to the most.
const WIDTH: usize = 10;
const MOST_WIDTH: usize = 160;

impl Cycles {
    /// A round of words and cycles. Later rounds are longer, but half of the `left` nodes goes into
    /// annealing at the most. The same for any number of threads, unless `stop` is true.
    ///
    /// `images` are the points where the pieces lie.
    pub(crate) fn search(
        &self,
        images: &[u16],
        (seed, round, left): (u64, u32, u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Round {
        let most = STEPS << (2 * round).min(20);
        let steps = most.min(left / WORDS / 2 + 1);
        let is_cut = steps < most;
        let width = (WIDTH << round.min(10)).min(MOST_WIDTH);
        let mut random = Random::new(seed);
        let mut seeds: Vec<u64> = Vec::new();
        for _ in 0..=round {
            seeds = (0..WORDS).map(|_| random.below(u64::MAX)).collect();
        }
        let rounds = seeds.into_par_iter().map(|seed| {
            let (word, steps) = Skeleton::new(self, images, seed).anneal(steps, stop);
            let Some(word) = word else { return Round { nodes: steps, ..Round::default() } };
            let ends = self.generators.after(images, &word);
            let round = insert::insert(self, word, ends, width, stop);
            Round { nodes: round.nodes + steps, ..round }
        });
        let rounds: Vec<Round> = rounds.collect();
        let nodes = rounds.iter().map(|round| round.nodes).sum();
        let plans = rounds.into_iter().filter_map(|round| round.plan);
        let plan = plans.min_by_key(|plan| self.generators.cost_of(plan));
        Round { plan, nodes, is_cut }
    }
}
