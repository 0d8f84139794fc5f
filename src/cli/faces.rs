//! Joins six lines of stickers, one face on each, to one state.

use super::Error;
use super::states::InputState;
use fewest::cube::notation::is_face;
use fewest::cube::partial::has_open;
use std::collections::{BTreeSet, VecDeque};

/// Faces of a cube.
const FACES: usize = 6;

/// Joins six lines in a row to one state if each is a face of `face` stickers. Other lines stay as
/// they are.
///
/// A line that may be a face waits until the six are complete, or until a line follows that is no
/// face. Lines of four letters are stickers if the six have six letters; else they are moves. The
/// puzzle refuses stickers with a miscounted colour. Moves have no `.`, which stands for a sticker
/// that is left open.
pub(super) fn joined_faces(
    mut lines: impl Iterator<Item = Result<InputState, Error>>,
    face: Option<usize>,
) -> impl Iterator<Item = Result<InputState, Error>> {
    let mut waiting = VecDeque::new();
    std::iter::from_fn(move || {
        let Some(face) = face else { return lines.next() };
        let is_one = |line: &Result<InputState, Error>| {
            let shown = |text: &str| text.replace(['.', '?'], "U");
            let fits = |given: &InputState| is_face(&shown(&given.text), face);
            line.as_ref().is_ok_and(|given| given.wrong.is_none() && fits(given))
        };
        let goes_on =
            |waiting: &VecDeque<_>| waiting.len() < FACES && waiting.back().is_none_or(is_one);
        while goes_on(&waiting) {
            match lines.next() {
                Some(line) => waiting.push_back(line),
                None => break,
            }
        }
        if waiting.len() == FACES && waiting.iter().all(is_one) {
            let faces = waiting.iter().flatten().map(|given| given.text.as_str());
            let text = faces.collect::<Vec<_>>().join(" ");
            if face == 9 || has_open(&text) || has_six_letters(&text) {
                let first = waiting.drain(..).next()?;
                return Some(first.map(|given| InputState { text, ..given }));
            }
        }
        waiting.pop_front()
    })
}

/// Whether six letters occur in a text.
fn has_six_letters(text: &str) -> bool {
    let letters: BTreeSet<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    letters.len() == FACES
}
