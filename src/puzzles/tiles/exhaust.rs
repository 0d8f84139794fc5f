//! Counts all boards that reach the goal.

use super::TilesGame;
use super::names::own_name;
use crate::puzzle::{Failure, Result, Tell, TooLittleMemory};
use crate::run::Run;
use pdb::layers::bytes_needed;
use serde_json::json;
use tiles::AllBoards;

impl TilesGame {
    /// Whether two bits for each board fit the memory, or there is a folder for them.
    pub(super) fn counts_boards(&self) -> bool {
        let bytes = AllBoards::entries_of(&self.domain).map(|boards| boards / 4);
        bytes.is_some_and(|bytes| bytes <= self.memory || self.source.has_disk())
    }

    /// Counts all boards by their distance, and returns some of the farthest.
    pub(super) fn count_boards(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        let domain = &self.domain;
        if self.allowed.is_some() {
            return Err(Failure::refused(
                "all boards are counted with all moves: leave out --moves",
            ));
        }
        let name = own_name(domain.rows(), domain.columns());
        let boards = AllBoards::new(domain).ok_or_else(|| {
            Failure::refused(format_args!(
                "{name} has too many boards: expected 16 squares or fewer"
            ))
        })?;
        let goal = domain.numbers(&domain.goal());
        let description = json!({"abstraction": "sliding tiles: all boards", "goal": goal,
                                 "rows": domain.rows(), "columns": domain.columns()});
        let goals: Vec<_> = goal.iter().map(ToString::to_string).collect();
        let of = format!("{name}-boards-{}", goals.join("."));
        let found = self.source.exhaust(&boards, (&of, &description), antipodes, run)?;
        let found = found.ok_or_else(|| {
            let needed = bytes_needed(&boards).unwrap_or(u64::MAX);
            TooLittleMemory::new("the count in memory (--disk needs less)", needed, self.memory)
        })?;
        found.layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count.into()));
        Ok(found.antipodes.iter().map(|&entry| domain.text(&boards.board(entry))).collect())
    }
}
