//! Breadth-first search by symmetry classes. A class consists of all states that symmetries map to
//! each other. The search stores one state of each class.
//!
//! A symmetry maps goals to goals, and the successors of a state to those of its image. So all
//! states of a class are equally far from the goals. The neighbours of a class are the classes of
//! the successors of any of its states. The search stores the state with the least key. A class has
//! as many states as there are symmetries, divided by the number of symmetries that fix the state.
//!
//! Memory: that of [`Layers`], divided by nearly the number of symmetries. Time: one conjugation
//! for each symmetry and successor, but there are fewer successors by nearly the same factor.
//!
//! Source: Tomas Rokicki, Herbert Kociemba, Morley Davidson and John Dethridge, "The diameter of
//! the Rubik's Cube group is twenty", SIAM Journal on Discrete Mathematics 27(2), 2013. They use
//! classes of cosets.
//!
//! Inversion would merge classes of a group in pairs, but it does not pay. An operator acts on a
//! state from the right, and on its inverse from the left. So each class would have twice as many
//! successors.

#[cfg(test)]
mod tests;

use super::LayersError;
use super::layers::Layers;
use super::round::{LOOK, a_share};
use crate::control::Options;
use crate::domain::{Domain, Packed, Reversible, Symmetric};
use crate::threads::{Task, run_all};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The size of a layer, in classes and in states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetricLayer {
    /// The distance to the nearest goal, in operators.
    pub depth: usize,
    /// The number of stored classes.
    pub classes: u64,
    /// The number of states in these classes.
    pub states: u128,
}

/// A breadth-first search by symmetry classes, in progress.
#[derive(Debug)]
pub struct SymmetricLayers<'a, D: Symmetric + Reversible + Packed> {
    classes: &'a SymmetryClasses<'a, D>,
    search: Layers<'a, SymmetryClasses<'a, D>>,
    /// The complete layers.
    found: Vec<SymmetricLayer>,
}

impl<'a, D: Symmetric + Reversible + Packed> SymmetricLayers<'a, D> {
    /// A search that will begin with layer 0, the goals.
    ///
    /// `goals` are all goals, or another set that the symmetries map to itself. The options are
    /// those of [`Layers::new`]. The limit of nodes counts successors of stored states.
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

    /// Continues an earlier search of the same puzzle, which had completed the layers `found`.
    ///
    /// `keys` are those of its last two layers, in the order of [`SymmetricLayers::for_each_key`].
    /// `blank` is any state. All further layers are the same as if the earlier search had gone on.
    ///
    /// # Errors
    /// If the keys do not fit the memory, or a layer has another number of different keys than its
    /// size.
    ///
    /// # Panics
    /// If there is no layer, or a key is not of a state.
    pub fn resumed(
        classes: &'a SymmetryClasses<'a, D>,
        blank: &D::State,
        found: Vec<SymmetricLayer>,
        keys: &mut dyn Iterator<Item = D::Key>,
        options: &'a Options<'a>,
    ) -> Result<Self, LayersError> {
        let sizes = found.iter().map(|layer| layer.classes).collect();
        let search = Layers::resumed(classes, blank, sizes, keys, options)?;
        Ok(Self { classes, search, found })
    }

    /// Completes the next layer; `None` if there are no more states. The first layer is that of the
    /// goals.
    ///
    /// # Errors
    /// If the search reaches a limit first, or the caller cancels. The layers before are complete.
    pub fn advance(&mut self) -> Result<Option<SymmetricLayer>, LayersError> {
        let depth = self.found.len();
        let classes = match self.search.sizes().get(depth) {
            Some(&size) => size,
            // Even the goals may not fit in the memory.
            None => self.search.advance()?,
        };
        if classes == 0 {
            return Ok(None);
        }
        let layer =
            SymmetricLayer { depth, classes, states: states(self.classes, &self.search, depth)? };
        self.found.push(layer);
        Ok(Some(layer))
    }

    /// The complete layers.
    pub fn layers(&self) -> &[SymmetricLayer] {
        &self.found
    }

    /// Visits the keys of the last two layers, or of the only one. The order is the same on every
    /// machine.
    pub fn for_each_key(&self, mut visit: impl FnMut(D::Key)) {
        let depth = self.found.len();
        (depth.saturating_sub(2)..depth).for_each(|layer| {
            for shard in &self.search.shards {
                let stored = shard.begins[layer]..shard.begins[layer + 1];
                stored.for_each(|index| visit(*shard.store.key(index)));
            }
        });
    }

    /// At most `most` states of the last complete layer, class by class.
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

/// All states of the class of `state`.
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

/// The number of states in all classes of a layer. Fails if the time is over or the caller cancels.
fn states<D: Symmetric + Packed>(
    classes: &SymmetryClasses<'_, D>,
    layers: &Layers<'_, SymmetryClasses<'_, D>>,
    layer: usize,
) -> Result<u128, LayersError> {
    let ended = &AtomicBool::new(false);
    let shares = layers.shards.chunks(a_share(layers.shards.len()));
    let mut sums = vec![0; shares.len()];
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (shards, sum) in shares.zip(&mut sums) {
        tasks.push(Box::new(move || {
            let (mut state, mut looked) = (layers.blank.clone(), 0_usize);
            for shard in shards {
                for index in shard.begins[layer]..shard.begins[layer + 1] {
                    looked += 1;
                    if looked % LOOK == 0 && layers.stop().is_some() {
                        ended.store(true, Relaxed);
                    }
                    if ended.load(Relaxed) {
                        return;
                    }
                    classes.0.unpack(*shard.store.key(index), &mut state);
                    *sum += classes.size(&state) as u128;
                }
            }
        }));
    }
    run_all(tasks);
    match layers.stop() {
        Some(stop) if ended.load(Relaxed) => Err(stop),
        _ => Ok(sums.iter().sum()),
    }
}

/// A domain in which all states of a symmetry class have one key: the least of their keys.
#[derive(Debug)]
pub struct SymmetryClasses<'a, D>(pub &'a D);

impl<D: Symmetric + Packed> SymmetryClasses<'_, D> {
    /// The number of states in the class of a state.
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

    crate::forward_domain! { 0: operators applicable apply_into is_goal cost }
}

impl<D: Symmetric + Reversible + Packed> Reversible for SymmetryClasses<'_, D> {
    crate::forward_domain! { 0: inverse_op }
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

    crate::forward_domain! { 0: unpack is_key }
}
