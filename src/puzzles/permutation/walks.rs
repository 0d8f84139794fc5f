//! Scrambles as random moves, for puzzles with too many states to solve a random one.

use super::file_puzzle::FilePuzzle;
use permutation::{Definition, Operator, PuzzleState};
use search::random::Random;

/// The number of random moves of a scramble: about a quarter more than the number of moves that has
/// as many sequences as the pieces have arrangements.
fn length(definition: &Definition, operators: usize) -> usize {
    let bits = definition.orbits().iter().map(|orbit| {
        let pieces = orbit.pieces();
        let turns = pieces as f64 * f64::from(orbit.orientations()).log2();
        (2..=pieces).map(|n| (n as f64).log2()).sum::<f64>() + turns
    });
    let each = (operators.max(3) as f64 - 1.0).log2();
    let (mut length, mut left) = (0, 1.25 * bits.sum::<f64>());
    while left > 0.0 {
        (length, left) = (length + 1, left - each);
    }
    length
}

/// Whether two operators commute.
fn commute(start: &PuzzleState, one: &Operator, other: &Operator) -> bool {
    let after = |first: &Operator, second: &Operator| {
        start.apply(&first.transformation).apply(&second.transformation)
    };
    after(one, other) == after(other, one)
}

impl FilePuzzle {
    /// Random moves from the solved state. Each is legal. No move turns the same part as an earlier
    /// one if all moves between them commute with it.
    pub(super) fn random_moves(&self, random: &mut Random) -> Vec<String> {
        let (definition, operators) = (self.definition(), &self.operators().list);
        let mut state = definition.start().clone();
        let mut made: Vec<&Operator> = Vec::new();
        for _ in 0..length(definition, operators.len()) {
            let again = |op: &Operator| {
                let tail = made.iter().rev();
                let mut tail = tail.take_while(|last| commute(definition.start(), last, op));
                made.last().is_some_and(|last| last.turn.of == op.turn.of)
                    || tail.any(|last| last.turn.of == op.turn.of)
            };
            let mut allowed: Vec<&Operator> = operators.iter().filter(|op| !again(op)).collect();
            let next = loop {
                let Some(last) = allowed.len().checked_sub(1) else { break None };
                let at = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
                let op = allowed.swap_remove(at);
                if let Ok(next) = definition.after(&state, op.turn) {
                    break Some((op, next));
                }
            };
            let Some((op, next)) = next else { break };
            (state, _) = (next, made.push(op));
        }
        made.iter().map(|op| op.name.clone()).collect()
    }
}
