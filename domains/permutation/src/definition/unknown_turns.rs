//! Removes orientations that no goal asks for.
//!
//! The centres of a cube turn in place. A file may count their turns, and say that they do not
//! matter in the solved state. Then many states of the puzzle are solved by the same plans.

use super::{Definition, Orbit, OrbitState, Orbits, PuzzleState, Transformation};
use std::collections::HashMap;

/// A definition, and the same puzzle with fewer orientations.
///
/// In some orbits, every goal knows orientations only modulo a number, the same for all pieces. The
/// *coarse* definition has only that many orientations there. The *fine* definition has all.
#[derive(Clone, Debug)]
pub struct FineDefinition {
    fine: Definition,
    coarse: Definition,
    /// For each orbit: the modulus of each piece number, as in [`OrbitState::modulus`].
    moduli: Vec<HashMap<u16, u8>>,
}

impl FineDefinition {
    /// Builds the coarse definition of `fine`. `None` if no orbit can lose orientations, or if a
    /// move had another order without them.
    ///
    /// A `Block` ties pieces together. For it, a piece that turns in place has moved. So an orbit
    /// that has a tied piece keeps its orientations.
    pub fn new(fine: &Definition) -> Option<Self> {
        let modulus = |orbit: usize, all: u8| {
            let first = *fine.start().modulus(orbit).first()?;
            let same = |goal: &PuzzleState| goal.modulus(orbit).iter().all(|&one| one == first);
            (first != 0 && first < all && fine.goals().iter().all(same)).then_some(first)
        };
        let tied = |orbit: usize| {
            fine.rules().blocks.iter().any(|block| block.pieces.iter().any(|one| one.0 == orbit))
        };
        let list = fine.orbits().iter().enumerate();
        let known: Vec<Option<u8>> = list
            .map(|(at, orbit)| modulus(at, orbit.orientations()).filter(|_| !tied(at)))
            .collect();
        if known.iter().all(Option::is_none) {
            return None;
        }
        let orbits = fine.orbits().iter().zip(&known).map(|(orbit, known)| {
            let turns = known.unwrap_or(orbit.orientations());
            Orbit::new(orbit.name(), orbit.pieces(), turns.into()).ok()
        });
        let orbits = Orbits::new(orbits.collect::<Option<_>>()?).ok()?;
        let moduli = (0..orbits.len()).map(|orbit| {
            let pieces = fine.start().pieces(orbit).iter().copied();
            pieces.zip(fine.start().modulus(orbit).iter().copied()).collect()
        });
        let moduli = moduli.collect();
        let coarse = coarse_definition(fine, &orbits)?;
        Some(Self { fine: fine.clone(), coarse, moduli })
    }

    /// The fine definition.
    pub fn definition(&self) -> &Definition {
        &self.fine
    }

    /// The coarse definition.
    pub fn coarse_definition(&self) -> &Definition {
        &self.coarse
    }

    /// Converts a state of the fine definition to the coarse one.
    ///
    /// # Panics
    /// If it is no state of the fine definition.
    pub fn coarse(&self, state: &PuzzleState) -> PuzzleState {
        coarse_state(state, self.coarse.orbits()).expect("a state of the definition")
    }

    /// Converts a state of the coarse definition to the fine one. [`FineDefinition::coarse`]
    /// converts it back.
    ///
    /// # Panics
    /// If it is no state of the coarse definition.
    pub fn fine(&self, state: &PuzzleState) -> PuzzleState {
        let row = |(orbit, moduli): (usize, &HashMap<u16, u8>)| OrbitState {
            pieces: state.pieces(orbit).to_vec(),
            orientation: state.orientation(orbit).to_vec(),
            modulus: state.pieces(orbit).iter().map(|piece| moduli[piece]).collect(),
        };
        let rows = self.moduli.iter().enumerate().map(row).collect();
        PuzzleState::new(self.fine.orbits(), rows).expect("a state of the coarse definition")
    }
}

fn coarse_state(state: &PuzzleState, orbits: &Orbits) -> Option<PuzzleState> {
    let row = |(number, orbit): (usize, &Orbit)| {
        let turns = orbit.orientations();
        let is_coarse = state.orbits().get(number)?.orientations() != turns;
        let orientation = state.orientation(number).iter();
        Some(OrbitState {
            pieces: state.pieces(number).to_vec(),
            orientation: orientation.map(|&it| if is_coarse { it % turns } else { it }).collect(),
            modulus: state
                .modulus(number)
                .iter()
                .map(|&it| if is_coarse { 0 } else { it })
                .collect(),
        })
    };
    PuzzleState::new(orbits, orbits.iter().enumerate().map(row).collect::<Option<_>>()?).ok()
}

fn coarse_move(of: &Transformation, orbits: &Orbits) -> Option<Transformation> {
    let row = |(number, orbit): (usize, &Orbit)| {
        let delta = of.delta(number).iter().map(|&turn| turn % orbit.orientations()).collect();
        Some((of.permutation(number).to_vec(), delta))
    };
    let made = Transformation::new(orbits, orbits.iter().enumerate().map(row).collect()).ok()?;
    (made.order() == of.order()).then_some(made)
}

fn coarse_definition(fine: &Definition, orbits: &Orbits) -> Option<Definition> {
    let goals: Option<Vec<_>> =
        fine.goals().iter().map(|goal| coarse_state(goal, orbits)).collect();
    let mut coarse = fine.with_states(goals?, fine.rules.clone());
    coarse.orbits = orbits.clone();
    for one in &mut coarse.moves.base {
        one.transformation = coarse_move(&one.transformation, orbits)?;
    }
    for one in &mut coarse.moves.derived {
        one.transformation = coarse_move(&one.transformation, orbits)?;
    }
    Some(coarse)
}
