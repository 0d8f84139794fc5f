//! Finds the place that an error message names, so that the page can mark it.

use serde::Serialize;

/// A place in a text or in a state. All numbers count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    /// The line of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The column of that line.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// Stickers, in the order of the faces U R F D L B.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facelets: Vec<usize>,
    /// Squares of a board, row by row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<usize>,
    /// A colour that occurs too often or not often enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<char>,
}

/// The place that a message names. `None` if it names none.
///
/// The forms are those of docs/FORMATS.md: `line 1, column 3`, `facelet 12`, `facelets 9, 10, 21`,
/// `square 4`, and ``the colour `U` ``.
pub(super) fn place(message: &str) -> Option<Place> {
    let first = |word: &str| numbers(message, word).into_iter().next();
    let place = Place {
        line: first("line "),
        column: first("column "),
        facelets: [numbers(message, "facelet "), numbers(message, "facelets ")].concat(),
        squares: numbers(message, "square "),
        colour: message.split_once("the colour `").and_then(|(_, rest)| rest.chars().next()),
    };
    (place != Place::default()).then_some(place)
}

/// The numbers right behind each occurrence of `word`, with commas between them.
fn numbers(message: &str, word: &str) -> Vec<usize> {
    let behind = message
        .match_indices(word)
        .filter(|&(at, _)| !message[..at].ends_with(|before: char| before.is_alphanumeric()));
    let lists = behind.map(|(at, _)| &message[at + word.len()..]);
    let number = |item: &str| {
        let digits = item.find(|c: char| !c.is_ascii_digit()).unwrap_or(item.len());
        Some((item[..digits].parse().ok()?, digits == item.len()))
    };
    let mut found = Vec::new();
    for list in lists {
        for item in list.split(", ") {
            let Some((value, whole)) = number(item) else { break };
            found.push(value);
            if !whole {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::{Settings, configure};

    fn of(puzzle: &str, state: &str) -> Place {
        let puzzle = configure(puzzle, &Settings::default()).unwrap();
        place(&puzzle.read(state).unwrap_err().to_string()).unwrap_or_default()
    }

    /// The places come from the messages of the puzzles themselves.
    #[test]
    fn messages_of_puzzles_have_places() {
        assert_eq!(of("3x3x3", "R Q").column, Some(3));
        let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
        let swapped = solved.replacen("UR", "RU", 1);
        assert_eq!(of("3x3x3", &swapped).facelets, [9, 10, 21]);
        assert_eq!(of("3x3x3", &solved.replacen('R', "U", 1)).colour, Some('U'));
        assert_eq!(of("8-puzzle", "1 2 3 4 5 6 7 8 8").squares, [9, 8]);
        let place = of("pyraminx", "R Q");
        assert_eq!((place.line, place.column), (Some(1), Some(3)));
    }

    #[test]
    fn other_numbers_are_no_place() {
        assert_eq!(place("found 9 words, expected 8"), None);
        assert_eq!(place("an underline 4"), None);
    }
}
