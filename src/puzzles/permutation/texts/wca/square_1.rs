//! The Square-1: `(1,0)/(-3,3)/`. The numbers are twelfths of a turn of the upper and the lower
//! layer, clockwise seen from outside. A slash turns the right half over.

use permutation::Definition;

/// Whether this is the definition of a Square-1.
pub(super) fn is(definition: &Definition) -> bool {
    let sizes: Vec<usize> = definition.orbits().iter().map(|orbit| orbit.pieces()).collect();
    sizes == [24, 1] && ["U", "D", "S"].iter().all(|name| definition.moves().find(name).is_some())
}

/// A word of the notation.
#[derive(Clone, Copy)]
enum Word {
    Layers(i32, i32),
    Slice,
}

fn words(text: &str) -> Option<Vec<Word>> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut words = Vec::new();
    for (at, part) in text.split('/').enumerate() {
        if at > 0 {
            words.push(Word::Slice);
        }
        if part.is_empty() {
            continue;
        }
        let inside = part.strip_prefix('(').map_or(Some(part), |part| part.strip_suffix(')'))?;
        let (up, down) = inside.split_once([',', ';'])?;
        let twelfths = |text: &str| text.parse().ok().filter(|n| (-11..=11).contains(n));
        words.push(Word::Layers(twelfths(up)?, twelfths(down)?));
    }
    Some(words)
}

/// The moves of the definition that a text means.
pub(super) fn moves(text: &str) -> Option<String> {
    let turn = |name: &str, amount: i32| match amount {
        0 => None,
        amount => Some(format!("{name}{}{}", amount.abs(), if amount < 0 { "'" } else { "" })),
    };
    let mut moves = Vec::new();
    for word in words(text)? {
        match word {
            Word::Slice => moves.push("S".to_owned()),
            Word::Layers(up, down) => {
                moves.extend([turn("U", up), turn("D", down)].into_iter().flatten());
            }
        }
    }
    Some(moves.join(" "))
}

/// The text with `1;0` for `(1,0)`, so that brackets only group words. Blanks part its words.
pub(super) fn without_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let pair =
            inside.filter(|(pair, _)| matches!(words(pair).as_deref(), Some([Word::Layers(..)])));
        match pair {
            Some((pair, after)) => {
                out += &format!(" {} ", pair.replace(',', ";"));
                rest = after;
            }
            None => {
                if first == '/' {
                    out += " / "
                } else {
                    out.push(first)
                }
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// The words that undo a text.
pub(super) fn inverse(text: &str) -> Option<Vec<String>> {
    let undone = |word: &Word| match word {
        Word::Slice => "/".to_owned(),
        Word::Layers(up, down) => format!("({},{})", -up, -down),
    };
    Some(words(text)?.iter().rev().map(undone).collect())
}
