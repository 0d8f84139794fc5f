//! Puzzles whose pieces lie in slots with an orientation, as places that hold values.

use proofs::pseudo_boolean::{Encoding, EncodingError, PlaceOperator, ValueMove};

/// Slots that hold each other's pieces.
pub(super) struct Orbit {
    /// Number of slots.
    pub(super) slots: usize,
    /// For each kind of piece: the number of its orientations.
    pub(super) kinds: Vec<usize>,
}

/// For each slot, orbit after orbit: the kind of the piece in it, and the orientation.
pub(super) type Contents = Vec<(usize, usize)>;

/// For each slot, orbit after orbit: the slot of the same orbit that its piece comes from, and by
/// how much it turns.
pub(super) type Effect = Vec<(usize, usize)>;

/// The encoding of a puzzle of pieces. A slot is a place; a piece with an orientation is a value.
/// Slots that no operator changes are left out.
///
/// # Errors
/// If the puzzle is too large, or a piece that no operator moves is not at home.
pub(super) fn of_pieces(
    orbits: &[Orbit],
    operators: Vec<(String, usize, Effect)>,
    start: &Contents,
    goals: &[Contents],
) -> Result<Encoding, EncodingError> {
    // For each slot: its orbit, and the first slot of that.
    let mut home: Vec<(&Orbit, usize)> = Vec::new();
    for orbit in orbits {
        home.extend(vec![(orbit, home.len()); orbit.slots]);
    }
    let changes =
        |slot: usize, (from, turn): (usize, usize)| home[slot].1 + from != slot || turn > 0;
    let is_moved = |slot: usize| operators.iter().any(|(_, _, effect)| changes(slot, effect[slot]));
    // A slot that nothing changes stays a place if its piece is not at home: there is no plan.
    let is_away = |slot: usize| goals.iter().any(|goal| start[slot] != goal[slot]);
    let kept: Vec<usize> =
        (0..home.len()).filter(|&slot| is_moved(slot) || is_away(slot)).collect();
    let place = |slot: usize| kept.binary_search(&slot).unwrap_or_default();
    let value = |orbit: &Orbit, (kind, orientation): (usize, usize)| {
        orbit.kinds[..kind].iter().sum::<usize>() + orientation
    };
    let one_move = |slot: usize, (from, turn): (usize, usize)| {
        let (orbit, first) = home[slot];
        let turned = orbit.kinds.iter().enumerate().flat_map(|(kind, &n)| {
            (0..n).map(move |before| Some(value(orbit, (kind, (before + turn) % n))))
        });
        ValueMove { from: place(first + from), to: place(slot), values: turned.collect() }
    };
    let operator = |(name, cost, effect): &(String, usize, Effect)| {
        let moves = kept.iter().filter(|&&slot| changes(slot, effect[slot]));
        let moves = moves.map(|&slot| one_move(slot, effect[slot])).collect();
        PlaceOperator { name: name.clone(), cost: *cost, moves }
    };
    let values: Vec<usize> = kept.iter().map(|&slot| home[slot].0.kinds.iter().sum()).collect();
    let state = |contents: &Contents| -> Vec<usize> {
        kept.iter().map(|&slot| value(home[slot].0, contents[slot])).collect()
    };
    let operators = operators.iter().map(operator).collect();
    let goals: Vec<Vec<usize>> = goals.iter().map(state).collect();
    Encoding::new(&values, operators, &state(start), &goals)
}
