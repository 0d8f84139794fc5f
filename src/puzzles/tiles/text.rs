//! Boards as text, for every metric: numbers, or moves of the blank from the goal.

use crate::puzzle::{InvalidInput, Place};
use crate::settings::{ConfigureError, GoalChoice};
use search::{Domain, Op, OpSet, Plan};
use tiles::{AnyTiles, Board, BoardError, PlanError, WideWord};

impl From<BoardError> for InvalidInput {
    fn from(error: BoardError) -> Self {
        Self::new(&error).at(Place::squares(error.squares()))
    }
}

impl From<PlanError> for InvalidInput {
    fn from(error: PlanError) -> Self {
        Self::new(&error).at(Place::word(error.place))
    }
}

/// The puzzle with the goal that the settings name.
pub(super) fn with_goal(board: AnyTiles, goal: &GoalChoice) -> Result<AnyTiles, ConfigureError> {
    match goal {
        GoalChoice::Solved => Ok(board),
        GoalChoice::State(goal) => {
            let other = board.with_goal_text(goal);
            Ok(other.map_err(|error| InvalidInput::from(error).within("goal"))?)
        }
    }
}

/// How moves of a metric are read and written.
pub(super) struct MoveText<'a> {
    pub(super) parse: &'a dyn Fn(&str) -> Result<Plan, PlanError>,
    pub(super) name: &'a dyn Fn(Op) -> String,
}

/// Reads the numbers of a board, or moves of the blank from the goal.
pub(super) fn read_board<D: Domain<State = Board<WideWord>>>(
    (tiles, domain): (&AnyTiles, &D),
    state: &str,
    moves: &MoveText<'_>,
) -> Result<Board<WideWord>, InvalidInput> {
    let first = (moves.parse)(state.split_whitespace().next().unwrap_or_default());
    if first.is_ok_and(|first| !first.is_empty()) {
        return after(domain, tiles.goal(), &(moves.parse)(state)?, moves.name);
    }
    tiles.parse(state).map_err(|error| {
        let hint = match error {
            BoardError::Parity(_) => hint(tiles, state),
            _ => "",
        };
        InvalidInput::from(error).reworded(|error| format!("{hint}{error}"))
    })
}

/// The board to which moves lead from the goal.
///
/// # Errors
/// At the first move that the blank cannot make.
fn after<D: Domain<State = Board<WideWord>>>(
    domain: &D,
    goal: Board<WideWord>,
    moves: &[Op],
    name: &dyn Fn(Op) -> String,
) -> Result<Board<WideWord>, InvalidInput> {
    let mut board = goal;
    for (number, &op) in (1..).zip(moves) {
        if !domain.applicable(&board).contains(op) {
            let error = format_args!("move {number}, {}, leaves the board", name(op));
            return Err(InvalidInput::new(error).at(Place::word(number)));
        }
        let before = board;
        domain.apply_into(&before, op, &mut board);
    }
    Ok(board)
}

/// A hint for a board from which no plan leads to the goal.
///
/// Many people write the solved board with the blank last. Half of all boards can reach only that
/// one.
fn hint(tiles: &AnyTiles, state: &str) -> &'static str {
    let solves = |goal: Result<AnyTiles, BoardError>| goal.and_then(|goal| goal.parse(state));
    if solves(tiles.with_goal_text("last")).is_ok() {
        "with the blank last in the goal it can be solved: --goal last; with this goal, "
    } else {
        ""
    }
}
