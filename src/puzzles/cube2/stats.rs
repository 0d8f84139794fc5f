//! The histogram of the table, and predictions of nodes.

use super::{Choice, TwoByTwo};
use crate::puzzle::{Failure, Job, Refused, TableHistogram};
use cube::cube2::{Pocket, PocketManhattan};
use fsm::Keep;
use search::{Cost, Distribution, Heuristic, predict};

/// Why no table is told of.
pub(super) fn without_tables() -> Failure {
    Refused("manhattan has no tables: expected the heuristic table or best".to_owned()).into()
}

impl TwoByTwo {
    pub(super) fn table_histogram(&self, job: &Job<'_>) -> Result<TableHistogram, Failure> {
        if self.choice == Choice::Manhattan {
            return Err(without_tables());
        }
        let walk = self.walk(job)?;
        let name = Self::spec(walk.indexer()).name;
        let bytes = walk.table().bytes().len() as u64;
        Ok(TableHistogram::new(name, bytes, walk.table().counts(walk.indexer())))
    }

    /// Korf, Reid and Edelkamp's formula, with the distribution over all states.
    pub(super) fn predict_nodes(&self, bound: Cost, job: &Job<'_>) -> Result<Vec<f64>, Failure> {
        let counts = match self.choice {
            Choice::Manhattan => self.manhattan_counts(),
            Choice::Table | Choice::Best => self.table_histogram(job)?.counts,
        };
        let distributions = [Distribution::from_counts(&counts)];
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        let depth = usize::from(bound) + 1;
        let counts = fsm::sequence_counts(&self.domain, &automaton, 0, depth);
        // A prediction needs the sequences of one operator more than its bound.
        let within = counts.len().saturating_sub(2);
        let sequences: Vec<Vec<f64>> = counts.into_iter().map(|count| vec![count as f64]).collect();
        Ok((1..=within).map(|bound| predict(&sequences, &distributions, bound)).collect())
    }

    /// How many states have each Manhattan distance.
    fn manhattan_counts(&self) -> Vec<u64> {
        let manhattan = PocketManhattan::new(self.domain.metric());
        let mut counts = vec![0; 256];
        for rank in 0..Pocket::COUNT {
            let value = manhattan.estimate(&self.domain, &Pocket::unrank(rank));
            counts[usize::from(value)] += 1;
        }
        let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(most + 1);
        counts
    }
}
