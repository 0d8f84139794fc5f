//! The 15-puzzle as a `Domain` that carries its heuristic, as in docs/FROM_PATHFINDING.md.

use super::boards::{Board, GOAL, distance};
use fewest::search::{
    Claims, Cost, Domain, Heuristic, InversePruning, Op, Options, Reversible, Verdict, ida_star,
};

struct Fifteen;

#[derive(Clone, PartialEq, Debug)]
struct State {
    tiles: Board,
    blank: u8,
}

/// The operators move the blank up, left, right and down.
impl Domain for Fifteen {
    type State = State;
    type Ops = u32;
    const UNROLL: bool = true;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, state: &State) -> u32 {
        let (row, column) = (state.blank / 4, state.blank % 4);
        let open = [row > 0, column > 0, column < 3, row < 3];
        open.iter().rev().fold(0, |set, &open| set << 1 | u32::from(open))
    }
    fn apply_into(&self, from: &State, op: Op, to: &mut State) {
        to.clone_from(from);
        to.blank = from.blank.wrapping_add_signed([-4, -1, 1, 4][op.index()]);
        to.tiles.swap(from.blank.into(), to.blank.into());
    }
    fn is_goal(&self, state: &State) -> bool {
        state.tiles == GOAL
    }
}

impl Reversible for Fifteen {
    fn inverse_op(&self, op: Op) -> Op {
        Op(3 - op.0)
    }
}

/// Manhattan distance. A slide changes the distance of one tile only.
struct Manhattan;

impl Heuristic<Fifteen> for Manhattan {
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn root(&self, _: &Fifteen, state: &State) -> Cost {
        let tiles = (0..).zip(state.tiles).filter(|&(_, tile)| tile != 0);
        tiles.map(|(place, tile)| distance(tile, place)).sum()
    }
    fn child(&self, _: &Fifteen, from: &State, carry: &Cost, _: Op, to: &State) -> Cost {
        let tile = from.tiles[usize::from(to.blank)];
        carry + distance(tile, from.blank) - distance(tile, to.blank)
    }
    fn bound(&self, _: &Fifteen, _: &State, carry: &mut Cost, _: Cost) -> Verdict<u32> {
        Verdict::bound(*carry)
    }
}

/// The least cost of a plan, and the number of expanded states.
pub(crate) fn solve(start: &Board) -> (u32, u64) {
    let blank = (0..).zip(start).find(|(_, tile)| **tile == 0).map_or(0, |(place, _)| place);
    let state = State { tiles: *start, blank };
    let pruning = InversePruning;
    let report = ida_star(&Fifteen, &Manhattan, &pruning, &state, &Options::default());
    (report.lower_bound.into(), report.expanded())
}
