//! Merges the states of a definition that differ only in what its goals ignore.

use super::labels::PuzzleLabels;
use crate::definition::{Definition, IgnoredSlots, Orbit, OrbitState, PuzzleState, Rules};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A definition whose states are classes of states. States of one class have the same plans.
///
/// Pieces become alike if no goal asks for one of them in particular. A piece loses its orientation
/// if no goal asks for it. So every plan takes all states of a class to goals, or none of them.
#[derive(Clone, Debug)]
pub struct GoalQuotient {
    definition: Definition,
    /// For each slot: the first slot of its component.
    component: Vec<usize>,
    /// For each piece: the number that it has in a class, and the modulus of its orientation.
    pieces: HashMap<Place, (u16, u8)>,
}

/// A piece, given by the first slot of its component and its number.
type Place = (usize, u16);

/// What the goals and rules ask of a piece.
#[derive(Clone, Copy, Default)]
struct Wish {
    /// Whether some goal asks for this piece in a slot, or a rule ties it to others.
    piece: bool,
    /// Whether some goal asks for its orientation.
    turn: bool,
}

/// A key that is equal for pieces that become alike.
#[derive(PartialEq, Eq, Hash)]
enum Likeness {
    /// A piece that some goal asks for: its orbit, its number, and the modulus of its orientation.
    Own(usize, u16, u8),
    /// Any other piece: its component, the modulus of its orientation, and the slots where it may
    /// not lie.
    Free(usize, u8, Vec<usize>),
}

impl GoalQuotient {
    /// The classes of the states of a puzzle. `None` if its goals ignore nothing.
    pub fn new(labels: &PuzzleLabels) -> Option<Self> {
        let definition = labels.definition();
        let ignore = definition.rules().ignore.as_ref()?;
        let component = labels.effects.components();
        let steps = labels.effects.turn_steps(&component);
        let pieces = classes(definition, ignore, &component, &steps);
        let rules = rules(definition, &component, &pieces);
        let mut quotient = Self { definition: definition.clone(), component, pieces };
        let mut goals: Vec<PuzzleState> = Vec::new();
        for goal in definition.goals().iter().map(|goal| quotient.class(goal)) {
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        quotient.definition = definition.with_states(goals, rules);
        Some(quotient)
    }

    /// A definition whose states are the classes. It has the same moves, rules and ignored slots.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The class of a state.
    ///
    /// # Panics
    /// If a piece lies where no moves bring it from a goal.
    pub fn class(&self, state: &PuzzleState) -> PuzzleState {
        self.find_class(state).expect("moves lead from a goal to the state")
    }

    /// The class of a state. `None` if a piece lies where no moves bring it from a goal.
    pub fn find_class(&self, state: &PuzzleState) -> Option<PuzzleState> {
        let (pieces, turns) = state.rows();
        let row = |(orbit, range): (&Orbit, Range<usize>)| {
            let mut row = OrbitState::default();
            for slot in range {
                let (piece, modulus) = *self.pieces.get(&(self.component[slot], pieces[slot]))?;
                row.pieces.push(piece);
                row.orientation.push(turns[slot] % turns_of(orbit.orientations(), modulus));
                row.modulus.push(modulus);
            }
            Some(row)
        };
        let rows = state.orbits().ranges().map(row).collect::<Option<_>>()?;
        Some(PuzzleState::new(state.orbits(), rows).expect("equal pieces have equal moduli"))
    }

    /// Whether [`GoalQuotient::definition`] lists every class that is a goal. It does not if an
    /// ignored slot leaves open which of several pieces lies there, or how the piece is turned.
    pub fn has_whole_goals(&self) -> bool {
        let Some(ignore) = &self.definition.rules().ignore else { return true };
        self.definition.goals().iter().all(|goal| {
            let mut open: HashMap<usize, u16> = HashMap::new();
            let orbits = goal.orbits().ranges().enumerate();
            orbits
                .flat_map(|(number, (orbit, range))| {
                    range.clone().map(move |slot| (number, orbit, slot - range.start, slot))
                })
                .all(|(number, orbit, place, slot)| {
                    let piece = goal.pieces(number)[place];
                    let turns = turns_of(orbit.orientations(), goal.modulus(number)[place]);
                    (turns == 1 || !ignore.orientation[slot])
                        && (!ignore.pieces[slot]
                            || *open.entry(self.component[slot]).or_insert(piece) == piece)
                })
        })
    }
}

/// The number of orientations that a modulus distinguishes.
fn turns_of(orientations: u8, modulus: u8) -> u8 {
    if modulus == 0 { orientations } else { modulus }
}

/// For each piece: what goals and blocks ask of it.
fn wishes(
    definition: &Definition,
    ignore: &IgnoredSlots,
    component: &[usize],
) -> HashMap<Place, Wish> {
    let slots = 0..component.len();
    // Components with a slot where goals ignore the piece, but not its orientation.
    let turned = slots.clone().filter(|&slot| ignore.pieces[slot] && !ignore.orientation[slot]);
    let turned: HashSet<usize> = turned.map(|slot| component[slot]).collect();
    let mut wishes: HashMap<Place, Wish> = HashMap::new();
    for goal in definition.goals() {
        for slot in slots.clone() {
            let wish = wishes.entry((component[slot], goal.rows().0[slot])).or_default();
            wish.piece |= !ignore.pieces[slot];
            wish.turn |= match ignore.pieces[slot] {
                true => turned.contains(&component[slot]),
                false => !ignore.orientation[slot],
            };
        }
    }
    // A piece of a block gets the same wish in all components where it may lie.
    let tied = definition.rules().blocks.iter().flat_map(|block| &block.pieces);
    for &(orbit, piece) in tied {
        let range = definition.orbits().range(orbit);
        let places = || range.clone().map(|slot| (component[slot], piece));
        let turn = places().any(|place| wishes.get(&place).is_some_and(|wish| wish.turn));
        for place in places() {
            wishes.insert(place, Wish { piece: true, turn });
        }
    }
    wishes
}

/// For each piece: the number that it has in a class, and the modulus of its orientation.
///
/// `steps` comes from [`turn_steps`](super::compiled::Effects::turn_steps). If the modulus of a
/// piece divides its step, no operator changes the known orientation. All such pieces of a
/// component get the step as modulus, so that they can be alike.
fn classes(
    definition: &Definition,
    ignore: &IgnoredSlots,
    component: &[usize],
    steps: &[u8],
) -> HashMap<Place, (u16, u8)> {
    let wishes = wishes(definition, ignore, component);
    let (mut numbers, mut classes) = (HashMap::new(), HashMap::new());
    for goal in definition.goals() {
        for (number, (orbit, range)) in definition.orbits().ranges().enumerate() {
            for (place, slot) in range.clone().enumerate() {
                let piece = goal.pieces(number)[place];
                let wish = wishes[&(component[slot], piece)];
                let turns = turns_of(orbit.orientations(), goal.modulus(number)[place]);
                let modulus = match wish.turn {
                    true if steps[slot].is_multiple_of(turns) => steps[slot],
                    true => turns,
                    false => 1,
                };
                let modulus = if modulus == orbit.orientations() { 0 } else { modulus };
                let illegal = |&other: &usize| {
                    component[other] == component[slot]
                        && definition
                            .rules()
                            .illegal_in(number, other - range.start)
                            .contains(&piece)
                };
                let likeness = match wish.piece {
                    true => Likeness::Own(number, piece, modulus),
                    false => {
                        let illegal = range.clone().filter(illegal).collect();
                        Likeness::Free(component[slot], modulus, illegal)
                    }
                };
                let next = u16::try_from(numbers.len()).expect("pieces have 16-bit numbers");
                let class = *numbers.entry(likeness).or_insert(next);
                classes.insert((component[slot], piece), (class, modulus));
            }
        }
    }
    classes
}

/// The rules of a definition, with pieces replaced by their numbers in a class.
fn rules(
    definition: &Definition,
    component: &[usize],
    pieces: &HashMap<Place, (u16, u8)>,
) -> Rules {
    let mut rules = definition.rules().clone();
    for rule in &mut rules.illegal {
        let slot = definition.orbits().range(rule.orbit).start + rule.slot;
        let classes = rule.pieces.iter().filter_map(|&piece| pieces.get(&(component[slot], piece)));
        // The set sorts the classes and removes repetitions.
        let classes: BTreeSet<u16> = classes.map(|&(class, _)| class).collect();
        rule.pieces = classes.into_iter().collect();
    }
    let start = definition.start().rows().0;
    rules.blocks = std::mem::take(&mut rules.blocks)
        .into_iter()
        .map(|mut block| {
            for (orbit, piece) in &mut block.pieces {
                let slots = definition.orbits().range(*orbit);
                let homes = slots.filter(|&slot| start[slot] == *piece);
                if let Some(home) = homes.into_iter().next() {
                    *piece = pieces[&(component[home], *piece)].0;
                }
            }
            block
        })
        .collect();
    rules
}
