//! What `best` does for a large group puzzle from a file: coset tables, chosen and climbed.
//!
//! A rung is the pattern that is worth most among those with at most so many bytes. Each limit is
//! [`STEP`] times the one before. All rungs together fit the memory, for rungs stay in it.

use super::marks::hex;
use crate::cache::Once;
use crate::ladder::Rung;
use crate::ladder::climb::{self, Rungs};
use crate::ladder::outlook::{Source, outlook};
use crate::prunings::Automata;
use crate::puzzle::{Failure, Job, Prediction};
use crate::runs::Found;
use crate::tables::TableSource;
use pdb::Abstraction;
use pdb::coset::{SymmetryReduced, Views};
use pdb::file::TableSpec;
use pdb::table::StripeTable;
use permutation::cosets::{CosetCandidate, CosetCandidates, SlotViews, candidates};
use permutation::{GroupElement, GroupPuzzle};
use search::{CancelToken, Cost, OpSet, TwoSided};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Bytes of the smallest rung's table, at the most.
const LEAST: u64 = 6 << 20;
/// How many times more bytes the next rung may have.
const STEP: u64 = 8;
/// Rungs at the most.
const MOST: usize = 6;
/// Seconds of one thread to build a million entries, as measured.
const BUILD_SECONDS: f64 = 0.03;
/// Seconds of one thread to find the classes of a million words of the first colouring.
const CLASS_SECONDS: f64 = 0.6;
/// The share of a table's worth that counts as operators, as measured.
const KEPT: f64 = 0.9;

/// The views of a rung's table, and what its file says.
type Held<const N: usize, O> = (Views<GroupPuzzle<N, O>, SlotViews<N>>, TableSpec);

/// A candidate that is a rung.
struct Step {
    /// Its number among the candidates.
    candidate: usize,
    /// Tells its pattern from others of the puzzle.
    mark: String,
}

/// See the module.
pub(super) struct Ladder<const N: usize, O: OpSet> {
    candidates: CosetCandidates,
    /// Smallest first.
    rungs: Vec<Step>,
    branching: f64,
    views: [Once<Held<N, O>>; MOST],
    /// Rungs that turned out to be worse than the one below, as bits.
    left: AtomicU32,
}

/// What the ladder needs of the puzzle around it.
pub(super) struct Around<'a, const N: usize, O> {
    pub(super) domain: &'a TwoSided<GroupPuzzle<N, O>>,
    pub(super) source: &'a TableSource,
    /// Begins the names of tables.
    pub(super) name: String,
    /// Tells the puzzle and its metric from others.
    pub(super) description: serde_json::Value,
}

impl<const N: usize, O: OpSet> Ladder<N, O> {
    /// The ladder of a puzzle; none if no colouring is worth a table, or costs differ from 1.
    pub(super) fn new(
        puzzle: &GroupPuzzle<N, O>,
        memory: u64,
        branching: f64,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, groups::GroupError> {
        if !puzzle.list().all_cost_one() || branching <= 1.0 {
            return Ok(None);
        }
        let Some(candidates) = candidates(puzzle, memory, branching, cancel)? else {
            return Ok(None);
        };
        let (mut rungs, mut left, mut limit) = (Vec::new(), memory, LEAST);
        while rungs.len() < MOST {
            let fits = |one: &CosetCandidate| one.memory() <= limit.min(left);
            // The last is worth the most; a rung is worth more than the one below.
            if let Some(number) = candidates.list.iter().rposition(fits)
                && rungs.last().is_none_or(|last: &Step| last.candidate < number)
            {
                let candidate = &candidates.list[number];
                left -= candidate.memory();
                let mark = hex(&candidates.pattern(puzzle, candidate).fingerprint()[..4]);
                rungs.push(Step { candidate: number, mark });
            }
            if limit >= memory {
                break;
            }
            limit = limit.saturating_mul(STEP);
        }
        let ladder = Self {
            candidates,
            rungs,
            branching,
            views: Default::default(),
            left: AtomicU32::new(0),
        };
        Ok((!ladder.rungs.is_empty()).then_some(ladder))
    }

    fn candidate(&self, rung: usize) -> &CosetCandidate {
        &self.candidates.list[self.rungs[rung].candidate]
    }

    /// Cosets that the greatest table tells apart.
    pub(super) fn cosets(&self) -> u64 {
        self.candidate(self.rungs.len() - 1).cosets
    }

    /// The base value of the two-bit code: one below the mean distance, about.
    fn base(&self, rung: usize) -> Cost {
        let layers = (self.candidate(rung).cosets as f64).ln() / self.branching.ln();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 11")]
        let base = (layers.round() - 1.0).clamp(1.0, 11.0) as Cost;
        base
    }

    /// The name of a rung's table.
    fn name(&self, around: &Around<'_, N, O>, rung: usize) -> String {
        format!("{}-cosets-{}", around.name, self.rungs[rung].mark)
    }

    fn at_hand(&self, around: &Around<'_, N, O>, rung: usize) -> bool {
        self.views[rung].get().is_some() || around.source.has(&self.name(around, rung))
    }

    /// A rung's table, built or loaded once.
    fn views(
        &self,
        around: &Around<'_, N, O>,
        rung: usize,
        job: &Job<'_>,
    ) -> Result<&Held<N, O>, Failure> {
        self.views[rung].get_or_make(|| {
            let puzzle = &around.domain.0;
            let pattern = self.candidates.pattern(puzzle, self.candidate(rung));
            let mut description = around.description.clone();
            description["pattern"] = pattern.description().into();
            let reduced = SymmetryReduced::new(pattern);
            let (shape, base) = ((reduced.rows(), reduced.columns()), self.base(rung));
            let payload = StripeTable::payload(shape.0, shape.1, base);
            let spec = TableSpec::new(self.name(around, rung), description, payload);
            let table = around.source.stripe_table(&spec, &reduced, base, job)?;
            let views =
                SlotViews::new(puzzle, &reduced).and_then(|it| Views::new(puzzle, it, table).ok());
            let views =
                views.unwrap_or_else(|| unreachable!("candidates are small and cost 1 a move"));
            Ok((views, spec))
        })
    }

    /// Bytes of the tables in memory.
    fn bytes(&self) -> u64 {
        let held = self.views.iter().filter_map(Once::get);
        held.map(|(views, spec)| spec.payload_bytes + views.cosets().bytes()).sum()
    }

    /// What a rung costs, and gains against the one below.
    fn rung(&self, around: &Around<'_, N, O>, rung: usize) -> Rung {
        let candidate = self.candidate(rung);
        let build = BUILD_SECONDS * candidate.bytes as f64 * 4.0 / 1e6
            + CLASS_SECONDS * candidate.rows as f64 / 1e6;
        let build = if self.at_hand(around, rung) {
            0.0
        } else {
            build / rayon::current_num_threads() as f64
        };
        let below = rung.checked_sub(1).map_or(candidate.worth, |rung| self.candidate(rung).worth);
        Rung { build, gain: self.branching.powf(KEPT * (candidate.worth - below)) }
    }

    /// Solves an element, and climbs when that pays.
    pub(super) fn climb(
        &self,
        around: &Around<'_, N, O>,
        start: &GroupElement<N>,
        automata: &Automata<GroupPuzzle<N, O>>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let steps = Steps { ladder: self, around };
        climb::climb(&steps, around.domain, start, automata, job, found)
    }

    /// What every rung promises.
    pub(super) fn predict<'a>(
        &self,
        around: &Around<'_, N, O>,
        automata: &Automata<GroupPuzzle<N, O>>,
        counts: &[u128],
        states: (Source<'a, GroupElement<N>>, usize),
        job: &Job<'_>,
    ) -> Result<Prediction, Failure> {
        outlook(&Steps { ladder: self, around }, around.domain, automata, counts, states, job)
    }

    /// Name and bytes of every rung's table, each built or loaded.
    pub(super) fn build(
        &self,
        around: &Around<'_, N, O>,
        job: &Job<'_>,
    ) -> Result<Vec<(String, u64)>, Failure> {
        let tables = (0..self.rungs.len()).map(|rung| {
            let (_, spec) = self.views(around, rung, job)?;
            Ok((spec.name.clone(), spec.payload_bytes))
        });
        tables.collect()
    }

    /// Name, bytes and values of the highest rung at hand, or of the lowest.
    pub(super) fn counts(
        &self,
        around: &Around<'_, N, O>,
        job: &Job<'_>,
    ) -> Result<(String, u64, Vec<u64>), Failure> {
        let highest = (0..self.rungs.len()).rev().find(|&rung| self.at_hand(around, rung));
        let (views, spec) = self.views(around, highest.unwrap_or(0), job)?;
        let counts = views.table().counts();
        Ok((spec.name.clone(), spec.payload_bytes, counts))
    }

    /// The candidates with what is known of each, and whether it is a rung.
    pub(super) fn explained(
        &self,
        around: &Around<'_, N, O>,
    ) -> impl Iterator<Item = (&CosetCandidate, String, bool)> {
        let puzzle = &around.domain.0;
        self.candidates.list.iter().enumerate().map(move |(number, candidate)| {
            let colours = self.candidates.pattern(puzzle, candidate).explained();
            (candidate, colours, self.rungs.iter().any(|step| step.candidate == number))
        })
    }
}

/// A ladder with the puzzle around it.
struct Steps<'a, const N: usize, O: OpSet> {
    ladder: &'a Ladder<N, O>,
    around: &'a Around<'a, N, O>,
}

impl<const N: usize, O: OpSet> Rungs<GroupPuzzle<N, O>> for Steps<'_, N, O> {
    type Table<'t>
        = &'t Views<GroupPuzzle<N, O>, SlotViews<N>>
    where
        Self: 't;

    fn count(&self) -> usize {
        self.ladder.rungs.len()
    }

    fn at_hand(&self, rung: usize) -> bool {
        self.ladder.at_hand(self.around, rung)
    }

    fn rung(&self, rung: usize) -> Rung {
        self.ladder.rung(self.around, rung)
    }

    fn named(&self, rung: usize) -> (String, u64) {
        let held = self.ladder.views[rung].get().map(|(_, spec)| spec.payload_bytes);
        let bytes = held.unwrap_or_else(|| self.ladder.candidate(rung).bytes);
        (self.ladder.name(self.around, rung), bytes)
    }

    fn table(&self, rung: usize, job: &Job<'_>) -> Result<Self::Table<'_>, Failure> {
        self.ladder.views(self.around, rung, job).map(|(views, _)| views)
    }

    fn leave(&self, rung: usize) {
        self.ladder.left.fetch_or(1 << rung, Relaxed);
    }

    fn left(&self, rung: usize) -> bool {
        self.ladder.left.load(Relaxed) >> rung & 1 == 1
    }

    fn bytes(&self) -> u64 {
        self.ladder.bytes()
    }

    fn growth(&self) -> f64 {
        self.ladder.branching
    }
}
