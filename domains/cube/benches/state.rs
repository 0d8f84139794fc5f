//! Nanoseconds for a face turn, a face turn of the inverse, and their slow twins by plain composition.
//!
//! `cargo bench -p fewest-cube --bench state`. Each figure is the median of five runs: *chained*, where each step waits for
//! the one before, and *spread*, the 18 children of one cube, as a search makes them.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use cube::{Cube, Cube3, Metric};
use search::{Domain, Group, Op};
use std::hint::black_box;
use std::time::Instant;

/// Median nanoseconds a step.
fn time(steps: u64, mut run: impl FnMut()) -> f64 {
    let mut runs = [0.0; 5];
    for slot in &mut runs {
        let start = Instant::now();
        run();
        *slot = start.elapsed().as_nanos() as f64 / steps as f64;
    }
    runs.sort_by(f64::total_cmp);
    runs[2]
}

/// Both figures of one way to act on a cube.
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
    let domain = Cube3::new(Metric::HalfTurn);
    report("turn", 20_000_000, |from, op, to| domain.apply_into(from, op, to));
    report("turn of the inverse", 20_000_000, |from, op, to| {
        domain.apply_inverse_left(from, op, to)
    });
    let turns: Vec<Cube> = (0..18)
        .map(|op| {
            let mut turn = Cube::SOLVED;
            domain.apply_into(&Cube::SOLVED, Op(op), &mut turn);
            turn
        })
        .collect();
    report("turn, composed", 1_000_000, |from, op, to| *to = from.compose(&turns[op.index()]));
    report("its inverse, composed", 1_000_000, |from, op, to| {
        *to = turns[op.index()].inverse().compose(from);
    });
}
