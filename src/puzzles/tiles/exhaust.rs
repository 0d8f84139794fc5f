//! Counts all boards that reach the goal.

use super::TilesGame;
use super::names::own_name;
use crate::puzzle::{Failure, Result, Tell, TooLittleMemory};
use crate::run::Run;
use crate::tables::TableSource;
use pdb::layers::bytes_needed;
use serde_json::json;
use tiles::{AllBoards, AnyTiles};

/// Whether two bits for each board fit the memory, or there is a folder for them.
pub(super) fn counts_boards(tiles: &AnyTiles, source: &TableSource, memory: u64) -> bool {
    let bytes = AllBoards::entries_of(tiles).map(|boards| boards / 4);
    bytes.is_some_and(|bytes| bytes <= memory || source.has_disk())
}

impl TilesGame {
    /// Counts all boards by their distance, and returns some of the farthest.
    pub(super) fn count_boards(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        if self.allowed.is_some() {
            return Err(Failure::refused(
                "all boards are counted with all moves: leave out --moves",
            ));
        }
        let (tiles, boards) = (&self.domain, AllBoards::new(&self.domain));
        let count = BoardCount { tiles, boards, metric: "" };
        count.tell(&self.source, self.memory, antipodes, run, tell)
    }
}

/// A count of all boards.
pub(super) struct BoardCount<'a> {
    pub(super) tiles: &'a AnyTiles,
    /// `None` if the board has too many squares.
    pub(super) boards: Option<AllBoards>,
    /// What tells the metric in the names of files.
    pub(super) metric: &'a str,
}

impl BoardCount<'_> {
    /// Counts all boards by their distance, and returns some of the farthest.
    pub(super) fn tell(
        self,
        source: &TableSource,
        memory: u64,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        let Self { tiles, boards, metric } = self;
        let name = own_name(tiles.rows(), tiles.columns());
        let boards = boards.ok_or_else(|| {
            Failure::refused(format_args!(
                "{name} has too many boards: expected 16 squares or fewer"
            ))
        })?;
        let goal = tiles.numbers(&tiles.goal());
        let goals: Vec<_> = goal.iter().map(ToString::to_string).collect();
        let description = json!({"abstraction": format!("sliding tiles: all boards{metric}"),
                                 "goal": goal, "rows": tiles.rows(), "columns": tiles.columns()});
        let of = format!("{name}{metric}-boards-{}", goals.join("."));
        let found = source.exhaust(&boards, (&of, &description), antipodes, run)?;
        let found = found.ok_or_else(|| {
            let needed = bytes_needed(&boards).unwrap_or(u64::MAX);
            TooLittleMemory::new("the count in memory (--disk needs less)", needed, memory)
        })?;
        found.layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count.into()));
        Ok(found.antipodes.iter().map(|&entry| tiles.text(&boards.board(entry))).collect())
    }
}
