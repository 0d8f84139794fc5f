//! Writes definitions in KPuzzle JSON.

use crate::definition::{BaseMove, Definition, MoveKind, PuzzleState, Transformation};
use serde::{Serialize, Serializer};

/// A JSON object whose members keep their order.
struct Object<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Object<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<K, V> FromIterator<(K, V)> for Object<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrbitJson<'a> {
    orbit_name: &'a str,
    num_pieces: usize,
    num_orientations: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StateJson<'a> {
    pieces: &'a [u16],
    orientation: &'a [u8],
    #[serde(skip_serializing_if = "Option::is_none")]
    orientation_mod: Option<&'a [u8]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransformationJson<'a> {
    permutation: &'a [u16],
    orientation_delta: &'a [u8],
}

#[derive(Serialize)]
struct IllegalJson<'a> {
    orbit: &'a str,
    slot: usize,
    pieces: &'a [u16],
}

#[derive(Serialize)]
struct IgnoreJson {
    pieces: Vec<u8>,
    orientation: Vec<u8>,
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("keys are texts: {error}"))
}

/// A JSON object with one member on each line. The values are JSON already.
fn lines<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let members = members.into_iter().map(|(key, value)| format!("  {}: {value}", json(&key)));
    format!("{{\n{}\n}}", members.collect::<Vec<_>>().join(",\n"))
}

/// Writes a definition as KPuzzle JSON.
pub(crate) fn write_kpuzzle(definition: &Definition) -> String {
    let orbits = definition.orbits.iter().map(|orbit| OrbitJson {
        orbit_name: orbit.name(),
        num_pieces: orbit.pieces(),
        num_orientations: orbit.orientations(),
    });
    let moves = definition
        .moves()
        .base()
        .iter()
        .map(|one| (one.name.as_str(), json(&transformation(definition, &one.transformation))));
    let mut members = vec![
        ("name", json(&definition.name)),
        ("orbits", json(&orbits.collect::<Vec<_>>())),
        ("defaultPattern", json(&state(definition, definition.start()))),
        ("moves", lines(moves)),
    ];
    if !definition.moves().derived().is_empty() {
        let derived = definition.moves().derived().iter();
        let derived = derived
            .map(|one| (one.name.as_str(), json(&definition.moves().turns_text(&one.turns))));
        members.push(("derivedMoves", lines(derived)));
    }
    members.extend(extensions(definition));
    lines(members) + "\n"
}

/// Writes a state as KPattern JSON on one line.
pub(crate) fn write_pattern(definition: &Definition, pattern: &PuzzleState) -> String {
    json(&state(definition, pattern))
}

fn orbit_name(definition: &Definition, orbit: usize) -> &str {
    definition.orbits[orbit].name()
}

fn state<'a>(definition: &'a Definition, state: &'a PuzzleState) -> Object<&'a str, StateJson<'a>> {
    let row = |orbit| {
        let modulus = state.modulus(orbit);
        let row = StateJson {
            pieces: state.pieces(orbit),
            orientation: state.orientation(orbit),
            orientation_mod: modulus.iter().any(|&modulus| modulus != 0).then_some(modulus),
        };
        (orbit_name(definition, orbit), row)
    };
    (0..definition.orbits.len()).map(row).collect()
}

/// A transformation with all orbits, because other readers need the unchanged ones too.
fn transformation<'a>(
    definition: &'a Definition,
    transformation: &'a Transformation,
) -> Object<&'a str, TransformationJson<'a>> {
    let row = |orbit| {
        let row = TransformationJson {
            permutation: transformation.permutation(orbit),
            orientation_delta: transformation.delta(orbit),
        };
        (orbit_name(definition, orbit), row)
    };
    (0..definition.orbits.len()).map(row).collect()
}

/// The keys of this project that the definition needs, with their values.
pub(crate) fn extensions(definition: &Definition) -> Vec<(&'static str, String)> {
    let (rules, moves) = (&definition.rules, definition.moves().base());
    let name = |orbit| orbit_name(definition, orbit);
    let goals = definition.goals()[1..].iter().map(|goal| state(definition, goal));
    let named = definition.named_goals.iter();
    let named = named.map(|(name, goal)| (name.as_str(), state(definition, goal)));
    let illegal = rules.illegal.iter().map(|rule| IllegalJson {
        orbit: name(rule.orbit),
        slot: rule.slot,
        pieces: &rule.pieces,
    });
    let blocks = rules.blocks.iter().map(|block| {
        let orbits = block.pieces.chunk_by(|a, b| a.0 == b.0);
        let pieces = |part: &[(usize, u16)]| part.iter().map(|&(_, piece)| piece).collect();
        orbits.map(|part| (name(part[0].0), pieces(part))).collect::<Object<_, Vec<u16>>>()
    });
    let costs = moves.iter().filter(|one| one.cost != 1);
    let costs = costs.map(|one| (one.name.clone(), one.cost));
    let of_turns = definition.moves().turn_costs().iter();
    let of_turns = of_turns.map(|&(turn, cost)| (definition.moves().turn_text(turn), cost));
    let costs = costs.chain(of_turns);
    let kinds = kinds(definition);
    let forbidden = rules.forbidden.iter();
    let pairs = forbidden
        .map(|&(first, second)| [first, second].map(|turn| definition.moves().turn_text(turn)));
    let limits = rules.limits.iter();
    let limits = limits.map(|(&limited, most)| (definition.moves().limited_text(limited), most));
    let all = [
        ("goals", json(&goals.collect::<Vec<_>>())),
        ("namedGoals", json(&named.collect::<Object<_, _>>())),
        ("illegal", json(&illegal.collect::<Vec<_>>())),
        ("ignore", json(&ignored(definition))),
        ("blocks", json(&blocks.collect::<Vec<_>>())),
        ("moveCosts", json(&costs.collect::<Object<_, _>>())),
        ("moveKinds", json(&kinds)),
        ("forbiddenPairs", json(&pairs.collect::<Vec<_>>())),
        ("moveLimits", json(&limits.collect::<Object<_, _>>())),
    ];
    all.into_iter().filter(|(_, value)| value != "[]" && value != "{}").collect()
}

/// The kinds that the reader would not derive without `moveKinds`.
fn kinds(definition: &Definition) -> Object<&str, &'static str> {
    let (moves, derived) = (definition.moves(), definition.moves().derived());
    let aliases = moves.rotations_by_alias();
    let kind = |(index, one): (usize, &BaseMove)| match aliases.contains(&index) {
        true => MoveKind::Rotation,
        false => MoveKind::of_name(&one.name),
    };
    let base =
        moves.base().iter().enumerate().filter(|&(index, one)| one.kind != kind((index, one)));
    let base = base.map(|(_, one)| (one.name.as_str(), one.kind.word()));
    let names = moves.own_moves().into_iter();
    base.chain(names.map(|index| (derived[index].name.as_str(), "name"))).collect()
}

fn ignored(definition: &Definition) -> Object<&str, IgnoreJson> {
    let flags = |flags: &[bool]| flags.iter().map(|&flag| u8::from(flag)).collect();
    let ranges = definition.orbits.ranges();
    let of = |ignore: &crate::definition::IgnoredSlots, range: std::ops::Range<usize>| IgnoreJson {
        pieces: flags(&ignore.pieces[range.clone()]),
        orientation: flags(&ignore.orientation[range]),
    };
    let ignore = definition.rules.ignore.as_ref();
    ranges.filter_map(|(orbit, range)| Some((orbit.name(), of(ignore?, range)))).collect()
}
