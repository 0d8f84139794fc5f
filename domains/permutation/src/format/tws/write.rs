//! Writes definitions of lines and words. Fingerprints are hashes of this text.

use crate::definition::{Definition, MoveKind, MoveSet, PuzzleState, Transformation, Turn};
use std::fmt::{Display, Write};

/// Writes values as a line, with blanks between them.
fn row<T: Display>(out: &mut String, values: impl IntoIterator<Item = T>) {
    for (index, value) in values.into_iter().enumerate() {
        let _ = write!(out, "{}{value}", if index > 0 { " " } else { "" });
    }
    out.push('\n');
}

/// Writes a definition as lines and words.
pub(crate) fn write_tws(definition: &Definition) -> String {
    let mut out = format!("Name {}\n", definition.name);
    for orbit in definition.orbits.iter() {
        let (name, pieces) = (orbit.name(), orbit.pieces());
        let _ = writeln!(out, "Set {name} {pieces} {}", orbit.orientations());
    }
    write_state(&mut out, "Solved", definition.start());
    definition.goals[1..].iter().for_each(|goal| write_state(&mut out, "Goal", goal));
    for (name, goal) in &definition.named_goals {
        write_state(&mut out, &format!("Goal {name}"), goal);
    }
    let moves = definition.moves();
    for one in moves.base() {
        write_move(&mut out, &one.name, &one.transformation);
    }
    for one in moves.base() {
        if one.kind != MoveKind::of_name(&one.name) {
            let _ = writeln!(out, "MoveKind {} {}", one.name, one.kind.word());
        }
        if one.cost != 1 {
            let _ = writeln!(out, "MoveCost {} {}", one.name, one.cost);
        }
    }
    for &(turn, cost) in moves.turn_costs() {
        let _ = writeln!(out, "MoveCost {} {cost}", moves.turn_text(turn));
    }
    for derived in moves.derived() {
        let (name, turns) = (&derived.name, moves.turns_text(&derived.turns));
        let alias = matches!(derived.turns[..], [Turn { amount: 1, .. }]);
        let word = if alias { "MoveAlias" } else { "NamedSequence" };
        let _ = writeln!(out, "{word} {name} {turns}");
    }
    write_rules(definition, &mut out);
    out
}

/// Whether some move or turn does not cost 1.
fn has_costs(moves: &MoveSet) -> bool {
    !moves.turn_costs().is_empty() || moves.base().iter().any(|one| one.cost != 1)
}

/// The words of a definition that twsearch does not read.
pub(crate) fn extensions(definition: &Definition) -> Vec<&'static str> {
    let (rules, moves) = (&definition.rules, definition.moves());
    let partly = |goal: &PuzzleState| {
        (0..definition.orbits.len()).any(|orbit| goal.modulus(orbit).iter().any(|&known| known > 1))
    };
    let named = |turns: &[Turn]| !matches!(turns, [Turn { amount: 1, .. }]);
    let all = [
        ("A?D", definition.goals.iter().any(partly)),
        ("Goal", definition.goals.len() > 1 || !definition.named_goals.is_empty()),
        ("MoveKind", moves.base().iter().any(|one| one.kind != MoveKind::of_name(&one.name))),
        ("MoveCost", has_costs(moves)),
        ("NamedSequence", moves.derived().iter().any(|one| named(&one.turns))),
        ("Ignore", rules.ignore.is_some()),
        ("Block", !rules.blocks.is_empty()),
        ("ForbiddenPairs", !rules.forbidden.is_empty()),
        ("MoveLimits", !rules.limits.is_empty()),
    ];
    all.into_iter().filter(|(_, used)| *used).map(|(word, _)| word).collect()
}

/// Writes the block of a state. Pieces count from 1, orientations are listed by slot.
pub(crate) fn write_state(out: &mut String, head: &str, state: &PuzzleState) {
    let _ = writeln!(out, "{head}");
    for (index, orbit) in state.orbits().iter().enumerate() {
        let _ = writeln!(out, "{}", orbit.name());
        row(out, state.pieces(index).iter().map(|&piece| u32::from(piece) + 1));
        let (turns, moduli) = (state.orientation(index), state.modulus(index));
        if turns.iter().chain(moduli).any(|&value| value != 0) {
            let words = turns.iter().zip(moduli).map(|(turn, modulus)| match modulus {
                0 => turn.to_string(),
                1 => "?".to_owned(),
                _ => format!("{turn}?{modulus}"),
            });
            row(out, words);
        }
    }
    out.push_str("End\n");
}

/// Writes a Move block. Slots count from 1, orientations are listed by piece. Leaves out sets that
/// do not change.
fn write_move(out: &mut String, name: &str, transformation: &Transformation) {
    let _ = writeln!(out, "Move {name}");
    for (index, orbit) in transformation.orbits().iter().enumerate() {
        if transformation.leaves(index) {
            continue;
        }
        let _ = writeln!(out, "{}", orbit.name());
        let (permutation, delta) = (transformation.permutation(index), transformation.delta(index));
        row(out, permutation.iter().map(|&slot| u32::from(slot) + 1));
        if delta.iter().any(|&turn| turn != 0) {
            let mut by_piece = vec![0; delta.len()];
            for (&from, &turn) in permutation.iter().zip(delta) {
                by_piece[usize::from(from)] = turn;
            }
            row(out, by_piece);
        }
    }
    out.push_str("End\n");
}

fn write_rules(definition: &Definition, out: &mut String) {
    let (rules, moves) = (&definition.rules, definition.moves());
    let name = |orbit: usize| definition.orbits[orbit].name();
    for rule in &rules.illegal {
        let _ = write!(out, "Illegal {} {} ", name(rule.orbit), rule.slot + 1);
        row(out, rule.pieces.iter().map(|&piece| u32::from(piece) + 1));
    }
    if let Some(ignore) = &rules.ignore {
        out.push_str("Ignore\n");
        for (orbit, range) in definition.orbits.ranges() {
            let _ = writeln!(out, "{}", orbit.name());
            row(out, ignore.pieces[range.clone()].iter().map(|&flag| u8::from(flag)));
            row(out, ignore.orientation[range].iter().map(|&flag| u8::from(flag)));
        }
        out.push_str("End\n");
    }
    for block in &rules.blocks {
        out.push_str("Block\n");
        for orbit in block.pieces.chunk_by(|a, b| a.0 == b.0) {
            let _ = writeln!(out, "{}", name(orbit[0].0));
            row(out, orbit.iter().map(|&(_, piece)| u32::from(piece) + 1));
        }
        out.push_str("End\n");
    }
    if !rules.forbidden.is_empty() {
        out.push_str("ForbiddenPairs\n");
        for &(first, second) in &rules.forbidden {
            row(out, [moves.turn_text(first), moves.turn_text(second)]);
        }
        out.push_str("End\n");
    }
    if !rules.limits.is_empty() {
        out.push_str("MoveLimits\n");
        for (&limited, most) in &rules.limits {
            row(out, [moves.limited_text(limited), most.to_string()]);
        }
        out.push_str("End\n");
    }
}
