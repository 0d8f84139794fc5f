//! The pattern of any few pieces: some corners and some edges.

use crate::cube::{Cube, index};
use crate::domain::{Cube3, CubeMetric};
use crate::turns::{places_after, turn_parts};
use pdb::rank::Arrangements;
use pdb::{Abstraction, ColumnMap, Edge, Indexer};
use search::{Domain, Op};
use smallvec::SmallVec;

/// The pattern of some corners and edges: where they are, and how they are twisted and flipped. All
/// other pieces are forgotten.
///
/// - Row: the slots of the corners, then those of the edges, as [`Arrangements`].
/// - Column: the twists of the corners in base 3, then the flips of the edges in base 2. Piece 0
///   has the lowest digit. A turn twists by slots alone, so the row determines how it moves
///   columns.
///
/// A search carries the slots and orientations of the pieces, and updates them by one lookup a
/// piece for each move.
#[derive(Clone, Debug)]
pub struct PiecePattern {
    domain: Cube3,
    corners: SmallVec<[u8; 8]>,
    edges: SmallVec<[u8; 12]>,
    of_corners: Arrangements,
    of_edges: Arrangements,
    /// For each column of twists alone: the column that each column becomes when these twists are
    /// added.
    twisted: Vec<Vec<u16>>,
    /// The same for flips.
    flipped: Vec<Vec<u16>>,
    /// The entries that are goals.
    goals: Vec<u64>,
}

/// Why a list of pieces is no [`PiecePattern`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PiecePatternError {
    /// A piece does not exist, or occurs twice.
    #[error("found the {kind} {found}, expected a number below {below} that was not named before")]
    Piece {
        /// Corner or edge.
        kind: &'static str,
        /// The number of the piece.
        found: u8,
        /// The number of pieces of this kind.
        below: u8,
    },
    /// A row of the table has too many columns.
    #[error("{columns} ways to twist and flip the pieces, expected at most 65,536")]
    Columns {
        /// The number of orientations of the pieces together.
        columns: u32,
    },
    /// No piece is named.
    #[error("found no piece, expected at least one")]
    Empty,
}

/// Where the pieces of a [`PiecePattern`] are: a byte for each, corners first. The byte is three
/// times the slot plus the twist of a corner, and twice the slot plus the flip of an edge.
pub type PiecePlaces = [u8; MOST];

/// The most pieces of a pattern. More have too many entries for a table.
const MOST: usize = 12;

/// For each face turn: the place after the turn of each place of a corner (`3 * slot + twist`),
/// then of an edge (`2 * slot + flip`).
static AFTER: [[[u8; 24]; 2]; 18] = {
    let mut after = [[[0; 24]; 2]; 18];
    let mut turn = 0;
    while turn < 18 {
        let parts = turn_parts(turn);
        after[turn] =
            [places_after(&parts.corners, &parts.twists), places_after(&parts.edges, &parts.flips)];
        turn += 1;
    }
    after
};

impl PiecePattern {
    /// The pattern of some corners and edges, numbered as in [`CORNER_NAMES`](crate::CORNER_NAMES)
    /// and [`EDGE_NAMES`](crate::EDGE_NAMES),
    /// with the operators of a metric.
    ///
    /// # Errors
    /// If there is no piece, a piece does not exist or occurs twice, or the pieces have more than
    /// 65,536 orientations together.
    pub fn new(
        metric: CubeMetric,
        corners: &[u8],
        edges: &[u8],
    ) -> Result<Self, PiecePatternError> {
        check("corner", corners, 8)?;
        check("edge", edges, 12)?;
        if corners.is_empty() && edges.is_empty() {
            return Err(PiecePatternError::Empty);
        }
        let (twists, flips) = (3_u32.pow(count(corners)), 1 << edges.len());
        let columns = twists * flips;
        if columns > 1 << 16 {
            return Err(PiecePatternError::Columns { columns });
        }
        let map = |to: &dyn Fn(u32) -> u32| (0..columns).map(|column| low(to(column))).collect();
        let mut twisted: Vec<Vec<u16>> = vec![map(&|column| column)];
        for by in 1..twists {
            // The highest digit of `by` less one, then one more.
            let unit = 3_u32.pow(by.ilog(3));
            let rest = &twisted[(by - unit) as usize];
            let one = |column: u32| match column / unit % 3 {
                2 => column - 2 * unit,
                _ => column + unit,
            };
            twisted.push(map(&|column| one(rest[column as usize].into())));
        }
        let flip = |by, column: u32| ((column / twists) ^ by) * twists + column % twists;
        let mut flipped: Vec<Vec<u16>> =
            (0..flips).map(|by| map(&|column| flip(by, column))).collect();
        // An empty map is the identity.
        twisted[0].clear();
        flipped[0].clear();
        let mut pattern = Self {
            domain: Cube3::new(metric),
            of_corners: Arrangements::new(8, count(corners)),
            of_edges: Arrangements::new(12, count(edges)),
            corners: corners.into(),
            edges: edges.into(),
            twisted,
            flipped,
            goals: Vec::new(),
        };
        pattern.goals.push(pattern.entry_of(&pattern.of_cube(&Cube::SOLVED)));
        Ok(pattern)
    }

    /// The same pattern with other goals: those in which the set of solved pieces is accepted. Each
    /// set has corner `i` as bit `i` and edge `i` as bit `8 + i`. A set with more pieces than an
    /// accepted one must be accepted, too. [default: all pieces of the pattern are solved]
    #[must_use]
    pub fn with_goals(mut self, accepts: &dyn Fn(u32) -> bool) -> Self {
        self.goals.clear();
        let corners = self.corners.iter().map(|&piece| (1 << piece, 3 * piece));
        let edges = self.edges.iter().map(|&piece| (1 << (8 + piece), 2 * piece));
        let home: SmallVec<[(u32, u8); MOST]> = corners.chain(edges).collect();
        let columns = self.columns() as u64;
        for row in 0..self.rows() {
            let places = self.places(row);
            let placed = home.iter().zip(places).filter(|((_, home), place)| home == place);
            let placed = placed.fold(0, |all, ((bit, _), _)| all | bit);
            if !accepts(placed) {
                continue;
            }
            for column in 0..columns {
                let (mut rest, mut turned) = (column, 0);
                for (number, (bit, _)) in home.iter().enumerate() {
                    let turns = if number < self.corners.len() { 3 } else { 2 };
                    turned |= if rest % turns > 0 { *bit } else { 0 };
                    rest /= turns;
                }
                if accepts(placed & !turned) {
                    self.goals.push(row * columns + column);
                }
            }
        }
        self
    }

    /// The corners and the edges, in the order in which they are ranked.
    pub fn pieces(&self) -> (&[u8], &[u8]) {
        (&self.corners, &self.edges)
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.rows() * self.columns() as u64
    }

    /// The row and the column of places.
    #[inline(always)]
    fn rank(&self, at: &PiecePlaces) -> (u64, u32) {
        let (corners, edges) = at.split_at(self.corners.len());
        let edges = &edges[..self.edges.len()];
        let (mut slots, mut column) = (0, 0_u32);
        for &place in edges.iter().rev() {
            slots = slots << 4 | u64::from(place >> 1);
            column = column << 1 | u32::from(place & 1);
        }
        let of_edges = self.of_edges.rank(slots);
        slots = 0;
        for &place in corners.iter().rev() {
            slots = slots << 4 | u64::from(place / 3);
            column = 3 * column + u32::from(place % 3);
        }
        (self.of_corners.rank(slots) * self.of_edges.size() + of_edges, column)
    }

    /// The table entry of places.
    #[inline(always)]
    fn entry_of(&self, at: &PiecePlaces) -> u64 {
        let (row, column) = self.rank(at);
        row * self.columns() as u64 + u64::from(column)
    }

    /// The places of a row, without twists and flips.
    fn places(&self, row: u64) -> PiecePlaces {
        let (corners, edges) = (row / self.of_edges.size(), row % self.of_edges.size());
        let (corners, edges) = (self.of_corners.unrank(corners), self.of_edges.unrank(edges));
        let slot = |slots: u64, piece: usize| index(slots, 4 * piece, 15);
        let of_corner = |piece| place(3 * slot(corners, piece));
        let of_edge = |piece| place(2 * slot(edges, piece));
        let corners = (0..self.corners.len()).map(of_corner);
        let mut places = [0; MOST];
        for (to, place) in places.iter_mut().zip(corners.chain((0..self.edges.len()).map(of_edge)))
        {
            *to = place;
        }
        places
    }

    /// The places after a face turn.
    #[inline(always)]
    fn turned(&self, at: PiecePlaces, turn: usize) -> PiecePlaces {
        let (corners, edges) = (self.corners.len(), self.edges.len());
        let [after_corners, after_edges] = &AFTER[turn];
        let mut places = at;
        for place in &mut places[..corners] {
            *place = after_corners[usize::from(*place)];
        }
        for place in &mut places[corners..corners + edges] {
            *place = after_edges[usize::from(*place)];
        }
        places
    }

    /// The places of the pieces of a cube.
    #[inline(always)]
    fn of_cube(&self, cube: &Cube) -> PiecePlaces {
        self.of_all(&AllPlaces::new(cube))
    }

    /// The places of the pieces, out of those of all pieces.
    #[inline(always)]
    fn of_all(&self, all: &AllPlaces) -> PiecePlaces {
        let mut places = [0; MOST];
        let corners = self.corners.iter().map(|&piece| all.corners[usize::from(piece)]);
        let edges = self.edges.iter().map(|&piece| all.edges[usize::from(piece & 15)]);
        places.iter_mut().zip(corners.chain(edges)).for_each(|(to, place)| *to = place);
        places
    }

    /// The table entry of a cube, from the places of all its pieces.
    #[inline(always)]
    pub(crate) fn entry_in(&self, all: &AllPlaces) -> u64 {
        self.entry_of(&self.of_all(all))
    }
}

/// Where each piece of a cube is, in the form of [`PiecePlaces`]. Several patterns share it.
pub(crate) struct AllPlaces {
    corners: [u8; 8],
    edges: [u8; 16],
}

impl AllPlaces {
    #[inline(always)]
    pub(crate) fn new(cube: &Cube) -> Self {
        let (mut corners, mut edges) = ([0; 8], [0; 16]);
        for slot in 0..8 {
            corners[usize::from(cube.corner(slot))] = place(3 * slot) + cube.twist(slot);
        }
        for slot in 0..12 {
            edges[usize::from(cube.edge(slot))] = place(2 * slot) + cube.flip(slot);
        }
        Self { corners, edges }
    }

    /// The places in the inverse of a cube.
    #[inline(always)]
    pub(crate) fn of_inverse(cube: &Cube) -> Self {
        let (mut corners, mut edges) = ([0; 8], [0; 16]);
        for (slot, to) in corners.iter_mut().enumerate() {
            *to = 3 * cube.corner(slot) + [0, 2, 1][usize::from(cube.twist(slot) % 3)];
        }
        for (slot, to) in edges[..12].iter_mut().enumerate() {
            *to = 2 * cube.edge(slot) + cube.flip(slot);
        }
        Self { corners, edges }
    }
}

/// Checks that pieces exist and are different.
fn check(kind: &'static str, pieces: &[u8], below: u8) -> Result<(), PiecePatternError> {
    let wrong = |&i: &usize| pieces[i] >= below || pieces[..i].contains(&pieces[i]);
    match (0..pieces.len()).find(wrong) {
        Some(i) => Err(PiecePatternError::Piece { kind, found: pieces[i], below }),
        None => Ok(()),
    }
}

/// The number of pieces, at most 12.
fn count(pieces: &[u8]) -> u32 {
    u32::try_from(pieces.len()).expect("at most 12")
}

/// Converts a column.
fn low(column: u32) -> u16 {
    u16::try_from(column).expect("at most 65,536 columns")
}

/// Converts a place, which is below 24.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "places are below 24")]
fn place(place: usize) -> u8 {
    place as u8
}

impl Abstraction for PiecePattern {
    fn shape(&self) -> (u64, usize) {
        (self.of_corners.size() * self.of_edges.size(), self.twisted.len() * self.flipped.len())
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(&self.goals);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let places = self.places(row);
        // The operators of a metric undo each other, so they lead to all predecessors.
        out.extend((0..self.domain.operators()).map(|op| {
            let (row, map) = self.rank(&self.turned(places, self.domain.turn(Op::new(op))));
            Edge { row, map, cost: 1 }
        }));
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        let twists = self.twisted.len();
        let (twists, flips) = (map as usize % twists, map as usize / twists);
        ColumnMap::by_both(&self.twisted[twists], &self.flipped[flips])
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Cube3> for PiecePattern {
    type Index = PiecePlaces;
    #[inline(always)]
    fn index(&self, _: &Cube3, state: &Cube) -> PiecePlaces {
        self.of_cube(state)
    }
    #[inline(always)]
    fn advance(&self, domain: &Cube3, _: &Cube, at: PiecePlaces, op: Op, _: &Cube) -> PiecePlaces {
        self.turned(at, domain.turn(op))
    }
    #[inline(always)]
    fn entry(&self, at: PiecePlaces) -> u64 {
        self.entry_of(&at)
    }
}

#[cfg(test)]
mod tests;
