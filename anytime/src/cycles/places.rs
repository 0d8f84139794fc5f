//! The places of a puzzle, as cycles of three see them: [`Places`].

use crate::{Generators, Pieces};

/// A place that is the home of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its first point, and the number of its points: one for each turn of a piece there.
    pub(super) first: u16,
    pub(super) turns: u16,
    /// The number of its orbit.
    pub(super) orbit: usize,
    /// Its number among the places of its orbit.
    pub(super) number: usize,
    /// The class of the piece whose home it is.
    pub(super) class: u16,
    /// The turn of that piece at home, and by how much it may be turned more. (All if 0.)
    pub(super) home: (u16, u16),
}

/// The places that the operators take to each other.
#[derive(Clone, Debug)]
pub(super) struct Orbit {
    /// The numbers of the places.
    pub(super) places: Vec<usize>,
    /// The points of each place.
    pub(super) turns: u16,
    /// Whether there are several pieces and no two look alike, so that their permutation is even or
    /// odd.
    pub(super) has_parity: bool,
}

/// The places of a puzzle in orbits.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) list: Vec<Place>,
    pub(super) orbits: Vec<Orbit>,
    /// For each point: the number of its place.
    of_point: Vec<u16>,
    /// For each class and point: whether a piece of the class is home there.
    is_home: Vec<bool>,
}

impl Places {
    /// The places. `None` if one is the home of no piece.
    pub(super) fn new(generators: &Generators, pieces: &Pieces) -> Option<Self> {
        let points = generators.points();
        let mut of_point = vec![u16::MAX; points];
        let mut list = Vec::new();
        for (number, piece) in (0..).zip(pieces.list()) {
            let (first, turns) = pieces.place(piece.home);
            of_point[usize::from(first)..usize::from(first + turns)].fill(number);
            let home = (piece.home - first, piece.step);
            list.push(Place { first, turns, orbit: 0, number: 0, class: piece.class, home });
        }
        if of_point.contains(&u16::MAX) {
            return None;
        }
        let mut orbits: Vec<Orbit> = Vec::new();
        let mut seen = vec![false; list.len()];
        for start in 0..list.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut places = vec![start];
            let mut next = 0;
            while next < places.len() {
                for element in generators.elements() {
                    let image = element.image(list[places[next]].first);
                    let place = usize::from(of_point[usize::from(image)]);
                    if !std::mem::replace(&mut seen[place], true) {
                        places.push(place);
                    }
                }
                next += 1;
            }
            for (number, &place) in places.iter().enumerate() {
                (list[place].orbit, list[place].number) = (orbits.len(), number);
            }
            let mut classes: Vec<u16> = places.iter().map(|&place| list[place].class).collect();
            classes.sort_unstable();
            let has_parity = places.len() > 1 && classes.windows(2).all(|pair| pair[0] != pair[1]);
            orbits.push(Orbit { turns: list[start].turns, places, has_parity });
        }
        let classes = pieces.list().iter().map(|piece| usize::from(piece.class) + 1).max()?;
        let mut is_home = vec![false; classes * points];
        for &piece in pieces.list() {
            for point in pieces.turned(piece, piece.home) {
                is_home[usize::from(piece.class) * points + usize::from(point)] = true;
            }
        }
        Some(Self { list, orbits, of_point, is_home })
    }

    /// The place of a point.
    pub(super) fn at(&self, point: u16) -> &Place {
        &self.list[usize::from(self.of_point[usize::from(point)])]
    }

    /// The number of the place of a point.
    pub(super) fn number_at(&self, point: u16) -> usize {
        usize::from(self.of_point[usize::from(point)])
    }

    /// Whether a piece of a class is home at a point.
    pub(super) fn is_home(&self, class: u16, point: u16) -> bool {
        self.is_home[usize::from(class) * self.of_point.len() + usize::from(point)]
    }

    /// A point of the same place, turned by `by`, which is at most the points there.
    pub(super) fn turn(&self, point: u16, by: u16) -> u16 {
        let place = self.at(point);
        place.first + (point - place.first + by) % place.turns
    }

    /// The places whose points are moved, one bit for each.
    pub(super) fn moved(&self, image: impl Fn(u16) -> u16) -> Vec<u64> {
        let mut bits = vec![0; self.list.len().div_ceil(64)];
        for (number, place) in self.list.iter().enumerate() {
            if image(place.first) != place.first {
                bits[number / 64] |= 1 << (number % 64);
            }
        }
        bits
    }

    /// For each orbit whose pieces differ: whether an operator permutes the places oddly. One bit
    /// for each orbit, if there are 64 at most.
    pub(super) fn parity(&self, image: impl Fn(u16) -> u16) -> u64 {
        let odd = self.parities(image).into_iter().enumerate();
        odd.map(|(number, odd)| u64::from(odd) << (number & 63)).sum()
    }

    /// For each orbit whose pieces differ: whether an operator permutes the places oddly.
    pub(super) fn parities(&self, image: impl Fn(u16) -> u16) -> Vec<bool> {
        let orbits = self.orbits.iter().filter(|orbit| orbit.has_parity);
        let odd = |orbit: &Orbit| {
            let mut seen = vec![false; orbit.places.len()];
            let mut cycles = 0;
            for start in 0..orbit.places.len() {
                let mut at = start;
                while !std::mem::replace(&mut seen[at], true) {
                    at = self.at(image(self.list[orbit.places[at]].first)).number;
                    cycles += usize::from(at == start);
                }
            }
            (orbit.places.len() - cycles) % 2 == 1
        };
        orbits.map(odd).collect()
    }
}
