//! Cycles of three places of each orbit, as commutators: [`seeds`].

use super::super::places::Places;
use super::super::table::{Cycle, cycle_of, only_common, size};
use crate::Generators;
use rayon::prelude::*;
use search::Op;

/// The most commutators of an orbit that begin with the same operator, and of an orbit.
const MOST_ALIKE: usize = 4;
const MOST: usize = 32;

/// For each orbit: cycles of three of its places, with their words, cheapest first.
pub(super) type Seeds = Vec<Vec<(Cycle, Vec<Op>)>>;

/// An operator, as places see it.
struct Moves {
    /// Where it brings each place from.
    from: Vec<usize>,
    /// The places that it moves.
    places: Vec<usize>,
    /// The same, as bits.
    bits: Vec<u64>,
}

/// Commutators of an operator with operators and their conjugates by operators, where both move
/// one place in common. `None` if `stop` is true.
pub(super) fn seeds(
    generators: &Generators,
    places: &Places,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Seeds> {
    let element = |op: Op| &generators.elements()[op.index()];
    let ops: Vec<Op> = (0..generators.len()).map(Op::new).collect();
    let moves: Vec<Moves> = ops
        .iter()
        .map(|&op| {
            let back = element(generators.inverse(op));
            let from = places.list.iter().map(|place| places.number_at(back.image(place.first)));
            let bits = places.moved(|point| element(op).image(point));
            let is_moved = |place: &usize| bits[place / 64] >> (place % 64) & 1 == 1;
            let moved = (0..places.list.len()).filter(is_moved).collect();
            Moves { from: from.collect(), places: moved, bits }
        })
        .collect();
    let firsts = std::iter::once(None).chain(ops.iter().copied().map(Some));
    let firsts: Vec<Option<Op>> = firsts.collect();
    let found: Vec<Option<Seeds>> = firsts
        .into_par_iter()
        .map(|first| seeds_of((generators, places), first, &moves, stop))
        .collect();
    let mut all: Seeds = vec![Vec::new(); places.orbits.len()];
    for seeds in found {
        all.iter_mut().zip(seeds?).for_each(|(all, seeds)| all.extend(seeds));
    }
    for seeds in &mut all {
        seeds.sort_by_cached_key(|(_, word)| (generators.cost_of(word), word.clone()));
        seeds.truncate(MOST);
    }
    Some(all)
}

/// The commutators with conjugates by an operator, or with operators.
fn seeds_of(
    (generators, places): (&Generators, &Places),
    first: Option<Op>,
    moves: &[Moves],
    stop: &dyn Fn() -> bool,
) -> Option<Seeds> {
    let mut seeds: Seeds = vec![Vec::new(); places.orbits.len()];
    let has_list: Vec<bool> = places.orbits.iter().map(|orbit| size(orbit).is_some()).collect();
    for second in (0..generators.len()).map(Op::new) {
        if stop() {
            return None;
        }
        let mut bits = moves[second.index()].bits.clone();
        if let Some(first) = first {
            if generators.commute(first, second) {
                continue;
            }
            bits.fill(0);
            for &place in &moves[second.index()].places {
                let from = moves[first.index()].from[place];
                bits[from / 64] |= 1 << (from % 64);
            }
        }
        for other in (0..generators.len()).map(Op::new) {
            let Some(common) = only_common(&bits, &moves[other.index()].bits) else { continue };
            let orbit = places.list[common].orbit;
            if !has_list[orbit] || seeds[orbit].len() >= MOST_ALIKE {
                continue;
            }
            let mut word = vec![second];
            if let Some(first) = first {
                word = vec![first, second, generators.inverse(first)];
            }
            seeds[orbit].extend(commutator((generators, places), common, &word, other));
        }
    }
    Some(seeds)
}

/// The commutator of a word and an operator that move one place in common, if it is a cycle of
/// three places.
fn commutator(
    (generators, places): (&Generators, &Places),
    common: usize,
    word: &[Op],
    other: Op,
) -> Option<(Cycle, Vec<Op>)> {
    let (undo, back) = (generators.inverse_of(word), generators.inverse(other));
    let mut all = [word, &[other], &undo, &[back]].concat();
    // It moves the common place, and those to which and from which that is brought.
    let words = [word, &undo, &[other], &[back]];
    let first = places.list[common].first;
    let near = words.into_iter().map(|word| places.number_at(generators.image(word, first)));
    let mut among: Vec<usize> = near.chain([common]).collect();
    among.sort_unstable();
    among.dedup();
    let cycle = cycle_of(places, among, &|point| generators.image(&all, point))?;
    generators.simplify(&mut all);
    Some((cycle, all))
}
