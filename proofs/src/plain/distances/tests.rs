//! Distances of small puzzles against a plain search, and numbers against sorted lists.

use super::{ChainLevel, DistanceFault, StateNumbers};
use crate::plain::{PlainBlock, PlainMove, PlainPuzzle};
use search::CancelToken;
use std::collections::{BTreeMap, BTreeSet};

/// A state as the points or squares show it: labels, or values.
type Shown = Vec<u16>;

fn one<E>(name: &str, cost: u16, effect: E) -> PlainMove<E> {
    PlainMove { name: name.to_owned(), cost, effect }
}

fn blocks(blocks: &[(usize, usize)], moves: &[(u16, &[u16])], goal: &[u16]) -> PlainPuzzle {
    let block = |&(pieces, rotations): &(usize, usize)| PlainBlock { pieces, rotations };
    let moves = moves.iter().zip(["A", "B", "C"]);
    let moves = moves.map(|(&(cost, effect), name)| one(name, cost, effect.to_vec())).collect();
    PlainPuzzle::of_blocks(blocks.iter().map(block).collect(), moves, goal.to_vec()).unwrap()
}

/// The states that moves lead to, with the costs of the moves.
fn after(puzzle: &PlainPuzzle, state: &Shown) -> Vec<(Shown, u16)> {
    match puzzle {
        PlainPuzzle::Blocks { moves, .. } => {
            let made = |one: &PlainMove<Vec<u16>>| {
                (one.effect.iter().map(|&from| state[usize::from(from)]).collect(), one.cost)
            };
            moves.iter().map(made).collect()
        }
        PlainPuzzle::Board { rows, columns, moves, .. } => {
            let blank = state.iter().position(|&value| value == 0).unwrap();
            let made = |one: &PlainMove<(i8, i8)>| {
                let row = (blank / columns).checked_add_signed(one.effect.0.into())?;
                let column = (blank % columns).checked_add_signed(one.effect.1.into())?;
                let mut state = state.clone();
                (row < *rows && column < *columns).then(|| {
                    state.swap(blank, row * columns + column);
                    (state, one.cost)
                })
            };
            moves.iter().filter_map(made).collect()
        }
    }
}

/// The distance of each of these states from the goal. Those without a plan are missing.
fn distances(puzzle: &PlainPuzzle, goal: &Shown, states: &BTreeSet<Shown>) -> BTreeMap<Shown, u16> {
    let mut found = BTreeMap::from([(goal.clone(), 0)]);
    loop {
        let before = found.clone();
        for state in states {
            let ways = after(puzzle, state).into_iter();
            let least = ways.filter_map(|(to, cost)| Some(before.get(&to)? + cost)).min();
            if let Some(least) = least {
                let own = found.entry(state.clone()).or_insert(least);
                *own = least.min(*own);
            }
        }
        if found == before {
            return found;
        }
    }
}

/// The states that moves reach.
fn reach(puzzle: &PlainPuzzle, goal: &Shown) -> BTreeSet<Shown> {
    let (mut known, mut todo) = (BTreeSet::from([goal.clone()]), vec![goal.clone()]);
    while let Some(state) = todo.pop() {
        for (next, _) in after(puzzle, &state) {
            if known.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    known
}

/// All arrangements of some items, in lexicographic order, each once.
fn arrangements<T: Ord + Clone>(items: &[T]) -> BTreeSet<Vec<T>> {
    if items.is_empty() {
        return BTreeSet::from([Vec::new()]);
    }
    let first = |i: usize| {
        let rest = [&items[..i], &items[i + 1..]].concat();
        arrangements(&rest).into_iter().map(move |rest| [&items[i..=i], &rest[..]].concat())
    };
    (0..items.len()).flat_map(first).collect()
}

/// The text and the bytes of the file of a puzzle.
fn file(numbers: StateNumbers) -> (String, Vec<u8>) {
    let (cancel, entries) = (CancelToken::new(), numbers.entries());
    let found = numbers.search(&cancel, &|_| ()).unwrap();
    let mut file = Vec::new();
    found.write(&["puzzle of\na test".to_owned()], &mut file, &cancel).unwrap();
    let split = file.len() - usize::try_from(entries).unwrap();
    let bytes = file.split_off(split);
    let at = |depth: usize| bytes.iter().filter(|&&byte| usize::from(byte) == depth).count();
    let counts: Vec<u64> = (0..found.counts().len()).map(|depth| at(depth) as u64).collect();
    assert_eq!(counts, found.counts());
    (String::from_utf8(file).unwrap(), bytes)
}

/// The entries, for a list of all states by their numbers.
fn agree(puzzle: &PlainPuzzle, goal: &Shown, states: &[Shown], bytes: &[u8]) {
    let all: BTreeSet<Shown> = states.iter().cloned().collect();
    assert_eq!((all.len(), states.len()), (bytes.len(), bytes.len()));
    let expected = distances(puzzle, goal, &all);
    for (number, (state, &byte)) in states.iter().zip(bytes).enumerate() {
        let distance = expected.get(state).map_or(255, |&distance| distance);
        assert_eq!(u16::from(byte), distance, "{number}: {state:?}");
    }
}

#[test]
fn boards_by_the_squares_of_their_values() {
    let ways = [one("up", 1, (-1, 0)), one("left", 2, (0, -1)), one("right", 1, (0, 1))];
    let down = one("down", 3, (1, 0));
    let goal = vec![3, 0, 5, 1, 2, 4];
    // Without the last way, some boards have no plan.
    for moves in [[&ways[..], &[down]].concat(), ways.to_vec()] {
        let puzzle = PlainPuzzle::of_board((2, 3), moves, goal.clone()).unwrap();
        let (text, bytes) = file(StateNumbers::new(puzzle.clone()).unwrap());
        assert!(text.starts_with("fewest-distances 1\nabout puzzle of a test\nboard 2 3\n"));
        assert!(text.ends_with("\nentries 720\n"), "{text}");
        let squares = arrangements(&[0, 1, 2, 3, 4, 5]);
        let board = |squares: Vec<usize>| {
            let mut board = vec![0; 6];
            (1..6).zip(squares).for_each(|(value, square)| board[square] = value);
            board
        };
        let states: Vec<Shown> = squares.into_iter().map(board).collect();
        agree(&puzzle, &goal, &states, &bytes);
    }
}

/// Four turned pieces, two of them alike, and three others. Rotations come after classes.
#[test]
fn words_by_their_classes_and_rotations() {
    let cycle = [3, 2, 5, 4, 0, 1, 6, 7, 9, 10, 8];
    let swap = [0, 1, 2, 3, 7, 6, 5, 4, 8, 10, 9];
    let turn = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    for (moves, entries) in [
        (vec![(1, &cycle[..]), (2, &swap[..])], 12 * 8 * 3),
        (vec![(1, &cycle[..]), (2, &swap[..]), (1, &turn[..])], 12 * 16 * 3),
    ] {
        let goal = vec![6, 5, 1, 2, 1, 2, 0, 9, 3, 3, 4];
        let puzzle = blocks(&[(4, 2), (3, 1)], &moves, &goal);
        let (text, bytes) = file(StateNumbers::new(puzzle.clone()).unwrap());
        assert!(text.ends_with(&format!("\nentries {entries}\n")), "{text}");
        // Classes by their first places in the goal: 5 6, 1 2, 0 9.
        let words = [[5, 6], [1, 2], [0, 9]];
        let mut states = Vec::new();
        for classes in arrangements(&[0, 1, 1, 2]) {
            for turns in 0..16_usize {
                let is_odd = turns.count_ones() % 2 == 1;
                // The goal has one turned piece.
                if entries == 12 * 8 * 3 && !is_odd {
                    continue;
                }
                for last in arrangements(&[0, 0, 1]) {
                    let place = |(place, &class): (usize, &usize)| {
                        let turn = turns >> (3 - place) & 1;
                        [words[class][turn], words[class][1 - turn]]
                    };
                    let mut state: Shown = classes.iter().enumerate().flat_map(place).collect();
                    state.extend(last.iter().map(|&class: &usize| [3, 4][class]));
                    states.push(state);
                }
            }
        }
        agree(&puzzle, &goal, &states, &bytes);
    }
}

/// The chain of a group of few elements, by looking through them.
fn chain(elements: &BTreeSet<Shown>, points: &[u16]) -> Vec<ChainLevel> {
    let mut rest: Vec<Shown> = elements.iter().cloned().collect();
    let mut levels = Vec::new();
    for &point in points {
        let at = usize::from(point);
        let mut cosets: Vec<Shown> = Vec::new();
        for element in &rest {
            if !cosets.iter().any(|coset| coset[at] == element[at]) {
                cosets.push(element.clone());
            }
        }
        levels.push(ChainLevel { point, cosets });
        rest.retain(|element| element[at] == point);
    }
    assert_eq!(rest.len(), 1);
    levels
}

/// Elements by the digits of a chain: the first level has the greatest weight.
#[test]
fn elements_by_the_digits_of_a_chain() {
    let a = [2, 3, 4, 5, 0, 1, 7, 6];
    let b = [3, 2, 0, 1, 4, 5, 6, 7];
    let goal: Shown = (0..8).collect();
    let puzzle = blocks(&[(3, 2), (2, 1)], &[(1, &a), (3, &b)], &goal);
    let elements = reach(&puzzle, &goal);
    let levels = chain(&elements, &[6, 4, 0, 2]);
    let numbers = StateNumbers::of_chain(puzzle.clone(), levels.clone()).unwrap();
    let (text, bytes) = file(numbers);
    assert!(text.contains("\nlevel 6 2\ncoset "), "{text}");
    let mut states = vec![goal.clone()];
    for level in &levels {
        let next = |state: &Shown| -> Vec<Shown> {
            let product = |coset: &Shown| coset.iter().map(|&at| state[usize::from(at)]).collect();
            level.cosets.iter().map(product).collect()
        };
        states = states.iter().flat_map(next).collect();
    }
    assert_eq!(states.len(), elements.len());
    agree(&puzzle, &goal, &states, &bytes);
    // All of it is the same without the chain, for each state that has a plan.
    let (_, words) = file(StateNumbers::new(puzzle).unwrap());
    let sorted = |bytes: &[u8]| {
        let mut known: Vec<u8> = bytes.iter().copied().filter(|&byte| byte < 255).collect();
        known.sort_unstable();
        known
    };
    assert_eq!(sorted(&words), sorted(&bytes));
}

#[test]
fn searches_that_have_no_answer_say_why() {
    let goal: Shown = (0..4).collect();
    let turn: [u16; 4] = [1, 2, 3, 0];
    let puzzle = |cost| blocks(&[(4, 1)], &[(cost, &turn)], &goal);
    let levels = chain(&reach(&puzzle(1), &goal), &[0]);
    let numbers = |cost| StateNumbers::of_chain(puzzle(cost), levels.clone()).unwrap();
    let search = |numbers: StateNumbers| {
        numbers.search(&CancelToken::new(), &|_| ()).map(|found| found.counts().to_vec())
    };
    assert_eq!(search(numbers(84)).unwrap().len(), 253);
    assert_eq!(search(numbers(85)), Err(DistanceFault::Far));
    let half = ChainLevel { point: 0, cosets: vec![goal.clone(), vec![2, 3, 0, 1]] };
    let numbers_of_half = StateNumbers::of_chain(puzzle(1), vec![half.clone()]).unwrap();
    assert_eq!(search(numbers_of_half), Err(DistanceFault::Number));
    let cancelled = numbers(1).search(&CancelToken::cancelled(), &|_| ()).map(drop);
    assert_eq!(cancelled, Err(DistanceFault::Cancelled));
    for cosets in [vec![goal.clone(); 2], vec![vec![0, 1, 2]], vec![vec![0, 1, 2, 2]], vec![]] {
        let level = ChainLevel { cosets, ..half.clone() };
        assert!(StateNumbers::of_chain(puzzle(1), vec![level]).is_err());
    }
    let alike = blocks(&[(4, 1)], &[(1, &turn)], &[0, 1, 1, 2]);
    assert!(StateNumbers::of_chain(alike, levels).is_err());
}
