//! Compares layers of classes with layers of states, and resumes searches after every layer.

use super::*;
use crate::stored::layer_counts;
use crate::testing::{check_packed, check_reversible, check_symmetric};
use crate::{CancelToken, Limits, Op};

const PLACES: usize = 7;

/// Pieces on a ring of places; an operator swaps two neighbours. The symmetries rotate and reflect
/// pieces and places together.
struct Swaps;

type Ring = [u8; PLACES];

const SOLVED: Ring = [0, 1, 2, 3, 4, 5, 6];

/// The image of a place under a symmetry. The piece with the same number has the same image.
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
    let (options, classes) = (Options::default(), SymmetryClasses(&Swaps));
    let slow = layer_counts(&Swaps, &SOLVED, usize::MAX - 1, &options).unwrap();
    assert_eq!(slow.iter().sum::<u64>(), 5040);
    for depth in [0, 1, 4, 100] {
        let mut layers = SymmetricLayers::new(&classes, &[SOLVED], &options);
        while layers.layers().len() <= depth && layers.advance().unwrap().is_some() {}
        let (found, last) = (layers.layers(), layers.farthest(20));
        let counted: Vec<u128> = found.iter().map(|layer| layer.states).collect();
        let expected: Vec<u128> = slow.iter().take(depth + 1).map(|&n| n.into()).collect();
        assert_eq!(counted, expected);
        assert!(found.iter().enumerate().all(|(number, layer)| layer.depth == number));
        let classes: u64 = found.iter().map(|layer| layer.classes).sum();
        let states: u128 = counted.iter().sum();
        // There is little more than one class for 14 states, because few states are symmetric.
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
        assert!(last.iter().all(|state| layers.layer_of(state) == Some(found.len() - 1)));
    }
}

#[test]
fn limits_end_it_between_layers() {
    let bytes = Options {
        limits: Limits { bytes: Some(1 << 12), ..Limits::default() },
        ..Options::default()
    };
    let cancelled = Options { cancel: CancelToken::cancelled(), ..Options::default() };
    let classes = SymmetryClasses(&Swaps);
    let run = |options: &Options| {
        let mut layers = SymmetricLayers::new(&classes, &[SOLVED], options);
        loop {
            if let Err(stopped) = layers.advance() {
                return (stopped, layers.layers().len());
            }
        }
    };
    let (stopped, layer) = run(&bytes);
    assert_eq!(stopped, LayersError::Memory { layer, limit: 1 << 12 });
    assert!((2..8).contains(&layer), "{layer}");
    assert_eq!(run(&cancelled), (LayersError::Cancelled { layer: 1 }, 1));
}

/// A search resumed from the keys of two consecutive layers finds the same further layers, in the
/// same order.
#[test]
fn a_search_resumes_from_the_keys_of_two_layers() {
    let (options, classes) = (Options::default(), SymmetryClasses(&Swaps));
    let mut layers = SymmetricLayers::new(&classes, &[SOLVED], &options);
    let mut kept = Vec::new();
    while layers.advance().unwrap().is_some() {
        let mut keys = Vec::new();
        layers.for_each_key(|key| keys.push(key));
        kept.push((layers.layers().to_vec(), keys));
    }
    assert!(kept.len() > 8);
    for (found, keys) in kept {
        let keys = &mut keys.into_iter();
        let resumed = SymmetricLayers::resumed(&classes, &SOLVED, found, keys, &options);
        let mut resumed = resumed.unwrap();
        while resumed.advance().unwrap().is_some() {}
        assert_eq!(resumed.layers(), layers.layers());
        assert_eq!(resumed.farthest(1000), layers.farthest(1000));
    }
}
