//! The heuristics of the 3x3x3 by name: [`CubeHeuristic`].

use cube::cosets::AxisFamily;
use pdb::PackedTable;

/// The heuristics by name. All but `Best` are published configurations, which never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CubeHeuristic {
    /// [`cube::CubeManhattan`]: a quarter of the sum of the single corners' or edges' distances
    /// (Korf 1997, section 3).
    Manhattan,
    /// Pattern databases of all corners and of two sets of six edges (Korf 1997, section 4).
    Korf97,
    /// The ladder of coset tables that fit the memory.
    Best,
}

/// Entries of the corner table and of an edge table of `korf97`.
pub(super) const KORF97_ENTRIES: [u64; 3] = [88_179_840, 42_577_920, 42_577_920];

impl CubeHeuristic {
    /// The heuristic of this name. `None` if there is none.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "manhattan" => Self::Manhattan,
            "korf97" => Self::Korf97,
            "best" => Self::Best,
            _ => return None,
        })
    }

    /// Bytes of the smallest tables with which the heuristic works.
    pub(super) fn bytes_needed(self) -> u64 {
        match self {
            Self::Manhattan => 0,
            Self::Korf97 => {
                KORF97_ENTRIES.into_iter().map(|entries| PackedTable::bytes_for(4, entries)).sum()
            }
            Self::Best => AxisFamily::G256.bytes(),
        }
    }
}
