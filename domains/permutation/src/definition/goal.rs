//! Another goal for a puzzle: a pattern that tells fewer pieces and orientations apart.

use super::{Definition, OrbitState, PuzzleState};
use crate::error::{Complaint, Hint};
use std::collections::HashMap;

/// What a goal tells apart: the number, the modulus and the turn that each piece gets.
#[derive(Clone, Debug)]
pub struct GoalMask {
    /// The solved state of the goal; its orbits and its pieces are those of every masked state.
    goal: PuzzleState,
    /// By orbit: what each piece of the definition becomes.
    pieces: Vec<HashMap<u16, Label>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label {
    piece: u16,
    /// As in [`OrbitState::modulus`].
    modulus: u8,
    /// Orientations that count: the modulus, or all.
    turns: u8,
    turn: u8,
}

impl GoalMask {
    /// The state as the goal sees it.
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
    /// The same puzzle with one goal. The mask turns states of this puzzle into states of that.
    ///
    /// A goal with the pieces of the solved state is another state to reach. Any other goal says
    /// of each slot how the piece that is solved there looks: pieces with one number look alike,
    /// and orientations count modulo what is known.
    pub(crate) fn with_goal(&self, goal: PuzzleState) -> Result<(Self, GoalMask), Complaint> {
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

    /// How the goal sees the piece that is solved in a slot.
    fn label(&self, goal: &PuzzleState, orbit: usize, slot: usize) -> Result<Label, Complaint> {
        let all = self.orbits[orbit].orientations();
        let known = |state: &PuzzleState| match state.modulus(orbit)[slot] {
            0 => all,
            modulus => modulus,
        };
        let (seen, least) = (known(goal), known(self.start()));
        // What the definition does not know, no goal can ask for.
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
