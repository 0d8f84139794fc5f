//! Uniformly random boards that stay the same for the same seed in every release.

use crate::domain::{Board, Tiles};
use crate::word::Word;

/// A stream of random integers and boards: that of [`search::random`].
#[derive(Clone, Debug)]
pub struct Random(search::random::Random);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(search::random::Random::new(seed))
    }

    /// As [`search::random::Random::below`].
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.below(end)
    }

    /// A board from which a plan leads to the goal, each with the same probability.
    ///
    /// The numbers of the goal are shuffled; if that cannot be solved, the first two tiles are exchanged, which takes the boards that
    /// cannot be solved to those that can, one to one.
    pub fn board<W: Word, const ROWS: usize, const COLS: usize>(
        &mut self,
        domain: &Tiles<W, ROWS, COLS>,
    ) -> Board<W> {
        let mut numbers = domain.numbers(&domain.goal());
        self.0.shuffle(&mut numbers);
        domain.board(&numbers).unwrap_or_else(|_| {
            let tiles: Vec<usize> = (0..numbers.len()).filter(|&i| numbers[i] != 0).collect();
            numbers.swap(tiles[0], tiles[1]);
            domain.board(&numbers).unwrap_or(domain.goal())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Puzzle3, Puzzle15, Puzzle24, Puzzle35};

    #[test]
    fn a_seed_gives_the_same_boards_in_every_release() {
        let domain = Puzzle15::new();
        let mut random = Random::new(0);
        assert_eq!(domain.text(&random.board(&domain)), "6 15 12 5 11 0 9 13 2 1 7 4 3 8 10 14");
        let domain = Puzzle24::new();
        let expected = "20 9 8 11 21 23 1 6 3 5 15 18 19 2 0 14 12 24 13 7 16 10 17 4 22";
        assert_eq!(domain.text(&Random::new(u64::MAX).board(&domain)), expected);
    }

    #[test]
    fn every_solvable_board_is_equally_likely() {
        let domain = Puzzle3::new();
        let mut random = Random::new(7);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..12_000 {
            *counts.entry(domain.text(&random.board(&domain))).or_insert(0_u32) += 1;
        }
        // Expected 1,000 each, standard deviation 30: nothing is six of them away.
        assert_eq!(counts.len(), 12);
        assert!(counts.values().all(|count| count.abs_diff(1000) < 180), "{counts:?}");
    }

    #[test]
    fn tiles_are_everywhere_equally_often() {
        let domain = Puzzle35::new();
        let mut random = Random::new(1);
        let mut counts = [[0_u32; 36]; 36];
        for _ in 0..36_000 {
            for (square, number) in domain.numbers(&random.board(&domain)).into_iter().enumerate() {
                counts[square][usize::from(number)] += 1;
            }
        }
        assert!(counts.iter().flatten().all(|count| count.abs_diff(1000) < 190));
    }
}
