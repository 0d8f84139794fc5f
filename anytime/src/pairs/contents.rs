//! States as the contents of places: [`Contents`].

use crate::{Generators, Pieces};
use search::Op;

/// The content of a place of each state, as numbers: which class of pieces lies there, and how it
/// is turned. Pieces that look alike have the same number.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(super) goal: Vec<u16>,
    /// For each place: how many contents it may have.
    pub(super) kinds: Vec<usize>,
    pub(super) moves: Vec<Move>,
    /// The place of each point, and the points from the first of it.
    places: Vec<(usize, u16)>,
    /// For each piece: the content of its class without a turn, and after how many turns it looks
    /// the same.
    pieces: Vec<(u16, u16)>,
    /// The content of a place without a piece, for each place.
    empty: Vec<u16>,
    /// For each place, content and turn: the content that is turned.
    turned: Vec<Vec<Vec<u16>>>,
    hashes: Vec<Vec<u64>>,
    /// The number of ways to fill the places, as a logarithm.
    arrangements: f64,
}

/// Pieces of an orbit that look alike.
struct Class {
    class: u16,
    orbit: usize,
    /// The content without a turn.
    first: u16,
    /// After how many turns a piece looks the same.
    period: u16,
    size: usize,
}

/// The logarithm of a factorial.
fn log_factorial(number: usize) -> f64 {
    (2..=number).map(|factor| (factor as f64).ln()).sum()
}

/// What an operator does to the contents.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) cost: u32,
    /// The places that change: where their content comes from, and how it is turned.
    pub(super) changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) to: usize,
    pub(super) from: usize,
    pub(super) turn: u16,
}

/// A hash for a number, as of the generator SplitMix64.
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Contents {
    /// The contents of the places that operators change. `None` if they take more bytes, or pieces
    /// that look alike may be turned by different steps.
    pub(super) fn new(generators: &Generators, pieces: &Pieces, bytes: u64) -> Option<Self> {
        let mut firsts: Vec<(u16, u16)> = Vec::new();
        let mut places = Vec::with_capacity(generators.points());
        for point in (0..=u16::MAX).take(generators.points()) {
            let (first, count) = pieces.place(point);
            if first == point {
                firsts.push((first, count));
            }
            places.push((firsts.len() - 1, point - first));
        }
        let moved = |op: Op| {
            let element = &generators.elements()[op.index()];
            let change = |(from, &(first, _)): (usize, &(u16, u16))| {
                let (to, turn) = places[usize::from(element.image(first))];
                Change { to, from, turn }
            };
            let changes = firsts.iter().enumerate().map(change);
            let changes = changes.filter(|change| change.to != change.from || change.turn != 0);
            Move { cost: u32::from(generators.cost(op)), changes: changes.collect() }
        };
        let moves: Vec<Move> = (0..generators.len()).map(|op| moved(Op::new(op))).collect();
        // The orbit of each place: the least place that leads to it.
        let mut orbit: Vec<usize> = (0..firsts.len()).collect();
        loop {
            let before = orbit.clone();
            for change in moves.iter().flat_map(|moved| &moved.changes) {
                let least = orbit[change.from].min(orbit[change.to]);
                (orbit[change.from], orbit[change.to]) = (least, least);
            }
            if orbit == before {
                break;
            }
        }
        // Contents are numbered in each orbit. The last is no piece.
        let mut counts = vec![0_u16; firsts.len()];
        let mut classes: Vec<Class> = Vec::new();
        let mut numbers = Vec::new();
        for piece in pieces.list() {
            let (place, _) = places[usize::from(piece.home)];
            let (own, count) = (orbit[place], firsts[place].1);
            let period = if piece.step == 0 { count } else { piece.step };
            let known =
                classes.iter_mut().find(|known| (known.class, known.orbit) == (piece.class, own));
            match known {
                Some(known) if known.period != period => return None,
                Some(known) => {
                    known.size += 1;
                    numbers.push((known.first, period));
                }
                None => {
                    let (class, first) = (piece.class, counts[own]);
                    classes.push(Class { class, orbit: own, first, period, size: 1 });
                    counts[own] = first.checked_add(period)?;
                    numbers.push((first, period));
                }
            }
        }
        // Places in any order, but those of a class.
        let mut arrangements = 0.0;
        for own in 0..firsts.len() {
            let places = orbit.iter().filter(|&&other| other == own).count();
            arrangements += log_factorial(places);
            for class in classes.iter().filter(|class| class.orbit == own) {
                arrangements += class.size as f64 * f64::from(class.period).ln();
                arrangements -= log_factorial(class.size);
            }
            let pieces: usize =
                classes.iter().filter(|class| class.orbit == own).map(|class| class.size).sum();
            arrangements -= log_factorial(places - pieces.min(places));
        }
        let needed: usize = orbit
            .iter()
            .zip(&firsts)
            .map(|(&own, &(_, turns))| {
                (usize::from(counts[own]) + 1) * (8 + 2 * usize::from(turns))
            })
            .sum();
        if (needed + firsts.len() * firsts.len()) as u64 > bytes {
            return None;
        }
        let empty: Vec<u16> = orbit.iter().map(|&own| counts[own]).collect();
        let kinds: Vec<usize> = empty.iter().map(|&empty| usize::from(empty) + 1).collect();
        let turned_by = |place: usize, turn: u16| {
            let mut turned: Vec<u16> = (0..=empty[place]).collect();
            for (piece, &(first, period)) in pieces.list().iter().zip(&numbers) {
                if orbit[places[usize::from(piece.home)].0] == orbit[place] {
                    for own in 0..period {
                        turned[usize::from(first + own)] = first + (own + turn) % period;
                    }
                }
            }
            turned
        };
        let turned = (0..firsts.len())
            .map(|place| (0..firsts[place].1).map(|turn| turned_by(place, turn)).collect());
        let turned: Vec<Vec<Vec<u16>>> = turned.collect();
        let mut next = 0;
        let mut hash = || {
            next += 1;
            scrambled(next)
        };
        let hashes = kinds.iter().map(|&kinds| (0..kinds).map(|_| hash()).collect()).collect();
        let goal = Vec::new();
        let pieces_of = numbers;
        let mut contents = Self {
            goal,
            kinds,
            moves,
            places,
            pieces: pieces_of,
            empty,
            turned,
            hashes,
            arrangements,
        };
        let homes: Vec<u16> = pieces.list().iter().map(|piece| piece.home).collect();
        contents.goal = contents.of(&homes);
        Some(contents)
    }

    /// The number of ways to fill the places, as a logarithm: at least that of the states.
    pub(super) fn log_arrangements(&self) -> f64 {
        self.arrangements
    }

    /// The contents, if pieces lie at these points.
    pub(crate) fn of(&self, images: &[u16]) -> Vec<u16> {
        let mut state = self.empty.clone();
        for (&point, &(first, period)) in images.iter().zip(&self.pieces) {
            let (place, turn) = self.places[usize::from(point)];
            state[place] = first + turn % period;
        }
        state
    }

    /// The content that an operator brings to a place.
    #[inline]
    pub(super) fn brought(&self, state: &[u16], change: &Change) -> u16 {
        let content = state[change.from];
        match change.turn {
            0 => content,
            turn => self.turned[change.from][usize::from(turn)][usize::from(content)],
        }
    }

    /// Writes the state after an operator over a copy of the state before.
    pub(super) fn apply(&self, state: &[u16], op: usize, to: &mut [u16]) {
        to.copy_from_slice(state);
        for change in &self.moves[op].changes {
            to[change.to] = self.brought(state, change);
        }
    }

    /// A hash that stands for a state.
    pub(super) fn hash(&self, state: &[u16]) -> u64 {
        let hashes = self.hashes.iter().zip(state);
        let hashes = hashes.map(|(hashes, &content)| hashes[usize::from(content)]);
        hashes.fold(0, u64::wrapping_add)
    }

    /// The hash after an operator.
    #[inline]
    pub(super) fn hash_after(&self, state: &[u16], hash: u64, op: usize) -> u64 {
        let mut hash = hash;
        for change in &self.moves[op].changes {
            let hashes = &self.hashes[change.to];
            hash = hash
                .wrapping_sub(hashes[usize::from(state[change.to])])
                .wrapping_add(hashes[usize::from(self.brought(state, change))]);
        }
        hash
    }
}
