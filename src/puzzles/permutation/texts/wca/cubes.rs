//! The notation of cubes from 4x4x4 to 7x7x7: `3Rw`, `2R`, `2-3Rw`, `M`, `x`.

use super::frames::{FACES, Frames, OwnTurns, Part, PartTurn, whole};
use crate::puzzle::InvalidInput;
use permutation::Definition;

/// Layers of a cube, and the number of slots of its definition. The middle centres of an odd cube
/// are not slots.
const SLOTS: [(usize, usize); 4] = [(4, 56), (5, 92), (6, 152), (7, 212)];

/// A cube with `layers` layers along an edge.
struct LayeredCube {
    layers: usize,
}

/// The notation, if this is the definition of such a cube.
pub(super) fn of(definition: &Definition) -> Option<Box<dyn Frames>> {
    let slots: usize = definition.orbits().iter().map(|orbit| orbit.pieces()).sum();
    let (layers, _) = SLOTS.into_iter().find(|&(_, known)| known == slots)?;
    let cube = LayeredCube { layers };
    let has = |face: usize| {
        (1..=layers / 2).all(|width| definition.moves().find(&name(face, width)).is_some())
    };
    let rotations = ["x", "y", "z"].iter().any(|name| definition.moves().find(name).is_some());
    ((0..6).all(has) && !rotations).then(|| Box::new(cube) as Box<dyn Frames>)
}

/// The name of the move of the outer layers of a face.
fn name(face: usize, width: usize) -> String {
    let face = FACES[face];
    match width {
        1 => face.to_string(),
        2 => format!("{face}w"),
        _ => format!("{width}{face}w"),
    }
}

impl LayeredCube {
    /// The layers that a word such as `2-3R` names by numbers. `wide` is a word with a `w`.
    fn range(&self, numbers: &str, wide: bool) -> Option<(usize, usize)> {
        let number = |text: &str| text.parse().ok().filter(|at| (1..=self.layers).contains(at));
        match (numbers.split_once('-'), wide) {
            (Some((first, last)), true) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some((first, last))
            }
            (Some(_), false) => None,
            (None, true) if numbers.is_empty() => Some((1, 2)),
            (None, true) => Some((1, number(numbers)?)),
            (None, false) if numbers.is_empty() => Some((1, 1)),
            (None, false) => number(numbers).map(|at| (at, at)),
        }
    }
}

impl Frames for LayeredCube {
    fn part(&self, word: &str) -> Result<Option<Part>, InvalidInput> {
        let all = |face| Part::Layers { face, first: 1, last: self.layers };
        let middle = self.layers.div_ceil(2);
        let slice = |face| Part::Layers { face, first: middle, last: middle };
        let has_slices = self.layers % 2 == 1;
        match word {
            "x" => return Ok(Some(all(1))),
            "y" => return Ok(Some(all(0))),
            "z" => return Ok(Some(all(2))),
            "M" if has_slices => return Ok(Some(slice(4))),
            "E" if has_slices => return Ok(Some(slice(3))),
            "S" if has_slices => return Ok(Some(slice(2))),
            _ => {}
        }
        let letters = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        let (numbers, wide) = (&word[..word.len() - letters.len()], letters.ends_with('w'));
        let letter = letters.trim_end_matches('w');
        let face = |letter: &str| FACES.iter().position(|&face| letter.chars().eq([face]));
        if letters.len() == 1
            && face(&letters.to_ascii_uppercase()).is_some()
            && face(letters).is_none()
        {
            let upper = letters.to_ascii_uppercase();
            return Err(InvalidInput::new(format_args!(
                "{word} means two layers to some, and the second layer to others: expected \
                 {upper}w or 2{upper}"
            )));
        }
        let Some(face) = face(letter).filter(|_| letters.len() <= 2) else { return Ok(None) };
        let layers = self.range(numbers, wide);
        Ok(layers.map(|(first, last)| Part::Layers { face, first, last }))
    }

    fn own(&self, turn: PartTurn) -> OwnTurns {
        let mut own = OwnTurns { moves: Vec::new(), whole: [0, 1, 2, 3, 4, 5] };
        let Part::Layers { face, first, last } = turn.part else { return own };
        // The layers up to the last, without those before the first.
        let mut quarters = 0;
        for (width, amount) in [(last, turn.amount), (first - 1, -turn.amount)] {
            if width > self.layers / 2 {
                // The whole cube, without the layers on the other side.
                quarters += amount;
                if width < self.layers {
                    own.moves.push((name((face + 3) % 6, self.layers - width), amount));
                }
            } else if width > 0 {
                own.moves.push((name(face, width), amount));
            }
        }
        own.whole = whole(PartTurn { amount: quarters, ..turn });
        own
    }
}
