//! A coordinate whose changes by operators and symmetries are looked up in tables.

use crate::cube::Cube;
use crate::domain::Cube3;
use crate::symmetry;
use pdb::coset::Coordinate;
use search::{Domain, Op};

/// How each operator and each symmetry changes the value of a coordinate, as tables.
#[derive(Clone, Debug)]
pub(super) struct CoordinateTable {
    /// Number of values.
    pub(super) size: u32,
    /// The value of the solved cube.
    pub(super) solved: u16,
    /// Indexed by operator, then value: the value after the operator.
    pub(super) turns: Vec<Vec<u16>>,
    /// Indexed by symmetry, then value: the value after the symmetry.
    pub(super) symmetries: Vec<Vec<u16>>,
}

/// What `table` makes of each operator: of the function that applies it to a cube.
pub(super) fn of_turns<T>(domain: &Cube3, table: impl Fn(&dyn Fn(&Cube) -> Cube) -> T) -> Vec<T> {
    let turns = (0..domain.operators()).map(|op| domain.turn(Op::new(op)));
    turns.map(|turn| table(&|cube| cube.turned(turn))).collect()
}

/// What `table` makes of each of the first symmetries: of the function that applies it to a cube.
pub(super) fn of_symmetries<T>(
    count: usize,
    table: impl Fn(&dyn Fn(&Cube) -> Cube) -> T,
) -> Vec<T> {
    (0..count).map(|s| table(&|cube| symmetry::conjugate(s, cube))).collect()
}

impl Coordinate for CoordinateTable {
    fn size(&self) -> u32 {
        self.size
    }
    fn solved(&self) -> u32 {
        self.solved.into()
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.turns[op.index()][value as usize].into()
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        self.symmetries[symmetry][value as usize].into()
    }
}
