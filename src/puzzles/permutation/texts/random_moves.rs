//! Scrambles as random moves, for puzzles with too many states to solve a random one.

use crate::puzzles::permutation::model::PuzzleModel;
use permutation::Definition;
use search::random::Random;

/// The number of random moves of a scramble. Four fifths of this number have about as many
/// sequences as the pieces have arrangements.
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

/// Random moves from the solved state. Each is legal. No move turns the same part as an earlier
/// one if all moves between them commute with it. `commute[a][b]`: whether `a` and `b` commute.
pub(crate) fn random_moves(
    model: &PuzzleModel,
    commute: &[Vec<bool>],
    random: &mut Random,
) -> Vec<String> {
    let (definition, operators) = (model.definition(), &model.operators().list);
    let mut state = definition.start().clone();
    let mut made: Vec<usize> = Vec::new();
    for _ in 0..length(definition, operators.len()) {
        let again = |&op: &usize| {
            let alike = |last: usize| operators[last].turn.of == operators[op].turn.of;
            let mut tail = made.iter().rev().take_while(|&&last| commute[last][op]);
            made.last().is_some_and(|&last| alike(last)) || tail.any(|&last| alike(last))
        };
        let mut allowed: Vec<usize> = (0..operators.len()).filter(|op| !again(op)).collect();
        let next = loop {
            let Some(last) = allowed.len().checked_sub(1) else { break None };
            let at = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
            let op = allowed.swap_remove(at);
            if let Ok(next) = definition.after(&state, operators[op].turn) {
                break Some((op, next));
            }
        };
        let Some((op, next)) = next else { break };
        (state, _) = (next, made.push(op));
    }
    made.iter().map(|&op| operators[op].name.clone()).collect()
}
