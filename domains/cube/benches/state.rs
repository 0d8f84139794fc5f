//! Nanoseconds for a face turn of a cube, and for the turn of its inverse. Also for both by general
//! composition, which is slow, and for table indices.
//!
//! `cargo bench -p fewest-cube --bench state`. Each figure is the median of 201 short runs, so that
//! other work on the machine counts little. A *chained* step needs the result of the one before. A
//! *spread* step makes the 18 children of one cube, as a search does.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use fewest_cube::cosets::{
    AxisCoordinates, AxisFamily, AxisViews, HalfTurnCoordinates, HalfTurnFamily, HalfTurnView,
};
use fewest_cube::patterns::{CornerPattern, korf97_edges};
use fewest_cube::symmetry;
use fewest_cube::{ByteCube, ByteCube3, Cube, Cube3, CubeManhattan, CubeMetric};
use pdb::Indexer;
use pdb::coset::{Cosets, SymmetryReduced};
use search::random::Random;
use search::{Domain, Group, Heuristic, Lookup, Op, Symmetric, TwoSidedState, VectorUnit};
use std::hint::black_box;
use std::time::Instant;

/// Number of sides (a cube or its inverse, in one view) whose table places are computed together.
const SIDES: u16 = 160;

/// For each vector unit, prints the nanoseconds to compute the place of one side in a coset table.
/// As in a search, [`SIDES`] places are computed at once.
fn sides<C: Cosets<ByteCube3>>(name: &str, on: impl Fn(VectorUnit) -> C) {
    let mut random = Random::new(7);
    let both =
        |cube: Cube| TwoSidedState { position: (&cube).into(), inverse: (&cube.inverse()).into() };
    let states: Vec<TwoSidedState<ByteCube>> =
        (0..SIDES).map(|_| both(Cube::random(&mut random))).collect();
    let views = u16::try_from(2 * C::VIEWS).unwrap_or(2);
    let asked: Vec<_> =
        (0..SIDES).map(|n| Lookup::new(n * 7 % SIDES, n * 11 / 7 % views)).collect();
    let units = [VectorUnit::None, VectorUnit::Narrow, VectorUnit::Wide];
    for unit in units.into_iter().filter(|&unit| unit <= VectorUnit::best()) {
        let (cosets, mut places) = (on(unit), vec![0; asked.len()]);
        let nanos = time(100 * u64::from(SIDES), || {
            for _ in 0..100 {
                let place = |row, column| u64::from(row) << 12 | u64::from(column);
                cosets.locate_all(&states, black_box(&asked), &mut places, place, |_| ());
            }
            black_box(&places);
        });
        println!("{:>24}{nanos:26.2} ns a side", format!("{name}, {unit:?}"));
    }
}

/// Nanoseconds of one step: the median over 201 calls of `run`, which makes `steps` steps.
fn time(steps: u64, mut run: impl FnMut()) -> f64 {
    let mut runs = [0.0; 201];
    for slot in &mut runs {
        let start = Instant::now();
        run();
        *slot = start.elapsed().as_nanos() as f64 / steps as f64;
    }
    runs.sort_by(f64::total_cmp);
    runs[100]
}

/// Prints the chained and the spread figure for `act`, which makes one step.
fn report(name: &str, steps: u64, act: impl Fn(&Cube, Op, &mut Cube)) {
    let chained = time(steps, || {
        let (mut state, mut next, mut op) = (Cube::SOLVED, Cube::SOLVED, 0_u16);
        for _ in 0..steps {
            op = (op * 5 + 7) % 18;
            act(&state, Op(op), &mut next);
            std::mem::swap(&mut state, &mut next);
        }
        black_box(state);
    });
    let spread = time(steps / 18 * 18, || {
        let (mut state, mut children) = (Cube::SOLVED, [Cube::SOLVED; 18]);
        for step in 0..steps / 18 {
            for (op, child) in (0..).map(Op).zip(&mut children) {
                act(&state, op, child);
            }
            state = black_box(&children)[(step % 18) as usize];
        }
    });
    println!("{name:>20}: chained {chained:6.2} ns, spread {spread:6.2} ns");
}

fn main() {
    let domain = Cube3::new(CubeMetric::HalfTurn);
    report("turn", 36_000, |from, op, to| domain.apply_into(from, op, to));
    report("turn of the inverse", 36_000, |from, op, to| domain.apply_inverse_left(from, op, to));
    report("conjugate", 9_000, |from, op, to| {
        domain.conjugate(op.index() * 5 % symmetry::COUNT, from, to);
    });
    let turns: Vec<Cube> = (0..18)
        .map(|op| {
            let mut turn = Cube::SOLVED;
            domain.apply_into(&Cube::SOLVED, Op(op), &mut turn);
            turn
        })
        .collect();
    report("turn, composed", 9_000, |from, op, to| *to = from.compose(&turns[op.index()]));
    report("its inverse, composed", 9_000, |from, op, to| {
        *to = turns[op.index()].inverse().compose(from);
    });

    // Indices of the 18 children of random cubes, each made by a turn.
    let cubes: Vec<Cube> = std::iter::repeat_with({
        let mut random = Random::new(1);
        move || Cube::random(&mut random)
    })
    .take(1000)
    .collect();
    let children = |act: &mut dyn FnMut(&Cube) -> u64| {
        let total = time(1000 * 18, || {
            black_box(cubes.iter().fold(0_u64, |sum, cube| sum.wrapping_add(act(cube))));
        });
        println!("{total:26.2} ns a child");
    };
    let ops = || (0..18).map(Op);
    let mut to = Cube::SOLVED;
    let mut at = 0;
    let (corners, edges) =
        (CornerPattern::new(CubeMetric::HalfTurn), korf97_edges(CubeMetric::HalfTurn, true));
    let manhattan = CubeManhattan::new(CubeMetric::HalfTurn);
    print!("{:>24}", "turn, corner index");
    children(&mut |cube| {
        ops().fold(0, |sum: u64, op| {
            domain.apply_into(cube, op, &mut to);
            sum.wrapping_add(corners.entry(corners.index(&domain, &to)))
        })
    });
    print!("{:>24}", "edge index");
    children(&mut |cube| {
        at = edges.advance(&domain, cube, at, Op(1), cube);
        ops().fold(0, |sum: u64, op| {
            sum.wrapping_add(edges.entry(edges.advance(&domain, cube, at, op, cube)))
        })
    });
    print!("{:>24}", "edge index from nothing");
    children(&mut |cube| {
        (0..18).fold(0, |sum: u64, _| {
            sum.wrapping_add(edges.entry(edges.index(&domain, black_box(cube))))
        })
    });
    let reduced = SymmetryReduced::new(AxisCoordinates::new(CubeMetric::HalfTurn, AxisFamily::G1));
    sides("g1", |unit| AxisViews::new(CubeMetric::HalfTurn, &reduced).on(unit));
    let reduced = SymmetryReduced::new(HalfTurnCoordinates::new(
        CubeMetric::HalfTurn,
        HalfTurnFamily::Htr204,
    ));
    sides("htr204", |unit| HalfTurnView::new(&reduced).on(unit));
    print!("{:>24}", "turn, Manhattan");
    children(&mut |cube| {
        ops().fold(0, |sum: u64, op| {
            domain.apply_into(cube, op, &mut to);
            sum.wrapping_add(manhattan.estimate(&domain, &to).into())
        })
    });
}
