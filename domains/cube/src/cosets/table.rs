//! A coordinate whose turns and symmetries are tables.

use pdb::coset::Coordinate;
use search::Op;

/// A coordinate in tables.
#[derive(Clone, Debug)]
pub(super) struct CoordinateTable {
    /// Values.
    pub(super) size: u32,
    /// The value of the solved cube.
    pub(super) solved: u16,
    /// By operator, then value: the value after.
    pub(super) turns: Vec<Vec<u16>>,
    /// By symmetry, then value: the value after.
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
