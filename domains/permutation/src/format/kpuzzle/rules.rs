//! Reads the keys of KPuzzle JSON that belong to this project: further goals, costs and rules.
//! All numbers count from 0.

use super::json::Node;
use super::values::{Read, by_orbit, list, members, number, object, state, text, wrong};
use crate::definition::{Definition, IgnoredSlots, LARGEST_PIECE};
use crate::format::input::Source;
use crate::format::read::narrow;

/// Reads the value of a key that belongs to this project.
pub(crate) fn read_rule(
    source: &Source<'_>,
    definition: &mut Definition,
    key: &str,
    node: &Node<'_>,
) -> Read<()> {
    match key {
        "goals" => read_goals(source, definition, node),
        "namedGoals" => read_named_goals(source, definition, node),
        "illegal" => read_illegal(source, definition, node),
        "ignore" => read_ignore(source, definition, node),
        "blocks" => read_blocks(source, definition, node),
        "moveCosts" => read_costs(source, definition, node),
        "forbiddenPairs" => read_pairs(source, definition, node),
        _ => read_limits(source, definition, node),
    }
}

fn read_goals(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for node in list(source, node, "a list of states")? {
        source.charge(4 * definition.orbits.slots() + 64, node.at)?;
        let goal = state(source, node, &definition.orbits, Some(definition.start()))?;
        let added = definition.add_goal(goal);
        added.map_err(|complaint| source.error(node.at, complaint))?;
    }
    Ok(())
}

/// Reads goals by name: `{"layer": {"A": {"pieces": [0, 1, 1], "orientation": [0, 0, 0]}}}`.
fn read_named_goals(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for member in object(source, node, "an object with names as keys and states")? {
        source.charge(4 * definition.orbits.slots() + 64, member.at)?;
        let goal = state(source, &member.node, &definition.orbits, None)?;
        let added = definition.add_named_goal(&member.key, goal);
        added.map_err(|complaint| source.error(member.at, complaint))?;
    }
    Ok(())
}

/// Reads a piece of an orbit. With `once`, no other piece may look like it.
fn piece(
    source: &Source<'_>,
    definition: &Definition,
    orbit: usize,
    node: &Node<'_>,
    once: bool,
) -> Read<u16> {
    let piece = narrow(number(source, node, "a piece", 0, LARGEST_PIECE.into())?);
    match definition.known_piece(orbit, piece, once) {
        Ok(()) => Ok(piece),
        Err(expected) => wrong(source, node, expected),
    }
}

/// Reads illegal pieces, such as `[{"orbit": "A", "slot": 0, "pieces": [1, 2]}]`.
fn read_illegal(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for node in list(source, node, "a list of objects with orbit, slot and pieces")? {
        let keys = ["orbit", "slot", "pieces"];
        let [orbit, slot, pieces] = members(source, node, "what is illegal", keys, 3)?;
        let (Some(name), Some(slot), Some(pieces)) = (orbit, slot, pieces) else {
            return wrong(source, node, "orbit, slot and pieces");
        };
        let Some(orbit) = definition.orbits.find(text(source, name, "the name of an orbit")?)
        else {
            return wrong(source, name, "the name of an orbit");
        };
        let slots: u32 = narrow(definition.orbits[orbit].pieces());
        let slot = narrow(number(source, slot, "a slot", 0, slots - 1)?);
        let pieces = list(source, pieces, "a list of pieces")?;
        if pieces.is_empty() {
            return wrong(source, node, "at least one piece");
        }
        for node in pieces {
            let piece = piece(source, definition, orbit, node, false)?;
            let added = definition.add_illegal(orbit, slot, &[piece]);
            added.map_err(|complaint| source.error(node.at, complaint))?;
        }
    }
    Ok(())
}

/// Reads ignored slots, such as `{"A": {"pieces": [0, 1], "orientation": [0, 0]}}`.
fn read_ignore(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    let orbits = definition.orbits.clone();
    let (mut pieces, mut orientation) = (Vec::new(), Vec::new());
    for (orbit, node) in orbits.iter().zip(by_orbit(source, node, &orbits)?) {
        let mut rows = [None; 2];
        if let Some(node) = node {
            rows = members(source, node, "what is ignored", ["pieces", "orientation"], 0)?;
        }
        for (row, out) in rows.into_iter().zip([&mut pieces, &mut orientation]) {
            let Some(node) = row else {
                out.resize(out.len() + orbit.pieces(), false);
                continue;
            };
            let expected = format!("a list of {} flags, 0 or 1", orbit.pieces());
            let flags = list(source, node, &expected)?;
            if flags.len() != orbit.pieces() {
                return wrong(source, node, expected);
            }
            for node in flags {
                out.push(number(source, node, "a flag", 0, 1)? == 1);
            }
        }
    }
    definition.rules.set_ignore(IgnoredSlots { pieces, orientation });
    Ok(())
}

/// Reads blocks of pieces, such as `[{"A": [0, 1]}]`.
fn read_blocks(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for node in list(source, node, "a list of blocks")? {
        let mut block = Vec::new();
        for (orbit, pieces) in by_orbit(source, node, &definition.orbits)?.into_iter().enumerate() {
            let Some(pieces) = pieces else { continue };
            for node in list(source, pieces, "a list of pieces")? {
                block.push((orbit, piece(source, definition, orbit, node, true)?));
            }
        }
        definition.rules.add_block(block).map_err(|complaint| source.error(node.at, complaint))?;
    }
    Ok(())
}

/// Reads costs of moves, such as `{"R": 2}`.
fn read_costs(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for member in object(source, node, "an object with names of moves as keys and costs")? {
        let cost = number(source, &member.node, "a cost", 1, 250)?;
        let set = definition.moves.set_cost(&member.key, cost.into());
        set.map_err(|complaint| source.error(member.at, complaint))?;
    }
    Ok(())
}

/// Reads forbidden pairs, such as `[["R", "L"]]`.
fn read_pairs(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for node in list(source, node, "a list of pairs of moves")? {
        let [first, second] = list(source, node, "a pair of moves")? else {
            return wrong(source, node, "a pair of moves");
        };
        let turn = |node: &Node<'_>| {
            let turn = definition.moves().parse_turn(text(source, node, "a move as a text")?);
            turn.map_err(|complaint| source.error(node.at, complaint))
        };
        let pair = (turn(first)?, turn(second)?);
        definition.rules.forbidden.insert(pair);
    }
    Ok(())
}

/// Reads limits on moves, such as `{"F2": 1, "F*": 2}`.
fn read_limits(source: &Source<'_>, definition: &mut Definition, node: &Node<'_>) -> Read<()> {
    for member in
        object(source, node, "an object with moves as keys, and how often they may be made")?
    {
        let limited = definition.moves().parse_limited(&member.key);
        let limited = limited.map_err(|complaint| source.error(member.at, complaint))?;
        let most = number(source, &member.node, "a number", 0, u32::MAX)?;
        definition.rules.limits.insert(limited, most);
    }
    Ok(())
}
