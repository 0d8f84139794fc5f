//! Effects on pieces in slots: [`Slots`].

use crate::puzzle::{Failure, Result};
use crate::puzzles::encodings::Effect;
use groups::Permutation;

/// The orbits of slots, as effects are multiplied.
pub(super) struct Slots {
    orbits: Vec<(usize, usize)>,
    /// For each slot: the first one of its orbit, and in how many ways a piece lies in it.
    homes: Vec<(usize, usize)>,
}

impl Slots {
    pub(super) fn new(orbits: Vec<(usize, usize)>) -> Self {
        let mut homes = Vec::new();
        for &(slots, turns) in &orbits {
            homes.extend(vec![(homes.len(), turns); slots]);
        }
        Self { orbits, homes }
    }

    pub(super) fn identity(&self) -> Effect {
        self.homes.iter().enumerate().map(|(slot, (first, _))| (slot - first, 0)).collect()
    }

    /// An effect, and then another.
    pub(super) fn product(&self, first: &Effect, then: &Effect) -> Effect {
        let slot = |(&(from, turn), &(home, turns)): (&(usize, usize), &(usize, usize))| {
            let (piece, before) = first[home + from];
            (piece, (before + turn) % turns)
        };
        then.iter().zip(&self.homes).map(slot).collect()
    }

    pub(super) fn inverse(&self, effect: &Effect) -> Effect {
        let mut inverse = self.identity();
        for (slot, &(from, turn)) in effect.iter().enumerate() {
            let (home, turns) = self.homes[slot];
            inverse[home + from] = (slot - home, (turns - turn) % turns);
        }
        inverse
    }

    /// Whether an effect is a cycle of three pieces.
    pub(super) fn is_cycle(&self, effect: &Effect) -> bool {
        let moved = self.moved_slots(effect);
        moved.len() == 3 && moved.iter().all(|&slot| self.homes[slot].0 + effect[slot].0 != slot)
    }

    /// The slots whose pieces are not at home.
    pub(super) fn moved_slots(&self, effect: &Effect) -> Vec<usize> {
        let is_home =
            |&slot: &usize| self.homes[slot].0 + effect[slot].0 == slot && effect[slot].1 == 0;
        (0..effect.len()).filter(|slot| !is_home(slot)).collect()
    }

    /// All cycles of three pieces of one orbit that move the pieces of `least` of these slots or
    /// more, whether operators make them or not. Ends early if `stop` is true.
    pub(super) fn cycles<'s>(
        &'s self,
        slots: &'s [usize],
        least: usize,
        stop: &'s dyn Fn() -> bool,
    ) -> impl Iterator<Item = Effect> + 's {
        let mut first = 0;
        let orbits = self.orbits.iter().map(move |&(count, turns)| {
            first += count;
            (first - count, count, turns)
        });
        orbits.flat_map(move |(first, count, turns)| {
            let is_moved = move |slot: usize| usize::from(slots.contains(&(first + slot)));
            // The first slot of a cycle is the least.
            let firsts = (0..count).take_while(move |_| !stop());
            let places = firsts.flat_map(move |a| {
                let second = (a + 1..count).flat_map(move |b| (a + 1..count).map(move |c| (b, c)));
                second.filter(|(b, c)| b != c).map(move |(b, c)| (a, b, c))
            });
            let near =
                places.filter(move |&(a, b, c)| is_moved(a) + is_moved(b) + is_moved(c) >= least);
            near.flat_map(move |(a, b, c)| {
                (0..turns.pow(3)).map(move |way| {
                    let mut cycle = self.identity();
                    cycle[first + a] = (b, way % turns);
                    cycle[first + b] = (c, way / turns % turns);
                    cycle[first + c] = (a, way / turns / turns);
                    cycle
                })
            })
        })
    }

    /// An effect as a permutation of points: one for each way in which a piece lies in a slot.
    pub(super) fn on_points(&self, effect: &Effect) -> Result<Permutation> {
        let mut starts = vec![0];
        starts.extend(self.homes.iter().scan(0, |next, &(_, turns)| {
            *next += turns;
            Some(*next)
        }));
        let mut images = vec![0; starts[self.homes.len()]];
        for (slot, &(from, turn)) in effect.iter().enumerate() {
            let (home, turns) = self.homes[slot];
            for way in 0..turns {
                images[starts[home + from] + way] = starts[slot] + (way + turn) % turns;
            }
        }
        let images = images.into_iter().map(|image| u16::try_from(image).unwrap_or(u16::MAX));
        Permutation::new(images.collect()).map_err(Failure::refused)
    }
}
