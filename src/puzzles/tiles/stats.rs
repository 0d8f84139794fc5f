//! Histograms of tables and predictions of nodes.

use super::TilesPuzzle;
use super::choice::Choice;
use super::sizes::Size;
use super::tables::spec;
use crate::puzzle::{Failure, Job, Refused, TableHistogram};
use fsm::Keep;
use search::random::Random;
use search::{Contexts, Cost, Distribution, Domain, predict};
use tiles::{Board, BoardWord, Tiles};

/// Uniformly random boards of a sampled distribution, and their seed.
const SAMPLES: usize = 2_000_000;
/// Boards between two looks whether the work is cancelled.
const SOME: usize = 10_000;
const SEED: u64 = 1985;

impl<W: BoardWord, const ROWS: usize, const COLS: usize> TilesPuzzle<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    /// Why no table is told of.
    pub(super) fn without_tables(&self) -> Failure {
        let heuristic = &self.settings.heuristic;
        let message =
            format!("{heuristic} has no tables: expected best, pdb:A-B-.. or tables:PARTITIONS");
        Refused(message).into()
    }

    pub(super) fn table_histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        let Choice::Tables(sums) = &self.choice else { return Err(self.without_tables()) };
        let tables = self.shelf.obtain(sums, job)?;
        let histogram = |table: &std::sync::Arc<tiles::PatternTable>| {
            let name = spec(table.pattern(), table.layout()).name;
            TableHistogram::new(name, table.bytes().len() as u64, table.counts(sums.blank))
        };
        Ok(tables.iter().map(histogram).collect())
    }

    /// Korf, Reid and Edelkamp's formula with a distribution for each square of the blank, sampled, and the mean over all starts whose plans have
    /// the parity of the bound.
    pub(super) fn predict_nodes(&self, bound: Cost, job: &Job<'_>) -> Result<Vec<f64>, Failure> {
        let mut random = Random::new(SEED);
        let mut boards = Vec::with_capacity(SAMPLES);
        while boards.len() < SAMPLES {
            if job.cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            boards.extend((0..SOME).map(|_| self.domain.random(&mut random)));
        }
        let estimates = self.estimates(&boards, job)?;
        let mut counts = vec![vec![0_u64; 256]; self.domain.contexts()];
        for (board, h) in boards.iter().zip(estimates) {
            counts[self.domain.context(board)][usize::from(h)] += 1;
        }
        let distributions: Vec<_> =
            counts.iter().map(|counts| Distribution::from_counts(counts)).collect();
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        let depth = usize::from(bound) + 1;
        let starts = 0..self.domain.contexts();
        let parity =
            |start: usize| self.domain.parity(&self.domain.representative(start)).unwrap_or(false);
        let sequences: Vec<_> = starts
            .map(|start| {
                (parity(start), fsm::sequences_by_context(&self.domain, &automaton, start, depth))
            })
            .collect();
        let mean = |bound: usize| {
            let of_parity = sequences.iter().filter(|(odd, _)| usize::from(*odd) == bound % 2);
            let nodes: Vec<f64> =
                of_parity.map(|(_, counts)| predict(counts, &distributions, bound)).collect();
            nodes.iter().sum::<f64>() / nodes.len().max(1) as f64
        };
        // The caller is told how many fit.
        let fits = |nodes: &f64| *nodes < 2_f64.powi(128);
        Ok((1..=usize::from(bound)).map(mean).take_while(fits).collect())
    }
}
