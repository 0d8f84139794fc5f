//! Six lines of stickers, a face on each, are one state.

use super::Error;
use super::states::InputState;
use fewest::cube::notation::{is_even, is_face};
use std::collections::VecDeque;

/// Faces of a cube.
const FACES: usize = 6;

/// The states of some lines: six lines that are faces of `face` stickers are one.
///
/// Such a line waits for those after it, until one is not a face. A line of four letters is a face
/// only where all six lines together have four of each colour. Else it is moves.
pub(super) fn joined_faces(
    mut lines: impl Iterator<Item = Result<InputState, Error>>,
    face: Option<usize>,
) -> impl Iterator<Item = Result<InputState, Error>> {
    let mut waiting = VecDeque::new();
    std::iter::from_fn(move || {
        let Some(face) = face else { return lines.next() };
        let is_one = |line: &Result<InputState, Error>| {
            line.as_ref().is_ok_and(|given| given.wrong.is_none() && is_face(&given.text, face))
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
            let faces: Vec<&str> = faces.collect();
            if face == 9 || is_even(&faces.concat(), face) {
                let text = faces.join(" ");
                let first = waiting.drain(..).next()?;
                return Some(first.map(|given| InputState { text, ..given }));
            }
        }
        waiting.pop_front()
    })
}
