//! First plans in metrics that count pairs of turns: those of the two-phase search.

use super::shape::Moves;
use super::views::View;
use crate::puzzle::Puzzle;
use crate::puzzles::permutation::OwnPlans;
use cube::Facelets;
use cube::notation::parse_moves;
use search::Op;
use std::sync::Arc;

/// Plans for cubes as a view has them: those of the near-optimal search in half turns, in which
/// turns of opposite faces that follow each other are joined. `None` if some moves are not allowed,
/// or have costs: such a plan may then be none, or dear.
pub(super) fn joined(plain: &Arc<dyn Puzzle>, view: View, moves: &Moves) -> Option<OwnPlans> {
    if moves.turned.is_some() || moves.costs.iter().any(|&cost| cost != 1) {
        return None;
    }
    let (plain, all) = (Arc::clone(plain), moves.all.clone());
    Some(Box::new(move |state, request| {
        let cube = Facelets::from(&view.cube_of(state)?).to_string();
        let answer = plain.solve(&cube, request).ok()?;
        let turns = all.read(&parse_moves(&answer.plans.first()?.join(" ")).ok()?);
        let operator = |number| view.moves.iter().position(|&own| own == number).map(Op::new);
        let plan = all.joined(&turns).into_iter().map(operator).collect::<Option<_>>()?;
        Some((plan, answer.near.map_or(0, |near| near.generated)))
    }))
}
