//! Definitions as the lines of a plain puzzle.

use crate::puzzles::permutation::model::PuzzleModel;
use groups::Permutation;
use permutation::{HomePoint, PuzzlePoints, PuzzleState};
use proofs::plain::{PlainBlock, PlainMove, PlainPuzzle};
use search::Cost;
use std::collections::HashMap;

/// The lines of a definition.
///
/// # Errors
/// Why the definition has no such form.
pub(crate) fn of_model(model: &PuzzleModel) -> Result<PlainPuzzle, String> {
    let names: Vec<String> = model.operators().list.iter().map(|op| op.name.clone()).collect();
    PlainPlaces::new(model)?.puzzle(&names)
}

/// The stickers of a state, as the lines of its definition number them.
///
/// # Errors
/// As [`of_model`], and if no move brings a piece to where it lies.
pub(crate) fn of_state(model: &PuzzleModel, state: &PuzzleState) -> Result<Vec<u16>, String> {
    let stickers = PlainPlaces::new(model)?.state(state);
    stickers.ok_or_else(|| "a piece lies where no move brings it".to_owned())
}

/// The slots that moves change as places: one block for each set of slots that exchange pieces.
///
/// A slot whose pieces no move turns is a place with one point.
struct PlainPlaces {
    points: PuzzlePoints,
    homes: Vec<HomePoint>,
    generators: Vec<(Permutation, Cost)>,
    blocks: Vec<PlainBlock>,
    /// For each slot that moves change: the first point of its place, and the number of them.
    places: Vec<Option<(u16, u16)>>,
}

impl PlainPlaces {
    /// The places of a definition.
    ///
    /// # Errors
    /// Why the definition has no such form.
    fn new(model: &PuzzleModel) -> Result<Self, String> {
        let (definition, rules) = (model.definition(), model.definition().rules());
        if definition.goals().len() > 1 {
            return Err("it has several goals".to_owned());
        }
        if !model.rules.is_empty() || rules.restrict_states() {
            return Err(format!("it has rules about {} or states", model.moves_text()));
        }
        let points = PuzzlePoints::new(&model.labels);
        let points = points.ok_or(
            "it has too many pieces, or the goal ignores some of the pieces that look alike",
        )?;
        let homes = points.homes();
        let generators = points.generators().map_err(|error| error.to_string())?;
        let mut made = Self { points, homes, generators, blocks: Vec::new(), places: Vec::new() };
        made.set_places()?;
        Ok(made)
    }

    /// Finds the slots that exchange pieces.
    fn set_places(&mut self) -> Result<(), String> {
        let image = |generator: &Permutation, slot: usize| {
            self.slot_of(generator.image(self.homes[slot].point))
        };
        let slots = self.homes.len();
        let mut exchanges = Vec::new();
        // Whether some move turns the piece of the slot.
        let mut is_turned = vec![false; slots];
        for (generator, _) in &self.generators {
            let images = (0..slots).map(|slot| image(generator, slot));
            let (to, turns): (Vec<usize>, Vec<u16>) = images.unzip();
            (is_turned.iter_mut().zip(turns)).for_each(|(turned, turn)| *turned |= turn > 0);
            let to = to.iter().filter_map(|&slot| u16::try_from(slot).ok()).collect();
            exchanges.push(Permutation::new(to).map_err(|error| error.to_string())?);
        }
        let twists = self.points.twists();
        let (mut places, mut blocks, mut first) = (vec![None; slots], Vec::new(), 0);
        let mut orbits = groups::orbits(slots, &exchanges);
        orbits.iter_mut().for_each(|orbit| orbit.sort_unstable());
        orbits.sort_unstable();
        for orbit in &orbits {
            let turned = orbit.iter().any(|&slot| is_turned[usize::from(slot)]);
            if orbit.len() == 1 && !turned {
                continue;
            }
            let rotations = if turned { twists[usize::from(orbit[0])] } else { 1 };
            for &slot in orbit {
                places[usize::from(slot)] = Some((first, rotations));
                first += rotations;
            }
            blocks.push(PlainBlock { pieces: orbit.len(), rotations: rotations.into() });
        }
        (self.places, self.blocks) = (places, blocks);
        Ok(())
    }

    /// The slot of a point, and by how much a piece is turned whose first point is there.
    fn slot_of(&self, point: u16) -> (usize, u16) {
        let slot = self.homes.partition_point(|home| home.point <= point) - 1;
        (slot, point - self.homes[slot].point)
    }

    /// The lines of the puzzle.
    ///
    /// # Errors
    /// If the names of the moves have blanks, or the goal ignores the orientation of only some of
    /// the pieces that look alike.
    fn puzzle(&self, names: &[String]) -> Result<PlainPuzzle, String> {
        let one = |((generator, cost), name): (&(Permutation, Cost), &String)| PlainMove {
            name: name.clone(),
            cost: (*cost).into(),
            effect: self.stickers(|slot| self.slot_of(generator.image(self.homes[slot].point))),
        };
        let moves = self.generators.iter().zip(names).map(one).collect();
        let puzzle = PlainPuzzle::of_blocks(self.blocks.clone(), moves, self.labels()?);
        puzzle.map_err(|error| error.to_string())
    }

    /// The label of each point.
    fn labels(&self) -> Result<Vec<u16>, String> {
        let mut classes: HashMap<u16, (u16, u16)> = HashMap::new();
        let (mut labels, mut next) = (vec![0; self.count()], 0);
        for (home, place) in self.homes.iter().zip(&self.places) {
            let &Some((first, rotations)) = place else { continue };
            let step = if home.step == 0 { rotations } else { home.step.min(rotations) };
            let &mut (label, known) = classes.entry(home.class).or_insert_with(|| {
                next += step;
                (next - step, step)
            });
            if known != step {
                return Err(
                    "the goal ignores how some of the pieces that look alike are turned".to_owned()
                );
            }
            for i in 0..rotations {
                labels[usize::from(first + i)] = label + i % step;
            }
        }
        Ok(labels)
    }

    /// The stickers of a state. `None` if a piece is where no move brings it.
    fn state(&self, state: &PuzzleState) -> Option<Vec<u16>> {
        let images = self.points.images(state)?;
        let at: Vec<(usize, u16)> = images.iter().map(|&point| self.slot_of(point)).collect();
        for (home, (&(slot, turn), place)) in self.homes.iter().zip(at.iter().zip(&self.places)) {
            let is_turned = place.is_some_and(|(_, rotations)| rotations > 1);
            let is_home = turn == 0 || home.step > 0 && turn.is_multiple_of(home.step);
            if !is_turned && !is_home || place.is_none() != self.places[slot].is_none() {
                return None;
            }
        }
        let to = |slot: usize| at[slot];
        Some(self.stickers(to))
    }

    /// The stickers, if the piece of each slot in the goal lies in this slot, turned by so much.
    fn stickers(&self, to: impl Fn(usize) -> (usize, u16)) -> Vec<u16> {
        let mut stickers = vec![0; self.count()];
        for (slot, place) in self.places.iter().enumerate() {
            let (at, turn) = to(slot);
            let (&Some((home, rotations)), Some((first, _))) = (place, self.places[at]) else {
                continue;
            };
            for i in 0..rotations {
                stickers[usize::from(first + (i + turn) % rotations)] = home + i;
            }
        }
        stickers
    }

    /// The number of points of all places.
    fn count(&self) -> usize {
        self.blocks.iter().map(|block| block.pieces * block.rotations).sum()
    }
}
