//! Reads the moves of KPuzzle JSON: moves, derived moves, and which of them are rotations.

use super::json::{Member, Node, Value};
use super::values::{Read, object, text, transformation, wrong};
use crate::definition::{Definition, DerivedText, MoveKind, MoveRef};
use crate::error::quoted;
use crate::format::input::{Lines, Source};
use crate::format::read::{DerivedSource, add_sequences, check_names};
use std::collections::HashMap;

/// For each name in `moveKinds`: the kind of move, or `None` for a name that users may type.
type Kinds<'n> = HashMap<&'n str, Option<MoveKind>>;

/// Reads `moves`, `derivedMoves` and `moveKinds`.
pub(super) fn read_moves(
    source: &Source<'_>,
    definition: &mut Definition,
    moves: &Node<'_>,
    derived: Option<&Node<'_>>,
    kinds: Option<&Node<'_>>,
) -> Read<()> {
    let kind_members = match kinds {
        Some(node) => object(source, node, "an object with names of moves as keys")?,
        None => &[],
    };
    let kinds = kind_members.iter().map(|one| Ok((&*one.key, kind(source, one)?)));
    let kinds: Kinds<'_> = kinds.collect::<Read<_>>()?;
    let places = read_base(source, definition, moves, &kinds)?;
    let placed = match derived {
        Some(node) => read_derived(source, definition, node)?,
        None => Vec::new(),
    };
    add_sequences(definition, &placed, source)?;
    rename_rotations(definition, &kinds);
    promote(definition, &kinds);
    for member in kind_members {
        let kind = match (kinds[&*member.key], definition.moves().find(&member.key)) {
            (None, Some(MoveRef::Derived(_))) => continue,
            (None, Some(MoveRef::Base(_))) => {
                return wrong(source, &member.node, "\"turn\" or \"rotation\"");
            }
            (kind, _) => kind.unwrap_or(MoveKind::Turn),
        };
        let set = definition.moves.set_kind(&member.key, kind);
        set.map_err(|complaint| source.error(member.at, complaint))?;
    }
    check_names(definition, &placed, &places, moves.at, source)
}

/// Reads a kind: `"turn"`, `"rotation"` or `"name"`.
fn kind(source: &Source<'_>, member: &Member<'_>) -> Read<Option<MoveKind>> {
    match &member.node.value {
        Value::Text(text) if text == "turn" => Ok(Some(MoveKind::Turn)),
        Value::Text(text) if text == "rotation" => Ok(Some(MoveKind::Rotation)),
        Value::Text(text) if text == "name" => Ok(None),
        _ => wrong(source, &member.node, "\"turn\" or \"rotation\", or \"name\" of a derived move"),
    }
}

/// Adds the moves in the order of the file. Returns the byte at which each name begins.
fn read_base(
    source: &Source<'_>,
    definition: &mut Definition,
    node: &Node<'_>,
    kinds: &Kinds<'_>,
) -> Read<Vec<usize>> {
    let mut lines = Lines::new(source.text);
    let mut places = Vec::new();
    for member in object(source, node, "an object with names of moves as keys")? {
        source.charge(3 * definition.orbits.slots() + 256, member.at)?;
        let made = transformation(source, &member.node, &definition.orbits)?;
        let name: &str = &member.key;
        let given = kinds.get(name).copied().flatten();
        let mut kind = given.unwrap_or_else(|| MoveKind::of_name(name));
        if made.is_identity() && kind == MoveKind::Turn && given.is_none() {
            kind = MoveKind::Rotation;
            let text = format!("move {} changes nothing here: no search makes it", quoted(name));
            source.ignore(member.at, text)?;
        }
        let added = definition.add_move_of(name, kind, made, lines.line(member.at));
        added.map_err(|complaint| source.error(member.at, complaint))?;
        places.push(member.at);
    }
    Ok(places)
}

/// Reads the derived moves. Leaves out names that are in `moves` too, with a note.
fn read_derived<'n>(
    source: &Source<'_>,
    definition: &Definition,
    node: &'n Node<'_>,
) -> Read<Vec<DerivedSource<'n>>> {
    let expected = "an object with names of moves as keys, and moves as texts";
    let mut lines = Lines::new(source.text);
    let mut placed = Vec::new();
    for member in object(source, node, expected)? {
        let name: &str = &member.key;
        let moves = text(source, &member.node, "moves as a text")?;
        // A pause, which is no move.
        let pause = moves.trim() == ".";
        if pause || definition.moves().find(name).is_some() {
            let why = if pause { "a pause" } else { "also a derived move" };
            source
                .ignore(member.at, format!("move {} is {why}, which is ignored", quoted(name)))?;
            continue;
        }
        let literal = source.text[member.node.at + 1..].starts_with(moves);
        let line = lines.line(member.at);
        let derived = DerivedText { name, text: moves, line, is_move: false };
        let text_at = member.node.at + 1;
        placed.push(DerivedSource { derived, name_at: member.at, text_at, literal });
    }
    Ok(placed)
}

/// Makes a move a rotation if a rotation's name stands for it alone, unless `moveKinds` names it.
fn rename_rotations(definition: &mut Definition, kinds: &Kinds<'_>) {
    for index in definition.moves().rotations_by_alias() {
        let one = &definition.moves().base()[index];
        if one.kind == MoveKind::Rotation || kinds.contains_key(&*one.name) {
            continue;
        }
        let (name, line) = (one.name.clone(), one.line);
        // This cannot fail, because a rotation may change nothing.
        let _ = definition.moves.set_kind(&name, MoveKind::Rotation);
        let name = quoted(&name);
        definition.note(line, format!("move {name} is a rotation, as a derived move says"));
    }
}

/// Makes base moves of some derived moves. `moveKinds` decides about the names that it has, and
/// `MoveSet::own_moves` about all others.
fn promote(definition: &mut Definition, kinds: &Kinds<'_>) {
    let moves = definition.moves();
    let mut chosen = moves.own_moves();
    chosen.retain(|&index| !kinds.contains_key(&*moves.derived()[index].name));
    let given = kinds.iter().filter(|(_, kind)| kind.is_some());
    chosen.extend(given.filter_map(|(name, _)| derived(moves.find(name)?)));
    definition.moves.promote(&chosen);
}

fn derived(of: MoveRef) -> Option<usize> {
    match of {
        MoveRef::Base(_) => None,
        MoveRef::Derived(index) => Some(index),
    }
}
