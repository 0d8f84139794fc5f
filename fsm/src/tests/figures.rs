//! Compares strings, states and branching factors of larger boards with figures from another
//! program, which knows paths and walls.

use super::learned;
use super::toys::Board;
use crate::{Automaton, Keep, branching_factor};

/// The number of forbidden strings, the number of states before and after minimisation, and the
/// branching factor in units of 1e-5.
fn figures(board: &Board, depth: usize) -> (usize, usize, usize, f64) {
    let learned = learned(board, depth, Keep::OneOptimal);
    let automaton: Automaton<u32> = Automaton::new(&learned).unwrap();
    let minimized = automaton.minimized();
    let factor = branching_factor(board, &minimized);
    (learned.len(), automaton.states(), minimized.states(), (factor * 1e5).round())
}

#[test]
fn without_inverses_the_factors_are_those_of_the_literature() {
    // The literature has these factors for pruning of inverses.
    for (size, factor) in [(3, 1.732_051), (4, 2.130_395), (5, 2.367_605)] {
        let board = Board::new(size, size);
        let inverses = Automaton::new(&learned(&board, 2, Keep::OneOptimal)).unwrap();
        assert!((branching_factor(&board, &inverses) - factor).abs() < 1e-6);
    }
}

#[test]
fn depth_fourteen_on_sixteen_squares() {
    assert_eq!(figures(&Board::new(4, 4), 14), (7_803, 29_521, 24_932, 198_622.0));
    assert_eq!(figures(&Board::vertical_first(4, 4), 14), (7_014, 26_153, 22_569, 198_534.0));
}

#[test]
#[ignore = "slow: two million strings on 25 squares, 5 s"]
fn depth_fourteen_on_twenty_five_squares() {
    assert_eq!(figures(&Board::new(5, 5), 14), (18_425, 65_612, 54_281, 224_975.0));
    assert_eq!(figures(&Board::vertical_first(5, 5), 14), (17_500, 61_927, 52_127, 224_841.0));
}

#[test]
#[ignore = "slow: ten million strings on 25 squares, 25 s"]
fn depth_sixteen() {
    assert_eq!(figures(&Board::new(4, 4), 16), (30_817, 121_900, 103_087, 196_379.0));
    assert_eq!(figures(&Board::new(5, 5), 16), (110_775, 394_556, 323_497, 222_828.0));
}
