//! Figures of larger boards, computed independently before: strings, states and branching factors.

use super::toys::Board;
use super::{automaton, learned};
use crate::{Automaton, Keep, branching_factor, sequence_counts};
use std::time::Instant;

/// Forbidden strings, states and branching factor of the automaton of a board, as (strings, states, factor).
fn figures(board: &Board, depth: usize) -> (usize, usize, f64) {
    let started = Instant::now();
    let learned = learned(board, depth, Keep::OneOptimal);
    let took = started.elapsed();
    let automaton: Automaton<u32> = Automaton::new(&learned).unwrap();
    let built = started.elapsed();
    let minimized = automaton.minimized();
    let small = started.elapsed();
    let factor = branching_factor(board, &minimized);
    eprintln!(
        "{depth}: {} strings, {} states, {} minimised, {factor:.6}, {:?}; learn {took:?} build {built:?} minimise {small:?} factor {:?}",
        learned.len(),
        automaton.states(),
        minimized.states(),
        automaton.minimized().components().cyclic,
        started.elapsed()
    );
    (learned.len(), automaton.states(), (factor * 1e5).round() / 1e5)
}

#[test]
#[ignore = "slow"]
fn all() {
    for depth in [12, 14, 16] {
        figures(&Board::new(4, 4), depth);
        figures(&Board::vertical_first(4, 4), depth);
        figures(&Board::new(5, 5), depth);
        figures(&Board::vertical_first(5, 5), depth);
    }
    let _ = (automaton(&Board::new(2, 2), 2, Keep::OneOptimal), sequence_counts::<Board>);
}
