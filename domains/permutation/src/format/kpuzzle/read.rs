//! The reader of KPuzzle JSON.

use super::json::{Member, Node, read_json};
use super::rules::read_rule;
use super::values::{Read, list, members, number, object, state, text, transformation};
use crate::definition::{Definition, DerivedText, MOST_ORIENTATIONS, MOST_SLOTS, Orbit, Orbits};
use crate::error::Complaint;
use crate::format::input::{Lines, Source};
use crate::format::read::{DerivedSource, finish, narrow};

/// The keys of a puzzle: those of the format, then those of this project.
const KEYS: [&str; 13] = [
    "name",
    "orbits",
    "defaultPattern",
    "moves",
    "derivedMoves",
    "goals",
    "illegal",
    "ignore",
    "blocks",
    "moveCosts",
    "moveKinds",
    "forbiddenPairs",
    "moveLimits",
];

/// Reads a definition in KPuzzle JSON.
///
/// # Errors
/// At the first place where something else was expected.
pub(crate) fn read_kpuzzle(source: &Source<'_>) -> Read<Definition> {
    let root = read_json(source)?;
    let mut found = members(source, &root, "a puzzle", KEYS, 4)?.into_iter();
    let mut next = || found.next().flatten();
    let (name, orbits, solved, moves, derived) = (next(), next(), next(), next(), next());
    let rules: Vec<Option<&Node<'_>>> = found.collect();
    let (Some(name), Some(orbits), Some(solved), Some(moves)) = (name, orbits, solved, moves)
    else {
        return super::values::wrong(source, &root, "name, orbits, defaultPattern and moves");
    };
    let orbits = read_orbits(source, orbits)?;
    source.charge(8 * orbits.slots(), solved.at)?;
    let pattern = state(source, solved, &orbits, None)?;
    let title = text(source, name, "the name of the puzzle as a text")?;
    let mut definition = Definition::new(title, &orbits, pattern)
        .map_err(|complaint| source.error(name.at, complaint))?;
    let moves_at = read_moves(source, &mut definition, moves)?;
    let derived = match derived {
        Some(node) => {
            object(source, node, "an object with names of moves as keys, and moves as texts")?
        }
        None => &[],
    };
    let mut lines = Lines::new(source.text);
    let placed: Vec<DerivedSource<'_>> = derived
        .iter()
        .map(|member| read_derived(source, member, &mut lines))
        .collect::<Read<_>>()?;
    finish(&mut definition, &placed, &moves_at, moves.at, source)?;
    for (key, node) in KEYS[5..].iter().zip(rules) {
        if let Some(node) = node {
            read_rule(source, &mut definition, key, node)?;
        }
    }
    Ok(definition)
}

fn read_orbits(source: &Source<'_>, node: &Node<'_>) -> Read<Orbits> {
    let mut orbits = Vec::new();
    let mut slots = 0;
    for node in list(source, node, "a list of orbits")? {
        let keys = ["orbitName", "numPieces", "numOrientations"];
        let [name, pieces, orientations] = members(source, node, "an orbit", keys, 3)?;
        let (Some(name), Some(pieces), Some(orientations)) = (name, pieces, orientations) else {
            return super::values::wrong(source, node, "orbitName, numPieces and numOrientations");
        };
        let size =
            |node, what, most: usize| Ok(narrow(number(source, node, what, 1, narrow(most))?));
        let count = size(pieces, "a number of pieces", MOST_SLOTS)?;
        let turns = size(orientations, "a number of orientations", MOST_ORIENTATIONS)?;
        let title = text(source, name, "the name of the orbit as a text")?;
        let orbit = Orbit::new(title, count, turns);
        orbits.push(orbit.map_err(|complaint| source.error(name.at, complaint))?);
        slots += count;
        if slots > MOST_SLOTS {
            let found = format!("{slots} slots in all orbits");
            let complaint = Complaint::new(found, format!("at most {MOST_SLOTS}"));
            return Err(source.error(pieces.at, complaint));
        }
    }
    Orbits::new(orbits).map_err(|complaint| source.error(node.at, complaint))
}

/// Adds the moves in the order of the file. Answers the places of their names.
fn read_moves(
    source: &Source<'_>,
    definition: &mut Definition,
    node: &Node<'_>,
) -> Read<Vec<usize>> {
    let mut lines = Lines::new(source.text);
    let mut places = Vec::new();
    for member in object(source, node, "an object with names of moves as keys")? {
        source.charge(3 * definition.orbits.slots() + 256, member.at)?;
        let made = transformation(source, &member.node, &definition.orbits)?;
        let added = definition.add_move(&member.key, made, lines.line(member.at));
        added.map_err(|complaint| source.error(member.at, complaint))?;
        places.push(member.at);
    }
    Ok(places)
}

fn read_derived<'n>(
    source: &Source<'_>,
    member: &'n Member<'_>,
    lines: &mut Lines<'_>,
) -> Read<DerivedSource<'n>> {
    let moves = text(source, &member.node, "moves as a text")?;
    let literal = source.text[member.node.at + 1..].starts_with(moves);
    let line = lines.line(member.at);
    let derived = DerivedText { name: &member.key, text: moves, line, is_move: false };
    Ok(DerivedSource { derived, name_at: member.at, text_at: member.node.at + 1, literal })
}
