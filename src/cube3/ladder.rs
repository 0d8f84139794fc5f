//! What `best` does: search with a small table first, and climb to a larger one when that pays.
//!
//! A larger table prunes more but must first be built. After each iteration the time of the next one is predicted from the growth
//! of the last; of the rungs that fit, that one is taken with which build and iteration together are soonest done, and with them the
//! other states that are known to wait. A table whose file exists is taken at once. Every bound proven on one rung holds on the next, so nothing is
//! searched twice.

use super::Cube;
use crate::climb::{self, Rungs};
use crate::prunings::{self, Automata};
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use cube::ByteCube3;
use cube::cosets::{Axes, Family};
use fsm::Keep;
use pdb::Rung;
use pdb::coset::Views;
use search::{TwoSided, self_symmetries};

/// The rungs, smallest first: table family, and how many times fewer nodes it needs than the one before (measured,
/// docs/MEASUREMENTS.md).
const RUNGS: [(Family, f64); 4] =
    [(Family::G256, 1.0), (Family::G1, 6.0), (Family::Tet108, 2.0), (Family::Tet112, 6.0)];

/// Seconds of one thread to build a million entries (measured, docs/MEASUREMENTS.md).
const BUILD_SECONDS: f64 = 0.025;

/// Growth of an iteration from the one before, where there is only one yet: the branching factor of the half-turn metric.
const GROWTH: f64 = 13.35;

impl Cube {
    /// The rungs that fit a memory budget, each with those below it: a rung left behind stays in memory.
    pub(super) fn rungs(memory: u64) -> impl DoubleEndedIterator<Item = (Family, f64)> {
        let mut bytes = 0;
        let fits = |&&(family, _): &&(Family, f64)| {
            bytes += family.bytes();
            bytes <= memory
        };
        let fit = RUNGS.iter().take_while(fits).count();
        RUNGS.into_iter().take(fit)
    }

    /// The memory for rungs: what the small tables of the near-optimal search leave.
    pub(super) fn rung_memory(&self) -> u64 {
        self.settings.memory - self.near_bytes().unwrap_or(0)
    }

    /// The ladder for a state.
    pub(super) fn ladder<'a>(&'a self, start: &'a cube::Cube) -> Ladder<'a> {
        Ladder { cube: self, start, rungs: Self::rungs(self.rung_memory()).collect() }
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
    pub(super) rungs: Vec<(Family, f64)>,
}

impl Rungs<ByteCube3> for Ladder<'_> {
    type Heuristic = Views<ByteCube3, Axes>;

    fn count(&self) -> usize {
        self.rungs.len()
    }

    fn at_hand(&self, rung: usize) -> bool {
        self.cube.tables.at_hand(self.rungs[rung].0)
    }

    fn rung(&self, rung: usize) -> Rung {
        let (family, gain) = self.rungs[rung];
        Rung { build: if self.at_hand(rung) { 0.0 } else { build_seconds(family) }, gain }
    }

    fn named(&self, rung: usize) -> (String, u64) {
        let family = self.rungs[rung].0;
        (self.cube.tables.coset_spec(family).name, family.bytes())
    }

    fn table(&self, rung: usize, job: &Job<'_>) -> Result<&Self::Heuristic, Failure> {
        self.cube.tables.views(self.rungs[rung].0, job)
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

/// Seconds that the threads at hand take to build the table of a family.
fn build_seconds(family: Family) -> f64 {
    BUILD_SECONDS * family.entries() as f64 / 1e6 / rayon::current_num_threads() as f64
}
