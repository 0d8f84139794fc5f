//! A local search for partitions with few predicted nodes.

use crate::board::{AnyTiles, Board, WideWord};
use crate::patterns::lookups::RankedTables;
use crate::patterns::partitions::{PartitionError, patterns};
use crate::patterns::placements::Placements;
use crate::patterns::table::{BlankRegion, PatternTable, TableLayout};
use pdb::{BuildError, BuildOptions};
use search::Cost;
use search::random::Random;
use std::collections::HashMap;
use std::sync::Arc;

/// A pattern's values for each sampled board: on the board itself, and on the reflected board. Both
/// are the same if the puzzle has no reflection.
type Values = Arc<[(Cost, Cost)]>;

/// A partition: the homes of the tiles of each pattern.
pub type Partition = Vec<Vec<u8>>;

/// Compares partitions by the nodes that a search with them is predicted to generate.
///
/// The prediction is relative to a search without a heuristic. It is the mean of `b^-h` over random
/// boards, where `b` is the branching factor and `h` the bound of a board.
///
/// The nodes of a search to depth `d` are the sum of `N_i P(d - i)` with `N_i` about `b^i`. The
/// depth only scales this sum. (Richard Korf, Michael Reid and Stefan Edelkamp, "Time complexity of
/// iterative-deepening-A*", Artificial Intelligence 129, 2001.)
///
/// Robert Clausecker estimates the sum from a sample ("Notes on the construction of pattern
/// databases", 2017), and so do we. Its use to search for partitions is ours.
#[derive(Debug)]
pub struct PartitionChooser<'a> {
    domain: &'a AnyTiles,
    growth: f64,
    boards: Vec<Board<WideWord>>,
    known: HashMap<Vec<u8>, Values>,
    random: Random,
}

/// Why a [`PartitionChooser`] cannot predict the nodes of a partition.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionChooserError {
    /// The patterns are not a partition of the tiles.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// A table could not be built, or the caller cancelled.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl<'a> PartitionChooser<'a> {
    /// A chooser that compares partitions on `boards` random boards, drawn with a seed. `growth` is
    /// the branching factor of the search: the ratio of the numbers of operator strings of two
    /// successive lengths.
    pub fn new(domain: &'a AnyTiles, growth: f64, boards: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let boards = (0..boards).map(|_| domain.random(&mut random)).collect();
        Self { domain, growth, boards, known: HashMap::new(), random }
    }

    /// Number of tables built so far: one for each different pattern.
    pub fn tables(&self) -> usize {
        self.known.len()
    }

    /// The values of a pattern on the sample. Builds the pattern's table and drops it again.
    fn values(
        &mut self,
        homes: &[u8],
        options: &BuildOptions<'_>,
    ) -> Result<Values, PartitionChooserError> {
        let mut goals = homes.to_vec();
        goals.sort_unstable();
        if let Some(values) = self.known.get(&goals) {
            return Ok(values.clone());
        }
        let grid = self.domain.grid();
        let pattern = crate::TilePattern {
            rows: grid.rows,
            columns: grid.columns,
            goals: goals.clone(),
            blank: u8::try_from(grid.blank_home).expect("at most 40 squares"),
        };
        let placements = Placements::new(pattern.clone()).map_err(PartitionError::from)?;
        let bytes = PatternTable::build(&placements, TableLayout::Ranked, options)?;
        let table =
            PatternTable::new(pattern, TableLayout::Ranked, bytes).map_err(PartitionError::from)?;
        let Some(members) =
            RankedTables::new(self.domain, &[Arc::new(table)], true, BlankRegion::Known)
        else {
            unreachable!("one ranked table, and its reflection")
        };
        let reflection = members.count() - 1;
        let read = |board: &Board<WideWord>| {
            let index = members.index(self.domain, board);
            (members.value(&index, 0), members.value(&index, reflection))
        };
        let values: Values = self.boards.iter().map(read).collect();
        self.known.insert(goals, values.clone());
        Ok(values)
    }

    /// The partition's bound on each sampled board: the sum of its patterns' values. If the puzzle
    /// reflects, the bound is the greater of the sums on the board and on its reflection.
    ///
    /// # Errors
    /// If the patterns are not a partition, or a build fails.
    pub fn sums(
        &mut self,
        partition: &Partition,
        options: &BuildOptions<'_>,
    ) -> Result<Vec<Cost>, PartitionChooserError> {
        patterns(self.domain.grid(), partition)?;
        let mut sums = vec![(0, 0); self.boards.len()];
        for pattern in partition {
            for ((a, b), &(x, y)) in sums.iter_mut().zip(self.values(pattern, options)?.iter()) {
                (*a, *b) = (*a + x, *b + y);
            }
        }
        Ok(sums.into_iter().map(|(a, b): (Cost, Cost)| a.max(b)).collect())
    }

    /// Predicted nodes, as a fraction of the nodes of a search without a heuristic. `sums` are the
    /// bounds on the sampled boards, as [`PartitionChooser::sums`] returns them.
    pub fn nodes(&self, sums: &[Cost]) -> f64 {
        let all: f64 = sums.iter().map(|&h| self.growth.powi(-i32::from(h))).sum();
        all / sums.len() as f64
    }

    /// Improves a partition by local search. Returns the best partition found, the bounds on the
    /// sampled boards, and the predicted nodes. The bounds are the maximum with `beside`, which has
    /// one bound for each sampled board. `beside` is the maximum of other partitions, or all 0 if
    /// there are none.
    ///
    /// Each step exchanges two random tiles of different patterns, so that both touch their new
    /// pattern. The exchange is kept if it lowers the predicted nodes. The search ends after
    /// `patience` failures in a row, when `stop` returns true, or when a build is cancelled. It
    /// calls `tell` with each better partition.
    ///
    /// # Errors
    /// As [`PartitionChooser::sums`]. Cancellation is an error only before the bounds of the first
    /// partition are known.
    pub fn improve(
        &mut self,
        mut partition: Partition,
        beside: &[Cost],
        patience: usize,
        options: &BuildOptions<'_>,
        stop: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(&Partition, f64),
    ) -> Result<(Partition, Vec<Cost>, f64), PartitionChooserError> {
        let with = |sums: Vec<Cost>| -> Vec<Cost> {
            sums.iter().zip(beside).map(|(&a, &b)| a.max(b)).collect()
        };
        let mut sums = with(self.sums(&partition, options)?);
        let mut nodes = self.nodes(&sums);
        tell(&partition, nodes);
        let mut failures = 0;
        while failures < patience && !stop() {
            let Some(candidate) = self.neighbour(&partition) else { break };
            let candidate_sums = match self.sums(&candidate, options) {
                Err(PartitionChooserError::Build(BuildError::Cancelled)) => break,
                sums => with(sums?),
            };
            let candidate_nodes = self.nodes(&candidate_sums);
            if candidate_nodes < nodes {
                (partition, sums, nodes, failures) =
                    (candidate, candidate_sums, candidate_nodes, 0);
                tell(&partition, nodes);
            } else {
                failures += 1;
            }
        }
        Ok((partition, sums, nodes))
    }

    /// The partition with two random tiles of different patterns exchanged, so that each touches
    /// its new pattern. `None` if 10,000 draws find no such pair.
    fn neighbour(&mut self, partition: &Partition) -> Option<Partition> {
        let homes: Vec<u8> = partition.iter().flatten().copied().collect();
        let of = |home: u8| partition.iter().position(|pattern| pattern.contains(&home));
        let touches = |home: u8, pattern: Option<usize>, without: u8| {
            pattern.is_some_and(|pattern| {
                let mut others = partition[pattern].iter().filter(|&&other| other != without);
                others.any(|&other| self.domain.distance(home.into(), other.into()) == 1)
                    || partition[pattern].len() == 1
            })
        };
        let mut pick = || {
            let place = self.random.below(homes.len() as u64);
            homes[usize::try_from(place).expect("at most 40 tiles")]
        };
        for _ in 0..10_000 {
            let (a, b) = (pick(), pick());
            if of(a) != of(b) && touches(a, of(b), b) && touches(b, of(a), a) {
                let exchange = |home: &u8| {
                    if *home == a {
                        b
                    } else if *home == b {
                        a
                    } else {
                        *home
                    }
                };
                return Some(
                    partition
                        .iter()
                        .map(|pattern| pattern.iter().map(exchange).collect())
                        .collect(),
                );
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn improvement_never_gets_worse_and_is_the_same_each_time() {
        let domain = <AnyTiles>::of_size(3, 3).unwrap();
        let options = BuildOptions::default();
        let start: Partition = vec![vec![1, 4, 8, 6], vec![2, 3, 5, 7]];
        let run = || {
            let mut chooser = PartitionChooser::new(&domain, 1.73, 500, 1);
            let first = chooser.sums(&start, &options).unwrap();
            let first = chooser.nodes(&first);
            let mut told = Vec::new();
            let beside = vec![0; 500];
            let mut tell = |_: &Partition, nodes| told.push(nodes);
            let (partition, sums, nodes) = chooser
                .improve(start.clone(), &beside, 20, &options, &mut || false, &mut tell)
                .unwrap();
            assert_eq!((told[0], told.last().copied()), (first, Some(nodes)));
            assert!(told.windows(2).all(|pair| pair[1] < pair[0]) && nodes < first);
            assert_eq!(chooser.nodes(&sums), nodes);
            assert!(patterns(domain.grid(), &partition).is_ok() && chooser.tables() > 4);
            (partition, nodes)
        };
        assert_eq!(run(), run());
    }
}
