//! A toy group with many orbits: the turns of the layers of a box.

use crate::group::Permutation;
use std::collections::HashMap;

/// The quarter turns of all layers of a box of `n` by `n` by `n` cells, `1 <= n <= 100`, as permutations of the `6 n^2` squares on its surface:
/// `n` for each of three axes.
///
/// # Panics
/// If `n` is outside these bounds.
pub fn layer_turns(n: i32) -> Vec<Permutation> {
    assert!((1..=100).contains(&n), "a box of 1 to 100 layers, not {n}");
    let inner = || (1 - n..n).step_by(2);
    let mut squares = Vec::new();
    for (axis, side) in (0..3).flat_map(|axis| [(axis, -n), (axis, n)]) {
        for (a, b) in inner().flat_map(|a| inner().map(move |b| (a, b))) {
            let mut square = [0; 3];
            (square[axis], square[(axis + 1) % 3], square[(axis + 2) % 3]) = (side, a, b);
            squares.push(square);
        }
    }
    let numbers: HashMap<_, _> = squares.iter().copied().zip(0_u16..).collect();
    let turn = |(axis, layer): (usize, i32)| {
        let image = |square: &[i32; 3]| {
            // A square on the side that ends the box lies in the last layer.
            let mut to = *square;
            if square[axis].clamp(1 - n, n - 1) == layer {
                let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                (to[b], to[c]) = (-square[c], square[b]);
            }
            numbers[&to]
        };
        Permutation::new(squares.iter().map(image).collect()).expect("a turn permutes the squares")
    };
    (0..3).flat_map(|axis| inner().map(move |layer| (axis, layer))).map(turn).collect()
}

/// The first, second and third power of each of these turns, at cost 1.
pub fn turn_operators(turns: &[Permutation]) -> Vec<(Permutation, search::Cost)> {
    let powers = |turn: &Permutation| [turn.clone(), turn.then(turn), turn.inverse()];
    turns.iter().flat_map(powers).map(|operator| (operator, 1)).collect()
}
