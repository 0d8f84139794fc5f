//! Views: other states of the same distance.

use crate::puzzle::{Block, Move, NOWHERE, Puzzle, inverse, is_permutation};
use crate::text::{Line, Objection};
use std::collections::{HashMap, HashSet};

#[derive(Debug)]
pub(crate) struct View {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// The state itself.
    Plain,
    Inverse,
    /// A permutation of the points or squares.
    Symmetry(Vec<u16>),
}

impl View {
    pub(crate) fn plain() -> Self {
        Self { name: String::new(), kind: Kind::Plain }
    }

    /// Reads a view, and checks that it keeps distances.
    pub(crate) fn read(line: &Line, puzzle: &Puzzle) -> Result<Self, Objection> {
        let name = line.word(0)?.to_owned();
        let kind = match line.word(1)? {
            "inverse" => {
                line.require_words(2)?;
                check_inverse(line, puzzle)?;
                Kind::Inverse
            }
            "symmetry" => {
                let points = line.numbers(2, puzzle.points)?;
                line.require(is_permutation(&points), "expected a permutation")?;
                if puzzle.is_board() {
                    check_board(line, puzzle, &points)?;
                } else {
                    check_symmetry(line, puzzle, &points)?;
                }
                Kind::Symmetry(points)
            }
            other => return Err(line.refused(format_args!("there is no kind of view `{other}`"))),
        };
        Ok(Self { name, kind })
    }

    /// The image of a state of a puzzle of permutations.
    pub(crate) fn image(&self, state: &[u16], image: &mut [u16]) {
        match &self.kind {
            Kind::Plain => image.copy_from_slice(state),
            Kind::Inverse => {
                for (at, &sticker) in (0..).zip(state) {
                    image[usize::from(sticker)] = at;
                }
            }
            Kind::Symmetry(points) => {
                for (&point, &sticker) in points.iter().zip(state) {
                    image[usize::from(point)] = points[usize::from(sticker)];
                }
            }
        }
    }
}

fn require_move(
    line: &Line,
    moves: &HashSet<(&[u16], u16)>,
    one: &Move,
    image: &[u16],
) -> Result<(), Objection> {
    let text = format_args!("move `{}` is not mapped to a move of its cost", one.name);
    line.require(moves.contains(&(image, one.cost)), text)
}

/// The moves of a puzzle, to look one up.
fn set(puzzle: &Puzzle) -> HashSet<(&[u16], u16)> {
    puzzle.moves.iter().map(|one| (&one.map[..], one.cost)).collect()
}

/// A plan of the inverse state is the inverse plan: if `s m n` is the identity, so is
/// `s^-1 n^-1 m^-1` after both are turned around.
fn check_inverse(line: &Line, puzzle: &Puzzle) -> Result<(), Objection> {
    line.require(!puzzle.is_board(), "expected a puzzle of permutations")?;
    let labels: HashSet<_> = puzzle.goal.iter().collect();
    line.require(labels.len() == puzzle.points, "expected goal labels that all differ")?;
    let moves = set(puzzle);
    puzzle.moves.iter().try_for_each(|one| require_move(line, &moves, one, &inverse(&one.map)))
}

/// The image of each state is a state, that of a goal is a goal, and that of a move is a move.
fn check_symmetry(line: &Line, puzzle: &Puzzle, points: &[u16]) -> Result<(), Objection> {
    for block in &puzzle.blocks {
        let start = usize::from(points[block.first]);
        let other = puzzle.blocks.iter().find(|other| (other.first..other.end()).contains(&start));
        let fits = other.is_some_and(|other| maps_places(block, other, points));
        let text = format_args!("the block from point {} is not mapped to a block", block.first);
        line.require(fits, text)?;
    }
    let mut labels = HashMap::new();
    let mut back = HashMap::new();
    for (&label, &point) in puzzle.goal.iter().zip(points) {
        let image = puzzle.goal[usize::from(point)];
        let same = *labels.entry(label).or_insert(image) == image
            && *back.entry(image).or_insert(label) == label;
        line.require(same, "the goal tells apart other stickers than their images")?;
    }
    let (moves, mut image) = (set(puzzle), vec![0; puzzle.points]);
    puzzle.moves.iter().try_for_each(|one| {
        for (&point, &from) in points.iter().zip(&one.map) {
            image[usize::from(point)] = points[usize::from(from)];
        }
        require_move(line, &moves, one, &image)
    })
}

/// Whether each place of a block is mapped to a place of another: all rotated, or all reflected.
fn maps_places(block: &Block, other: &Block, points: &[u16]) -> bool {
    let turns = block.rotations;
    let fits = |reflected: bool| {
        points[block.first..block.end()].chunks(turns).all(|images| {
            let inside = |&&image: &&u16| (other.first..other.end()).contains(&usize::from(image));
            if images.iter().filter(inside).count() < turns {
                return false;
            }
            let (place, start) = other.split(images[0]);
            let point = |i: usize| if reflected { start + turns - i } else { start + i };
            let expected = |i: usize| (place, point(i) % turns);
            (0..).zip(images).all(|(i, &image)| other.split(image) == expected(i))
        })
    };
    (block.places, turns) == (other.places, other.rotations) && (fits(false) || fits(true))
}

/// Each step of the blank is mapped to a step of the same cost, and the goal to itself.
fn check_board(line: &Line, puzzle: &Puzzle, squares: &[u16]) -> Result<(), Objection> {
    let cost = puzzle.moves.first().map(|one| one.cost);
    let same = puzzle.moves.iter().all(|one| Some(one.cost) == cost);
    line.require(same, "expected moves of the same cost")?;
    let image = |square: u16| squares[usize::from(square)];
    let blank = (0..).zip(&puzzle.goal).find(|&(_, &value)| value == 0);
    let kept = blank.is_some_and(|(square, _)| image(square) == square);
    line.require(kept, "expected the blank of the goal to stay")?;
    for one in &puzzle.moves {
        for (from, &to) in (0..).zip(&one.map).filter(|&(_, &to)| to != NOWHERE) {
            let leads = |other: &Move| other.map[usize::from(image(from))] == image(to);
            let text = format_args!("move `{}` is not mapped to a move on square {from}", one.name);
            line.require(puzzle.moves.iter().any(leads), text)?;
        }
    }
    Ok(())
}
