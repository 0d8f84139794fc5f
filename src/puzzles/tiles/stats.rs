//! Descriptions of the tables, and predictions of nodes.

use super::TilesPuzzle;
use super::exhaust::counts_boards;
use super::heuristic::Sums;
use super::tables::{is_of_board, spec};
use crate::puzzle::{Failure, Prediction, Result, TableCandidate, TableHistogram, Tell};
use crate::puzzles::configured::{GameStates, GameTables};
use crate::run::Run;
use fsm::{Automaton, Keep};
use rayon::prelude::*;
use search::predict::{Distribution, predict};
use search::random::Random;
use search::{Contexts, Cost};
use tiles::{PatternTable, TableLayout};

/// Number of random boards from which a distribution of heuristic values is sampled.
const SAMPLES: usize = 2_000_000;
/// Seed of these boards.
const SEED: u64 = 1985;
/// Number of boards between two checks of the cancellation.
const SOME: usize = 10_000;

impl TilesPuzzle {
    /// The tables of the heuristic.
    ///
    /// # Errors
    /// If it has none.
    fn sums(&self) -> Result<&Sums> {
        self.game.heuristic.sums().ok_or_else(|| {
            let heuristic = &self.settings.heuristic;
            Failure::refused(format!(
                "{heuristic} has no tables: expected best, pdb:A-B-.. or tables:PARTITIONS"
            ))
        })
    }
}

impl GameTables for TilesPuzzle {
    fn owns(&self, table: &str) -> bool {
        is_of_board(table, self.game.domain.rows(), self.game.domain.columns())
    }

    /// The tables of the heuristic. A table that is also read on the reflected board has two views.
    fn explain(&self, _: &Run<'_>) -> Result<Vec<TableCandidate>> {
        let sums = self.sums()?;
        let views = if sums.reflected && self.game.domain.reflects() { 2 } else { 1 };
        let explained = |pattern| TableCandidate {
            views,
            states: PatternTable::entries_for(pattern, TableLayout::Ranked),
            ..TableCandidate::whole(spec(pattern, sums.layout))
        };
        Ok(sums.patterns.iter().map(explained).collect())
    }

    /// Builds or loads every table of the heuristic.
    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        let Some(sums) = self.game.heuristic.sums() else { return Ok(Vec::new()) };
        self.game.shelf.obtain(run)?;
        let named = |pattern| {
            let spec = spec(pattern, sums.layout);
            (spec.name, spec.payload_bytes)
        };
        Ok(sums.patterns.iter().map(named).collect())
    }

    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        let sums = self.sums()?;
        let tables = self.game.shelf.obtain(run)?;
        let histogram = |table: &std::sync::Arc<PatternTable>| {
            let name = spec(table.pattern(), table.layout()).name;
            TableHistogram::new(name, table.bytes().len() as u64, table.counts(sums.blank))
        };
        Ok(tables.iter().map(histogram).collect())
    }
}

impl GameStates for TilesPuzzle {
    fn counts_all(&self) -> bool {
        counts_boards(&self.game.domain, &self.game.source, self.game.memory)
    }

    fn count_all(
        &self,
        antipodes: usize,
        run: &Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<String>> {
        self.game.count_boards(antipodes, run, tell)
    }

    /// Predicts by the formula of Korf, Reid and Edelkamp, with a sampled distribution of the
    /// heuristic for each square of the blank.
    ///
    /// The prediction for a bound is the mean over the starts whose plans have the parity of the
    /// bound.
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        let domain = &self.game.domain;
        let estimate = self.game.estimator(run)?;
        let automaton = self.automaton(Keep::OneOptimal, run)?;
        predicted((domain, automaton), &|random| domain.random(random), &estimate, bound, run)
    }
}

/// As [`GameStates::predict`] of a board, in any metric. `random` makes a random board, `estimate`
/// computes its bound.
pub(super) fn predicted<D: Contexts<State: Send + Sync>>(
    (domain, automaton): (&D, &Automaton<D::Ops>),
    random_board: &dyn Fn(&mut Random) -> D::State,
    estimate: &(dyn Fn(&D::State) -> Cost + Sync),
    bound: Cost,
    run: &Run<'_>,
) -> Result<Prediction> {
    let mut random = Random::new(SEED);
    let mut counts = vec![vec![0_u64; 256]; domain.contexts()];
    for _ in 0..SAMPLES / SOME {
        if run.request.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let boards: Vec<_> = (0..SOME).map(|_| random_board(&mut random)).collect();
        let bounds: Vec<Cost> = boards.par_iter().map(estimate).collect();
        for (board, h) in boards.iter().zip(bounds) {
            counts[domain.context(board)][usize::from(h)] += 1;
        }
    }
    let distributions: Vec<_> =
        counts.iter().map(|counts| Distribution::from_counts(counts)).collect();
    let depth = usize::from(bound) + 1;
    let mut sequences = Vec::new();
    for start in 0..domain.contexts() {
        let odd = domain.parity(&domain.representative(start));
        sequences.push((odd, fsm::sequences_by_context(domain, automaton, start, depth)));
    }
    let mean = |bound: usize| {
        let of_parity =
            sequences.iter().filter(|(odd, _)| odd.is_none_or(|o| o == (bound % 2 == 1)));
        let nodes: Vec<f64> =
            of_parity.map(|(_, counts)| predict(counts, &distributions, bound)).collect();
        nodes.iter().sum::<f64>() / nodes.len().max(1) as f64
    };
    // The list ends at the first count that does not fit in 128 bits.
    let fits = |nodes: &f64| *nodes < 2_f64.powi(128);
    let nodes: Vec<f64> = (1..=usize::from(bound)).map(mean).take_while(fits).collect();
    Ok(nodes.into())
}
