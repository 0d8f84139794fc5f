//! Small puzzles as encodings, and their distances.

use crate::pseudo_boolean::encoding::Step;
use crate::pseudo_boolean::{Encoding, PlaceOperator, ValueMove};
use std::collections::HashMap;

/// An operator that moves values between places without changing them.
fn permutes(name: &str, values: usize, places: &[(usize, usize)]) -> PlaceOperator {
    let values: Vec<_> = (0..values).map(Some).collect();
    let one = |&(from, to): &(usize, usize)| ValueMove { from, to, values: values.clone() };
    PlaceOperator { name: name.to_owned(), moves: places.iter().map(one).collect() }
}

/// Sliding pieces on a board, 0 the gap, whose goal is 0, 1, 2, ..
pub(super) fn sliding(rows: usize, columns: usize, start: &[usize]) -> Encoding {
    let n = rows * columns;
    let mut operators = Vec::new();
    for gap in 0..n {
        let (row, column) = (gap / columns, gap % columns);
        let near = [
            (row > 0).then(|| gap - columns),
            (column > 0).then(|| gap - 1),
            (column + 1 < columns).then(|| gap + 1),
            (row + 1 < rows).then(|| gap + columns),
        ];
        for near in near.into_iter().flatten() {
            let mut operator =
                permutes(&format!("{gap} to {near}"), n, &[(gap, near), (near, gap)]);
            operator.moves[0].values = (0..n).map(|value| (value == 0).then_some(0)).collect();
            operator.moves[1].values[0] = None;
            operators.push(operator);
        }
    }
    let goal: Vec<usize> = (0..n).collect();
    Encoding::new(&vec![n; n], operators, start, &goal).unwrap()
}

/// A ring of pieces: turn it by one place, or swap the first two.
pub(super) fn ring(start: &[usize]) -> Encoding {
    let n = start.len();
    let turn = |by: usize| (0..n).map(|at| (at, (at + by) % n)).collect::<Vec<_>>();
    let operators = vec![
        permutes("left", n, &turn(n - 1)),
        permutes("right", n, &turn(1)),
        permutes("swap", n, &[(0, 1), (1, 0)]),
    ];
    let goal: Vec<usize> = (0..n).collect();
    Encoding::new(&vec![n; n], operators, start, &goal).unwrap()
}

/// Three coins on four places, of two kinds: values 0 and 1 are the sides of one kind, 2 and 3 of
/// the other, 4 is none. An operator swaps neighbours and turns the coin that goes right, unless
/// the value of the last place forbids it.
pub(super) fn coins(start: &[usize]) -> Encoding {
    let turned = vec![Some(1), Some(0), Some(3), Some(2), Some(4)];
    let swap = |at: usize| {
        let mut operator = permutes(&format!("swap {at}"), 5, &[(at, at + 1), (at + 1, at)]);
        operator.moves[0].values.clone_from(&turned);
        operator
    };
    let mut operators: Vec<PlaceOperator> = (0..3).map(swap).collect();
    let gate = vec![Some(0), Some(1), Some(2), None, None];
    operators[0].moves.push(ValueMove { from: 3, to: 3, values: gate });
    Encoding::new(&[5; 4], operators, start, &[0, 0, 2, 4]).unwrap()
}

/// The state of each place, from the atoms.
pub(super) fn values(encoding: &Encoding, atoms: &[u16]) -> Vec<usize> {
    atoms.iter().zip(&encoding.first).map(|(&atom, first)| usize::from(atom) - first).collect()
}

/// The shortest plan from each state that the goal reaches by reversing plans, found by searching
/// from `starts`: breadth-first, without any of the code under test but [`Encoding::step`].
pub(super) fn plan(encoding: &Encoding) -> Option<Vec<usize>> {
    let mut before: HashMap<Vec<u16>, Option<(Vec<u16>, usize)>> = HashMap::new();
    before.insert(encoding.start.clone(), None);
    let mut queue = std::collections::VecDeque::from([encoding.start.clone()]);
    while let Some(state) = queue.pop_front() {
        if state == encoding.goal {
            let (mut plan, mut at) = (Vec::new(), state);
            while let Some((from, operator)) = before[&at].clone() {
                plan.push(operator);
                at = from;
            }
            plan.reverse();
            return Some(plan);
        }
        for operator in 0..encoding.operators.len() {
            let Step::Atoms(mut next) = encoding.step(operator, &state) else { continue };
            next.sort_unstable();
            if !before.contains_key(&next) {
                before.insert(next.clone(), Some((state.clone(), operator)));
                queue.push_back(next);
            }
        }
    }
    None
}
