//! Groups for tests: small groups, Mathieu groups, wreath products, and the layer turns of cubes of
//! any size.

use crate::Permutation;
use std::collections::HashMap;

/// The quarter turns of all layers of an `n`x`n`x`n` cube, `1 <= n <= 100`: `n` layers for each of
/// three axes, including the outer and the middle ones. They are permutations of the `6 n^2`
/// stickers.
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
            // The stickers of an outer face belong to the outer layer.
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

/// The first, second and third power of each of these quarter turns, at cost 1.
pub fn turn_operators(turns: &[Permutation]) -> Vec<(Permutation, u8)> {
    let powers = |turn: &Permutation| [turn.clone(), turn.then(turn), turn.inverse()];
    turns.iter().flat_map(powers).map(|operator| (operator, 1)).collect()
}

/// A product of cycles whose points are counted from 1, as in books.
pub fn cycles(points: usize, cycles: &[&[u16]]) -> Permutation {
    let shifted: Vec<Vec<u16>> =
        cycles.iter().map(|c| c.iter().map(|&point| point - 1).collect()).collect();
    let slices: Vec<&[u16]> = shifted.iter().map(Vec::as_slice).collect();
    Permutation::from_cycles(points, &slices).expect("cycles")
}

/// The cycle of the first `length` points.
pub fn long_cycle(points: usize, length: u16) -> Permutation {
    cycles(points, &[&(1..=length).collect::<Vec<_>>()])
}

/// Generators of the Mathieu group of degree 11, 12 or 24.
pub fn mathieu(points: usize) -> Vec<Permutation> {
    if points == 24 {
        return vec![
            long_cycle(24, 23),
            cycles(
                24,
                &[
                    &[3, 17, 10, 7, 9],
                    &[4, 13, 14, 19, 5],
                    &[8, 18, 11, 12, 23],
                    &[15, 20, 22, 21, 16],
                ],
            ),
            cycles(
                24,
                &[
                    &[1, 24],
                    &[2, 23],
                    &[3, 12],
                    &[4, 16],
                    &[5, 18],
                    &[6, 10],
                    &[7, 20],
                    &[8, 14],
                    &[9, 21],
                    &[11, 17],
                    &[13, 22],
                    &[15, 19],
                ],
            ),
        ];
    }
    let mut generators =
        vec![long_cycle(points, 11), cycles(points, &[&[3, 7, 11, 8], &[4, 10, 5, 6]])];
    if points == 12 {
        generators.push(cycles(12, &[&[1, 12], &[2, 11], &[3, 6], &[4, 8], &[5, 9], &[7, 10]]));
    }
    generators
}

/// Generators of a wreath product of cyclic groups, for `blocks` blocks of `size` points. Each
/// entry of `cycles` gives one generator: a cycle of blocks, and by how many points each of these
/// blocks is rotated as it moves.
pub fn wreath(blocks: u16, size: u16, cycles: &[(&[u16], &[u16])]) -> Vec<Permutation> {
    let one = |(cycle, twists): &(&[u16], &[u16])| {
        let mut images: Vec<u16> = (0..blocks * size).collect();
        for (i, (&from, &twist)) in cycle.iter().zip(*twists).enumerate() {
            let to = cycle[(i + 1) % cycle.len()];
            for turn in 0..size {
                images[usize::from(from * size + turn)] = to * size + (turn + twist) % size;
            }
        }
        Permutation::new(images).expect("a permutation")
    };
    cycles.iter().map(one).collect()
}

/// Both permutations side by side: `b` acts on points behind those of `a`.
pub fn beside(a: &Permutation, b: &Permutation) -> Permutation {
    let shift = u16::try_from(a.points()).expect("few");
    let images = a.images().iter().copied().chain(b.images().iter().map(|&image| image + shift));
    Permutation::new(images.collect()).expect("a permutation")
}

/// Small groups: name, number of points, generators.
pub fn small_groups() -> Vec<(&'static str, usize, Vec<Permutation>)> {
    let swap = cycles(6, &[&[1, 2]]);
    let three = cycles(6, &[&[1, 2, 3]]);
    let fixed = |points| Permutation::identity(points).expect("few");
    vec![
        ("trivial", 4, vec![]),
        ("identity", 4, vec![fixed(4)]),
        ("no points", 0, vec![]),
        ("cyclic", 12, vec![long_cycle(12, 12)]),
        ("two cycles", 9, vec![cycles(9, &[&[1, 2, 3, 4], &[5, 6, 7, 8, 9]])]),
        ("symmetric", 6, vec![swap.clone(), long_cycle(6, 6)]),
        ("alternating", 6, vec![three.clone(), cycles(6, &[&[2, 3, 4, 5, 6]])]),
        ("dihedral", 8, vec![long_cycle(8, 8), cycles(8, &[&[2, 8], &[3, 7], &[4, 6]])]),
        (
            "elementary",
            8,
            vec![cycles(8, &[&[1, 2]]), cycles(8, &[&[3, 4]]), cycles(8, &[&[5, 6], &[7, 8]])],
        ),
        ("M11", 11, mathieu(11)),
        (
            "direct",
            12,
            vec![
                beside(&swap, &fixed(6)),
                beside(&long_cycle(6, 5), &fixed(6)),
                beside(&fixed(6), &three),
            ],
        ),
        (
            "signs shared",
            12,
            vec![beside(&swap, &swap), beside(&three, &fixed(6)), beside(&fixed(6), &three)],
        ),
        ("diagonal", 12, vec![beside(&swap, &swap), beside(&long_cycle(6, 6), &long_cycle(6, 6))]),
        ("threes shared", 12, vec![beside(&three, &three)]),
        ("wreath", 12, wreath(4, 3, &[(&[0, 1], &[1, 2]), (&[0, 1, 2, 3], &[0, 1, 1, 1])])),
        (
            "full wreath",
            8,
            wreath(4, 2, &[(&[0], &[1]), (&[0, 1], &[0, 0]), (&[0, 1, 2, 3], &[0; 4])]),
        ),
    ]
}
