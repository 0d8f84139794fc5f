//! The names of all puzzles, their aliases, and suggestions for a misspelt name.

use super::PUZZLES;
use serde::Serialize;

/// Aliases and the names that they stand for: names of the World Cube Association, and the usual
/// short ones.
const ALIASES: &[(&str, &str)] = &[
    ("222", "2x2x2"),
    ("2x2", "2x2x2"),
    ("333", "3x3x3"),
    ("3x3", "3x3x3"),
    ("444", "4x4x4"),
    ("4x4", "4x4x4"),
    ("555", "5x5x5"),
    ("5x5", "5x5x5"),
    ("666", "6x6x6"),
    ("6x6", "6x6x6"),
    ("777", "7x7x7"),
    ("7x7", "7x7x7"),
    ("minx", "megaminx"),
    ("pyram", "pyraminx-tips"),
    ("sq1", "square-1"),
];

/// A puzzle that has a name of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NamedPuzzle {
    /// Its name for [`crate::configure`]. Words in capitals stand for what the user chooses.
    #[serde(rename = "puzzle")]
    pub name: &'static str,
    /// Other names for it, in ascending order.
    pub aliases: Vec<&'static str>,
    /// A description of one line.
    pub title: &'static str,
}

/// All puzzles by name: the built-in ones, definitions that come with the program, and families.
pub fn named_puzzles() -> Vec<NamedPuzzle> {
    let mut all: Vec<NamedPuzzle> = Vec::new();
    for (name, title) in PUZZLES.iter().flat_map(|kind| (kind.titles)()) {
        // Two definitions have the names of built-in puzzles, which come first.
        if all.iter().all(|known| known.name != name) {
            let aliases = ALIASES.iter().filter(|(_, stands_for)| *stands_for == name);
            let aliases = aliases.map(|(alias, _)| *alias).collect();
            all.push(NamedPuzzle { name, aliases, title });
        }
    }
    all
}

/// The name of the puzzle that a name or an alias means, in upper or lower case. Other texts stay
/// as they are.
pub(super) fn resolve(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let lower = name.to_ascii_lowercase();
    let mut names = PUZZLES.iter().flat_map(|kind| (kind.titles)()).map(|(own, _)| own);
    let own = || names.find(|own| *own == lower);
    alias.map(|(_, stands_for)| *stands_for).or_else(own).unwrap_or(name)
}

/// Names of puzzles near a misspelt one, the nearest first, at most three.
pub(super) fn near_puzzles(wrong: &str) -> Vec<&'static str> {
    let of = |puzzle: NamedPuzzle| {
        let names = puzzle.aliases.iter().chain([&puzzle.name]).copied().collect();
        (puzzle.name, names)
    };
    near(wrong, named_puzzles().into_iter().map(of))
}

/// Names near a misspelt one, the nearest first, at most three. `all`: each name, with all
/// spellings of it.
pub(super) fn near<'n>(
    wrong: &str,
    all: impl Iterator<Item = (&'n str, Vec<&'n str>)>,
) -> Vec<&'n str> {
    let wrong = wrong.to_lowercase();
    let most = 1 + usize::from(wrong.len() > 4);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for (name, spellings) in all {
        let edits = spellings.into_iter().map(|one| edits(&wrong, one)).min().unwrap_or(usize::MAX);
        // A short text is a part of too many names.
        let holds = wrong.len() > 3 && name.contains(&wrong);
        if holds || edits <= most {
            near.push((edits, name));
        }
    }
    near.sort_unstable();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The beginning of an error text that names what may have been meant. Empty if nothing is near.
pub(super) fn did_you_mean(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        near => format!("did you mean {}? ", near.join(" or ")),
    }
}

/// The edit distance: how many bytes to insert, delete or replace to turn one text into the other.
fn edits(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
