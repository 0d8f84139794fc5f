//! The pieces of a puzzle as points of its group: [`Pieces`].

use groups::Permutation;
use rustc_hash::FxHashMap;

/// A piece of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceHome {
    /// Its point in the goal. The point stands for its place and its turn there.
    pub home: u16,
    /// Pieces with the same number look alike: each may end at the home of the other.
    pub class: u16,
    /// Its point may be turned by multiples of this number at home. 0: not at all.
    pub step: u16,
}

/// The pieces of a puzzle, and the places of their points.
///
/// A *place* is a run of points: one for each turn of a piece there, in order. If one point of a
/// place is fixed, all are.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The pieces. No two have homes at the same place.
    pieces: Vec<PieceHome>,
    /// For each point: the first point of its place, and the number of points there.
    places: Vec<(u16, u16)>,
}

impl Pieces {
    /// The pieces with these homes. `turns` is the number of points of each place, in the order of
    /// the points.
    ///
    /// # Panics
    /// If a home is no point.
    pub fn new(pieces: Vec<PieceHome>, turns: &[u16]) -> Self {
        let mut places = Vec::new();
        for &count in turns {
            let first = u16::try_from(places.len()).expect("at most 65,535 points");
            places.extend((0..count).map(|_| (first, count)));
        }
        assert!(pieces.iter().all(|piece| usize::from(piece.home) < places.len()));
        Self { pieces, places }
    }

    /// One piece for each point: all differ, and none turns.
    pub fn of_points(points: u16) -> Self {
        let piece = |home| PieceHome { home, class: home, step: 0 };
        Self::new((0..points).map(piece).collect(), &vec![1; points.into()])
    }

    /// The pieces.
    pub fn list(&self) -> &[PieceHome] {
        &self.pieces
    }

    /// The first point of a point's place, and the number of points there.
    pub(crate) fn place(&self, point: u16) -> (u16, u16) {
        self.places[usize::from(point)]
    }

    /// The number of pieces of each class.
    pub(crate) fn class_sizes(&self) -> Vec<usize> {
        let classes = self.pieces.iter().map(|piece| usize::from(piece.class) + 1).max();
        let mut sizes = vec![0; classes.unwrap_or(0)];
        for piece in &self.pieces {
            sizes[usize::from(piece.class)] += 1;
        }
        sizes
    }

    /// Whether every piece has one home and one turn there, so that a state is one element.
    pub fn are_distinct(&self) -> bool {
        self.pieces.iter().all(|piece| piece.step == 0)
            && self.class_sizes().iter().all(|&size| size <= 1)
    }

    /// The points that count the same as this one for a piece: itself, then those turned by
    /// multiples of its step.
    pub(crate) fn turned(&self, piece: PieceHome, point: u16) -> impl Iterator<Item = u16> + use<> {
        let (first, count) = self.places[usize::from(point)];
        let step = if piece.step == 0 { count } else { piece.step };
        let turns = count / step.max(1);
        (0..turns).map(move |turn| {
            let turned = u32::from(point - first) + u32::from(turn) * u32::from(step);
            first + u16::try_from(turned % u32::from(count)).unwrap_or(0)
        })
    }

    /// The least of the points that count the same as this one for a piece.
    pub(crate) fn canonical(&self, piece: PieceHome, point: u16) -> u16 {
        self.turned(piece, point).min().unwrap_or(point)
    }

    /// A point of the same place, turned by `by`, which is less than the points there.
    pub(crate) fn turn(&self, point: u16, by: u16) -> u16 {
        let (first, count) = self.places[usize::from(point)];
        first + (point - first + by) % count
    }

    /// For each piece: the piece to whose place a permutation takes its home, and by how much that
    /// piece's home is turned from there.
    ///
    /// `None` unless it takes places to places and the goal to the goal: pieces of one class to
    /// pieces of one class and step, all turned alike as far as that counts.
    pub(crate) fn mapped(&self, permutation: &Permutation) -> Option<Vec<(usize, u16)>> {
        let place = |point: u16| self.places[usize::from(point)];
        let homes = self.pieces.iter().enumerate();
        let mut at: FxHashMap<_, _> = homes.map(|(i, piece)| (place(piece.home).0, i)).collect();
        let mut classes = FxHashMap::default();
        let mut map = |piece: &PieceHome| {
            let (own, turns) = place(piece.home);
            let (first, count) = place(permutation.image(piece.home));
            // Each place is taken once, and all points of it go there.
            let to = at.remove(&first)?;
            let whole = (own..own + turns).all(|point| place(permutation.image(point)).0 == first);
            let other = self.pieces[to];
            let turn = (other.home + count - permutation.image(piece.home)) % count;
            let seen = turn % if other.step == 0 { count } else { other.step };
            let class = (other.class, seen);
            let same = *classes.entry(piece.class).or_insert(class) == class;
            (whole && same && piece.step == other.step && count == turns).then_some((to, turn))
        };
        self.pieces.iter().map(&mut map).collect()
    }

    /// The points where an element takes the pieces.
    pub fn images(&self, element: &Permutation) -> Vec<u16> {
        self.pieces.iter().map(|piece| element.image(piece.home)).collect()
    }

    /// The element that takes the pieces to these points. `None` if that is no permutation.
    pub fn element(&self, images: &[u16]) -> Option<Permutation> {
        let mut element: Vec<u16> = (0..=u16::MAX).take(self.places.len()).collect();
        for (piece, &image) in self.pieces.iter().zip(images) {
            let (from, count) = self.places[usize::from(piece.home)];
            let (to, same) = self.places[usize::from(image)];
            if count != same {
                return None;
            }
            for turn in 0..count {
                let home = from + (piece.home - from + turn) % count;
                element[usize::from(home)] = to + (image - to + turn) % count;
            }
        }
        Permutation::new(element).ok()
    }
}
