//! The cycles of a puzzle, and what is needed to put them into words: [`Cycles`].

use super::defects::Defects;
use super::places::{Orbit, Places};
use super::table::CycleTable;
use crate::{Generators, Pieces};
use groups::Permutation;
use search::Op;

/// The unit of energies: so much for each unit of cost.
pub(super) const UNIT: i64 = 64;

/// The weight of a piece that is not home, beside the cheapest cycle of its orbit: 3 / 8. A cycle
/// mends two pieces or three, and saves some of its cost where it is put in.
const WEIGHT: (i64, i64) = (3, 8);

/// What a cycle costs where it is put in, beside the cheapest one of its orbit: 5 / 8.
const AHEAD: (u32, u32) = (5, 8);

/// The weight of a piece that no cycle brings home, in cheapest cycles.
const HARD: i64 = 2;

/// Looks for plans where cycles of three places are cheap: a word that brings most pieces home is
/// annealed, and cycles are put in where they cost least.
///
/// So did the winners of the contest "Santa 2023 - The Polytope Permutation Puzzle" (KMCoders, for
/// cubes). Here the orbits, the cycles and the parities are found from the operators.
#[derive(Clone, Debug)]
pub(crate) struct Cycles {
    pub(super) generators: Generators,
    pub(super) places: Places,
    pub(super) table: CycleTable,
    pub(super) inverse: Vec<Op>,
    /// For each operator: the orbits that it permutes oddly.
    pub(super) odd: Vec<u64>,
    /// The weight of an odd orbit.
    pub(super) odd_weight: i64,
    /// For each piece: its row of `weights`.
    rows: Vec<usize>,
    /// For each class and point: the weight of a piece there.
    weights: Vec<i32>,
    /// For each operator, and the identity after them, and each point: where it goes.
    moves: Vec<u16>,
    /// For each orbit: about what a cycle of three costs when it is put into a word.
    pub(super) ahead: Vec<u32>,
}

/// What a round of a search for plans gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Round {
    /// The cheapest plan of the round.
    pub(crate) plan: Option<Vec<Op>>,
    /// The nodes: steps of annealing, and cycles that were tried at a place.
    pub(crate) nodes: u64,
    /// Whether a limit of nodes made it shorter.
    pub(crate) is_cut: bool,
}

impl Cycles {
    /// The cycles of a puzzle, of about `bytes` bytes at most. `known` are words with their
    /// elements, of which some may be cycles. `None` if no cycle of three places is cheap, more
    /// than 64 orbits have a parity, or `stop` is true.
    pub(crate) fn new<'a>(
        generators: &Generators,
        pieces: &Pieces,
        known: impl Iterator<Item = (&'a [Op], &'a Permutation)>,
        bytes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let places = Places::new(generators, pieces)?;
        // An orbit's parity is a bit.
        if places.orbits.iter().filter(|orbit| orbit.has_parity).count() > 64 {
            return None;
        }
        let table = CycleTable::new(generators, &places, known, bytes, stop)?;
        Self::of_table(generators, pieces, places, table)
    }

    /// The cycles of a table. `None` if it has none, or operators cost nothing.
    pub(super) fn of_table(
        generators: &Generators,
        pieces: &Pieces,
        places: Places,
        table: CycleTable,
    ) -> Option<Self> {
        // Without costs, words grow and grow.
        if generators.least_cost() == 0 {
            return None;
        }
        let dearest = i64::from(table.least.iter().flatten().max().copied()?);
        let points = generators.points();
        let all = || (0..=u16::MAX).take(points);
        let weight = |orbit: usize| match table.least[orbit] {
            Some(least) => UNIT * i64::from(least) * WEIGHT.0 / WEIGHT.1,
            None => UNIT * dearest * HARD,
        };
        // The weights of all pieces have a sum.
        let most = i32::MAX / i32::try_from(pieces.list().len() + 1).unwrap_or(i32::MAX);
        let weight = |class, point| match places.is_home(class, point) {
            true => 0,
            false => i32::try_from(weight(places.at(point).orbit)).unwrap_or(most).min(most),
        };
        let classes = pieces.list().iter().map(|piece| piece.class).max()?;
        let elements = generators.elements().iter();
        Some(Self {
            inverse: (0..generators.len()).map(|op| generators.inverse(Op::new(op))).collect(),
            odd: elements.clone().map(|op| places.parity(|point| op.image(point))).collect(),
            odd_weight: UNIT * dearest,
            rows: pieces.list().iter().map(|piece| usize::from(piece.class) * points).collect(),
            weights: (0..=classes)
                .flat_map(|class| all().map(move |point| (class, point)))
                .map(|(class, point)| weight(class, point))
                .collect(),
            moves: elements.flat_map(|op| op.images()).copied().chain(all()).collect(),
            ahead: table
                .least
                .iter()
                .map(|&least| least.unwrap_or(0) * AHEAD.0 / AHEAD.1)
                .collect(),
            generators: generators.clone(),
            places,
            table,
        })
    }

    /// The bytes beyond which more give no other cycles.
    pub(crate) fn bytes_of_use(points: usize) -> u64 {
        CycleTable::bytes_of_use(points)
    }

    /// The cost of the cheapest cycle.
    pub(crate) fn least(&self) -> u32 {
        self.table.least.iter().flatten().min().copied().unwrap_or(0)
    }

    /// Where an operator, or the identity, takes each point.
    pub(super) fn images_of(&self, op: Option<Op>) -> &[u16] {
        let points = self.generators.points();
        let row = op.map_or(self.generators.len(), Op::index) * points;
        &self.moves[row..row + points]
    }

    /// The weight of the pieces that are not home, if they lie at these points.
    pub(super) fn astray(&self, points: impl Iterator<Item = u16>) -> i64 {
        let weight = |(point, row): (u16, &usize)| self.weights[row + usize::from(point)];
        i64::from(points.zip(&self.rows).map(weight).sum::<i32>())
    }

    /// Whether all pieces that no cycle of three brings home are at home.
    pub(super) fn hard_are_home(&self, images: &[u16]) -> bool {
        images.iter().zip(&self.places.list).all(|(&point, place)| {
            self.table.least[place.orbit].is_some() || self.places.is_home(place.class, point)
        })
    }

    pub(super) fn parity_of(&self, images: &[u16]) -> u64 {
        self.places.parity(|point| images[self.places.number_at(point)])
    }

    pub(super) fn defects<'b>(&'b self, orbit: &'b Orbit, images: &[u16]) -> Defects<'b> {
        Defects::new(&self.places, orbit, images)
    }

    /// For each number of operators done: where those left bring each point from. Begins with all
    /// done.
    pub(super) fn backs(&self, word: &[Op]) -> impl Iterator<Item = Box<[u16]>> {
        let mut last: Box<[u16]> = self.images_of(None).into();
        let before = word.iter().rev().map(|op| Some(self.inverse[op.index()]));
        std::iter::once(None).chain(before).map(move |op| {
            let undo = self.images_of(op);
            last.iter_mut().for_each(|point| *point = undo[usize::from(*point)]);
            last.clone()
        })
    }
}
