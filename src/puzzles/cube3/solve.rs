//! Solves a cube with the configured heuristic.

use super::tables::CubeTables;
use super::{Choice, Cube};
use crate::puzzle::{Aim, Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use cube::CubeManhattan;

impl Cube {
    /// Runs the searches that the heuristic and the job's aim ask for.
    pub(super) fn solve_cube(
        &self,
        start: &cube::Cube,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        match self.game.choice {
            Choice::Manhattan => {
                let manhattan = CubeManhattan::new(self.game.domain.metric());
                let automaton = self.automaton(job.keep(), job)?;
                found.search(&self.game.domain, &manhattan, automaton, start, job);
                Ok(())
            }
            Choice::Korf97 => {
                let stopwatch = Stopwatch::start();
                let korf97 = self.game.tables.korf97(job);
                found.tables = stopwatch.wall();
                let korf97 = korf97?;
                found.table_bytes = CubeTables::bytes_needed(Choice::Korf97);
                let automaton = self.automaton(job.keep(), job)?;
                found.search_tables(&self.game.domain, korf97, automaton, start, job);
                Ok(())
            }
            Choice::Best if job.aim == Aim::NearOptimal => self.near(start, job, found),
            Choice::Best => self.climb(start, job, found),
        }
    }
}
