//! Strings of moves that smaller ones can replace: [`PlainPuzzle::twins`].

use super::puzzle::PlainPuzzle;
use search::{Op, Plan};
use std::collections::HashMap;

impl PlainPuzzle {
    /// The strings of one and two moves that do what a smaller string of at most two moves does,
    /// each with that one. Strings are compared by cost, then by length, then in the order of the
    /// moves. A string that has a forbidden part is left out. None for a board.
    pub fn twins(&self) -> Vec<(Plan, Plan)> {
        let Self::Blocks { moves, goal, .. } = self else { return Vec::new() };
        let all = || (0..moves.len()).map(Op::new);
        let one = all().map(|op| Plan::from_slice(&[op]));
        let two = all().flat_map(|op| all().map(move |next| Plan::from_slice(&[op, next])));
        let cost =
            |plan: &Plan| -> u32 { plan.iter().map(|op| u32::from(moves[op.index()].cost)).sum() };
        let mut strings: Vec<Plan> = one.chain(two).collect();
        strings.sort_by_cached_key(|plan| (cost(plan), plan.len(), plan.clone()));
        let solved: Vec<u16> = (0..=u16::MAX).take(goal.len()).collect();
        let mut known = HashMap::from([(solved.clone(), Plan::new())]);
        let mut twins: Vec<(Plan, Plan)> = Vec::new();
        for string in strings {
            let is_forbidden = |part: &[Op]| twins.iter().any(|(known, _)| known[..] == *part);
            if string.len() == 2 && (is_forbidden(&string[..1]) || is_forbidden(&string[1..])) {
                continue;
            }
            let mut state = solved.clone();
            for op in &string {
                let effect = &moves[op.index()].effect;
                state = effect.iter().map(|&point| state[usize::from(point)]).collect();
            }
            match known.get(&state) {
                Some(twin) => twins.push((string, twin.clone())),
                None => drop(known.insert(state, string)),
            }
        }
        twins
    }
}
