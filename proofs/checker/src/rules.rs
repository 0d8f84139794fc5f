//! Laws of a puzzle that a search may use: strings that it may leave out, and views, which are
//! other states of the same distance.

use crate::puzzle::{Block, Move, NOWHERE, Puzzle, inverse, is_permutation};
use crate::space::FAR;
use crate::text::{Checked, Line, numbers, require, word};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter;

/// Reads a forbidden string, and checks that its twin is smaller, applies wherever it does, and
/// leads to the same state. Then some cheapest plan has no forbidden string: replacing one by its
/// twin makes a plan smaller, and that ends.
pub(crate) fn read_forbidden(words: &Line, puzzle: &Puzzle) -> Checked<Vec<usize>> {
    let sides: Vec<_> = words.split(|&word| word == "=").collect();
    require(sides.len() == 2, "expected one `=`")?;
    let (string, twin) = (puzzle.named(sides[0])?, puzzle.named(sides[1])?);
    let size = |moves: &Vec<usize>| (puzzle.cost(moves), moves.len(), moves.clone());
    require(size(&twin) < size(&string), "expected a smaller twin")?;
    // Permutations: one state shows the products. Boards: the blank on each square, and different
    // tiles on the others.
    let starts = if puzzle.is_board() { puzzle.points } else { 1 };
    for blank in 0..starts {
        let mut values: Vec<_> = (0..puzzle.points).collect();
        values.swap(0, blank);
        let start = puzzle.state(values);
        let end = puzzle.apply_all(&start, &string);
        let same = end.is_none() || puzzle.apply_all(&start, &twin) == end;
        require(same, format_args!("the twin leads elsewhere, from square {blank}"))?;
    }
    Ok(string)
}

/// Tells whether a path contains a forbidden string. Its states are the beginnings of all strings:
/// that of a path is the longest with which the path ends. The empty path has state 0.
pub(crate) struct Automaton {
    /// For each state and move, the next state. `None`: the path contains a forbidden string.
    pub(crate) next: Vec<Vec<Option<usize>>>,
    /// For each state, the greatest cost of a way to go on, infinite if it is `FAR` or more.
    pub(crate) longest: Vec<usize>,
}

impl Automaton {
    pub(crate) fn new(forbidden: &HashSet<Vec<usize>>, moves: &[Move]) -> Self {
        let mut states = BTreeSet::from([Vec::new()]);
        for string in forbidden {
            states.extend((0..string.len()).map(|end| string[..end].to_vec()));
        }
        let numbers: HashMap<_, _> = states.iter().enumerate().map(|(at, one)| (one, at)).collect();
        let step = |state: &Vec<usize>, by: usize| {
            let path = [&state[..], &[by]].concat();
            let ends: Vec<_> = (0..=path.len()).map(|start| path[start..].to_vec()).collect();
            let allowed = ends.iter().all(|end| !forbidden.contains(end));
            ends.iter().find_map(|end| numbers.get(end).copied()).filter(|_| allowed)
        };
        let steps = |state| (0..moves.len()).map(|by| step(state, by)).collect();
        let next: Vec<Vec<Option<usize>>> = states.iter().map(steps).collect();
        // A state is known once all states behind it are. Those before a cycle stay infinite.
        let (mut longest, mut unknown) = (vec![usize::MAX; next.len()], usize::MAX);
        while unknown > longest.iter().filter(|&&cost| cost == usize::MAX).count() {
            unknown = longest.iter().filter(|&&cost| cost == usize::MAX).count();
            for state in 0..next.len() {
                let cost = |(next, one): (&Option<usize>, &Move)| {
                    next.map(|next| longest[next].saturating_add(one.cost))
                };
                let cost = iter::zip(&next[state], moves).filter_map(cost).max().unwrap_or(0);
                longest[state] = if cost < FAR.into() { cost } else { usize::MAX };
            }
        }
        Self { next, longest }
    }
}

pub(crate) struct View {
    /// Where each point or square goes. `None`: the inverse.
    points: Option<Vec<usize>>,
    /// What each sticker or value becomes.
    pub(crate) values: Vec<usize>,
}

impl View {
    /// The state itself.
    pub(crate) fn plain(puzzle: &Puzzle) -> Self {
        let same: Vec<_> = (0..puzzle.points).collect();
        Self { points: Some(same.clone()), values: same }
    }

    /// Reads a view, and checks that it sends goals to goals, and moves to moves of the same cost.
    /// Then it sends plans to plans. As it permutes the moves, this holds the other way, too.
    pub(crate) fn read(words: &Line, puzzle: &Puzzle) -> Checked<Self> {
        let view = if word(words, 0)? == "inverse" {
            let labels: HashSet<_> = puzzle.goal.iter().collect();
            let differ = words.len() == 1 && !puzzle.is_board() && labels.len() == puzzle.points;
            require(differ, "expected permutations, and goal labels that all differ")?;
            Self { points: None, values: Vec::new() }
        } else {
            require(words[0] == "symmetry", "expected `inverse` or `symmetry`")?;
            let points = numbers(words, 1, puzzle.points)?;
            require(is_permutation(&points), "expected a permutation")?;
            let values = send_goal(puzzle, &points)?;
            Self { points: Some(points), values }
        };
        let moves: HashSet<_> = puzzle.moves.iter().map(|one| (&one.map, one.cost)).collect();
        for one in &puzzle.moves {
            let map = match &view.points {
                None => inverse(&one.map),
                Some(points) => {
                    let to = |from: &usize| points.get(one.map[*from]).copied().unwrap_or(NOWHERE);
                    inverse(points).iter().map(to).collect()
                }
            };
            let text = format_args!("move `{}` is not sent to a move of its cost", one.name);
            require(moves.contains(&(&map, one.cost)), text)?;
        }
        Ok(view)
    }

    /// The image of a state. That of a board has the square of each value behind the squares.
    pub(crate) fn image(&self, state: &[usize], image: &mut [usize]) {
        let Some(points) = &self.points else {
            return state.iter().enumerate().for_each(|(at, &sticker)| image[sticker] = at);
        };
        let (values, squares) = state.split_at(points.len());
        for (&point, &value) in points.iter().zip(values) {
            image[point] = self.values[value];
        }
        for (&value, &square) in self.values.iter().zip(squares) {
            image[points.len() + value] = points[square];
        }
    }
}

/// What each sticker or value becomes, so that goals become goals, and states become states.
fn send_goal(puzzle: &Puzzle, points: &[usize]) -> Checked<Vec<usize>> {
    let (goal, mut there, mut back) = (&puzzle.goal, HashMap::new(), HashMap::new());
    for (&label, &point) in goal.iter().zip(points) {
        let same = *there.entry(label).or_insert(goal[point]) == goal[point];
        let same = same && *back.entry(goal[point]).or_insert(label) == label;
        require(same, "expected images that the goal tells apart like the stickers")?;
    }
    if puzzle.is_board() {
        let same = puzzle.moves.iter().all(|one| one.cost == puzzle.moves[0].cost);
        require(same && there[&0] == 0, "expected equal costs, and the goal's blank to stay")?;
        return Ok((0..puzzle.points).map(|value| there[&value]).collect());
    }
    // All places of a block are sent to those of one block: all rotated, or all reflected.
    let (turn, all) = (&puzzle.turn, (0..puzzle.points).collect::<Vec<_>>());
    for block in &puzzle.blocks {
        let other = puzzle.block(points[block.first]);
        let shape = |one: &Block| (one.places, one.rotations);
        let inside = |&at: &usize| puzzle.block(points[at]) == other;
        let rotated = |&at: &usize| points[turn[at]] == turn[points[at]];
        let reflected = |&at: &usize| turn[points[turn[at]]] == points[at];
        let all = block.of(&all);
        let fits = all.iter().all(inside) && other.map(shape) == Some(shape(block));
        let fits = fits && (all.iter().all(rotated) || all.iter().all(reflected));
        require(fits, format_args!("the block from point {} is not sent to one", block.first))?;
    }
    Ok(points.to_vec())
}
