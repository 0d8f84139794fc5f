//! Proven plans of puzzles whose moves commute: [`CommutingMoves`].

use super::first_plans::{FirstPlans, pieces_of};
use crate::puzzle::{Aim, Result};
use crate::puzzles::approach::{self, Approach, DEAR, FEW_NODES};
use crate::run::Run;
use crate::settings::PruningChoice;
use anytime::Pieces;
use groups::{CommutingGroup, FewestWords};
use permutation::{PuzzleLabels, PuzzlePoints, PuzzleState};
use search::{Cost, Limit, Op, OperatorRules, Outcome, Start, Sweep, deepen};
use std::sync::Arc;

/// A puzzle whose moves commute and come with all their powers, each at cost 1. The order of moves
/// does not count then, and a plan is the solution of linear equations.
pub(super) struct CommutingMoves {
    points: PuzzlePoints,
    pieces: Pieces,
    group: CommutingGroup,
}

impl CommutingMoves {
    /// `None` if the puzzle is no such puzzle, or has rules, or pieces that look alike.
    pub(super) fn new(labels: &Arc<PuzzleLabels>, rules: &OperatorRules) -> Option<Self> {
        if !rules.is_empty() || !labels.list().all_cost_one() {
            return None;
        }
        let points = PuzzlePoints::new(labels)?;
        let pieces = pieces_of(&points);
        if !pieces.are_distinct() {
            return None;
        }
        let generators: Vec<_> =
            points.generators().ok()?.into_iter().map(|(one, _)| one).collect();
        let group = CommutingGroup::new(&generators)?;
        Some(Self { points, pieces, group })
    }

    /// Whether the search gives what a run asks for: one plan.
    pub(super) fn serves(&self, run: &Run<'_>) -> bool {
        let request = &run.request;
        run.is_for_one()
            && request.min_length == 0
            && request.planner.is_none()
            && request.keeper.is_none()
            && request.reader.is_none()
            && request.team.is_none()
    }

    /// Searches for a plan of fewest moves. If the first bounds do not have it, a plan that is not
    /// proven comes before the others.
    pub(super) fn search(
        &self,
        (approach, start): (&Approach<'_>, &PuzzleState),
        first: Option<&FirstPlans>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let aims = run.request.aim == Aim::NearOptimal;
        let raise = |run: &mut Run<'_>| {
            self.raise_bound(start, run);
            Ok(())
        };
        let timed = run.request.limits.time.is_some() || run.request.deadline.is_some();
        run.near_first(DEAR, raise, |run| {
            if let Some(first) = first.filter(|_| aims || approach::is_of_use(run, false)) {
                let find = |run: &mut Run<'_>| first.find((approach, start), FEW_NODES, run);
                run.with(|request| request.aim = Aim::Optimal, find)?;
                approach.lose_patience(run);
            }
            // Without a limit of time, a plan is all that is wanted where a proof may take long.
            if aims && !timed && approach.is_hopeless { Ok(()) } else { raise(run) }
        })?;
        if let (Some(first), true) = (first, aims) {
            match run.results().outcome().cloned() {
                Some(Outcome::LimitReached(Limit::Bound) | Outcome::Solved(_)) | None => {}
                Some(Outcome::LimitReached(_)) if !run.has_approached() => {
                    return first.find((approach, start), FEW_NODES, run);
                }
                Some(ended) => run.end_with_known(ended),
            }
        }
        Ok(())
    }

    /// Raises the bound until there is a plan or a limit is reached. A bound looks at all sets of
    /// so many different moves; a set counts as a node.
    fn raise_bound(&self, start: &PuzzleState, run: &mut Run<'_>) {
        run.reads("equations", 0);
        run.prunes(PruningChoice::None.name(0));
        let images = self.points.images(start);
        let element = images.and_then(|images| self.pieces.element(&images));
        let element = element.map(|element| element.inverse());
        run.search_by(&|options| {
            let first = if element.is_some() { Start::Bound(0) } else { Start::DeadEnd };
            deepen(first, options, |bound: Cost, stop| {
                let Some(element) = &element else { return Sweep::nothing(0, 0) };
                let count = usize::from(bound);
                let FewestWords { word, sets, .. } = self.group.word_of(element, count, stop);
                let more = count < self.group.families();
                let cost = word
                    .as_ref()
                    .map_or(bound, |word| Cost::try_from(word.len()).unwrap_or(Cost::MAX));
                let plans = word.map(|word| word.into_iter().map(Op::new).collect());
                Sweep {
                    least: more.then(|| bound.saturating_add(1)),
                    plans: plans.into_iter().collect(),
                    cost,
                    ..Sweep::nothing(sets, sets)
                }
            })
        });
    }
}
