//! Compares layers of pancakes with a simple search and with published diameters. Tests limits and
//! determinism.

use super::*;
use crate::control::{Limits, Options};
use crate::domain::{Op, Packed};
use crate::testing::Pancake;
use crate::{CancelToken, Contexts, Domain};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The oracle: the sizes of all layers, by a search with one set of seen states.
fn slow_counts(domain: &Pancake, start: u64) -> Vec<u64> {
    let mut seen = HashSet::from([start]);
    let mut layer = vec![start];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        let mut next = Vec::new();
        for state in layer {
            for op in 0..domain.operators() {
                let mut to = 0;
                domain.apply_into(&state, Op::new(op), &mut to);
                if seen.insert(to) {
                    next.push(to);
                }
            }
        }
        layer = next;
    }
    counts
}

#[test]
fn layers_are_those_of_a_slow_search() {
    let domain = Pancake::new(8);
    let start = domain.representative(0);
    let slow = slow_counts(&domain, start);
    assert_eq!(slow[..3], [1, 7, 42]);
    assert_eq!(slow.iter().sum::<u64>(), 40_320);
    let options = Options::default();
    assert_eq!(layer_counts(&domain, &start, 100, &options).unwrap(), slow);
    assert_eq!(layer_counts_reversible(&domain, &start, 100, &options).unwrap(), slow);
    assert_eq!(layer_counts(&domain, &start, 3, &options).unwrap(), slow[..4]);
}

/// Diameters of the pancake graphs: OEIS A058986 (Bill Gates and Christos Papadimitriou 1979 and
/// others).
#[test]
fn diameters_are_the_published_ones() {
    for (size, diameter) in [1, 3, 4, 5, 7, 8, 9, 10].into_iter().enumerate() {
        let domain = Pancake::new(size + 2);
        let start = domain.representative(0);
        let counts = layer_counts_reversible(&domain, &start, 100, &Options::default()).unwrap();
        assert_eq!(counts.len() - 1, diameter);
    }
}

#[test]
fn states_know_their_layers_and_the_order_does_not_depend_on_threads() {
    let domain = Pancake::new(8);
    let visit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let options = Options::default();
            let mut layers = Layers::new(&domain, &[domain.representative(0)], &options);
            while layers.advance().unwrap() > 0 {}
            let mut order = Vec::new();
            for layer in 0..layers.sizes().len() {
                layers.for_each(layer, |&state| {
                    assert_eq!(layers.layer_of(&state), Some(layer));
                    order.push(state);
                });
            }
            (order, layers.generated())
        })
    };
    let (order, generated) = visit(1);
    assert_eq!((order.len(), generated), (40_320, 7 * 40_320));
    assert_eq!(visit(2).0, order);
}

#[test]
fn two_layers_take_less_memory_and_answer_the_same() {
    let domain = Pancake::new(9);
    let starts = [domain.representative(0)];
    let options = Options::default();
    let mut all = Layers::new(&domain, &starts, &options);
    let mut two = Layers::last_two(&domain, &starts, &options);
    loop {
        let size = all.advance().unwrap();
        assert_eq!(two.advance().unwrap(), size);
        if size == 0 {
            break;
        }
    }
    assert_eq!(two.advance(), Ok(0));
    let last = all.sizes().len() - 1;
    let states = |layers: &Layers<Pancake>| {
        let mut states = Vec::new();
        layers.for_each(last, |&state| states.push(state));
        states
    };
    assert_eq!(states(&all), states(&two));
}

#[test]
fn limits_stop_inside_a_layer_and_say_which() {
    let domain = Pancake::new(9);
    let start = domain.representative(0);
    let limited = |limits: Limits, cancel: bool| {
        let token = CancelToken::new();
        if cancel {
            token.cancel();
        }
        let options = Options { limits, cancel: token, ..Options::default() };
        layer_counts(&domain, &start, 100, &options)
    };
    let bytes = Limits { bytes: Some(1 << 20), ..Limits::default() };
    assert_eq!(limited(bytes, false), Err(LayersError::Memory { layer: 6, limit: 1 << 20 }));
    let nodes = Limits { nodes: Some(100), ..Limits::default() };
    assert_eq!(limited(nodes, false), Err(LayersError::Nodes { layer: 3 }));
    let time = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(limited(time, false), Err(LayersError::Time { layer: 1 }));
    assert_eq!(limited(Limits::default(), true), Err(LayersError::Cancelled { layer: 1 }));
    let starved = Limits { bytes: Some(8), ..Limits::default() };
    assert_eq!(limited(starved, false), Err(LayersError::Memory { layer: 0, limit: 8 }));
}

/// Cancels at one application of an operator, and counts the applications after it.
struct CancelAt<'a> {
    pancake: Pancake,
    at: usize,
    applied: AtomicUsize,
    cancel: &'a CancelToken,
}

impl Domain for CancelAt<'_> {
    type State = u64;
    type Ops = <Pancake as Domain>::Ops;
    crate::forward_domain! { pancake: operators applicable is_goal }
    fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
        if self.applied.fetch_add(1, Relaxed) == self.at {
            self.cancel.cancel();
        }
        self.pancake.apply_into(from, op, to);
    }
}

impl Packed for CancelAt<'_> {
    type Key = <Pancake as Packed>::Key;
    crate::forward_domain! { pancake: pack unpack }
}

/// A round has a million successors here. A cancelled round ends within some thousand of them.
#[test]
fn a_cancelled_round_ends_before_it_is_complete() {
    let cancel = CancelToken::new();
    let options = Options { cancel: cancel.clone(), ..Options::default() };
    let (pancake, at, applied) = (Pancake::new(10), 1_000_000, AtomicUsize::new(0));
    let start = pancake.state(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let whole = layer_counts(&pancake, &start, 20, &Options::default()).expect("no limits");
    let domain = CancelAt { pancake, at, applied, cancel: &cancel };
    let mut layers = Layers::new(&domain, &[start], &options);
    let stopped = loop {
        match layers.advance() {
            Ok(_) => {}
            Err(stopped) => break stopped,
        }
    };
    let layer = layers.sizes().len();
    assert_eq!(stopped, LayersError::Cancelled { layer });
    assert!(layer > 4 && whole.starts_with(layers.sizes()), "{:?}", layers.sizes());
    // Each thread checks after every 256 states of nine operators.
    let after = domain.applied.into_inner() - at;
    assert!(after < 2304 * (crate::threads::count() + 1), "{after}");
}
