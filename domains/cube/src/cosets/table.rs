//! A coordinate whose changes by operators and symmetries are looked up in tables.

use pdb::coset::Coordinate;
use search::Op;

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
