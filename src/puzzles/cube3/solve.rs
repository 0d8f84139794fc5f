//! Solving with a heuristic, and putting reports together into an answer.

use super::tables::Tables;
use super::{Choice, Cube};
use crate::puzzle::{Aim, Answer, Failure, Job};
use crate::runs::{Found, pruning_name};
use crate::timing::Stopwatch;
use cube::{Cube3, CubeManhattan};
use fsm::Keep;
use search::{Heuristic, Outcome};

impl Cube {
    pub(super) fn solve_cube(&self, start: &cube::Cube, job: &Job<'_>) -> Result<Answer, Failure> {
        let keep = if job.plans > 1 { Keep::AllOptimal } else { Keep::OneOptimal };
        let mut found = Found { heuristic: self.settings.heuristic.clone(), ..Found::default() };
        let result = match self.choice {
            Choice::Manhattan => {
                let manhattan = CubeManhattan::new(self.domain.metric());
                self.search_with(&manhattan, start, keep, job, &mut found)
            }
            Choice::Korf97 => {
                let stopwatch = Stopwatch::start();
                let korf97 = self.tables.korf97(job);
                found.tables = stopwatch.wall();
                korf97.and_then(|korf97| {
                    found.table_bytes = Tables::bytes_needed(Choice::Korf97);
                    self.search_with(korf97, start, keep, job, &mut found)
                })
            }
            Choice::Best if job.aim == Aim::NearOptimal => self.near(start, job, &mut found),
            Choice::Best => self.climb(start, keep, job, &mut found),
        };
        match result {
            // What is proven already is not lost with a table.
            Err(failure) if failure.is_cancelled() => found.outcome = Some(Outcome::Cancelled),
            other => other?,
        }
        self.answer(start, found)
    }

    /// One search with a heuristic over plain cubes.
    fn search_with<H: Heuristic<Cube3>>(
        &self,
        heuristic: &H,
        start: &cube::Cube,
        keep: Keep,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let automaton = self.automaton(keep, job)?;
        found.search(&self.domain, heuristic, &automaton, start, job);
        Ok(())
    }

    /// The answer, its plans replayed on the stickers.
    fn answer(&self, start: &cube::Cube, found: Found) -> Result<Answer, Failure> {
        let pruning = pruning_name(self.settings.pruning, self.depth());
        found.answer(pruning, |plan| self.names(plan), |plan| self.replay(start, plan))
    }
}
