//! The search for good partitions of a board.

use super::TilesPuzzle;
use super::partitions::{MOST_PATTERNS, as_text, way};
use crate::puzzle::{
    Choosing, Events, Failure, PartitionChoice, PartitionOptions, Request, Result, TooLittleMemory,
};
use crate::run::Run;
use fsm::Keep;
use pdb::{BuildError, BuildOptions};
use tiles::{
    Partition, PartitionChooser, PartitionChooserError, PatternTable, TableLayout, patterns,
};
use web_time::Instant;

/// Number of random boards on which partitions are compared.
const BOARDS: usize = 50_000;
/// The search ends after this many partitions in a row that are no better.
const PATIENCE: usize = 200;

impl Choosing for TilesPuzzle {
    fn choose(
        &self,
        wanted: &PartitionOptions,
        request: &Request<'_>,
        tell: &mut dyn FnMut(&PartitionChoice),
    ) -> Result<()> {
        self.check(wanted)?;
        let domain = &self.game.domain;
        let growth =
            fsm::branching_factor(domain, self.automaton(Keep::OneOptimal, &Run::new(request))?);
        let events = Events(request.watch);
        let options = BuildOptions {
            cancel: Some(&request.cancel),
            observer: Some(&events),
            ..BuildOptions::default()
        };
        let mut chooser = PartitionChooser::new(domain, growth, BOARDS, wanted.seed);
        let mut beside = vec![0; BOARDS];
        let mut partitions: Vec<Partition> = Vec::new();
        let share = wanted.time / u32::try_from(wanted.partitions.max(1)).unwrap_or(u32::MAX);
        for number in 0..wanted.partitions {
            let started = Instant::now();
            let start = self.pieces(&wanted.sizes, number);
            let mut stop = || request.cancel.is_cancelled() || started.elapsed() >= share;
            let tell_nothing = &mut |_: &Partition, _| {};
            let improved =
                chooser.improve(start, &beside, PATIENCE, &options, &mut stop, tell_nothing);
            let (mut partition, sums, nodes) = improved.map_err(failure)?;
            partition.iter_mut().for_each(|pattern| pattern.sort_unstable());
            partitions.push(partition);
            let sum: f64 = sums.iter().map(|&h| f64::from(h)).sum();
            beside = sums;
            tell(&PartitionChoice {
                heuristic: format!("tables:{}", as_text(&partitions)),
                nodes,
                mean: sum / BOARDS as f64,
                tables: chooser.tables(),
            });
            if request.cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
        }
        Ok(())
    }
}

/// The [`Failure`] for an error of the search for partitions.
fn failure(error: PartitionChooserError) -> Failure {
    match error {
        PartitionChooserError::Build(BuildError::Cancelled) => Failure::Cancelled,
        PartitionChooserError::Build(error) => {
            Failure::Build { table: "of a pattern".to_owned(), error }
        }
        error => Failure::refused(error),
    }
}

impl TilesPuzzle {
    /// Refuses sizes that do not fit the board, and tables that do not fit the memory.
    fn check(&self, wanted: &PartitionOptions) -> Result<()> {
        let (sum, tiles): (usize, _) = (wanted.sizes.iter().sum(), self.game.domain.squares() - 1);
        if sum != tiles || wanted.sizes.iter().any(|size| !(1..=8).contains(size)) {
            let name = &self.info.name;
            return Err(Failure::refused(format!(
                "sizes that sum to {sum}: \
                 expected sizes of patterns from 1 to 8 that sum to the {tiles} tiles of {name}"
            )));
        }
        if wanted.sizes.len() > MOST_PATTERNS {
            let (sizes, most) = (wanted.sizes.len(), MOST_PATTERNS);
            return Err(Failure::refused(format!("{sizes} patterns: expected at most {most}")));
        }
        let (needed, memory) = (self.bytes(wanted)?, self.settings.memory);
        if needed > memory {
            let what = "a search for partitions of these sizes";
            return Err(TooLittleMemory::new(what, needed, memory).into());
        }
        Ok(())
    }

    /// Bytes of ranked tables for all partitions, if no two share a table.
    fn bytes(&self, wanted: &PartitionOptions) -> Result<u64> {
        let patterns = patterns(self.game.domain.grid(), &self.pieces(&wanted.sizes, 0));
        let patterns = patterns.map_err(Failure::refused)?;
        let bytes = |pattern| PatternTable::bytes_for(pattern, TableLayout::Ranked);
        let one = patterns.iter().map(bytes).fold(0, u64::saturating_add);
        Ok(one.saturating_mul(wanted.partitions as u64))
    }

    /// The partition from which search `number` starts: pieces of a path over the board. The path
    /// goes by columns or by rows, from either end.
    fn pieces(&self, sizes: &[usize], number: usize) -> Partition {
        let mut homes = way(self.game.domain.grid(), number % 2 == 1);
        if number % 4 >= 2 {
            homes.reverse();
        }
        let mut rest = homes.as_slice();
        let piece = |&size: &usize| {
            let (piece, more) = rest.split_at(size.min(rest.len()));
            rest = more;
            piece.to_vec()
        };
        sizes.iter().map(piece).collect()
    }
}
