//! Reads definitions of lines and words: sets, states, moves and derived moves, in their order.

use super::block::{all_words, mask, number, read_block, state, transformation};
use super::lines::{Cursor, Line, Token};
use super::rules::{Later, add_later, read_later};
use super::words::{WORDS, is_word};
use crate::definition::{
    Definition, DerivedText, MOST_ORIENTATIONS, MOST_SLOTS, MoveKind, Orbit, Orbits, PuzzleState,
    begins_comment,
};
use crate::error::{Complaint, DefinitionError, Hint, quoted};
use crate::format::input::Source;
use crate::format::read::{DerivedSource, add_sequences, check_names, narrow};
use std::collections::HashSet;

type Read<T> = Result<T, DefinitionError>;

/// Reads a definition of lines and words.
///
/// # Errors
/// If the text is no definition. The error has the first place that is wrong.
pub(crate) fn read_tws<'a>(source: &'a Source<'a>) -> Read<Definition> {
    let mut cursor = Cursor::new(source);
    let mut definition = read_head(&mut cursor)?;
    let mut body = Body::default();
    while let Some(line) = cursor.next() {
        read_line(&mut cursor, &mut definition, &mut body, line)?;
    }
    let Body { derived, moves_at, later } = body;
    let end = source.text.len();
    add_sequences(&mut definition, &derived, source)?;
    for later in &later {
        add_later(&cursor, &mut definition, later)?;
    }
    check_names(&definition, &derived, &moves_at, end, source)?;
    Ok(definition)
}

/// Reads the name, the sets and the solved state.
fn read_head(cursor: &mut Cursor<'_>) -> Read<Definition> {
    let mut name: Option<(String, usize)> = None;
    let mut sets: Vec<Orbit> = Vec::new();
    let mut names = HashSet::new();
    let mut slots = 0;
    loop {
        let Some(line) = cursor.next() else {
            let complaint = Complaint::new("the end of the file", "Name, Set or Solved");
            return cursor.error(cursor.end(), complaint);
        };
        let word = line.first();
        match word.text {
            "Name" if name.is_none() => name = Some(read_name(cursor, &line)?),
            "Name" => {
                return cursor.error(word.at, Complaint::new("a second Name", "one name"));
            }
            "Set" => {
                let set = read_set(cursor, &line)?;
                slots += set.pieces();
                if !names.insert(set.name().to_owned()) {
                    let found = format!("a second set {}", quoted(set.name()));
                    let complaint = Complaint::new(found, "sets of different names");
                    return cursor.error(line.after(1).at, complaint);
                }
                if slots > MOST_SLOTS {
                    let complaint = Complaint::new(format!("{slots} slots in all sets"), {
                        format!("at most {MOST_SLOTS}")
                    });
                    return cursor.error(line.after(2).at, complaint);
                }
                cursor.source.charge(256, line.at)?;
                sets.push(set);
            }
            "Solved" | "StartState" => {
                let orbits = Orbits::new(sets)
                    .or_else(|complaint| cursor.error(word.at, complaint.hint(Hint::SetsFirst)))?;
                cursor.source.charge(8 * orbits.slots(), line.at)?;
                let solved = read_state(cursor, &orbits, &line, None)?;
                let (name, at) = name.unwrap_or(("Unnamed".into(), line.at));
                return Definition::new(&name, &orbits, solved)
                    .or_else(|complaint| cursor.error(at, complaint));
            }
            _ => return cursor.error(word.at, not_a_word(word.text, true)),
        }
    }
}

/// The complaint that a line cannot begin with this word. `head` is true before Solved.
fn not_a_word(found: &str, head: bool) -> Complaint {
    let expected = match head {
        true => "Name, Set or Solved".to_owned(),
        false => format!("one of the words {}", all_words()),
    };
    let complaint = Complaint::new(quoted(found), expected);
    if is_word(found) {
        let hint = match found {
            "Set" => Some(Hint::SetsFirst),
            "End" => None,
            _ => head.then_some(Hint::SolvedFirst),
        };
        return complaint.maybe(hint);
    }
    if found.starts_with(|c: char| c.is_ascii_digit() || c == '?') {
        return complaint.hint(Hint::TwoRows);
    }
    let like = WORDS.iter().find(|word| word.eq_ignore_ascii_case(found));
    complaint.maybe(like.map(|word| Hint::DidYouMean((*word).to_owned())))
}

fn read_name(cursor: &Cursor<'_>, line: &Line<'_>) -> Read<(String, usize)> {
    let name = line.after(1);
    if name.text.is_empty() {
        return cursor.error(name.at, Complaint::new("the end of the line", "Name and a name"));
    }
    if let Some(word) = line.tokens().skip(1).find(|word| begins_comment(word.text)) {
        return cursor.error(word.at, Complaint::new(quoted(word.text), "a name"));
    }
    Ok((name.text.replace('\t', " "), name.at))
}

fn read_set(cursor: &Cursor<'_>, line: &Line<'_>) -> Read<Orbit> {
    let shape = "Set, a name, the number of pieces and that of orientations";
    let [_, name, pieces, orientations] = cursor.words::<4>(line, shape)?;
    let count = number(cursor, pieces, "a number of pieces", 1, narrow(MOST_SLOTS))?;
    let turns =
        number(cursor, orientations, "a number of orientations", 1, narrow(MOST_ORIENTATIONS))?;
    Orbit::new(name.text, narrow(count), narrow(turns))
        .or_else(|complaint| cursor.error(name.at, complaint))
}

/// Reads the block of Solved, StartState, Goal or GoalState.
fn read_state(
    cursor: &mut Cursor<'_>,
    orbits: &Orbits,
    line: &Line<'_>,
    solved: Option<&PuzzleState>,
) -> Read<PuzzleState> {
    let [word] = cursor.words::<1>(line, "this word")?;
    let base = base_of(word.text);
    let block = read_block(cursor, orbits)?;
    state(cursor, orbits, &block, base, solved)
}

/// The number of the first piece in the block of a state.
fn base_of(word: &str) -> u32 {
    u32::from(!word.ends_with("State"))
}

/// Lines after Solved that are processed once all moves are known.
#[derive(Debug, Default)]
struct Body<'a> {
    derived: Vec<DerivedSource<'a>>,
    /// The byte at which each move's name begins.
    moves_at: Vec<usize>,
    later: Vec<Later<'a>>,
}

fn read_line<'a>(
    cursor: &mut Cursor<'a>,
    definition: &mut Definition,
    body: &mut Body<'a>,
    line: Line<'a>,
) -> Read<()> {
    let word = line.first();
    let slots = definition.orbits.slots();
    match word.text {
        "Move" | "MoveTransformation" => {
            let [_, name] = cursor.words::<2>(&line, &format!("{} and a name", word.text))?;
            cursor.source.charge(3 * slots + 256, line.at)?;
            let block = read_block(cursor, &definition.orbits)?;
            let by_piece = word.text == "Move";
            let made = transformation(cursor, &definition.orbits, &block, by_piece)?;
            let number = cursor.line_number(line.at);
            let added =
                definition.add_move_of(name.text, MoveKind::of_name(name.text), made, number);
            added.or_else(|complaint| cursor.error(name.at, complaint))?;
            body.moves_at.push(name.at);
        }
        "MoveAlias" => {
            let shape = "MoveAlias, a new name and the name of a move";
            let [_, name, text] = cursor.words::<3>(&line, shape)?;
            body.derived.push(placed(cursor, name, text, line.at, false));
        }
        "MoveSequence" | "NamedSequence" => {
            let (name, text) = (line.after(1), line.after(2));
            if text.text.is_empty() {
                let expected = format!("{}, a new name and moves", word.text);
                return cursor.error(line.end(), Complaint::new("the end of the line", expected));
            }
            let first = name.text.split(|c| c <= ' ').next().unwrap_or_default();
            let name = Token { text: first, ..name };
            let is_move = word.text == "MoveSequence";
            body.derived.push(placed(cursor, name, text, line.at, is_move));
        }
        "Goal" | "GoalState" if line.tokens().nth(1).is_some() => {
            let [_, name] = cursor.words::<2>(&line, &format!("{} and a name", word.text))?;
            cursor.source.charge(4 * slots + 64, line.at)?;
            let block = read_block(cursor, &definition.orbits)?;
            let (base, start) = (base_of(word.text), definition.start());
            let goal = mask(cursor, &definition.orbits, &block, base, start)?;
            let added = definition.add_named_goal(name.text, goal);
            added.or_else(|complaint| cursor.error(name.at, complaint))?;
        }
        "Goal" | "GoalState" => {
            cursor.source.charge(4 * slots + 64, line.at)?;
            let solved = definition.start().clone();
            let goal = read_state(cursor, &definition.orbits, &line, Some(&solved))?;
            let added = definition.add_goal(goal);
            added.or_else(|complaint| cursor.error(word.at, complaint))?;
        }
        "Illegal" | "Ignore" | "Block" | "ForbiddenPairs" | "ForbiddenGroups" | "MoveLimits"
        | "MoveCost" | "MoveKind" | "ParallelMoves" | "Multiplicators" => {
            read_later(cursor, definition, &mut body.later, line)?;
        }
        _ => return cursor.error(word.at, not_a_word(word.text, false)),
    }
    Ok(())
}

fn placed<'a>(
    cursor: &mut Cursor<'a>,
    name: Token<'a>,
    text: Token<'a>,
    at: usize,
    is_move: bool,
) -> DerivedSource<'a> {
    let line = cursor.line_number(at);
    let derived = DerivedText { name: name.text, text: text.text, line, is_move };
    DerivedSource { derived, name_at: name.at, text_at: text.at, literal: true }
}
