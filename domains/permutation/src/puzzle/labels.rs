//! The labels of a definition's pieces, and what its goals and rules say of them.

use super::NotSearchable;
use super::compiled::Effects;
use super::slots::SlotContents;
use crate::definition::{Definition, IgnoredSlots, Operators, OrbitState, PuzzleState};
use std::collections::HashMap;

/// A definition by labels, for states of any width. Pieces that look alike share a label.
///
/// [`GeneralPuzzle`](super::GeneralPuzzle) searches it with states of a fixed size.
#[derive(Clone, Debug)]
pub struct PuzzleLabels {
    definition: Definition,
    operators: Operators,
    pub(super) effects: Effects,
    /// The label of a piece, by orbit and number.
    labels: HashMap<(usize, u16), u8>,
    /// By label: orbit, piece, and the modulus of what is known of its twist.
    pub(super) pieces: Vec<(usize, u16, u8)>,
    /// Whether some twist is not fully known.
    pub(super) partial: bool,
    pub(super) goals: Vec<SlotContents>,
    pub(super) ignore: Option<IgnoredSlots>,
    /// A slot, and the labels that may not lie there.
    pub(super) illegal: Vec<(usize, Vec<u8>)>,
    /// By block: the labels of its pieces.
    pub(super) blocks: Vec<Vec<u8>>,
    /// By operator: the slots that its move changes.
    pub(super) moved: Vec<Vec<bool>>,
}

impl PuzzleLabels {
    /// The labels of a definition with these operators.
    ///
    /// # Errors
    /// If no state is large enough.
    pub fn new(definition: Definition, operators: Operators) -> Result<Self, NotSearchable> {
        let effects = Effects::new(&definition, &operators)?;
        let (orbits, rules) = (definition.orbits().clone(), definition.rules());
        let (mut labels, mut pieces) = (HashMap::new(), Vec::new());
        for (number, orbit) in orbits.iter().enumerate() {
            let solved = definition.start();
            for (&piece, &modulus) in solved.pieces(number).iter().zip(solved.modulus(number)) {
                labels.entry((number, piece)).or_insert_with(|| {
                    let next = u8::try_from(pieces.len()).expect("no more labels than slots");
                    let known = if modulus == 0 { orbit.orientations() } else { modulus };
                    pieces.push((number, piece, known));
                    next
                });
            }
        }
        let label = |orbit: usize, piece: u16| labels.get(&(orbit, piece)).copied();
        let illegal = rules.illegal.iter().map(|rule| {
            let slot = orbits.range(rule.orbit).start + rule.slot;
            (slot, rule.pieces.iter().filter_map(|&piece| label(rule.orbit, piece)).collect())
        });
        let blocks = rules.blocks.iter().map(|block| {
            block.pieces.iter().filter_map(|&(orbit, piece)| label(orbit, piece)).collect()
        });
        let moved = operators
            .list
            .iter()
            .map(|op| definition.moves().transformation_of(op.turn.of).moved_slots());
        let mut made = Self {
            partial: pieces.iter().any(|&(orbit, _, known)| {
                orbits.get(orbit).is_some_and(|orbit| orbit.orientations() != known)
            }),
            illegal: illegal.collect(),
            blocks: blocks.collect(),
            moved: moved.collect(),
            ignore: rules.ignore.clone(),
            goals: Vec::new(),
            labels,
            pieces,
            effects,
            definition,
            operators,
        };
        made.goals = made.definition.goals().iter().map(|goal| made.contents(goal)).collect();
        Ok(made)
    }

    /// The definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The operators.
    pub fn list(&self) -> &Operators {
        &self.operators
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.effects.slots()
    }

    /// The labels and twists of a state of the definition.
    ///
    /// # Panics
    /// If it has pieces that the solved state has not.
    pub fn contents(&self, pattern: &PuzzleState) -> SlotContents {
        let mut contents = SlotContents::empty(self.effects.slots());
        for (orbit, (_, range)) in self.definition.orbits().ranges().enumerate() {
            let pieces = pattern.pieces(orbit).iter().zip(pattern.orientation(orbit));
            for (slot, (&piece, &twist)) in range.zip(pieces) {
                contents.piece[slot] = self.labels[&(orbit, piece)];
                contents.twist[slot] = twist;
            }
        }
        contents
    }

    /// Labels and twists as a state of the definition.
    pub fn pattern(&self, contents: &SlotContents) -> PuzzleState {
        let orbits = self.definition.orbits();
        let rows = orbits.ranges().map(|(orbit, range)| {
            let mut row = OrbitState::default();
            for slot in range {
                let (_, piece, known) = self.pieces[usize::from(contents.piece[slot])];
                row.pieces.push(piece);
                row.orientation.push(contents.twist[slot]);
                row.modulus.push(if known == orbit.orientations() { 0 } else { known });
            }
            row
        });
        PuzzleState::new(orbits, rows.collect())
            .unwrap_or_else(|error| unreachable!("pieces of the solved state: {error}"))
    }
}
