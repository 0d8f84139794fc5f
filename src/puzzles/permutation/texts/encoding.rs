//! States of a definition as places that hold values.

use crate::puzzles::encodings::{Contents, Effect, Orbit, of_pieces};
use crate::puzzles::permutation::model::PuzzleModel;
use permutation::{Operators, PuzzleState};
use proofs::pseudo_boolean::Encoding;

/// The search from a state to the goals.
///
/// # Errors
/// Why the definition has no such form.
pub(crate) fn of_state(puzzle: &PuzzleModel, start: &PuzzleState) -> Result<Encoding, String> {
    let (definition, rules) = (puzzle.definition(), puzzle.definition().rules());
    let [goal, ..] = definition.goals() else {
        return Err("it has no goal".to_owned());
    };
    if !puzzle.rules.is_empty() || rules.restrict_states() || rules.ignore.is_some() {
        return Err("it has rules about moves, states or the goal".to_owned());
    }
    let kinds: Vec<Vec<(u16, usize)>> = kinds(goal);
    let orbits: Vec<Orbit> = (definition.orbits().iter().zip(&kinds))
        .map(|(orbit, kinds)| Orbit {
            slots: orbit.pieces(),
            kinds: kinds.iter().map(|&(_, orientations)| orientations).collect(),
        })
        .collect();
    let goals: Option<Vec<Contents>> =
        definition.goals().iter().map(|goal| contents(goal, &kinds)).collect();
    let goals = goals.ok_or("its goals have different pieces")?;
    let start = contents(start, &kinds).ok_or("the state has other pieces than the goal")?;
    of_pieces(&orbits, effects(puzzle.operators()), &start, &goals)
        .map_err(|error| error.to_string())
}

/// For each orbit: the pieces that look different, with the number of their orientations.
fn kinds(goal: &PuzzleState) -> Vec<Vec<(u16, usize)>> {
    let of = |(number, orbit): (usize, &permutation::Orbit)| {
        let orientations = |&modulus: &u8| match modulus {
            0 => usize::from(orbit.orientations()),
            modulus => usize::from(modulus),
        };
        let pieces = goal.pieces(number).iter().zip(goal.modulus(number));
        let mut kinds: Vec<_> =
            pieces.map(|(&piece, modulus)| (piece, orientations(modulus))).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    goal.orbits().iter().enumerate().map(of).collect()
}

/// The pieces of a state by their kinds. `None` if it has a piece of another kind.
fn contents(state: &PuzzleState, kinds: &[Vec<(u16, usize)>]) -> Option<Contents> {
    let mut all = Contents::new();
    for (orbit, kinds) in kinds.iter().enumerate() {
        for (&piece, &turn) in state.pieces(orbit).iter().zip(state.orientation(orbit)) {
            let kind = kinds.binary_search_by_key(&piece, |&(piece, _)| piece).ok()?;
            all.push((kind, usize::from(turn)));
        }
    }
    Some(all)
}

/// Name, cost and effect of each operator.
fn effects(operators: &Operators) -> Vec<(String, usize, Effect)> {
    let effect = |operator: &permutation::Operator| {
        let made = &operator.transformation;
        let orbit = |orbit: usize| {
            let pair = |(&from, &turn): (&u16, &u8)| (usize::from(from), usize::from(turn));
            made.permutation(orbit).iter().zip(made.delta(orbit)).map(pair).collect::<Vec<_>>()
        };
        let effect = (0..made.orbits().len()).flat_map(orbit).collect();
        (operator.name.clone(), usize::from(operator.cost), effect)
    };
    operators.list.iter().map(effect).collect()
}
