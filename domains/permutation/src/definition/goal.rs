//! Other goals for a puzzle. A goal may distinguish fewer pieces and orientations than the puzzle.

use super::{Definition, OrbitState, PuzzleState};
use crate::error::{Complaint, Hint};
use std::collections::HashMap;

/// Converts states of a puzzle to states for another goal. Gives each piece the number that the
/// goal has for it, and shifts its orientation accordingly.
#[derive(Clone, Debug)]
pub struct GoalMask {
    /// The goal. All states that the mask returns have its orbits and its pieces.
    goal: PuzzleState,
    /// For each orbit: the label of each piece number of the definition.
    pieces: Vec<HashMap<u16, Label>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label {
    piece: u16,
    /// How much of the orientation is known, as in [`OrbitState::modulus`].
    modulus: u8,
    /// The number of orientations that the goal distinguishes.
    turns: u8,
    /// The number that is added to the orientation.
    turn: u8,
}

impl GoalMask {
    /// The same state with the piece numbers and orientations of the goal.
    ///
    /// # Panics
    /// If it has other pieces than the solved state of the definition.
    pub fn apply(&self, state: &PuzzleState) -> PuzzleState {
        let row = |(orbit, labels): (usize, &HashMap<u16, Label>)| {
            let slots = state.pieces(orbit).iter().zip(state.orientation(orbit));
            let mut row = OrbitState::default();
            for (piece, &turn) in slots {
                let label = labels[piece];
                row.pieces.push(label.piece);
                row.modulus.push(label.modulus);
                let turn = u16::from(turn) + u16::from(label.turn);
                row.orientation.push((turn % u16::from(label.turns)).to_le_bytes()[0]);
            }
            row
        };
        let rows = self.pieces.iter().enumerate().map(row).collect();
        let masked = PuzzleState::new(self.goal.orbits(), rows);
        masked.unwrap_or_else(|error| unreachable!("the mask was checked: {error}"))
    }
}

impl Definition {
    /// Returns the same puzzle with this goal alone, and the mask that converts states of this
    /// puzzle to states of the new one.
    ///
    /// If the goal has the pieces of the solved state, it is simply another state to reach. Any
    /// other goal renumbers pieces: the piece that the solved state has in a slot gets the number
    /// that the goal has there. Pieces with the same number look alike. Orientations count modulo
    /// the goal's modulus.
    ///
    /// # Errors
    /// - The goal is illegal.
    /// - It distinguishes identical pieces, or orientations that the solved state does not know.
    /// - It has other pieces than the solved state, and the rules name illegal pieces or blocks.
    pub fn with_goal(&self, goal: PuzzleState) -> Result<(Self, GoalMask), Complaint> {
        let same = self.start().same_pieces(&goal).is_ok();
        if let Some((orbit, slot)) = self.illegal_at(&goal).filter(|_| same) {
            return Err(self.illegal_complaint(&goal, orbit, slot, "a goal that is legal"));
        }
        if !same && self.rules.restrict_states() {
            let expected = "the pieces of the solved state, as Illegal and Block name pieces";
            return Err(Complaint::new("a goal with other pieces", expected));
        }
        let seen = if same { self.start() } else { &goal };
        let mut pieces = Vec::new();
        for orbit in 0..self.orbits.len() {
            let mut labels: HashMap<u16, Label> = HashMap::new();
            for slot in 0..self.orbits[orbit].pieces() {
                let label = self.label(seen, orbit, slot)?;
                let piece = self.start().pieces(orbit)[slot];
                if *labels.entry(piece).or_insert(label) != label {
                    let found = "identical pieces that the goal tells apart";
                    let expected = "one number and one orientation for both";
                    return Err(Complaint::new(found, expected));
                }
            }
            pieces.push(labels);
        }
        let mask = GoalMask { goal: seen.clone(), pieces };
        let goal = if same { goal } else { mask.apply(self.start()) };
        Ok((self.with_states(vec![goal], self.rules.clone()), mask))
    }

    /// The label for the piece that the solved state has in a slot.
    fn label(&self, goal: &PuzzleState, orbit: usize, slot: usize) -> Result<Label, Complaint> {
        let all = self.orbits[orbit].orientations();
        let known = |state: &PuzzleState| match state.modulus(orbit)[slot] {
            0 => all,
            modulus => modulus,
        };
        let (seen, least) = (known(goal), known(self.start()));
        // A goal can ask for no more than the definition knows.
        let turns = if seen == all { least } else { seen };
        if least % turns != 0 {
            let found = format!("a goal that knows an orientation modulo {turns}");
            let complaint = Complaint::new(found, format!("a divisor of {least}"));
            return Err(complaint.hint(Hint::UnknownTogether));
        }
        let turn = |state: &PuzzleState| state.orientation(orbit)[slot] % turns;
        let turn = (u16::from(turn(goal)) + u16::from(turns) - u16::from(turn(self.start())))
            % u16::from(turns);
        Ok(Label {
            piece: goal.pieces(orbit)[slot],
            modulus: if turns == all { 0 } else { turns },
            turns,
            turn: turn.to_le_bytes()[0],
        })
    }
}
