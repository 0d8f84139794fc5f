//! Small puzzles as encodings, and their distances.

use crate::pseudo_boolean::{Encoding, PlaceOperator, ValueMove};
use std::collections::{BTreeMap, HashMap};

/// An operator that moves values between places without changing them.
fn permutes(name: &str, values: usize, places: &[(usize, usize)]) -> PlaceOperator {
    let values: Vec<_> = (0..values).map(Some).collect();
    let one = |&(from, to): &(usize, usize)| ValueMove { from, to, values: values.clone() };
    PlaceOperator { name: name.to_owned(), cost: 1, moves: places.iter().map(one).collect() }
}

/// Sliding pieces on a board, 0 the gap, whose goal is 0, 1, 2, .. An operator moves up to `most`
/// pieces of a row or a column by one place.
pub(super) fn sliding(rows: usize, columns: usize, most: usize, start: &[usize]) -> Encoding {
    let n = rows * columns;
    let mut operators = Vec::new();
    for (gap, to) in (0..n).flat_map(|gap| (0..n).map(move |to| (gap, to))) {
        let (in_row, in_column) = (gap / columns == to / columns, gap % columns == to % columns);
        let by = if in_row { 1 } else { columns };
        let pieces = gap.abs_diff(to) / by;
        if in_row == in_column || pieces > most {
            continue;
        }
        // The places from the gap on: the piece of each goes to the one before.
        let at = |step: usize| if to > gap { gap + step * by } else { gap - step * by };
        let places =
            [(gap, to)].into_iter().chain((1..=pieces).map(|step| (at(step), at(step - 1))));
        let places: Vec<_> = places.collect();
        let mut operator = permutes(&format!("{gap} to {to}"), n, &places);
        operator.moves[0].values = (0..n).map(|value| (value == 0).then_some(0)).collect();
        operator.moves[1..].iter_mut().for_each(|one| one.values[0] = None);
        operators.push(operator);
    }
    let goal: Vec<usize> = (0..n).collect();
    Encoding::new(&vec![n; n], operators, start, &[goal]).unwrap()
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
    Encoding::new(&vec![n; n], operators, start, &[goal]).unwrap()
}

/// The same ring with costs, and with a second goal.
pub(super) fn costly_ring(start: &[usize]) -> Encoding {
    let Encoding { mut operators, goals, .. } = ring(start);
    operators.iter_mut().zip([2, 1, 3]).for_each(|(operator, cost)| operator.cost = cost);
    let n = start.len();
    assert_eq!(goals.len(), 1);
    let goals = [(0..n).collect(), (0..n).rev().collect()];
    Encoding::new(&vec![n; n], operators, start, &goals).unwrap()
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
    Encoding::new(&[5; 4], operators, start, &[vec![0, 0, 2, 4]]).unwrap()
}

/// Three like pieces that an operator moves in a ring. Another one moves and turns them.
pub(super) fn turning(start: &[usize]) -> Encoding {
    let ring: Vec<_> = (0..3).map(|at| (at, (at + 1) % 3)).collect();
    let mut operators = vec![permutes("move", 2, &ring), permutes("move and turn", 2, &ring)];
    operators[1].moves.iter_mut().take(2).for_each(|one| one.values = vec![Some(1), Some(0)]);
    Encoding::new(&[2; 3], operators, start, &[vec![0; 3]]).unwrap()
}

/// A cheapest plan, by Dijkstra's algorithm, and its cost. `None` if there is no plan.
pub(super) fn plan(encoding: &Encoding) -> Option<(usize, Vec<usize>)> {
    let mut best: HashMap<Vec<u16>, usize> = HashMap::new();
    let mut open = BTreeMap::from([((0, encoding.start.clone()), Vec::new())]);
    while let Some(((cost, state), plan)) = open.pop_first() {
        if encoding.goals.contains(&state) {
            return Some((cost, plan));
        }
        for (number, operator) in encoding.operators.iter().enumerate() {
            let Some(mut next) = encoding.step(number, &state) else { continue };
            next.sort_unstable();
            let cost = cost + operator.cost;
            if best.get(&next).is_none_or(|&known| cost < known) {
                best.insert(next.clone(), cost);
                open.insert((cost, next), [plan.as_slice(), &[number]].concat());
            }
        }
    }
    None
}
