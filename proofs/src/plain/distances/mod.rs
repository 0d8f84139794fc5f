//! The distance of every state of a puzzle, in a file that an independent program checks:
//! [`StateNumbers`] and [`StateDistances`].

mod board;
mod chain;
mod ranks;
mod search;
#[cfg(test)]
mod tests;
mod words;

pub use chain::ChainLevel;
pub use search::{DistanceFault, DistanceStep};

use super::puzzle::{PlainError, PlainPuzzle, line};
use ::search::CancelToken;
use board::BoardRanks;
use chain::ChainRanks;
use search::{Bytes, search};
use std::fmt::Write as _;
use std::io::{self, Write};
use words::WordRanks;

/// A number for each state of a puzzle.
pub struct StateNumbers {
    puzzle: PlainPuzzle,
    levels: Vec<ChainLevel>,
    entries: usize,
    ranks: AnyRanks,
}

enum AnyRanks {
    Board(BoardRanks),
    Chain(ChainRanks),
    Words(WordRanks),
}

impl std::fmt::Debug for StateNumbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StateNumbers").field("entries", &self.entries).finish_non_exhaustive()
    }
}

/// The distance of each state from the goal.
#[derive(Debug)]
pub struct StateDistances {
    numbers: StateNumbers,
    bytes: Bytes,
    counts: Vec<u64>,
}

impl StateNumbers {
    /// Numbers for all boards, or for all arrangements of the pieces. Some may have no plan.
    ///
    /// # Errors
    /// If there are too many.
    pub fn new(puzzle: PlainPuzzle) -> Result<Self, PlainError> {
        let many = || PlainError::new("there are too many states to number them");
        let (ranks, entries) = match &puzzle {
            PlainPuzzle::Board { rows, columns, moves, goal } => {
                let entries = BoardRanks::entries(goal.len()).ok_or_else(many)?;
                let ranks = BoardRanks::new((*rows, *columns), moves.clone(), goal);
                (AnyRanks::Board(ranks), entries)
            }
            PlainPuzzle::Blocks { blocks, moves, goal } => {
                let (ranks, entries) = WordRanks::new(blocks, moves, goal).ok_or_else(many)?;
                (AnyRanks::Words(ranks), entries)
            }
        };
        Ok(Self { puzzle, levels: Vec::new(), entries, ranks })
    }

    /// Numbers for the states that moves reach, from a stabilizer chain of the group of the moves.
    ///
    /// # Errors
    /// - The puzzle is a board, or some pieces look alike.
    /// - A coset is no permutation of the points, or two send the point of the level to one.
    /// - There are too many states.
    pub fn of_chain(puzzle: PlainPuzzle, levels: Vec<ChainLevel>) -> Result<Self, PlainError> {
        let PlainPuzzle::Blocks { moves, goal, .. } = &puzzle else {
            return Err(PlainError::new("levels: expected a puzzle of pieces"));
        };
        if !puzzle.is_distinct() {
            return Err(PlainError::new("levels: expected pieces that all look different"));
        }
        let entries = ChainRanks::entries(&levels);
        let entries = entries.ok_or_else(|| PlainError::new("there are too many states"))?;
        let ranks = AnyRanks::Chain(ChainRanks::new(goal.len(), moves, &levels)?);
        Ok(Self { puzzle, levels, entries, ranks })
    }

    /// The number of numbers: the bytes that a search takes, and about those of the file.
    pub fn entries(&self) -> u64 {
        self.entries as u64
    }

    /// Finds the distance of each state, by a search from the goal backwards. `tell` receives each
    /// step of progress.
    ///
    /// Time: about 0.1 microseconds for each state and move. Memory: a byte for each number.
    ///
    /// # Errors
    /// - The caller cancels.
    /// - A distance is above 254.
    /// - A move leads to a state without a number: the chain is that of another group.
    pub fn search(
        self,
        cancel: &CancelToken,
        tell: &(dyn Fn(DistanceStep) + Sync),
    ) -> Result<StateDistances, DistanceFault> {
        let (bytes, counts) = match &self.ranks {
            AnyRanks::Board(ranks) => search(ranks, self.entries, cancel, tell),
            AnyRanks::Chain(ranks) => search(ranks, self.entries, cancel, tell),
            AnyRanks::Words(ranks) => search(ranks, self.entries, cancel, tell),
        }?;
        Ok(StateDistances { numbers: self, bytes, counts })
    }
}

impl StateDistances {
    /// How many states have distance 0, 1 and so on, to the last.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of numbers: how many bytes the file has after its lines.
    pub fn entries(&self) -> u64 {
        self.numbers.entries()
    }

    /// Writes the file. `about` are remarks to readers, a line each.
    ///
    /// # Errors
    /// Those of `out`, and if the caller cancels.
    pub fn write(
        &self,
        about: &[String],
        out: &mut dyn Write,
        cancel: &CancelToken,
    ) -> io::Result<()> {
        let mut text = "fewest-distances 1\n".to_owned();
        for remark in about {
            // A remark is one line, whatever a definition calls its puzzle.
            let words: Vec<&str> = remark.split_whitespace().collect();
            text += &format!("about {}\n", words.join(" "));
        }
        text += &self.numbers.puzzle.to_string();
        for level in &self.numbers.levels {
            text += &format!("level {} {}\n", level.point, level.cosets.len());
            level.cosets.iter().for_each(|coset| text += &line("coset", coset));
        }
        text += "counts";
        for count in &self.counts {
            // Writing to a text does not fail.
            let _ = write!(text, " {count}");
        }
        text += &format!("\nentries {}\n", self.numbers.entries);
        out.write_all(text.as_bytes())?;
        self.bytes.parts().try_for_each(|part| {
            if cancel.is_cancelled() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            out.write_all(&part)
        })
    }
}
