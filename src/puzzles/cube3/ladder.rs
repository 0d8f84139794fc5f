//! What `best` does: search with a small table first, and climb to a larger one when that pays.
//!
//! A larger table prunes more but must first be built. After each iteration the time of the next one is predicted from the growth
//! of the last; of the rungs that fit, that one is taken with which build and iteration together are soonest done, and with them the
//! other states that are known to wait. A table whose file exists is taken at once. Every bound proven on one rung holds on the next, so nothing is
//! searched twice.

use super::Cube;
use super::cosets::{Coset, Reading};
use crate::ladder::climb::{self, Rungs};
use crate::prunings::{self, Automata};
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use cube::{ByteCube3, CubeMetric};
use fsm::Keep;
use pdb::Rung;
use search::{TwoSided, self_symmetries};

/// By table of [`Coset::ALL`]: how many times fewer nodes a search needs than with the one before (measured, docs/MEASUREMENTS.md).
const fn gains(metric: CubeMetric) -> [f64; Coset::ALL.len()] {
    match metric {
        CubeMetric::HalfTurn => [1.0, 6.0, 1.82, 1.17, 1.7, 1.26, 2.9],
        CubeMetric::QuarterTurn => [1.0, 6.0, 1.87, 1.0, 1.5, 1.42, 3.7],
    }
}

/// By table: seconds of one thread to build a million entries (measured, docs/MEASUREMENTS.md).
const BUILD_SECONDS: [f64; Coset::ALL.len()] = [0.020, 0.020, 0.026, 0.026, 0.020, 0.040, 0.028];

/// Growth of an iteration from the one before, where there is only one yet: the branching factor of the half-turn metric.
const GROWTH: f64 = 13.35;

impl Cube {
    /// The rungs for a memory budget, smallest first, and how many times fewer nodes each needs than the one before: the two smallest, to begin with; the
    /// highest that fits besides, the next one, and so on, for a rung left behind stays in memory. Of a table of half turns, two bits or one.
    pub(super) fn rungs(memory: u64, metric: CubeMetric) -> Vec<(Coset, f64)> {
        let (mut taken, mut bytes): (Vec<Coset>, u64) = (Vec::new(), 0);
        let (small, large) = Coset::ALL.split_at(2);
        for &coset in small.iter().chain(large.iter().rev()) {
            let missing = coset.behind().is_some_and(|behind| !taken.contains(&behind));
            let known = taken.iter().any(|taken| taken.cosets() == coset.cosets());
            if !missing && !known && bytes + coset.bytes() <= memory {
                bytes += coset.bytes();
                taken.push(coset);
            }
        }
        let mut gained = 1.0;
        let mut rungs = Vec::new();
        for (coset, gain) in Coset::ALL.into_iter().zip(gains(metric)) {
            gained *= gain;
            if taken.contains(&coset) {
                rungs.push((coset, std::mem::replace(&mut gained, 1.0)));
            }
        }
        rungs
    }

    /// The memory for rungs: what the small tables of the near-optimal search leave.
    pub(super) fn rung_memory(&self) -> u64 {
        self.settings.memory - self.near_bytes().unwrap_or(0)
    }

    /// The ladder for a state.
    pub(super) fn ladder<'a>(&'a self, start: &'a cube::Cube) -> Ladder<'a> {
        Ladder { cube: self, start, rungs: Self::rungs(self.rung_memory(), self.domain.metric()) }
    }

    /// Solves with the ladder.
    pub(super) fn climb(
        &self,
        start: &cube::Cube,
        keep: Keep,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let domain = TwoSided(ByteCube3::new(self.domain));
        let automata = self.ends(start, keep, job)?;
        climb::climb(&self.ladder(start), &domain, &start.into(), &automata, job, found)
    }

    /// The automata of the two ends. Of plans that the start's symmetries take to each other the front lets one through.
    fn ends(
        &self,
        start: &cube::Cube,
        keep: Keep,
        job: &Job<'_>,
    ) -> Result<Automata<ByteCube3>, Failure> {
        let one = keep == Keep::OneOptimal;
        let symmetries = if one { self_symmetries(&self.domain, start) } else { Vec::new() };
        prunings::ends(&ByteCube3::new(self.domain), &self.strings(keep, job)?, &symmetries)
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
        = Reading<'t>
    where
        Self: 't;

    fn count(&self) -> usize {
        self.rungs.len()
    }

    fn at_hand(&self, rung: usize) -> bool {
        both(self.rungs[rung].0).all(|coset| self.cube.tables.at_hand(coset))
    }

    fn rung(&self, rung: usize) -> Rung {
        let (coset, gain) = self.rungs[rung];
        let missing = both(coset).filter(|&coset| !self.cube.tables.at_hand(coset));
        Rung { build: missing.map(build_seconds).sum(), gain }
    }

    fn named(&self, rung: usize) -> (String, u64) {
        let coset = self.rungs[rung].0;
        (coset.spec(self.cube.domain.metric()).name, both(coset).map(Coset::bytes).sum())
    }

    fn table(&self, rung: usize, job: &Job<'_>) -> Result<Self::Table<'_>, Failure> {
        self.cube.tables.reading(self.rungs[rung].0, job)
    }

    fn bytes(&self) -> u64 {
        self.cube.tables.best_bytes()
    }

    fn growth(&self) -> f64 {
        GROWTH
    }

    fn before(&self, builds: bool, job: &Job<'_>, found: &mut Found) -> Result<(), Failure> {
        self.cube.approach(self.start, builds, job, found)
    }

    fn pauses(&self, job: &Job<'_>, found: &Found) -> bool {
        self.cube.approaches(job, found)
    }
}

/// A table, and the one behind it.
fn both(coset: Coset) -> impl Iterator<Item = Coset> {
    coset.behind().into_iter().chain([coset])
}

/// Seconds that the threads at hand take to build a table.
fn build_seconds(coset: Coset) -> f64 {
    let table = Coset::ALL.iter().position(|&other| other == coset).unwrap_or(0);
    BUILD_SECONDS[table] * coset.entries() as f64 / 1e6 / rayon::current_num_threads() as f64
}
