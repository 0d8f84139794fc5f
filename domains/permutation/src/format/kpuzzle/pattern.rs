//! Reads states in JSON: the pieces and orientations of each orbit, in the form of a puzzle's
//! `defaultPattern`.

use super::json::{Node, Value, read_values};
use super::values::{Read, state};
use crate::definition::{Definition, OrbitState, PuzzleState};
use crate::format::input::{Lines, Source};

/// Reads states, one JSON object after the other. Returns each with its line.
pub(crate) fn read_patterns(
    definition: &Definition,
    source: &Source<'_>,
) -> Read<Vec<(usize, PuzzleState)>> {
    let mut lines = Lines::new(source.text);
    let mut out = Vec::new();
    for node in read_values(source)? {
        source.charge(8 * definition.orbits.slots() + 64, node.at)?;
        let found = adopted(definition, read_raw(definition, source, &node)?);
        let start = definition.start();
        let wrong = |complaint| source.error(node.at, complaint);
        start.same_pieces(&found).map_err(|(_, _, complaint)| wrong(complaint))?;
        if let Some((orbit, slot)) = definition.illegal_at(&found) {
            let complaint = definition.illegal_complaint(&found, orbit, slot, "a legal state");
            return Err(wrong(complaint));
        }
        out.push((lines.line(node.at), found));
    }
    Ok(out)
}

/// Reads a state that may have other pieces than the solved state.
pub(crate) fn read_raw(
    definition: &Definition,
    source: &Source<'_>,
    node: &Node<'_>,
) -> Read<PuzzleState> {
    state(source, inner(definition, node), &definition.orbits, None)
}

/// The object of the state: `node`, or its member `patternData` if no orbit has that name.
fn inner<'n, 'a>(definition: &Definition, node: &'n Node<'a>) -> &'n Node<'a> {
    const KEY: &str = "patternData";
    let Value::Object(members) = &node.value else { return node };
    match members.iter().find(|member| member.key == KEY) {
        Some(member) if definition.orbits.find(KEY).is_none() => &member.node,
        _ => node,
    }
}

/// The state, with orientations made unknown where the solved state does not know them.
fn adopted(definition: &Definition, found: PuzzleState) -> PuzzleState {
    let start = definition.start();
    let row = |orbit: usize| {
        let known = |piece: &u16| start.pieces(orbit).iter().position(|other| other == piece);
        let mut row = OrbitState {
            pieces: found.pieces(orbit).to_vec(),
            orientation: found.orientation(orbit).to_vec(),
            modulus: found.modulus(orbit).to_vec(),
        };
        if start.modulus(orbit).iter().all(|&modulus| modulus == 0) {
            return row;
        }
        for slot in 0..row.pieces.len() {
            let modulus = known(&row.pieces[slot]).map_or(0, |home| start.modulus(orbit)[home]);
            if row.modulus[slot] == 0 && modulus != 0 {
                row.modulus[slot] = modulus;
                row.orientation[slot] %= modulus;
            }
        }
        row
    };
    let rows = (0..definition.orbits.len()).map(row).collect();
    PuzzleState::new(&definition.orbits, rows).unwrap_or(found)
}
