//! The orbits that have no cheap cycles, and the parities of the others: [`Hard`].

use super::super::places::{Orbit, Places};
use super::seeds::Seeds;
use crate::{BeamOptions, ChainBeam, Effort, Generators, PieceHome, Pieces, WordChain};
use groups::Permutation;
use rustc_hash::FxHashMap;
use search::random::Random;
use search::{Cost, Op};

/// The beam for the pieces of the orbits without cycles.
const BEAM: BeamOptions = BeamOptions { width: 300, weight: 1 };

/// The random words that are tried for a parity, and the operators of each.
const TRIED: usize = 200;
const OPERATORS: usize = 20;

/// The pieces that cycles of three places do not bring home.
pub(super) struct Hard<'a> {
    generators: &'a Generators,
    places: &'a Places,
    /// Where all pieces are at home.
    homes: Vec<u16>,
    /// For each orbit: whether its pieces belong here.
    orbits: Vec<bool>,
    /// The words for the pieces, by the operators' images of their points. `None`: no pieces.
    chain: Option<WordChain>,
    /// For each operator of the chain: one that does the same to the points, and maybe more.
    ops: Vec<Op>,
    /// For each point: its number in the chain.
    numbers: FxHashMap<u16, u16>,
}

/// Words after which the hard pieces lie as before, with the orbits that they permute oddly.
struct Even {
    odd: Vec<bool>,
    /// Which words, by their numbers. Twice the same is as good as none.
    words: Vec<bool>,
}

impl<'a> Hard<'a> {
    /// The pieces of the orbits that have no seeds. `None` if their words do not fit into `bytes`,
    /// or `stop` is true.
    pub(super) fn new(
        (generators, pieces, places): (&'a Generators, &Pieces, &'a Places),
        seeds: &Seeds,
        bytes: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        // A piece that is never moved is at home.
        let is_hard = |(orbit, seeds): (&Orbit, &Vec<_>)| {
            seeds.is_empty() && (orbit.places.len() > 1 || orbit.turns > 1)
        };
        let orbits: Vec<bool> = places.orbits.iter().zip(seeds).map(is_hard).collect();
        let (mut list, mut turns, mut numbers) = (Vec::new(), Vec::new(), FxHashMap::default());
        for (piece, place) in pieces.list().iter().zip(&places.list) {
            if orbits[place.orbit] {
                let first = u16::try_from(numbers.len()).ok()?;
                list.push(PieceHome { home: first + (piece.home - place.first), ..*piece });
                turns.push(place.turns);
                let points = place.first..place.first + place.turns;
                numbers.extend(points.zip(first..));
            }
        }
        let homes = pieces.list().iter().map(|piece| piece.home).collect();
        let (chain, ops) = (None, Vec::new());
        let mut hard = Self { generators, places, homes, orbits, chain, ops, numbers };
        if !list.is_empty() {
            let places = (list.len() * hard.numbers.len()) as u64;
            let least = WordChain::least_bytes(list.len(), hard.numbers.len(), places);
            if least > bytes {
                return None;
            }
            let pieces = Pieces::new(list, &turns);
            let generators = hard.restricted(stop)?;
            let effort = Effort { bytes, ..Effort::default() };
            let chain = WordChain::new(generators, pieces, effort, stop).ok()?;
            hard.chain = Some(chain).filter(WordChain::is_whole);
            hard.chain.as_ref()?;
        }
        Some(hard)
    }

    /// Whether the pieces of an orbit belong here.
    pub(super) fn has(&self, orbit: usize) -> bool {
        self.orbits[orbit]
    }

    /// The operators as permutations of the hard points. Of several that are the same there, the
    /// cheapest.
    fn restricted(&mut self, stop: &dyn Fn() -> bool) -> Option<Generators> {
        let mut points: Vec<(u16, u16)> = self.numbers.iter().map(|(&p, &n)| (n, p)).collect();
        points.sort_unstable();
        let mut cheapest: FxHashMap<Permutation, usize> = FxHashMap::default();
        let mut operators: Vec<(Permutation, Cost)> = Vec::new();
        for (op, element) in self.generators.elements().iter().enumerate() {
            let cost = self.generators.cost(Op::new(op));
            let images = points.iter().map(|&(_, point)| self.numbers[&element.image(point)]);
            let image = Permutation::new(images.collect()).ok()?;
            if image.is_identity() {
                continue;
            }
            let known = *cheapest.entry(image.clone()).or_insert(operators.len());
            if known == operators.len() {
                operators.push((image, cost));
                self.ops.push(Op::new(op));
            } else if cost < operators[known].1 {
                (operators[known].1, self.ops[known]) = (cost, Op::new(op));
            }
        }
        Generators::new(points.len(), operators, stop).ok()
    }

    /// A word that brings the hard pieces home.
    fn solve(&self, images: &[u16], stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Op>> {
        let Some(chain) = &self.chain else { return Some(Vec::new()) };
        let hard = images.iter().filter_map(|point| self.numbers.get(point).copied());
        let hard: Vec<u16> = hard.collect();
        let word = ChainBeam::new(chain).search(&[&hard], BEAM, stop).word?;
        Some(word.into_iter().map(|op| self.ops[op.index()]).collect())
    }

    /// For each orbit whose pieces differ: whether they lie oddly.
    fn odd(&self, images: &[u16]) -> Vec<bool> {
        self.places.parities(|point| images[self.places.number_at(point)])
    }

    /// A word after which the hard pieces are at home, and cycles of three places can bring home
    /// all others as far as parities count.
    pub(super) fn word(&self, images: &[u16], stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Op>> {
        let mut word = self.solve(images, stop)?;
        let odd = self.odd(&self.generators.after(images, &word));
        let mut left = Even { odd, words: vec![false; self.generators.len() + TRIED] };
        let (mut basis, mut words): (Vec<Even>, Vec<Vec<Op>>) = (Vec::new(), Vec::new());
        let mut more = self.evens(stop);
        while left.odd.contains(&true) {
            let (odd, other) = more.next()??;
            let mut even = Even { odd, words: vec![false; left.words.len()] };
            *even.words.get_mut(words.len())? = true;
            words.push(other);
            // All before have a first odd orbit that this one then has not.
            for known in &basis {
                let first = known.odd.iter().position(|&odd| odd)?;
                if even.odd[first] {
                    even.add(known);
                }
            }
            let Some(first) = even.odd.iter().position(|&odd| odd) else { continue };
            if left.odd[first] {
                left.add(&even);
            }
            basis.push(even);
        }
        let used = words.iter().zip(&left.words).filter(|(_, is_used)| **is_used);
        used.for_each(|(other, _)| word.extend_from_slice(other));
        Some(word)
    }

    /// Words after which the hard pieces lie as before, with the orbits that they permute oddly:
    /// operators that leave them where they are, then random words with words that bring them back.
    fn evens(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> impl Iterator<Item = Option<(Vec<bool>, Vec<Op>)>> {
        let even =
            |word: Vec<Op>| Some((self.odd(&self.generators.after(&self.homes, &word)), word));
        let ops = (0..self.generators.len()).map(Op::new);
        let leaves = |op: &Op| {
            let element = &self.generators.elements()[op.index()];
            self.numbers.keys().all(|&point| element.image(point) == point)
        };
        let mut random = Random::new(0);
        let words = std::iter::repeat_with(move || {
            let ops = (0..OPERATORS).map(|_| Op::new(random.index(self.generators.len())));
            let mut word: Vec<Op> = ops.collect();
            word.extend(self.solve(&self.generators.after(&self.homes, &word), stop)?);
            even(word)
        });
        ops.filter(leaves).map(move |op| even(vec![op])).chain(words.take(TRIED))
    }
}

impl Even {
    fn add(&mut self, other: &Self) {
        let xor = |all: &mut [bool], others: &[bool]| {
            all.iter_mut().zip(others).for_each(|(one, other)| *one ^= other);
        };
        xor(&mut self.odd, &other.odd);
        xor(&mut self.words, &other.words);
    }
}
