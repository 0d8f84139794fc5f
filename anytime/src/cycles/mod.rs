//! Plans from cheap cycles of three places: [`Cycles`].

mod defects;
mod insert;
mod places;
mod problem;
mod seam;
mod skeleton;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use problem::{Cycles, Round};

use rayon::prelude::*;
use skeleton::Skeleton;

/// The steps for each word of the first round. Each round has four times as many.
const STEPS: u64 = 400_000;

/// The words that are annealed in a round. Cycles are put into each.
const WORDS: u64 = 2;

/// The words of a seed before those of the next.
const SEED_STEP: u64 = 1 << 32;

/// The width of the beam that puts cycles into the words of the first round. Each round has twice
/// as many, up to the most.
const WIDTH: usize = 10;
const MOST_WIDTH: usize = 160;

impl Cycles {
    /// A round of words and cycles. Later rounds are longer. The same for any number of threads,
    /// unless `stop` is true.
    ///
    /// `images` are the points where the pieces lie.
    pub(crate) fn search(
        &self,
        images: &[u16],
        (seed, round): (u64, u32),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Round {
        let steps = STEPS << (2 * round).min(20);
        let width = (WIDTH << round.min(10)).min(MOST_WIDTH);
        // A seed has as many words as it has rounds, and no other seed has them.
        let first = seed.wrapping_mul(SEED_STEP).wrapping_add(u64::from(round) * WORDS);
        let seeds = (0..WORDS).map(|word| first.wrapping_add(word));
        let seeds: Vec<u64> = seeds.collect();
        let rounds = seeds.into_par_iter().map(|seed| {
            let word = Skeleton::new(self, images, seed).anneal(steps, stop);
            let Some(word) = word else { return Round { plan: None, nodes: steps } };
            let mut ends = images.to_vec();
            for op in &word {
                let moves = self.images_of(Some(*op));
                ends.iter_mut().for_each(|point| *point = moves[usize::from(*point)]);
            }
            let Round { plan, nodes } = insert::insert(self, word, ends, width, stop);
            Round { plan, nodes: nodes + steps }
        });
        let rounds: Vec<Round> = rounds.collect();
        let nodes = rounds.iter().map(|round| round.nodes).sum();
        let plans = rounds.into_iter().filter_map(|round| round.plan);
        let plan = plans.min_by_key(|plan| self.generators.cost_of(plan));
        Round { plan, nodes }
    }
}
