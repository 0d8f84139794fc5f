//! The writer of KPuzzle JSON.

use crate::definition::PuzzleState;
use crate::definition::Transformation;
use crate::definition::{Definition, MoveKind};
use std::fmt::{Display, Write};

/// A text in double quotes.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn list<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(","))
}

fn object(members: impl IntoIterator<Item = (String, String)>) -> String {
    let members = members.into_iter().map(|(key, value)| format!("{}:{value}", text(&key)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// One member a line.
fn lines(members: impl IntoIterator<Item = (String, String)>) -> String {
    let members = members.into_iter().map(|(key, value)| format!("  {}: {value}", text(&key)));
    format!("{{\n{}\n}}", members.collect::<Vec<_>>().join(",\n"))
}

impl Definition {
    /// The definition in KPuzzle JSON, readable by [`Definition::from_kpuzzle`]: an equal definition.
    ///
    /// What the format has no key for stands under keys of ours, which other programs may refuse or pass over;
    /// [`Definition::kpuzzle_extensions`] says which.
    pub fn to_kpuzzle(&self) -> String {
        let orbits = self.orbits.iter().map(|orbit| {
            let (name, pieces, turns) = (text(orbit.name()), orbit.pieces(), orbit.orientations());
            format!("{{\"orbitName\":{name},\"numPieces\":{pieces},\"numOrientations\":{turns}}}")
        });
        let moves = self
            .moves
            .iter()
            .map(|one| (one.name.clone(), self.transformation_json(&one.transformation)));
        let mut members = vec![
            ("name", text(&self.name)),
            ("orbits", list(orbits)),
            ("defaultPattern", self.pattern_json(self.start())),
            ("moves", lines(moves)),
        ];
        if !self.derived.is_empty() {
            let derived = self
                .derived
                .iter()
                .map(|derived| (derived.name.clone(), text(&self.turns_text(&derived.turns))));
            members.push(("derivedMoves", lines(derived)));
        }
        members.extend(self.extensions_json());
        lines(members.into_iter().map(|(key, value)| (key.to_owned(), value))) + "\n"
    }

    /// The keys that [`Definition::to_kpuzzle`] uses for this definition and that are ours.
    pub fn kpuzzle_extensions(&self) -> Vec<&'static str> {
        self.extensions_json().into_iter().map(|(key, _)| key).collect()
    }

    fn orbit_name(&self, orbit: usize) -> String {
        self.orbits.get(orbit).map_or_else(String::new, |orbit| orbit.name().to_owned())
    }

    /// The state as KPuzzle writes it.
    fn pattern_json(&self, state: &PuzzleState) -> String {
        object((0..self.orbits.len()).map(|orbit| {
            let mut rows = vec![
                ("pieces".to_owned(), list(state.pieces(orbit))),
                ("orientation".to_owned(), list(state.orientation(orbit))),
            ];
            if state.modulus(orbit).iter().any(|&modulus| modulus != 0) {
                rows.push(("orientationMod".to_owned(), list(state.modulus(orbit))));
            }
            (self.orbit_name(orbit), object(rows))
        }))
    }

    /// The transformation as KPuzzle writes it, with all orbits, as other readers want them.
    fn transformation_json(&self, transformation: &Transformation) -> String {
        object((0..self.orbits.len()).map(|orbit| {
            let rows = [
                ("permutation".to_owned(), list(transformation.permutation(orbit))),
                ("orientationDelta".to_owned(), list(transformation.delta(orbit))),
            ];
            (self.orbit_name(orbit), object(rows))
        }))
    }

    /// What stands under keys of ours, where it says something.
    fn extensions_json(&self) -> Vec<(&'static str, String)> {
        let rules = &self.rules;
        let goals = self.goals[1..].iter().map(|goal| self.pattern_json(goal));
        let illegal = rules.illegal.iter().map(|rule| {
            let (orbit, pieces) = (text(&self.orbit_name(rule.orbit)), list(&rule.pieces));
            format!("{{\"orbit\":{orbit},\"slot\":{},\"pieces\":{pieces}}}", rule.slot)
        });
        let blocks = rules.blocks.iter().map(|block| {
            let orbits = block.pieces.chunk_by(|a, b| a.0 == b.0);
            object(orbits.map(|part| {
                (self.orbit_name(part[0].0), list(part.iter().map(|&(_, piece)| piece)))
            }))
        });
        let costs = self.moves.iter().filter(|one| one.cost != 1);
        let costs = costs.map(|one| (one.name.clone(), one.cost.to_string()));
        let kinds = self.moves.iter().filter(|one| one.kind != MoveKind::of_name(&one.name));
        let kinds = kinds.map(|one| {
            let kind = if one.kind == MoveKind::Turn { "turn" } else { "rotation" };
            (one.name.clone(), text(kind))
        });
        let pairs = rules
            .forbidden
            .iter()
            .map(|&(first, second)| list([first, second].map(|turn| text(&self.turn_text(turn)))));
        let limits = rules
            .limits
            .iter()
            .map(|(&limited, most)| (self.limited_text(limited), most.to_string()));
        let all = [
            ("goals", list(goals)),
            ("illegal", list(illegal)),
            ("ignore", self.ignore_json()),
            ("blocks", list(blocks)),
            ("moveCosts", object(costs)),
            ("moveKinds", object(kinds)),
            ("forbiddenPairs", list(pairs)),
            ("moveLimits", object(limits)),
        ];
        all.into_iter().filter(|(_, value)| value != "[]" && value != "{}").collect()
    }

    fn ignore_json(&self) -> String {
        let Some(ignore) = &self.rules.ignore else { return "{}".to_owned() };
        object(self.orbits.ranges().map(|(orbit, range)| {
            let flags = |flags: &[bool]| list(flags.iter().map(|&flag| u8::from(flag)));
            let rows = [
                ("pieces".to_owned(), flags(&ignore.pieces[range.clone()])),
                ("orientation".to_owned(), flags(&ignore.orientation[range])),
            ];
            (orbit.name().to_owned(), object(rows))
        }))
    }
}
