//! Labels for the pieces of a definition: pieces that look alike share a label.

use super::PuzzleSize;
use super::compiled::Effects;
use super::slots::{SlotContents, any_slot, slot_number};
use crate::definition::{Definition, IgnoredSlots, Operators, OrbitState, PuzzleState};
use std::collections::HashMap;

/// A definition whose pieces are replaced by labels, for puzzles of any size. Pieces that look
/// alike share a label.
///
/// For searches use [`GeneralPuzzle`](super::GeneralPuzzle), whose states have a fixed size, or
/// [`LargePuzzle`](super::LargePuzzle).
#[derive(Clone, Debug)]
pub struct PuzzleLabels {
    definition: Definition,
    operators: Operators,
    pub(super) effects: Effects,
    /// For each orbit and piece number: the label.
    labels: HashMap<(usize, u16), u16>,
    /// For each label: orbit, piece number, and the modulus of its orientation (see
    /// [`OrbitState`](crate::OrbitState)).
    pub(super) pieces: Vec<(usize, u16, u8)>,
    /// Whether the orientation of some piece is not fully known.
    pub(super) partial: bool,
    pub(super) goals: Vec<SlotContents>,
    pub(super) ignore: Option<IgnoredSlots>,
    /// For each rule: a slot, and the labels that may not lie there.
    pub(super) illegal: Vec<(usize, Vec<u16>)>,
    /// For each block: the labels of its pieces.
    pub(super) blocks: Vec<Vec<u16>>,
    /// Indexed by operator, then slot: whether the operator's move changes the slot.
    pub(super) moved: Vec<Vec<bool>>,
}

impl PuzzleLabels {
    /// The labels of a definition with these operators.
    pub fn new(definition: Definition, operators: Operators) -> Self {
        let effects = Effects::new(&definition, &operators);
        let (orbits, rules) = (definition.orbits().clone(), definition.rules());
        let (mut labels, mut pieces) = (HashMap::new(), Vec::new());
        // The definition of a `GoalQuotient` may have goals with other pieces than the first.
        let states = definition
            .goals()
            .iter()
            .flat_map(|goal| orbits.iter().enumerate().map(move |orbit| (goal, orbit)));
        for (goal, (number, orbit)) in states {
            for (&piece, &modulus) in goal.pieces(number).iter().zip(goal.modulus(number)) {
                labels.entry((number, piece)).or_insert_with(|| {
                    let next = any_slot(pieces.len());
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
        made
    }

    /// The definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The operators.
    pub fn list(&self) -> &Operators {
        &self.operators
    }

    /// The number of slots, of operators and of twists.
    pub fn size(&self) -> PuzzleSize {
        self.effects.size()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.effects.slots()
    }

    /// Converts a state of the definition to labels and twists.
    ///
    /// # Panics
    /// If it has pieces that no goal has.
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

    /// For each slot: the labels and twists that may lie there. `rows` has the pieces and
    /// orientations that may, by orbit and slot. Pieces that no goal has are left out.
    ///
    /// # Panics
    /// If the puzzle has labels with numbers above 255.
    pub fn options(&self, rows: &[Vec<Vec<(u16, u8)>>]) -> Vec<Vec<(u8, u8)>> {
        let of = |(orbit, slot): (usize, &Vec<(u16, u8)>)| {
            let label = |&(piece, twist): &(u16, u8)| {
                let label = *self.labels.get(&(orbit, piece))?;
                Some((slot_number(label.into()), twist))
            };
            slot.iter().filter_map(label).collect()
        };
        let slots = rows.iter().enumerate();
        slots
            .flat_map(|(orbit, slots)| slots.iter().map(move |slot| (orbit, slot)))
            .map(of)
            .collect()
    }

    /// For each label: the number of its kind. Which operators apply in a state depends only on the
    /// kinds of the pieces in its slots.
    pub(super) fn kinds(&self) -> Vec<u16> {
        let mut kinds = Vec::new();
        let kind = |label: usize| {
            let label = any_slot(label);
            let illegal = self.illegal.iter().filter(|(_, labels)| labels.contains(&label));
            let illegal: Vec<usize> = illegal.map(|&(slot, _)| slot).collect();
            let blocks = self.blocks.iter().enumerate();
            let blocks = blocks.filter(|(_, labels)| labels.contains(&label));
            (illegal, blocks.map(|(block, _)| block).collect::<Vec<_>>())
        };
        let number = |label: usize| {
            let own = kind(label);
            let known = kinds.iter().position(|kind| *kind == own);
            any_slot(known.unwrap_or_else(|| {
                kinds.push(own);
                kinds.len() - 1
            }))
        };
        (0..self.pieces.len()).map(number).collect()
    }

    /// Whether the rules allow an operator in a state: it tears no block apart, and the state after
    /// it is legal. `label` gives the label in a slot, `slot` the first slot of a label.
    #[inline]
    pub(super) fn allows(
        &self,
        op: usize,
        label: impl Fn(usize) -> u16,
        slot: impl Fn(u16) -> Option<usize>,
    ) -> bool {
        let (step, moved) = (&self.effects.steps[op], &self.moved[op]);
        let legal = self
            .illegal
            .iter()
            .all(|(slot, forbidden)| !forbidden.contains(&label(step.piece[*slot].into())));
        legal
            && self.blocks.iter().all(|block| {
                let mut moved = block.iter().map(|&piece| slot(piece).is_some_and(|at| moved[at]));
                let first = moved.next();
                moved.all(|moved| Some(moved) == first)
            })
    }

    /// Converts labels and twists to a state of the definition.
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
