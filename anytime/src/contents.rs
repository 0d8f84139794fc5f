//! States as the contents of places: [`Contents`].

use crate::hash::mixed;
use crate::{Generators, PieceHome, Pieces};
use groups::{Permutation, orbits};
use search::Op;

/// The content of a place of each state, as numbers: which class of pieces lies there, and how it
/// is turned. Pieces that look alike have the same number.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(crate) goal: Vec<u16>,
    /// For each place: how many contents it may have.
    pub(crate) kinds: Vec<usize>,
    pub(crate) moves: Vec<Move>,
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
pub(crate) struct Move {
    pub(crate) cost: u32,
    /// The places that change: where their content comes from, and how it is turned.
    pub(crate) changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) to: usize,
    pub(crate) from: usize,
    pub(crate) turn: u16,
}

/// The places of a puzzle, and which of them exchange contents.
struct Layout {
    /// For each place: its first point, and the number of points there.
    firsts: Vec<(u16, u16)>,
    /// For each point: its place, and the points from the first of it.
    places: Vec<(usize, u16)>,
    moves: Vec<Move>,
    /// For each place: the first of the places from which contents come to it.
    orbit: Vec<usize>,
}

impl Layout {
    fn new(generators: &Generators, pieces: &Pieces) -> Option<Self> {
        let mut firsts: Vec<(u16, u16)> = Vec::new();
        let mut places = Vec::with_capacity(generators.points());
        for point in (0..=u16::MAX).take(generators.points()) {
            let (first, count) = pieces.place(point);
            if first == point {
                firsts.push((first, count));
            }
            places.push((firsts.len() - 1, point - first));
        }
        let image = |element: &Permutation, first| places[usize::from(element.image(first))];
        let moved = |op: Op| {
            let element = &generators.elements()[op.index()];
            let change = |(from, &(first, _)): (usize, &(u16, u16))| {
                let (to, turn) = image(element, first);
                Change { to, from, turn }
            };
            let changes = firsts.iter().enumerate().map(change);
            let changes = changes.filter(|change| change.to != change.from || change.turn != 0);
            Move { cost: u32::from(generators.cost(op)), changes: changes.collect() }
        };
        let moves = (0..generators.len()).map(|op| moved(Op::new(op))).collect();
        let of_places = |element: &Permutation| {
            let images = firsts.iter().map(|&(first, _)| u16::try_from(image(element, first).0));
            Permutation::new(images.collect::<Result<_, _>>().ok()?).ok()
        };
        let of_places: Option<Vec<_>> = generators.elements().iter().map(of_places).collect();
        let mut orbit = vec![0; firsts.len()];
        for places in orbits(firsts.len(), &of_places?) {
            places.iter().for_each(|&place| orbit[usize::from(place)] = usize::from(places[0]));
        }
        Some(Self { firsts, places, moves, orbit })
    }

    /// The orbit of the place where a piece has its home.
    fn orbit_of(&self, piece: &PieceHome) -> usize {
        self.orbit[self.places[usize::from(piece.home)].0]
    }

    /// The classes of the pieces, and the number of each piece's. `None` if pieces of one class may
    /// be turned by different steps.
    fn classes(&self, pieces: &Pieces) -> Option<(Vec<Class>, Vec<usize>)> {
        let (mut classes, mut numbers): (Vec<Class>, _) = (Vec::new(), Vec::new());
        // How many contents of each orbit have a number.
        let mut counts = vec![0_u16; self.firsts.len()];
        for piece in pieces.list() {
            let (class, orbit) = (piece.class, self.orbit_of(piece));
            let (_, turns) = pieces.place(piece.home);
            let period = if piece.step == 0 { turns } else { piece.step };
            let is_known = |known: &Class| (known.class, known.orbit) == (class, orbit);
            let number = classes.iter().position(is_known).unwrap_or_else(|| {
                classes.push(Class { class, orbit, first: counts[orbit], period, size: 0 });
                // There are fewer turned pieces than points.
                counts[orbit] += period;
                classes.len() - 1
            });
            if classes[number].period != period {
                return None;
            }
            classes[number].size += 1;
            numbers.push(number);
        }
        Some((classes, numbers))
    }

    /// The number of ways to fill the places, as a logarithm. Pieces of a class may change places.
    fn log_arrangements(&self, classes: &[Class]) -> f64 {
        let mut sum = 0.0;
        for orbit in 0..self.firsts.len() {
            let mut empty = self.orbit.iter().filter(|&&own| own == orbit).count();
            sum += log_factorial(empty);
            for class in classes.iter().filter(|class| class.orbit == orbit) {
                sum += class.size as f64 * f64::from(class.period).ln() - log_factorial(class.size);
                empty = empty.saturating_sub(class.size);
            }
            sum -= log_factorial(empty);
        }
        sum
    }
}

impl Contents {
    /// The contents of the places that operators change. `None` if they take more bytes, or pieces
    /// that look alike may be turned by different steps.
    pub(crate) fn new(generators: &Generators, pieces: &Pieces, bytes: u64) -> Option<Self> {
        let layout = Layout::new(generators, pieces)?;
        let (classes, numbers) = layout.classes(pieces)?;
        let arrangements = layout.log_arrangements(&classes);
        let own = |orbit: usize| classes.iter().filter(move |class| class.orbit == orbit);
        // The last content is no piece.
        let empty_of = |&orbit: &usize| own(orbit).map(|class| class.period).sum();
        let empty: Vec<u16> = layout.orbit.iter().map(empty_of).collect();
        let kinds: Vec<usize> = empty.iter().map(|&empty| usize::from(empty) + 1).collect();
        let needed = kinds.iter().zip(&layout.firsts).map(|(kinds, &(_, turns))| {
            kinds * (size_of::<u64>() + usize::from(turns) * size_of::<u16>())
        });
        if (needed.sum::<usize>() + kinds.len() * kinds.len()) as u64 > bytes {
            return None;
        }
        let turned_by = |place: usize, turn: u16| {
            let mut turned: Vec<u16> = (0..=empty[place]).collect();
            for &Class { first, period, .. } in own(layout.orbit[place]) {
                for own in 0..period {
                    turned[usize::from(first + own)] = first + (own + turn) % period;
                }
            }
            turned
        };
        let turned = layout.firsts.iter().enumerate();
        let turned = turned
            .map(|(place, &(_, turns))| (0..turns).map(|turn| turned_by(place, turn)).collect())
            .collect();
        let mut number = 0;
        let mut hash = || {
            number += 1;
            mixed(number)
        };
        let hashes = kinds.iter().map(|&kinds| (0..kinds).map(|_| hash()).collect()).collect();
        let class = |&number: &usize| (classes[number].first, classes[number].period);
        let pieces_of = numbers.iter().map(class).collect();
        let Layout { places, moves, .. } = layout;
        let (goal, homes) = (Vec::new(), pieces.list().iter().map(|piece| piece.home));
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
        contents.goal = contents.of(&homes.collect::<Vec<_>>());
        Some(contents)
    }

    /// The number of ways to fill the places, as a logarithm: at least that of the states.
    pub(crate) fn log_arrangements(&self) -> f64 {
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
    pub(crate) fn brought(&self, state: &[u16], change: &Change) -> u16 {
        self.turned_by(state[change.from], change)
    }

    /// A content as it is after a change.
    #[inline]
    pub(crate) fn turned_by(&self, content: u16, change: &Change) -> u16 {
        match change.turn {
            0 => content,
            turn => self.turned[change.from][usize::from(turn)][usize::from(content)],
        }
    }

    /// Writes the state after an operator over a copy of the state before.
    pub(crate) fn apply(&self, state: &[u16], op: usize, to: &mut [u16]) {
        to.copy_from_slice(state);
        for change in &self.moves[op].changes {
            to[change.to] = self.brought(state, change);
        }
    }

    /// A hash that stands for a state.
    pub(crate) fn hash(&self, state: &[u16]) -> u64 {
        let hashes = self.hashes.iter().zip(state);
        let hashes = hashes.map(|(hashes, &content)| hashes[usize::from(content)]);
        hashes.fold(0, u64::wrapping_add)
    }

    /// The hash after an operator.
    #[inline]
    pub(crate) fn hash_after(&self, state: &[u16], hash: u64, op: usize) -> u64 {
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
