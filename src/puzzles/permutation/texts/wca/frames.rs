//! Words that turn a part of a puzzle, as it is held at that moment.
//!
//! A definition has no word for some turns, such as three layers of a 4x4x4. Such a turn equals a
//! turn of the layers on the other side and a rotation of the whole puzzle. Rotations are left out:
//! they rename the words before them or after them instead.

use crate::puzzle::{InvalidInput, Place};

/// The faces in the order U R F D L B. A face and the opposite one are three apart.
pub(super) const FACES: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// For each face of a puzzle: the face to which a rotation of the whole puzzle takes it.
pub(super) type Frame = [usize; 6];

const HELD: Frame = [0, 1, 2, 3, 4, 5];

/// A turn of a part of the puzzle, clockwise seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartTurn {
    pub(super) part: Part,
    /// The number of smallest turns: quarters about a face, thirds about a corner.
    pub(super) amount: i32,
}

/// A part of the puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The layers `first` to `last`. The layer of the face is 1.
    Layers { face: usize, first: usize, last: usize },
    /// The half around a corner. Its three faces are in clockwise order.
    Half([usize; 3]),
}

/// A turn in the moves of the definition.
pub(super) struct OwnTurns {
    /// Names of moves, each with its amount.
    pub(super) moves: Vec<(String, i32)>,
    /// The remaining rotation of the whole puzzle.
    pub(super) whole: Frame,
}

/// A notation in which words turn parts.
pub(super) trait Frames {
    /// The part that a word turns, without its amount. `None` if it is no word of the notation.
    ///
    /// # Errors
    /// If the word has several meanings.
    fn part(&self, word: &str) -> Result<Option<Part>, InvalidInput>;

    /// The turn as moves of the definition and a rotation of the whole puzzle. Their order does not
    /// matter.
    fn own(&self, turn: PartTurn) -> OwnTurns;
}

impl Part {
    /// The number of smallest turns in a full turn.
    fn order(self) -> i32 {
        match self {
            Self::Layers { .. } => 4,
            Self::Half(_) => 3,
        }
    }

    /// The part to which a rotation of the whole puzzle takes this part.
    fn turned(self, frame: &Frame) -> Self {
        match self {
            Self::Layers { face, first, last } => Self::Layers { face: frame[face], first, last },
            Self::Half(faces) => Self::Half(faces.map(|face| frame[face])),
        }
    }
}

/// The rotation of the whole puzzle by a quarter clockwise about a face.
fn quarter(face: usize) -> Frame {
    let ring = match face % 3 {
        0 => [2, 4, 5, 1],
        1 => [2, 0, 5, 3],
        _ => [0, 1, 3, 4],
    };
    let mut frame = HELD;
    for at in 0..4 {
        let (from, to) = (ring[at], ring[(at + 1) % 4]);
        if face < 3 { frame[from] = to } else { frame[to] = from }
    }
    frame
}

/// The rotation of the whole puzzle by a third clockwise about a corner, whose faces are in
/// clockwise order.
fn third(faces: [usize; 3]) -> Frame {
    let mut frame = HELD;
    for at in 0..3 {
        let (from, to) = (faces[at], faces[(at + 1) % 3]);
        frame[from] = to;
        frame[(from + 3) % 6] = (to + 3) % 6;
    }
    frame
}

/// The rotation of the whole puzzle by the angle of a turn, about its axis.
pub(super) fn whole(turn: PartTurn) -> Frame {
    let one = match turn.part {
        Part::Layers { face, .. } => quarter(face),
        Part::Half(faces) => third(faces),
    };
    (0..turn.amount.rem_euclid(turn.part.order())).fold(HELD, |frame, _| then(&frame, &one))
}

/// The rotation `first`, followed by `second`.
pub(super) fn then(first: &Frame, second: &Frame) -> Frame {
    first.map(|face| second[face])
}

fn undone(frame: &Frame) -> Frame {
    let mut back = HELD;
    (0..6).for_each(|face| back[frame[face]] = face);
    back
}

/// The words of a text, with plain primes.
fn words(text: &str) -> Vec<String> {
    let plain = |word: &str| word.replace(['’', '′', '´', '`'], "'");
    text.split_whitespace().map(plain).collect()
}

/// The amount at the end of a word, such as `2'`, and the word without it. A prime may stand before
/// the number or behind it. `None` if the number is too large.
fn amount(word: &str) -> Option<(&str, i32)> {
    let head = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\'');
    let tail = &word[head.len()..];
    let digits = tail.trim_matches('\'');
    let number = if digits.is_empty() { 1 } else { digits.parse::<i32>().ok()? };
    let primes = tail.len() - digits.len();
    (primes < 2 && number < 1000).then_some((head, if primes == 1 { -number } else { number }))
}

fn turns(notation: &dyn Frames, text: &str) -> Result<Option<Vec<PartTurn>>, InvalidInput> {
    let mut turns = Vec::new();
    for (at, word) in (1..).zip(words(text)) {
        let Some((head, amount)) = amount(&word) else { return Ok(None) };
        let part = notation.part(head).map_err(|error| error.at(Place::word(at)))?;
        let Some(part) = part else { return Ok(None) };
        turns.push(PartTurn { part, amount });
    }
    Ok(Some(turns))
}

/// A name with its amount. Empty if the amount is a full turn.
fn written(name: &str, amount: i32, order: i32) -> String {
    match amount.rem_euclid(order) {
        0 => String::new(),
        1 => name.to_owned(),
        left if left == order - 1 => format!("{name}'"),
        left => format!("{name}{left}"),
    }
}

/// Adds the moves of a turn to words.
fn add(words: &mut Vec<String>, turn: PartTurn, own: &OwnTurns) {
    let word = |(name, amount): &(String, i32)| written(name, *amount, turn.part.order());
    words.extend(own.moves.iter().map(word).filter(|word| !word.is_empty()));
}

/// As [`super::state`].
pub(super) fn state(notation: &dyn Frames, text: &str) -> Result<Option<String>, InvalidInput> {
    let Some(turns) = turns(notation, text)? else { return Ok(None) };
    // Goes from the last word to the first. A rotation of the whole puzzle moves to the beginning,
    // and renames the words that it passes. There the puzzle is solved, so the rotation makes no
    // difference.
    let (mut words, mut later) = (Vec::new(), HELD);
    for turn in turns.into_iter().rev() {
        let turn = PartTurn { part: turn.part.turned(&later), ..turn };
        let own = notation.own(turn);
        add(&mut words, turn, &own);
        later = then(&later, &own.whole);
    }
    words.reverse();
    Ok(Some(words.join(" ")))
}

/// As [`super::plan`].
pub(super) fn plan(notation: &dyn Frames, text: &str) -> Result<Option<String>, InvalidInput> {
    let Some(turns) = turns(notation, text)? else { return Ok(None) };
    let (mut words, mut back) = (Vec::new(), HELD);
    for turn in turns {
        // A part as the puzzle was held at the beginning.
        let turn = PartTurn { part: turn.part.turned(&back), ..turn };
        let own = notation.own(turn);
        add(&mut words, turn, &own);
        back = then(&back, &undone(&own.whole));
    }
    Ok(Some(words.join(" ")))
}

/// As [`super::inverse`].
pub(super) fn inverse(
    notation: &dyn Frames,
    text: &str,
) -> Result<Option<Vec<String>>, InvalidInput> {
    if turns(notation, text)?.is_none() {
        return Ok(None);
    }
    let undo = |word: &String| {
        let (head, amount) = amount(word)?;
        let order = notation.part(head).ok()??.order();
        Some(written(head, -amount, order))
    };
    let words: Option<Vec<String>> = words(text).iter().rev().map(undo).collect();
    Ok(words.map(|words| words.into_iter().filter(|word| !word.is_empty()).collect()))
}
