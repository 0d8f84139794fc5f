//! Uniformly random boards. A seed gives the same boards in every release.

use crate::board::domain::{Board, Tiles};
use crate::board::word::BoardWord;
use search::random::Random;

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// A random solvable board. Each has the same probability.
    ///
    /// The numbers of the goal are shuffled. If the result cannot be solved, the first two tiles
    /// are exchanged. That exchange maps the unsolvable boards one to one to the solvable ones.
    pub fn random(&self, random: &mut Random) -> Board<W> {
        let mut numbers = self.numbers(&self.goal());
        random.shuffle(&mut numbers);
        self.board(&numbers).unwrap_or_else(|_| {
            let tiles: Vec<usize> = (0..numbers.len()).filter(|&i| numbers[i] != 0).collect();
            numbers.swap(tiles[0], tiles[1]);
            self.board(&numbers).expect("one exchange changes the parity")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::domain::{Puzzle3, Puzzle15, Puzzle24, Puzzle35};

    #[test]
    fn a_seed_gives_the_same_boards_in_every_release() {
        let domain = Puzzle15::new();
        let mut random = Random::new(0);
        assert_eq!(
            domain.text(&domain.random(&mut random)),
            "6 15 12 5 11 0 9 13 2 1 7 4 3 8 10 14"
        );
        let domain = Puzzle24::new();
        let expected = "20 9 8 11 21 23 1 6 3 5 15 18 19 2 0 14 12 24 13 7 16 10 17 4 22";
        assert_eq!(domain.text(&domain.random(&mut Random::new(u64::MAX))), expected);
    }

    #[test]
    fn every_solvable_board_is_equally_likely() {
        let domain = Puzzle3::new();
        let mut random = Random::new(7);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..12_000 {
            *counts.entry(domain.text(&domain.random(&mut random))).or_insert(0_u32) += 1;
        }
        // Each is expected 1,000 times, with a standard deviation of 30. All are within six
        // standard deviations.
        assert_eq!(counts.len(), 12);
        assert!(counts.values().all(|count| count.abs_diff(1000) < 180), "{counts:?}");
    }

    #[test]
    fn tiles_are_everywhere_equally_often() {
        let domain = Puzzle35::new();
        let mut random = Random::new(1);
        let mut counts = [[0_u32; 36]; 36];
        for _ in 0..36_000 {
            for (square, number) in
                domain.numbers(&domain.random(&mut random)).into_iter().enumerate()
            {
                counts[square][usize::from(number)] += 1;
            }
        }
        assert!(counts.iter().flatten().all(|count| count.abs_diff(1000) < 190));
    }
}
