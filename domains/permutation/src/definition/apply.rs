//! Applies the rules of a definition to states: goal tests, illegal states, turns, and states
//! written as moves.

use super::Definition;
use super::moves::MoveKind;
use super::names::{MoveRef, Turn};
use super::notation::{LONGEST_STATE, parse, parse_placed};
use super::state::PuzzleState;
use super::transformation::Transformation;
use crate::error::{Complaint, DefinitionError, TextFormat, quoted};
use crate::format::position;

/// The error about the byte of a text of moves.
fn wrong_moves(text: &str, (at, complaint): (usize, Complaint)) -> DefinitionError {
    let (line, column) = position(text, at);
    let complaint = Box::new(complaint);
    DefinitionError::Malformed { form: TextFormat::Moves, line, column, complaint }
}

impl Definition {
    /// Whether a state is a goal: it equals a goal state in all slots that the definition does not
    /// ignore.
    pub fn is_goal(&self, state: &PuzzleState) -> bool {
        let Some(ignore) = &self.rules.ignore else { return self.goals.contains(state) };
        let (pieces, turns) = state.rows();
        self.goals.iter().any(|goal| {
            let (goal_pieces, goal_turns) = goal.rows();
            (0..pieces.len()).all(|slot| {
                (ignore.pieces[slot] || pieces[slot] == goal_pieces[slot])
                    && (ignore.orientation[slot] || turns[slot] == goal_turns[slot])
            })
        })
    }

    /// The orbit and slot of the first piece that lies in a slot where the rules forbid it. `None`
    /// if the state is legal.
    pub fn illegal_at(&self, state: &PuzzleState) -> Option<(usize, usize)> {
        let breaks =
            self.rules.illegal.iter().find(|rule| {
                rule.pieces.binary_search(&state.pieces(rule.orbit)[rule.slot]).is_ok()
            });
        breaks.map(|rule| (rule.orbit, rule.slot))
    }

    pub(crate) fn illegal_complaint(
        &self,
        state: &PuzzleState,
        orbit: usize,
        slot: usize,
        expected: &str,
    ) -> Complaint {
        let piece = u32::from(state.pieces(orbit)[slot]) + 1;
        let name = self.orbits[orbit].name();
        let found = format!(
            "piece {piece} in slot {} of {} (counted from 1), which is illegal",
            slot + 1,
            quoted(name)
        );
        Complaint::new(found, expected)
    }

    /// Whether a move of the file may be made in a state. It must move all pieces of each block, or
    /// none of them.
    ///
    /// If a move is allowed, so are its powers. `base` is an index of
    /// [`MoveSet::base`](crate::MoveSet::base).
    pub fn blocks_allow(&self, state: &PuzzleState, base: usize) -> bool {
        let transformation = &self.moves.base[base].transformation;
        self.rules.blocks.iter().all(|block| {
            let mut moved = block.pieces.iter().map(|&(orbit, piece)| {
                let slot = state.pieces(orbit).iter().position(|&other| other == piece);
                slot.is_some_and(|slot| transformation.moves_slot(orbit, slot))
            });
            let first = moved.next();
            moved.all(|moved| Some(moved) == first)
        })
    }

    /// The state after a turn. A derived move is expanded, and each of its turns must be allowed.
    ///
    /// # Errors
    /// If a turn would tear a block apart or leads to an illegal state. Also if a derived move has
    /// more than 100,000 turns when expanded.
    pub fn after(&self, state: &PuzzleState, turn: Turn) -> Result<PuzzleState, Complaint> {
        if !self.rules.restrict_states() {
            return Ok(state.apply(&self.moves.transformation(turn)));
        }
        let Some(turns) = self.written_out(turn) else {
            let found = format!(
                "more than {LONGEST_STATE} moves in {}",
                quoted(&self.moves.turn_text(turn))
            );
            return Err(Complaint::new(found, "at most that many"));
        };
        turns.into_iter().try_fold(state.clone(), |state, (base, amount)| {
            let turn = Turn { of: MoveRef::Base(base), amount };
            if !self.blocks_allow(&state, base) {
                let found = format!(
                    "{}, which would tear a block apart",
                    quoted(&self.moves.turn_text(turn))
                );
                return Err(Complaint::new(
                    found,
                    "a move that takes all pieces of a block or none",
                ));
            }
            let next = state.apply(&self.moves.transformation(turn));
            let Some((orbit, slot)) = self.illegal_at(&next) else { return Ok(next) };
            let expected = format!("a legal state after {}", quoted(&self.moves.turn_text(turn)));
            Err(self.illegal_complaint(&next, orbit, slot, &expected))
        })
    }

    /// Expands a turn to turns of base moves, each as index and amount. `None` if there are more
    /// than [`LONGEST_STATE`].
    fn written_out(&self, turn: Turn) -> Option<Vec<(usize, i32)>> {
        let (mut todo, mut out) = (vec![turn], Vec::new());
        while let Some(turn) = todo.pop() {
            let index = match turn.of {
                MoveRef::Base(base) => {
                    out.push((base, turn.amount));
                    continue;
                }
                MoveRef::Derived(index) => index,
            };
            let inner = &self.moves.derived[index].turns;
            let times = usize::try_from(turn.amount.unsigned_abs()).ok()?;
            let length = inner.len().checked_mul(times)?.checked_add(todo.len() + out.len())?;
            if length > LONGEST_STATE {
                return None;
            }
            // The last turn on the stack is made first.
            for _ in 0..times {
                if turn.amount > 0 {
                    todo.extend(inner.iter().rev());
                } else {
                    todo.extend(inner.iter().map(|turn| turn.inverse()));
                }
            }
        }
        Some(out)
    }

    /// The rotation of the whole puzzle that turns make together with others. `None` if there is
    /// none among them, or they cancel.
    pub fn whole_rotation(&self, turns: &[Turn]) -> Option<Transformation> {
        let mut whole = Transformation::identity(&self.orbits);
        for &turn in turns {
            for (base, amount) in self.written_out(turn)? {
                if self.moves.base[base].kind == MoveKind::Rotation {
                    let turn = Turn { of: MoveRef::Base(base), amount };
                    whole = whole.then(&self.moves.transformation(turn));
                }
            }
        }
        (!whole.is_identity()).then_some(whole)
    }

    /// Reads a sequence of moves of this puzzle.
    ///
    /// If several names fit, the longest is taken, so blanks may be left out. Amounts follow a name
    /// (`R2'`, `3-4r`). `(R U)2` repeats a group, `[R, U]` is a commutator, `[R: U]` a conjugate.
    ///
    /// # Errors
    /// If the text is not such a sequence. The error has the place, what stands there, and what was
    /// expected.
    pub fn parse_moves(&self, text: &str) -> Result<Vec<Turn>, DefinitionError> {
        parse(&self.moves.names, text, LONGEST_STATE).map_err(|wrong| wrong_moves(text, wrong))
    }

    /// Reads a state, given as the moves that lead to it from the solved state.
    ///
    /// # Errors
    /// As [`Definition::parse_moves`]. Also if a rule forbids one of the moves.
    pub fn parse_state(&self, text: &str) -> Result<PuzzleState, DefinitionError> {
        let placed = parse_placed(&self.moves.names, text, LONGEST_STATE);
        let (turns, places): (Vec<_>, Vec<_>) =
            placed.map_err(|wrong| wrong_moves(text, wrong))?.into_iter().unzip();
        self.state_after(&turns).map_err(|(index, mut complaint)| {
            complaint.expected = format!("{} (move {} of them)", complaint.expected, index + 1);
            wrong_moves(text, (places[index], complaint))
        })
    }

    /// The state after turns of the solved state. If a rule forbids a turn, the error has its
    /// index.
    pub(crate) fn state_after(&self, turns: &[Turn]) -> Result<PuzzleState, (usize, Complaint)> {
        turns.iter().enumerate().try_fold(self.start().clone(), |state, (index, &turn)| {
            self.after(&state, turn).map_err(|complaint| (index, complaint))
        })
    }
}
