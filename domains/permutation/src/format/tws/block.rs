//! Reads blocks: for some sets, a line of pieces and a line of orientations, up to `End`.

use super::lines::{Cursor, Line, Token};
use super::words::{WORDS, is_word};
use crate::definition::{
    LARGEST_PIECE, Orbit, OrbitState, Orbits, PuzzleState, Transformation, check, first_repeated,
};
use crate::error::{Complaint, DefinitionError, Hint, counted, quoted};
use crate::format::read::{narrow, orientation_range, out_of_range};

/// The lines of one set in a block.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    /// The line of pieces. It keeps at most one word more than the set has slots.
    pub(crate) pieces: Row<'a>,
    /// The line of orientations, if there is one.
    pub(crate) turns: Option<Row<'a>>,
}

/// The words of a line, and the byte at which it ends.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) words: Vec<Token<'a>>,
    pub(crate) end: usize,
}

impl Row<'_> {
    /// The byte at which a word begins, or at which the line ends if it has fewer words.
    fn at(&self, index: usize) -> usize {
        self.words.get(index).map_or(self.end, |word| word.at)
    }
}

type Read<T> = Result<T, DefinitionError>;

/// Reads a block up to `End`. Returns the lines of each orbit, `None` for orbits not in the block.
pub(crate) fn read_block<'a>(
    cursor: &mut Cursor<'a>,
    orbits: &Orbits,
) -> Read<Vec<Option<Rows<'a>>>> {
    let mut out: Vec<Option<Rows<'a>>> =
        std::iter::repeat_with(|| None).take(orbits.len()).collect();
    loop {
        let Some(line) = cursor.next() else {
            let complaint = Complaint::new("the end of the file", "the name of a set, or End");
            return cursor.error(cursor.end(), complaint.hint(Hint::EndMissing));
        };
        let name = line.first();
        if name.text == "End" {
            cursor.words::<1>(&line, "End")?;
            return Ok(out);
        }
        let Some(orbit) = orbits.find(name.text) else {
            return cursor.error(name.at, no_set(name.text, orbits));
        };
        cursor.words::<1>(&line, "the name of a set")?;
        if out[orbit].is_some() {
            let found = format!("set {} again", quoted(name.text));
            return cursor.error(name.at, Complaint::new(found, "each set once"));
        }
        out[orbit] = Some(read_rows(cursor, orbits, orbit)?);
    }
}

fn no_set(found: &str, orbits: &Orbits) -> Complaint {
    let complaint = Complaint::new(quoted(found), "the name of a set, or End");
    let like = orbits.iter().find(|orbit| orbit.name().eq_ignore_ascii_case(found));
    let hint = if found.starts_with(|c: char| c.is_ascii_digit() || c == '?') {
        Some(Hint::TwoRows)
    } else if is_word(found) {
        Some(Hint::EndMissing)
    } else if found.eq_ignore_ascii_case("End") {
        Some(Hint::DidYouMean("End".into()))
    } else {
        like.map(|orbit| Hint::DidYouMean(orbit.name().to_owned()))
    };
    complaint.maybe(hint)
}

fn read_rows<'a>(cursor: &mut Cursor<'a>, orbits: &Orbits, orbit: usize) -> Read<Rows<'a>> {
    let most = orbits.range(orbit).len() + 1;
    let row = |cursor: &mut Cursor<'a>| {
        let line = cursor.next()?;
        Some(Row { words: line.tokens().take(most).collect(), end: line.end() })
    };
    if let Some(line) = cursor.peek().filter(|line| line.first().text == "End") {
        let name = orbits[orbit].name();
        let expected = format!("a line of {} numbers for set {}", most - 1, quoted(name));
        return cursor.error(line.at, Complaint::new("`End`", expected));
    }
    let end = cursor.end();
    let pieces = row(cursor).unwrap_or(Row { words: Vec::new(), end });
    // A set may have a name that begins like a number, but none that is one.
    let named = |line: &Line<'_>| {
        line.tokens().nth(1).is_none() && orbits.find(line.first().text).is_some()
    };
    let turns = cursor.peek().filter(|line| {
        let numbers = |c: char| c.is_ascii_digit() || "?-+".contains(c);
        line.first().text.starts_with(numbers) && !named(line)
    });
    let turns = turns.and_then(|_| row(cursor));
    Ok(Rows { pieces, turns })
}

/// Reads a number within a range.
pub(crate) fn number(
    cursor: &Cursor<'_>,
    word: Token<'_>,
    what: &str,
    least: u32,
    most: u32,
) -> Read<u32> {
    let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.text.parse().ok().filter(|number| digits && (least..=most).contains(number));
    match number {
        Some(number) => Ok(number),
        None => cursor.error(word.at, out_of_range(word.text, what, least, most)),
    }
}

/// Checks that a line has one word for each slot.
fn check_length(cursor: &Cursor<'_>, row: &Row<'_>, orbit: &Orbit, what: &str) -> Read<()> {
    let n = orbit.pieces();
    let expected = || format!("{} for set {}", counted(n, what), quoted(orbit.name()));
    if row.words.len() < n {
        let found = format!("the end of the line after {}", row.words.len());
        return cursor.error(row.end, Complaint::new(found, expected()));
    }
    match row.words.get(n) {
        None => Ok(()),
        Some(more) => {
            let expected = format!("the end of the line after {}", expected());
            cursor.error(more.at, Complaint::new(quoted(more.text), expected))
        }
    }
}

/// The transformation that a block describes.
///
/// With `by_piece` (the word Move), slots count from 1 and orientations are listed by piece.
/// Otherwise (MoveTransformation), slots count from 0 and orientations are listed by slot.
pub(crate) fn transformation(
    cursor: &Cursor<'_>,
    orbits: &Orbits,
    block: &[Option<Rows<'_>>],
    by_piece: bool,
) -> Read<Transformation> {
    let base = u32::from(by_piece);
    let mut all = Vec::with_capacity(block.len());
    for (orbit, rows) in orbits.iter().zip(block) {
        let Some(rows) = rows else {
            all.push(None);
            continue;
        };
        let permutation = permutation(cursor, orbit, &rows.pieces, base)?;
        let mut delta = vec![0; orbit.pieces()];
        if let Some(row) = &rows.turns {
            check_length(cursor, row, orbit, "orientation")?;
            let (least, most) = orientation_range(orbit);
            for (delta, &word) in delta.iter_mut().zip(&row.words) {
                if most == 0 && word.text != "0" {
                    let complaint = out_of_range(word.text, "an orientation", least, most);
                    return cursor.error(word.at, complaint.hint(Hint::TiedToCentre));
                }
                *delta = narrow(number(cursor, word, "an orientation", least, most)?);
            }
            if by_piece {
                delta = permutation.iter().map(|&slot| delta[usize::from(slot)]).collect();
            }
        }
        all.push(Some((permutation, delta)));
    }
    let at = block.iter().flatten().next().map_or(0, |rows| rows.pieces.at(0));
    Transformation::new(orbits, all).or_else(|complaint| cursor.error(at, complaint))
}

fn permutation(cursor: &Cursor<'_>, orbit: &Orbit, row: &Row<'_>, base: u32) -> Read<Vec<u16>> {
    let most = narrow::<_, u32>(orbit.pieces()) - 1 + base;
    if let Some(word) = row.words.iter().find(|word| word.text == "?") {
        let complaint = out_of_range(word.text, "a slot", base, most).hint(Hint::NoUnknownPiece);
        return cursor.error(word.at, complaint);
    }
    let numbers = row.words.iter().take(orbit.pieces());
    let numbers =
        numbers.map(|&word| Ok(narrow(number(cursor, word, "a slot", base, most)? - base)));
    let permutation: Vec<u16> = numbers.collect::<Read<_>>()?;
    check_length(cursor, row, orbit, "slot")?;
    match first_repeated(&permutation) {
        None => Ok(permutation),
        Some((_, index)) => {
            let found = format!("{} again", quoted(row.words[index].text));
            let complaint = Complaint::new(found, format!("each slot from {base} to {most} once"));
            cursor.error(row.at(index), complaint.hint(Hint::MovesPermute))
        }
    }
}

/// The state that a block describes. Pieces count from `base`. Orientations are listed by slot.
///
/// A set that is missing in the block is taken from `solved`. Without `solved`, its pieces are in
/// order. Orientations that `solved` does not know become unknown.
pub(crate) fn state(
    cursor: &Cursor<'_>,
    orbits: &Orbits,
    block: &[Option<Rows<'_>>],
    base: u32,
    solved: Option<&PuzzleState>,
) -> Read<PuzzleState> {
    let ordered = PuzzleState::ordered(orbits);
    let state = state_of(cursor, orbits, block, solved.unwrap_or(&ordered), &|index, rows| {
        let mut row = orbit_state(cursor, &orbits[index], rows, base, false)?;
        if let Some(solved) = solved {
            forget(&mut row, solved.pieces(index), solved.modulus(index));
        }
        Ok(row)
    })?;
    if let Some(Err((orbit, slot, complaint))) = solved.map(|solved| solved.same_pieces(&state)) {
        let first = first_place(block);
        let at = block[orbit].as_ref().map_or(first, |rows| rows.pieces.at(slot));
        return cursor.error(at, complaint);
    }
    Ok(state)
}

/// Reads the rows of a goal that may have other pieces than the solved state. Pieces with one
/// number look alike, and `?` stands for any piece, turned in any way. A set that is missing in the
/// block is taken from `solved`.
pub(crate) fn mask(
    cursor: &Cursor<'_>,
    orbits: &Orbits,
    block: &[Option<Rows<'_>>],
    base: u32,
    solved: &PuzzleState,
) -> Read<PuzzleState> {
    state_of(cursor, orbits, block, solved, &|index, rows| {
        orbit_state(cursor, &orbits[index], rows, base, true)
    })
}

/// The state whose sets `read` makes of the rows of a block. A set that is missing in the block is
/// taken from `default`.
fn state_of<'a>(
    cursor: &Cursor<'_>,
    orbits: &Orbits,
    block: &[Option<Rows<'a>>],
    default: &PuzzleState,
    read: &dyn Fn(usize, &Rows<'a>) -> Read<OrbitState>,
) -> Read<PuzzleState> {
    let mut all = Vec::with_capacity(block.len());
    for (index, (orbit, rows)) in orbits.iter().zip(block).enumerate() {
        let Some(rows) = rows else {
            all.push(OrbitState {
                pieces: default.pieces(index).to_vec(),
                orientation: default.orientation(index).to_vec(),
                modulus: default.modulus(index).to_vec(),
            });
            continue;
        };
        let row = read(index, rows)?;
        if let Err((_, slot, complaint)) = check(orbit, &row) {
            let place = rows.turns.as_ref().unwrap_or(&rows.pieces).at(slot);
            return cursor.error(place, complaint);
        }
        all.push(row);
    }
    PuzzleState::new(orbits, all).or_else(|complaint| cursor.error(first_place(block), complaint))
}

/// Where the first row of a block begins.
fn first_place(block: &[Option<Rows<'_>>]) -> usize {
    block.iter().flatten().next().map_or(0, |rows| rows.pieces.at(0))
}

/// Makes orientations unknown where the solved state does not know them.
fn forget(row: &mut OrbitState, pieces: &[u16], moduli: &[u8]) {
    let known = pieces.iter().zip(moduli).filter(|(_, modulus)| **modulus > 0);
    let moduli: std::collections::HashMap<_, _> = known.collect();
    for (slot, piece) in row.pieces.iter().enumerate() {
        if let Some(&&modulus) = moduli.get(piece).filter(|_| row.modulus[slot] == 0) {
            row.modulus[slot] = modulus;
            row.orientation[slot] %= modulus;
        }
    }
}

/// Reads the rows of a set. If `may_be_open`, the piece `?` gets a number that no other piece has,
/// and an orientation that is not known.
fn orbit_state(
    cursor: &Cursor<'_>,
    orbit: &Orbit,
    rows: &Rows<'_>,
    base: u32,
    may_be_open: bool,
) -> Read<OrbitState> {
    let most = u32::from(LARGEST_PIECE) + base;
    let mut pieces: Vec<Option<u16>> = Vec::new();
    for &word in rows.pieces.words.iter().take(orbit.pieces()) {
        if may_be_open && word.text == "?" {
            pieces.push(None);
            continue;
        }
        if word.text.starts_with('?') {
            let complaint =
                out_of_range(word.text, "a piece", base, most).hint(Hint::NoUnknownPiece);
            return cursor.error(word.at, complaint);
        }
        pieces.push(Some(narrow(number(cursor, word, "a piece", base, most)? - base)));
    }
    check_length(cursor, &rows.pieces, orbit, "piece")?;
    let mut out = OrbitState::default();
    match &rows.turns {
        None => {
            out.orientation = vec![0; orbit.pieces()];
            out.modulus = out.orientation.clone();
        }
        Some(row) => {
            check_length(cursor, row, orbit, "orientation")?;
            for &word in &row.words {
                let (orientation, modulus) = orientation(cursor, orbit, word)?;
                out.orientation.push(orientation);
                out.modulus.push(modulus);
            }
        }
    }
    let free = (0..=LARGEST_PIECE).find(|number| !pieces.contains(&Some(*number))).unwrap_or(0);
    for slot in (0..pieces.len()).filter(|&slot| pieces[slot].is_none()) {
        out.orientation[slot] = 0;
        out.modulus[slot] = u8::from(orbit.orientations() > 1);
    }
    out.pieces = pieces.into_iter().map(|piece| piece.unwrap_or(free)).collect();
    Ok(out)
}

/// Reads an orientation: `2`, `?`, or `1?2` for 1 modulo 2 (an extension of this project). Returns
/// the orientation and the modulus.
fn orientation(cursor: &Cursor<'_>, orbit: &Orbit, word: Token<'_>) -> Read<(u8, u8)> {
    let (least, most) = orientation_range(orbit);
    let known =
        |text, most| number(cursor, Token { text, ..word }, "an orientation or ?", least, most);
    let Some((orientation, modulus)) = word.text.split_once('?') else {
        return Ok((narrow(known(word.text, most)?), 0));
    };
    if orientation.is_empty() && modulus.is_empty() {
        return Ok((0, if orbit.orientations() == 1 { 0 } else { 1 }));
    }
    let orientations = most + 1;
    let divides = |n: &u32| *n > 0 && *n < orientations && orientations.is_multiple_of(*n);
    let Some(modulus) = modulus.parse().ok().filter(divides) else {
        let expected = format!("?, or A?D with a divisor D of {orientations} below it");
        return cursor.error(word.at, Complaint::new(quoted(word.text), expected));
    };
    Ok((narrow(known(orientation, modulus - 1)?), narrow(modulus)))
}

/// Reads a line with 0 or 1 for each slot.
pub(crate) fn flags(cursor: &Cursor<'_>, orbit: &Orbit, row: &Row<'_>) -> Read<Vec<bool>> {
    check_length(cursor, row, orbit, "flag")?;
    let flag = |&word| Ok(number(cursor, word, "a flag", 0, 1)? == 1);
    row.words.iter().map(flag).collect()
}

/// The words that a line after Solved can begin with, as text for an error.
pub(crate) fn all_words() -> String {
    let before = ["Name", "Set", "Solved", "StartState", "End"];
    let after = WORDS.into_iter().filter(|word| !before.contains(word));
    after.collect::<Vec<_>>().join(", ")
}
