//! What a plain proof reads of tables: [`PlainHeuristic`].

use super::puzzle::{PlainBlock, PlainPuzzle, least_rotation, line};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Tables, and the sums of their entries. The lower bound is the greatest sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainHeuristic {
    /// Other ways to look at a state, by name.
    pub views: Vec<(String, PlainView)>,
    /// The tables, by name.
    pub tables: Vec<(String, PlainTable)>,
    /// Each sum as lookups: a table, and the view with which it is read.
    pub sums: Vec<Vec<(String, Option<String>)>>,
}

/// Another way to look at a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainView {
    /// The inverse.
    Inverse,
    /// The image under a symmetry, which maps each point or square to one.
    Symmetry(Vec<u16>),
}

/// The distances in an abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainTable {
    /// The words of its line behind the name: `labels`, or for a board what it counts and what a
    /// lookup knows of the blank.
    pub kind: String,
    /// The numbers of its line: a label for each sticker, or some values of a board.
    pub numbers: Vec<u16>,
}

impl PlainHeuristic {
    pub(super) fn write(&self, text: &mut String) {
        for (name, view) in &self.views {
            *text += &match view {
                PlainView::Inverse => format!("view {name} inverse\n"),
                PlainView::Symmetry(image) => line(&format!("view {name} symmetry"), image),
            };
        }
        for (name, PlainTable { kind, numbers }) in &self.tables {
            *text += &line(&format!("table {name} {kind}"), numbers);
        }
        for sum in &self.sums {
            let lookup = |(table, view): &(String, Option<String>)| match view {
                Some(view) => format!(" {table}@{view}"),
                None => format!(" {table}"),
            };
            let sum: String = sum.iter().map(lookup).collect();
            let _ = writeln!(text, "sum{sum}");
        }
    }

    /// Tables of at most `most` entries, for a puzzle of pieces: of as many pieces of a block as
    /// fit, until each piece is in one. Where the goal tells all stickers apart and each move can
    /// be undone by one of the same cost, a lookup of the inverse stands beside each. None for a
    /// board.
    pub fn of(puzzle: &PlainPuzzle, most: u64) -> Self {
        let PlainPuzzle::Blocks { blocks, goal, .. } = puzzle else { return Self::default() };
        let (mut all, mut first) = (Vec::new(), 0);
        for (number, block) in blocks.iter().enumerate() {
            let own = &goal[first..first + block.pieces * block.rotations];
            all.extend(parts(*block, own, most).into_iter().map(|part| (number, part)));
            first += own.len();
        }
        let mut made = Self::of_pieces(puzzle, &all);
        if puzzle.inverts() {
            let view = "inverse";
            made.views.push((view.to_owned(), PlainView::Inverse));
            let inverse = |(name, _): &(String, _)| vec![(name.clone(), Some(view.into()))];
            made.sums.extend(made.tables.iter().map(inverse));
        }
        made
    }

    /// A table for each set of pieces: the number of their block, and their places in the goal. A
    /// lower bound is the greatest entry. Without sets for a board, or for blocks that are not.
    pub fn of_pieces(puzzle: &PlainPuzzle, sets: &[(usize, Vec<usize>)]) -> Self {
        let mut made = Self::default();
        let PlainPuzzle::Blocks { blocks, goal, .. } = puzzle else { return made };
        for (number, pieces) in sets {
            let Some(&block) = blocks.get(*number) else { continue };
            let before = blocks[..*number].iter();
            let first = before.map(|block| block.pieces * block.rotations).sum();
            let numbers = labels(goal, first, block, pieces);
            let table = PlainTable { kind: "labels".to_owned(), numbers };
            let words: Vec<String> = pieces.iter().map(usize::to_string).collect();
            made.tables.push((format!("block-{}-{}", number + 1, words.join(".")), table));
        }
        made.sums = made.tables.iter().map(|(name, _)| vec![(name.clone(), None)]).collect();
        made
    }
}

/// The pieces of each table of a block, by their places in the goal. `labels` are those of the
/// block. Pieces that look alike are in one table.
fn parts(block: PlainBlock, labels: &[u16], most: u64) -> Vec<Vec<usize>> {
    let mut alike: BTreeMap<Vec<u16>, Vec<usize>> = BTreeMap::new();
    for (place, labels) in labels.chunks(block.rotations).enumerate() {
        alike.entry(least_rotation(labels)).or_default().push(place);
    }
    let mut kinds: Vec<Vec<usize>> = alike.into_values().collect();
    kinds.sort_unstable();
    let (mut parts, mut part): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    let entries = |kinds: &[Vec<usize>]| {
        let (mut entries, mut left) = (1_u64, block.pieces as u64);
        for (number, _) in kinds.iter().flat_map(|kind| kind.iter().enumerate()) {
            let ways = left * block.rotations as u64;
            entries = entries.saturating_mul(ways) / (number as u64 + 1);
            left -= 1;
        }
        entries
    };
    for kind in kinds {
        part.push(kind);
        if entries(&part) > most && part.len() > 1 {
            let last: Vec<_> = part.pop().into_iter().collect();
            parts.push(std::mem::replace(&mut part, last).concat());
        }
    }
    parts.push(part.concat());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Labels that tell some pieces of a block apart as the goal does, and nothing else.
fn labels(goal: &[u16], first: usize, block: PlainBlock, pieces: &[usize]) -> Vec<u16> {
    let is_told = |point: usize| {
        let place = point.checked_sub(first).map(|point| point / block.rotations);
        place.is_some_and(|place| pieces.contains(&place))
    };
    // Numbered anew, so that 0 is free for the rest.
    let told = goal.iter().enumerate().filter(|(point, _)| is_told(*point));
    let told: BTreeSet<u16> = told.map(|(_, &label)| label).collect();
    let numbers: BTreeMap<u16, u16> = told.into_iter().zip(1..).collect();
    let label = |(point, label): (usize, &u16)| if is_told(point) { numbers[label] } else { 0 };
    goal.iter().enumerate().map(label).collect()
}
