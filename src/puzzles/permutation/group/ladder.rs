//! The coset tables that `best` uses for a large group puzzle from a file. [`crate::ladder`] climbs
//! from one to the next.
//!
//! A rung is the table with the best bounds among those within a limit of bytes. The limit of each
//! rung is [`STEP`] times that of the rung below. Tables stay in memory, so all rungs together fit
//! in it.

use crate::ladder::{Growth, Rung};
use crate::puzzle::{Failure, Result};
use crate::puzzles::permutation::tables::TableNames;
use crate::run::Run;
use crate::tables::TableSource;
use crate::words::hex;
use pdb::Abstraction;
use pdb::coset::SymmetryReduced;
use pdb::file::TableSpec;
use pdb::table::StripeTable;
use permutation::PuzzleGroup;
use permutation::cosets::{CosetCandidate, CosetCandidates, CosetPattern, candidates};
use search::{CancelToken, Cost};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Most bytes of the smallest rung's table.
const LEAST: u64 = 6 << 20;
/// The factor from a rung's limit of bytes to that of the next rung.
const STEP: u64 = 8;
/// Most rungs.
pub(super) const MOST: usize = 6;
/// Measured seconds of one thread to build a million table entries.
const BUILD_SECONDS: f64 = 0.03;
/// Measured seconds of one thread to find the symmetry classes of a million rows. The table has a
/// row for each arrangement of the colours of the pattern's first colouring.
const CLASS_SECONDS: f64 = 0.6;
/// Measured share of a gain in the mean bound ([`CosetCandidate::worth`]) that makes searches
/// shorter. A gain of `w` divides the nodes by the branching factor to the power `KEPT * w`.
const KEPT: f64 = 0.9;

/// A candidate that is a rung.
struct Step {
    /// Its index in [`CosetCandidates::list`].
    candidate: usize,
    /// The beginning of its pattern's hash, for the name of the table.
    mark: String,
}

/// The rungs of a puzzle's ladder, and the candidates that they were chosen from.
pub(crate) struct Ladder {
    group: Arc<PuzzleGroup>,
    source: TableSource,
    candidates: CosetCandidates,
    /// Smallest first.
    rungs: Vec<Step>,
    branching: f64,
    /// The number of states of the puzzle.
    states: f64,
    /// The beginning of every table's name.
    name: String,
    /// What the description of every table file says of the puzzle and its metric.
    description: serde_json::Value,
    /// One bit for each rung. It is set if the rung turned out to be worse than the rung below.
    left: AtomicU32,
}

impl Ladder {
    /// The ladder of a puzzle. `None` if no coset table is worth building, or an operator costs
    /// other than 1.
    pub(super) fn new(
        (group, names, source, memory): (&Arc<PuzzleGroup>, &TableNames, &TableSource, u64),
        (branching, states): (f64, f64),
        cancel: &CancelToken,
    ) -> Result<Option<Self>, groups::GroupError> {
        if !group.list().all_cost_one() || branching <= 1.0 {
            return Ok(None);
        }
        let Some(candidates) = candidates(group, memory, branching, cancel)? else {
            return Ok(None);
        };
        let (mut rungs, mut left, mut limit) = (Vec::new(), memory, LEAST);
        while rungs.len() < MOST {
            let fits = |one: &CosetCandidate| one.memory() <= limit.min(left);
            // A larger candidate always has better bounds, so the last that fits is the best.
            if let Some(number) = candidates.list.iter().rposition(fits)
                && rungs.last().is_none_or(|last: &Step| last.candidate < number)
            {
                let candidate = &candidates.list[number];
                left -= candidate.memory();
                let mark = hex(&candidates.pattern(group, candidate).fingerprint()[..4]);
                rungs.push(Step { candidate: number, mark });
            }
            if limit >= memory {
                break;
            }
            limit = limit.saturating_mul(STEP);
        }
        let (name, description) = names.of_kind("cosets");
        let (left, group, source) = (AtomicU32::new(0), Arc::clone(group), source.clone());
        let ladder =
            Self { group, source, candidates, rungs, branching, states, name, description, left };
        Ok((!ladder.rungs.is_empty()).then_some(ladder))
    }

    /// The number of rungs.
    pub(super) fn rungs(&self) -> usize {
        self.rungs.len()
    }

    fn candidate(&self, rung: usize) -> &CosetCandidate {
        &self.candidates.list[self.rungs[rung].candidate]
    }

    /// The growth of nodes for one more operator, and the number of states.
    pub(super) fn growth(&self) -> Growth {
        Growth { factor: self.branching, step: 1, states: self.states }
    }

    /// Approximate bytes of a rung's table.
    pub(super) fn bytes(&self, rung: usize) -> u64 {
        self.candidate(rung).bytes
    }

    /// The number of cosets of the highest rung's table.
    pub(super) fn cosets(&self) -> u64 {
        self.candidate(self.rungs.len() - 1).cosets
    }

    /// The base value of the two-bit code: about one below the mean distance.
    fn base(&self, rung: usize) -> Cost {
        let layers = (self.candidate(rung).cosets as f64).ln() / self.branching.ln();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 11")]
        let base = (layers.round() - 1.0).clamp(1.0, 11.0) as Cost;
        base
    }

    /// The name of a rung's table.
    pub(super) fn name(&self, rung: usize) -> String {
        format!("{}-cosets-{}", self.name, self.rungs[rung].mark)
    }

    /// Whether a rung's table has a file.
    pub(super) fn has_file(&self, rung: usize) -> bool {
        self.source.has(&self.name(rung))
    }

    /// Loads or builds a rung's table. Returns its pattern, reduced by symmetry, the table, and the
    /// specification of its file.
    pub(super) fn table(
        &self,
        rung: usize,
        run: &Run<'_>,
    ) -> Result<(SymmetryReduced<CosetPattern>, StripeTable, TableSpec)> {
        let pattern = self.candidates.pattern(&self.group, self.candidate(rung));
        let mut description = self.description.clone();
        description["pattern"] = pattern.description().into();
        let reduced =
            SymmetryReduced::new_until(pattern, &run.request.cancel).ok_or(Failure::Cancelled)?;
        let (shape, base) = ((reduced.rows(), reduced.columns()), self.base(rung));
        let payload = StripeTable::payload(shape.0, shape.1, base);
        let spec = TableSpec::new(self.name(rung), description, payload);
        let table = self.source.stripe_table(&spec, &reduced, base, run)?;
        Ok((reduced, table, spec))
    }

    /// The building time of a rung, and its gain over the rung below. Nodes are assumed to take
    /// equally long.
    pub(super) fn rung(&self, rung: usize, at_hand: bool) -> Rung {
        let candidate = self.candidate(rung);
        let build = BUILD_SECONDS * candidate.bytes as f64 * 4.0 / 1e6
            + CLASS_SECONDS * candidate.rows as f64 / 1e6;
        let build = if at_hand { 0.0 } else { build / rayon::current_num_threads() as f64 };
        let below = rung.checked_sub(1).map_or(candidate.worth, |rung| self.candidate(rung).worth);
        let gain = self.branching.powf(KEPT * (candidate.worth - below));
        Rung { build, gain, slower: 1.0 }
    }

    /// Records that a rung is worse than the rung below.
    pub(super) fn leave(&self, rung: usize) {
        self.left.fetch_or(1 << rung, Relaxed);
    }

    /// Whether a rung turned out to be worse than the rung below.
    pub(super) fn left(&self, rung: usize) -> bool {
        self.left.load(Relaxed) >> rung & 1 == 1
    }

    /// All candidates, each with a description of its pattern and whether it is a rung.
    pub(super) fn explained(&self) -> impl Iterator<Item = (&CosetCandidate, String, bool)> {
        self.candidates.list.iter().enumerate().map(move |(number, candidate)| {
            let colours = self.candidates.pattern(&self.group, candidate).explained();
            (candidate, colours, self.rungs.iter().any(|step| step.candidate == number))
        })
    }
}
