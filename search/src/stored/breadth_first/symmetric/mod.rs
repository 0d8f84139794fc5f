//! Breadth-first search by classes: of states that symmetries take to each other, one is stored.
//!
//! A symmetry takes goals to goals and the successors of a state to those of its image, so all states of a class are equally far from the goals, and the classes next to
//! a class are those of the successors of any one of its states. Stored is the state with the least key; a class has as many states as there are symmetries, divided by those that
//! take the state to itself.
//!
//! Memory: that of [`Layers`], divided by nearly the number of symmetries. Time: as many conjugations for a successor as there are symmetries, but so many times fewer successors.
//! The method is that of Tomas Rokicki, Herbert Kociemba, Morley Davidson and John Dethridge ("The diameter of the Rubik's Cube group is twenty", SIAM Journal on
//! Discrete Mathematics 27(2), 2013), there for cosets of the cube; inversion, which would halve the classes of a group once more, is not used: an operator acts on a state from the right, but
//! on its inverse from the left, so that twice as many successors would be made.

use super::{Layers, Stopped};
use crate::control::Options;
use crate::domain::{Cost, Domain, Op, Packed, Reversible, Symmetric};
use rayon::prelude::*;

/// A layer of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetricLayer {
    /// Operators from the nearest goal.
    pub depth: usize,
    /// How many classes are stored.
    pub classes: u64,
    /// How many states they have.
    pub states: u128,
}

/// A breadth-first search by classes in progress.
#[derive(Debug)]
pub struct SymmetricLayers<'a, D: Symmetric + Reversible + Packed> {
    classes: &'a SymmetryClasses<'a, D>,
    search: Layers<'a, SymmetryClasses<'a, D>>,
    /// The complete layers.
    found: Vec<SymmetricLayer>,
}

impl<'a, D: Symmetric + Reversible + Packed> SymmetricLayers<'a, D> {
    /// Before layer 0, which is `goals`: all of them, or a set that the symmetries take to itself. Layers are counted by number of operators.
    ///
    /// Of the options, `limits.nodes` (successors of the states that are stored), `limits.time`, `limits.bytes`, `cancel` and `observer` are looked at.
    ///
    /// # Panics
    /// If there is no goal.
    pub fn new(
        classes: &'a SymmetryClasses<'a, D>,
        goals: &[D::State],
        options: &'a Options<'a>,
    ) -> Self {
        Self { classes, search: Layers::last_two(classes, goals, options), found: Vec::new() }
    }

    /// Goes on after the layers that a search of the same puzzle told, from the keys of the last two in their order ([`SymmetricLayers::for_each_key`]); everything that
    /// follows is as it would have been there. `blank` is any state.
    ///
    /// # Errors
    /// The keys do not fit the memory.
    ///
    /// # Panics
    /// If no layer is told, or a layer has not as many different keys as was told.
    pub fn resumed(
        classes: &'a SymmetryClasses<'a, D>,
        blank: &D::State,
        found: Vec<SymmetricLayer>,
        keys: &mut dyn Iterator<Item = D::Key>,
        options: &'a Options<'a>,
    ) -> Result<Self, Stopped> {
        let sizes = found.iter().map(|layer| layer.classes).collect();
        let search = Layers::resumed(classes, blank, sizes, keys, options)?;
        Ok(Self { classes, search, found })
    }

    /// Completes the next layer, the first time the one of the goals; nothing if there are no more states.
    ///
    /// # Errors
    /// If a limit is reached first, or the caller cancels; layers that were told are complete.
    pub fn advance(&mut self) -> Result<Option<SymmetricLayer>, Stopped> {
        let depth = self.found.len();
        let classes = match self.search.sizes().get(depth) {
            Some(&size) => size,
            // Not even the goals may fit.
            None => self.search.advance()?,
        };
        if classes == 0 {
            return Ok(None);
        }
        let layer =
            SymmetricLayer { depth, classes, states: states(self.classes, &self.search, depth) };
        self.found.push(layer);
        Ok(Some(layer))
    }

    /// The layers so far.
    pub fn layers(&self) -> &[SymmetricLayer] {
        &self.found
    }

    /// Visits the keys of the last two layers, or of the only one, in an order that is the same on every machine.
    pub fn for_each_key(&self, mut visit: impl FnMut(D::Key)) {
        let depth = self.found.len();
        (depth.saturating_sub(2)..depth).for_each(|layer| {
            for shard in &self.search.shards {
                let stored = shard.begins[layer]..shard.begins[layer + 1];
                stored.for_each(|index| visit(shard.store.key(index)));
            }
        });
    }

    /// Up to so many states of the last layer, class by class.
    pub fn farthest(&self, most: usize) -> Vec<D::State> {
        let mut last = Vec::new();
        if let (Some(depth), 1..) = (self.found.len().checked_sub(1), most) {
            self.search.for_each(depth, |state| {
                if last.len() < most {
                    last.extend(images(self.classes.0, state));
                }
            });
        }
        last.truncate(most);
        last
    }
}

/// The states of a class.
fn images<D: Symmetric>(domain: &D, state: &D::State) -> Vec<D::State> {
    let mut all = vec![state.clone()];
    let mut image = state.clone();
    for symmetry in 1..domain.symmetries() {
        domain.conjugate(symmetry, state, &mut image);
        if !all.contains(&image) {
            all.push(image.clone());
        }
    }
    all
}

/// How many states the classes of a layer have.
fn states<D: Symmetric + Packed>(
    classes: &SymmetryClasses<'_, D>,
    layers: &Layers<'_, SymmetryClasses<'_, D>>,
    layer: usize,
) -> u128 {
    let of_shard = |shard: &super::Shard<D::Key>| {
        let mut state = layers.blank.clone();
        let stored = shard.begins[layer]..shard.begins[layer + 1];
        let sizes = stored.map(|index| {
            classes.0.unpack(shard.store.key(index), &mut state);
            classes.size(&state) as u128
        });
        sizes.sum::<u128>()
    };
    layers.shards.par_iter().map(of_shard).sum()
}

/// A domain whose states are packed by class: all of a class have one key, of which a state with the least key is unpacked.
#[derive(Debug)]
pub struct SymmetryClasses<'a, D>(pub &'a D);

impl<D: Symmetric + Packed> SymmetryClasses<'_, D> {
    /// How many states the class of a state has.
    fn size(&self, state: &D::State) -> usize {
        let mut image = state.clone();
        let mut fixes = |&symmetry: &usize| {
            self.0.conjugate(symmetry, state, &mut image);
            image == *state
        };
        let all = self.0.symmetries();
        all / (0..all).filter(&mut fixes).count()
    }
}

impl<D: Symmetric + Packed> Domain for SymmetryClasses<'_, D> {
    type State = D::State;
    type Ops = D::Ops;

    fn operators(&self) -> usize {
        self.0.operators()
    }

    fn applicable(&self, state: &D::State) -> D::Ops {
        self.0.applicable(state)
    }

    fn apply_into(&self, from: &D::State, op: Op, to: &mut D::State) {
        self.0.apply_into(from, op, to);
    }

    fn is_goal(&self, state: &D::State) -> bool {
        self.0.is_goal(state)
    }

    fn cost(&self, op: Op) -> Cost {
        self.0.cost(op)
    }
}

impl<D: Symmetric + Reversible + Packed> Reversible for SymmetryClasses<'_, D> {
    fn inverse_op(&self, op: Op) -> Op {
        self.0.inverse_op(op)
    }
}

impl<D: Symmetric + Packed> Packed for SymmetryClasses<'_, D> {
    type Key = D::Key;

    fn pack(&self, state: &D::State) -> D::Key {
        let mut image = state.clone();
        let images = (1..self.0.symmetries()).map(|symmetry| {
            self.0.conjugate(symmetry, state, &mut image);
            self.0.pack(&image)
        });
        images.fold(self.0.pack(state), D::Key::min)
    }

    fn unpack(&self, key: D::Key, out: &mut D::State) {
        self.0.unpack(key, out);
    }
}

#[cfg(test)]
mod tests;
