//! Words for cycles of three places: [`CycleTable`].

use super::places::{Orbit, Places};
use crate::Generators;
use crate::words::short_words;
use groups::Permutation;
use search::Op;

/// The most words for a cycle.
const MOST: usize = 10;

/// The least number of words for a cycle that is of use.
const FEWEST: usize = 4;

/// The most words whose commutators are tried.
const COMMUTED: usize = 60_000;

/// A word may cost this much more than the cheapest of its orbit, in tenths of that, if its cycle
/// has a cheaper one.
const SLACK: u32 = 10;

/// The largest index of the cycles of an orbit.
const LARGEST: usize = 1 << 17;

/// The most words of all cycles.
const MOST_WORDS: u64 = 400_000;

/// Bytes of a word with its place in a queue.
const WORD_BYTES: u64 = 150;

/// A cycle of three places of an orbit: the first point of each goes to a point of the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cycle {
    /// The numbers of the places.
    pub(super) places: [usize; 3],
    /// The image of the first point of each place.
    pub(super) images: [u16; 3],
}

impl Cycle {
    /// The cycle that takes `map(x)` to `map(y)` where this one takes `x` to `y`.
    pub(super) fn mapped(&self, places: &Places, map: impl Fn(u16) -> u16) -> Self {
        let (mut to, mut images) = ([0; 3], [0; 3]);
        for i in 0..3 {
            let from = map(places.list[self.places[i]].first);
            let place = places.at(from);
            to[i] = places.number_at(from);
            images[i] = places.turn(map(self.images[i]), place.turns - (from - place.first));
        }
        Self { places: to, images }
    }

    fn inverse(&self, places: &Places) -> Self {
        let [a, b, c] = self.places;
        let back = |from: usize, image: u16| {
            let to = places.at(image);
            places.turn(places.list[from].first, to.turns - (image - to.first))
        };
        let images = [back(c, self.images[2]), back(b, self.images[1]), back(a, self.images[0])];
        Self { places: [a, c, b], images }
    }

    /// The same cycle, begun at the place with the least number.
    pub(super) fn first_turn(&self) -> Self {
        let (second, third) = (self.rotated(), self.rotated().rotated());
        [*self, second, third].into_iter().min_by_key(|cycle| cycle.places[0]).unwrap_or(*self)
    }

    /// The same cycle, begun at its second place.
    fn rotated(&self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.places, self.images);
        Self { places: [b, c, a], images: [y, z, x] }
    }
}

/// Words to conjugate, indexed by their cost.
type Queue = Vec<Vec<(Cycle, Box<[Op]>)>>;

/// A word for a cycle.
#[derive(Clone, Debug)]
pub(super) struct CycleWord {
    pub(super) cost: u32,
    pub(super) word: Box<[Op]>,
}

/// For each cycle of three places of an orbit: several short words. They are commutators of short
/// words that move one place in common, words that are known otherwise, and conjugates of both.
#[derive(Clone, Debug)]
pub(super) struct CycleTable {
    /// For each orbit: the number of the list of each cycle, counted from 1. 0: no word is known.
    lists: Vec<Vec<u32>>,
    words: Vec<Vec<CycleWord>>,
    /// The most words for a cycle.
    most: usize,
    /// For each orbit: the cost of the cheapest word. `None`: there are none.
    pub(super) least: Vec<Option<u32>>,
}

impl CycleTable {
    /// The words of all cycles, in about `bytes` bytes at most. `None` if `stop` is true, or there
    /// are too many cycles. `known`: words with their elements, of which some may be cycles.
    pub(super) fn new<'a>(
        generators: &Generators,
        places: &Places,
        known: impl Iterator<Item = (&'a [Op], &'a Permutation)>,
        bytes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut table = Self::empty(places, bytes)?;
        let commuted = bytes / (4 * generators.points() as u64 + WORD_BYTES);
        let commuted = usize::try_from(commuted).map_or(COMMUTED, |most| most.min(COMMUTED));
        let mut queue = table.commutators(generators, places, commuted, stop)?;
        for (word, element) in known {
            if let Some(cycle) = cycle_of(places, 0..places.list.len(), &|p| element.image(p)) {
                table.take(generators, places, cycle, word.to_vec(), &mut queue);
            }
        }
        table.conjugate(generators, places, &mut queue, stop)?;
        Some(table)
    }

    /// A table without words, for words of about `bytes` bytes at most. `None` if there are too
    /// many cycles.
    pub(super) fn empty(places: &Places, bytes: u64) -> Option<Self> {
        let sizes: Vec<usize> = places.orbits.iter().map(|o| size(o).unwrap_or(0)).collect();
        // Each cycle stands three times in the lists.
        let cycles: u64 = sizes.iter().map(|&size| size as u64 / 3).sum();
        let words = MOST_WORDS.min(bytes / WORD_BYTES);
        let most = usize::try_from(words.checked_div(cycles)?).map_or(MOST, |most| most.min(MOST));
        if most < FEWEST {
            return None;
        }
        let lists = sizes.into_iter().map(|size| vec![0; size]).collect();
        let least = vec![None; places.orbits.len()];
        Some(Self { lists, words: Vec::new(), most, least })
    }

    /// The bytes beyond which more give no other words.
    pub(super) fn bytes_of_use(points: usize) -> u64 {
        let commuted = COMMUTED as u64 * (4 * points as u64 + WORD_BYTES);
        commuted.max(MOST_WORDS * WORD_BYTES)
    }

    /// The words of each cycle, cheapest first.
    pub(super) fn lists(&self) -> &[Vec<CycleWord>] {
        &self.words
    }

    /// Takes all words of a cycle, cheapest first. `None` if it has some already, there are more
    /// than fit, or there is no list for it.
    pub(super) fn take_list(
        &mut self,
        places: &Places,
        cycle: &Cycle,
        words: Vec<CycleWord>,
    ) -> Option<()> {
        let (orbit, at) = Self::index(places, cycle);
        let known = *self.lists[orbit].get(at)?;
        let cost = words.first()?.cost;
        if known != 0 || words.len() > self.most {
            return None;
        }
        self.words.push(words);
        self.begin_list(places, cycle);
        let least = &mut self.least[orbit];
        *least = Some(least.map_or(cost, |least| least.min(cost)));
        Some(())
    }

    /// Makes the last list that of a cycle.
    fn begin_list(&mut self, places: &Places, cycle: &Cycle) {
        let mut turned = *cycle;
        for _ in 0..3 {
            let (orbit, at) = Self::index(places, &turned);
            self.lists[orbit][at] = u32::try_from(self.words.len()).unwrap_or(0);
            turned = turned.rotated();
        }
    }

    /// The words of the cycles of one orbit, so many of each at most: those known, and their
    /// conjugates. `None` if `stop` is true, or there are too many cycles.
    pub(super) fn of_orbit(
        (generators, places): (&Generators, &Places),
        orbit: usize,
        known: &[(Cycle, Vec<Op>)],
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut lists = vec![Vec::new(); places.orbits.len()];
        lists[orbit] = vec![0; size(&places.orbits[orbit])?];
        let least = vec![None; places.orbits.len()];
        let mut table = Self { lists, words: Vec::new(), most, least };
        let mut queue = Queue::new();
        for (cycle, word) in known {
            table.take(generators, places, *cycle, word.clone(), &mut queue);
        }
        table.conjugate(generators, places, &mut queue, stop)?;
        Some(table)
    }

    /// The words of a cycle, cheapest first.
    pub(super) fn words(&self, places: &Places, cycle: &Cycle) -> &[CycleWord] {
        let (orbit, at) = Self::index(places, cycle);
        match self.lists[orbit].get(at) {
            None | Some(0) => &[],
            Some(&list) => &self.words[list as usize - 1],
        }
    }

    /// The orbit of a cycle and its index there.
    fn index(places: &Places, cycle: &Cycle) -> (usize, usize) {
        let place = &places.list[cycle.places[0]];
        let (size, turns) = (places.orbits[place.orbit].places.len(), usize::from(place.turns));
        let mut at = 0;
        for place in cycle.places {
            at = at * size + places.list[place].number;
        }
        for image in cycle.images {
            at = at * turns + usize::from(image - places.at(image).first);
        }
        (place.orbit, at)
    }

    /// Takes a word for a cycle, if it is cheap enough. Whether it did.
    fn offer(&mut self, places: &Places, cycle: &Cycle, cost: u32, word: &[Op]) -> bool {
        let (orbit, at) = Self::index(places, cycle);
        if self.lists[orbit].len() <= at {
            return false;
        }
        let least = self.least[orbit].map_or(cost, |least| least.min(cost));
        self.least[orbit] = Some(least);
        if self.lists[orbit][at] == 0 {
            self.words.push(Vec::new());
            self.begin_list(places, cycle);
        }
        let words = &mut self.words[self.lists[orbit][at] as usize - 1];
        let is_dear = cost > least * (10 + SLACK) / 10;
        if is_dear && words.first().is_some_and(|known| known.cost <= cost) {
            return false;
        }
        let to = words.partition_point(|known| known.cost <= cost);
        if to >= self.most || words[..to].iter().any(|known| *known.word == *word) {
            return false;
        }
        words.insert(to, CycleWord { cost, word: word.into() });
        words.truncate(self.most);
        true
    }

    /// The commutators of short words: with an operator, and with words of two operators for the
    /// orbits that have no word by then. Returns what was taken, in order of cost.
    fn commutators(
        &mut self,
        generators: &Generators,
        places: &Places,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Queue> {
        let words = short_words(generators, most, stop);
        let moved = |(_, element): &(_, Permutation)| {
            let image = |point: u16| element.image(point);
            (!stop()).then(|| places.moved(image))
        };
        let moved: Vec<Vec<u64>> = words.iter().map(moved).collect::<Option<_>>()?;
        let mut queue = Queue::new();
        for length in 1..=2 {
            // Orbits without a list take none.
            let lists = self.least.iter().zip(&self.lists);
            let known: Vec<bool> =
                lists.map(|(least, list)| least.is_some() || list.is_empty()).collect();
            if known.iter().all(|&known| known) {
                break;
            }
            let others = words.iter().zip(&moved).filter(|(word, _)| word.0.len() == length);
            for (other, other_moved) in others {
                if stop() {
                    return None;
                }
                for ((word, _), moved) in words.iter().zip(&moved) {
                    let Some(common) = only_common(moved, other_moved) else { continue };
                    if known[places.list[common].orbit] {
                        continue;
                    }
                    let undo = [generators.inverse_of(word), generators.inverse_of(&other.0)];
                    let mut all = [&word[..], &other.0, &undo[0], &undo[1]].concat();
                    generators.simplify(&mut all);
                    let image = |point: u16| generators.image(&all, point);
                    if let Some(cycle) = cycle_of(places, 0..places.list.len(), &image) {
                        self.take(generators, places, cycle, all, &mut queue);
                    }
                }
            }
        }
        Some(queue)
    }

    /// Offers a word and its inverse, and queues what is taken. Returns the cost if something was.
    fn take(
        &mut self,
        generators: &Generators,
        places: &Places,
        cycle: Cycle,
        word: Vec<Op>,
        queue: &mut Queue,
    ) -> Option<usize> {
        let cost = generators.cost_of(&word);
        let undo = generators.inverse_of(&word);
        let at = cost as usize;
        let mut taken = None;
        for (cycle, word) in [(cycle, word), (cycle.inverse(places), undo)] {
            if self.offer(places, &cycle, cost, &word) {
                if queue.len() <= at {
                    queue.resize_with(at + 1, Vec::new);
                }
                queue[at].push((cycle, word.into()));
                taken = Some(at);
            }
        }
        taken
    }

    /// Conjugates all words by operators, cheapest first.
    fn conjugate(
        &mut self,
        generators: &Generators,
        places: &Places,
        queue: &mut Queue,
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        let (mut cost, mut taken) = (0, 0_u64);
        while cost < queue.len() {
            let Some((cycle, word)) = queue[cost].pop() else {
                cost += 1;
                continue;
            };
            taken += 1;
            if taken % 64 == 0 && stop() {
                return None;
            }
            for op in (0..generators.len()).map(Op::new) {
                let element = &generators.elements()[op.index()];
                let moves = |&place: &usize| {
                    let first = places.list[place].first;
                    element.image(first) != first
                };
                // An operator that moves none of the places gives the same cycle.
                if !cycle.places.iter().any(moves) {
                    continue;
                }
                let undo = generators.inverse_of(&[op]);
                let mut longer = [&undo[..], &word, &[op]].concat();
                generators.simplify(&mut longer);
                let other = cycle.mapped(places, |point| element.image(point));
                let taken = self.take(generators, places, other, longer, queue);
                cost = taken.map_or(cost, |taken| taken.min(cost));
            }
        }
        Some(())
    }
}

/// The number of cycles of an orbit, times three. `None` if that is too large.
pub(super) fn size(orbit: &Orbit) -> Option<usize> {
    let size = orbit.places.len().checked_mul(orbit.turns.into())?.checked_pow(3)?;
    (size <= LARGEST).then_some(size)
}

/// The place that is in both sets, if there is just one.
pub(super) fn only_common(first: &[u64], second: &[u64]) -> Option<usize> {
    let mut found = None;
    for (at, (a, b)) in first.iter().zip(second).enumerate() {
        let common = a & b;
        if common != 0 {
            if found.is_some() || !common.is_power_of_two() {
                return None;
            }
            found = Some(64 * at + common.trailing_zeros() as usize);
        }
    }
    found
}

/// An element as a cycle of three places of one orbit, if it is one. `among`: the places that it
/// may move, each once.
pub(super) fn cycle_of(
    places: &Places,
    among: impl IntoIterator<Item = usize>,
    image: &dyn Fn(u16) -> u16,
) -> Option<Cycle> {
    let first = |place: usize| places.list[place].first;
    let mut moved = among.into_iter().filter(|&place| image(first(place)) != first(place));
    let a = moved.next()?;
    let (b, c) = (places.number_at(image(first(a))), moved.count() + 1);
    let next = image(first(b));
    let last = places.number_at(next);
    let end = image(first(last));
    let is_cycle = c == 3 && b != a && last != a && last != b && places.number_at(end) == a;
    is_cycle.then(|| Cycle { places: [a, b, last], images: [image(first(a)), next, end] })
}
