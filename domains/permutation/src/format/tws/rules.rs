//! Reads rules in definitions of lines and words. Rules about moves are processed after all moves
//! are known.

use super::block::{flags, number, read_block};
use super::lines::{Cursor, Line, Token};
use crate::definition::{Definition, IgnoredSlots, MoveKind};
use crate::error::{Complaint, DefinitionError, Hint, TextFormat, quoted};
use crate::format::read::{narrow, out_of_range};

type Read<T> = Result<T, DefinitionError>;

/// A line about moves that is processed after all moves are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Later<'a> {
    about: About,
    line: Line<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    Cost,
    Kind,
    Pair,
    Group,
    Limit,
}

/// Reads a rule. Adds it to the definition or, if it is about moves, to `later`.
pub(crate) fn read_later<'a>(
    cursor: &mut Cursor<'a>,
    definition: &mut Definition,
    later: &mut Vec<Later<'a>>,
    line: Line<'a>,
) -> Read<()> {
    let word = line.first();
    let about = match word.text {
        "Illegal" => return read_illegal(cursor, definition, &line),
        "Ignore" => return read_ignore(cursor, definition, &line),
        "Block" => return read_bandage(cursor, definition, &line),
        "MoveCost" | "MoveKind" => {
            let about = if word.text == "MoveCost" { About::Cost } else { About::Kind };
            later.push(Later { about, line });
            return Ok(());
        }
        "ForbiddenPairs" => Some(About::Pair),
        "ForbiddenGroups" => Some(About::Group),
        "MoveLimits" => Some(About::Limit),
        _ => None,
    };
    if about.is_none() {
        let number = cursor.line_number(line.at);
        definition.note(number, format!("{} is not needed and left out", word.text));
    }
    cursor.words::<1>(&line, "this word")?;
    while let Some(line) = cursor.next_before_end("moves, or End")? {
        later.extend(about.map(|about| Later { about, line }));
    }
    Ok(())
}

/// Reads the name of a set.
fn set(cursor: &Cursor<'_>, definition: &Definition, name: Token<'_>) -> Read<usize> {
    let found = definition.orbits.find(name.text);
    found.map_or_else(
        || cursor.error(name.at, Complaint::new(quoted(name.text), "the name of a set")),
        Ok,
    )
}

/// Reads a piece of a set, counted from 1. With `once`, no other piece may look like it.
fn piece(
    cursor: &Cursor<'_>,
    definition: &Definition,
    orbit: usize,
    word: Token<'_>,
    once: bool,
) -> Read<u16> {
    let piece = number(cursor, word, "a piece", 1, u32::from(u16::MAX))? - 1;
    let piece = narrow(piece);
    match definition.known_piece(orbit, piece, once) {
        Ok(()) => Ok(piece),
        Err(expected) => {
            let complaint = Complaint::new(quoted(word.text), expected);
            cursor.error(word.at, complaint.maybe((!once).then_some(Hint::CountsFrom)))
        }
    }
}

/// Reads `Illegal SET SLOT PIECE..`.
fn read_illegal(cursor: &Cursor<'_>, definition: &mut Definition, line: &Line<'_>) -> Read<()> {
    let mut words = line.tokens().skip(1);
    let shape = "Illegal, the name of a set, a slot and pieces";
    let (Some(name), Some(slot), Some(first)) = (words.next(), words.next(), words.next()) else {
        return cursor.error(line.end(), Complaint::new("the end of the line", shape));
    };
    let orbit = set(cursor, definition, name)?;
    let most = narrow(definition.orbits[orbit].pieces());
    let slot = narrow(number(cursor, slot, "a slot", 1, most)? - 1);
    for word in std::iter::once(first).chain(words) {
        let piece = piece(cursor, definition, orbit, word, false)?;
        let added = definition.add_illegal(orbit, slot, &[piece]);
        added.or_else(|complaint| cursor.error(word.at, complaint))?;
    }
    Ok(())
}

/// Reads the slots that the goal ignores: a line of 0 and 1 for pieces, and one for orientations.
fn read_ignore(cursor: &mut Cursor<'_>, definition: &mut Definition, line: &Line<'_>) -> Read<()> {
    cursor.words::<1>(line, "Ignore")?;
    if definition.rules.ignore.is_some() {
        return cursor.error(line.at, Complaint::new("a second Ignore", "one block for all sets"));
    }
    let orbits = definition.orbits.clone();
    let block = read_block(cursor, &orbits)?;
    let (mut pieces, mut orientation) = (Vec::new(), Vec::new());
    for (orbit, rows) in orbits.iter().zip(&block) {
        let none = || Ok(vec![false; orbit.pieces()]);
        let first = rows.as_ref().map_or_else(none, |rows| flags(cursor, orbit, &rows.pieces))?;
        let turns = rows.as_ref().and_then(|rows| rows.turns.as_ref());
        let second = turns.map_or_else(none, |row| flags(cursor, orbit, row))?;
        pieces.extend(first);
        orientation.extend(second);
    }
    if cursor.source.form == TextFormat::Def {
        let number = cursor.line_number(line.at);
        let told = "Ignore says what scrambles may leave out, and is left out: goals ignore \
                    nothing (in a .tws file they ignore what it lists)";
        definition.note(number, told.to_owned());
        return Ok(());
    }
    definition.rules.set_ignore(IgnoredSlots { pieces, orientation });
    Ok(())
}

/// Reads a block of pieces that are tied together.
fn read_bandage(cursor: &mut Cursor<'_>, definition: &mut Definition, line: &Line<'_>) -> Read<()> {
    cursor.words::<1>(line, "Block")?;
    let orbits = definition.orbits.clone();
    let block = read_block(cursor, &orbits)?;
    let mut pieces = Vec::new();
    for (orbit, rows) in block.iter().enumerate() {
        let Some(rows) = rows else { continue };
        if let Some(word) = rows.turns.as_ref().and_then(|row| row.words.first()) {
            let complaint = Complaint::new(quoted(word.text), "one row of pieces for each set");
            return cursor.error(word.at, complaint);
        }
        if let Some(word) = rows.pieces.words.get(orbits.range(orbit).len()) {
            let complaint = Complaint::new(quoted(word.text), "each piece of the set at most once");
            return cursor.error(word.at, complaint);
        }
        for &word in &rows.pieces.words {
            pieces.push((orbit, piece(cursor, definition, orbit, word, true)?));
        }
    }
    definition.rules.add_block(pieces).or_else(|complaint| cursor.error(line.at, complaint))
}

/// Adds a rule about moves, after all moves are known.
pub(crate) fn add_later(
    cursor: &Cursor<'_>,
    definition: &mut Definition,
    later: &Later<'_>,
) -> Read<()> {
    let line = &later.line;
    let turn = |word: Token<'_>| {
        let turn = definition.moves().parse_turn(word.text);
        turn.or_else(|complaint| cursor.error(word.at, complaint))
    };
    match later.about {
        About::Cost => {
            let [_, name, cost] =
                cursor.words::<3>(line, "MoveCost, the name of a move and its cost")?;
            let cost_number = number(cursor, cost, "a cost", 1, 250)?;
            let set = definition.moves.set_cost(name.text, cost_number.into());
            set.or_else(|complaint| cursor.error(name.at, complaint))
        }
        About::Kind => {
            let shape = "MoveKind, the name of a move, and turn or rotation";
            let [_, name, kind] = cursor.words::<3>(line, shape)?;
            let kind = match kind.text {
                "turn" => MoveKind::Turn,
                "rotation" => MoveKind::Rotation,
                _ => {
                    let complaint = Complaint::new(quoted(kind.text), "turn or rotation");
                    return cursor.error(kind.at, complaint);
                }
            };
            let set = definition.moves.set_kind(name.text, kind);
            set.or_else(|complaint| cursor.error(name.at, complaint))
        }
        About::Pair => {
            let [first, second] = cursor.words::<2>(line, "two moves")?;
            let pair = (turn(first)?, turn(second)?);
            definition.rules.forbidden.insert(pair);
            Ok(())
        }
        About::Group => {
            let turns = line.tokens().map(turn).collect::<Read<Vec<_>>>()?;
            let added = definition.rules.add_forbidden_group(&turns);
            added.or_else(|complaint| cursor.error(line.at, complaint))
        }
        About::Limit => {
            let (limited, most) = read_limit(cursor, definition, line)?;
            definition.rules.limits.insert(limited, most);
            Ok(())
        }
    }
}

/// Reads a limit on moves, such as `F2 1` or `F* 2`.
pub(crate) fn read_limit(
    cursor: &Cursor<'_>,
    definition: &Definition,
    line: &Line<'_>,
) -> Read<(crate::definition::LimitedMoves, u32)> {
    let [what, most] = cursor.words::<2>(line, "a move and how often it may be made")?;
    let limited = definition.moves().parse_limited(what.text);
    let limited = limited.or_else(|complaint| cursor.error(what.at, complaint))?;
    let number: Option<u32> = most.text.parse().ok().filter(|_| !most.text.starts_with('+'));
    match number {
        Some(number) => Ok((limited, number)),
        None => cursor.error(most.at, out_of_range(most.text, "a number", 0, u32::MAX)),
    }
}
