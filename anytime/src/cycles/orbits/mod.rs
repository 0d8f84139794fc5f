//! Plans for puzzles with very many pieces, orbit after orbit: [`orbit_plan`].

mod hard;
mod seeds;
#[cfg(test)]
mod tests;

use super::defects::{Defects, apply};
use super::places::Places;
use super::table::{Cycle, CycleTable, CycleWord};
use crate::{Generators, Pieces};
use hard::Hard;
use rayon::prelude::*;
use search::Op;
use seeds::seeds;
use std::collections::VecDeque;

/// The most words for a cycle.
const MOST: usize = 8;

/// The operators at the end of a word that are looked at for what the next may save.
const SEAM: usize = 24;

/// A plan for a puzzle of so many pieces that a chain of words takes minutes: thousands of pieces
/// in orbits of at most 50 points, most of which have cheap cycles of three places.
///
/// It brings the pieces of other orbits home with a small chain of words, then makes the parities
/// of the orbits even. A cycle of three places moves nothing else. So it mends the orbits one by
/// one, each with its cycles of least cost, and joins their words in the order that saves most. The
/// plan is several times as long as the best.
///
/// `images` are the points where the pieces lie. `bytes` limits the chain of words. The same plan
/// for any number of threads. `None` if words for the orbits without cycles do not fit, cycles of
/// three leave a piece turned, the state has no plan, or `stop` is true.
///
/// Time: for each three operators, an intersection of the places that they move; then, for each
/// orbit, a step for each of its cycles and each operator.
pub fn orbit_plan(
    generators: &Generators,
    pieces: &Pieces,
    images: &[u16],
    bytes: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Op>> {
    let places = Places::new(generators, pieces)?;
    let seeds = seeds(generators, &places, stop)?;
    let hard = Hard::new((generators, pieces, &places), &seeds, bytes, stop)?;
    let mut plan = hard.word(images, stop)?;
    let ends = generators.after(images, &plan);
    let orbits = (0..places.orbits.len()).into_par_iter().filter(|&orbit| !hard.has(orbit));
    let queues: Option<Vec<Queue>> = orbits
        .map(|orbit| mend((generators, &places), orbit, &seeds[orbit], &ends, stop))
        .collect();
    join(generators, &mut plan, queues?, stop)?;
    generators.simplify(&mut plan);
    let is_home = |(&point, place): (&u16, _)| places.is_home(place, point);
    let ends = generators.after(images, &plan);
    let classes = places.list.iter().map(|place| place.class);
    ends.iter().zip(classes).all(is_home).then_some(plan)
}

/// Words that do the same, cheapest first.
type Choice = Vec<CycleWord>;

/// What is to be done one after the other.
type Queue = VecDeque<Choice>;

/// The cycles that bring the pieces of an orbit home, each with its words. The next cycle is the
/// one of least cost, where the cycles that are still needed after it count, too.
fn mend(
    (generators, places): (&Generators, &Places),
    number: usize,
    known: &[(Cycle, Vec<Op>)],
    images: &[u16],
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Queue> {
    let orbit = &places.orbits[number];
    let (mut queue, mut images) = (Queue::new(), images.to_vec());
    if Defects::new(places, orbit, &images).count() == 0 {
        return Some(queue);
    }
    let table = CycleTable::of_orbit((generators, places), number, known, MOST, stop)?;
    let ahead = table.least[number]?;
    loop {
        let mut defects = Defects::new(places, orbit, &images);
        if defects.count() == 0 {
            return Some(queue);
        }
        let useful = defects.useful(stop).into_iter().filter_map(|(cycle, after)| {
            let words = table.words(places, &cycle);
            Some((words.first()?.cost + after * ahead, cycle, words))
        });
        let best = useful.min_by_key(|&(rank, ..)| rank);
        if stop() {
            return None;
        }
        let (_, cycle, words) = best?;
        queue.push_back(words.to_vec());
        for &piece in &orbit.places {
            images[piece] = apply(places, &cycle, images[piece]);
        }
    }
}

/// Appends a word for each choice. Those of several queues may be done in any order: the next is
/// the one that costs least beside its cheapest word, with what is saved at the seam.
fn join(
    generators: &Generators,
    plan: &mut Vec<Op>,
    mut queues: Vec<Queue>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<()> {
    loop {
        let seam = &plan[plan.len().saturating_sub(SEAM)..];
        let before = generators.cost_of(seam);
        let more = |word: &CycleWord, least: u32| {
            let mut longer = seam.to_vec();
            word.word.iter().for_each(|&op| generators.append(&mut longer, op));
            i64::from(generators.cost_of(&longer)) - i64::from(before + least)
        };
        let next = queues.par_iter().enumerate().filter_map(|(number, queue)| {
            let words = queue.front()?;
            let rank = |word: &CycleWord| more(word, words[0].cost);
            words.iter().enumerate().map(|(at, word)| (rank(word), number, at)).min()
        });
        let Some((_, number, at)) = next.min() else { return Some(()) };
        if stop() {
            return None;
        }
        let words = queues[number].pop_front()?;
        words[at].word.iter().for_each(|&op| generators.append(plan, op));
    }
}
