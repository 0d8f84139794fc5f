//! The writer of definitions of lines, which is the canonical form too.

use crate::definition::PuzzleState;
use crate::definition::Transformation;
use crate::definition::Turn;
use crate::definition::{Definition, MoveKind};
use std::fmt::{Display, Write};

/// Values with blanks between them, as a line.
fn row<T: Display>(out: &mut String, values: impl IntoIterator<Item = T>) {
    for (index, value) in values.into_iter().enumerate() {
        let _ = write!(out, "{}{value}", if index > 0 { " " } else { "" });
    }
    out.push('\n');
}

impl Definition {
    /// The definition as lines and words, readable by [`Definition::from_tws`]: an equal definition. Equal definitions are written alike.
    ///
    /// What the format of twsearch has no word for is written with the words of ksolve+ (Ignore, Block, ForbiddenPairs, MoveLimits) and
    /// ours (Goal, MoveCost, MoveKind, orientations such as `1?2`); [`Definition::tws_extensions`] says which.
    pub fn to_tws(&self) -> String {
        let mut out = format!("Name {}\n", self.name);
        for orbit in self.orbits.iter() {
            let (name, pieces) = (orbit.name(), orbit.pieces());
            let _ = writeln!(out, "Set {name} {pieces} {}", orbit.orientations());
        }
        self.write_state(&mut out, "Solved", self.start());
        self.goals[1..].iter().for_each(|goal| self.write_state(&mut out, "Goal", goal));
        for one in &self.moves {
            self.write_move(&mut out, &one.name, &one.transformation);
        }
        for one in &self.moves {
            if one.kind != MoveKind::of_name(&one.name) {
                let kind = if one.kind == MoveKind::Turn { "turn" } else { "rotation" };
                let _ = writeln!(out, "MoveKind {} {kind}", one.name);
            }
            if one.cost != 1 {
                let _ = writeln!(out, "MoveCost {} {}", one.name, one.cost);
            }
        }
        for derived in &self.derived {
            let (name, turns) = (&derived.name, self.turns_text(&derived.turns));
            let alias = matches!(derived.turns[..], [Turn { amount: 1, .. }]);
            let _ = writeln!(
                out,
                "{} {name} {turns}",
                if alias { "MoveAlias" } else { "MoveSequence" }
            );
        }
        self.write_rules(&mut out);
        out
    }

    /// The words and forms that [`Definition::to_tws`] uses for this definition and twsearch does not read.
    pub fn tws_extensions(&self) -> Vec<&'static str> {
        let rules = &self.rules;
        let partly = |goal: &PuzzleState| {
            (0..self.orbits.len())
                .any(|orbit| goal.modulus(orbit).iter().any(|&modulus| modulus > 1))
        };
        let used = [
            ("Ignore", rules.ignore.is_some()),
            ("Block", !rules.blocks.is_empty()),
            ("ForbiddenPairs", !rules.forbidden.is_empty()),
            ("MoveLimits", !rules.limits.is_empty()),
            ("Goal", self.goals.len() > 1),
            ("MoveCost", self.moves.iter().any(|one| one.cost != 1)),
            ("MoveKind", self.moves.iter().any(|one| one.kind != MoveKind::of_name(&one.name))),
            ("orientations such as 1?2", self.goals.iter().any(partly)),
            ("a name of several words", self.name.contains(' ')),
        ];
        used.into_iter().filter_map(|(word, used)| used.then_some(word)).collect()
    }

    /// A block of a state under a word such as Solved or Scramble: pieces from 1, orientations by slot.
    pub(crate) fn write_state(&self, out: &mut String, head: &str, state: &PuzzleState) {
        let _ = writeln!(out, "{head}");
        for (index, orbit) in self.orbits.iter().enumerate() {
            let _ = writeln!(out, "{}", orbit.name());
            row(out, state.pieces(index).iter().map(|&piece| u32::from(piece) + 1));
            let (turns, moduli) = (state.orientation(index), state.modulus(index));
            if turns.iter().chain(moduli).any(|&value| value != 0) {
                row(
                    out,
                    turns.iter().zip(moduli).map(|(turn, modulus)| match modulus {
                        0 => turn.to_string(),
                        1 => "?".to_owned(),
                        _ => format!("{turn}?{modulus}"),
                    }),
                );
            }
        }
        out.push_str("End\n");
    }

    /// A Move block: slots from 1, orientations by piece. Sets that stay as they are are left out.
    fn write_move(&self, out: &mut String, name: &str, transformation: &Transformation) {
        let _ = writeln!(out, "Move {name}");
        for (index, orbit) in self.orbits.iter().enumerate() {
            if transformation.leaves(index) {
                continue;
            }
            let _ = writeln!(out, "{}", orbit.name());
            let (permutation, delta) =
                (transformation.permutation(index), transformation.delta(index));
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

    fn write_rules(&self, out: &mut String) {
        let name = |orbit: usize| self.orbits.get(orbit).map_or("", |orbit| orbit.name());
        for rule in &self.rules.illegal {
            let _ = write!(out, "Illegal {} {} ", name(rule.orbit), rule.slot + 1);
            row(out, rule.pieces.iter().map(|&piece| u32::from(piece) + 1));
        }
        if let Some(ignore) = &self.rules.ignore {
            out.push_str("Ignore\n");
            for (orbit, range) in self.orbits.ranges() {
                let _ = writeln!(out, "{}", orbit.name());
                row(out, ignore.pieces[range.clone()].iter().map(|&flag| u8::from(flag)));
                row(out, ignore.orientation[range].iter().map(|&flag| u8::from(flag)));
            }
            out.push_str("End\n");
        }
        for block in &self.rules.blocks {
            out.push_str("Block\n");
            for orbit in block.pieces.chunk_by(|a, b| a.0 == b.0) {
                let _ = writeln!(out, "{}", name(orbit[0].0));
                row(out, orbit.iter().map(|&(_, piece)| u32::from(piece) + 1));
            }
            out.push_str("End\n");
        }
        if !self.rules.forbidden.is_empty() {
            out.push_str("ForbiddenPairs\n");
            for &(first, second) in &self.rules.forbidden {
                row(out, [self.turn_text(first), self.turn_text(second)]);
            }
            out.push_str("End\n");
        }
        if !self.rules.limits.is_empty() {
            out.push_str("MoveLimits\n");
            for (&limited, most) in &self.rules.limits {
                row(out, [self.limited_text(limited), most.to_string()]);
            }
            out.push_str("End\n");
        }
    }
}
