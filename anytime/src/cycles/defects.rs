//! How many cycles of three bring all pieces of an orbit home: [`Defects`].

use super::places::{Orbit, Place, Places};
use super::table::Cycle;
use rustc_hash::FxHashSet;

/// The most cycles that are tried for an orbit.
const MOST: usize = 300;

/// What lies at the places of an orbit.
#[derive(Clone, Debug)]
pub(super) struct Defects<'a> {
    places: &'a Places,
    orbit: &'a Orbit,
    /// For each place: the class of its piece, and the point where that lies.
    contents: Vec<(u16, u16)>,
    /// The classes of the orbit in order, each with a place where it is at home.
    classes: Vec<(u16, usize)>,
}

impl<'a> Defects<'a> {
    /// The contents of an orbit. `images` are the points where the pieces lie.
    pub(super) fn new(places: &'a Places, orbit: &'a Orbit, images: &[u16]) -> Self {
        let mut contents = vec![(0, 0); orbit.places.len()];
        for &piece in &orbit.places {
            let point = images[piece];
            contents[places.at(point).number] = (places.list[piece].class, point);
        }
        let homes = (0..).zip(&orbit.places);
        let classes = homes.map(|(number, &place)| (places.list[place].class, number));
        let mut classes: Vec<(u16, usize)> = classes.collect();
        classes.sort_unstable();
        classes.dedup_by_key(|&mut (class, _)| class);
        Self { places, orbit, contents, classes }
    }

    fn place(&self, number: usize) -> &Place {
        &self.places.list[self.orbit.places[number]]
    }

    fn class(&self, number: usize) -> u16 {
        self.place(number).class
    }

    /// The number of a class among those of the orbit.
    fn rank(&self, class: u16) -> usize {
        self.classes.binary_search_by_key(&class, |&(class, _)| class).unwrap_or(0)
    }

    fn is_right(&self, number: usize) -> bool {
        let (class, point) = self.contents[number];
        self.places.is_home(class, point)
    }

    /// About how many cycles of three are needed.
    pub(super) fn count(&self) -> u32 {
        let wrong = (0..self.contents.len()).filter(|&number| !self.is_right(number));
        if self.orbit.has_parity { self.count_distinct(wrong) } else { self.count_alike(wrong) }
    }

    /// The count where all pieces differ: for each cycle half of its length, and one if its pieces
    /// come back turned.
    fn count_distinct(&self, wrong: impl Iterator<Item = usize>) -> u32 {
        let (mut seen, mut count) = (vec![false; self.contents.len()], 0);
        for start in wrong {
            let (mut at, mut length, mut turned) = (start, 0, 0);
            while !std::mem::replace(&mut seen[at], true) {
                let (class, point) = self.contents[at];
                turned += u32::from(point - self.places.at(point).first);
                length += 1;
                at = self.classes[self.rank(class)].1;
                turned += u32::from(self.orbit.turns - self.place(at).home.0);
            }
            if length > 0 {
                let step = match self.place(start).home.1 {
                    0 => self.orbit.turns,
                    step => step,
                };
                count += length / 2 + u32::from(turned % u32::from(step) != 0);
            }
        }
        count
    }

    /// The count where some pieces look alike: cycles of three classes first, then swaps of two,
    /// then what is left.
    fn count_alike(&self, wrong: impl Iterator<Item = usize>) -> u32 {
        let size = self.classes.len();
        let mut edges = vec![0_u32; size * size];
        let mut count = 0;
        for number in wrong {
            let (from, to) = (self.class(number), self.contents[number].0);
            let (from, to) = (self.rank(from), self.rank(to));
            // Of the right class, it is only turned.
            match from == to {
                true => count += 1,
                false => edges[from * size + to] += 1,
            }
        }
        let mut take = |nodes: &[usize]| {
            let at = |i: usize| nodes[i] * size + nodes[(i + 1) % nodes.len()];
            let most = (0..nodes.len()).map(|i| edges[at(i)]).min().unwrap_or(0);
            (0..nodes.len()).for_each(|i| edges[at(i)] -= most);
            most
        };
        for a in 0..size {
            for b in a + 1..size {
                for c in b + 1..size {
                    count += take(&[a, b, c]) + take(&[a, c, b]);
                }
            }
        }
        for a in 0..size {
            for b in a + 1..size {
                count += take(&[a, b]);
            }
        }
        let left: u32 = edges.iter().sum();
        count + left.div_ceil(2)
    }

    fn exchange(&mut self, cycle: &Cycle) {
        let old = cycle.places.map(|place| self.contents[self.places.list[place].number]);
        for (i, (class, point)) in old.into_iter().enumerate() {
            let to = apply(self.places, cycle, point);
            debug_assert_eq!(self.places.number_at(to), cycle.places[(i + 1) % 3]);
            self.contents[self.places.at(to).number] = (class, to);
        }
    }

    /// The cycles after which fewer are needed, with how many then are. Some if `stop` is true; it
    /// is asked before every 64th.
    pub(super) fn useful(&mut self, stop: &dyn Fn() -> bool) -> Vec<(Cycle, u32)> {
        let before = self.count();
        let mut found = Vec::new();
        if before == 0 {
            return found;
        }
        let mut seen = FxHashSet::default();
        for (number, cycle) in self.candidates().into_iter().enumerate() {
            if number % 64 == 0 && stop() {
                break;
            }
            let [a, b, c] = cycle.places;
            let least = a.min(b).min(c);
            let key = [(a, b, c, cycle.images), (b, c, a, cycle.images), (c, a, b, cycle.images)];
            let key = key.into_iter().find(|key| key.0 == least);
            if self.orbit.turns == 1 && !seen.insert(key.map(|(a, b, c, _)| (a, b, c))) {
                continue;
            }
            let kept = cycle.places.map(|place| {
                let number = self.places.list[place].number;
                (number, self.contents[number])
            });
            self.exchange(&cycle);
            let count = self.count();
            kept.into_iter().for_each(|(number, content)| self.contents[number] = content);
            if count < before {
                found.push((cycle, count));
            }
        }
        let step = found.len().div_ceil(MOST).max(1);
        found.into_iter().step_by(step).collect()
    }

    fn candidates(&self) -> Vec<Cycle> {
        let (size, turns) = (self.contents.len(), self.orbit.turns);
        let place = |number: usize| self.orbit.places[number];
        let mut all = Vec::new();
        for a in 0..size {
            for b in (0..size).filter(|&b| b != a) {
                let brings = self.class(b) == self.contents[a].0;
                if turns == 1 && (self.is_right(a) || !brings) {
                    continue;
                }
                for c in (0..size).filter(|&c| c != a && c != b) {
                    if turns > 1 && (a > b || a > c) {
                        continue;
                    }
                    let places = [place(a), place(b), place(c)];
                    let first = |i: usize| self.places.list[places[i % 3]].first;
                    for turn in 0..turns.pow(3) {
                        let by = [turn % turns, turn / turns % turns, turn / turns / turns];
                        let images = [first(1) + by[0], first(2) + by[1], first(3) + by[2]];
                        all.push(Cycle { places, images });
                    }
                }
            }
        }
        all
    }
}

/// Where a cycle takes a point.
pub(super) fn apply(places: &Places, cycle: &Cycle, point: u16) -> u16 {
    let number = places.number_at(point);
    match cycle.places.iter().position(|&place| place == number) {
        Some(at) => places.turn(cycle.images[at], point - places.list[number].first),
        None => point,
    }
}
