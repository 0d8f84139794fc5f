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
use crate::domain::{Domain, Packed, Reversible, Symmetric};
use crate::ida_star::Options;
use crate::operators::{Cost, Op};
use rayon::prelude::*;

/// A layer of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassLayer {
    /// Operators from the nearest goal.
    pub depth: usize,
    /// How many classes are stored.
    pub classes: u64,
    /// How many states they have.
    pub states: u128,
}

/// Counts the states at each distance 0 to `depth` from the goals, as far as there are any, by number of operators; tells each layer once it is complete. `goals` are all of them, or a
/// set that the symmetries take to itself. Answers up to `farthest` states of the last layer, class by class.
///
/// Of the options, `limits.nodes` (successors of the states that are stored), `limits.time`, `limits.bytes`, `cancel` and `observer` are looked at.
///
/// # Errors
/// If a limit is reached first, or the caller cancels; layers that were told are complete.
///
/// # Panics
/// If there is no goal.
pub fn class_layers<D: Symmetric + Reversible + Packed>(
    domain: &D,
    goals: &[D::State],
    depth: usize,
    farthest: usize,
    options: &Options<'_>,
    tell: &mut dyn FnMut(ClassLayer),
) -> Result<Vec<D::State>, Stopped> {
    let classes = Classes(domain);
    let mut layers = Layers::last_two(&classes, goals, options);
    let mut reached = 0;
    let mut size = match layers.sizes().first() {
        Some(&size) => size,
        // Not even the goals fit.
        None => layers.advance()?,
    };
    while size > 0 {
        let states = states(&classes, &layers, reached);
        tell(ClassLayer { depth: reached, classes: size, states });
        if reached == depth {
            break;
        }
        size = layers.advance()?;
        reached += usize::from(size > 0);
    }
    let mut last = Vec::new();
    if farthest > 0 {
        layers.for_each(reached, |state| {
            if last.len() < farthest {
                last.extend(images(domain, state));
            }
        });
    }
    last.truncate(farthest);
    Ok(last)
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
    classes: &Classes<'_, D>,
    layers: &Layers<'_, Classes<'_, D>>,
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
struct Classes<'a, D>(&'a D);

impl<D: Symmetric + Packed> Classes<'_, D> {
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

impl<D: Symmetric + Packed> Domain for Classes<'_, D> {
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

impl<D: Symmetric + Reversible + Packed> Reversible for Classes<'_, D> {
    fn inverse_op(&self, op: Op) -> Op {
        self.0.inverse_op(op)
    }
}

impl<D: Symmetric + Packed> Packed for Classes<'_, D> {
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
mod tests {
    use super::*;
    use crate::testing::{check_packed, check_reversible, check_symmetric};
    use crate::{CancelToken, Limits, layer_counts};

    const PLACES: usize = 7;

    /// Pieces on a ring of places; an operator swaps two neighbours. Turning the ring and reversing it, pieces and places alike, are the symmetries.
    struct Swaps;

    type Ring = [u8; PLACES];

    const SOLVED: Ring = [0, 1, 2, 3, 4, 5, 6];

    /// Where a symmetry takes a place, and the piece of that number.
    fn image(symmetry: usize, place: usize) -> usize {
        let turned = (place + symmetry) % PLACES;
        if symmetry < PLACES { turned } else { PLACES - 1 - turned }
    }

    impl Domain for Swaps {
        type State = Ring;
        type Ops = u32;
        fn operators(&self) -> usize {
            PLACES
        }
        fn applicable(&self, _: &Ring) -> u32 {
            (1 << PLACES) - 1
        }
        fn apply_into(&self, from: &Ring, op: Op, to: &mut Ring) {
            *to = *from;
            to.swap(op.index(), (op.index() + 1) % PLACES);
        }
        fn is_goal(&self, state: &Ring) -> bool {
            *state == SOLVED
        }
    }

    impl Reversible for Swaps {
        fn inverse_op(&self, op: Op) -> Op {
            op
        }
    }

    impl Symmetric for Swaps {
        fn symmetries(&self) -> usize {
            2 * PLACES
        }
        fn conjugate(&self, symmetry: usize, state: &Ring, out: &mut Ring) {
            for (place, &piece) in state.iter().enumerate() {
                out[image(symmetry, place)] = u8::try_from(image(symmetry, piece.into())).unwrap();
            }
        }
        fn relabel(&self, symmetry: usize, op: Op) -> Op {
            let (a, b) = (op.index(), (op.index() + 1) % PLACES);
            let (a, b) = (image(symmetry, a), image(symmetry, b));
            Op::new(if (a + 1) % PLACES == b { a } else { b })
        }
    }

    impl Packed for Swaps {
        type Key = u64;
        fn pack(&self, state: &Ring) -> u64 {
            state.iter().fold(0, |key, &piece| key << 8 | u64::from(piece))
        }
        fn unpack(&self, key: u64, out: &mut Ring) {
            let bytes = key.to_be_bytes();
            *out = std::array::from_fn(|place| bytes[8 - PLACES + place]);
        }
    }

    #[test]
    fn classes_have_the_states_of_all_layers() {
        let starts = [SOLVED, [3, 1, 0, 6, 2, 5, 4]];
        check_symmetric(&Swaps, &starts).unwrap();
        check_reversible(&Swaps, &starts).unwrap();
        check_packed(&Swaps, &starts).unwrap();
        let options = Options::default();
        let slow = layer_counts(&Swaps, &SOLVED, usize::MAX - 1, &options).unwrap();
        assert_eq!(slow.iter().sum::<u64>(), 5040);
        for depth in [0, 1, 4, 100] {
            let mut told = Vec::new();
            let mut tell = |layer: ClassLayer| told.push(layer);
            let last = class_layers(&Swaps, &[SOLVED], depth, 20, &options, &mut tell).unwrap();
            let counted: Vec<u128> = told.iter().map(|layer| layer.states).collect();
            let expected: Vec<u128> = slow.iter().take(depth + 1).map(|&n| n.into()).collect();
            assert_eq!(counted, expected);
            assert!(told.iter().enumerate().all(|(number, layer)| layer.depth == number));
            let classes: u64 = told.iter().map(|layer| layer.classes).sum();
            let states: u128 = counted.iter().sum();
            // Hardly more than one for each fourteen states: few are symmetric.
            assert!(u128::from(classes) * 14 >= states && u128::from(classes) < states / 14 + 60);
            let farthest = *counted.last().unwrap();
            assert_eq!(last.len() as u128, farthest.min(20));
            let mut different = last.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), last.len());
            let layers = {
                let mut layers = Layers::new(&Swaps, &[SOLVED], &options);
                while layers.advance().unwrap() > 0 {}
                layers
            };
            assert!(last.iter().all(|state| layers.layer_of(state) == Some(told.len() - 1)));
        }
    }

    #[test]
    fn limits_end_it_between_layers() {
        let bytes = Options {
            limits: Limits { bytes: Some(1 << 12), ..Limits::default() },
            ..Options::default()
        };
        let cancel = CancelToken::new();
        cancel.cancel();
        let cancelled = Options { cancel, ..Options::default() };
        for (options, expected) in [
            (bytes, Stopped::Memory { layer: 0, limit: 1 << 12 }),
            (cancelled, Stopped::Cancelled { layer: 1 }),
        ] {
            let mut told = 0;
            let found =
                class_layers(&Swaps, &[SOLVED], 100, 0, &options, &mut |_| told += 1).unwrap_err();
            let layer = match found {
                Stopped::Memory { layer, .. } | Stopped::Cancelled { layer } => layer,
                other => panic!("{other}"),
            };
            assert_eq!(told, layer);
            assert_eq!(std::mem::discriminant(&found), std::mem::discriminant(&expected));
        }
    }
}
