//! Joins lines of stickers to one state. The lines are faces, rows of faces, or a net of the cube.

use super::input::InputState;
use fewest::cube::notation::{is_even, is_face};
use fewest_terminal::Error;
use std::collections::{BTreeMap, VecDeque};

/// The number of faces of a cube.
const FACES: usize = 6;

/// Which lines may wait for later lines, which may complete a cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Patience {
    /// Somebody types: only lines that are a whole face.
    Typed,
    /// A program may wait for an answer: also lines of letters without blanks.
    Piped,
    /// All of the input is available: any line of letters.
    #[default]
    File,
}

/// Joins successive lines to one state if they are the stickers of a cube with `face` stickers on
/// each face. Other lines stay as they are.
///
/// A line that may be a part of a cube waits until the cube is complete, or until a line follows
/// that fits no cube. Complete lines are stickers in these cases, else moves:
///
/// - They have `.` or `?`, an unknown sticker, which no move has.
/// - They have blanks, and each of six letters occurs `face` times.
/// - They have no blanks, and are six faces: with nine letters each, or six different letters in
///   all.
/// - They have no blanks, and each of six letters occurs about `face` times.
///
/// So the puzzle reads and refuses most cubes with a miscounted colour.
pub(super) fn joined_faces(
    mut lines: impl Iterator<Item = Result<InputState, Error>>,
    face: Option<usize>,
    patience: Patience,
) -> impl Iterator<Item = Result<InputState, Error>> {
    let shapes = face.map(shapes);
    let mut waiting: VecDeque<Result<InputState, Error>> = VecDeque::new();
    std::iter::from_fn(move || {
        let (Some(face), Some(shapes)) = (face, &shapes) else { return lines.next() };
        loop {
            let widths: Option<Vec<usize>> =
                waiting.iter().map(|line| width(line, face, patience)).collect();
            // If no shape begins with these lines, the first line is a state of its own.
            let begins = |shape: &&Vec<usize>| {
                widths.as_ref().is_some_and(|widths| shape.starts_with(widths))
            };
            let Some(shape) = shapes.iter().find(begins) else { break };
            if shape.len() == waiting.len() {
                if let Some(text) = cube(&waiting, face) {
                    let first = waiting.drain(..).next()?;
                    return Some(first.map(|given| InputState { text, ..given }));
                }
                break;
            }
            match lines.next() {
                Some(line) => waiting.push_back(line),
                None => break,
            }
        }
        waiting.pop_front()
    })
}

/// For each way to write a cube, the number of letters on each line. The lines are faces, rows of
/// faces, or a net of the cube.
fn shapes(face: usize) -> Vec<Vec<usize>> {
    let side = face.isqrt();
    let unfolded = [side, FACES * side - 2 * side, side].map(|width| vec![width; side]).concat();
    vec![vec![face; FACES], vec![side; FACES * side], unfolded]
}

/// The number of letters on a line that may be a part of a cube.
fn width(line: &Result<InputState, Error>, face: usize, patience: Patience) -> Option<usize> {
    let given = line.as_ref().ok().filter(|given| given.wrong.is_none() && !given.whole)?;
    let letters: String = given.text.split_whitespace().collect();
    let shown = letters.replace(['.', '?'], "U");
    let waits = match patience {
        Patience::Typed => given.text == letters && letters.len() == face,
        Patience::Piped => given.text == letters || letters.len() == face,
        Patience::File => true,
    };
    (waits && is_face(&shown, shown.len())).then_some(shown.len())
}

/// The state of lines in one of the shapes. `None` if they are moves.
fn cube(lines: &VecDeque<Result<InputState, Error>>, face: usize) -> Option<String> {
    let texts = || lines.iter().flatten().map(|given| given.text.as_str());
    let rows: Vec<String> = texts().map(|text| text.split_whitespace().collect()).collect();
    let joined = rows.concat();
    let blanks = texts().any(|text| text.contains(char::is_whitespace));
    let faces = rows.len() == FACES && (face == 9 || letters(&joined).len() == FACES);
    let open = joined.contains(['.', '?']);
    let whole =
        if blanks { is_even(&joined, face) } else { faces || is_nearly_even(&joined, face) };
    (open || whole).then(|| rows.join(" "))
}

/// The letters that occur in a text, and how often.
fn letters(text: &str) -> BTreeMap<char, usize> {
    let mut letters = BTreeMap::new();
    text.chars().for_each(|letter| *letters.entry(letter).or_default() += 1);
    letters
}

/// Whether six letters occur, each on about as many stickers as a face has.
fn is_nearly_even(text: &str, face: usize) -> bool {
    let letters = letters(text);
    letters.len() == FACES && letters.values().all(|count| count.abs_diff(face) < 3)
}
