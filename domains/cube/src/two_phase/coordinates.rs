//! The tables of both phases: abstractions of the cube that keep a pair of coordinates.

use super::FaceTurns;
use crate::cube::{Cube, Parts};
use crate::domain::CubeMetric;
use pdb::rank::{Arrangements, Combinations, Orientations, octet};
use pdb::{Abstraction, ColumnMap, Edge, Indexer};
use search::{Domain, Op, OpSet};

/// A coordinate of a cube. Its value after an operator of its phase depends only on its value
/// before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coordinate {
    /// The twists of the corners, 2,187 values.
    Twists,
    /// The flips of the edges, 2,048 values.
    Flips,
    /// The slots of the four edges of the slice between U and D.
    Slice,
    /// The permutation of the corners.
    Corners,
    /// The order of the eight edges outside the slice. For phase 2, where they stay outside.
    Edges,
    /// The order of the slice's four edges. For phase 2, where they stay in the slice.
    SliceOrder,
}

const TWISTS: Orientations = Orientations::constrained(3, 8, 2);
const FLIPS: Orientations = Orientations::constrained(2, 12, 1);
const SLICE: Combinations = Combinations::new(12, 4);
const EDGES: Arrangements = Arrangements::permutations(8);
const SLICE_ORDER: Arrangements = Arrangements::permutations(4);

impl Coordinate {
    /// Number of values.
    fn size(self) -> u64 {
        match self {
            Self::Twists => TWISTS.size(),
            Self::Flips => FLIPS.size(),
            Self::Slice => SLICE.size(),
            Self::Corners => octet::SIZE.into(),
            Self::Edges => EDGES.size(),
            Self::SliceOrder => SLICE_ORDER.size(),
        }
    }

    /// The value that a cube has.
    pub(super) fn of(self, cube: &Cube) -> u64 {
        match self {
            Self::Twists => TWISTS.rank(cube.corners >> 24),
            Self::Flips => FLIPS.rank(cube.edges >> 48),
            Self::Slice => {
                SLICE.rank((0..12).map(|slot| u32::from(cube.edge(slot) >= 8) << slot).sum())
            }
            Self::Corners => {
                let pieces = u32::try_from(cube.corners & 0xff_ffff).expect("24 bits");
                octet::rank(pieces).into()
            }
            Self::Edges => EDGES.rank(cube.edges),
            Self::SliceOrder => {
                let home = |slot: usize| u64::from(cube.edge(8 + slot).wrapping_sub(8));
                SLICE_ORDER.rank((0..4).map(|slot| home(slot) << (4 * slot)).sum())
            }
        }
    }

    /// The value that a cube has, as 16 bits. All values are below 65,536.
    fn small(self, cube: &Cube) -> u16 {
        u16::try_from(self.of(cube)).expect("at most 40,320 values")
    }

    /// A cube with this value, possibly an unsolvable one.
    fn cube(self, value: u64) -> Cube {
        let solved = Cube::SOLVED;
        match self {
            Self::Twists => Cube { corners: solved.corners | TWISTS.unrank(value) << 24, ..solved },
            Self::Flips => Cube { edges: solved.edges | FLIPS.unrank(value) << 48, ..solved },
            Self::Slice => {
                let set = SLICE.unrank(value);
                let mut parts = Parts::SOLVED;
                let (mut inside, mut outside) = (8..12, 0..8);
                for (slot, piece) in parts.edges.iter_mut().enumerate() {
                    let next = if set >> slot & 1 == 1 { &mut inside } else { &mut outside };
                    *piece = next.next().expect("four slots of the slice");
                }
                parts.pack()
            }
            Self::Corners => {
                let value = u32::try_from(value).expect("40,320 values");
                Cube { corners: octet::unrank(value).into(), ..solved }
            }
            Self::Edges => Cube { edges: solved.edges >> 32 << 32 | EDGES.unrank(value), ..solved },
            Self::SliceOrder => {
                let order = SLICE_ORDER.unrank(value) + 0x8888;
                Cube { edges: solved.edges & 0xffff_ffff | order << 32, ..solved }
            }
        }
    }
}

/// A coordinate, and a table of how operators change it.
#[derive(Clone, Debug)]
struct TurnTable {
    of: Coordinate,
    size: u64,
    /// Indexed by value, then operator: the value after the operator.
    turns: Vec<[u16; 18]>,
}

impl TurnTable {
    /// The table for the operators of a phase, given as bits. Entries of other operators are 0 and
    /// have no meaning.
    fn new(of: Coordinate, operators: u32) -> Self {
        let size = of.size();
        let after = |value| {
            let cube = of.cube(value);
            std::array::from_fn(|op| {
                let known = operators.contains(Op::new(op));
                if known { of.small(&cube.turned(op)) } else { 0 }
            })
        };
        Self { of, size, turns: (0..size).map(after).collect() }
    }
}

/// The abstraction that keeps two coordinates: one is the row, the other the column.
#[derive(Clone, Debug)]
pub struct CoordinatePair {
    domain: FaceTurns,
    operators: u32,
    rows: TurnTable,
    columns: TurnTable,
    /// For each operator: the column that each column becomes.
    maps: Vec<Vec<u16>>,
}

impl CoordinatePair {
    pub(super) fn new(
        metric: CubeMetric,
        operators: u32,
        [rows, columns]: [Coordinate; 2],
    ) -> Self {
        let [rows, columns] = [rows, columns].map(|of| TurnTable::new(of, operators));
        let map = |op: usize| columns.turns.iter().map(|turns| turns[op]).collect();
        let maps = (0..18).map(map).collect();
        Self { domain: FaceTurns::new(metric), operators, rows, columns, maps }
    }

    pub(super) fn metric(&self) -> CubeMetric {
        self.domain.metric()
    }
}

impl Abstraction for CoordinatePair {
    fn shape(&self) -> (u64, usize) {
        (self.rows.size, usize::try_from(self.columns.size).expect("at most 40,320 columns"))
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(self.entry(self.index(&self.domain, &Cube::SOLVED)));
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        // The operators of a phase undo each other, so they lead to all predecessors.
        let row = usize::try_from(row).expect("at most 2,048 rows");
        out.extend(self.operators.members().map(|op| Edge {
            row: self.rows.turns[row][op.index()].into(),
            map: u32::from(op.0),
            cost: self.domain.cost(op),
        }));
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<FaceTurns> for CoordinatePair {
    /// The row and the column.
    type Index = (u16, u16);
    #[inline(always)]
    fn index(&self, _: &FaceTurns, state: &Cube) -> (u16, u16) {
        (self.rows.of.small(state), self.columns.of.small(state))
    }
    #[inline(always)]
    fn advance(
        &self,
        _: &FaceTurns,
        _: &Cube,
        (row, column): (u16, u16),
        op: Op,
        _: &Cube,
    ) -> (u16, u16) {
        let after = |of: &TurnTable, value| of.turns[usize::from(value)][op.index()];
        (after(&self.rows, row), after(&self.columns, column))
    }
    #[inline(always)]
    fn entry(&self, (row, column): (u16, u16)) -> u64 {
        u64::from(row) * self.columns.size + u64::from(column)
    }
}
