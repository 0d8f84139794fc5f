//! Reads values of KPuzzle JSON: numbers, rows, states and transformations.

use super::json::{Member, Node, Value};
use crate::definition::{
    LARGEST_PIECE, Orbit, OrbitState, OrbitTransformation, Orbits, PuzzleState, StateRow,
    Transformation, check, first_repeated,
};
use crate::error::{Complaint, DefinitionError, Hint, counted, quoted};
use crate::format::input::Source;
use crate::format::read::{narrow, orientation_range, out_of_range};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Read<T> = Result<T, DefinitionError>;

/// Names of keys in older files, with their names of today. The value has the same form.
const OLD_NAMES: [(&str, &str); 7] = [
    ("experimentalDerivedMoves", "derivedMoves"),
    ("startStateData", "defaultPattern"),
    ("startPieces", "defaultPattern"),
    ("orientations", "numOrientations"),
    ("orientation", "orientationDelta"),
    ("orientation_delta", "orientationDelta"),
    ("permutation", "pieces"),
];

/// Returns the error that a value is not what was expected.
pub(crate) fn wrong<T>(
    source: &Source<'_>,
    node: &Node<'_>,
    expected: impl Into<String>,
) -> Read<T> {
    Err(source.error(node.at, Complaint::new(node.shown(), expected)))
}

pub(crate) fn object<'n, 'a>(
    source: &Source<'_>,
    node: &'n Node<'a>,
    expected: &str,
) -> Read<&'n [Member<'a>]> {
    match &node.value {
        Value::Object(members) => Ok(members),
        _ => wrong(source, node, expected),
    }
}

pub(crate) fn list<'n, 'a>(
    source: &Source<'_>,
    node: &'n Node<'a>,
    expected: &str,
) -> Read<&'n [Node<'a>]> {
    match &node.value {
        Value::List(list) => Ok(list),
        _ => wrong(source, node, expected),
    }
}

pub(crate) fn text<'n>(source: &Source<'_>, node: &'n Node<'_>, expected: &str) -> Read<&'n str> {
    match &node.value {
        Value::Text(text) => Ok(text),
        _ => wrong(source, node, expected),
    }
}

/// Reads a whole number within a range.
pub(crate) fn number(
    source: &Source<'_>,
    node: &Node<'_>,
    what: &str,
    least: u32,
    most: u32,
) -> Read<u32> {
    let Value::Number(digits) = node.value else {
        return wrong(source, node, format!("{what} from {least} to {most}"));
    };
    match digits.parse().ok().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(number),
        None => Err(source.error(node.at, out_of_range(digits, what, least, most))),
    }
}

/// The values of `keys` in an object, in the order of `keys`. The first `required` keys must be
/// there. For other keys, `null` means that the key is missing. Accepts the names of older files.
/// Notes unknown keys. Other capitals in a known key are an error.
pub(crate) fn members<'n, 'a, const N: usize>(
    source: &Source<'_>,
    node: &'n Node<'a>,
    what: &str,
    keys: [&str; N],
    required: usize,
) -> Read<[Option<&'n Node<'a>>; N]> {
    let mut found = [None; N];
    let all = object(source, node, &format!("an object: {what}"))?;
    let mut rest = Vec::new();
    let given = |index: usize, member: &'n Member<'a>| {
        let absent = index >= required && matches!(member.node.value, Value::Null);
        (!absent).then_some(&member.node)
    };
    for member in all {
        match keys.iter().position(|key| *key == member.key) {
            Some(index) => found[index] = given(index, member),
            None => rest.push(member),
        }
    }
    for member in rest {
        let old = OLD_NAMES.iter().find(|(old, new)| *old == member.key && keys.contains(new));
        let index = old.and_then(|(_, new)| keys.iter().position(|key| key == new));
        match index {
            Some(index) if found[index].is_none() => found[index] = given(index, member),
            _ => ignored_key(source, member, what, &keys)?,
        }
    }
    match found[..required].iter().position(Option::is_none) {
        None => Ok(found),
        Some(missing) => {
            let found = format!("{what} without the key `{}`", keys[missing]);
            Err(source.error(
                node.at,
                Complaint::new(found, format!("the keys {}", keys[..required].join(", "))),
            ))
        }
    }
}

/// Notes an unknown key.
///
/// # Errors
/// If only capitals distinguish it from a known key, because its value would be missed.
fn ignored_key(source: &Source<'_>, member: &Member<'_>, what: &str, keys: &[&str]) -> Read<()> {
    let found: &str = &member.key;
    let like = keys.iter().find(|key| key.eq_ignore_ascii_case(found));
    let Some(hint) = like.map(|key| Hint::DidYouMean((*key).to_owned())) else {
        return source.ignore(member.at, format!("the key {} of {what} is ignored", quoted(found)));
    };
    let expected = format!("one of the keys {} of {what}", keys.join(", "));
    let complaint = Complaint::new(format!("the key {}", quoted(found)), expected);
    Err(source.error(member.at, complaint.hint(hint)))
}

/// Reads a list with one value for each slot of an orbit.
fn row<'n, 'a>(
    source: &Source<'_>,
    node: &'n Node<'a>,
    orbit: &Orbit,
    what: &str,
) -> Read<&'n [Node<'a>]> {
    let expected =
        format!("a list of {} for {}", counted(orbit.pieces(), what), quoted(orbit.name()));
    let values = list(source, node, &expected)?;
    if values.len() != orbit.pieces() {
        return wrong(source, node, expected);
    }
    Ok(values)
}

/// For each orbit: the value of the member that has the orbit's name as key.
///
/// # Errors
/// If a key is no orbit.
pub(crate) fn by_orbit<'n, 'a>(
    source: &Source<'_>,
    node: &'n Node<'a>,
    orbits: &Orbits,
) -> Read<Vec<Option<&'n Node<'a>>>> {
    let (out, others) = known_orbits(source, node, orbits)?;
    match others.first() {
        None => Ok(out),
        Some(member) => {
            let complaint = Complaint::new(quoted(&member.key), "the name of an orbit");
            Err(source.error(member.at, complaint))
        }
    }
}

/// For each orbit: the value of its member in an object. Also the members that belong to no orbit.
type ByOrbit<'n, 'a> = (Vec<Option<&'n Node<'a>>>, Vec<&'n Member<'a>>);

/// Assigns the members of an object to orbits.
///
/// # Errors
/// If a key is an orbit in another spelling.
fn known_orbits<'n, 'a>(
    source: &Source<'_>,
    node: &'n Node<'a>,
    orbits: &Orbits,
) -> Read<ByOrbit<'n, 'a>> {
    let (mut out, mut others) = (vec![None; orbits.len()], Vec::new());
    for member in object(source, node, "an object with the names of orbits as keys")? {
        if let Some(orbit) = orbits.find(&member.key) {
            out[orbit] = Some(&member.node);
            continue;
        }
        if let Some(like) = orbits.iter().find(|one| one.name().eq_ignore_ascii_case(&member.key)) {
            let complaint = Complaint::new(quoted(&member.key), "the name of an orbit");
            let hint = Hint::DidYouMean(like.name().to_owned());
            return Err(source.error(member.at, complaint.hint(hint)));
        }
        others.push(member);
    }
    Ok((out, others))
}

/// Notes orbits that the puzzle does not have. Some files leave out orbits that their moves still
/// name.
fn ignore_orbits(source: &Source<'_>, others: &[&Member<'_>]) -> Read<()> {
    for member in others {
        let name = quoted(&member.key);
        let text = format!("{name} is not one of the orbits: what moves and states say is ignored");
        source.ignore(member.at, text)?;
    }
    Ok(())
}

/// Reads a transformation. An orbit that is missing stays as it is.
pub(crate) fn transformation(
    source: &Source<'_>,
    node: &Node<'_>,
    orbits: &Orbits,
) -> Read<Transformation> {
    let (all, others) = known_orbits(source, node, orbits)?;
    ignore_orbits(source, &others)?;
    let rows = orbits.iter().zip(all);
    let rows = rows.map(|(orbit, node)| node.map(|node| rows_of(source, node, orbit)).transpose());
    let made = Transformation::new(orbits, rows.collect::<Read<_>>()?);
    made.map_err(|complaint| source.error(node.at, complaint))
}

fn rows_of(source: &Source<'_>, node: &Node<'_>, orbit: &Orbit) -> Read<OrbitTransformation> {
    let keys = ["permutation", "orientationDelta"];
    let [permutation, delta] = members(source, node, "a transformation of an orbit", keys, 2)?;
    let (Some(permutation), Some(delta)) = (permutation, delta) else {
        return wrong(source, node, "permutation and orientationDelta");
    };
    let nodes = row(source, permutation, orbit, "slot")?;
    let most = narrow::<_, u32>(orbit.pieces()) - 1;
    let slot = |node: &Node<'_>| number(source, node, "a slot", 0, most).map(narrow);
    let permutation = nodes.iter().map(slot).collect::<Read<Vec<_>>>()?;
    if let Some((_, index)) = first_repeated(&permutation) {
        let found = format!("{} again", nodes[index].shown());
        let complaint = Complaint::new(found, format!("each slot from 0 to {most} once"));
        return Err(source.error(nodes[index].at, complaint.hint(Hint::MovesPermute)));
    }
    let delta = row(source, delta, orbit, "orientation")?.iter();
    Ok((permutation, delta.map(|node| delta_of(source, node, orbit)).collect::<Read<_>>()?))
}

/// Reads by how much a piece turns. A negative number turns it the other way.
fn delta_of(source: &Source<'_>, node: &Node<'_>, orbit: &Orbit) -> Read<u8> {
    let (least, most) = orientation_range(orbit);
    let back = match node.value {
        Value::Number(digits) => digits.strip_prefix('-').and_then(|digits| digits.parse().ok()),
        _ => None,
    };
    match back.filter(|back| (1..=most).contains(back)) {
        Some(back) => Ok(narrow(most + 1 - back)),
        None => number(source, node, "an orientation", least, most).map(narrow),
    }
}

fn turns(source: &Source<'_>, node: &Node<'_>, orbit: &Orbit) -> Read<Vec<u8>> {
    let (least, most) = orientation_range(orbit);
    let turn = |node| number(source, node, "an orientation", least, most).map(narrow);
    row(source, node, orbit, "orientation")?.iter().map(turn).collect()
}

/// Reads a state. If `solved` is given, it must have the same pieces.
pub(crate) fn state(
    source: &Source<'_>,
    node: &Node<'_>,
    orbits: &Orbits,
    solved: Option<&PuzzleState>,
) -> Read<PuzzleState> {
    let mut rows = Vec::with_capacity(orbits.len());
    let (all, others) = known_orbits(source, node, orbits)?;
    ignore_orbits(source, &others)?;
    for (orbit, found) in orbits.iter().zip(all) {
        let Some(found) = found else {
            let expected = format!("a state with the orbit {}", quoted(orbit.name()));
            return wrong(source, node, expected);
        };
        rows.push(orbit_state(source, found, orbit)?);
    }
    let state =
        PuzzleState::new(orbits, rows).map_err(|complaint| source.error(node.at, complaint))?;
    match solved.map(|solved| solved.same_pieces(&state)) {
        Some(Err((_, _, complaint))) => Err(source.error(node.at, complaint)),
        _ => Ok(state),
    }
}

fn orbit_state(source: &Source<'_>, node: &Node<'_>, orbit: &Orbit) -> Read<OrbitState> {
    let keys = ["pieces", "orientation", "orientationMod"];
    let [pieces, orientation, modulus] = members(source, node, "a state of an orbit", keys, 2)?;
    let (Some(pieces), Some(orientation)) = (pieces, orientation) else {
        return wrong(source, node, "pieces and orientation");
    };
    let piece = |node| number(source, node, "a piece", 0, LARGEST_PIECE.into()).map(narrow);
    let most = u32::from(orbit.orientations());
    let known = |node| {
        let modulus = number(source, node, "a modulus of orientations", 0, most)?;
        Ok(if modulus == most { 0 } else { narrow(modulus) })
    };
    let mut rows = OrbitState {
        pieces: row(source, pieces, orbit, "piece")?.iter().map(piece).collect::<Read<_>>()?,
        orientation: turns(source, orientation, orbit)?,
        modulus: match modulus {
            None => vec![0; orbit.pieces()],
            Some(node) => {
                row(source, node, orbit, "number")?.iter().map(known).collect::<Read<_>>()?
            }
        },
    };
    tell_apart(&mut rows);
    check(orbit, &rows).map_err(|(row, slot, complaint)| {
        let row = match row {
            StateRow::Pieces => Some(pieces),
            StateRow::Orientation => Some(orientation),
            StateRow::Modulus => modulus,
        };
        let at = row.and_then(|row| row.element(slot)).unwrap_or(node).at;
        source.error(at, complaint)
    })?;
    Ok(rows)
}

/// Gives different numbers to pieces that share a number but differ in modulus, because KPuzzle
/// distinguishes them. The new numbers depend only on the pieces, not on their slots. So a state
/// and a goal of the same pieces get the same numbers.
fn tell_apart(rows: &mut OrbitState) {
    let pairs = || rows.pieces.iter().copied().zip(rows.modulus.iter().copied());
    let kinds: BTreeSet<(u16, u8)> = pairs().collect();
    let mut last = rows.pieces.iter().copied().max().unwrap_or(0);
    let mut numbers = BTreeMap::new();
    let mut before = None;
    for &(piece, modulus) in &kinds {
        let again = before == Some(piece);
        before = Some(piece);
        last = last.saturating_add(again.into());
        numbers.insert((piece, modulus), if again { last } else { piece });
    }
    rows.pieces = pairs().map(|pair| numbers[&pair]).collect();
}
