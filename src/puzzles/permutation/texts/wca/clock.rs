//! The notation of the World Cube Association for the clock: `UR3+ DR2- .. y2 U1+ .. UR DL`.

use permutation::Definition;

/// The pins that are up, as a move names them, and how the same pins are called from the back.
const PINS: [(&str, &str); 9] = [
    ("UR", "bUL"),
    ("DR", "bDL"),
    ("DL", "bDR"),
    ("UL", "bUR"),
    ("U", "bU"),
    ("R", "bL"),
    ("D", "bD"),
    ("L", "bR"),
    ("ALL", "bALL"),
];

/// Whether this is the definition of a clock.
pub(super) fn is(definition: &Definition) -> bool {
    let has = |name: &str| definition.moves().find(name).is_some();
    !has("y2") && !has("y") && PINS.iter().all(|(front, back)| has(front) && has(back))
}

/// The words that undo a text. Words that say which pins are up at the end are left out.
pub(super) fn inverse(text: &str) -> Option<Vec<String>> {
    if text != "y2" {
        moves(text)?;
    }
    let undone = |word: &str| match word.strip_suffix(['+', '-']) {
        Some(head) => Some(format!("{head}{}", if word.ends_with('+') { '-' } else { '+' })),
        None => (word == "y2").then(|| word.to_owned()),
    };
    Some(text.split_whitespace().rev().filter_map(undone).collect())
}

/// The moves of a clock that a text in that notation means. `None` for other texts.
///
/// `UR3+` is the wheel three hours clockwise, `UR3-` counterclockwise. `y2` turns the clock over:
/// left and right change places. Names without a number say at the end which pins are up; that is
/// no part of a state.
pub(super) fn moves(text: &str) -> Option<String> {
    if !text.contains(['+', '-']) {
        return None;
    }
    let (mut out, mut behind, mut ended) = (Vec::new(), false, false);
    for word in text.split_whitespace() {
        if word == "y2" && !ended {
            behind = !behind;
            continue;
        }
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit() || "+-".contains(c));
        let (front, back) = PINS.iter().find(|(front, _)| *front == letters)?;
        let name = if behind { back } else { front };
        let amount = &word[letters.len()..];
        let Some(sign) = amount.chars().next_back() else {
            ended = true;
            continue;
        };
        let hours: u32 = amount.strip_suffix(['+', '-'])?.parse().ok()?;
        if ended {
            return None;
        }
        match hours % 12 {
            0 => {}
            hours => out.push(format!("{name}{hours}{}", if sign == '-' { "'" } else { "" })),
        }
    }
    Some(out.join(" "))
}
