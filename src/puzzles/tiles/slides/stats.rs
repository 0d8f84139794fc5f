//! Tables, counts of all boards, and predictions of nodes for slides.

use super::SlidesPuzzle;
use super::heuristic::SlideHeuristic;
use crate::puzzle::{Failure, Prediction, Result, TableCandidate, TableHistogram, Tell};
use crate::puzzles::configured::{GameStates, GameTables};
use crate::puzzles::tiles::exhaust::{BoardCount, counts_boards};
use crate::puzzles::tiles::stats::predicted;
use crate::puzzles::tiles::tables::{is_of_board, slide_spec};
use crate::run::Run;
use fsm::Keep;
use search::{Cost, Heuristic};
use tiles::{AllBoards, SlideLines};

impl GameTables for SlidesPuzzle {
    fn owns(&self, table: &str) -> bool {
        is_of_board(table, self.game.tiles().rows(), self.game.tiles().columns())
    }

    fn explain(&self, _: &Run<'_>) -> Result<Vec<TableCandidate>> {
        let views = if self.game.tiles().reflects() { 2 } else { 1 };
        let patterns = self.game.heuristic.patterns().iter();
        Ok(patterns
            .map(|pattern| TableCandidate { views, ..TableCandidate::whole(slide_spec(pattern)) })
            .collect())
    }

    /// Builds or loads every table of the heuristic.
    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        self.game.shelf.obtain(run)?;
        let named = |pattern| {
            let spec = slide_spec(pattern);
            (spec.name, spec.payload_bytes)
        };
        Ok(self.game.heuristic.patterns().iter().map(named).collect())
    }

    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        let tables = self.game.shelf.obtain(run)?;
        if tables.is_empty() {
            return Err(Failure::refused(
                "manhattan has no tables: expected best or tables:PATTERNS",
            ));
        }
        let histogram = |(pattern, table): &(_, pdb::PackedTable)| {
            let counts = table.histogram().counts;
            TableHistogram::new(slide_spec(pattern).name, table.bytes().len() as u64, counts)
        };
        Ok(tables.iter().map(histogram).collect())
    }
}

impl GameStates for SlidesPuzzle {
    fn counts_all(&self) -> bool {
        counts_boards(self.game.tiles(), &self.game.source, self.game.memory)
    }

    fn count_all(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        let (boards, metric) = (AllBoards::of_slides(&self.game.domain), "-mtm");
        let count = BoardCount { tiles: self.game.tiles(), boards, metric };
        count.tell(&self.game.source, self.game.memory, antipodes, run, tell)
    }

    /// Predicts by the formula of Korf, Reid and Edelkamp, as for single tiles.
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        let domain = &self.game.domain;
        let tables = self.game.tables_of(domain, run)?;
        let estimate = |board: &_| match self.game.heuristic {
            SlideHeuristic::Lines => SlideLines.estimate(domain, board),
            SlideHeuristic::Tables(_) => tables.estimate(domain, board),
        };
        let automaton = self.automaton(Keep::OneOptimal, run)?;
        let random = |random: &mut _| domain.tiles().random(random);
        predicted((domain, automaton), &random, &estimate, bound, run)
    }
}
