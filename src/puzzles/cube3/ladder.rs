//! The rungs of the heuristic `best`: the coset tables, what each gains, and how long it takes to
//! build. [`crate::ladder::climb`] decides when a search climbs from one to the next.

use super::Cube;
use super::coset_tables::{Coset, CosetReader};
use crate::ladder::climb::{self, Rungs};
use crate::ladder::{Growth, Rung};
use crate::puzzle::Result;
use crate::run::Run;
use cube::{ByteCube3, CubeMetric};
use search::{TwoSided, self_symmetries};

/// For each table of [`Coset::ALL`]: seconds of one thread to build a million entries.
const BUILD_SECONDS: [f64; Coset::ALL.len()] =
    [0.020, 0.012, 0.019, 0.019, 0.008, 0.026, 0.019, 0.019, 0.018, 0.018];

/// For each table of [`Coset::ALL`]: nanoseconds of a node in a search that reads it. Measured in
/// half turns, for tables of one bit assumed to be those of two. That of the last table is scaled:
/// it took 4.6 times the time of g1 on a slower machine.
const NODE_NANOSECONDS: [f64; Coset::ALL.len()] =
    [54.0, 60.0, 71.0, 71.0, 67.0, 67.0, 87.0, 79.0, 137.0, 277.0];

/// The number of cubes that turns reach, rounded: 43,252,003,274,489,856,000.
const STATES: f64 = 4.325e19;

/// The branching factor: how many times more nodes an iteration has for one more move.
const fn growth(metric: CubeMetric) -> f64 {
    match metric {
        CubeMetric::HalfTurn => 13.348,
        CubeMetric::QuarterTurn => 9.374,
    }
}

impl Cube {
    /// The ladder for a search from `start`.
    pub(super) fn ladder<'a>(&'a self, start: &'a cube::Cube) -> Ladder<'a> {
        Ladder { cube: self, start, rungs: self.rungs() }
    }

    /// Solves a state with the ladder.
    pub(super) fn climb(&self, start: &cube::Cube, run: &mut Run<'_>) -> Result<()> {
        let domain = TwoSided(ByteCube3::new(self.game.domain));
        // Symmetries of the start map plans to each other. If one plan is wanted, one of these is
        // enough.
        let one = run.is_for_one();
        let symmetries = if one { self_symmetries(&self.game.domain, start) } else { Vec::new() };
        let automata = self.ends(&domain.0, run.keep(), &symmetries, run)?;
        climb::climb(&self.ladder(start), &domain, &start.into(), &automata, run)
    }
}

/// The rungs of a cube, for one state.
pub(super) struct Ladder<'a> {
    cube: &'a Cube,
    start: &'a cube::Cube,
    pub(super) rungs: Vec<(Coset, f64)>,
}

impl Rungs<ByteCube3> for Ladder<'_> {
    type Table<'t>
        = CosetReader<'t>
    where
        Self: 't;

    fn count(&self) -> usize {
        self.rungs.len()
    }

    fn at_hand(&self, rung: usize) -> bool {
        both(self.rungs[rung].0).all(|coset| self.cube.game.tables.at_hand(coset))
    }

    fn rung(&self, rung: usize) -> Rung {
        let (coset, gain) = self.rungs[rung];
        let missing = both(coset).filter(|&coset| !self.cube.game.tables.at_hand(coset));
        let node = |rung: usize| NODE_NANOSECONDS[number(self.rungs[rung].0)];
        let slower = node(rung) / node(rung.saturating_sub(1));
        Rung { build: missing.map(build_seconds).sum(), gain, slower }
    }

    fn named(&self, rung: usize) -> (String, u64) {
        let coset = self.rungs[rung].0;
        (coset.spec(self.cube.game.domain.metric()).name, both(coset).map(Coset::bytes).sum())
    }

    fn table(&self, rung: usize, run: &Run<'_>) -> Result<Self::Table<'_>> {
        self.cube.game.tables.reading(self.rungs[rung].0, run)
    }

    fn bytes(&self) -> u64 {
        self.cube.game.tables.best_bytes()
    }

    fn growth(&self) -> Growth {
        Growth { factor: growth(self.cube.game.domain.metric()), step: 1, states: STATES }
    }

    fn before(&self, builds: bool, run: &mut Run<'_>) -> Result<()> {
        self.cube.approach(self.start, builds, run)
    }

    fn pauses(&self, run: &Run<'_>) -> bool {
        self.cube.approaches(run)
    }
}

/// The tables that a rung reads: the one that is read after `coset`, if there is any, and `coset`.
fn both(coset: Coset) -> impl Iterator<Item = Coset> {
    coset.behind().into_iter().chain([coset])
}

/// Seconds that the threads at hand take to build a table.
fn build_seconds(coset: Coset) -> f64 {
    BUILD_SECONDS[number(coset)] * coset.entries() as f64
        / 1e6
        / rayon::current_num_threads() as f64
}

/// The index of a table in [`Coset::ALL`].
fn number(coset: Coset) -> usize {
    Coset::ALL.iter().position(|&other| other == coset).unwrap_or(0)
}
