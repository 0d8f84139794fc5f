//! Solves a cube with the configured heuristic.

use super::tables::CubeTables;
use super::{Choice, Cube};
use crate::puzzle::{Aim, Failure};
use crate::run::Run;
use cube::CubeManhattan;

impl Cube {
    /// Runs the searches that the heuristic and the aim of the request ask for.
    pub(super) fn solve_cube(&self, start: &cube::Cube, run: &mut Run<'_>) -> Result<(), Failure> {
        match self.game.choice {
            Choice::Manhattan => {
                let manhattan = CubeManhattan::new(self.game.domain.metric());
                let automaton = self.automaton(run.keep(), run)?;
                run.search(&self.game.domain, &manhattan, automaton, start);
                Ok(())
            }
            Choice::Korf97 => {
                let korf97 = run.tables(|run| self.game.tables.korf97(run))?;
                run.reads_bytes(CubeTables::bytes_needed(Choice::Korf97));
                let automaton = self.automaton(run.keep(), run)?;
                run.search_tables(&self.game.domain, korf97, automaton, start);
                Ok(())
            }
            Choice::Best if run.request.aim == Aim::NearOptimal => self.near(start, run),
            Choice::Best => self.climb(start, run),
        }
    }
}
