//! The forbidden strings of the common boards, learned once and kept with the program.
//!
//! Learning them takes up to 2.5 seconds and 430 MB. The test `known_strings` learns them again and
//! compares every byte.
//!
//! A file has the strings of one board in the learner's order. Each is a byte `16 s + n`, then `n`
//! operators, two bits each, four in a byte from the low bits on. The string is the first `s`
//! operators of the string before, then these `n`.

use fsm::{ForbiddenStrings, Keep};
use search::{Cost, Op};

/// The greatest number of moves of a learned string, if the user names no depth.
pub(super) const DEPTH: usize = 14;
/// The cost of each operator.
const COSTS: [Cost; 4] = [1; 4];

/// The file of a board, by rows and columns. A board whose sides are all 5 or longer has the
/// strings of the 5 by 5 board, as far as the program learns any.
fn file(rows: usize, columns: usize, keep: Keep) -> Option<&'static [u8]> {
    Some(match (rows, columns, keep) {
        (4, 4, Keep::OneOptimal) => include_bytes!("4x4-one.bin"),
        (4, 4, Keep::AllOptimal) => include_bytes!("4x4-all.bin"),
        (4, 5, Keep::OneOptimal) => include_bytes!("4x5-one.bin"),
        (4, 5, Keep::AllOptimal) => include_bytes!("4x5-all.bin"),
        (5, 5, Keep::OneOptimal) => include_bytes!("5x5-one.bin"),
        (5, 5, Keep::AllOptimal) => include_bytes!("5x5-all.bin"),
        _ => return None,
    })
}

/// The strings that the learner finds at [`DEPTH`]. `None` if they are not kept.
pub(super) fn known(rows: usize, columns: usize, keep: Keep) -> Option<ForbiddenStrings> {
    let mut bytes = file(rows, columns, keep)?.iter();
    let (mut strings, mut string): (Vec<Vec<Op>>, Vec<Op>) = (Vec::new(), Vec::new());
    while let Some(&head) = bytes.next() {
        string.truncate(usize::from(head >> 4));
        for place in 0..usize::from(head & 15) {
            let byte = bytes.as_slice().get(place / 4)?;
            string.push(Op(u16::from(byte >> (2 * (place % 4)) & 3)));
        }
        bytes.by_ref().take(usize::from(head & 15).div_ceil(4)).for_each(drop);
        strings.push(string.clone());
    }
    ForbiddenStrings::from_strings(&COSTS, DEPTH, keep, strings.iter().map(Vec::as_slice)).ok()
}
