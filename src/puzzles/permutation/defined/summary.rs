//! What a definition means, as plain data.

use crate::puzzle::{
    DefinitionSummary, GroupSummary, MoveSummary, NameSummary, OrbitSummary, RuleSummary,
};
use permutation::{
    BaseMove, Definition, DerivedMove, MoveKind, Operators, Orbit, Transformation, Turn,
};
use std::collections::BTreeMap;

pub(super) fn summary(
    puzzle: &str,
    definition: &Definition,
    (all, quarter): (&Operators, &Operators),
    group: GroupSummary,
) -> DefinitionSummary {
    let moves = definition.moves();
    let changed: Vec<&Transformation> = all.list.iter().map(|op| &op.transformation).collect();
    let orbits = definition.orbits().iter().enumerate();
    let turns = |turns: &[Turn]| moves.turns_text(turns);
    let rules = definition.rules();
    DefinitionSummary {
        puzzle: puzzle.to_owned(),
        name: definition.name().to_owned(),
        slots: definition.orbits().slots(),
        orbits: orbits.map(|(index, orbit)| of_orbit(definition, index, orbit, &changed)).collect(),
        moves: moves.base().iter().map(|one| of_move(definition, one)).collect(),
        names: moves.derived().iter().map(|one| of_name(definition, one)).collect(),
        operators: [("htm", all.list.len()), ("qtm", quarter.list.len())].into(),
        left_out: all.notes.clone(),
        group,
        goals: definition.goals().len(),
        rules: RuleSummary {
            illegal: rules
                .illegal
                .iter()
                .map(|rule| {
                    let orbit = definition.orbits().iter().nth(rule.orbit).map_or("", Orbit::name);
                    format!("slot {} of {orbit} holds none of {:?}", rule.slot, rule.pieces)
                })
                .collect(),
            blocks: rules.blocks.len(),
            forbidden_pairs: rules.forbidden.iter().map(|&(a, b)| turns(&[a, b])).collect(),
            move_limits: definition.limit_texts(),
        },
        notes: definition
            .notes()
            .iter()
            .map(|note| match note.line {
                0 => note.text.clone(),
                line => format!("line {line}: {}", note.text),
            })
            .collect(),
    }
}

fn of_orbit(
    definition: &Definition,
    index: usize,
    orbit: &Orbit,
    changed: &[&Transformation],
) -> OrbitSummary {
    let (start, range) = (definition.start(), definition.orbits().range(index));
    let mut kinds: BTreeMap<u16, usize> = BTreeMap::new();
    for &piece in start.pieces(index) {
        *kinds.entry(piece).or_default() += 1;
    }
    let ignore = definition.rules().ignore.as_ref();
    let count = |flags: &[bool]| flags[range.clone()].iter().filter(|&&flag| flag).count();
    let is_fixed = |slot: &usize| !changed.iter().any(|one| one.moves_slot(index, *slot));
    OrbitSummary {
        name: orbit.name().to_owned(),
        pieces: orbit.pieces(),
        orientations: orbit.orientations(),
        kinds: kinds.into_values().collect(),
        partly_known: start.modulus(index).iter().filter(|&&modulus| modulus != 0).count(),
        ignored_pieces: ignore.map_or(0, |ignore| count(&ignore.pieces)),
        ignored_orientations: ignore.map_or(0, |ignore| count(&ignore.orientation)),
        fixed: (0..orbit.pieces()).filter(is_fixed).count(),
    }
}

fn of_move(definition: &Definition, one: &BaseMove) -> MoveSummary {
    let orbits = definition.orbits().iter().enumerate();
    let cycles =
        orbits.map(|(orbit, set)| (set.name().to_owned(), one.transformation.cycles(orbit)));
    let cycles: Vec<_> = cycles.filter(|(_, cycles)| !cycles.is_empty()).collect();
    MoveSummary {
        name: one.name.clone(),
        kind: match one.kind {
            MoveKind::Turn => "turn",
            MoveKind::Rotation => "rotation",
        },
        order: one
            .transformation
            .order()
            .and_then(|order| super::group::parsed(&order.to_string())),
        cost: one.cost.into(),
        changed: cycles.iter().flat_map(|(_, cycles)| cycles).map(Vec::len).sum(),
        cycles,
    }
}

fn of_name(definition: &Definition, one: &DerivedMove) -> NameSummary {
    NameSummary {
        name: one.name.clone(),
        moves: definition.moves().turns_text(&one.turns),
        kind: if one.turns.len() == 1 { "alias" } else { "sequence" },
    }
}
