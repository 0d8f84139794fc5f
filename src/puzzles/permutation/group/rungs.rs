//! The tables of the ladder's rungs, ready to be searched with states of one size.

use super::ladder::{Ladder, MOST};
use crate::cache::Once;
use crate::ladder::climb::Rungs;
use crate::ladder::{Growth, Rung, next_factor};
use crate::puzzle::Result;
use crate::puzzles::approach::{DEAR, FEW_NODES, LEAST_NODES, NODES};
use crate::puzzles::permutation::first_plans::FirstPlans;
use crate::puzzles::permutation::model::PuzzleModel;
use crate::run::Run;
use pdb::coset::Views;
use pdb::file::TableSpec;
use permutation::cosets::SlotViews;
use permutation::{GroupPuzzle, PuzzleState};
use search::OpSet;

/// A rung's table with its views (the symmetric ways to look a state up), and the specification of
/// its file.
type RungTable<const N: usize, O> = (Views<GroupPuzzle<N, O>, SlotViews<N>>, TableSpec);

/// The tables of the rungs, as far as they are in memory.
pub(super) struct RungViews<const N: usize, O: OpSet>([Once<RungTable<N, O>>; MOST]);

impl<const N: usize, O: OpSet> Default for RungViews<N, O> {
    fn default() -> Self {
        Self(Default::default())
    }
}

impl<const N: usize, O: OpSet> RungViews<N, O> {
    /// A rung's table. It is loaded or built at the first call.
    pub(super) fn get_or_make(
        &self,
        puzzle: &GroupPuzzle<N, O>,
        ladder: &Ladder,
        rung: usize,
        run: &Run<'_>,
    ) -> Result<&RungTable<N, O>> {
        self.0[rung].get_or_make(run, || {
            let (reduced, table, spec) = ladder.table(rung, run)?;
            let views = SlotViews::new(puzzle, &reduced);
            let views = views.and_then(|it| Views::new(puzzle, it, table).ok());
            let views =
                views.unwrap_or_else(|| unreachable!("candidates are small and cost 1 a move"));
            Ok((views, spec))
        })
    }
}

/// A ladder with its puzzle and its tables, as [`Rungs`] that a search can climb.
pub(super) struct Steps<'a, const N: usize, O: OpSet> {
    pub(super) ladder: &'a Ladder,
    pub(super) puzzle: &'a GroupPuzzle<N, O>,
    pub(super) views: &'a RungViews<N, O>,
    /// What a search looks for plans with: the model, and the state. `None`: it looks for none.
    pub(super) first: Option<(&'a PuzzleModel, Option<PuzzleState>)>,
}

impl<const N: usize, O: OpSet> Rungs<GroupPuzzle<N, O>> for Steps<'_, N, O> {
    type Table<'t>
        = &'t Views<GroupPuzzle<N, O>, SlotViews<N>>
    where
        Self: 't;

    fn count(&self) -> usize {
        self.ladder.rungs()
    }

    fn at_hand(&self, rung: usize) -> bool {
        self.views.0[rung].get().is_some() || self.ladder.has_file(rung)
    }

    fn rung(&self, rung: usize) -> Rung {
        self.ladder.rung(rung, self.at_hand(rung))
    }

    fn named(&self, rung: usize) -> (String, u64) {
        let held = self.views.0[rung].get().map(|(_, spec)| spec.payload_bytes);
        (self.ladder.name(rung), held.unwrap_or_else(|| self.ladder.bytes(rung)))
    }

    fn table(&self, rung: usize, run: &Run<'_>) -> Result<Self::Table<'_>> {
        self.views.get_or_make(self.puzzle, self.ladder, rung, run).map(|(views, _)| views)
    }

    fn leave(&self, rung: usize) {
        self.ladder.leave(rung);
    }

    fn left(&self, rung: usize) -> bool {
        self.ladder.left(rung)
    }

    fn bytes(&self) -> u64 {
        let held = self.views.0.iter().filter_map(Once::get);
        held.map(|(views, spec)| spec.payload_bytes + views.cosets().bytes()).sum()
    }

    fn growth(&self) -> Growth {
        self.ladder.growth()
    }

    fn before(&self, builds: bool, run: &mut Run<'_>) -> Result<()> {
        let Some((model, start)) = &self.first else { return Ok(()) };
        let last = run.results().iterations().last().map_or(0, |last| last.generated);
        if last >= DEAR || builds {
            // A first table may be there in a second.
            let nodes = if last >= DEAR { NODES } else { FEW_NODES };
            return model.look(|| start.clone(), nodes, run);
        }
        let next = last as f64 * next_factor(run.results().iterations(), self.growth());
        let may_be = |first: &FirstPlans| !first.is_hopeless();
        let is_first = run.results().upper().is_none();
        if is_first && next >= DEAR as f64 && model.approaches(run).is_some_and(may_be) {
            // Some plan before the first iteration of seconds, and a better one before the next.
            model.look(|| start.clone(), LEAST_NODES, run)?;
            if run.results().upper().is_some() {
                run.approaches_again();
            }
        }
        Ok(())
    }

    fn pauses(&self, run: &Run<'_>) -> bool {
        self.first.as_ref().is_some_and(|(model, _)| model.approaches(run).is_some())
    }
}
