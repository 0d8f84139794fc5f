//! Reads definitions in KPuzzle JSON.

use super::json::{Node, Value, read_json};
use super::moves::read_moves;
use super::rules::read_rule;
use super::values::{Read, list, members, number, state, text};
use crate::definition::{Definition, MOST_ORIENTATIONS, MOST_SLOTS, Orbit, Orbits};
use crate::error::Complaint;
use crate::format::input::Source;
use crate::format::read::narrow;

/// The keys of a definition: first those of the KPuzzle format, then those of this project.
const KEYS: [&str; 14] = [
    "name",
    "orbits",
    "defaultPattern",
    "moves",
    "derivedMoves",
    "goals",
    "namedGoals",
    "illegal",
    "ignore",
    "blocks",
    "moveCosts",
    MOVE_KINDS,
    "forbiddenPairs",
    "moveLimits",
];

/// The key that says which moves are turns, rotations, or just names that users may type.
const MOVE_KINDS: &str = "moveKinds";

/// Reads a definition in KPuzzle JSON.
///
/// # Errors
/// If the text is no definition. The error has the first place that is wrong.
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
    let rules = || KEYS[5..].iter().zip(&rules).filter_map(|(key, node)| Some((*key, (*node)?)));
    let kinds = rules().find(|(key, _)| *key == MOVE_KINDS).map(|(_, node)| node);
    read_moves(source, &mut definition, moves, derived, kinds)?;
    for (key, node) in rules().filter(|(key, _)| *key != MOVE_KINDS) {
        read_rule(source, &mut definition, key, node)?;
    }
    for (line, text) in source.take_ignored() {
        definition.note(line, text);
    }
    Ok(definition)
}

fn read_orbits(source: &Source<'_>, node: &Node<'_>) -> Read<Orbits> {
    let mut orbits = Vec::new();
    let mut slots = 0;
    for (title, at, node) in listed(source, node)? {
        let keys = ["numPieces", "numOrientations", ORBIT_NAME];
        let [pieces, orientations, _] = members(source, node, "an orbit", keys, 2)?;
        let (Some(pieces), Some(orientations)) = (pieces, orientations) else {
            return super::values::wrong(source, node, "numPieces and numOrientations");
        };
        let size =
            |node, what, most: usize| Ok(narrow(number(source, node, what, 1, narrow(most))?));
        let count = size(pieces, "a number of pieces", MOST_SLOTS)?;
        let turns = size(orientations, "a number of orientations", MOST_ORIENTATIONS)?;
        let orbit = Orbit::new(title, count, turns);
        orbits.push(orbit.map_err(|complaint| source.error(at, complaint))?);
        slots += count;
        if slots > MOST_SLOTS {
            let found = format!("{slots} slots in all orbits");
            let complaint = Complaint::new(found, format!("at most {MOST_SLOTS}"));
            return Err(source.error(pieces.at, complaint));
        }
    }
    Orbits::new(orbits).map_err(|complaint| source.error(node.at, complaint))
}

/// The key of an orbit's name.
const ORBIT_NAME: &str = "orbitName";

/// The orbits of a file: for each its name, the place of the name, and its object. Older files have
/// an object with the names as keys.
fn listed<'n, 'a>(
    source: &Source<'_>,
    node: &'n Node<'a>,
) -> Read<Vec<(&'n str, usize, &'n Node<'a>)>> {
    if let Value::Object(orbits) = &node.value
        && !orbits.is_empty()
    {
        return Ok(orbits.iter().map(|one| (&*one.key, one.at, &one.node)).collect());
    }
    let named = list(source, node, "a list of orbits")?.iter().map(|node| {
        let keys = [ORBIT_NAME, "numPieces", "numOrientations"];
        let [name, ..] = members(source, node, "an orbit", keys, 3)?;
        let Some(name) = name else {
            return super::values::wrong(source, node, "orbitName, numPieces and numOrientations");
        };
        Ok((text(source, name, "the name of the orbit as a text")?, name.at, node))
    });
    named.collect()
}
