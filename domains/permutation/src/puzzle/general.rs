//! Any definition as a domain, with pieces that look alike, illegal states, blocks, ignored slots
//! and several goals.

use super::NotSearchable;
use super::compiled::Compiled;
use super::slots::LabelState;
use crate::definition::{Definition, IgnoredSlots, Operators, PuzzleState};
use search::{Cost, Domain, Op, OpSet, Packed};
use std::collections::HashMap;

/// A puzzle from any definition. States have `N` slots; operators keep their order.
///
/// Slow twin: [`Definition::after`] on [`PuzzleState`]s.
#[derive(Clone, Debug)]
pub struct GeneralPuzzle<const N: usize, O> {
    pub(super) definition: Definition,
    pub(super) operators: Operators,
    pub(super) compiled: Compiled<N>,
    all: O,
    /// The label of a piece, by orbit and number.
    labels: HashMap<(usize, u16), u8>,
    /// By label: orbit, piece, and the modulus of what is known of its twist.
    pub(super) pieces: Vec<(usize, u16, u8)>,
    /// Whether some twist is not fully known.
    partial: bool,
    pub(super) goals: Vec<LabelState<N>>,
    pub(super) ignore: Option<IgnoredSlots>,
    /// A slot, and the labels that may not lie there.
    pub(super) illegal: Vec<(usize, Vec<u8>)>,
    /// By block: the labels of its pieces.
    pub(super) blocks: Vec<Vec<u8>>,
    /// By operator: the slots that its move changes.
    pub(super) moved: Vec<Vec<bool>>,
}

impl<const N: usize, O: OpSet> GeneralPuzzle<N, O> {
    /// The puzzle of a definition with these operators. Rules about moves are no part of it: see
    /// [`search::Constrained`] and [`Definition::operator_rules`].
    ///
    /// # Errors
    /// If it is too large.
    pub fn new(definition: Definition, operators: Operators) -> Result<Self, NotSearchable> {
        let compiled = Compiled::new(&definition, &operators, O::CAPACITY)?;
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
        let mut puzzle = Self {
            partial: pieces.iter().any(|&(orbit, _, known)| {
                orbits.get(orbit).is_some_and(|orbit| orbit.orientations() != known)
            }),
            illegal: illegal.collect(),
            blocks: blocks.collect(),
            moved: moved.collect(),
            ignore: rules.ignore.clone(),
            goals: Vec::new(),
            all: O::first(operators.list.len()),
            labels,
            pieces,
            compiled,
            definition,
            operators,
        };
        puzzle.goals = puzzle.definition.goals().iter().map(|goal| puzzle.state(goal)).collect();
        Ok(puzzle)
    }

    /// The definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The operators.
    pub fn list(&self) -> &Operators {
        &self.operators
    }

    /// A state of the definition as a state of the domain.
    ///
    /// # Panics
    /// If it has pieces that the solved state has not.
    pub fn state(&self, pattern: &PuzzleState) -> LabelState<N> {
        let mut state = LabelState::EMPTY;
        for (orbit, (_, range)) in self.definition.orbits().ranges().enumerate() {
            let pieces = pattern.pieces(orbit).iter().zip(pattern.orientation(orbit));
            for (slot, (&piece, &twist)) in range.zip(pieces) {
                state.piece[slot] = self.labels[&(orbit, piece)];
                state.twist[slot] = twist;
            }
        }
        state
    }

    /// A state of the domain as a state of the definition.
    pub fn pattern(&self, state: &LabelState<N>) -> PuzzleState {
        let orbits = self.definition.orbits();
        let rows = orbits.ranges().map(|(orbit, range)| {
            let row = range.map(|slot| {
                let (_, piece, known) = self.pieces[usize::from(state.piece[slot])];
                let modulus = if known == orbit.orientations() { 0 } else { known };
                (piece, (state.twist[slot], modulus))
            });
            let (pieces, turns): (Vec<u16>, Vec<(u8, u8)>) = row.unzip();
            let (orientation, modulus) = turns.into_iter().unzip();
            crate::definition::OrbitState { pieces, orientation, modulus }
        });
        PuzzleState::new(orbits, rows.collect())
            .unwrap_or_else(|error| unreachable!("pieces of the solved state: {error}"))
    }

    /// Whether an operator may be made: blocks stay together, and the state after it is legal.
    fn allows(&self, state: &LabelState<N>, op: usize) -> bool {
        let step = self.compiled.step(op);
        let legal = self
            .illegal
            .iter()
            .all(|(slot, labels)| !labels.contains(&state.piece[usize::from(step.piece[*slot])]));
        legal
            && self.blocks.iter().all(|block| {
                let mut moved = block.iter().map(|label| {
                    let slot = state.piece[..self.compiled.slots].iter().position(|p| p == label);
                    slot.is_some_and(|slot| self.moved[op][slot])
                });
                let first = moved.next();
                moved.all(|moved| Some(moved) == first)
            })
    }
}

impl<const N: usize, O: OpSet> Domain for GeneralPuzzle<N, O> {
    type State = LabelState<N>;
    type Ops = O;

    fn operators(&self) -> usize {
        self.operators.list.len()
    }
    #[inline]
    fn applicable(&self, state: &LabelState<N>) -> O {
        if self.illegal.is_empty() && self.blocks.is_empty() {
            return self.all;
        }
        let allowed = self.all.members().filter(|op| self.allows(state, op.index()));
        allowed.fold(O::NONE, O::with)
    }
    #[inline]
    fn apply_into(&self, from: &LabelState<N>, op: Op, to: &mut LabelState<N>) {
        *to = LabelState::EMPTY;
        self.compiled.then(from, self.compiled.step(op.index()), to);
        if self.partial {
            for i in 0..self.compiled.slots {
                to.twist[i] %= self.pieces[usize::from(to.piece[i])].2;
            }
        }
    }
    #[inline]
    fn is_goal(&self, state: &LabelState<N>) -> bool {
        let Some(ignore) = &self.ignore else { return self.goals.contains(state) };
        self.goals.iter().any(|goal| {
            (0..self.compiled.slots).all(|slot| {
                (ignore.pieces[slot] || state.piece[slot] == goal.piece[slot])
                    && (ignore.orientation[slot] || state.twist[slot] == goal.twist[slot])
            })
        })
    }
    fn cost(&self, op: Op) -> Cost {
        self.compiled.costs[op.index()]
    }
}

impl<const N: usize, O: OpSet> Packed for GeneralPuzzle<N, O> {
    type Key = LabelState<N>;
    fn pack(&self, state: &LabelState<N>) -> LabelState<N> {
        *state
    }
    fn unpack(&self, key: LabelState<N>, out: &mut LabelState<N>) {
        *out = key;
    }
}
